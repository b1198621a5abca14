/**
 * The dimension of a scene as one record of functions: how wide the columns of its bodies are, and what its core does with a body.
 *
 * Everything else in this room is one text for all dimensions. A pose is numbers side by side: the position, then what turns the body.
 * A motion is columns: the velocity, then the angular velocity. Boxes are their low sides, then their high ones.
 */

import type { Pace, Slices } from '../../containers/budget.ts'
import type { ItemList } from '../../containers/item-list.ts'
import type { PairList } from '../../containers/pair-list.ts'
import type { DynamicTree } from '../../core/dynamic-tree.ts'
import type { SectorShapes } from '../../core/sectors.ts'
import type { Want } from '../../core/want.ts'
import {
  type BoxesMethod,
  type BroadPhaseMethod,
  boxPairsInSlices,
  pickMethod,
} from '../../core2d/broad-phase/broad-phase.ts'
import { createDynamicTree } from '../../core2d/broad-phase/dynamic-tree.ts'
import {
  type MovingBox as MovingBox2d,
  queryBox,
  visitMovingBox,
} from '../../core2d/broad-phase/dynamic-tree-queries.ts'
import {
  createTimeOfImpact,
  type TimeOfImpact as TimeOfImpact2d,
  timeOfImpact,
} from '../../core2d/motion/time-of-impact.ts'
import { type Bounce as Bounce2d, type Trajectory as Trajectory2d, trajectory } from '../../core2d/motion/trajectory.ts'
import {
  createExtents,
  measureExtents,
  measureOuterBox,
  placeExtents,
  sweptBox,
} from '../../core2d/queries/body-boxes.ts'
import { type Contact as Contact2d, contact, createContact } from '../../core2d/queries/contact.ts'
import { createDistance, type Distance as Distance2d, distance } from '../../core2d/queries/distance.ts'
import { bodiesMeet, type RelatedGap, type Relation, relate, relateByGap } from '../../core2d/queries/overlap.ts'
import { PLANE_SECTORS } from '../../core2d/queries/sectors.ts'
import {
  createRay,
  createRayHit,
  type Ray as Ray2d,
  type RayHit as RayHit2d,
  rayCast,
  type StartInside,
} from '../../core2d/ray/ray-cast.ts'
import { setDirection } from '../../core2d/ray/ray-line.ts'
import {
  type Body as Body2d,
  COMPOSITE,
  type Composite as Composite2d,
  copyNumbers,
  createBody,
  isCurved,
  packNumbers,
  X,
  Y,
} from '../../core2d/shape/body.ts'
import { touchesItself, unionOf } from '../../core2d/shape/composite.ts'
import { createMotion, isMovedBySpin, type Motion as Motion2d } from '../../core2d/shape/motion.ts'
import { createPlacement, moveTo } from '../../core2d/shape/position.ts'
import { boxPairs as boxPairs3d, pickMethod as pickMethod3d } from '../../core3d/broad-phase/broad-phase.ts'
import { createDynamicTree as createDynamicTree3d } from '../../core3d/broad-phase/dynamic-tree.ts'
import {
  type MovingBox as MovingBox3d,
  queryBox as queryBox3d,
  visitMovingBox as visitMovingBox3d,
} from '../../core3d/broad-phase/dynamic-tree-queries.ts'
import { createEscape, findEscape } from '../../core3d/minimum-translation/escape.ts'
import {
  createTimeOfImpact as createTimeOfImpact3d,
  type TimeOfImpact as TimeOfImpact3d,
  timeOfImpact as timeOfImpact3d,
} from '../../core3d/motion/time-of-impact.ts'
import { type Trajectory as Trajectory3d, trajectory as trajectory3d } from '../../core3d/motion/trajectory.ts'
import { bounds as bounds3d, createBounds as createBounds3d, motionBounds } from '../../core3d/queries/bounds.ts'
import {
  type Contact as Contact3d,
  contact as contact3d,
  createContact as createContact3d,
} from '../../core3d/queries/contact.ts'
import { type ContactPoint, contactPoints } from '../../core3d/queries/contact-points.ts'
import {
  createDistance as createDistance3d,
  type Distance as Distance3d,
  distance as distance3d,
} from '../../core3d/queries/distance.ts'
import { bodiesMeet as bodiesMeet3d, relate as relate3d } from '../../core3d/queries/overlap.ts'
import { SPACE_SECTORS } from '../../core3d/queries/sectors.ts'
import {
  createRay as createRay3d,
  createRayHit as createRayHit3d,
  type Ray as Ray3d,
  type RayHit as RayHit3d,
  rayCast as rayCast3d,
} from '../../core3d/ray/ray-cast.ts'
import { setDirection as setDirection3d } from '../../core3d/ray/ray-line.ts'
import {
  type Body as Body3d,
  COMPOSITE as COMPOSITE_3D,
  type Composite as Composite3d,
  createBody as createBody3d,
  HALFSPACE,
  POINTS,
  POSITION,
  type Vector,
} from '../../core3d/shape/body.ts'
import { unionOf as unionOf3d } from '../../core3d/shape/composite.ts'
import { createMotion as createMotion3d, isTurnedBy, type Motion as Motion3d } from '../../core3d/shape/motion.ts'
import { scaleBy, vectorLength, vectorLength3d } from '../../numeric/safe-range.ts'

