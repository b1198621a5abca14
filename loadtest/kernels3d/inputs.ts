// The inputs of the kernel bench in space: seeded, distinct, and the same for every library. Pairs stay clear of just touching, where a
// library with single precision answers otherwise by design, and so do rays of grazing.

import type { Body3d } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { createTimeOfImpact, timeOfImpact } from '../../src/core3d/motion/time-of-impact.ts'
import { contact, createContact } from '../../src/core3d/queries/contact.ts'
import { createRay, createRayHit, rayCast } from '../../src/core3d/ray/ray-cast.ts'
import { setDirection } from '../../src/core3d/ray/ray-line.ts'
import { createMotion } from '../../src/core3d/shape/motion.ts'
import { type Between, seeded } from '../measuring/random-body.ts'
import { box, capsule, cylinder, hull, sphere } from '../measuring/random-body-3d.ts'
import {
  CAST_NAMES,
  type CastName,
  CONTACT_KINDS,
  type ContactKind,
  RAY_NAMES,
  type RayName,
  SPACE_COUNT,
} from './kernel-table.ts'
import { prepare } from './prepare.ts'

export interface Pair {
  a: Body3d
  b: Body3d
}

export interface RayPair {
  origin: Vec3
  /** Unit length. */
  direction: Vec3
  target: Body3d
}

/** b moves by `way` in a second, a stands. */
export interface CastPair extends Pair {
  way: Vec3
}

export interface Inputs {
  meeting: Record<ContactKind, Pair[]>
  /** They overlap by a hundredth down to parts in 10⁹ of their size. */
  shallow: Record<ContactKind, Pair[]>
  apart: Record<ContactKind, Pair[]>
  near: Record<'boxBox' | 'hull32', Pair[]>
  rays: Record<RayName, RayPair[]>
  /** They hit, or pass by. */
  casts: Record<CastName, CastPair[]>
}

/** The surfaces of a pair are no nearer to touching than that: a roundoff of single precision, and the skin of Jolt's boxes. */
const LEAST_SEPARATION = 0.06
/** Distance of the centres, where 2 is about the sum of the sizes. */
const NEAREST = 0.3
const FARTHEST = 6
const LARGEST_NEAR_GAP = 0.5
/** Decimal places of the depth of shallow pairs. */
const DEEPEST_SHALLOW = -2
const SHALLOWEST = -9
const RAY_REACH = 6
export const RAY_LENGTH = 100
/** Other benches have the streams before. */
const STREAM = 500

type Make = (between: Between) => Body3d

const hull8: Make = (between) => hull(between, 8)
const hull32: Make = (between) => hull(between, 32)
const KINDS: Record<ContactKind, readonly [Make, Make]> = {
  sphereBox: [sphere, box],
  boxBox: [box, box],
  capsuleBox: [capsule, box],
  hull8: [hull8, hull8],
  hull32: [hull32, hull32],
  cylinderBox: [cylinder, box],
}

const TARGETS: Record<RayName, Make> = {
  rayBox: box,
  rayHull8: hull8,
  rayHull32: hull32,
  raySphere: sphere,
  rayCapsule: capsule,
}
const CAST_KINDS: Record<CastName, ContactKind> = {
  castBox: 'boxBox',
  castHull8: 'hull8',
  castHull32: 'hull32',
  castSphereBox: 'sphereBox',
  castCapsuleBox: 'capsuleBox',
  castCylinderBox: 'cylinderBox',
}

const found = createContact()
const hit = createRayHit()
const impact = createTimeOfImpact()

export function makeInputs(): Inputs {
  let stream = STREAM
  const pairs = (kind: ContactKind, isWanted: (separation: number) => boolean): Pair[] => {
    const between = seeded(stream++)
    const [makeA, makeB] = KINDS[kind]
    const made: Pair[] = []
    while (made.length < SPACE_COUNT) {
      const pair = placed(between, makeA(between), makeB(between))
      contact(prepare(pair.a), prepare(pair.b), found)
      if (isWanted(found.separation)) made.push(pair)
    }
    return made
  }
  const each = (make: (kind: ContactKind) => Pair[]) => recordOf(CONTACT_KINDS, make)
  const isNear = (separation: number): boolean => separation > LEAST_SEPARATION && separation < LARGEST_NEAR_GAP
  const made = {
    meeting: each((kind) => pairs(kind, (separation) => separation < -LEAST_SEPARATION)),
    apart: each((kind) => pairs(kind, (separation) => separation > LEAST_SEPARATION)),
    near: { boxBox: pairs('boxBox', isNear), hull32: pairs('hull32', isNear) },
    rays: recordOf(RAY_NAMES, (name) => rays(seeded(stream++), TARGETS[name])),
    casts: recordOf(CAST_NAMES, (name) => casts(seeded(stream++), ...KINDS[CAST_KINDS[name]])),
  }
  return { ...made, shallow: each((kind) => shallow(seeded(stream++), made.apart[kind])) }
}

