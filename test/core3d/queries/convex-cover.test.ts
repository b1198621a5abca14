// Flat-sided parts that hold a body together, against the tetrahedra of a lattice: what bounds on coordinates and on their differences bound by
// whole numbers is a union of those into which the planes x = n and x − y = n, and so on, cut space.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contains } from '../../../src/core3d/queries/containment.ts'
import { type AnyBody, anyBodyOf } from '../../support/composite-bodies-3d.ts'
import type { Triple } from '../../support/convex-cases-3d.ts'
import { runs } from '../../support/runs.ts'

const SIZE = 3
const AXES = [0, 1, 2] as const
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const

/** Least and greatest of each coordinate, and of the difference of each pair. */
interface Bounds {
  along: readonly (readonly [number, number])[]
  between: readonly (readonly [number, number])[]
}

const holds = ({ along, between }: Bounds, point: readonly number[]): boolean =>
  AXES.every((k) => point[k] >= along[k][0] && point[k] <= along[k][1]) &&
  PAIRS.every(([i, j], n) => point[i] - point[j] >= between[n][0] && point[i] - point[j] <= between[n][1])

const FREE: readonly [number, number] = [-SIZE, SIZE]
const wide = fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 2, max: SIZE }))
const difference = fc.oneof(fc.constant(FREE), fc.constant(FREE), fc.constant<[number, number]>([-1, 2]))
const bounds: fc.Arbitrary<Bounds> = fc.record({
  along: fc.tuple(wide, wide, wide),
  between: fc.tuple(difference, difference, difference),
})

const whole = Array.from({ length: SIZE + 1 }, (_, i) => i)
const LATTICE: Triple[] = whole.flatMap((x) => whole.flatMap((y) => whole.map((z): Triple => [x, y, z])))

/** The middle of each tetrahedron: coordinates grow from those of a corner in one of six orders. */
const MIDDLES: Triple[] = LATTICE.filter((corner) => Math.max(...corner) < SIZE).flatMap(([x, y, z]) =>
  [
    [1, 2, 3],
    [1, 3, 2],
    [2, 1, 3],
    [2, 3, 1],
    [3, 1, 2],
    [3, 2, 1],
  ].map(([u, v, w]): Triple => [x + u / 4, y + v / 4, z + w / 4]),
)

/** A map of the lattice that leaves no plane as it was: rows of whole numbers, and a translation. */
interface Map3 {
  rows: readonly Triple[]
  way: Triple
}

const SAME: Map3 = {
  rows: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  way: [0, 0, 0],
}
/** With products that no double holds. */
const SHEARED: Map3 = {
  rows: [
    [1_000_003, 37, -511],
    [-299, 999_983, 71],
    [123_457, -8191, 1_000_033],
  ],
  way: [0, 0, 0],
}
const FAR: Map3 = { ...SAME, way: [2 ** 40 + 1, -(2 ** 41) - 3, 2 ** 39 + 5] }

function place({ rows, way }: Map3, point: Triple): Triple {
  return rows.map((row, k) => way[k] + row[0] * point[0] + row[1] * point[1] + row[2] * point[2]) as Triple
}

function hullOf(body: Bounds, map: Map3): AnyBody | null {
  if (!MIDDLES.some((middle) => holds(body, middle))) return null
  const points = LATTICE.filter((point) => holds(body, point)).map((point) => place({ ...map, way: [0, 0, 0] }, point))
  return { shape: { type: 'hull', points }, position: map.way }
}

const compoundOf = (children: AnyBody[]): AnyBody => ({ shape: { type: 'compound', children }, position: [0, 0, 0] })

/** One of the six bounds of a piece, cut in two. */
const cuts = fc.record({
  piece: fc.nat(),
  bound: fc.constantFrom(0, 1, 2, 3, 4, 5),
  at: fc.integer({ min: -2, max: SIZE - 1 }),
})

/** Pieces that make up the body, each of which may reach beyond that. */
const pieces = fc.record({
  whole: bounds,
  cuts: fc.array(cuts, { minLength: 1, maxLength: 8 }),
  /** Of each piece: the bound that is let out, if any, and whether it is there. */
  changes: fc.array(fc.record({ out: fc.nat(8), isThere: fc.nat(14) }), { minLength: 9, maxLength: 9 }),
})

function withBound(body: Bounds, bound: number, range: readonly [number, number]): Bounds {
  const changed = (list: Bounds['along'], k: number) => list.map((each, i) => (i === k ? range : each))
  return bound < 3
    ? { ...body, along: changed(body.along, bound) }
    : { ...body, between: changed(body.between, bound - 3) }
}

const boundOf = ({ along, between }: Bounds, bound: number) => [...along, ...between][bound]

function partsOf({
  whole: body,
  cuts: list,
  changes,
}: typeof pieces extends fc.Arbitrary<infer T> ? T : never): Bounds[] {
  const parts = [body]
  for (const { piece, bound, at } of list) {
    const cut = parts[piece % parts.length]
    const [low, high] = boundOf(cut, bound)
    parts.splice(piece % parts.length, 1, withBound(cut, bound, [low, Math.min(at, high)]))
    parts.push(withBound(cut, bound, [Math.max(at, low), high]))
  }
  return parts.flatMap((part, i) => {
    const { out, isThere } = changes[i]
    if (isThere === 0) return []
    if (out > 5) return part
    const [low, high] = boundOf(part, out)
    return withBound(part, out, [low - 1, high + 1])
  })
}

