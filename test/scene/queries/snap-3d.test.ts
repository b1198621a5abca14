// Motions that snap in space: flush, overlapping nothing, in order, and none left out that a search of all features finds.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body3d } from '../../../schemas/shapes3d.ts'
import { Pace } from '../../../src/containers/budget.ts'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { relate } from '../../../src/core3d/queries/overlap.ts'
import { type Body, createBody, cross, dot, POSITION, VERTICES, type Vector } from '../../../src/core3d/shape/body.ts'
import type { Turn } from '../../../src/core3d/shape/turn.ts'
import { UNDESCRIBED } from '../../../src/scene/queries/described-body.ts'
import { querySnap3d, type SnapAnswer3d, type SnapQuery3d } from '../../../src/scene/queries/snap-3d.ts'
import { featuresOf3d, type SnapFeature3d, type SnapKind3d } from '../../../src/scene/queries/snap-features-3d.ts'
import type { Space } from '../../../src/scene/state/geometry.ts'
import type { SceneBody } from '../../../src/scene/state/operation.ts'
import { apply, createScene } from '../../../src/scene/state/scene.ts'
import { idAt, presentView, type View } from '../../../src/scene/state/view.ts'
import { decodeBody } from '../../../src/wire/body-3d.ts'
import { prepareShape } from '../../../src/wire/scene-body.ts'
import { finished } from '../../support/answers/finished.ts'
import { GRID, UNIFORM } from '../../support/families/arbitraries.ts'
import { bodyOf3d, SHAPE_TYPES_3D } from '../../support/families/arbitrary-shapes-3d.ts'
import { seededRandom } from '../../support/families/box-sets.ts'
import { terrain } from '../../support/families/generated-meshes-3d.ts'
import { boxMesh, pitMesh } from '../../support/families/meshes-3d.ts'
import { runCount, unshrunk } from '../../support/runs.ts'

type Wire = Pick<SceneBody, 'shape'> & Partial<SceneBody>

function viewOf(list: readonly SceneBody[]): View<Space> {
  const scene = createScene(prepareShape)
  const create = { op: 'create' as const, sceneId: 's', name: null, dimension: 3 as const, margin: 0.5, at: 0 }
  apply(scene, { version: 1, at: 0, operations: [create] })
  apply(scene, { version: 2, at: 0, operations: list.map((body) => ({ op: 'put' as const, body })) })
  return presentView(scene) as View as View<Space>
}

function prepare(wire: Wire): Body {
  const body = createBody()
  const problem = decodeBody(wire as unknown as Body3d, body, { maxVertices: 1e6, maxParts: 1e4 } as never)
  if (problem !== null) throw new Error(`${problem.code}: ${problem.detail}`)
  return body
}

const kinds = (...list: SnapKind3d[]) => new Set(list)
const ALL = ['vertex', 'edge', 'face', 'midpoint', 'center'] as const
const point = ([x, y, z]: readonly number[]) => ({ x, y, z })
const tuple = ({ x, y, z }: { x: number; y: number; z: number }): Vector => [x, y, z]
const turned = ([x, y, z, w]: Turn) => ({ x, y, z, w })

function snap(view: View<Space>, wire: Wire, given: Partial<SnapQuery3d>): SnapAnswer3d {
  const { x, y, z, w } = (wire.orientation ?? { x: 0, y: 0, z: 0, w: 1 }) as {
    x: number
    y: number
    z: number
    w: number
  }
  return finished(
    querySnap3d(view, {
      position: tuple((wire.position ?? { x: 0, y: 0, z: 0 }) as never),
      orientation: [x, y, z, w],
      maxDistance: 1,
      kinds: kinds(...ALL),
      grid: null,
      mayTurn: false,
      accepts: () => true,
      limit: 1000,
      *prepared(orientation) {
        yield
        const own = {
          ...wire,
          position: { x: 0, y: 0, z: 0 },
          ...(orientation && { orientation: turned(orientation) }),
        }
        return { body: prepare(own), describe: UNDESCRIBED }
      },
      ...given,
    }),
  )
}

