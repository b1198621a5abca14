// docs/editors/unity.md: the script asks what the page shows as requests, which another test sends. Nothing here compiles C#.

import { expect, it } from 'vitest'
import { documentText, fencesOf, requestsOf } from '../support/document-requests.ts'

const page = documentText('docs/editors/unity.md')
const script = fencesOf(page).find(({ language }) => language === 'csharp')!.text
const bodyOf = (end: string) => JSON.parse(requestsOf(page).find(({ url }) => url.endsWith(end))!.body!)

it('shows the rules that the script sends', () => {
  const [, concatenated] = /const string Rules = ([\s\S]*?);\n/.exec(script)!
  const rules = [...concatenated.matchAll(/"([^"]*)"/g)].map(([, part]) => part).join('')
  expect(JSON.parse(rules.replaceAll("'", '"'))).toEqual(bodyOf('/lint'))
})

it('reads fields that the answer has', () => {
  const { answer } = requestsOf(page).find(({ url }) => url.endsWith('/lint'))!
  const { findings } = JSON.parse(answer!) as { findings: object[] }
  const fields = [...script.matchAll(/class Finding \{ public string ([\w, ]+); public string\[\] (\w+); \}/g)][0]
  expect(findings.length).toBeGreaterThan(0)
  for (const finding of findings) {
    for (const name of [...fields[1].split(', '), fields[2]]) expect(finding).toHaveProperty([name])
  }
})

it('has brackets that match', () => {
  // without characters, texts and comments
  const bare = script.replaceAll(/'\\?.'|\$?"(\\.|[^"\\])*"|\/\/.*/g, '')
  const open: string[] = []
  for (const [bracket] of bare.matchAll(/[()[\]{}]/g)) {
    if ('([{'.includes(bracket)) open.push(bracket)
    else expect(`${open.pop()}${bracket}`).toMatch(/^(\(\)|\[\]|\{\})$/)
  }
  expect(open).toEqual([])
})
