import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { featureIndex } from '../../../src/core2d/feature.ts'
import { createEdgeIntersection, edgesConflict } from '../../../src/core2d/outline/edge-intersection.ts'
import { createOutline, type Outline, setChain } from '../../../src/core2d/outline/outline.ts'
import { setRegion } from '../../../src/core2d/outline/region.ts'
import { createOutlineFault, type OutlineFault } from '../../../src/core2d/outline/ring-check.ts'
import { nextAfter } from '../../support/families/next-after.ts'
import { runCount, runs } from '../../support/runs.ts'

type Point = readonly [number, number]

/** The outline of a region, or the fault that was found. */
function region(rings: readonly (readonly Point[])[]): { outline: Outline; fault: OutlineFault | null } {
  const outline = createOutline()
  const fault = createOutlineFault()
  const starts = [0]
  for (const ring of rings) starts.push(starts[starts.length - 1] + ring.length)
  const valid = setRegion(outline, Float64Array.from(rings.flat(2)), starts, 1, 0, fault)
  return { outline, fault: valid ? null : fault }
}

/** Small integers only: every product below is exact. */
function cross(a: Point, b: Point, c: Point): number {
  return Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
}

const equal = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1]
const less = (a: Point, b: Point): boolean => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1])
const isFlat = (ring: readonly Point[]): boolean =>
  ring.every((p) => ring.every((q) => ring.every((r) => cross(p, q, r) === 0)))

interface Edge {
  index: number
  ring: number
  a: Point
  b: Point
  before: Point
  after: Point
}

/** The edges of all rings that have a length, with the next different vertices on either side. */
function edgesOf(rings: readonly (readonly Point[])[]): Edge[] {
  const edges: Edge[] = []
  let offset = 0
  rings.forEach((ring, number) => {
    const own = ring
      .map((a, i) => ({ index: offset + i, ring: number, a, b: ring[(i + 1) % ring.length] }))
      .filter(({ a, b }) => !equal(a, b))
    own.forEach((edge, k) => {
      const before = own[(k + own.length - 1) % own.length].a
      edges.push({ ...edge, before, after: own[(k + 1) % own.length].b })
    })
    offset += ring.length
  })
  return edges
}

const half = ([x, y]: Point): number => (y > 0 || (y === 0 && x > 0) ? 0 : 1)

/** Order of directions by angle. */
function byAngle(u: Point, v: Point): number {
  return half(u) - half(v) || Math.sign(u[1] * v[0] - u[0] * v[1])
}

/** Whether four directions from `at`, two of each passage, alternate round it. */
function alternate(at: Point, first: readonly Point[], second: readonly Point[]): boolean {
  const around = [...first.map((p) => ({ p, of: 0 })), ...second.map((p) => ({ p, of: 1 }))]
    .map(({ p, of }) => ({ d: [p[0] - at[0], p[1] - at[1]] as Point, of }))
    .sort((u, v) => byAngle(u.d, v.d))
  if (around.some(({ d }, k) => k > 0 && byAngle(d, around[k - 1].d) === 0)) return false
  return around[0].of !== around[1].of && around[1].of !== around[2].of && around[2].of !== around[3].of
}

/** The place of the passage along `edge` through `at`: its neighbours there. */
function passage(edge: Edge, at: Point): readonly [Point, Point, string] {
  if (equal(edge.a, at)) return [edge.before, edge.b, `start ${edge.ring} ${edge.before} ${edge.a}`]
  if (equal(edge.b, at)) return [edge.a, edge.after, `end ${edge.ring} ${edge.a} ${edge.b}`]
  return [edge.a, edge.b, '']
}