/** A box as a closed mesh of twelve triangles. */
function solidBox(size: Triple, position: Triple): AnyBody {
  const vertices = [0, 1, 2, 3, 4, 5, 6, 7].map(
    (i): Triple => [0, 1, 2].map((k) => (((i >> k) & 1) - 0.5) * size[k]!) as Triple,
  )
  const faces = [0, 1, 2].flatMap((k) =>
    [0, 1].map((end) => {
      const [u, v] = [1 << ((k + 1) % 3), 1 << ((k + 2) % 3)]
      const at = end << k
      return end === 1 ? [at, at + u, at + u + v, at + v] : [at, at + v, at + u + v, at + u]
    }),
  )
  const triangles = faces.flatMap(([a, b, c, d]): Triple[] => [
    [a!, b!, c!],
    [a!, c!, d!],
  ])
  return { shape: { type: 'mesh', vertices, triangles, solid: true }, position }
}

describe('a compound of flat-sided solids', () => {
  it.each([
    ['whole numbers', SAME, 1500],
    ['large ones', SHEARED, 500],
    ['far away', FAR, 500],
  ] as const)('contains what they hold together: %s', (_name, map, count) => {
    const seen = { together: 0, open: 0 }
    fc.assert(
      fc.property(pieces, (given) => {
        const parts = partsOf(given)
        const children = parts.flatMap((part) => hullOf(part, map) ?? [])
        const body = hullOf(given.whole, map)
        if (body === null || children.length === 0) return
        const inside = MIDDLES.filter((middle) => holds(given.whole, middle))
        const isHeld = inside.every((middle) => parts.some((part) => holds(part, middle)))
        const isAlone = parts.some((part) => inside.every((middle) => holds(part, middle)))
        if (!isAlone) seen[isHeld ? 'together' : 'open']++
        expect(contains(anyBodyOf(compoundOf(children)), anyBodyOf(body))).toBe(isHeld)
      }),
      runs(count),
    )
    expect(Math.min(seen.together, seen.open)).toBeGreaterThan(0)
  })

  const wedge = (points: Triple[], position: Triple = [0, 0, 0]): AnyBody => ({
    shape: { type: 'hull', points },
    position,
  })
  const low: Triple[] = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 1],
    [0, 1, 1],
  ]
  const high: Triple[] = low.map(([x, y, z]): Triple => [1 - x, 1 - y, z])
  const cube: AnyBody = { shape: { type: 'box', size: [1, 1, 1] }, position: [0.5, 0.5, 0.5] }

  it('contains across a slanted seam, and not across a gap of one unit in the last place', () => {
    const held = (way: number) =>
      contains(anyBodyOf(compoundOf([wedge(low), wedge(high, [way, 0, 0])])), anyBodyOf(cube))
    expect(held(0)).toBe(true)
    expect(held(2 ** -1074)).toBe(false)
    expect(held(-(2 ** -53))).toBe(false)
    const wide = (way: number) => {
      const wider = [0, 1].flatMap((z): Triple[] => [
        [2, -1, z],
        [-1, 2, z],
        [2, 2, z],
      ])
      return contains(anyBodyOf(compoundOf([wedge(low), wedge(wider, [way, 0, 0])])), anyBodyOf(cube))
    }
    expect(wide(-(2 ** -52))).toBe(true)
    expect(wide(2 ** -60)).toBe(false)
  })

  it('does not contain what it encloses', () => {
    const slab = (k: number, at: number): AnyBody => ({
      shape: { type: 'box', size: [0, 1, 2].map((i) => (i === k ? 1 : 3)) as Triple },
      position: [0, 1, 2].map((i) => (i === k ? at : 1.5)) as Triple,
    })
    const shell = AXES.flatMap((k) => [slab(k, 0.5), slab(k, 2.5)])
    const guest: AnyBody = { shape: { type: 'box', size: [2.5, 2.5, 2.5] }, position: [1.5, 1.5, 1.5] }
    const tilted: AnyBody = { ...wedge(low.map(([x, y, z]): Triple => [x + 1, y + 1, z + 1])) }
    const rest: AnyBody = { ...wedge(high.map(([x, y, z]): Triple => [x + 1, y + 1, z + 1])) }
    expect(contains(anyBodyOf(compoundOf(shell)), anyBodyOf(guest))).toBe(false)
    expect(contains(anyBodyOf(compoundOf([...shell, tilted])), anyBodyOf(guest))).toBe(false)
    expect(contains(anyBodyOf(compoundOf([...shell, tilted, rest])), anyBodyOf(guest))).toBe(true)
    // a solid mesh too, whose surface the shell holds, and a shell of meshes
    const solid = solidBox([2.5, 2.5, 2.5], [1.5, 1.5, 1.5])
    const meshes = shell.map(({ shape, position }) => solidBox(shape.size as Triple, position as Triple))
    const core: AnyBody = { shape: { type: 'box', size: [1, 1, 1] }, position: [1.5, 1.5, 1.5] }
    for (const around of [shell, meshes]) {
      expect(contains(anyBodyOf(compoundOf(around)), anyBodyOf(solid))).toBe(false)
      const filled = compoundOf([...around, solidBox([3, 3, 3], [1.5, 1.5, 1.5])])
      expect(contains(anyBodyOf(filled), anyBodyOf(solid))).toBe(true)
    }
    expect(contains(anyBodyOf(compoundOf([...shell, core])), anyBodyOf(solid))).toBe(true)
    expect(contains(anyBodyOf(compoundOf([...shell, tilted, rest])), anyBodyOf(solid))).toBe(true)
  })
})
