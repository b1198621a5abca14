import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_CHANGES, type RepairResponse } from '../../schemas/queries/repair.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient({ MAX_VERTICES: '5000' })
})
afterAll(() => client.close())

const ring = (...numbers: number[]): Vec2[] =>
  Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i]!, y: numbers[2 * i + 1]! }))

async function repair(rule: string, ...rings: Vec2[][]): Promise<RepairResponse> {
  const { status, body } = await client.post('repair', { rings, rule })
  expect({ status, problem: status === 200 ? null : body }).toEqual({ status: 200, problem: null })
  return body as RepairResponse
}

/** Kinds of changes, and the pointers of each. */
const done = ({ changes }: RepairResponse) => changes.map(({ kind, pointers }) => [kind, ...pointers].join(' '))

const square = ring(0, 0, 4, 0, 4, 4, 0, 4)
const inside = ring(1, 1, 1, 3, 3, 3, 3, 1)

describe('POST /v1/2d/repair', () => {
  it('leaves simple rings as they are, and says so by listing no change', async () => {
    expect(await repair('nonzero', square, inside)).toEqual({
      regions: [{ outer: square, holes: [inside] }],
      changes: [],
      truncated: false,
    })
  })

  it('cuts a bow-tie in two', async () => {
    const answer = await repair('evenodd', ring(0, 0, 2, 2, 2, 0, 0, 2))
    expect(answer.regions).toEqual([
      { outer: ring(0, 0, 1, 1, 0, 2), holes: [] },
      { outer: ring(1, 1, 2, 0, 2, 2), holes: [] },
    ])
    expect(answer.changes).toMatchObject([
      { kind: 'crossing', pointers: ['#/rings/0/0', '#/rings/0/2'], points: [{ x: 1, y: 1 }] },
    ])
  })

  it('tells each thing that it does with its place', async () => {
    const turned = [...square].reverse()
    expect(done(await repair('nonzero', turned))).toEqual(['turned #/rings/0'])
    expect(done(await repair('evenodd', square, [...inside].reverse()))).toEqual(['turned #/rings/1'])
    expect(done(await repair('nonzero', square, [...inside].reverse()))).toEqual(['no-effect #/rings/1'])
    expect(done(await repair('nonzero', ring(0, 0, 4, 0), square))).toEqual(['no-area #/rings/0'])
    expect(done(await repair('nonzero', ring(7, 7)))).toEqual(['no-area #/rings/0'])
    expect(done(await repair('nonzero', ring(0, 0, 4, 0, 4, 0, 4, 4, 0, 4, 0, 0)))).toEqual([
      'repeated #/rings/0/2',
      'repeated #/rings/0/5',
    ])
    expect(done(await repair('nonzero', ring(0, 0, 4, 0, 9, 0, 4, 0, 4, 4, 0, 4)))).toContain('spike #/rings/0/2')
    const overlapping = await repair('nonzero', square, ring(4, 1, 8, 1, 8, 3, 4, 3))
    expect(overlapping.changes).toMatchObject([
      { kind: 'overlap', pointers: ['#/rings/0/1', '#/rings/1/3'], points: ring(4, 1, 4, 3) },
    ])
    const eight = await repair('nonzero', ring(0, 0, 2, 2, 4, 0, 4, 4, 2, 2, 0, 4))
    expect([done(eight), eight.regions.length]).toEqual([['divided #/rings/0'], 2])
  })

  it('gives regions that every query takes', async () => {
    const star = Array.from({ length: 7 }, (_, k) => ({
      x: Math.cos((6 * Math.PI * k) / 7),
      y: Math.sin((6 * Math.PI * k) / 7),
    }))
    for (const rule of ['nonzero', 'evenodd']) {
      const { regions } = await repair(rule, star, ring(-0.1, -0.1, 0.1, -0.1, 0.1, 0.1))
      for (const region of regions) {
        const { body } = await client.post('validate', { shape: { type: 'region', ...region } })
        expect(body).toMatchObject({ valid: true })
      }
    }
  })

  it('lists so many changes of each kind, and says that there are more', async () => {
    const teeth = Array.from({ length: 60 }, (_, k) => ring(k, -1, k + 0.5, -1, k + 0.5, 60, k, 60))
    const across = Array.from({ length: 60 }, (_, k) => ring(-1, k, 60, k, 60, k + 0.5, -1, k + 0.5))
    const answer = await repair('nonzero', ...teeth, ...across)
    expect([answer.changes.length, answer.truncated, answer.regions.length]).toEqual([MAX_CHANGES, true, 1])
    expect(answer.regions[0]!.holes).toHaveLength(59 * 59)
  })

  it('refuses what is too large, and rings without a vertex', async () => {
    const many = await client.post('repair', { rings: [new Array(5001).fill({ x: 0, y: 0 })], rule: 'nonzero' })
    expect(many).toMatchObject({ status: 413, body: { code: 'too-many-vertices', limit: 5000, actual: 5001 } })
    const far = await client.post('repair', { rings: [square, ring(0, 1e101)], rule: 'nonzero' })
    expect(far).toMatchObject({
      status: 422,
      body: { code: 'coordinate-out-of-range', errors: [{ pointer: '#/rings/1/0/y' }] },
    })
    expect((await client.post('repair', { rings: [[]], rule: 'nonzero' })).status).toBe(400)
    expect((await client.post('repair', { rings: [square] })).status).toBe(400)
  })

  it('is answered in a batch', async () => {
    const asked = { rings: [square, ring(2, 2, 6, 2, 6, 6, 2, 6)], rule: 'evenodd' }
    const { body } = await client.post('batch', { queries: [{ op: 'repair', ...asked }] })
    expect(body).toMatchObject({ results: [{ op: 'repair', regions: { length: 2 } }] })
  })
})