function conflict(e: Edge, f: Edge, follows: boolean, leads: boolean): { kind: string; x: number; y: number } | null {
  const sides = [cross(e.a, e.b, f.a), cross(e.a, e.b, f.b), cross(f.a, f.b, e.a), cross(f.a, f.b, e.b)]
  if (sides.every((side) => side === 0)) {
    const [e0, e1] = less(e.a, e.b) ? [e.a, e.b] : [e.b, e.a]
    const [f0, f1] = less(f.a, f.b) ? [f.a, f.b] : [f.b, f.a]
    const low = less(e0, f0) ? f0 : e0
    const high = less(e1, f1) ? e1 : f1
    if (less(low, high)) return { kind: 'overlap', x: low[0], y: low[1] }
    return equal(low, high) ? touch(e, f, low, follows, leads) : null
  }
  if (sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0) {
    const dx = f.b[0] - f.a[0]
    const dy = f.b[1] - f.a[1]
    const ha = dx * (e.a[1] - f.a[1]) - dy * (e.a[0] - f.a[0])
    const hb = dx * (e.b[1] - f.a[1]) - dy * (e.b[0] - f.a[0])
    const t = ha / (ha - hb)
    return { kind: 'crossing', x: e.a[0] + t * (e.b[0] - e.a[0]), y: e.a[1] + t * (e.b[1] - e.a[1]) }
  }
  const onE = (p: Point): boolean => cross(e.a, e.b, p) === 0 && within(e, p)
  const onF = (p: Point): boolean => cross(f.a, f.b, p) === 0 && within(f, p)
  const at = [f.a, f.b].find(onE) ?? [e.a, e.b].find(onF)
  return at === undefined ? null : touch(e, f, at, follows, leads)
}

function within({ a, b }: Edge, p: Point): boolean {
  return !less(p, less(a, b) ? a : b) && !less(less(a, b) ? b : a, p)
}

function touch(e: Edge, f: Edge, at: Point, follows: boolean, leads: boolean): ReturnType<typeof conflict> {
  // Neighbours meet at their joint.
  if (follows && equal(e.b, at) && equal(f.a, at)) return null
  if (leads && equal(f.b, at) && equal(e.a, at)) return null
  const [p, q] = passage(e, at)
  const [r, s] = passage(f, at)
  return alternate(at, [p, q], [r, s]) ? { kind: 'crossing', x: at[0], y: at[1] } : null
}

/** The first conflict by trying all pairs. */
function bruteConflict(rings: readonly (readonly Point[])[]): object | null {
  const edges = edgesOf(rings).filter(({ ring }) => !isFlat(rings[ring]))
  for (let i = 0; i < edges.length; i++) {
    for (let j = i + 1; j < edges.length; j++) {
      const sameRing = edges[i].ring === edges[j].ring
      const lastOfRing = j + 1 === edges.length || edges[j + 1].ring !== edges[j].ring
      const firstOfRing = i === 0 || edges[i - 1].ring !== edges[i].ring
      const found = conflict(edges[i], edges[j], sameRing && j === i + 1, sameRing && firstOfRing && lastOfRing)
      if (found !== null) {
        const { index: edgeA, ring: ringA } = edges[i]
        const { index: edgeB, ring: ringB } = edges[j]
        return { ...found, edgeA, edgeB, ringA, ringB }
      }
    }
  }
  return null
}

/** Crossing number of a point on no line through grid points. */
function holds(ring: readonly Point[], [x, y]: Point): boolean {
  let inside = false
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % ring.length]
    if (a[1] > y !== b[1] > y && x < a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0])) inside = !inside
  })
  return inside
}

const SAMPLES: Point[] = []
for (let i = -8; i < 48; i++) for (let j = -8; j < 48; j++) SAMPLES.push([i / 8 + 0.01234567, j / 8 + 0.07654321])

/** The first hole that is not where holes belong, for rings without conflicts. */
function bruteHole(rings: readonly (readonly Point[])[]): object | null {
  for (let hole = 1; hole < rings.length; hole++) {
    if (isFlat(rings[hole])) continue
    const inHole = SAMPLES.filter((p) => holds(rings[hole], p))
    if (!inHole.every((p) => holds(rings[0], p))) return { kind: 'hole-outside', ringA: hole }
    for (let other = 1; other < rings.length; other++) {
      if (other !== hole && inHole.every((p) => holds(rings[other], p))) return { kind: 'hole-nested', ringA: hole }
    }
  }
  return null
}