function recordOf<K extends string, V>(names: readonly K[], make: (name: K) => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, V>
}

/** Pairs that are apart, moved together until they overlap so little. */
function shallow(between: Between, apart: readonly Pair[]): Pair[] {
  return apart.map(({ a, b }) => {
    const depth = 10 ** between(SHALLOWEST, DEEPEST_SHALLOW)
    let moved = b
    contact(prepare(a), prepare(moved), found)
    // Sharp corners may pass each other: then once more.
    while (!found.touching) {
      const { nx, ny, nz, separation } = found
      moved = { ...moved, position: from(moved.position!, { x: nx, y: ny, z: nz }, -(separation + depth)) }
      contact(prepare(a), prepare(moved), found)
    }
    return { a, b: moved }
  })
}

/** A unit vector, uniform over the sphere. */
function anywhere(between: Between): Vec3 {
  const z = between(-1, 1)
  const angle = between(-Math.PI, Math.PI)
  const ring = Math.sqrt(1 - z * z)
  return { x: ring * Math.cos(angle), y: ring * Math.sin(angle), z }
}

/** So far along `by` from a point. */
export const from = ({ x, y, z }: Vec3, by: Vec3, length: number): Vec3 => ({
  x: x + length * by.x,
  y: y + length * by.y,
  z: z + length * by.z,
})

function placed(between: Between, a: Body3d, b: Body3d): Pair {
  return { a, b: { ...b, position: from(a.position!, anywhere(between), between(NEAREST, FARTHEST)) } }
}

/** Half of them hit. They go by a point near the middle, or by one outside of a ball round the body. */
function rays(between: Between, make: Make): RayPair[] {
  const made: RayPair[] = []
  while (made.length < SPACE_COUNT) {
    const target = make(between)
    const wanted = made.length % 2 === 0
    const goal = from(target.position!, anywhere(between), wanted ? between(0, 0.5) : between(0.8, 2))
    const direction = anywhere(between)
    const pair = { origin: from(goal, direction, -RAY_REACH), direction, target }
    if (isClear(pair, wanted)) made.push(pair)
  }
  return made
}

/** Whether it hits as wanted, and so do rays a little beside it. */
function isClear({ origin, direction, target }: RayPair, wanted: boolean): boolean {
  const body = prepare(target)
  const ray = createRay()
  setDirection(ray, direction.x, direction.y, direction.z)
  ray.maxDistance = RAY_LENGTH
  return [-1, 1].every((side) =>
    (['x', 'y', 'z'] as const).every((axis) => {
      ray.ox = origin.x + (axis === 'x' ? side * LEAST_SEPARATION : 0)
      ray.oy = origin.y + (axis === 'y' ? side * LEAST_SEPARATION : 0)
      ray.oz = origin.z + (axis === 'z' ? side * LEAST_SEPARATION : 0)
      return rayCast(ray, body, 'hit', hit) === wanted
    }),
  )
}

/** Half of them hit. They go from one side of the standing body to the other, by a point near its middle or one well off it. */
function casts(between: Between, makeA: Make, makeB: Make): CastPair[] {
  const made: CastPair[] = []
  while (made.length < SPACE_COUNT) {
    const pair = placed(between, makeA(between), makeB(between))
    const wanted = made.length % 2 === 0
    const goal = from(pair.a.position!, anywhere(between), wanted ? between(0, 0.5) : between(1, 4))
    const start = pair.b.position!
    const way = { x: 2 * (goal.x - start.x), y: 2 * (goal.y - start.y), z: 2 * (goal.z - start.z) }
    if (isClearCast({ ...pair, way }, wanted)) made.push({ ...pair, way })
  }
  return made
}

/** Whether it hits as wanted, and so does one that starts a little beside it; none starts in the other body. */
function isClearCast({ a, b, way }: CastPair, wanted: boolean): boolean {
  const target = prepare(a)
  const moving = { ...createMotion(), vx: way.x, vy: way.y, vz: way.z }
  const offsets = (['x', 'y', 'z'] as const).flatMap((axis) => [-1, 1].map((side) => ({ axis, side })))
  return offsets.every(({ axis, side }) => {
    const position = { ...b.position!, [axis]: b.position![axis] + side * LEAST_SEPARATION }
    timeOfImpact(target, createMotion(), prepare({ ...b, position }), moving, 1, false, 'exit', impact)
    return impact.hit === wanted && !impact.startedOverlapping
  })
}

/** Random points of a ball, x, y, z after each other: each library makes its own form of them. */
export function cloud(count: number): Float64Array {
  const between = seeded(STREAM - 1)
  const points = new Float64Array(3 * count)
  for (let i = 0; i < count; i++) {
    const { x, y, z } = anywhere(between)
    points.set(
      [x, y, z].map((component) => component * Math.cbrt(between(0, 1))),
      3 * i,
    )
  }
  return points
}
