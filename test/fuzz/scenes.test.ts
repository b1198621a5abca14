// Random writes to scenes, valid and broken: every answer is one or a problem, never a 5xx, nothing changes by a write that
// was refused, and what was accepted is the same after a restart.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc, { type Arbitrary } from 'fast-check'
import { XMLValidator } from 'fast-xml-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROBLEM_CODES } from '../../schemas/problem.ts'
import { toJson } from '../support/answers/json.ts'
import { runs } from '../support/runs.ts'
import { type Method, type SceneAnswer, type SceneClient, startScenes } from '../support/services/scene-client.ts'
import { tagged } from '../support/services/version-tag.ts'
import { broken } from './broken-texts.ts'
import { wildFields, wildOperations, wildSceneBody, wildSettings } from './wild-scene-requests.ts'

const directory = mkdtempSync(join(tmpdir(), 'tangent-fuzz-'))
const env = { SCENE_STORE: 'file', DATA_DIR: directory }
let client: SceneClient
beforeAll(async () => {
  client = await startScenes(env)
  await client.send('PUT', '/s', {})
})
afterAll(async () => {
  await client.close()
  rmSync(directory, { recursive: true, force: true })
})

const REQUESTS: [string, Method, string, Arbitrary<object>][] = [
  ['a body', 'PUT', '/s/bodies/a', wildSceneBody],
  ['fields', 'PATCH', '/s/bodies/a', wildFields],
  ['operations', 'POST', '/s/operations', wildOperations],
  ['a dry run', 'POST', '/s/operations?dryRun=true', wildOperations],
  ['settings', 'PUT', '/s', wildSettings],
]

function expectProper({ status, headers, body: answer }: SceneAnswer): void {
  expect(status, answer?.detail).toBeLessThan(500)
  if (status < 300) {
    expect(headers.etag).toEqual(tagged(answer.version))
    return
  }
  expect(headers['content-type']).toContain('application/problem+json')
  expect(PROBLEM_CODES).toContain(answer.code)
  expect(answer.detail).not.toContain('\n')
}

async function everything(): Promise<string> {
  return [(await client.send('GET', '/s')).text, (await client.send('GET', '/s/bodies')).text].join('\n')
}

describe.each(REQUESTS)('%s', (name, method, path, requests) => {
  it.each([
    ['valid', requests.map(toJson)],
    ['broken', broken(requests)],
  ] as const)('%s', async (what, texts) => {
    const counts = new Map<number, number>()
    let before = await everything()
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const answer = await client.send(method, path, text)
        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
        expectProper(answer)
        const after = await everything()
        if (answer.status >= 300 || path.includes('dryRun')) expect(after).toBe(before)
        before = after
      }),
      runs(200),
    )
    process.stdout.write(
      `fuzz ${name}, ${what}: ${[...counts].map(([status, count]) => `${count} × ${status}`).join(', ')}\n`,
    )
    await client.close()
    client = await startScenes(env)
    expect(await everything()).toBe(before)
  })
})

describe('exports of wild scenes', () => {
  const asked = fc.record(
    {
      tolerance: fc.double({ min: 1e-300, max: 1e100, noNaN: true }),
      yUp: fc.boolean(),
      scale: fc.constantFrom(1, 1e-100, 1e100, 0.1),
      offsetX: fc.double({ min: -1e100, max: 1e100, noNaN: true }),
      source: fc.constantFrom('a', 'b c'),
      bounds: fc.constantFrom('-1,-1,1,1', '-1e100,-1e100,0,1e100'),
    },
    { requiredKeys: [] },
  )

  it('are well formed in every format, and the service’s own comes back as it was', async () => {
    await fc.assert(
      fc.asyncProperty(wildOperations, asked, async (operations, parameters) => {
        await client.send('PUT', '/wild', {})
        await client.send('POST', '/wild/operations', operations)
        const query = new URLSearchParams(
          Object.entries(parameters).map(([name, value]): [string, string] => [name, `${value}`]),
        )
        const texts = new Map<string, string>()
        for (const format of ['json', 'geojson', 'svg']) {
          const url = `/v1/2d/scenes/wild/export?format=${format}&${query}`
          const { statusCode, body } = await client.app.inject(url)
          expect(statusCode, body).toBe(200)
          expect(body).not.toMatch(/NaN|Infinity|undefined/)
          texts.set(format, body)
        }
        JSON.parse(texts.get('json') as string)
        JSON.parse(texts.get('geojson') as string)
        expect(XMLValidator.validate(texts.get('svg') as string)).toBe(true)
        const { text } = await client.send('GET', '/wild/export?format=json')
        const again = await client.send('POST', '/wild/import?format=json', text)
        expect(again.body, again.text).toMatchObject({ added: 0, updated: 0, removed: 0, skipped: [] })
        await client.send('DELETE', '/wild')
      }),
      runs(60),
    )
  })
})