/** What bodies of any dimension have. */
interface CoreBody {
  readonly kind: number
  /** Points. */
  readonly count: number
  readonly composite: { readonly leafCount: number; readonly partCount: number } | null
}

/** The types of one dimension. */
export interface Kinds {
  body: CoreBody
  motion: object
  movingBox: object
  contact: object
  distance: { distance: number }
  impact: { hit: boolean; time: number }
  ray: { maxDistance: number }
  hit: { distance: number; x: number; y: number }
  path: { bounces: { time: number; obstacle: number }[]; time: number }
}

/** What a body that flies may bounce off. */
export interface Obstacle<K extends Kinds> {
  readonly body: K['body']
  readonly motion: K['motion']
}

export interface Plane {
  body: Body2d
  motion: Motion2d
  movingBox: MovingBox2d
  contact: Contact2d
  distance: Distance2d
  impact: TimeOfImpact2d
  ray: Ray2d
  hit: RayHit2d
  path: Trajectory2d
}

export interface Space {
  body: Body3d
  motion: Motion3d
  movingBox: MovingBox3d
  /** With the points that span it. */
  contact: Contact3d & { points: ContactPoint[] }
  distance: Distance3d
  impact: TimeOfImpact3d
  ray: Ray3d
  hit: RayHit3d
  path: Trajectory3d
}

/** The shortest way of a body out of others, a translation. */
export interface WayOut {
  /** False where there is none: what follows is not set then, but `exact`. */
  found: boolean
  way: number[]
  /** Unit vector that leads off what it touches then; 0 in all where it overlaps nothing. */
  normal: number[]
  /** How far along that normal nothing overlaps for certain: a few roundings; 0 where that is not known. */
  room: number
  /** Whether there is no shorter one, or none at all. */
  exact: boolean
}

/** The columns of a motion, in their order; null where all are 0. */
export type MotionColumns = (Float64Array | null)[]

export type Geometry<K extends Kinds = Kinds> = Readonly<Functions<K>>

