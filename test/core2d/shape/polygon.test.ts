import { describe, expect, it } from 'vitest'
import { featureIndex } from '../../../src/core2d/feature.ts'
import { type Body, CIRCLE, createBody, POLYGON, setPose } from '../../../src/core2d/shape/body.ts'
import { setPolygon } from '../../../src/core2d/shape/polygon.ts'

/** Result of setPolygon and the reduced polygon's vertices by the user's index. */
function reduce(points: number[][], rotation = 0): { reflex: number; body: Body; indices: number[]; edges: number[] } {
  const body = createBody()
  setPose(body, 0, 0, rotation)
  const reflex = setPolygon(body, Float64Array.from(points.flat()), points.length, 0)
  const names = (codes: Int32Array): number[] => Array.from(codes.subarray(0, body.count), featureIndex)
  return { reflex, body, indices: names(body.vertexFeatures), edges: names(body.edgeFeatures) }
}

const SQUARE = [
  [0, 0],
  [2, 0],
  [2, 2],
  [0, 2],
]

describe('setPolygon', () => {
  it('keeps counter-clockwise order and reverses clockwise', () => {
    expect(reduce(SQUARE).indices).toEqual([0, 1, 2, 3])
    const reversed = reduce([...SQUARE].reverse())
    expect(reversed.indices).toEqual([3, 2, 1, 0])
    // Edge i of the user runs from vertex i to i + 1; reversed 3 → 2 is the user's edge 2.
    expect(reversed.edges).toEqual([2, 1, 0, 3])
    expect(reversed.body.numbers.slice(reversed.body.normals, reversed.body.normals + 8).map((n) => n + 0)).toEqual([
      0, -1, 1, 0, 0, 1, -1, 0,
    ])
  })

  it('merges repeated and collinear vertices and keeps the first edge of a run', () => {
    const points = [
      [0, 0],
      [1, 0],
      [2, 0],
      [2, 0],
      [2, 2],
      [0, 2],
      [0, 0],
    ]
    const { reflex, indices, edges } = reduce(points)
    expect(reflex).toBe(-1)
    expect(indices).toEqual([0, 2, 4, 5])
    expect(edges).toEqual([0, 2, 4, 5])
    const back = reduce([...points].reverse())
    expect(back.reflex).toBe(-1)
    expect(back.body.count).toBe(4)
  })

  it('names the reflex vertex, not one before it at which the way turns back and forth', () => {
    const dart = [
      [0, 0],
      [3, 2],
      [0, 1],
      [1, 1],
    ]
    expect(reduce(dart).reflex).toBe(3)
    expect(reduce([...dart].reverse()).reflex).toBe(0)
  })

  it('reduces flat outlines to segments and points', () => {
    const flat = reduce([
      [1, 1],
      [3, 3],
      [2, 2],
    ])
    expect([flat.reflex, flat.body.kind, flat.body.count]).toEqual([-1, POLYGON, 2])
    expect(flat.indices).toEqual([0, 1])
    const point = reduce([
      [1, 1],
      [1, 1],
      [1, 1],
    ])
    expect([point.reflex, point.body.kind]).toEqual([-1, CIRCLE])
  })

  it.each([
    [
      'a dent',
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [2, 1],
        [0, 4],
      ],
      3,
    ],
    [
      'a dent of one ulp',
      [
        [0, 0],
        [1, 2 ** -52],
        [2, 0],
        [1, 2],
      ],
      1,
    ],
    [
      'a bow-tie',
      [
        [0, 0],
        [2, 2],
        [2, 0],
        [0, 2],
      ],
      null,
    ],
    [
      'a spike',
      [
        [0, 0],
        [2, 0],
        [3, 0],
        [2, 0],
        [2, 2],
        [0, 2],
      ],
      null,
    ],
    ['a pentagram', [0, 2, 4, 1, 3].map((i) => [Math.cos(0.4 * Math.PI * i), Math.sin(0.4 * Math.PI * i)]), null],
    ['a circle run twice', [...SQUARE, ...SQUARE], null],
  ])('refuses %s', (_name, points, index) => {
    const { reflex } = reduce(points as number[][])
    expect(reflex).toBeGreaterThanOrEqual(0)
    if (index !== null) expect(reflex).toBe(index)
  })

  it('decides turns of one ulp and of underflowing size exactly', () => {
    const bulge = reduce([
      [0, 0],
      [1, -(2 ** -52)],
      [2, 0],
      [1, 2],
    ])
    expect([bulge.reflex, bulge.body.count]).toEqual([-1, 4])
    const tiny = reduce(SQUARE.map(([x, y]) => [x * 1e-200, y * 1e-200]))
    expect([tiny.reflex, tiny.body.count]).toEqual([-1, 4])
    expect(tiny.body.numbers[tiny.body.normals]).toBeCloseTo(0)
    expect(tiny.body.numbers[tiny.body.normals + 1]).toBe(-1)
    expect(reduce(SQUARE.map(([x, y]) => [x * 1e100, y * 1e100])).body.count).toBe(4)
  })

  it('survives a rotation that rounds neighbours together', () => {
    const { reflex, body } = reduce(
      [
        [1, 0],
        [1, 2 ** -60],
        [0, 1],
      ],
      0.5,
    )
    expect(reflex).toBe(-1)
    expect(body.count).toBe(2)
    expect(body.numbers.slice(body.normals, body.normals + 4).every(Number.isFinite)).toBe(true)
  })

  it('accepts regular polygons of up to 1,024 vertices, in either winding', () => {
    for (const count of [3, 7, 24, 240, 1024]) {
      const points = Array.from({ length: count }, (_, i) => {
        const angle = (2 * Math.PI * i) / count
        return [50 * Math.cos(angle), 50 * Math.sin(angle)]
      })
      expect(reduce(points).reflex).toBe(-1)
      expect(reduce(points.reverse()).reflex).toBe(-1)
    }
  })
})
