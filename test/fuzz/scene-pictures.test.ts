// Random questions about random scenes, asked for as pictures: never a 5xx, the same status as in numbers, and well-formed XML.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SceneQueryOp } from '../../schemas/scenes/exchanges.ts'
import { readSvg } from '../pictures/svg-check.ts'
import { toJson } from '../support/answers/json.ts'
import { isLongRun, unshrunk } from '../support/runs.ts'
import { type SceneClient, startScenes } from '../support/services/scene-client.ts'
import { BODY_IDS, SCENE_QUERIES, wildSceneBody } from './wild-scene-requests.ts'

let client: SceneClient
beforeAll(async () => {
  // workers start when they are first needed, which takes long where the machine is busy
  client = await startScenes({ QUERY_DEADLINE_MS: '60000' })
  await client.send('PUT', '/s', {})
  await ask('pairs', {}, 'image/svg+xml')
}, 60_000)
afterAll(() => client.close())

async function ask(path: string, request: object, accept: string) {
  const response = await client.app.inject({
    method: 'POST',
    url: `/v1/2d/scenes/s/${path}`,
    headers: { accept, 'content-type': 'application/json' },
    payload: toJson(request),
  })
  const { statusCode: status, headers, body: text } = response
  return { status, type: String(headers['content-type']), etag: headers.etag, text }
}

async function refill(bodies: readonly object[]): Promise<void> {
  await client.send('POST', '/s/operations', { operations: [{ op: 'clear' }] })
  for (const [i, body] of bodies.entries()) await client.send('PUT', `/s/bodies/${BODY_IDS[i]}`, body)
}

const scenes = fc.array(wildSceneBody, { maxLength: BODY_IDS.length })
const parameters = fc.constantFrom(
  '',
  '?yDown=true',
  '?bounds=-3,-2,4,5&width=300',
  '?bounds=1e90,0,1e90,0',
  '?bounds=0,0,0,0',
)

describe.each(Object.entries(SCENE_QUERIES))('%s', (op, requests) => {
  it('is drawn where it is answered', async () => {
    let pictures = 0
    await fc.assert(
      fc.asyncProperty(
        scenes,
        fc.array(requests, { minLength: 4, maxLength: 4 }),
        parameters,
        async (bodies, asked, more) => {
          await refill(bodies)
          for (const request of asked) {
            const numbers = await ask(op, request, 'application/json')
            const picture = await ask(`${op as SceneQueryOp}${more}`, request, 'image/svg+xml')
            expect(picture.status, `${numbers.text} ${picture.text}`).toBe(numbers.status)
            expect(picture.etag).toBe(numbers.etag)
            if (picture.status !== 200) {
              expect(JSON.parse(picture.text).code).toBe(JSON.parse(numbers.text).code)
              continue
            }
            pictures++
            expect(picture.type).toBe('image/svg+xml; charset=utf-8')
            const { elements } = readSvg(picture.text)
            expect(elements.get('title')).toBe(1)
            expect(elements.get('desc')).toBe(1)
          }
        },
      ),
      unshrunk(5),
    )
    if (isLongRun) expect(pictures).toBeGreaterThan(0)
  })
})

it('draws batches of anything', async () => {
  const queries = fc.array(
    fc.oneof(
      ...Object.entries(SCENE_QUERIES).map(([op, requests]) => requests.map((request): object => ({ ...request, op }))),
      fc.constantFrom<unknown>(null, 5, { op: 'none' }, {}, { op: 'overlap', point: { x: '<b>', y: 0 } }),
    ),
    { maxLength: 20 },
  )
  await fc.assert(
    fc.asyncProperty(scenes, queries, async (bodies, list) => {
      await refill(bodies)
      const picture = await ask('batch', { queries: list }, 'image/svg+xml')
      expect(picture.status, picture.text).toBe(200)
      readSvg(picture.text)
      // the whole and one for each query, which are plots or words
      expect(picture.text.match(/<svg x="0"/g) ?? []).toHaveLength(
        Math.max(1, Math.min(list.length, 16) + (list.length > 16 ? 1 : 0)),
      )
    }),
    unshrunk(5),
  )
})