/** Methods, so that those of one dimension can stand where those of any do. */
interface Functions<K extends Kinds> {
  readonly dimension: 2 | 3
  /** Numbers of a position, and columns of a velocity. */
  readonly axes: 2 | 3
  /** Numbers of a pose where nothing is given; as many as a pose has. */
  readonly restingPose: readonly number[]
  /** Columns of a motion. */
  readonly motionCount: number
  /** The kind of bodies that are parts. */
  readonly compositeKind: number
  createTree(margin: number): DynamicTree
  /** The method by which the pairs of so many boxes are found, where one is asked for, and what suits them otherwise. */
  methodFor(method: BroadPhaseMethod | 'auto', boxes: Float64Array, count: number): BroadPhaseMethod
  /** Adds the pairs of boxes that meet, in no particular order, with pauses; false when the list was full, or its budget spent. */
  boxPairsInSlices(method: BoxesMethod, boxes: Float64Array, count: number, out: PairList, pace: Pace): Slices<boolean>
  /** Replaces what `out` held by the items whose boxes meet the one at box[0…]. */
  queryBox(tree: DynamicTree, box: Float64Array, out: ItemList): void
  visitMovingBox(
    tree: DynamicTree,
    moving: K['movingBox'],
    limit: number,
    visit: (item: number, time: number) => number,
  ): void
  createBody(): K['body']
  /** Whether a pose turns the body. */
  isTurned(poses: ArrayLike<number>, at: number): boolean
  /** Puts a convex body where a pose says, which turns it as it is turned already. */
  putAt(body: K['body'], poses: ArrayLike<number>, at: number): void
  positionOf(body: K['body']): number[]
  /** How far it is from the origin, about: the sum of its coordinates without their signs. */
  positionSize(body: K['body']): number
  /** Moves a body, in the plane of any kind, in space a convex one. */
  moveTo(body: K['body'], position: readonly number[]): void
  /** The body as it would be prepared there, to the last bit, which shares what does not hang on that; null where it has to be prepared. */
  bodyAtPlace(body: K['body'], poses: ArrayLike<number>, at: number): K['body'] | null
  /** Gives a body that came from elsewhere memory of its own. */
  packNumbers(body: K['body']): void
  /** Whether the body takes longer to prepare than one that is known to touch itself nowhere. */
  touchesItself(body: K['body']): boolean
  /** Cost of looking at a body once, in points. */
  points(body: K['body']): number
  /** Puts the box of a body at out[at…], rounded outward; infinite where it has no bounds. */
  measureOuterBox(body: K['body'], out: Float64Array, at: number): void
  /** Numbers of extents. */
  readonly extentCount: number
  /** Puts what the body spans, seen from its position, at out[at…]; false where its box is more than that and the position. */
  measureExtents(body: K['body'], out: Float64Array, at: number): boolean
  /** Puts the box of a body with the extents at from[start…] and of a pose at out[at…]. */
  placeExtents(
    from: Float64Array,
    start: number,
    poses: ArrayLike<number>,
    poseAt: number,
    out: Float64Array,
    at: number,
  ): void
  createMotion(): K['motion']
  setMotion(out: K['motion'], columns: MotionColumns, row: number): void
  /** Whether the motion turns the body. */
  spins(motion: K['motion']): boolean
  /** Whether the turn moves any point of the body: not that of a ball about its middle. */
  isTurnedBy(body: K['body'], motion: K['motion']): boolean
  /** Whether it takes the body elsewhere. */
  travels(motion: K['motion']): boolean
  velocityOf(motion: K['motion']): number[]
  speed(motion: K['motion']): number
  /** Puts the box of everything that a moving body covers at out[at…], rounded outward. */
  measureSweptBox(body: K['body'], motion: K['motion'], duration: number, out: Float64Array, at: number): void
  createMovingBox(): K['movingBox']
  /** Sets the box at from[0…], moving without a turn. */
  setMovingBox(out: K['movingBox'], from: Float64Array, motion: K['motion']): void

