// A list that a worker reads, and hands over in parts, is the one that was sent.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'

const COUNT = 5000
const SHARE = 500

let client: SceneClient
let scene: string
beforeAll(async () => {
  client = await startScenes({ QUERY_DEADLINE_MS: '60000' })
  const bodies = Array.from({ length: 40 }, (_, i) => ({
    id: `b${i}`,
    shape: { type: 'circle', radius: 0.5 },
    position: { x: 3 * (i % 8), y: 3 * Math.floor(i / 8) },
  }))
  scene = await client.createScene(bodies)
})
afterAll(() => client.close())

/** Texts, since a negative zero in a value would not be one in JSON. */
const rays = Array.from({ length: COUNT }, (_, i) => {
  const [x, y] = [(i % 71) / 3, (i % 37) / 3]
  return `{"origin":{"x":${x},"y":${y}},"direction":{"x":${i % 3 === 0 ? '-0.0' : i % 5},"y":${1 + (i % 7)}}}`
})

async function results(some: readonly string[]): Promise<unknown[]> {
  const { statusCode, json } = await client.app.inject({
    method: 'POST',
    url: `/v1/2d/scenes/${scene}/ray-cast`,
    headers: { 'content-type': 'application/json' },
    payload: `{"rays":[${some.join(',')}]}`,
  })
  expect(statusCode).toBe(200)
  return json().results
}

it('of thousands of rays, each gets the answer that it gets among few', async () => {
  const all = await results(rays)
  const few: unknown[] = []
  for (let at = 0; at < COUNT; at += SHARE) few.push(...(await results(rays.slice(at, at + SHARE))))
  expect(all.length).toBe(COUNT)
  expect(all).toEqual(few)
})

it('names the ray that is wrong', async () => {
  const wrong = [...rays.slice(0, 4321), '{"origin":{"x":0},"direction":{"x":1,"y":0}}', ...rays.slice(4322)]
  const { statusCode, json } = await client.app.inject({
    method: 'POST',
    url: `/v1/2d/scenes/${scene}/ray-cast`,
    headers: { 'content-type': 'application/json' },
    payload: `{"rays":[${wrong.join(',')}]}`,
  })
  expect([statusCode, json().errors]).toEqual([400, [expect.objectContaining({ pointer: '#/rays/4321/origin/y' })]])
})