const box = (x: number, y: number, z: number) => ({ type: 'box', size: { x, y, z } })
const FLOOR: SceneBody = { id: 'floor', shape: box(20, 2, 20), position: { x: 0, y: -1, z: 0 } } as never
const flat = ({ vertices = [], triangles = [], solid = false }: ReturnType<typeof boxMesh>) => {
  return { type: 'mesh', vertices: vertices.flat(), triangles: triangles.flat(), solid }
}
const convexBodies = SHAPE_TYPES_3D.filter((type) => type !== 'halfspace').flatMap((type) => [
  bodyOf3d(type, GRID),
  bodyOf3d(type, UNIFORM),
])
const meshBodies = fc
  .record({
    shape: fc.constantFrom(flat(pitMesh()), flat(boxMesh([0, 0, 0], [2, 1, 3], false))),
    x: fc.integer({ min: -6, max: 6 }),
  })
  .map(({ shape, x }) => ({ shape, position: { x, y: 0, z: 0 } }))
const anyBody = fc.oneof({ weight: 6, arbitrary: fc.oneof(...convexBodies) }, { weight: 1, arbitrary: meshBodies })
/** Where it would stand, as a body. */
const standing = (wire: Wire, { position, orientation }: { position: Vector; orientation: Turn | null }) =>
  prepare({ ...wire, position: point(position), ...(orientation && { orientation: turned(orientation) }) } as never)

