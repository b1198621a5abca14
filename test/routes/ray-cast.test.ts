import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProblemDetails } from '../../schemas/problem.ts'
import type { RayCastResponse } from '../../schemas/queries/ray-cast.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

const ray = { origin: { x: 0, y: 0 }, direction: { x: 2, y: 0 } }
const wallAt = (x: number) => ({ shape: { type: 'box', width: 2, height: 2 }, position: { x, y: 0 } })

async function cast(request: object): Promise<RayCastResponse> {
  const { status, body } = await client.post('ray-cast', { ray, ...request })
  expect(status).toBe(200)
  return body as RayCastResponse
}

const targetsOf = ({ hits }: RayCastResponse) => hits.map(({ target }) => target)

describe('POST /v1/2d/ray-cast', () => {
  it('gives the nearest hit in full', async () => {
    expect(await cast({ targets: [wallAt(9), wallAt(5)] })).toEqual({
      hits: [
        {
          target: 1,
          distance: 4,
          fraction: 2,
          point: { x: 4, y: 0 },
          normal: { x: -1, y: 0 },
          feature: { kind: 'edge', index: 3 },
          startedInside: false,
          exit: { distance: 6, point: { x: 6, y: 0 }, normal: { x: 1, y: 0 } },
        },
      ],
    })
  })

  it('gives all hits from near to far, ties by target index', async () => {
    const targets = [wallAt(9), wallAt(5), wallAt(-5), wallAt(9), wallAt(5)]
    expect(targetsOf(await cast({ targets, mode: 'all' }))).toEqual([1, 4, 0, 3])
  })

  it('gives the first target of the list for any', async () => {
    expect(targetsOf(await cast({ targets: [wallAt(-5), wallAt(9), wallAt(5)], mode: 'any' }))).toEqual([1])
  })

  it('gives the earlier target of a tie for closest', async () => {
    expect(targetsOf(await cast({ targets: [wallAt(5), wallAt(5)] }))).toEqual([0])
  })

  it('gives no hits for no targets, for a miss and beyond maxDistance', async () => {
    expect(await cast({ targets: [] })).toEqual({ hits: [] })
    expect(await cast({ targets: [wallAt(-5)], mode: 'all' })).toEqual({ hits: [] })
    expect(await cast({ ray: { ...ray, maxDistance: 3.5 }, targets: [wallAt(5)] })).toEqual({ hits: [] })
  })

  it('gives no exit beyond maxDistance', async () => {
    const { hits } = await cast({ ray: { ...ray, maxDistance: 5 }, targets: [wallAt(5)] })
    expect(hits[0]).toMatchObject({ distance: 4, exit: null })
  })

  it.each([
    ['hit', [{ distance: 0, normal: null, feature: null, startedInside: true }]],
    ['exit', [{ distance: 1, normal: { x: 1, y: 0 }, feature: { kind: 'edge', index: 1 }, startedInside: true }]],
    ['ignore', []],
  ])('counts a target around the origin as startInside says: %s', async (startInside, expected) => {
    const { hits } = await cast({ targets: [wallAt(0)], startInside })
    expect(hits).toMatchObject(expected)
  })

  it.each(['any', 'closest', 'all'])('checks every target, also behind the answer: %s', async (mode) => {
    const reflex = [
      { x: 0, y: 0 },
      { x: 4, y: 0 },
      { x: 1, y: 1 },
      { x: 0, y: 4 },
    ]
    const broken = { shape: { type: 'polygon', vertices: reflex } }
    const { status, body } = await client.post('ray-cast', { ray, targets: [wallAt(5), broken], mode })
    expect(status).toBe(422)
    expect(body).toMatchObject({
      code: 'polygon-not-convex',
      errors: [{ pointer: '#/targets/1/shape/vertices/2' }],
    })
  })

  it('refuses a direction of no length', async () => {
    const direction = { x: 0, y: 0 }
    const { status, body } = await client.post('ray-cast', { ray: { ...ray, direction }, targets: [] })
    expect(status).toBe(422)
    expect((body as ProblemDetails).code).toBe('ray-direction-zero')
    expect((body as ProblemDetails).errors?.[0].pointer).toBe('#/ray/direction')
  })

  it('takes no more targets than MAX_TARGETS', async () => {
    const small = await startClient({ MAX_TARGETS: '2' })
    const { status, body } = await small.post('ray-cast', { ray, targets: [wallAt(1), wallAt(2), wallAt(3)] })
    expect(status).toBe(413)
    expect(body).toMatchObject({ code: 'too-many-targets', limit: 2, actual: 3, errors: [{ pointer: '#/targets' }] })
    await small.close()
  })
})
