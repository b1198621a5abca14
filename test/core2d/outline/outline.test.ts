import { describe, expect, it } from 'vitest'
import { featureIndex } from '../../../src/core2d/feature.ts'
import { createOutline, type Outline, setChain } from '../../../src/core2d/outline/outline.ts'
import { setRegion } from '../../../src/core2d/outline/region.ts'
import { createOutlineFault } from '../../../src/core2d/outline/ring-check.ts'

type Point = readonly [number, number]

/** Vertices, and each edge as [from, to, the edge before it, its name], by the slots of the outline. */
function describeOutline(outline: Outline): { vertices: number[][]; names: number[]; edges: number[][] } {
  const { vertices, vertexCount, vertexNames, edgeCount, edgeEnd, edgeBefore, edgeNames } = outline
  return {
    vertices: Array.from({ length: vertexCount }, (_, i) => [vertices[2 * i] + 0, vertices[2 * i + 1] + 0]),
    names: Array.from(vertexNames.subarray(0, vertexCount), featureIndex),
    edges: Array.from({ length: edgeCount }, (_, e) => [e, edgeEnd[e], edgeBefore[e], featureIndex(edgeNames[e])]),
  }
}

/** One slot for all tests, as a service uses it. */
const outline = createOutline()

function chain(points: readonly Point[], loop: boolean, angle = 0): ReturnType<typeof describeOutline> {
  setChain(outline, Float64Array.from(points.flat()), points.length, loop, Math.cos(angle), Math.sin(angle))
  expect(outline.solid).toBe(false)
  return describeOutline(outline)
}

function region(rings: readonly (readonly Point[])[], angle = 0): ReturnType<typeof describeOutline> {
  const starts = [0]
  for (const ring of rings) starts.push(starts[starts.length - 1] + ring.length)
  const points = Float64Array.from(rings.flat(2))
  const cos = angle === 0 ? 1 : Math.cos(angle)
  expect(setRegion(outline, points, starts, cos, Math.sin(angle), createOutlineFault())).toBe(true)
  return describeOutline(outline)
}

const SQUARE: Point[] = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
]
const HOLE: Point[] = [
  [1, 1],
  [1, 2],
  [2, 2],
  [2, 1],
]