describe('snap in space', () => {
  it('lays faces on faces, also out of what it stands in a little', () => {
    for (const y of [1.25, 0.75]) {
      const { found } = snap(viewOf([FLOOR]), { shape: box(2, 2, 2), position: { x: 1, y, z: 3 } } as never, {
        kinds: kinds('face'),
      })
      expect(found).toMatchObject([{ position: [1, 1, 3], distance: 0.25, turn: null }])
    }
  })

  it('lays corners on corners and edges, edges on edges, and middles on middles', () => {
    const view = viewOf([FLOOR])
    const at = (x: number, y: number, z: number): Wire => ({ shape: box(2, 2, 2), position: { x, y, z } }) as never
    expect(snap(view, at(9.25, 1.25, 9.25), { kinds: kinds('vertex') }).found).toMatchObject([{ position: [9, 1, 9] }])
    expect(snap(view, at(9.25, 1.25, 3), { kinds: kinds('edge') }).found).toMatchObject([{ position: [9, 1, 3] }])
    expect(snap(view, at(0.25, 1.25, 0.5), { kinds: kinds('midpoint') }).found).toMatchObject([{ position: [0, 1, 0] }])
    const column = { id: 'c', shape: box(1, 4, 1), position: { x: 0, y: 8, z: 0 } } as never
    const ring = {
      shape: { type: 'compound', children: [-2, 2].map((x) => ({ shape: box(1, 1, 1), position: { x, y: 0, z: 0 } })) },
    }
    const around = { ...ring, position: { x: 0.25, y: 8, z: 0.25 } } as never
    expect(snap(viewOf([column]), around, { kinds: kinds('center') }).found).toMatchObject([{ position: [0, 8, 0] }])
  })

  it('closes the gap of round bodies', () => {
    const wire = { shape: { type: 'sphere', radius: 1 }, position: { x: 3, y: 1.5, z: 3 } } as never
    const { found } = snap(viewOf([FLOOR]), wire, {})
    expect(found).toMatchObject([
      { position: [3, 1, 3], distance: 0.5, target: { kind: 'touched', names: [2, 6, 7, 3] } },
    ])
  })

  it('puts bodies on a grid, where nothing is', () => {
    const grid = { origin: [0.5, 0, 0.25] as const, size: [1, 2, 1] as const }
    const wire = { shape: box(1, 1, 1), position: { x: 0.875, y: 2.25, z: 0.5 } } as never
    const all = snap(viewOf([]), wire, { kinds: kinds('vertex'), grid }).found
    expect(all[0]).toMatchObject({ position: [1, 2.5, 0.75], slot: -1, target: null })
    expect(snap(viewOf([]), wire, { kinds: kinds('center'), grid }).found).toMatchObject([{ position: [0.5, 2, 0.25] }])
    // an edge goes onto a line of the grid, a face onto a plane of it
    const onLines = snap(viewOf([]), wire, { kinds: kinds('edge'), grid }).found
    expect(onLines).toContainEqual(expect.objectContaining({ position: [1, 2.25, 0.75] }))
    expect(snap(viewOf([]), wire, { kinds: kinds('face'), grid }).found[0]).toMatchObject({ position: [1, 2.25, 0.5] })
    const ball = { shape: { type: 'sphere', radius: 0.5 }, position: { x: 0.875, y: 2.25, z: 0.5 } } as never
    expect(snap(viewOf([]), ball, { kinds: kinds(), grid }).found[0]).toMatchObject({ position: [1, 2.5, 0.75] })
    const block = { id: 'b', shape: box(0.5, 0.5, 0.5), position: { x: 0.5, y: 2, z: 0.25 } } as never
    expect(snap(viewOf([block]), wire, { kinds: kinds('center'), grid }).found).toEqual([])
  })

  it('finds all that a search of all features finds, on a thousand scenes of small integers, nearest first', () => {
    const random = seededRandom(31)
    let some = 0
    for (let k = 0; k < runCount(1000); k++) {
      const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
      const isBoxes = k % 3 !== 0
      const solid = (): Wire['shape'] => {
        if (isBoxes) return box(2 * whole(1, 2), 2 * whole(1, 2), 2 * whole(1, 2)) as never
        const points = Array.from({ length: whole(4, 6) }, () => point([whole(-2, 2), whole(-2, 2), whole(-2, 2)]))
        return { type: 'hull', points } as never
      }
      const list = Array.from({ length: whole(1, 3) }, (_, i) => ({
        id: `b${i}`,
        shape: solid(),
        position: point([whole(-4, 4), whole(-4, 4), whole(-4, 4)]),
      })) as unknown as SceneBody[]
      const wire = { shape: solid(), position: point([whole(-1, 1), whole(-1, 1), whole(-1, 1)]) } as never
      const chosen = kinds(...ALL.filter((kind) => kind !== 'center' && random() < 0.6))
      const maxDistance = whole(1, 3)
      const { found } = snap(viewOf(list), wire, { kinds: chosen, maxDistance })
      some += found.length
      checkAgainstSearch(list, wire, chosen, maxDistance, found, isBoxes)
    }
    expect(some).toBeGreaterThan(runCount(1000))
  })

  it('turns a face onto a face and an edge onto an edge, to the last digit', () => {
    const random = seededRandom(7)
    const wall = { id: 'wall', shape: box(2, 20, 20), position: { x: -1, y: 0, z: 0 } } as never
    for (let k = 0; k < runCount(100); k++) {
      const [x, y, z, w] = Array.from({ length: 4 }, () => random() - 0.5)
      const size = Math.hypot(x, y, z, w)
      const orientation = { x: x / size, y: y / size, z: z / size, w: w / size }
      const wire = { shape: box(1, 2, 3), position: { x: 2, y: random(), z: random() }, orientation } as never
      const { found } = snap(viewOf([wall]), wire, { kinds: kinds('face'), mayTurn: true, maxDistance: 3 })
      expect(found.length).toBeGreaterThan(2)
      for (const candidate of found) {
        const body = standing(wire, candidate)
        const heights = Array.from({ length: 8 }, (_, i) => body.numbers[POSITION] + body.numbers[VERTICES + 3 * i])
        expect(heights.toSorted((a, b) => a - b).slice(0, 4)).toEqual([0, 0, 0, 0])
        expect(relate(prepare(wall), body)).toBe(0)
      }
    }
    // beside an upright edge of the wall
    const orientation = { x: 0.2, y: 0.1, z: 0, w: Math.sqrt(0.95) }
    const wire = { shape: box(1, 1, 1), position: { x: 0.75, y: 3, z: 10.75 }, orientation } as never
    const { found } = snap(viewOf([wall]), wire, { kinds: kinds('edge'), mayTurn: true })
    expect(found.length).toBeGreaterThan(0)
    for (const candidate of found) {
      const { numbers } = standing(wire, candidate)
      const ends = candidate.own.points.map((i) =>
        [0, 1, 2].map((a) => numbers[POSITION + a] + numbers[VERTICES + 3 * i + a]),
      )
      const { way, places } = candidate.target as SnapFeature3d
      const along = (way as Vector).findIndex((side) => side !== 0)
      const across = [0, 1, 2].filter((axis) => axis !== along)
      const on = places[0].at
      for (const axis of across) for (const end of ends) expect(end[axis]).toBeCloseTo(on[axis], 14)
    }
  })

  it('of any shapes: free, in order, no farther than asked', () => {
    let some = 0
    fc.assert(
      fc.property(fc.array(anyBody, { maxLength: 3 }), anyBody, fc.boolean(), (others, own, mayTurn) => {
        const list = others.map((body, i) => ({ ...body, id: `b${i}` })) as unknown as SceneBody[]
        const view = viewOf(list)
        const wire = own as Wire & { shape: { type: string } }
        const isTurned = mayTurn && wire.shape.type !== 'aabb'
        const { found } = snap(view, wire, { maxDistance: 2, mayTurn: isTurned, limit: 20 })
        let last = 0
        for (const candidate of found) {
          some++
          expect(candidate.distance).toBeGreaterThanOrEqual(last)
          expect(candidate.distance).toBeLessThanOrEqual(2 + 1e-12)
          last = candidate.distance
          const body = standing(wire, candidate)
          for (const each of list) expect(relate(prepare(each), body)).toBeGreaterThanOrEqual(0)
          expect(list.some(({ id }) => id === idAt(view, candidate.slot))).toBe(true)
        }
      }),
      unshrunk(150),
    )
    expect(some).toBeGreaterThan(runCount(100))
  })

  it('gives the same answer at any scale', () => {
    const random = seededRandom(12)
    let some = 0
    for (let n = -300; n <= 300; n += 30) {
      const k = 2 ** n
      const at = () => point([random() * 4, random() * 4, random() * 4])
      const hull = () => ({ type: 'hull', points: Array.from({ length: 6 }, at) })
      const scaled = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'number' ? each * k : each))
      const list = [{ id: 'b', shape: hull(), position: { x: 3, y: 0, z: 0 } }]
      const wire = { shape: hull() }
      const plain = snap(viewOf(list as never), wire as never, { maxDistance: 2 }).found
      const large = snap(viewOf(scaled(list) as never), scaled(wire) as never, { maxDistance: 2 * k }).found
      some += plain.length
      expect(large.map(({ position }) => position)).toEqual(plain.map(({ position }) => position.map((x) => x * k)))
    }
    expect(some).toBeGreaterThan(20)
  })

  it('looks at features near alone: of meshes of 100,000 triangles by their tree, of hulls of 4,096 points by their boxes', () => {
    const ground = { id: 'ground', shape: flat(terrain(224)), position: { x: 0, y: 0, z: 0 } } as never
    const view = viewOf([ground])
    const body = prepare(ground)
    const crate = { shape: box(0.5, 0.5, 0.5), position: { x: 100, y: 100, z: 5 } } as never
    const near = finished(
      featuresOf3d(body, kinds('vertex', 'edge', 'face'), Float64Array.of(99, 99, -9, 101, 101, 9), new Pace()),
    )
    expect(near.list.length).toBeGreaterThan(0)
    expect(near.list.length).toBeLessThan(200)
    const down = snap(view, crate, { maxDistance: 4, limit: 3 })
    expect(down.found.length).toBeGreaterThan(0)
    for (const candidate of down.found) expect(relate(body, standing(crate, candidate))).toBeGreaterThanOrEqual(0)
    const random = seededRandom(3)
    const round = Array.from({ length: 4096 }, () => {
      const [x, y, z] = [random() - 0.5, random() - 0.5, random() - 0.5]
      const size = Math.hypot(x, y, z)
      return point([x / size, y / size, z / size])
    })
    const hull = { shape: { type: 'hull', points: round }, position: { x: 2.03, y: 0, z: 0 } } as never
    const pair = viewOf([{ id: 'other', shape: { type: 'hull', points: round } }] as never)
    const { found } = snap(pair, hull, { maxDistance: 0.05, limit: 2 })
    expect(found.length).toBe(2)
  })

  it('lays meshes on meshes, as the solids that they bound', () => {
    const random = seededRandom(9)
    for (let k = 0; k < runCount(100); k++) {
      const whole = (most: number) => Math.floor(random() * (most + 1))
      const [x, y, z] = [1 + whole(2), 1 + whole(2), 1 + whole(2)]
      const position = point([whole(3) - 1, 3 + random(), whole(3) - 1])
      const floor = flat(boxMesh([-2, 0, -2], [2, 2, 2]))
      const own = flat(boxMesh([0, 0, 0], [x, y, z]))
      const asHulls = (shape: { vertices: number[] }) => ({
        type: 'hull',
        points: Array.from({ length: 8 }, (_, i) => point(shape.vertices.slice(3 * i, 3 * i + 3))),
      })
      const places = (asMesh: boolean) => {
        const list = [{ id: 'floor', shape: asMesh ? floor : asHulls(floor as never) }] as never
        const wire = { shape: asMesh ? own : asHulls(own as never), position } as never
        const found = snap(viewOf(list), wire, { maxDistance: 2, kinds: kinds('vertex', 'edge', 'face') }).found
        return found.map((candidate) => candidate.position.join()).sort()
      }
      expect(places(true)).toEqual(places(false))
    }
  })
})

