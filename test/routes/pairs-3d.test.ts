import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Pairs3dResponse } from '../../schemas/queries/pairs.ts'
import type { Body3d } from '../../schemas/shapes3d.ts'
import { nextAfter } from '../support/families/next-after.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient({ MAX_BODIES: '1000', MAX_PAIRS: '3000' }, '3d')
})
afterAll(() => client.close())

const METHODS = ['sweep-and-prune', 'spatial-hash', 'dynamic-tree', 'brute-force'] as const

const cubeAt = (x: number, y = 0, z = 0): Body3d => ({
  shape: { type: 'box', size: { x: 2, y: 2, z: 2 } },
  position: { x, y, z },
})
const ballAt = (x: number, y = 0, z = 0): Body3d => ({ shape: { type: 'sphere', radius: 1 }, position: { x, y, z } })

async function ask(request: object): Promise<Pairs3dResponse> {
  const { status, body } = await client.post('pairs', request)
  expect({ status, problem: status === 200 ? null : body }).toEqual({ status: 200, problem: null })
  return body as Pairs3dResponse
}

describe('POST /v1/3d/pairs', () => {
  it('gives the pairs that meet, sorted, and how they were found', async () => {
    expect(await ask({ bodies: [ballAt(9), ballAt(0), cubeAt(2), cubeAt(2, 2, 2), cubeAt(7.5)] })).toEqual({
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
    const bodies = [ballAt(0), cubeAt(1.9, 1.9, 1.9), cubeAt(9)]
    expect((await ask({ bodies })).pairs).toEqual([])
    expect(await ask({ bodies, phase: 'broad' })).toMatchObject({ pairs: [[0, 1]], stats: { narrowTests: 0 } })
    expect((await ask({ bodies, phase: 'narrow' })).stats.narrowTests).toBe(1)
  })

  it.each(METHODS)('uses the method that is asked for: %s', async (method) => {
    const bodies = Array.from({ length: 125 }, (_, i) =>
      cubeAt(2 * (i % 5), 2 * (Math.floor(i / 5) % 5), 2 * Math.floor(i / 25)),
    )
    const { pairs, stats } = await ask({ bodies, method, cellSize: 3 })
    // a grid of touching cubes: (13³ − 125) / 2
    expect(pairs.length).toBe(1036)
    expect(stats).toMatchObject({ method, reason: 'asked for', narrowTests: 1036 })
    expect(stats.boxTests).toBeGreaterThanOrEqual(1036)
  })

  it('counts touching, and not one unit in the last place apart', async () => {
    for (const phase of ['broad', 'narrow']) {
      const meets = async (x: number) => (await ask({ bodies: [cubeAt(0), cubeAt(x)], phase })).pairs.length === 1
      expect(await meets(2)).toBe(true)
      expect(await meets(nextAfter(2, 1))).toBe(false)
    }
  })

  it('takes half-spaces to be without bounds, but for a side along an axis', async () => {
    const floor = { shape: { type: 'halfspace', normal: { x: 0, y: 0, z: 5 }, offset: 1 } }
    const slope = { shape: { type: 'halfspace', normal: { x: 1, y: 0, z: 1 }, offset: 0 } }
    const bodies = [floor, slope, ballAt(0, 0, 2), ballAt(0, 0, 2.5), ballAt(-50, 9, 40)]
    expect((await ask({ bodies })).pairs).toEqual([
      [0, 1],
      [0, 2],
      [1, 4],
      [2, 3],
    ])
    expect((await ask({ bodies, phase: 'broad' })).pairs).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
      [1, 3],
      [1, 4],
      [2, 3],
    ])
  })

  it('looks at the first pairs only where there are too many', async () => {
    const bodies = new Array(100).fill(ballAt(0))
    const { pairs, truncated } = await ask({ bodies })
    expect({ truncated, count: pairs.length, last: pairs.at(-1) }).toEqual({
      truncated: true,
      count: 3000,
      last: [37, 40],
    })
  })

  it.each([
    [{ bodies: new Array(1001).fill(ballAt(0)) }, 'too-many-bodies', '#/bodies'],
    [{ bodies: [ballAt(0), cubeAt(2e100)] }, 'coordinate-out-of-range', '#/bodies/1/position/x'],
    [{ bodies: [], cellSize: 0 }, 'schema-violation', '#/cellSize'],
  ])('refuses what is too much or wrong: %#', async (request, code, pointer) => {
    const { body } = await client.post('pairs', request)
    expect(body).toMatchObject({ code })
    expect((body as { errors: { pointer: string }[] }).errors[0].pointer).toBe(pointer)
  })
})
