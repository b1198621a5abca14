// Where bodies in space come to rest: as far as exact arithmetic says among polytopes of whole numbers; touching, free, and stopped by
// nothing sooner whatever the kinds; turned as asked.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { createDistance, distance } from '../../../src/core3d/queries/distance.ts'
import { relate } from '../../../src/core3d/queries/overlap.ts'
import { createBody, cross, dot, plus, type Vector } from '../../../src/core3d/shape/body.ts'
import { angleOf, inverse, product, type Turn, turnBetween, turned } from '../../../src/core3d/shape/turn.ts'
import type { SceneBody } from '../../../src/scene/state/operation.ts'
import { prepareShape } from '../../../src/wire/scene-body.ts'
import { asked, type Found } from '../../support/answers/scene-answers.ts'
import { GRID, UNIFORM } from '../../support/families/arbitraries.ts'
import { orientation, SHAPE_TYPES_3D, shapeOf3d, vec3 } from '../../support/families/arbitrary-shapes-3d.ts'
import { runCount, runs, unshrunk } from '../../support/runs.ts'
import { boxBetween, viewOf as viewOfBodies } from './space-walks.ts'

const at = (x: number, y: number, z: number) => ({ x, y, z })
const DOWN = at(0, -1, 0)
const tuple = ({ x, y, z }: { x: number; y: number; z: number }): Vector => [x, y, z]
const viewOf = (list: readonly object[]) => viewOfBodies(list.map((body, k) => ({ id: `b${k}`, ...body }) as SceneBody))
const drop = (list: readonly object[], body: object, given: object = {}): Found =>
  asked(viewOf(list), 'drop', { body, direction: DOWN, ...given })

function prepared({ shape, position = at(0, 0, 0), orientation: turn = { ...at(0, 0, 0), w: 1 } }: Found) {
  const body = createBody()
  prepareShape[3](shape, [...tuple(position), ...tuple(turn), turn.w], 0, body)
  return body
}

const FLOOR = boxBetween('floor', [-50, -2, -50], [50, 0, 50])
const BOX = { type: 'box', size: at(1, 2, 3) }
const CUBE_VERTICES = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1]
const CUBE_TRIANGLES = [
  0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
]
const cubeMesh = (solid: boolean) => ({ type: 'mesh', vertices: CUBE_VERTICES, triangles: CUBE_TRIANGLES, solid })

// Polytopes of whole numbers.

/** Corners, in whole numbers. */
type Polytope = readonly Vector[]

const boxCorners = ({ low, size }: { low: Vector; size: Vector }): Polytope =>
  Array.from({ length: 8 }, (_, i) => low.map((x, k) => x + ((i >> k) & 1) * size[k]) as unknown as Vector)
const whole = (min: number, max: number) =>
  fc.tuple(fc.integer({ min, max }), fc.integer({ min, max }), fc.integer({ min, max }))
const boxes = fc.record({ low: whole(-5, 3), size: whole(1, 4) }).map(boxCorners)
const volumeOf = ([a, b, c, d]: Polytope) => dot(plus(b, a, -1), cross(plus(c, a, -1), plus(d, a, -1)))
const tetrahedra = fc.tuple(whole(-4, 4), whole(-4, 4), whole(-4, 4), whole(-4, 4)).filter((p) => volumeOf(p) !== 0)
const hull = (points: Polytope) => ({ shape: { type: 'hull', points: points.map(([x, y, z]) => at(x, y, z)) } })

const TETRAHEDRON_TRIANGLES = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
/** Counter-clockwise from outside: scenes that are made without the decoder do not turn what is not. */
function solid(points: Polytope) {
  const [a, b, ...rest] = points
  const isBox = points.length === 8
  const vertices = isBox || volumeOf(points) > 0 ? points : [b, a, ...rest]
  const triangles = isBox ? CUBE_TRIANGLES : TETRAHEDRON_TRIANGLES
  return { shape: { type: 'mesh', vertices: vertices.flat(), triangles, solid: true } }
}

/** Differences of corners, each direction once. */
function edgesOf(points: Polytope): Vector[] {
  const seen = new Map<string, Vector>()
  for (const [i, p] of points.entries()) {
    for (const q of points.slice(0, i)) {
      const edge = plus(p, q, -1)
      const unit = edge.find((x) => x !== 0) as number
      seen.set(edge.map((x) => x / unit).join(), edge)
    }
  }
  return [...seen.values()]
}

