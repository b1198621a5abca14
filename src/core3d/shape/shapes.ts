/**
 * The shapes that callers describe, set into the slots of bodies.
 *
 * Each function takes a slot whose pose is set (`body.ts`), and checked values: finite, lengths ≥ 0. Points are turned by the
 * body's orientation and rounded once; without a turn nothing is rounded. Shapes without extent along some axis become the points,
 * segments and flat sets that they are.
 * Cost: linear in the points; of hulls that of their convex hull.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength, vectorLength3d } from '../../numeric/safe-range.ts'
import { CLEAR_VOLUME_RATIO, LATE_HULL_COUNT } from '../tolerances.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  CONE,
  CYLINDER,
  ELLIPSOID,
  HALFSPACE,
  LENGTHS,
  NORMAL,
  OFFSET,
  POINTS,
  RADIUS,
  REACH,
  ROTATION,
  reservePoints,
  UNIT,
  VERTICES,
  type Vector,
} from './body.ts'
import { hullCorners } from './convex-hull.ts'

// Numbers derived from a body's core points: local copies, middle and reach.
// Frame: local numbers count from the anchor.

/** Derives everything else from the core points of `body`. */
export function finishPoints(body: Body, radius: number): void {
  const { numbers, count } = body
  body.kind = POINTS
  body.isBox = false
  body.hull = null
  body.surface = null
  numbers[RADIUS] = radius
  clearLengths(body)
  const { local } = body
  for (let k = 0; k < 3; k++) numbers[ANCHOR + k] = numbers[VERTICES + k]
  let x = 0
  let y = 0
  let z = 0
  for (let i = 0; i < 3 * count; i += 3) {
    numbers[local + i] = numbers[VERTICES + i] - numbers[ANCHOR]
    numbers[local + i + 1] = numbers[VERTICES + i + 1] - numbers[ANCHOR + 1]
    numbers[local + i + 2] = numbers[VERTICES + i + 2] - numbers[ANCHOR + 2]
    x += numbers[local + i] / count
    y += numbers[local + i + 1] / count
    z += numbers[local + i + 2] / count
  }
  numbers[CENTER] = x
  numbers[CENTER + 1] = y
  numbers[CENTER + 2] = z
  let reach = 0
  for (let i = 0; i < 3 * count; i += 3) {
    const far =
      Math.abs(numbers[local + i] - x) + Math.abs(numbers[local + i + 1] - y) + Math.abs(numbers[local + i + 2] - z)
    if (far > reach) reach = far
  }
  numbers[REACH] = reach + radius
}

/** Slots are used again: what other kinds have left would tell equal bodies apart. */
function clearLengths({ numbers }: Body): void {
  for (let i = LENGTHS; i < ANCHOR; i++) numbers[i] = 0
}

/** The middle of a body without core points, which is counted from its position. */
function setCenter({ numbers }: Body, x: number, y: number, z: number): void {
  for (let k = 0; k < 3; k++) numbers[ANCHOR + k] = 0
  numbers[CENTER] = x
  numbers[CENTER + 1] = y
  numbers[CENTER + 2] = z
}

// Whether points clearly span a volume, far above rounding: a quick test before any exact one.
//
// Method: the point farthest from the first, the one farthest from their line, the one highest over the plane of these three.
// Cost O(points).

/** Of so many points x0, y0, z0, x1, …; at least one. False where products leave the range of doubles. */
function spansVolume(points: Float64Array, count: number): boolean {
  spend(count)
  const [x, y, z] = points
  const end = 3 * count
  let square = 0
  let far = 0
  for (let i = 3; i < end; i += 3) {
    const dx = points[i] - x
    const dy = points[i + 1] - y
    const dz = points[i + 2] - z
    const distance = dx * dx + dy * dy + dz * dz
    if (distance <= square) continue
    square = distance
    far = i
  }
  const ux = points[far] - x
  const uy = points[far + 1] - y
  const uz = points[far + 2] - z
  let area = 0
  let nx = 0
  let ny = 0
  let nz = 0
  for (let i = 3; i < end; i += 3) {
    const dx = points[i] - x
    const dy = points[i + 1] - y
    const dz = points[i + 2] - z
    const cx = uy * dz - uz * dy
    const cy = uz * dx - ux * dz
    const cz = ux * dy - uy * dx
    const size = cx * cx + cy * cy + cz * cz
    if (size <= area) continue
    area = size
    nx = cx
    ny = cy
    nz = cz
  }
  const least = CLEAR_VOLUME_RATIO * square * Math.sqrt(square)
  for (let i = 3; i < end; i += 3) {
    const volume = nx * (points[i] - x) + ny * (points[i + 1] - y) + nz * (points[i + 2] - z)
    if (Math.abs(volume) > least) return least > 0
  }
  return false
}