const roundFault = (fault: object | null): object | null =>
  fault === null ? null : { ...fault, ...roundPoint(fault as OutlineFault) }
const roundPoint = ({ x, y }: OutlineFault): object => ({
  x: Math.round(x * 1e9) / 1e9 + 0,
  y: Math.round(y * 1e9) / 1e9 + 0,
})

function signedArea(ring: readonly Point[]): number {
  return ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]
    return sum + x * nextY - y * nextX
  }, 0)
}

/** What every outline of a region must be, whatever it was made from. */
function checkOutline(rings: readonly (readonly Point[])[], outline: Outline): void {
  const points = rings.flat()
  const expected = edgesOf(rings).filter(({ ring }) => ring === 0 || !isFlat(rings[ring]))
  const { vertices, edgeEnd, edgeBefore, edgeCount, edgeNames, vertexNames } = outline
  const vertex = (i: number): Point => [vertices[2 * i], vertices[2 * i + 1]]
  expect(outline.solid).toBe(!isFlat(rings[0]))
  if (expected.length === 0) {
    expect([outline.vertexCount, edgeCount, edgeEnd[0]]).toEqual([1, 1, 0])
    return
  }
  const pieces = outline.solid ? piecesOf(expected) : expected
  expect([outline.vertexCount, edgeCount]).toEqual([pieces.length, pieces.length])
  expect(outline.touchesItself).toBe(outline.solid && new Set(pieces.map(({ a }) => `${a}`)).size < pieces.length)
  const byRing = new Map<number, Point[]>()
  for (let edge = 0; edge < edgeCount; edge++) {
    expect(edgeBefore[edgeEnd[edge]]).toBe(edge)
    expect(vertex(edge)).toEqual(points[featureIndex(vertexNames[edge])])
    const ends = [vertex(edge), vertex(edgeEnd[edge])]
    const own = pieces.findIndex(
      ({ index, a, b }) =>
        index === featureIndex(edgeNames[edge]) && ends.every((end) => equal(end, a) || equal(end, b)),
    )
    expect(own).toBeGreaterThanOrEqual(0)
    // Each is there once.
    const [{ ring }] = pieces.splice(own, 1)
    byRing.set(ring, [...(byRing.get(ring) ?? []), vertex(edge)])
    // No other passage through the vertex lies within the wedge of the inside that this one bounds.
    for (let other = 0; other < edgeCount; other++) {
      if (!outline.solid || other === edge || !equal(vertex(edge), vertex(other))) continue
      for (const way of [edgeEnd[other], edgeBefore[other]]) {
        expect(liesBetween(vertex(edge), vertex(edgeEnd[edge]), vertex(edgeBefore[edge]), vertex(way))).toBe(false)
      }
    }
  }
  if (outline.solid) checkLoops(outline)
  for (const [ring, own] of byRing)
    expect(Math.sign(signedArea(own))).toBe(isFlat(rings[ring]) ? 0 : ring === 0 ? 1 : -1)
}

/** The edges, cut wherever an end of another one lies within them. */
function piecesOf(edges: ReturnType<typeof edgesOf>): ReturnType<typeof edgesOf> {
  const ends = new Map(edges.flatMap(({ a, b }) => [a, b]).map((point) => [`${point}`, point]))
  return edges.flatMap((edge) => {
    const { a, b } = edge
    const along = ([x, y]: Point): number => (x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1])
    const cuts = [...ends.values()].filter((p) => cross(a, b, p) === 0 && along(p) > 0 && along(p) < along(b))
    const stops = [a, ...cuts.sort((p, q) => along(p) - along(q)), b]
    return stops.slice(1).map((stop, i) => ({ ...edge, a: stops[i], b: stop }))
  })
}

/** Whether the direction of `p` from `center` lies between those of `from` and `to`, counter-clockwise. */
function liesBetween(center: Point, from: Point, to: Point, p: Point): boolean {
  if (cross(center, from, to) > 0) return cross(center, from, p) > 0 && cross(center, p, to) > 0
  return !(cross(center, to, p) >= 0 && cross(center, p, from) >= 0)
}