// A search of all features that shares nothing with the query: hulls by trying all planes through three points.

interface Feature {
  kind: SnapKind3d
  points: Vector[]
  /** Outward, not of unit length. */
  normal: Vector | null
}

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const plus = (a: Vector, b: Vector, scale = 1): Vector => [
  a[0] + scale * b[0],
  a[1] + scale * b[1],
  a[2] + scale * b[2],
]
const mean = (points: Vector[]): Vector =>
  points.reduce((sum, each) => plus(sum, each, 1 / points.length), [0, 0, 0] as Vector)

function pointsOf({ shape, position }: Wire): Vector[] {
  const at = tuple((position ?? { x: 0, y: 0, z: 0 }) as never)
  const { type, size, points } = shape as unknown as { type: string; size: never; points: never[] }
  if (type === 'hull') return points.map((each) => plus(tuple(each), at))
  const half = tuple(size).map((side) => side / 2)
  return Array.from({ length: 8 }, (_, i) =>
    plus([0, 1, 2].map((k) => ((i >> k) & 1 ? half[k] : -half[k])) as never, at),
  )
}

/** null: the points lie in one plane. */
function featuresBySearch(wire: Wire): Feature[] | null {
  const points = [...new Map(pointsOf(wire).map((each) => [each.join(), each])).values()]
  const faces = new Map<string, { on: Vector[]; normal: Vector }>()
  for (const a of points) {
    for (const b of points) {
      for (const c of points) {
        const normal = cross(minus(b, a), minus(c, a))
        if (normal.every((side) => side === 0) || points.some((each) => dot(normal, minus(each, a)) > 0)) continue
        const on = points.filter((each) => dot(normal, minus(each, a)) === 0)
        if (on.length === points.length) return null
        faces.set(on.map((each) => each.join()).join(' '), { on, normal })
      }
    }
  }
  const features: Feature[] = []
  const edges = new Map<string, Vector[]>()
  for (const { on, normal } of faces.values()) {
    const ring: Vector[] = []
    // counter-clockwise: the next corner has all others to the left
    let corner = on.find((p) => on.some((q) => q !== p && isSide(p, q, on, normal))) as Vector
    do {
      ring.push(corner)
      const from = corner
      corner = on.find((q) => q !== from && isSide(from, q, on, normal)) as Vector
      edges.set(
        [from, corner]
          .map((each) => each.join())
          .sort()
          .join(' '),
        [from, corner],
      )
    } while (corner !== ring[0])
    features.push(
      { kind: 'face', points: ring, normal },
      { kind: 'midpoint', points: [mean(ring), ...ring], normal: null },
    )
  }
  for (const ends of edges.values()) {
    features.push(
      { kind: 'edge', points: ends, normal: null },
      { kind: 'midpoint', points: [mean(ends), ...ends], normal: null },
    )
  }
  const corners = new Map([...edges.values()].flat().map((each) => [each.join(), each]))
  for (const each of corners.values()) features.push({ kind: 'vertex', points: [each], normal: null })
  return features
}

