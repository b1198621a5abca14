// Hits come near to far, ties by target; `closest` is the first of them, `any` the first target of the list that is hit.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RayCastResponse } from '../../schemas/queries/ray-cast.ts'
import { GRID, mixedBody, unrotatedBody, vec2 } from '../support/families/arbitraries.ts'
import { runs } from '../support/runs.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client

beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

const requests = fc.record({
  ray: fc.record({
    origin: vec2(GRID),
    direction: vec2(GRID).map((d) => (d.x === 0 && d.y === 0 ? { x: 1, y: 0 } : d)),
  }),
  targets: fc.array(fc.oneof(mixedBody(), unrotatedBody(GRID)), { maxLength: 6 }),
  startInside: fc.constantFrom('hit', 'ignore', 'exit'),
})

it('all, closest, any', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const ask = async (mode: string): Promise<RayCastResponse['hits']> => {
        const { status, body } = await client.post('ray-cast', { ...request, mode })
        expect(status).toBe(200)
        return (body as RayCastResponse).hits
      }
      const single = request.targets.map(async (target, index) => {
        const { body } = await client.post('ray-cast', { ...request, targets: [target] })
        return (body as RayCastResponse).hits.map((hit) => ({ ...hit, target: index }))
      })
      const byTarget = (await Promise.all(single)).flat()
      const sorted = [...byTarget].sort((p, q) => p.distance - q.distance || p.target - q.target)
      expect(await ask('all')).toEqual(sorted)
      expect(await ask('closest')).toEqual(sorted.slice(0, 1))
      expect((await ask('any')).map(({ target }) => target)).toEqual(byTarget.slice(0, 1).map(({ target }) => target))
    }),
    runs(400),
  )
})