  // Questions about two bodies, or a ray and one, each as its own function of the core answers it.
  relate(a: K['body'], b: K['body']): Relation
  /** The same; `out` gets the gap where it was measured. */
  relateByGap(a: K['body'], b: K['body'], out: RelatedGap): Relation
  bodiesMeet(a: K['body'], b: K['body']): boolean
  createContact(): K['contact']
  contact(a: K['body'], b: K['body'], out: K['contact']): void
  /** Out of the union of some bodies. */
  wayOut(bodies: readonly K['body'][], body: K['body']): WayOut
  createDistance(): K['distance']
  distance(a: K['body'], b: K['body'], out: K['distance']): void
  createImpact(): K['impact']
  timeOfImpact(
    a: K['body'],
    motionA: K['motion'],
    b: K['body'],
    motionB: K['motion'],
    duration: number,
    ignoreSeparating: boolean,
    want: Want,
    out: K['impact'],
  ): void
  createRay(): K['ray']
  /** Sets a ray from one point to another, which reaches so far. */
  setRay(out: K['ray'], from: readonly number[], to: readonly number[]): void
  /** As `positionSize`, of where it starts. */
  originSize(ray: K['ray']): number
  /**
   * Sets a box without size that goes the way of the ray, and returns its speed. Directions are brought near length 1 by a power of two,
   * which changes no bit of them.
   */
  aim(ray: K['ray'], out: K['movingBox']): number
  createHit(): K['hit']
  /** Without `wantsExit` it need not be said where the ray leaves. */
  rayCast(ray: K['ray'], body: K['body'], startInside: StartInside, out: K['hit'], wantsExit?: boolean): boolean
  pointOf(hit: K['hit']): number[]
  /** Unit normal, outward; null where the ray begins inside. */
  normalOf(hit: K['hit']): number[] | null
  /** The path of a body, which is left where it ends. Spins are ignored. */
  trajectory(
    body: K['body'],
    motion: K['motion'],
    obstacles: readonly Obstacle<K>[],
    duration: number,
    restitution: number,
    maxBounces: number,
  ): K['path']
  /**
   * All numbers of a bounce: its time, the index of the obstacle, the position and the velocity with which the body leaves, and then as
   * many vectors more as the dimension tells.
   */
  bounceNumbers(bounce: K['path']['bounces'][number]): number[]
  bounceOf(numbers: ArrayLike<number>): K['path']['bounces'][number]
  readonly sectors: SectorShapes<K['body']>
}

/** Cost of a body with a curve of its own, in points. */
const CURVE_POINTS = 128

const extents = createExtents()
const found = createContact()