/** Whether pq is a whole side of the hull of points in a plane, which lies to its left. */
function isSide(p: Vector, q: Vector, on: Vector[], normal: Vector): boolean {
  const way = minus(q, p)
  return on.every((each) => {
    const left = dot(cross(way, minus(each, p)), normal)
    const along = dot(way, minus(each, p))
    return left > 0 || (left === 0 && along >= 0 && along <= dot(way, way))
  })
}

/** The motions, and whether what the two have in common then is more than rounding decides. */
function* motionsBySearch(own: Feature[], target: Feature[], chosen: ReadonlySet<SnapKind3d>) {
  const sizeOf = ({ kind }: Feature) => (kind === 'face' ? 2 : kind === 'edge' ? 1 : 0)
  for (const a of own) {
    for (const b of target) {
      if (!chosen.has(a.kind) || !chosen.has(b.kind)) continue
      if ((a.kind === 'midpoint') !== (b.kind === 'midpoint')) continue
      if (a.kind === 'midpoint') {
        if ((a.points.length === 3) === (b.points.length === 3))
          yield { shift: minus(b.points[0], a.points[0]), margin: 1 }
        continue
      }
      const [small, large] = sizeOf(a) > sizeOf(b) ? [b, a] : [a, b]
      const way = minus(b.points[0], a.points[0])
      const direction = ({ points }: Feature) => minus(points[1], points[0])
      let shift = way
      if (large.normal !== null) {
        if (
          small.normal !== null &&
          (!isZero(cross(small.normal, large.normal)) || dot(small.normal, large.normal) > 0)
        )
          continue
        if (small.kind === 'edge' && dot(direction(small), large.normal) !== 0) continue
        shift = plus([0, 0, 0], large.normal, dot(way, large.normal) / dot(large.normal, large.normal))
      } else if (large.kind === 'edge') {
        const line = direction(large)
        if (small.kind === 'edge' && !isZero(cross(direction(small), line))) continue
        shift = plus(way, line, -dot(way, line) / dot(line, line))
      }
      const moved = small.points.map((each) => plus(each, shift, small === a ? 1 : -1))
      const margin = marginOf(moved, large)
      if (margin > -1e-9) yield { shift, margin }
    }
  }
}