export type AxisName = 'x' | 'y' | 'z'

const AXES: readonly AxisName[] = ['x', 'y', 'z']

/** Writes core point `i`, given in the shape's own frame. */
function putPoint(body: Body, i: number, x: number, y: number, z: number, name: number): void {
  const { numbers } = body
  const at = VERTICES + 3 * i
  body.names[i] = name
  turn(body, x, y, z, numbers, at)
}

/** The vector in the shape's own frame, turned into world axes. Where axes go to axes, nothing is rounded. */
function turn({ numbers }: Body, x: number, y: number, z: number, out: Float64Array, at: number): void {
  for (let k = 0; k < 3; k++) {
    const row = ROTATION + 3 * k
    out[at + k] = numbers[row] * x + numbers[row + 1] * y + numbers[row + 2] * z
  }
}

export function setPoint(body: Body): void {
  setSphere(body, 0)
}

export function setSphere(body: Body, radius: number): void {
  reservePoints(body, 1)
  putPoint(body, 0, 0, 0, 0, 0)
  finishPoints(body, radius)
}

export function setSegment(body: Body, a: Vector, b: Vector): void {
  setCapsule(body, a, b, 0)
}

export function setCapsule(body: Body, a: Vector, b: Vector, radius: number): void {
  reservePoints(body, 2)
  putPoint(body, 0, a[0], a[1], a[2], 0)
  putPoint(body, 1, b[0], b[1], b[2], 1)
  finishPoints(body, radius)
}

export function setTriangle(body: Body, a: Vector, b: Vector, c: Vector): void {
  reservePoints(body, 3)
  putPoint(body, 0, a[0], a[1], a[2], 0)
  putPoint(body, 1, b[0], b[1], b[2], 1)
  putPoint(body, 2, c[0], c[1], c[2], 2)
  finishPoints(body, 0)
}

/** Centred at the position; corner i lies at the greater x if bit 0 of i is set, the greater y by bit 1, the greater z by bit 2. */
export function setBox(body: Body, size: Vector, radius: number): void {
  const x = size[0] / 2
  const y = size[1] / 2
  const z = size[2] / 2
  putCorners(body, [-x, -y, -z], [x, y, z])
  finishPoints(body, radius)
  body.isBox = body.count === 8
}

/** Its corners have the names of those of a box. */
export function setAabb(body: Body, min: Vector, max: Vector): void {
  putCorners(body, min, max)
  finishPoints(body, 0)
  body.isBox = body.count === 8
}

function putCorners(body: Body, min: Vector, max: Vector): void {
  reservePoints(body, 8)
  let count = 0
  // An axis without extent has one end.
  const flat = (min[0] === max[0] ? 1 : 0) + (min[1] === max[1] ? 2 : 0) + (min[2] === max[2] ? 4 : 0)
  for (let corner = 0; corner < 8; corner++) {
    if ((corner & flat) !== 0) continue
    const x = (corner & 1) === 0 ? min[0] : max[0]
    const y = (corner & 2) === 0 ? min[1] : max[1]
    const z = (corner & 4) === 0 ? min[2] : max[2]
    putPoint(body, count++, x, y, z, corner)
  }
  // The copies relative to the anchor follow the points.
  reservePoints(body, count)
}

/** Of each point which corner of the hull it is, −1 for none. */
let cornerAt = new Int32Array(32)

/**
 * The convex hull of so many points, whatever they are, given as x, y, z, …; at least one. Only its corners are kept, unless the points
 * are few and clearly no flat lot, and nothing goes round them: most questions are answered without knowing which of them are corners.
 */
export function setHull(body: Body, points: Float64Array, count: number, radius: number): void {
  if (radius === 0 && count <= LATE_HULL_COUNT && spansVolume(points, count)) setLateHull(body, points, count)
  else setCorners(body, points, count, radius)
}

function setLateHull(body: Body, points: Float64Array, count: number): void {
  reservePoints(body, count, 3 * count)
  const given = body.local + 3 * count
  for (let i = 0; i < count; i++) putPoint(body, i, points[3 * i], points[3 * i + 1], points[3 * i + 2], i)
  for (let i = 0; i < 3 * count; i++) body.numbers[given + i] = points[i]
  finishPoints(body, 0)
  body.hull = { corners: null, coreOf: NONE }
}