/** A fraction with a denominator of at least 0. */
type Fraction = readonly [bigint, bigint]
const isLess = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d < c * b

/**
 * When the inside of a polytope that moves along a way first meets that of another, from time 0, or null. Their insides meet just while
 * they do so along each direction that some face of the difference may have.
 */
function entryOf(obstacle: Polytope, own: Polytope, way: Vector): Fraction | null {
  const edges = [...edgesOf(obstacle), ...edgesOf(own)]
  let enter: Fraction = [0n, 1n]
  let leave: Fraction = [1n, 0n]
  for (const [i, a] of edges.entries()) {
    for (const b of edges.slice(0, i)) {
      const axis = cross(a, b)
      if (axis.every((x) => x === 0)) continue
      const [p, q] = [obstacle, own].map((points) => points.map((point) => dot(point, axis)))
      // from which time on, and up to which, they are not apart along it
      const rate = dot(way, axis)
      const near = Math.min(...p) - Math.max(...q)
      const far = Math.max(...p) - Math.min(...q)
      if (rate === 0) {
        if (near >= 0 || far <= 0) return null
        continue
      }
      const size = BigInt(Math.abs(rate))
      const from: Fraction = [BigInt(rate > 0 ? near : -far), size]
      const to: Fraction = [BigInt(rate > 0 ? far : -near), size]
      if (isLess(enter, from)) enter = from
      if (isLess(to, leave)) leave = to
    }
  }
  return isLess(enter, leave) ? enter : null
}

const WAYS: readonly Vector[] = [
  [0, -1, 0],
  [0, 0, 1],
  [-1, 0, 0],
  [2, -1, 0],
  [1, -3, 2],
]

type Wire = (points: Polytope) => object
describe('polytopes of whole numbers', () => {
  it.each<[string, fc.Arbitrary<Polytope>, Wire, Wire]>([
    ['boxes', boxes, hull, hull],
    ['boxes and tetrahedra', fc.oneof(boxes, tetrahedra), hull, hull],
    ['solid meshes of them', fc.oneof(boxes, tetrahedra), solid, solid],
    ['hulls onto solid meshes', fc.oneof(boxes, tetrahedra), hull, solid],
    ['solid meshes onto hulls', fc.oneof(boxes, tetrahedra), solid, hull],
  ])('%s fall as far as exact arithmetic says, onto what is met first', (name, polytopes, own, other) => {
    let landed = 0
    fc.assert(
      fc.property(
        fc.array(polytopes, { minLength: 1, maxLength: 9 }),
        polytopes,
        fc.constantFrom(...WAYS),
        (obstacles, points, way) => {
          const raised = points.map((point) => plus(point, way, -6))
          const entries = obstacles.map((obstacle) => entryOf(obstacle, raised, way))
          const found = drop(obstacles.map(other), own(raised), { direction: at(...way) })
          const first = entries.reduce<Fraction | null>(
            (least, entry) => (entry !== null && (least === null || isLess(entry, least)) ? entry : least),
            null,
          )
          if (first === null) {
            expect(found.status).toBe('nothing-below')
            return
          }
          const isIn = obstacles.some((obstacle) => relate(prepared(hull(obstacle)), prepared(hull(raised))) < 0)
          expect(found.status).toBe(isIn ? 'started-overlapping' : 'landed')
          if (isIn) return
          landed++
          const fallen = (Number(first[0]) / Number(first[1])) * Math.hypot(...way)
          const isExact = name === 'boxes' && Math.hypot(...way) === 1
          expect(Math.abs(found.distance - fallen)).toBeLessThanOrEqual(isExact ? 0 : 2 ** -48 * (8 + fallen))
          const least = entries.findIndex((entry) => entry !== null && !isLess(first, entry))
          expect(found.contact.id).toBe(`b${least}`)
        },
      ),
      unshrunk(name === 'boxes' ? 1000 : 500),
    )
    expect(landed).toBeGreaterThan(runCount(150))
  })
})

// All kinds.