const isZero = (vector: Vector) => vector.every((side) => side === 0)

/** By how much two features have more than a rim in common, negative where they have not; exact in whole numbers. */
function marginOf(small: Vector[], { points, normal }: Feature): number {
  if (points.length === 1) return 1
  if (normal === null) {
    const line = minus(points[1], points[0])
    const heights = small.map((each) => dot(minus(each, points[0]), line))
    if (small.length === 1) return onRim(Math.min(heights[0], dot(line, line) - heights[0]))
    return strict(Math.min(dot(line, line) - Math.min(...heights), Math.max(...heights)))
  }
  const sides = (ring: Vector[], up: Vector, each: Vector[]) =>
    ring.map((from, i) => each.map((p) => dot(cross(minus(ring[(i + 1) % ring.length], from), minus(p, from)), up)))
  const inside = sides(points, normal, small)
  if (small.length === 1) return onRim(Math.min(...inside.flat()))
  if (small.length > 2) {
    const back = sides(small, [-normal[0], -normal[1], -normal[2]], points)
    return strict(Math.min(...[...inside, ...back].map((list) => Math.max(...list))))
  }
  let [start, end] = [0, 1]
  for (const [p, q] of inside) {
    if (p <= 0 && q <= 0 && (p < 0 || q < 0)) return Math.max(p, q) > -1e-9 ? ON_RIM : -1
    if (p < 0) start = Math.max(start, p / (p - q))
    if (q < 0) end = Math.min(end, p / (p - q))
  }
  return strict(end - start)
}

