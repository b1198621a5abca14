import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TableResponse } from '../../schemas/queries/table.ts'
import type { MovingBody2d } from '../../schemas/shapes2d.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

const discAt = (x: number, y = 0, motion: object = {}): MovingBody2d => ({
  shape: { type: 'circle', radius: 1 },
  position: { x, y },
  ...motion,
})
const pointAt = (x: number): MovingBody2d => ({ shape: { type: 'point' }, position: { x, y: 0 } })
const floor = (offset: number, y = 1): MovingBody2d => ({ shape: { type: 'halfplane', normal: { x: 0, y }, offset } })

async function ask(request: object, by: Client = client): Promise<TableResponse> {
  const { status, body } = await by.post('table', request)
  expect({ status, problem: status === 200 ? null : body }).toEqual({ status: 200, problem: null })
  return body as TableResponse
}

const valuesOf = async (request: object) => (await ask(request)).values

describe('POST /v1/2d/table', () => {
  const a = [discAt(0), discAt(10)]
  const b = [discAt(1), discAt(2), discAt(5)]

  it('has a row for each body of a and a value for each of b', async () => {
    expect(await ask({ a, b, measure: 'overlap' })).toEqual({
      measure: 'overlap',
      values: [
        [true, true, false],
        [false, false, false],
      ],
    })
    const distances = [
      [0, 0, 3],
      [7, 6, 3],
    ]
    expect(await ask({ a, b, measure: 'distance' })).toEqual({ measure: 'distance', values: distances })
    expect(await ask({ a, b, measure: 'separation' })).toEqual({
      measure: 'separation',
      values: [
        [-1, 0, 3],
        [7, 6, 3],
      ],
    })
  })

  it('is the same table whichever list is the longer one', async () => {
    for (const measure of ['overlap', 'distance', 'separation']) {
      const values = await valuesOf({ a, b, measure })
      const turned = await valuesOf({ a: b, b: a, measure })
      expect(turned).toEqual(b.map((_, j) => a.map((_, i) => values[i][j])))
    }
  })

  it('has times of impact, and null without one', async () => {
    const movers = [discAt(0, 0, { velocity: { x: 1, y: 0 } }), discAt(0, 0, { velocity: { x: 0, y: 1 } })]
    const targets = [discAt(4), discAt(0, 5, { velocity: { x: 0, y: -1 } }), discAt(1.5), discAt(99)]
    const request = { a: movers, b: targets, measure: 'time-of-impact', duration: 10 }
    const { measure, values } = await ask(request)
    expect(measure).toBe('time-of-impact')
    expect(values).toEqual([
      [expect.closeTo(2, 12), null, 0, null],
      [null, expect.closeTo(1.5, 12), 0, null],
    ])
  })

  it('lets touching bodies part where that is asked for', async () => {
    const request = { a: [pointAt(0)], b: [{ ...discAt(1), velocity: { x: 1, y: 0 } }], measure: 'time-of-impact' }
    expect(await valuesOf({ ...request, duration: 1 })).toEqual([[0]])
    expect(await valuesOf({ ...request, duration: 1, ignoreSeparating: true })).toEqual([[null]])
    expect(await valuesOf({ ...request, duration: 1, ignoreSeparating: false })).toEqual([[0]])
  })

  it('takes no notice of motion for the other measures', async () => {
    const moving = discAt(0, 0, { velocity: { x: 9, y: 9 }, angularVelocity: 3 })
    expect(await valuesOf({ a: [moving], b: [discAt(5)], measure: 'distance' })).toEqual([[3]])
  })

  it('has null where nothing parts two half-planes', async () => {
    const request = { a: [floor(0)], b: [floor(1), floor(-2, -1), discAt(0, 3)] }
    expect(await valuesOf({ ...request, measure: 'separation' })).toEqual([[null, 2, 2]])
    expect(await valuesOf({ ...request, measure: 'distance' })).toEqual([[0, 2, 2]])
  })

  it.each([
    [[], [discAt(0)], []],
    [[discAt(0), discAt(1)], [], [[], []]],
    [[], [], []],
  ])('takes empty lists', async (rows, columns, values) => {
    for (const measure of ['overlap', 'distance'])
      expect(await valuesOf({ a: rows, b: columns, measure })).toEqual(values)
  })

  it.each<[object, number, string, string]>([
    [{ a, b }, 400, 'schema-violation', '#/measure'],
    [{ a, b, measure: 'area' }, 400, 'schema-violation', '#/measure'],
    [{ a, measure: 'overlap' }, 400, 'schema-violation', '#/b'],
    [{ a, b, measure: 'time-of-impact' }, 400, 'schema-violation', '#/duration'],
    [{ a, b, measure: 'time-of-impact', duration: -1 }, 400, 'schema-violation', '#/duration'],
    [{ a, b, measure: 'time-of-impact', duration: 2e100 }, 422, 'coordinate-out-of-range', '#/duration'],
    [{ a, b, measure: 'distance', duration: 1 }, 400, 'schema-violation', '#/duration'],
    [{ a, b, measure: 'overlap', ignoreSeparating: true }, 400, 'schema-violation', '#/ignoreSeparating'],
    [{ a, b: [...b, discAt(0, 2e100)], measure: 'overlap' }, 422, 'coordinate-out-of-range', '#/b/3/position/y'],
    [
      { a, b: [discAt(0, 0, { velocity: { x: 2e100, y: 0 } })], measure: 'overlap' },
      422,
      'coordinate-out-of-range',
      '#/b/0/velocity/x',
    ],
    [
      { a: [discAt(0), { shape: { type: 'aabb', min: { x: 1, y: 0 }, max: { x: 0, y: 0 } } }], b, measure: 'overlap' },
      422,
      'aabb-inverted',
      '#/a/1/shape/min/x',
    ],
  ])('refuses %j', async (request, status, code, pointer) => {
    const answer = await client.post('table', request)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code, errors: [{ pointer }] })
  })

  describe('limits the work before it is done', () => {
    let small: Client
    beforeAll(async () => {
      small = await startClient({ MAX_CELLS: '6', MAX_BODIES: '8' })
    })
    afterAll(() => small.close())

    const discs = (count: number) => Array.from({ length: count }, (_, i) => discAt(3 * i))

    it('takes as many cells as there may be', async () => {
      expect((await ask({ a: discs(2), b: discs(3), measure: 'distance' }, small)).values).toHaveLength(2)
      expect((await ask({ a: discs(6), b: discs(1), measure: 'distance' }, small)).values).toHaveLength(6)
    })

    it('but no more', async () => {
      const { status, body } = await small.post('table', { a: discs(7), b: discs(1), measure: 'distance' })
      expect(status).toBe(413)
      expect(body).toMatchObject({
        code: 'too-many-cells',
        detail: 'A table may have at most 6 cells, got 7 × 1.',
        limit: 6,
        actual: 7,
        errors: [{ pointer: '#/a' }, { pointer: '#/b' }],
      })
    })

    it('nor more bodies than there may be', async () => {
      const { status, body } = await small.post('table', { a: discs(9), b: [], measure: 'distance' })
      expect(status).toBe(413)
      expect(body).toMatchObject({ code: 'too-many-bodies', limit: 8, actual: 9, errors: [{ pointer: '#/a' }] })
    })

    const gon = (count: number, type: string): MovingBody2d => {
      const ring = Array.from({ length: count }, (_, i) => ({
        x: Math.cos((2 * Math.PI * i) / count),
        y: Math.sin((2 * Math.PI * i) / count),
      }))
      const shape = type === 'region' ? { type, outer: ring } : { type, vertices: ring }
      return { shape } as unknown as MovingBody2d
    }

    it.each<[string, MovingBody2d, object, number]>([
      ['many corners', gon(500, 'polygon'), { measure: 'distance' }, 8],
      ['concave bodies', gon(20, 'region'), { measure: 'overlap' }, 10],
      ['depths of concave bodies', gon(20, 'region'), { measure: 'separation' }, 110],
      ['moving bodies', gon(200, 'polygon'), { measure: 'time-of-impact', duration: 1 }, 13],
      ['turning bodies', { ...gon(40, 'polygon'), angularVelocity: 1 }, { measure: 'time-of-impact', duration: 1 }, 20],
    ])('counts cells of %s as several', async (_, body, options, actual) => {
      const answer = await small.post('table', { a: [body], b: [body], ...options })
      expect(answer.status).toBe(413)
      expect(answer.body).toMatchObject({ code: 'too-many-cells', limit: 6, actual })
      expect((answer.body as { detail: string }).detail).toContain('got 1 × 1, which count as')
    })
  })

  it('fills a large table', async () => {
    const row = (count: number, y: number) => Array.from({ length: count }, (_, i) => discAt(i, y))
    const values = (await valuesOf({ a: row(300, 0), b: row(400, 3), measure: 'distance' })) as number[][]
    expect([values.length, values[299].length]).toEqual([300, 400])
    expect(values[10][14]).toBe(3)
    expect(values[0][0]).toBe(1)
  })

  it('gives others their turn', async () => {
    const many = (count: number, y: number) => Array.from({ length: count }, (_, i) => discAt(i, y))
    let turns = 0
    let filling = true
    const count = (): void => {
      turns++
      if (filling) setImmediate(count)
    }
    setImmediate(count)
    await ask({ a: many(500, 0), b: many(500, 0.5), measure: 'separation' })
    filling = false
    expect(turns).toBeGreaterThan(5)
  })
})