const NONE = new Int32Array(0)

/** Leaves the corners alone of a hull whose points have all been kept. */
export function keepCorners(body: Body): void {
  const { hull, numbers, count, local } = body
  if (hull === null || hull.corners !== null) return
  const given = local + 3 * count
  setCorners(body, numbers.slice(given, given + 3 * count), count, 0)
}

function setCorners(body: Body, points: Float64Array, count: number, radius: number): void {
  const corners = hullCorners(points, count)
  const { vertices } = corners
  if (cornerAt.length < count) cornerAt = new Int32Array(2 * count)
  cornerAt.fill(-1, 0, count)
  for (let k = 0; k < vertices.length; k++) cornerAt[vertices[k]] = k
  reservePoints(body, vertices.length)
  const coreOf = new Int32Array(vertices.length)
  let core = 0
  // In the caller's order, so that of equally far corners the least index comes first.
  for (let i = 0; i < count; i++) {
    if (cornerAt[i] < 0) continue
    coreOf[cornerAt[i]] = core
    putPoint(body, core++, points[3 * i], points[3 * i + 1], points[3 * i + 2], i)
  }
  finishPoints(body, radius)
  body.hull = { corners, coreOf }
}

/** Centred at the position. Without radius it is a segment, without height a disc. */
export function setCylinder(body: Body, radius: number, height: number, axis: AxisName): void {
  if (radius === 0) setAxisSegment(body, height, axis)
  else setTurned(body, CYLINDER, radius, height / 2, axis)
}

/** Apex at +height/2 along the axis, base at −height/2. */
export function setCone(body: Body, radius: number, height: number, axis: AxisName): void {
  if (radius === 0) setAxisSegment(body, height, axis)
  else setTurned(body, height === 0 ? CYLINDER : CONE, radius, height / 2, axis)
}

function setAxisSegment(body: Body, height: number, axis: AxisName): void {
  const end = AXES.map((name) => (name === axis ? height / 2 : 0))
  const start = AXES.map((name) => (name === axis ? -height / 2 : 0))
  setCapsule(body, [start[0], start[1], start[2]], [end[0], end[1], end[2]], 0)
}

function setTurned(
  body: Body,
  kind: typeof CYLINDER | typeof CONE,
  radius: number,
  half: number,
  axis: AxisName,
): void {
  const { numbers } = body
  begin(body, kind)
  numbers[LENGTHS] = radius
  numbers[LENGTHS + 1] = half
  numbers[LENGTHS + 2] = radius
  numbers[REACH] = vectorLength(radius, half)
  // The axis becomes the second column: the shape looks the same however the other two lie about it.
  const k = AXES.indexOf(axis)
  for (let row = 0; row < 3; row++) {
    const at = ROTATION + 3 * row
    const own = numbers[at + k]
    numbers[at + k] = numbers[at + 1]
    numbers[at + 1] = own
  }
}

export function setEllipsoid(body: Body, radii: Vector): void {
  begin(body, ELLIPSOID)
  body.numbers.set(radii, LENGTHS)
  body.numbers[REACH] = Math.max(...radii)
}

/** All x with n·x ≤ offset, n the unit vector along `normal`, both counted from the position and turned with the body. */
export function setHalfspace(body: Body, normal: Vector, offset: number): void {
  const { numbers } = body
  begin(body, HALFSPACE)
  // A power of two, which loses nothing: only the direction counts, and products of small or large numbers would.
  const largest = Math.max(Math.abs(normal[0]), Math.abs(normal[1]), Math.abs(normal[2]))
  const scale = largest < SMALL_NORMAL ? LARGE_NORMAL : largest > LARGE_NORMAL ? 1 / LARGE_NORMAL : 1
  turn(body, normal[0] * scale, normal[1] * scale, normal[2] * scale, numbers, NORMAL)
  const length = vectorLength3d(numbers[NORMAL], numbers[NORMAL + 1], numbers[NORMAL + 2])
  for (let k = 0; k < 3; k++) numbers[UNIT + k] = numbers[NORMAL + k] / length
  numbers[OFFSET] = offset
  numbers[REACH] = Math.abs(offset)
}

const LARGE_NORMAL = 2 ** 400
const SMALL_NORMAL = 1 / LARGE_NORMAL

function begin(body: Body, kind: Body['kind']): void {
  body.kind = kind
  body.isBox = false
  body.hull = null
  body.surface = null
  reservePoints(body, 0)
  body.numbers[RADIUS] = 0
  clearLengths(body)
  setCenter(body, 0, 0, 0)
}