export const PLANE: Readonly<Functions<Plane>> = {
  dimension: 2,
  axes: 2,
  restingPose: [0, 0, 0],
  motionCount: 3,
  compositeKind: COMPOSITE,
  createTree: createDynamicTree,
  methodFor: (method, boxes, count) => (method === 'auto' ? pickMethod(boxes, count).method : method),
  boxPairsInSlices: (method, boxes, count, out, pace) => boxPairsInSlices(method, boxes, count, 0, out, pace),
  queryBox: (tree, box, out) => queryBox(tree, box, 0, out),
  visitMovingBox,
  createBody,
  isTurned: (poses, at) => poses[at + 2] !== 0,
  putAt({ numbers }, poses, at) {
    numbers[X] = poses[at]
    numbers[Y] = poses[at + 1]
  },
  positionOf: ({ numbers }) => [numbers[X], numbers[Y]],
  positionSize: ({ numbers }) => Math.abs(numbers[X]) + Math.abs(numbers[Y]),
  moveTo(body, [x, y]) {
    moveTo(createPlacement(body), x, y)
  },
  bodyAtPlace(body, poses, at) {
    const { composite } = body
    if (body.kind !== COMPOSITE || composite === null || composite.partCount !== 1) return null
    const [part] = composite.parts
    // rounding has its part in the others
    if (part.outline === null || part.path.length > 0) return null
    const parts = [{ ...part, body: placed(part.body, poses, at) }]
    return { ...placed(body, poses, at), composite: { ...composite, parts } }
  },
  packNumbers,
  touchesItself,
  points(body) {
    const { kind, composite, count } = body
    if (kind === COMPOSITE) return Math.max(1, (composite as Composite2d).leafCount)
    return isCurved(body) ? CURVE_POINTS : Math.max(1, count)
  },
  measureOuterBox,
  extentCount: 5,
  measureExtents(body, out, at) {
    if (!measureExtents(body, extents)) return false
    out[at] = extents.minX
    out[at + 1] = extents.minY
    out[at + 2] = extents.maxX
    out[at + 3] = extents.maxY
    out[at + 4] = extents.radius
    return true
  },
  placeExtents(from, start, poses, poseAt, out, at) {
    extents.minX = from[start]
    extents.minY = from[start + 1]
    extents.maxX = from[start + 2]
    extents.maxY = from[start + 3]
    extents.radius = from[start + 4]
    placeExtents(extents, poses[poseAt], poses[poseAt + 1], out, at)
  },
  createMotion,
  setMotion(out, [vx, vy, spin], row) {
    out.vx = vx === null ? 0 : vx[row]
    out.vy = vy === null ? 0 : vy[row]
    out.spin = spin === null ? 0 : spin[row]
  },
  spins: ({ spin }) => spin !== 0,
  isTurnedBy: (body, { spin }) => spin !== 0 && isMovedBySpin(body, body),
  travels: ({ vx, vy }) => vx !== 0 || vy !== 0,
  velocityOf: ({ vx, vy }) => [vx, vy],
  speed: ({ vx, vy }) => Math.hypot(vx, vy),
  measureSweptBox(body, motion, duration, out, at) {
    const { minX, minY, maxX, maxY } = sweptBox(body, motion, duration)
    out[at] = minX
    out[at + 1] = minY
    out[at + 2] = maxX
    out[at + 3] = maxY
  },
  createMovingBox: () => ({ minX: 0, minY: 0, maxX: 0, maxY: 0, vx: 0, vy: 0 }),
  setMovingBox(out, from, { vx, vy }) {
    out.minX = from[0]
    out.minY = from[1]
    out.maxX = from[2]
    out.maxY = from[3]
    out.vx = vx
    out.vy = vy
  },
  relate,
  relateByGap,
  bodiesMeet,
  createContact,
  contact: (a, b, out) => contact(a, b, 0, out),
  wayOut(bodies, body) {
    contact(unionOf(bodies), body, 0, found)
    const { hasNormal, separation, nx, ny, tx, ty, exact } = found
    return { found: hasNormal && Number.isFinite(separation), way: [tx, ty], normal: [nx, ny], room: 0, exact }
  },
  createDistance,
  distance,
  createImpact: createTimeOfImpact,
  timeOfImpact,
  createRay,
  setRay(out, from, to) {
    out.ox = from[0]
    out.oy = from[1]
    setDirection(out, to[0] - from[0], to[1] - from[1])
    out.maxDistance = scaleBy(Math.hypot(out.dx, out.dy), out.exponent)
  },
  originSize: ({ ox, oy }) => Math.abs(ox) + Math.abs(oy),
  aim({ ox, oy, dx, dy }, out) {
    const scale = scaleToOne(Math.max(Math.abs(dx), Math.abs(dy)))
    out.minX = ox
    out.maxX = ox
    out.minY = oy
    out.maxY = oy
    out.vx = scale * dx
    out.vy = scale * dy
    return vectorLength(out.vx, out.vy)
  },
  createHit: createRayHit,
  rayCast,
  pointOf: ({ x, y }) => [x, y],
  normalOf: ({ hasNormal, nx, ny }) => (hasNormal ? [nx, ny] : null),
  trajectory,
  bounceNumbers({ time, obstacle, leavesX, leavesY, afterX, afterY, x, y, nx, ny, beforeX, beforeY }) {
    return [time, obstacle, leavesX, leavesY, afterX, afterY, x, y, nx, ny, beforeX, beforeY]
  },
  bounceOf(numbers): Bounce2d {
    const [time, obstacle, leavesX, leavesY, afterX, afterY, x, y, nx, ny, beforeX, beforeY] = Array.from(numbers)
    return { time, obstacle, leavesX, leavesY, afterX, afterY, x, y, nx, ny, beforeX, beforeY }
  },
  sectors: PLANE_SECTORS,
}

/** A power of two. */
function scaleToOne(size: number): number {
  return size >= 0.5 && size < 2 ? 1 : 2 ** -Math.floor(Math.log2(size))
}

