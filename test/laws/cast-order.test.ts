// A shape cast is the time of impact with each target: hits near to far, ties by target; `closest` is the first of them, `any` the first target that is hit.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ShapeCastResponse } from '../../schemas/queries/shape-cast.ts'
import type { TimeOfImpactResponse } from '../../schemas/queries/time-of-impact.ts'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { BOUNDED_TYPES, GRID, mixedBody, UNIFORM, unrotatedBody, vec2 } from '../support/families/arbitraries.ts'
import { hasAabb, mixedComposite } from '../support/families/composite-arbitraries.ts'
import { runs, unshrunk } from '../support/runs.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client

beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

async function ask<T>(query: string, request: object): Promise<T> {
  const { status, body } = await client.post(query, request)
  expect({ status, body, request }).toMatchObject({ status: 200 })
  return body as T
}

const target = fc.oneof(mixedBody(), unrotatedBody(GRID), mixedComposite())
const requests = fc
  .record({
    body: fc.oneof(unrotatedBody(GRID, BOUNDED_TYPES), mixedBody(BOUNDED_TYPES)),
    translation: vec2(GRID),
    turns: fc.oneof(fc.constant(undefined), UNIFORM.coordinate),
    targets: fc.array(target, { maxLength: 5 }),
    ignoreSeparating: fc.boolean(),
  })
  .map(({ turns, ...request }) =>
    turns === undefined || hasAabb(request.body.shape) ? request : { ...request, rotation: turns },
  )

type Hit = ShapeCastResponse['hits'][number]

it('all, closest, any', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const cast = async (mode: string, targets: Body2d[] = request.targets): Promise<Hit[]> =>
        (await ask<ShapeCastResponse>('shape-cast', { ...request, targets, mode })).hits
      const single = request.targets.map(async (one, index) =>
        (await cast('all', [one])).map((hit) => ({ ...hit, target: index })),
      )
      const byTarget = (await Promise.all(single)).flat()
      const sorted = [...byTarget].sort((p, q) => p.fraction - q.fraction || p.target - q.target)
      expect(await cast('all')).toEqual(sorted)
      expect(await cast('closest')).toEqual(sorted.slice(0, 1))
      expect((await cast('any')).map((hit) => hit.target)).toEqual(byTarget.slice(0, 1).map((hit) => hit.target))
    }),
    unshrunk(200),
  )
})

it('is the time of impact with the target at rest', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async ({ body, translation, targets, ignoreSeparating, ...more }) => {
      const turning = 'rotation' in more ? { angularVelocity: more.rotation } : {}
      for (const one of targets.slice(0, 2)) {
        const request = { body, translation, targets: [one], ignoreSeparating, ...more }
        const { hits } = await ask<ShapeCastResponse>('shape-cast', request)
        const impact = await ask<TimeOfImpactResponse>('time-of-impact', {
          a: one,
          b: { ...body, velocity: translation, ...turning },
          duration: 1,
          ignoreSeparating,
        })
        expect(hits.length).toBe(impact.hit ? 1 : 0)
        const [hit] = hits
        if (hit === undefined) continue
        const length = Math.hypot(translation.x, translation.y)
        expect([hit.fraction, hit.normal, hit.startedInside, hit.status]).toEqual([
          impact.time,
          impact.normal,
          impact.startedOverlapping,
          impact.status,
        ])
        expect(hit.distance).toBeCloseTo(length * hit.fraction, 12)
        expect(hit.exit?.fraction ?? null).toBe(impact.exitTime)
      }
    }),
    runs(200),
  )
})