/** All loops through points that the outline passes more than once are named, each once, after the first one. */
function checkLoops({ loops, vertices, edgeEnd, edgeCount }: Outline): void {
  const seen = new Set<number>()
  for (const first of loops) {
    expect(seen.has(first)).toBe(false)
    for (let edge = first; !seen.has(edge); edge = edgeEnd[edge]) seen.add(edge)
  }
  expect(loops[0]).toBe(0)
  const places = Array.from({ length: edgeCount }, (_, i) => `${vertices[2 * i]},${vertices[2 * i + 1]}`)
  places.forEach((place, i) => {
    if (places.indexOf(place) !== places.lastIndexOf(place)) expect(seen.has(i)).toBe(true)
  })
}

function checkAgainstBruteForce(rings: readonly (readonly Point[])[]): string {
  const { outline, fault } = region(rings)
  const crossing = bruteConflict(rings)
  if (crossing !== null) {
    expect(roundFault(fault)).toEqual(roundFault(crossing))
    return (crossing as OutlineFault).kind
  }
  const misplaced = bruteHole(rings)
  if (misplaced !== null) {
    expect(fault).toMatchObject(misplaced)
    return (misplaced as OutlineFault).kind
  }
  expect(fault).toBeNull()
  checkOutline(rings, outline)
  return 'valid'
}

const gridPoint = (size: number): fc.Arbitrary<Point> => fc.tuple(fc.nat(size - 1), fc.nat(size - 1))
const gridRing = (size: number, length: number): fc.Arbitrary<Point[]> =>
  fc.array(gridPoint(size), { minLength: 3, maxLength: length })

/** A walk along the grid lines of a ring that may touch itself: the boundary of a set of cells, followed wall by wall. */
function cellRings(cells: readonly boolean[], width: number, leftTurnsFirst: boolean): Point[][] {
  const filled = (x: number, y: number): boolean => x >= 0 && x < width && y >= 0 && (cells[y * width + x] ?? false)
  const leaving = new Map<string, Point[]>()
  const add = (a: Point, b: Point): void => void leaving.set(`${a}`, [...(leaving.get(`${a}`) ?? []), b])
  for (let y = 0; y * width < cells.length; y++) {
    for (let x = 0; x < width; x++) {
      if (!filled(x, y)) continue
      if (!filled(x, y - 1)) add([x, y], [x + 1, y])
      if (!filled(x + 1, y)) add([x + 1, y], [x + 1, y + 1])
      if (!filled(x, y + 1)) add([x + 1, y + 1], [x, y + 1])
      if (!filled(x - 1, y)) add([x, y + 1], [x, y])
    }
  }
  const rings: Point[][] = []
  for (const [key, ends] of leaving) {
    while (ends.length > 0) {
      const ring: Point[] = [key.split(',').map(Number) as unknown as Point]
      let next = ends.pop() as Point
      while (!equal(next, ring[0])) {
        const from = ring[ring.length - 1]
        ring.push(next)
        const choices = leaving.get(`${next}`) as Point[]
        choices.sort((p, q) => cross(from, next, q) - cross(from, next, p))
        next = (leftTurnsFirst ? choices.shift() : choices.pop()) as Point
      }
      rings.push(ring)
    }
  }
  return rings
}

