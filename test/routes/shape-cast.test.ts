import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ShapeCastResponse } from '../../schemas/queries/shape-cast.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

const body = { shape: { type: 'circle', radius: 0.5 } }
const translation = { x: 8, y: 0 }
const wallAt = (x: number) => ({ shape: { type: 'box', width: 2, height: 2 }, position: { x, y: 0 } })

async function cast(request: object): Promise<ShapeCastResponse> {
  const { status, body: answer } = await client.post('shape-cast', { body, translation, ...request })
  expect(status).toBe(200)
  return answer as ShapeCastResponse
}

const targetsOf = ({ hits }: ShapeCastResponse) => hits.map(({ target }) => target)

describe('POST /v1/2d/shape-cast', () => {
  it('gives the nearest hit in full', async () => {
    expect(await cast({ targets: [wallAt(6), wallAt(3.5)] })).toEqual({
      hits: [
        {
          target: 1,
          distance: 2,
          fraction: 0.25,
          point: { x: 2.5, y: 0 },
          normal: { x: -1, y: 0 },
          feature: { kind: 'edge', index: 3 },
          startedInside: false,
          exit: { distance: 5, fraction: 0.625 },
          status: 'converged',
        },
      ],
    })
  })

  it('gives all hits from near to far, ties by target index', async () => {
    const targets = [wallAt(6), wallAt(3.5), wallAt(-5), wallAt(6), wallAt(3.5)]
    expect(targetsOf(await cast({ targets, mode: 'all' }))).toEqual([1, 4, 0, 3])
  })

  it('gives the first target of the list for any, the earlier one of a tie for closest', async () => {
    expect(targetsOf(await cast({ targets: [wallAt(-5), wallAt(6), wallAt(3.5)], mode: 'any' }))).toEqual([1])
    expect(targetsOf(await cast({ targets: [wallAt(6), wallAt(6)] }))).toEqual([0])
  })

  it('gives no hits for no targets and for a miss, and no exit after the motion', async () => {
    expect(await cast({ targets: [] })).toEqual({ hits: [] })
    expect(await cast({ targets: [wallAt(-5)], mode: 'all' })).toEqual({ hits: [] })
    expect((await cast({ targets: [wallAt(8)] })).hits[0]).toMatchObject({ fraction: 0.8125, exit: null })
  })

  it('hits at the start what the body meets before it moves', async () => {
    const { hits } = await cast({ targets: [wallAt(-1.25)], translation: { x: 1, y: 0 } })
    expect(hits).toMatchObject([
      { distance: 0, fraction: 0, normal: { x: 1, y: 0 }, point: { x: -0.375, y: 0 }, startedInside: true },
    ])
    expect(hits[0].exit).toEqual({ distance: 0.25, fraction: 0.25 })
  })

  it('ignores a touched target that it leaves, when asked to', async () => {
    const request = { targets: [wallAt(-1.5)] }
    expect(targetsOf(await cast(request))).toEqual([0])
    expect(targetsOf(await cast({ ...request, ignoreSeparating: true }))).toEqual([])
  })

  it('asks what the body meets where it stands, without a translation', async () => {
    const targets = [wallAt(0), wallAt(5)]
    const { hits } = await cast({ targets, translation: { x: 0, y: 0 }, mode: 'all' })
    expect(hits).toMatchObject([{ target: 0, distance: 0, fraction: 0, exit: null }])
  })

  it('turns the body on its way', async () => {
    const bar = { shape: { type: 'segment', a: { x: 0, y: 0 }, b: { x: 2, y: 0 } } }
    const pin = { shape: { type: 'point' }, position: { x: 0, y: 1 } }
    const request = { body: bar, translation: { x: 0, y: 0 }, targets: [pin] }
    expect(targetsOf(await cast(request))).toEqual([])
    const { hits } = await cast({ ...request, rotation: Math.PI })
    expect(hits).toMatchObject([{ target: 0, distance: 0 }])
    expect(hits[0].fraction).toBeCloseTo(0.5, 12)
  })

  it('names the child of a compound that was hit', async () => {
    const nested = { shape: { type: 'compound', children: [wallAt(9), wallAt(3.5)] } }
    const target = { shape: { type: 'compound', children: [nested] } }
    const { hits } = await cast({ targets: [target] })
    expect(hits[0]).toMatchObject({ fraction: 0.25, feature: { kind: 'edge', index: 3, path: [0, 1] } })
  })

  it.each([
    [{ translation: { x: 2e100, y: 0 } }, '#/translation/x'],
    [{ rotation: -2e100 }, '#/rotation'],
    [{ body: { ...body, position: { x: 0, y: 2e100 } } }, '#/body/position/y'],
    [{ targets: [wallAt(0), { ...body, rotation: 2e100 }] }, '#/targets/1/rotation'],
  ])('refuses %j', async (part, pointer) => {
    const { status, body: problem } = await client.post('shape-cast', { body, translation, targets: [], ...part })
    expect(status).toBe(422)
    expect(problem).toMatchObject({ code: 'coordinate-out-of-range', errors: [{ pointer }] })
  })

  it('takes no more targets than MAX_TARGETS', async () => {
    const small = await startClient({ MAX_TARGETS: '1' })
    const { status, body: problem } = await small.post('shape-cast', { body, translation, targets: [body, body] })
    expect(status).toBe(413)
    expect(problem).toMatchObject({ code: 'too-many-targets', limit: 1, actual: 2, errors: [{ pointer: '#/targets' }] })
    await small.close()
  })
})