describe('setChain', () => {
  it('links edges in order, open or closed', () => {
    expect(chain(SQUARE, false).edges).toEqual([
      [0, 1, -1, 0],
      [1, 2, 0, 1],
      [2, 3, 1, 2],
    ])
    expect(chain(SQUARE, true).edges).toEqual([
      [0, 1, 3, 0],
      [1, 2, 0, 1],
      [2, 3, 1, 2],
      [3, 0, 2, 3],
    ])
  })

  it('merges repeated vertices; the edge that has a length keeps its own name', () => {
    const points: Point[] = [
      [0, 0],
      [0, 0],
      [1, 0],
      [1, 0],
      [1, 0],
      [1, 1],
      [0, 0],
      [0, 0],
    ]
    expect(chain(points, false)).toEqual({
      vertices: [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
      names: [0, 2, 5, 6],
      edges: [
        [0, 1, -1, 1],
        [1, 2, 0, 4],
        [2, 3, 1, 5],
      ],
    })
    expect(chain(points, true)).toEqual({
      vertices: [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
      names: [0, 2, 5],
      edges: [
        [0, 1, 2, 1],
        [1, 2, 0, 4],
        [2, 0, 1, 5],
      ],
    })
  })

  it('is a single point where all vertices are the same', () => {
    for (const loop of [false, true]) {
      const point = chain(
        [
          [3, 4],
          [3, 4],
        ],
        loop,
      )
      expect(point).toEqual({ vertices: [[3, 4]], names: [0], edges: [[0, 0, 0, expect.any(Number)]] })
    }
  })

  it('turns its vertices, and merges those that turning makes equal', () => {
    const { vertices } = chain(SQUARE.slice(0, 2), false, Math.PI / 2)
    expect(vertices[1][0]).toBeCloseTo(0, 15)
    expect(vertices[1][1]).toBe(4)
    // One unit in the last place of a small coordinate is lost beside a large one.
    const close: Point[] = [
      [1e16, 1],
      [1e16, 1 + 2 ** -52],
      [0, 0],
    ]
    expect(chain(close, false).edges).toHaveLength(2)
    expect(chain(close, false, 1).edges).toEqual([[0, 1, -1, 1]])
  })
})

describe('setRegion', () => {
  it('stores outer rings counter-clockwise and holes clockwise, under the names of the user', () => {
    const expected = region([SQUARE, HOLE])
    expect(expected).toEqual({
      vertices: [...SQUARE, ...HOLE],
      names: [0, 1, 2, 3, 4, 5, 6, 7],
      edges: [
        [0, 1, 3, 0],
        [1, 2, 0, 1],
        [2, 3, 1, 2],
        [3, 0, 2, 3],
        [4, 5, 7, 4],
        [5, 6, 4, 5],
        [6, 7, 5, 6],
        [7, 4, 6, 7],
      ],
    })
    const reversed = region([SQUARE.toReversed(), HOLE.toReversed()])
    expect(reversed.vertices).toEqual([
      [0, 4],
      [0, 0],
      [4, 0],
      [4, 4],
      [2, 1],
      [1, 1],
      [1, 2],
      [2, 2],
    ])
    // The user's edge i runs from i to i + 1: stored edge 0, from the user's vertex 0 to 3, is the user's edge 3.
    expect(reversed.names).toEqual([0, 3, 2, 1, 4, 7, 6, 5])
    expect(reversed.edges.map(([, , , name]) => name)).toEqual([3, 2, 1, 0, 7, 6, 5, 4])
  })

  it('keeps collinear vertices and merges repeated ones, also across the end of a ring', () => {
    const ring: Point[] = [
      [0, 0],
      [2, 0],
      [4, 0],
      [4, 0],
      [4, 4],
      [0, 0],
    ]
    expect(region([ring])).toEqual({
      vertices: [
        [0, 0],
        [2, 0],
        [4, 0],
        [4, 4],
      ],
      names: [0, 1, 2, 4],
      edges: [
        [0, 1, 3, 0],
        [1, 2, 0, 1],
        [2, 3, 1, 3],
        [3, 0, 2, 4],
      ],
    })
    const reversed = region([ring.toReversed()])
    expect(reversed.names).toEqual([0, 4, 2, 1])
    expect(reversed.edges.map(([, , , name]) => name)).toEqual([4, 3, 1, 0])
  })

  it('links the passages of a pinched ring by the wedges of the inside', () => {
    const pinched: Point[] = [
      [0, 0],
      [10, 0],
      [10, 10],
      [5, 0],
      [0, 10],
    ]
    for (const angle of [0, 0.1, 1, 2.5]) {
      const { edges, names } = region([pinched], angle)
      expect(names).toEqual([0, 3, 1, 2, 3, 4])
      // (0,0) → (5,0) → (0,10), and (5,0) → (10,0) → (10,10); both halves of edge 0 keep its name.
      expect(edges).toEqual([
        [0, 4, 5, 0],
        [1, 2, 3, 0],
        [2, 3, 1, 1],
        [3, 1, 2, 2],
        [4, 5, 0, 3],
        [5, 0, 4, 4],
      ])
      expect([outline.touchesItself, outline.loops]).toEqual([true, [0, 1]])
    }
    region([SQUARE])
    expect([outline.touchesItself, outline.loops]).toEqual([false, [0]])
  })

  it('decides on the unturned vertices', () => {
    for (let angle = 0.1; angle < 6; angle += 0.1) {
      // The hole touches the outer ring within an edge, which turning need not preserve: there the edge is split.
      const touching: Point[] = [
        [4 / 3, 0],
        [1, 2],
        [2, 1],
      ]
      const { vertices, edges, names } = region([SQUARE, touching], angle)
      expect(edges).toHaveLength(8)
      expect(names).toEqual([0, 4, 1, 2, 3, 4, 5, 6])
      expect(vertices[1]).toEqual(vertices[5])
      vertices.forEach(([x, y], i) => {
        const [u, v] = [...SQUARE, ...touching][names[i]]
        expect(Math.hypot(x, y)).toBeCloseTo(Math.hypot(u, v), 12)
      })
    }
  })
})