function placed(body: Body2d, poses: ArrayLike<number>, at: number): Body2d {
  const numbers = copyNumbers(body.numbers)
  numbers[X] = poses[at]
  numbers[Y] = poses[at + 1]
  return { ...body, numbers }
}

const box = createBounds3d()
const wayFound = createEscape()

/** The tree finds the pairs of more boxes, with pauses, which the other methods of space do not make. */
const MOST_BOXES_AT_ONCE = 2 ** 11

/** Most points of a contact. */
const CONTACT_POINT_COUNT = 4

export const SPACE: Readonly<Functions<Space>> = {
  dimension: 3,
  axes: 3,
  restingPose: [0, 0, 0, 0, 0, 0, 1],
  motionCount: 6,
  compositeKind: COMPOSITE_3D,
  createTree: createDynamicTree3d,
  methodFor(method, boxes, count) {
    if (count > MOST_BOXES_AT_ONCE) return 'dynamic-tree'
    return method === 'auto' ? pickMethod3d(boxes, count).method : method
  },
  *boxPairsInSlices(method, boxes, count, out, pace) {
    if (pace.isDue(count)) yield
    return boxPairs3d(method, boxes, count, 0, out)
  },
  queryBox: (tree, sides, out) => queryBox3d(tree, sides, 0, out),
  visitMovingBox: visitMovingBox3d,
  createBody: createBody3d,
  isTurned: (poses, at) => poses[at + 3] !== 0 || poses[at + 4] !== 0 || poses[at + 5] !== 0,
  putAt({ numbers }, poses, at) {
    for (let k = 0; k < 3; k++) numbers[POSITION + k] = poses[at + k]
  },
  positionOf: ({ numbers }) => [...numbers.subarray(POSITION, POSITION + 3)],
  positionSize: ({ numbers }) =>
    Math.abs(numbers[POSITION]) + Math.abs(numbers[POSITION + 1]) + Math.abs(numbers[POSITION + 2]),
  moveTo({ numbers }, position) {
    for (let k = 0; k < 3; k++) numbers[POSITION + k] = position[k]
  },
  // a mesh that is prepared already is put anywhere in no time
  bodyAtPlace: () => null,
  packNumbers(body) {
    body.numbers = body.numbers.slice()
  },
  touchesItself: () => false,
  points({ kind, count, composite }) {
    if (kind === COMPOSITE_3D) return Math.max(1, (composite as Composite3d).leafCount)
    if (kind === HALFSPACE) return 1
    return kind === POINTS ? count : CURVE_POINTS
  },
  measureOuterBox(body, out, at) {
    bounds3d(body, box)
    out.set(box.min, at)
    out.set(box.max, at + 3)
  },
  extentCount: 0,
  // the box of a body in space is as quickly measured as it is put together
  measureExtents: () => false,
  placeExtents: () => undefined,
  createMotion: createMotion3d,
  setMotion(out, [vx, vy, vz, wx, wy, wz], row) {
    out.vx = vx === null ? 0 : vx[row]
    out.vy = vy === null ? 0 : vy[row]
    out.vz = vz === null ? 0 : vz[row]
    out.wx = wx === null ? 0 : wx[row]
    out.wy = wy === null ? 0 : wy[row]
    out.wz = wz === null ? 0 : wz[row]
  },
  spins: ({ wx, wy, wz }) => wx !== 0 || wy !== 0 || wz !== 0,
  isTurnedBy,
  travels: ({ vx, vy, vz }) => vx !== 0 || vy !== 0 || vz !== 0,
  velocityOf: ({ vx, vy, vz }) => [vx, vy, vz],
  speed: ({ vx, vy, vz }) => Math.hypot(vx, vy, vz),
  measureSweptBox(body, motion, duration, out, at) {
    motionBounds(body, motion, duration, box)
    out.set(box.min, at)
    out.set(box.max, at + 3)
  },
  createMovingBox: () => ({ minX: 0, minY: 0, minZ: 0, maxX: 0, maxY: 0, maxZ: 0, vx: 0, vy: 0, vz: 0 }),
  setMovingBox(out, from, { vx, vy, vz }) {
    out.minX = from[0]
    out.minY = from[1]
    out.minZ = from[2]
    out.maxX = from[3]
    out.maxY = from[4]
    out.maxZ = from[5]
    out.vx = vx
    out.vy = vy
    out.vz = vz
  },
  relate: relate3d,
  relateByGap: (a, b) => relate3d(a, b),
  bodiesMeet: bodiesMeet3d,
  createContact: () => ({ ...createContact3d(), points: [] }),
  contact(a, b, out) {
    contact3d(a, b, out)
    out.points = contactPoints(a, b, out, 0, CONTACT_POINT_COUNT)
  },
  wayOut(bodies, body) {
    findEscape(unionOf3d(bodies), body, 0, wayFound)
    const { found, way, off, room, exact } = wayFound
    return { found, way: [...way], normal: [...off], room, exact }
  },
  createDistance: createDistance3d,
  distance: distance3d,
  createImpact: createTimeOfImpact3d,
  timeOfImpact: timeOfImpact3d,
  createRay: createRay3d,
  setRay(out, from, to) {
    out.ox = from[0]
    out.oy = from[1]
    out.oz = from[2]
    setDirection3d(out, to[0] - from[0], to[1] - from[1], to[2] - from[2])
    out.maxDistance = scaleBy(Math.hypot(out.dx, out.dy, out.dz), out.exponent)
  },
  originSize: ({ ox, oy, oz }) => Math.abs(ox) + Math.abs(oy) + Math.abs(oz),
  aim({ ox, oy, oz, dx, dy, dz }, out) {
    const scale = scaleToOne(Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz)))
    out.minX = ox
    out.maxX = ox
    out.minY = oy
    out.maxY = oy
    out.minZ = oz
    out.maxZ = oz
    out.vx = scale * dx
    out.vy = scale * dy
    out.vz = scale * dz
    return vectorLength3d(out.vx, out.vy, out.vz)
  },
  createHit: createRayHit3d,
  rayCast: rayCast3d,
  pointOf: ({ x, y, z }) => [x, y, z],
  normalOf: ({ hasNormal, nx, ny, nz }) => (hasNormal ? [nx, ny, nz] : null),
  trajectory: trajectory3d,
  bounceNumbers: ({ time, obstacle, place, after, point, normal, before }) => [
    time,
    obstacle,
    ...[place, after, point, normal, before].flat(),
  ],
  bounceOf(numbers) {
    const [time, obstacle] = [numbers[0], numbers[1]]
    const vector = (k: number): Vector => [numbers[3 * k + 2], numbers[3 * k + 3], numbers[3 * k + 4]]
    const [place, after, point, normal, before] = [0, 1, 2, 3, 4].map(vector)
    return { time, obstacle, place, after, point, normal, before }
  },
  sectors: SPACE_SECTORS,
}

/** By the number of a scene's dimension. */
export const GEOMETRIES = { 2: PLANE, 3: SPACE } as const
export type SceneDimension = keyof typeof GEOMETRIES

/** One of each dimension, such as scratch of a module. */
export function forEach<T>(make: (geometry: Geometry) => T): Readonly<Record<SceneDimension, T>> {
  return { 2: make(PLANE), 3: make(SPACE) }
}

/** Of whatever dimension. */
export function geometryOf(dimension: SceneDimension): Geometry {
  return GEOMETRIES[dimension]
}

/**
 * Fills `out` with a shape at the pose at poses[at…]. Shapes that it is given have been accepted before. `isPlain`: it is known that no
 * region in the shape touches itself.
 */
export type Prepare<Body> = (shape: object, poses: ArrayLike<number>, at: number, out: Body, isPlain?: boolean) => void

/** Those of every dimension. */
export interface Prepares {
  readonly 2: Prepare<Body2d>
  readonly 3: Prepare<Body3d>
}

export function prepareOf<K extends Kinds>(prepares: Prepares, { dimension }: Geometry<K>): Prepare<K['body']> {
  return prepares[dimension] as Prepare<never> as Prepare<K['body']>
}
