// Random writes to scenes, valid and broken: every answer is one or a problem, never a 5xx, nothing changes by a write that
// was refused, and what was accepted is the same after a restart.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROBLEM_CODES } from '../../schemas/problem-code.ts'
import { toJson } from '../support/json.ts'
import { runs } from '../support/runs.ts'
import { type Method, type SceneAnswer, type SceneClient, startScenes } from '../support/scene-client.ts'
import { broken } from './broken-texts.ts'
import { moving, source, wildAnyBody } from './wild-values.ts'

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

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const tags = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 9 }), { maxLength: 4 })
const marks = fc.record({ tags, sensor: fc.boolean(), data: fc.jsonValue() }, { requiredKeys: [] })
const number = source.chain((s) => s.coordinate)
const place = fc.record({ x: number, y: number })
const body = fc.tuple(moving(wildAnyBody), marks).map(([moved, more]): object => ({ ...moved, ...more }))
const pose = fc.record(
  { position: place, rotation: number, velocity: place, angularVelocity: number },
  { requiredKeys: [] },
)
const fields = fc
  .tuple(body, fc.subarray(['shape', 'position', 'rotation', 'velocity', 'tags', 'sensor', 'data']), fc.boolean())
  .map(([all, names, isNull]) => {
    const of = all as Record<string, unknown>
    return Object.fromEntries(names.map((name) => [name, isNull && name !== 'shape' ? null : of[name]]))
  })
const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(id, body).map(([own, each]): object => ({ op: 'put', body: { id: own, ...each } })),
  },
  { weight: 3, arbitrary: fc.tuple(id, pose).map(([own, each]): object => ({ op: 'move', id: own, ...each })) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('patch'), id, fields }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('remove'), id }) },
)
const operations = fc.record({ operations: fc.array(operation, { minLength: 1, maxLength: 6 }) })
const settings = fc.record(
  {
    name: fc.string({ maxLength: 20 }),
    margin: fc.double({ min: 0, max: 1e100, noNaN: true }),
    ttl: fc.constant(null),
  },
  { requiredKeys: [] },
)

const REQUESTS: [string, Method, string, Arbitrary<object>][] = [
  ['a body', 'PUT', '/s/bodies/a', body],
  ['fields', 'PATCH', '/s/bodies/a', fields],
  ['operations', 'POST', '/s/operations', operations],
  ['a dry run', 'POST', '/s/operations?dryRun=true', operations],
  ['settings', 'PUT', '/s', settings],
]

function expectProper({ status, headers, body: answer }: SceneAnswer): void {
  expect(status).toBeLessThan(500)
  if (status < 300) {
    expect(headers.etag).toBe(`"${answer.version}"`)
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
      runs(400),
    )
    process.stdout.write(
      `fuzz ${name}, ${what}: ${[...counts].map(([status, count]) => `${count} × ${status}`).join(', ')}\n`,
    )
    await client.close()
    client = await startScenes(env)
    expect(await everything()).toBe(before)
  })
})
