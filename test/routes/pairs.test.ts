import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PairsResponse } from '../../schemas/queries/pairs.ts'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { nextAfter } from '../support/families/next-after.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

const METHODS = ['sweep-and-prune', 'spatial-hash', 'dynamic-tree', 'brute-force'] as const

const boxAt = (x: number, y = 0, size = 2): Body2d => ({
  shape: { type: 'box', width: size, height: size },
  position: { x, y },
})
const discAt = (x: number, y = 0): Body2d => ({ shape: { type: 'circle', radius: 1 }, position: { x, y } })
const floor = (offset: number): Body2d => ({ shape: { type: 'halfplane', normal: { x: 0, y: 2 }, offset } })

async function ask(request: object, by: Client = client): Promise<PairsResponse> {
  const { status, body } = await by.post('pairs', request)
  expect({ status, problem: status === 200 ? null : body }).toEqual({ status: 200, problem: null })
  return body as PairsResponse
}

describe('POST /v1/2d/pairs', () => {
  it('gives the pairs that meet, sorted, and how they were found', async () => {
    expect(await ask({ bodies: [discAt(9), discAt(0), boxAt(2), boxAt(2, 2), boxAt(7.5)] })).toEqual({
      pairs: [
        [0, 4],
        [1, 2],
        [2, 3],
      ],
      stats: { method: 'brute-force', reason: 'at most 48 boxes', boxTests: 10, narrowTests: 4 },
      truncated: false,
    })
  })

  it('gives those whose boxes meet in the broad phase', async () => {
    const bodies = [discAt(0), boxAt(1.9, 1.9), boxAt(9)]
    expect((await ask({ bodies })).pairs).toEqual([])
    expect(await ask({ bodies, phase: 'broad' })).toMatchObject({ pairs: [[0, 1]], stats: { narrowTests: 0 } })
    expect((await ask({ bodies, phase: 'narrow' })).stats.narrowTests).toBe(1)
  })

  it.each(METHODS)('uses the method that is asked for: %s', async (method) => {
    const bodies = Array.from({ length: 100 }, (_, i) => boxAt(2 * (i % 10), 2 * Math.floor(i / 10)))
    const expected = await ask({ bodies })
    expect(expected.stats.method).toBe('sweep-and-prune')
    // a grid of touching squares: 4 neighbours and 4 diagonal ones each, but for the rim
    expect(expected.pairs.length).toBe(342)
    const { pairs, stats } = await ask({ bodies, method, cellSize: 3 })
    expect(pairs).toEqual(expected.pairs)
    expect(stats).toMatchObject({ method, reason: 'asked for', narrowTests: 342 })
    expect(stats.boxTests).toBeGreaterThanOrEqual(342)
  })

  it.each(['broad', 'narrow'])('counts touching, and not one unit in the last place apart: %s', async (phase) => {
    // 0.1 + 0.2 lies between two doubles
    const low: Body2d = {
      shape: { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 0.2, y: 1 } },
      position: { x: 0.1, y: 0 },
    }
    const at = (x: number): Body2d => ({ shape: { type: 'aabb', min: { x, y: 0 }, max: { x: 1, y: 1 } } })
    const just = 0.1 + 0.2
    expect(just).toBeGreaterThan(0.3)
    for (const method of METHODS) {
      const meets = async (bodies: Body2d[]) => (await ask({ bodies, phase, method })).pairs.length === 1
      expect(await meets([low, at(nextAfter(just, -1))])).toBe(true)
      expect(await meets([low, at(just)])).toBe(false)
      expect(await meets([boxAt(0), boxAt(2)])).toBe(true)
      expect(await meets([boxAt(0), boxAt(nextAfter(2, 1))])).toBe(false)
      expect(await meets([floor(1), boxAt(0, 2)])).toBe(true)
      expect(await meets([floor(1), boxAt(0, nextAfter(2, 1))])).toBe(false)
    }
  })

  it('takes half-planes to be without bounds, but for an axis-aligned side', async () => {
    const tilted: Body2d = { shape: { type: 'halfplane', normal: { x: 1, y: 1 }, offset: -100 } }
    const bodies = [tilted, floor(-5), boxAt(0), boxAt(0, -500)]
    expect((await ask({ bodies, phase: 'broad' })).pairs).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 3],
    ])
    expect((await ask({ bodies })).pairs).toEqual([
      [0, 1],
      [0, 3],
      [1, 3],
    ])
  })

  it('takes chains, regions and compounds', async () => {
    const ring = (half: number) => [
      { x: -half, y: -half },
      { x: half, y: -half },
      { x: half, y: half },
      { x: -half, y: half },
    ]
    const frame: Body2d = { shape: { type: 'region', outer: ring(5), holes: [ring(4)] } }
    const twins: Body2d = {
      shape: { type: 'compound', children: [discAt(-20), discAt(20)] },
      position: { x: 0.1, y: 0 },
    }
    const bodies = [frame, boxAt(0), boxAt(4), twins, boxAt(20.2)]
    expect((await ask({ bodies })).pairs).toEqual([
      [0, 2],
      [3, 4],
    ])
    expect((await ask({ bodies, phase: 'broad' })).pairs.length).toBe(6)
  })

  it.each([0, 1])('takes %i bodies', async (count) => {
    for (const method of ['auto', ...METHODS]) {
      const { pairs, truncated } = await ask({ bodies: Array.from({ length: count }, () => boxAt(0)), method })
      expect({ pairs, truncated }).toEqual({ pairs: [], truncated: false })
    }
  })

  it('looks at the first pairs only where there are too many, and says so', async () => {
    const small = await startClient({ MAX_PAIRS: '12' })
    const bodies = Array.from({ length: 10 }, (_, i) => (i === 2 ? discAt(1.9, 1.9) : boxAt(0)))
    for (const method of ['auto', ...METHODS]) {
      const { pairs, truncated, stats } = await ask({ bodies, method }, small)
      // 0 with all nine others and 1 with three of eight, of which 2 only comes near
      expect(pairs).toEqual([...[1, 3, 4, 5, 6, 7, 8, 9].map((j) => [0, j]), [1, 3], [1, 4]])
      expect({ truncated, narrowTests: stats.narrowTests }).toEqual({ truncated: true, narrowTests: 12 })
      expect(stats.reason).toContain('more than 12 pairs')
    }
    expect((await ask({ bodies: bodies.slice(0, 4) }, small)).truncated).toBe(false)
    await small.close()
  })

  it('bounds the work of bodies with many points', async () => {
    const small = await startClient({ MAX_PAIRS: '200' })
    const points = Array.from({ length: 1000 }, (_, i) => ({
      x: Math.cos((2 * Math.PI * i) / 1000),
      y: Math.sin((2 * Math.PI * i) / 1000),
    }))
    const bodies = Array.from({ length: 10 }, () => ({ shape: { type: 'polygon', vertices: points } }))
    const { pairs, truncated, stats } = await ask({ bodies }, small)
    expect(truncated).toBe(true)
    expect(stats.narrowTests).toBe(12)
    expect(pairs.length).toBe(12)
    await small.close()
  })

  it('finds the pairs of more bodies than it holds at a time', async () => {
    const count = 40_000
    const bodies = Array.from({ length: count }, (_, i) => discAt(2 * (i % (count / 2)), i < count / 2 ? 0 : 1.5))
    const { pairs } = await ask({ bodies })
    const expected: number[][] = []
    for (let i = 0; i < count; i++) {
      // along the row, and across; rows are so near that neighbours across the diagonal do not meet
      if ((i + 1) % (count / 2) !== 0) expected.push([i, i + 1])
      if (i < count / 2) expected.push([i, i + count / 2])
    }
    expect(pairs).toEqual(expected)
  })

  it('points to the body that is wrong', async () => {
    const broken = { shape: { type: 'aabb', min: { x: 1, y: 0 }, max: { x: 0, y: 0 } } }
    const { status, body } = await client.post('pairs', { bodies: [boxAt(0), broken] })
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'aabb-inverted', errors: [{ pointer: '#/bodies/1/shape/min/x' }] })
  })

  it.each([
    [{ bodies: [], method: 'quadtree' }, '#/method'],
    [{ bodies: [], cellSize: 0 }, '#/cellSize'],
    [{ bodies: [], phase: 'both' }, '#/phase'],
    [{ bodies: {} }, '#/bodies'],
    [{}, '#/bodies'],
  ])('refuses %j', async (request, pointer) => {
    const { status, body } = await client.post('pairs', request)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'schema-violation', errors: [{ pointer }] })
  })

  it('takes no more bodies than MAX_BODIES', async () => {
    const small = await startClient({ MAX_BODIES: '2' })
    const { status, body } = await small.post('pairs', { bodies: [boxAt(1), boxAt(2), boxAt(3)] })
    expect(status).toBe(413)
    expect(body).toMatchObject({ code: 'too-many-bodies', limit: 2, actual: 3, errors: [{ pointer: '#/bodies' }] })
    await small.close()
  })
})