/** A rim counts for a point, and not for more. Rounded numbers that are as good as 0 are neither sure to be in nor out. */
const onRim = (value: number) => (value >= 0 ? Math.max(value, 0) : value)
const strict = (value: number) => (value === 0 ? ON_RIM : value)
/** As good as in, and of what is exact out. */
const ON_RIM = -1e-12

const met = createContact()

function checkAgainstSearch(
  list: readonly SceneBody[],
  wire: Wire,
  chosen: ReadonlySet<SnapKind3d>,
  maxDistance: number,
  found: SnapAnswer3d['found'],
  isExact: boolean,
): void {
  const own = featuresBySearch(wire)
  const others = list.map(featuresBySearch)
  if (own === null || others.some((each) => each === null)) return
  const position = tuple(wire.position as never)
  const wanted = new Map<string, { place: Vector; isSure: boolean }>()
  for (const target of others) {
    for (const { shift, margin } of motionsBySearch(own, target as Feature[], chosen)) {
      if (Math.hypot(...shift) > maxDistance + 1e-9 || (isExact && margin < 0)) continue
      const place = plus(position, shift)
      const isNearLimit = !isExact && Math.abs(Math.hypot(...shift) - maxDistance) < 1e-9
      const isSure = (isExact || margin > 1e-6) && !isNearLimit
      const key = place.map((side) => side.toFixed(6).replace('-0.000000', '0.000000')).join()
      if (!wanted.has(key) || isSure) wanted.set(key, { place, isSure })
    }
  }
  const bodies = list.map(prepare)
  const isAt = (place: Vector) => found.some((each) => Math.hypot(...minus(each.position, place)) < 1e-9)
  for (const { place, isSure } of wanted.values()) {
    const body = prepare({ ...wire, position: point(place) } as never)
    const depths = bodies.map((each) => {
      if (isExact) return relate(each, body)
      contact(each, body, met)
      return met.separation
    })
    const isFree = depths.every((depth) => depth > -1e-9)
    const touches = depths.filter((depth) => Math.abs(depth) < 1e-9).length
    // wedged between two slanted bodies it may be stuck by a rounding
    if (isFree && isSure && (isExact || touches < 2)) expect(isAt(place)).toBe(true)
    if (!isFree) expect(isAt(place)).toBe(false)
  }
  for (const { position: place } of found) {
    const isWanted = [...wanted.values()].some((each) => Math.hypot(...minus(each.place, place)) < 1e-9)
    expect(isWanted, JSON.stringify({ wire, list, place, kinds: [...chosen] })).toBe(true)
  }
  for (let i = 1; i < found.length; i++) expect(found[i].distance).toBeGreaterThanOrEqual(found[i - 1].distance)
}