const field = fc
  .array(fc.constantFrom(0, 1, 0.5, -1, null), { minLength: 12, maxLength: 12 })
  .filter((heights) => heights.filter((height) => height !== null).length > 9)
  .map((heights) => ({ type: 'heightfield', columns: 4, cellSize: { x: 1, z: 1.5 }, heights }))
const KINDS: Record<string, fc.Arbitrary<Found>> = {
  ...Object.fromEntries(
    SHAPE_TYPES_3D.map((type) => [type, fc.oneof(shapeOf3d(type, GRID), shapeOf3d(type, UNIFORM))]),
  ),
  mesh: fc.boolean().map(cubeMesh),
  heightfield: field,
  compound: fc
    .array(fc.record({ shape: fc.oneof(shapeOf3d('box', GRID), shapeOf3d('sphere', UNIFORM)), position: vec3(GRID) }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((children) => ({ type: 'compound', children })),
}
const placed = (shape: fc.Arbitrary<Found>): fc.Arbitrary<Found> =>
  fc.record({ shape, position: vec3(GRID), orientation }).map(({ orientation: turn, ...rest }) => {
    return JSON.stringify(rest).includes('aabb') ? rest : { ...rest, orientation: turn }
  })
const KIND_NAMES = Object.keys(KINDS)
const directions = fc.oneof(
  fc.constantFrom(DOWN, at(0, 0, 1), at(1, -1, 0)),
  vec3(UNIFORM).filter(({ x, y, z }) => Math.hypot(x, y, z) > 0.1),
)

const apart = createDistance()
const met = createContact()

/** How deep the body at a place is in one of the others, as far as that is known; what has many parts is judged by them all. */
function depthAt(others: readonly ReturnType<typeof prepared>[], body: Found, place: Vector): number {
  const own = prepared({ ...body, position: at(...place) })
  return others.reduce((most, other) => {
    if (relate(other, own) >= 0) return most
    contact(other, own, met)
    return Math.max(most, -met.separation)
  }, 0)
}

describe.each(KIND_NAMES.filter((name) => name !== 'halfspace'))('a falling %s', (name) => {
  it.each(KIND_NAMES)('onto %s: free, touching, stopped by nothing sooner, and by the same again', (onto) => {
    fc.assert(
      fc.property(
        fc.array(placed(KINDS[onto]), { minLength: 1, maxLength: 3 }),
        placed(KINDS[name]),
        directions,
        (list, own, direction) => {
          const length = Math.hypot(...tuple(direction))
          const way = tuple(direction).map((x) => x / length) as unknown as Vector
          const body = { ...own, position: at(...plus(tuple(own.position), way, -12)) }
          const found = drop(list, body, { direction })
          const others = list.map(prepared)
          if (found.status === 'started-overlapping') {
            expect(depthAt(others, body, tuple(body.position))).toBeGreaterThan(0)
            return
          }
          const start = tuple(body.position)
          const far = found.contact === null ? 40 : found.distance
          for (let k = 1; k < 16; k++)
            expect(depthAt(others, body, plus(start, way, (far * k) / 16))).toBeLessThan(1e-9)
          if (found.contact === null) return
          const there = { ...body, position: found.position }
          const own3d = prepared(there)
          for (const other of others) expect(relate(other, own3d)).toBeGreaterThanOrEqual(0)
          distance(others[Number(found.contact.id.slice(1))], own3d, apart)
          expect(apart.distance).toBeLessThanOrEqual(2 ** -44 * 40)
          const again = drop(list, there, { direction })
          expect([again.status, again.separation]).toEqual(['landed', null])
          expect(again.distance).toBeLessThanOrEqual(2 ** -44 * 40)
          if (found.distance < 1e-6) return
          const short = drop(list, body, { direction, maxDistance: found.distance * (1 - 2 ** -20) })
          expect(short.status).toBe('nothing-below')
        },
      ),
      unshrunk(30),
    )
  })
})

describe('drop in space', () => {
  it('lands in whole numbers, touching, on whatever is level', () => {
    const floors = [
      FLOOR,
      { shape: { type: 'halfspace', normal: at(0, 1, 0), offset: 0 } },
      { shape: { type: 'mesh', vertices: [-9, 0, -9, 0, 0, 40, 9, 0, -9], triangles: [0, 1, 2] } },
      {
        shape: { type: 'heightfield', columns: 3, cellSize: { x: 5, z: 5 }, heights: new Array(9).fill(0) },
        position: at(-5, 0, -5),
      },
      {
        shape: { type: 'compound', children: [{ shape: { type: 'box', size: at(9, 2, 9) }, position: at(0, -1, 0) }] },
      },
      { shape: cubeMesh(true), position: at(-0.5, -1, -0.5) },
    ]
    const falling: [object, number][] = [
      [{ type: 'point' }, 0],
      [{ type: 'segment', a: at(0, 0, 0), b: at(0.25, 0, 0) }, 0],
      [{ type: 'triangle', a: at(0, 0, 0), b: at(0.25, 0, 0), c: at(0, 0, 0.25) }, 0],
      [BOX, 1],
      [{ type: 'sphere', radius: 0.5 }, 0.5],
      [{ type: 'cylinder', radius: 0.25, height: 1 }, 0.5],
      [{ type: 'cone', radius: 0.25, height: 1 }, 0.5],
      [cubeMesh(true), 0],
      [cubeMesh(false), 0],
      [{ type: 'compound', children: [{ shape: BOX, position: at(0, 1, 0) }] }, 0],
    ]
    for (const floor of floors) {
      for (const [shape, half] of falling) {
        for (const height of [0, 1.75, 16]) {
          const found = drop([floor], { shape, position: at(0.125, half + height, 0.0625) })
          expect(found).toMatchObject({
            status: 'landed',
            position: at(0.125, half, 0.0625),
            distance: height,
            aligned: false,
            separation: null,
          })
          expect(found.contact.normal.y).toBeCloseTo(1, 12)
        }
      }
    }
  })

  it('slides along a wall that it touches, hangs on no ceiling, and falls through no surface that it rests on', () => {
    const wall = boxBetween('wall', [0.5, 0, -9], [3, 40, 9])
    for (const shape of [
      { type: 'box', size: at(1, 1, 1) },
      { type: 'sphere', radius: 0.5 },
    ]) {
      expect(drop([FLOOR, wall], { shape, position: at(0, 17, 0) })).toMatchObject({
        position: at(0, 0.5, 0),
        contact: { id: 'floor' },
      })
    }
    for (const shape of [cubeMesh(true), cubeMesh(false), { type: 'aabb', min: at(0, 0, 0), max: at(1, 1, 1) }]) {
      for (const z of [0, 0.25, 1]) {
        const pillar = { id: 'pillar', shape: cubeMesh(true), position: at(0, 9, 0) }
        const found = drop([FLOOR, pillar], { shape, position: at(1, 17, z) })
        expect(found).toMatchObject({ position: at(1, 0, z), contact: { id: 'floor' } })
      }
    }
    const ceiling = { id: 'ceiling', shape: cubeMesh(true), position: at(0, 10, 0) }
    expect(drop([FLOOR, ceiling], { shape: cubeMesh(true), position: at(0, 9, 0) })).toMatchObject({ distance: 9 })
    expect(drop([FLOOR, ceiling], { shape: { type: 'point' }, position: at(0.25, 10, 0.5) })).toMatchObject({
      distance: 10,
    })
    const sheet = { id: 'sheet', shape: { type: 'triangle', a: at(0, 0, 0), b: at(1, 0, 0), c: at(0, 0, 1) } }
    for (const y of [1, -1]) {
      expect(
        drop([sheet], { shape: { type: 'point' }, position: at(0.25, 0, 0.25) }, { direction: at(0, y, 0) }),
      ).toMatchObject({
        status: 'landed',
        distance: 0,
        contact: { id: 'sheet', normal: at(0, -y, 0) },
      })
    }
    expect(
      drop([sheet], { shape: { type: 'point' }, position: at(0.25, 0, 0.25) }, { direction: at(1, 0, 0) }).status,
    ).toBe('nothing-below')
  })

  it('stands on its side of a slanted surface, as near as doubles get', () => {
    const slope = { shape: { type: 'triangle', a: at(-9, -3.1, -9), b: at(9, 4.7, -9), c: at(0.3, 0.1, 9) } }
    for (const shape of [{ type: 'point' }, { type: 'segment', a: at(0, 0, 0), b: at(0.5, 0.1, 0.2) }]) {
      let position = at(0.3, 8, -4)
      for (let k = 0; k < 4; k++) {
        const found = drop([slope], { shape, position })
        expect(found.status).toBe('landed')
        if (k > 0) expect(found.distance).toBeLessThan(2 ** -48)
        distance(prepared(slope), prepared({ shape, position: found.position }), apart)
        expect(apart.distance).toBeLessThan(2 ** -48)
        position = found.position
      }
    }
  })

  it('says that there is nothing below, within maxDistance or at all, or that it stood in something', () => {
    const high = { shape: BOX, position: at(0, 17, 0) }
    expect(drop([FLOOR], high, { maxDistance: 16 }).status).toBe('landed')
    const none = { status: 'nothing-below', position: null, orientation: null, distance: null, contact: null }
    expect(drop([FLOOR], high, { maxDistance: 15.999 })).toMatchObject(none)
    expect(drop([FLOOR], high, { direction: at(0, 1, 0), align: 'face' })).toMatchObject(none)
    expect(drop([], high)).toMatchObject(none)
    expect(drop([FLOOR], { shape: BOX, position: at(0, 0.5, 0) }).status).toBe('started-overlapping')
  })

  it('is let out of what rounding has put it in, and says so', () => {
    const crate = boxBetween('crate', [-1, -1, -1], [1, 1, 1])
    const small = { type: 'box', size: at(0.4, 0.4, 0.4) }
    const found = drop([crate], { shape: small, position: at(0, 1.2, 0) })
    expect(found).toMatchObject({ status: 'landed', contact: { id: 'crate' }, separation: { bodies: ['crate'] } })
    expect(found.position.y - 1.2).toBe(2 ** -52)
    expect(drop([crate], { shape: small, position: at(0, 1.2 - 2 ** -40, 0) }).status).toBe('started-overlapping')
  })

  it.each([1e-90, 1e-6, 1, 2 ** 200, 1e98])('at the scale of %d', (size) => {
    const cube = { type: 'box', size: at(size, size, size) }
    const found = drop([{ shape: cube }], { shape: cube, position: at(size / 4, 8 * size, 0) }, { align: 'face' })
    expect(found).toMatchObject({ status: 'landed', aligned: true, contact: { id: 'b0' } })
    expect(Math.abs(found.distance / size - 7)).toBeLessThan(2 ** -48)
  })

  it('lands on a half-space however far away that is', () => {
    const plane = { shape: { type: 'halfspace', normal: at(0, 1, 0), offset: -1e90 } }
    expect(drop([plane], { shape: BOX }).position.y).toBeCloseTo(-1e90, -80)
  })

  it('answers of meshes of 20,000 triangles on each other, and turns them', () => {
    const side = 101
    const wave = (i: number, j: number) => Math.sin(0.3 * i) + Math.cos(0.2 * j)
    const heights = Array.from({ length: side * side }, (_, k) => wave(k % side, Math.floor(k / side)))
    const ground = { shape: { type: 'heightfield', columns: side, cellSize: { x: 1, z: 1 }, heights } }
    const body = { shape: ground.shape, position: at(3.3, 30, 1.7) }
    const found = drop([ground], body, { align: 'face' })
    expect(found.status).toBe('landed')
    const there = prepared({ ...body, position: found.position, orientation: found.orientation })
    expect(relate(prepared(ground), there)).toBeGreaterThanOrEqual(0)
    distance(prepared(ground), there, apart)
    expect(apart.distance).toBeLessThan(1e-9)
  })
})

// Turned to what they land on.

const FACE = { align: 'face' }
const turnOf = ({ x, y, z, w }: { x: number; y: number; z: number; w: number }): Turn => {
  const size = Math.hypot(x, y, z, w)
  return [x / size, y / size, z / size, w / size]
}

/** Outward unit normals of the faces of the hull of points, by trying all planes through three of them. */
function facesBySearch(points: readonly Vector[]): Vector[] {
  const faces: Vector[] = []
  for (const [i, a] of points.entries()) {
    for (const [j, b] of points.slice(0, i).entries()) {
      for (const c of points.slice(0, j)) {
        const axis = cross(plus(b, a, -1), plus(c, a, -1))
        const size = Math.hypot(...axis)
        if (size < 1e-9) continue
        for (const side of [1 / size, -1 / size]) {
          const normal = axis.map((x) => side * x) as unknown as Vector
          if (points.every((point) => dot(plus(point, a, -1), normal) < 1e-9)) faces.push(normal)
        }
      }
    }
  }
  return faces
}

describe('align in space', () => {
  it('lays the face on a plane that takes the least turn, flush', () => {
    const points = fc.array(vec3(UNIFORM), { minLength: 4, maxLength: 9 })
    const ups = vec3(UNIFORM).filter(({ x, y, z }) => Math.hypot(x, y, z) > 0.1)
    let count = 0
    fc.assert(
      fc.property(points, orientation, ups, (list, turn, up) => {
        const faces = facesBySearch(list.map(tuple)).map((face) => turned(turnOf(turn), face))
        fc.pre(faces.length >= 4)
        const size = Math.hypot(...tuple(up))
        const normal = tuple(up).map((x) => x / size) as unknown as Vector
        const direction = at(...(normal.map((x) => -x) as unknown as Vector))
        const body = {
          shape: { type: 'hull', points: list },
          position: at(...plus([0, 0, 0], normal, 40)),
          orientation: turn,
        }
        const found = drop([{ shape: { type: 'halfspace', normal: up, offset: 0 } }], body, { direction, ...FACE })
        expect(found).toMatchObject({ status: 'landed', aligned: true })
        const taken = turnOf(found.orientation)
        const heights = list.map(
          (point) => dot(turned(taken, tuple(point)), normal) + dot(tuple(found.position), normal),
        )
        const flush = heights.filter((height) => height < 1e-9)
        expect(flush.length).toBeGreaterThanOrEqual(3)
        expect(Math.min(...heights)).toBeGreaterThan(-1e-9)
        const least = Math.min(...faces.map((face) => angleOf(turnBetween(face, tuple(direction)))))
        expect(angleOf(product(taken, inverse(turnOf(turn))))).toBeCloseTo(least, 7)
        count++
      }),
      runs(300),
    )
    expect(count).toBeGreaterThan(runCount(150))
  })

  const tilt = { x: 0.1, y: 0.2, z: 0.3, w: Math.sqrt(1 - 0.14) }
  const table = {
    type: 'compound',
    children: [
      { shape: { type: 'box', size: at(4, 0.5, 4) } },
      ...[at(1.5, -1.25, 1.5), at(-1.5, -1.25, 1.5), at(1.5, -1.25, -1.5), at(-1.5, -1.25, -1.5)].map((position) => ({
        shape: { type: 'cylinder', radius: 0.25, height: 2 },
        position,
      })),
    ],
  }
  const balls = (...radii: number[]) => ({
    type: 'compound',
    children: radii.map((radius, k) => ({
      shape: { type: 'sphere', radius },
      position: at(k === 1 ? 3 : 0, 0, k === 2 ? 3 : 0),
    })),
  })
  const side = (x: number, w: number) => ({ x: x / Math.hypot(x, w), y: 0, z: 0, w: w / Math.hypot(x, w) })

  it.each<[string, object, object, number]>([
    ['a box', BOX, tilt, 1],
    ['a rounded box', { ...BOX, radius: 0.25 }, tilt, 1.25],
    ['a cylinder on its end', { type: 'cylinder', radius: 1, height: 3 }, side(0.2, 1), 1.5],
    ['a cylinder on its side', { type: 'cylinder', radius: 1, height: 3 }, side(0.8, 1), 1],
    ['a cone on its base', { type: 'cone', radius: 1, height: 2 }, side(0.2, 1), 1],
    // the middle of its axis, above the line that it lies on
    ['a cone on its side', { type: 'cone', radius: 1, height: 2 }, side(0.9, 1), 1 / Math.sqrt(5)],
    ['a capsule', { type: 'capsule', a: at(-1, 0, 0), b: at(1, 0, 0), radius: 0.5 }, tilt, 0.5],
    ['a segment', { type: 'segment', a: at(-1, 0, 0), b: at(1, 0, 0) }, tilt, 0],
    ['a triangle', { type: 'triangle', a: at(0, 0, 0), b: at(1, 0, 0), c: at(0, 0, 1) }, tilt, 0],
    ['an ellipsoid', { type: 'ellipsoid', radii: at(3, 1, 2) }, tilt, 1],
    ['a cigar', { type: 'ellipsoid', radii: at(1, 1, 3) }, tilt, 1],
    ['a sphere', { type: 'sphere', radius: 1 }, tilt, 1],
    ['a mesh', cubeMesh(true), tilt, 0],
    ['a table on its legs', table, side(0.1, 1), 2.25],
    ['two balls', balls(1, 0.5), tilt, 1],
    ['three balls', balls(1, 0.5, 0.25), tilt, 1],
    ['three balls of one size', balls(0.5, 0.5, 0.5), tilt, 0.5],
  ])('lays down %s', (_, shape, turn, height) => {
    const found = drop([FLOOR], { shape, position: at(0, 20, 0), orientation: turn }, FACE)
    expect(found).toMatchObject({ status: 'landed', aligned: true })
    expect(found.position.y).toBeCloseTo(height, 12)
    const again = drop([FLOOR], { shape, position: found.position, orientation: found.orientation }, FACE)
    expect(again).toMatchObject({ status: 'landed', aligned: true })
    expect(angleOf(product(turnOf(again.orientation), inverse(turnOf(found.orientation))))).toBeLessThan(1e-9)
  })

  it('stands on all that a side rests on', () => {
    for (const [shape, count] of [
      [table, 4],
      [balls(1, 0.5, 0.25), 3],
      [balls(1, 0.5), 2],
    ] as const) {
      const found = drop([FLOOR], { shape, position: at(0, 20, 0), orientation: side(0.1, 1) }, FACE)
      const parts = (shape.children as Found[]).map(({ shape: own, position }) => {
        const place = plus(tuple(found.position), turned(turnOf(found.orientation), tuple(position ?? at(0, 0, 0))), 1)
        distance(
          prepared(FLOOR),
          prepared({ shape: own, position: at(...place), orientation: found.orientation }),
          apart,
        )
        return apart.distance
      })
      expect(parts.filter((gap) => gap < 1e-9).length).toBe(count)
    }
  })

  it('turns up to the normal of a slope, from whichever way it falls', () => {
    const slope = { shape: { type: 'halfspace', normal: at(-1, 2, 2), offset: 0 } }
    const found = drop([slope], { shape: BOX, position: at(0, 9, 0) }, { align: 'normal' })
    expect(found.aligned).toBe(true)
    const up = turned(turnOf(found.orientation), [0, 1, 0])
    for (const [k, x] of [-1, 2, 2].entries()) expect(up[k]).toBeCloseTo(x / 3, 12)
  })

  it('is not turned where there is no room, nor where no side is known', () => {
    const walls = [boxBetween('l', [-3, 0, -9], [-0.625, 40, 9]), boxBetween('r', [0.625, 0, -9], [3, 40, 9])]
    const stick = { type: 'box', size: at(0.5, 6, 6) }
    const lean = { x: 0, y: 0, z: Math.sin(0.02), w: Math.cos(0.02) }
    expect(drop([FLOOR, ...walls], { shape: stick, position: at(0, 20, 0), orientation: lean }, FACE)).toMatchObject({
      status: 'landed',
      aligned: true,
      orientation: { ...at(0, 0, 0), w: 1 },
    })
    const plank = { shape: { type: 'box', size: at(8, 0.5, 1) }, position: at(0, 20, 0) }
    const upright = { x: 0, y: 0, z: Math.sin(0.76), w: Math.cos(0.76) }
    const held = drop([FLOOR, ...walls], { ...plank, orientation: upright }, FACE)
    expect(held.status).toBe('landed')
    expect(relate(prepared(walls[0]), prepared({ ...plank, ...held }))).toBeGreaterThanOrEqual(0)
    const lump = {
      type: 'compound',
      children: [0, 1, 2].map((k) => ({ shape: { type: 'ellipsoid', radii: at(1, 2, 3) }, position: at(k, 0, k * k) })),
    }
    expect(drop([FLOOR], { shape: lump, position: at(0, 20, 0) }, FACE)).toMatchObject({
      status: 'landed',
      aligned: false,
    })
  })
})
