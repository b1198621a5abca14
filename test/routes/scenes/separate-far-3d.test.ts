// Bodies of space of all kinds come out of each other far from the origin as near to it: by their depth, where both are convex.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { seededRandom } from '../../support/families/box-sets.ts'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'

let client: SceneClient
beforeAll(async () => {
  client = await startScenes({ QUERY_DEADLINE_MS: '10000' }, '3d')
})
afterAll(() => client.close())

const random = seededRandom(7)
const vector = (size: number) => ({
  x: size * (random() - 0.5),
  y: size * (random() - 0.5),
  z: size * (random() - 0.5),
})
const side = () => 0.5 + random()
function turn() {
  const [x, y, z, w] = Array.from({ length: 4 }, () => random() - 0.5) as [number, number, number, number]
  const length = Math.hypot(x, y, z, w)
  return { x: x / length, y: y / length, z: z / length, w: w / length }
}
const KINDS: (() => { type: string })[] = [
  () => ({ type: 'sphere', radius: side() }),
  () => ({ type: 'capsule', a: vector(2), b: vector(2), radius: side() / 2 }),
  () => ({ type: 'box', size: { x: side(), y: side(), z: side() } }),
  () => ({ type: 'box', size: { x: side(), y: side(), z: side() }, radius: 0.1 }),
  () => ({ type: 'hull', points: Array.from({ length: 10 }, () => vector(2)) }),
  () => ({ type: 'cylinder', radius: side(), height: side() }),
  () => ({ type: 'cone', radius: side(), height: side() }),
  () => ({ type: 'ellipsoid', radii: { x: side(), y: side(), z: side() } }),
  () => ({
    type: 'compound',
    children: [
      { shape: { type: 'capsule', a: vector(2), b: vector(2), radius: 0.3 }, position: vector(1) },
      { shape: { type: 'box', size: { x: 1, y: 1, z: 1 } }, position: vector(2) },
    ],
  }),
]

it.each([0, 1e3, 1e6, 1e9])('at a distance of %d', async (away) => {
  let asked = 0
  for (const first of KINDS) {
    for (const second of KINDS) {
      const at = vector(away)
      const placed = (id: string, shape: { type: string }) => {
        const { x, y, z } = vector(0.8)
        return { id, shape, position: { x: at.x + x, y: at.y + y, z: at.z + z }, orientation: turn() }
      }
      const [a, b] = [placed('a', first()), placed('b', second())]
      const scene = await client.createScene([a, b])
      const { status, text, body } = await client.send('POST', `/${scene}/separate`, { bodyId: 'b' })
      expect([status, body.separated], text).toEqual([200, true])
      const { x, y, z } = body.translation
      if (a.shape.type !== 'compound' && b.shape.type !== 'compound') {
        const bare = ({ shape, position, orientation }: typeof a) => ({ shape, position, orientation })
        const url = '/v1/3d/contact'
        const contact = await client.app.inject({ method: 'POST', url, payload: { a: bare(a), b: bare(b) } })
        const depth = Math.max(0, -contact.json<{ separation: number }>().separation)
        expect(Math.abs(Math.hypot(x, y, z) - depth)).toBeLessThan(1e-9 + 1e-14 * away)
        asked++
      }
      const apart = await client.send('POST', `/${scene}/overlap`, { bodyId: 'b', pose: { position: body.position } })
      expect(apart.body.bodies.filter(({ relation }: { relation: string }) => relation === 'overlapping')).toEqual([])
      await client.send('DELETE', `/${scene}`)
    }
  }
  expect(asked).toBe(64)
})
