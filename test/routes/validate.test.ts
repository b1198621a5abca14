import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ValidateResponse } from '../../schemas/queries/validate.ts'
import type { Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

const points = (...numbers: number[]): Vec2[] =>
  Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] }))

async function validate(shape: object, by: Client = client): Promise<ValidateResponse> {
  const { status, body } = await by.post('validate', { shape })
  expect({ status, problem: status === 200 ? null : body }).toEqual({ status: 200, problem: null })
  return body as ValidateResponse
}

/** Kind, pointers without `#/shape`, and outcome. */
async function brief(shape: object): Promise<string[]> {
  const { valid, findings, truncated } = await validate(shape)
  expect(valid).toBe(findings.every(({ outcome }) => outcome === 'accepted'))
  expect(truncated).toBe(false)
  return findings.map(({ kind, outcome, pointers }) => {
    const places = pointers.map((pointer) => pointer.slice('#/shape'.length)).join(' ')
    return `${kind} ${places} ${outcome}`
  })
}

const square = points(0, 0, 4, 0, 4, 4, 0, 4)

describe('POST /v1/2d/validate', () => {
  it.each<[string, Shape2d]>([
    ['a point', { type: 'point' }],
    ['a circle', { type: 'circle', radius: 1 }],
    ['a segment', { type: 'segment', a: { x: 0, y: 0 }, b: { x: 1, y: 0 } }],
    ['a capsule', { type: 'capsule', a: { x: 0, y: 0 }, b: { x: 1, y: 0 }, radius: 1 }],
    ['a box', { type: 'box', width: 1, height: 2 }],
    ['an aabb', { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 1, y: 1 } }],
    ['an ellipse', { type: 'ellipse', rx: 1, ry: 2 }],
    ['a half-plane', { type: 'halfplane', normal: { x: 0.6, y: 0.8 }, offset: 3 }],
    ['a polygon', { type: 'polygon', vertices: square, radius: 0 }],
    ['a chain that crosses itself', { type: 'chain', vertices: points(0, 0, 2, 2, 2, 0, 0, 2) }],
    ['a concave region', { type: 'region', outer: points(0, 0, 4, 0, 1, 1, 0, 4) }],
    ['a region with a hole', { type: 'region', outer: square, holes: [points(1, 1, 1, 2, 2, 1)] }],
    ['a compound', { type: 'compound', children: [{ shape: { type: 'circle', radius: 1 }, rotation: 1 }] }],
  ])('finds nothing about %s', async (_, shape) => {
    expect(await validate(shape)).toEqual({ valid: true, findings: [], truncated: false })
  })

  it('names both edges and the point of every crossing', async () => {
    const star = points(0, 10, 6, -8, -10, 3, 10, 3, -6, -8)
    const { valid, findings } = await validate({ type: 'region', outer: star })
    expect(valid).toBe(false)
    expect(findings.map(({ edges }) => edges)).toEqual([
      [0, 2],
      [0, 3],
      [1, 3],
      [1, 4],
      [2, 4],
    ])
    expect(findings[1]).toMatchObject({
      kind: 'self-intersection',
      outcome: 'refused',
      code: 'region-self-intersecting',
      action: 'Refused as region-self-intersecting.',
      pointers: ['#/shape/outer/0', '#/shape/outer/3'],
    })
    const [{ points: places, detail }] = findings
    expect(places).toEqual([{ x: 7 / 3, y: 3 }])
    expect(detail).toBe('Edge 0 (from vertex 0 to 1) and edge 2 (from vertex 2 to 3) cross at (2.33333333333, 3).')
  })

  it('says how it takes vertices that it accepts', async () => {
    const vertices = points(0, 0, 0, 4, 0, 4, 2, 4, 4, 4, 4, 0, 0, 0)
    const { valid, findings } = await validate({ type: 'polygon', vertices })
    expect(valid).toBe(true)
    const said = findings.map(({ kind, pointers, points: places, action }) => [kind, ...pointers, ...places, action])
    expect(said).toEqual([
      [
        'winding',
        '#/shape/vertices',
        { x: 0, y: 0 },
        'Taken as the same outline counter-clockwise; vertices and edges keep their numbers.',
      ],
      ['repeated', '#/shape/vertices/2', { x: 0, y: 4 }, 'The vertex is left out: answers name vertex 1 instead.'],
      [
        'collinear',
        '#/shape/vertices/3',
        { x: 2, y: 4 },
        'The vertex is left out: the edges on both sides of it are one.',
      ],
      ['repeated', '#/shape/vertices/6', { x: 0, y: 0 }, 'The vertex is left out: answers name vertex 0 instead.'],
    ])
  })

  it.each<[string, object, string[]]>([
    [
      'every reflex vertex of a polygon',
      { type: 'polygon', vertices: points(0, 0, 2, 1, 4, 0, 3, 2, 4, 4, 0, 4) },
      ['reflex /vertices/1 refused', 'reflex /vertices/3 refused'],
    ],
    [
      'a polygon that winds twice',
      { type: 'polygon', vertices: points(0, 10, 6, -8, -10, 3, 10, 3, -6, -8) },
      [
        'self-intersection /vertices/0 /vertices/2 refused',
        'self-intersection /vertices/0 /vertices/3 refused',
        'self-intersection /vertices/1 /vertices/3 refused',
        'self-intersection /vertices/1 /vertices/4 refused',
        'self-intersection /vertices/2 /vertices/4 refused',
      ],
    ],
    ['a polygon on a line', { type: 'polygon', vertices: points(0, 0, 2, 2, 1, 1) }, ['degenerate /vertices accepted']],
    [
      'a spike',
      { type: 'region', outer: points(0, 0, 4, 0, 4, 4, 5, 9, 4, 4, 0, 4) },
      ['spike /outer/3 /outer/2 refused'],
    ],
    [
      'edges along each other',
      { type: 'region', outer: points(0, 0, 4, 0, 4, 4, 3, 4, 3, 0, 1, 0, 1, 4, 0, 4) },
      ['edges-overlap /outer/0 /outer/4 refused'],
    ],
    [
      'a region that crosses itself at a vertex',
      { type: 'region', outer: points(0, 0, 2, 2, 4, 4, 4, 0, 2, 2, 0, 4) },
      ['self-intersection /outer/0 /outer/3 refused', 'collinear /outer/1 accepted', 'collinear /outer/4 accepted'],
    ],
    [
      'holes in the wrong places',
      {
        type: 'region',
        outer: square,
        holes: [points(1, 1, 1, 3, 3, 1), points(9, 9, 9, 10, 10, 9), points(1.1, 1.1, 1.1, 1.5, 1.5, 1.1)],
      },
      ['hole-outside /holes/1 refused', 'hole-in-hole /holes/2 refused'],
    ],
    [
      'a hole outside an outer ring that crosses itself elsewhere',
      {
        type: 'region',
        outer: points(0, 0, 4, 0, 4, 4, 2, 4, 3, 5, 2, 5, 3, 4, 0, 4),
        holes: [points(1, 1, 1, 2, 2, 1), points(9, 9, 9, 10, 10, 9)],
      },
      [
        'edges-overlap /outer/2 /outer/6 refused',
        'self-intersection /outer/3 /outer/5 refused',
        'hole-outside /holes/1 refused',
      ],
    ],
    [
      'a hole that runs the wrong way, one without area, and one that touches',
      {
        type: 'region',
        outer: square,
        holes: [points(1, 1, 2, 1, 1, 2), points(3, 1, 3, 2, 3, 3), points(0, 3, 1, 3.5, 1, 3)],
      },
      ['touching /outer/3 /holes/2/0 accepted', 'winding /holes/0 accepted', 'degenerate /holes/1 accepted'],
    ],
    [
      'a chain that stays, goes straight and goes back',
      { type: 'chain', vertices: points(0, 0, 1, 0, 1, 0, 2, 0, 1, 0) },
      ['collinear /vertices/1 accepted', 'repeated /vertices/2 accepted', 'spike /vertices/3 /vertices/2 accepted'],
    ],
    [
      'a chain that is a point',
      { type: 'chain', vertices: points(1, 1, 1, 1) },
      ['degenerate /vertices accepted', 'repeated /vertices/1 accepted'],
    ],
    ['a circle that is a point', { type: 'circle', radius: 0 }, ['degenerate /radius accepted']],
    [
      'a capsule that is a circle',
      { type: 'capsule', a: { x: 1, y: 0 }, b: { x: 1, y: 0 }, radius: 1 },
      ['degenerate /b accepted'],
    ],
    ['a box without height', { type: 'box', width: 1, height: 0 }, ['degenerate /height accepted']],
    [
      'an aabb without width',
      { type: 'aabb', min: { x: 1, y: 0 }, max: { x: 1, y: 1 } },
      ['degenerate /max/x accepted'],
    ],
    [
      'both inverted sides of an aabb',
      { type: 'aabb', min: { x: 1, y: 3 }, max: { x: 0, y: 2 } },
      ['aabb-inverted /min/x refused', 'aabb-inverted /min/y refused'],
    ],
    ['a normal of zero', { type: 'halfplane', normal: { x: 0, y: 0 }, offset: 0 }, ['normal-zero /normal refused']],
    [
      'a normal of another length',
      { type: 'halfplane', normal: { x: 3, y: 4 }, offset: 1 },
      ['normal-scaled /normal accepted'],
    ],
    [
      'every number out of range',
      { type: 'polygon', vertices: points(0, 1e101, 2e101, -1e101, 0, 0), radius: 1e101 },
      [
        'out-of-range /vertices/0/y refused',
        'out-of-range /vertices/1/x refused',
        'out-of-range /vertices/1/y refused',
        'out-of-range /radius refused',
      ],
    ],
  ])('finds %s', async (_, shape, expected) => {
    expect(await brief(shape)).toEqual(expected)
  })

  it('says what a flat shape is taken for', async () => {
    const actionOf = async (shape: object) => (await validate(shape)).findings[0].action
    const flat = points(0, 0, 2, 2, 1, 1)
    expect(await actionOf({ type: 'polygon', vertices: flat })).toBe('Taken as the segment that it is.')
    expect(await actionOf({ type: 'polygon', vertices: flat, radius: 1 })).toBe('Taken as the capsule that it is.')
    expect(await actionOf({ type: 'box', width: 0, height: 0 })).toBe('Taken as the point that it is.')
    expect(await actionOf({ type: 'box', width: 0, height: 0, radius: 1 })).toBe('Taken as the circle that it is.')
  })

  it('looks into compounds, with places in the frame of the whole', async () => {
    const crossed = { shape: { type: 'region', outer: points(0, 0, 2, 2, 2, 0, 0, 2) }, position: { x: 10, y: 0 } }
    const inner = { type: 'compound', children: [{ shape: { type: 'point' } }, crossed] }
    const turned = { shape: inner, position: { x: 0, y: 5 }, rotation: Math.PI / 2 }
    const aabb = { shape: { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 1, y: 1 } } }
    const { findings } = await validate({
      type: 'compound',
      children: [
        turned,
        { shape: { type: 'compound', children: [aabb] }, rotation: 1 },
        { ...aabb, rotation: 2 },
        { shape: { type: 'circle', radius: 0 }, position: { x: 0, y: 1e101 } },
      ],
    })
    expect(findings.map(({ kind, pointers }) => [kind, ...pointers])).toEqual([
      [
        'self-intersection',
        '#/shape/children/0/shape/children/1/shape/outer/0',
        '#/shape/children/0/shape/children/1/shape/outer/2',
      ],
      ['aabb-rotated', '#/shape/children/1/shape/children/0/shape'],
      ['aabb-rotated', '#/shape/children/2/rotation'],
      ['out-of-range', '#/shape/children/3/position/y'],
    ])
    const [place] = findings[0].points
    expect(place.x).toBeCloseTo(-1, 12)
    expect(place.y).toBeCloseTo(16, 12)
  })

  it('tells a corner from a straight line by one unit in the last place', async () => {
    const line = points(0.1, 0.1, 0.3, 0.3, 0.9, 0.9, 0.1, 0.9)
    expect(await brief({ type: 'polygon', vertices: line })).toEqual(['collinear /vertices/1 accepted'])
    const lower = line.map(({ x, y }, i) => (i === 1 ? { x, y: y - 2 ** -54 } : { x, y }))
    expect(await brief({ type: 'polygon', vertices: lower })).toEqual([])
    const higher = line.map(({ x, y }, i) => (i === 1 ? { x, y: y + 2 ** -54 } : { x, y }))
    expect(await brief({ type: 'polygon', vertices: higher })).toEqual(['reflex /vertices/1 refused'])
  })

  it('lists the first findings of a kind where there are too many', async () => {
    const comb = Array.from({ length: 3000 }, (_, i) => ({ x: i, y: i % 2 }))
    const { valid, findings, truncated } = await validate({
      type: 'region',
      outer: [...comb, { x: 3000, y: 0.5 }, { x: -1, y: 0.5 }],
    })
    expect({ valid, truncated }).toEqual({ valid: false, truncated: true })
    expect(findings.length).toBe(1000)
    expect(findings.map(({ edges }) => edges?.[0])).toEqual(Array.from({ length: 1000 }, (_, i) => i))
  })

  it('looks no further than the limits of shapes', async () => {
    const small = await startClient({ MAX_VERTICES: '5', MAX_PARTS: '2' })
    const region = { type: 'region', outer: square, holes: [points(0, 0, 1, 0, 0, 1)] }
    expect((await validate(region, small)).findings).toEqual([
      {
        kind: 'too-many-vertices',
        outcome: 'refused',
        code: 'too-many-vertices',
        action: 'Refused as too-many-vertices.',
        detail: 'A region may have at most 5 vertices, got 7.',
        pointers: ['#/shape/outer'],
        points: [],
      },
    ])
    const children = Array.from({ length: 3 }, () => ({ shape: { type: 'circle', radius: 0 } }))
    const { valid, findings } = await validate({ type: 'compound', children }, small)
    expect(valid).toBe(false)
    expect(findings.map(({ kind, pointers }) => [kind, ...pointers])).toEqual([['too-many-parts', '#/shape/children']])
    await small.close()
  })

  it('takes 100,000 vertices', async () => {
    const count = 100_000
    const outer = Array.from({ length: count }, (_, i) => {
      const angle = (-2 * Math.PI * i) / count
      const reach = i % 2 === 0 ? 1 : 0.99
      return { x: reach * Math.cos(angle), y: reach * Math.sin(angle) }
    })
    const { valid, findings } = await validate({ type: 'region', outer })
    expect(valid).toBe(true)
    expect(findings.map(({ kind }) => kind)).toEqual(['winding'])
  })

  it.each([
    [{ type: 'circle' }, 400, 'schema-violation', '#/shape/radius'],
    [{ type: 'circle', radius: -1 }, 400, 'schema-violation', '#/shape/radius'],
    [{ type: 'disc' }, 400, 'schema-violation', '#/shape/type'],
    [{ type: 'polygon', vertices: points(0, 0, 1, 0) }, 400, 'schema-violation', '#/shape/vertices'],
  ])('refuses %j, which does not fit the schema', async (shape, status, code, pointer) => {
    const answer = await client.post('validate', { shape })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code, errors: [{ pointer }] })
  })
})