describe('setRegion: which rings bound a region', () => {
  it('agrees with brute force on rings of a 4 × 4 grid', () => {
    const kinds = new Map<string, number>()
    fc.assert(
      fc.property(gridRing(4, 7), (ring) => {
        const kind = checkAgainstBruteForce([ring])
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }),
      runs(4000),
    )
    for (const kind of ['valid', 'crossing', 'overlap']) expect(kinds.get(kind)).toBeGreaterThan(runCount(100))
  })

  it('agrees with brute force on an outer ring with holes', () => {
    const kinds = new Map<string, number>()
    const outer = fc.constantFrom<Point[]>(
      [
        [0, 0],
        [2, 0],
        [0, 2],
      ],
      [
        [-1, -1],
        [5, -1],
        [5, 5],
        [-1, 5],
      ],
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [0, 4],
      ],
      [
        [0, 0],
        [0, 4],
        [4, 4],
        [4, 0],
      ],
      [
        [0, 0],
        [4, 0],
        [2, 1],
        [4, 4],
        [0, 4],
        [1, 2],
      ],
      [
        [0, 0],
        [2, 0],
        [2, 2],
        [4, 2],
        [4, 4],
        [2, 4],
        [2, 2],
        [0, 2],
      ],
    )
    const box = fc
      .tuple(
        fc.integer({ min: 0, max: 2 }),
        fc.integer({ min: 0, max: 2 }),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
      )
      .map(([x, y, size, reversed]): Point[] => {
        const corners: Point[] = [
          [x, y],
          [x + size, y],
          [x + size, y + size],
          [x, y + size],
        ]
        return reversed ? corners.reverse() : corners
      })
    const around = fc.constant<Point[]>([
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
    ])
    const holes = fc.array(fc.oneof(gridRing(5, 4), box, around), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(outer, holes, (ring, inner) => {
        const kind = checkAgainstBruteForce([ring, ...inner])
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }),
      runs(6000),
    )
    for (const kind of ['valid', 'crossing', 'overlap', 'hole-outside', 'hole-nested']) {
      expect(kinds.get(kind)).toBeGreaterThan(runCount(20))
    }
  })

  it('accepts the boundary of any set of cells, touching itself wherever cells meet at a corner', () => {
    const cells = fc.array(fc.boolean(), { minLength: 16, maxLength: 25 })
    let touching = 0
    fc.assert(
      fc.property(cells, fc.boolean(), fc.nat(24), (filled, leftTurnsFirst, start) => {
        for (const ring of cellRings(filled, 5, leftTurnsFirst)) {
          const turned = [...ring.slice(start % ring.length), ...ring.slice(0, start % ring.length)]
          expect(checkAgainstBruteForce([turned])).toBe('valid')
          if (new Set(ring.map(String)).size < ring.length) touching++
        }
      }),
      runs(500),
    )
    expect(touching).toBeGreaterThan(runCount(100))
  })

  it('gives the same verdict with the grid sheared, scaled down and moved by exact amounts', () => {
    fc.assert(
      fc.property(
        gridRing(4, 7),
        fc.integer({ min: -300, max: 300 }),
        fc.integer({ min: -3, max: 3 }),
        (ring, e, k) => {
          const scale = 2 ** e
          const moved = ring.map(([x, y]): Point => [x * scale, (y + k * x) * scale])
          const pick = ({ fault }: ReturnType<typeof region>): unknown[] => [fault?.kind]
          expect(pick(region([moved]))).toEqual(pick(region([ring])))
        },
      ),
      runs(2000),
    )
  })

  /** The first pair in conflict, by trying all pairs of edges. */
  function firstConflict(ring: readonly Point[]): number[] | null {
    const loop = createOutline()
    setChain(loop, Float64Array.from(ring.flat()), ring.length, true, 1, 0)
    const out = createEdgeIntersection()
    for (let e = 0; e < loop.edgeCount; e++) {
      for (let f = e + 1; f < loop.edgeCount; f++) {
        if (edgesConflict(loop, e, f, out)) return [loop.edgeNames[e], loop.edgeNames[f]].map(featureIndex)
      }
    }
    return null
  }

  it('finds what trying all pairs finds, a few units in the last place off the grid', () => {
    const near = fc
      .tuple(fc.nat(3), fc.constantFrom(0, 0, 0, 1, -1, 2))
      .map(([n, steps]) => nextAfter((n + 1) / 10, steps))
    let valid = 0
    fc.assert(
      fc.property(fc.array(fc.tuple(near, near), { minLength: 4, maxLength: 8 }), (ring) => {
        const { fault, outline } = region([ring])
        if (fault === null && !outline.solid) return
        expect(fault === null ? null : [fault.edgeA, fault.edgeB]).toEqual(firstConflict(ring))
        if (fault === null) valid++
      }),
      runs(10_000),
    )
    expect(valid).toBeGreaterThan(runCount(200))
  })

  it('finds what trying all pairs finds on long outlines', () => {
    const radius = fc.integer({ min: 3, max: 9 })
    const exchange = fc.option(fc.tuple(fc.nat(200), fc.integer({ min: 1, max: 3 })), { nil: null })
    let valid = 0
    fc.assert(
      fc.property(fc.array(radius, { minLength: 20, maxLength: 200 }), exchange, (radii, swap) => {
        // Rays from a centre that the outline passes through again and again: it touches itself there.
        const star = radii.flatMap((r, i): Point[] => {
          const angle = (i * 2 * Math.PI) / radii.length
          const tip: Point = [r * Math.cos(angle), r * Math.sin(angle)]
          return r === 3 && i % 2 === 0 ? [[0, 0], tip] : [tip]
        })
        if (swap !== null && swap[0] + swap[1] < star.length) {
          const [at, apart] = swap
          const moved = star[at]
          star[at] = star[at + apart]
          star[at + apart] = moved
        }
        const { fault } = region([star])
        expect(fault === null ? null : [fault.edgeA, fault.edgeB]).toEqual(firstConflict(star))
        if (fault === null) valid++
      }),
      runs(200),
    )
    expect(valid).toBeGreaterThan(runCount(20))
  })

  it.each<[string, Point[], object | null]>([
    [
      'a bow-tie',
      [
        [958.4658, 115.4169],
        [1565.7858, 690.9971],
        [536.2902, 560.8729],
        [1143.6102, 1136.4531],
      ],
      { kind: 'crossing', edgeA: 1, edgeB: 3, x: 1051.038, y: 625.935 },
    ],
    [
      'two crossings, the first of them named',
      [
        [48, 1],
        [70, -28],
        [51, -58],
        [17, -49],
        [78.69931639118523, -52.394108883581644],
      ],
      { kind: 'crossing', edgeA: 1, edgeB: 3, x: 55.3634, y: -51.1104 },
    ],
    [
      'a far spike',
      [
        [15, -14],
        [17, -49],
        [51, -58],
        [70, -28],
        [136.56366555776418, -49.38052989277156],
      ],
      { kind: 'crossing', x: 68.9265, y: -29.695 },
    ],
    [
      'a slender pentagon',
      [
        [2.88, 11.04],
        [3.84, 10.56],
        [5.12, 10.56],
        [5.12, 10.88],
        [5.44, 11.04],
      ],
      null,
    ],
    [
      'a notched polygon',
      [
        [0, 0],
        [300, 280],
        [200, 300],
        [150, 350],
        [0, 400],
        [400, 400],
        [400, 0],
      ],
      null,
    ],
    [
      'a plus, clockwise',
      [
        [-45, 0],
        [-40, 4],
        [-5, 4],
        [-4, 40],
        [0, 45],
        [4, 40],
        [5, 4],
        [40, 4],
        [45, 0],
        [40, -4],
        [5, -4],
        [4, -40],
        [0, -45],
        [-4, -40],
        [-5, -4],
        [-40, -4],
      ],
      null,
    ],
  ])('decides %s, from any vertex, either way round', (_name, ring, expected) => {
    const { fault, outline } = region([ring])
    if (expected === null) {
      expect(fault).toBeNull()
      expect(outline.edgeCount).toBe(ring.length)
    } else {
      const { x, y, ...rest } = expected as OutlineFault
      expect(fault).toMatchObject(rest)
      expect(fault?.x).toBeCloseTo(x, 3)
      expect(fault?.y).toBeCloseTo(y, 3)
    }
    for (let turn = 0; turn < ring.length; turn++) {
      const turned = [...ring.slice(turn), ...ring.slice(0, turn)]
      expect(region([turned]).fault === null).toBe(expected === null)
      expect(region([turned.reverse()]).fault === null).toBe(expected === null)
    }
  })

  it('sees one unit in the last place', () => {
    const square = (notch: number): Point[] => [
      [0, 0],
      [1, 0],
      [1, 1],
      [0.5, notch],
      [0, 1],
    ]
    const up = nextAfter(0, 1)
    expect(region([square(up)]).fault).toBeNull()
    // Touching the bottom from inside is legal, passing through it is not.
    expect(region([square(0)]).fault).toBeNull()
    expect(region([square(-up)]).fault).toMatchObject({ kind: 'crossing', edgeA: 0, edgeB: 2 })
    const sliver = (y: number): Point[] => [
      [0.1, 0.1],
      [0.7, 0.7],
      [0.3, y],
    ]
    for (const steps of [-1, 0, 1]) {
      const { fault, outline } = region([sliver(nextAfter(0.3, steps))])
      expect([fault, outline.solid]).toEqual([null, steps !== 0])
    }
  })

  it.each([1e100, 1e-100, 1e-160, 1e-300])('decides coordinates of the size of %s', (size) => {
    const scaled = (ring: Point[]): Point[] => ring.map(([x, y]) => [x * size, y * size])
    const good: Point[] = [
      [0, 0],
      [1, 0],
      [0.75, 0.5],
      [1, 1],
      [0, 1],
    ]
    const bad: Point[] = [
      [0, 0],
      [1, 0],
      [-0.5, 0.5],
      [1, 1],
      [0, 1],
    ]
    expect(region([scaled(good)]).fault).toBeNull()
    const { fault } = region([scaled(bad)])
    expect(fault).toMatchObject({ kind: 'crossing', edgeA: 1, edgeB: 4, x: 0 })
    expect((fault?.y ?? 0) / size).toBeCloseTo(1 / 3, 12)
  })

  it('names edges and rings by the index over all rings, and gives the crossing at mixed scales', () => {
    const outer: Point[] = [
      [-1e100, -1e100],
      [1e100, -1e100],
      [1e100, 1e100],
      [-1e100, 1e100],
    ]
    const hole: Point[] = [
      [1, 1],
      [1, 2],
      [2, 2],
    ]
    expect(region([outer, hole]).fault).toBeNull()
    const second: Point[] = [
      [0, 0],
      [4, 0],
      [1.25, 1.5],
    ]
    expect(region([outer, hole, second]).fault).toMatchObject({
      kind: 'crossing',
      edgeA: 4,
      edgeB: 9,
      ringA: 1,
      ringB: 2,
      x: 1,
      y: 1.2,
    })
    const outside: Point[] = [
      [2e100, 0],
      [3e100, 0],
      [3e100, 1],
    ]
    expect(region([outer, hole, outside]).fault).toMatchObject({
      kind: 'hole-outside',
      edgeA: 7,
      ringA: 2,
      ringB: 0,
      x: 2e100,
    })
    const around: Point[] = [
      [0, 0],
      [9, 0],
      [0, 9],
    ]
    expect(region([outer, hole, around]).fault).toMatchObject({ kind: 'hole-nested', edgeA: 4, ringA: 1, ringB: 2 })
  })

  it('takes rings without area as the flat sets they are', () => {
    const flat: Point[] = [
      [0, 0],
      [4, 4],
      [1, 1],
      [2, 2],
    ]
    const { fault, outline } = region([flat])
    expect([fault, outline.solid, outline.edgeCount]).toEqual([null, false, 4])
    const point = region([
      [
        [3, 1],
        [3, 1],
        [3, 1],
      ],
    ])
    expect([point.fault, point.outline.solid, point.outline.edgeCount, point.outline.edgeEnd[0]]).toEqual([
      null,
      false,
      1,
      0,
    ])
    const triangle: Point[] = [
      [0, 0],
      [9, 0],
      [0, 9],
    ]
    // A flat hole takes nothing away, wherever it lies.
    expect(region([triangle, flat]).outline.edgeCount).toBe(3)
    expect(region([flat, triangle]).fault).toMatchObject({ kind: 'hole-outside', ringA: 1 })
  })
})
