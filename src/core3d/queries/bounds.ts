/**
 * The bounds query: the least box along the axes of the world that holds a body, or everything it covers while it moves.
 *
 * Method: the box of the body about its position, by its kind (`shape/kinds.ts`), moved there as an exact sum and rounded outward. The
 * sides of a curved body at an angle are roots, and widened by what rounding may have cut off; so are those of a body that turns
 * (below). The box of a composite body is that about the boxes of its parts; of a mesh, about its corners as placed.
 * Frame: world. Half-spaces are unbounded but for the side that one along an axis ends at.
 */

import { spend } from '../../containers/budget.ts'
import {
  type Expansion,
  expansionNegate,
  expansionOf,
  expansionSign,
  expansionSum,
  productError,
  sumError,
} from '../../numeric/expansion.ts'
import { highestOnOrbit, type Orbit } from '../../numeric/orbit.ts'
import { BISECTION_COUNT, UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { MESH_BOX, type Mesh, type Placement, putPlacedVertex } from '../mesh/mesh.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  COMPOSITE,
  type Composite,
  HALFSPACE,
  NORMAL,
  OFFSET,
  POINTS,
  POSITION,
  RADIUS,
  REACH,
  VERTICES,
} from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import type { Motion } from '../shape/motion.ts'
import { BOX_ERROR_RATIO, LEAST_TURN, TURN_CUT_COUNT } from '../tolerances.ts'

export interface Bounds {
  min: [number, number, number]
  max: [number, number, number]
}

export function createBounds(): Bounds {
  return { min: [0, 0, 0], max: [0, 0, 0] }
}

const box = new Float64Array(6)

const turning = createTurning()

/** Of everything that the body covers in the times [0, duration]. Cost O(points). */
export function motionBounds(body: Body, motion: Motion, duration: number, out: Bounds): void {
  const turns = setTurning(motion, duration, turning)
  if (!turns) bounds(body, out)
  else if (body.kind !== COMPOSITE) {
    if (boundTurningPart(body, body, motion, out)) return
  } else if (boundTurningParts(body, motion, out)) return
  addTravel(motion, duration, out)
}

/** Widens a box by what travels. */
function addTravel(motion: Motion, duration: number, out: Bounds): void {
  const speeds = [motion.vx, motion.vy, motion.vz]
  for (let k = 0; k < 3; k++) {
    const travel = speeds[k] * duration
    const rest = productError(speeds[k], duration, travel)
    if (travel < 0) out.min[k] = roundDown(out.min[k], travel, rest)
    else if (travel > 0) out.max[k] = -roundDown(-out.max[k], -travel, -rest)
  }
}

/** Bounds a convex part that turns about the position of the body; false where the box is that of one that does not move yet. */
function boundTurningPart(part: Body, body: Body, motion: Motion, out: Bounds): boolean {
  if (part.kind === HALFSPACE) {
    boundHalfspace(part, out)
    if (isNormal(part, motion)) return false
    out.min.fill(-Infinity)
    out.max.fill(Infinity)
    return true
  }
  for (let k = 0; k < 3; k++) shift[k] = part.numbers[POSITION + k] - body.numbers[POSITION + k]
  boundTurning(part, body, motion, out)
  return true
}

/** Whether a half-space turns about its own normal, which moves nothing. */
function isNormal({ numbers }: Body, { wx, wy, wz }: Motion): boolean {
  const x = numbers[NORMAL]
  const y = numbers[NORMAL + 1]
  const z = numbers[NORMAL + 2]
  return y * wz === z * wy && z * wx === x * wz && x * wy === y * wx
}

/** Of a bounded convex part that turns about the position of the body; `shift` is set. */
function boundTurning(part: Body, body: Body, motion: Motion, out: Bounds): void {
  const { numbers } = part
  let reach = numbers[REACH]
  for (let k = 0; k < 3; k++) reach += Math.abs(numbers[ANCHOR + k] + numbers[CENTER + k]) + Math.abs(shift[k])
  const speeds = [motion.vx, motion.vy, motion.vz]
  for (let k = 0; k < 3; k++) {
    const up = highestTurning(part, turning, k, 1, speeds[k])
    const down = highestTurning(part, turning, k, -1, -speeds[k])
    placeBox(body, k, up, down, reach, out)
  }
}

/** Sets the sides of a box that reaches so far up and down axis k, of what goes round no farther than `reach`. */
function placeBox({ numbers }: Body, k: number, up: number, down: number, reach: number, out: Bounds): void {
  const pad = BOX_ERROR_RATIO * Math.max(Math.abs(up), Math.abs(down), reach)
  out.min[k] = roundDown(numbers[POSITION + k], -down, -pad)
  out.max[k] = -roundDown(-numbers[POSITION + k], -up, -pad)
}

/** Of the body as it stands. Cost O(points). */
export function bounds(body: Body, out: Bounds): void {
  const { kind, numbers, aligned } = body
  if (kind === COMPOSITE) {
    boundParts(body, out)
    return
  }
  kindOf(body).setBox(body, box)
  if (kind === HALFSPACE) {
    boundHalfspace(body, out)
    return
  }
  for (let k = 0; k < 3; k++) {
    const place = numbers[POSITION + k]
    if (kind === POINTS) {
      // Without its skin a side is one of the numbers, and with it an exact sum of three.
      const radius = numbers[RADIUS]
      out.min[k] = roundDown(place, sideOf(body, k, -1), -radius)
      out.max[k] = -roundDown(-place, -sideOf(body, k, 1), -radius)
    } else {
      const pad = aligned ? 0 : BOX_ERROR_RATIO * Math.max(-box[k], box[k + 3])
      out.min[k] = roundDown(place, box[k], -pad)
      out.max[k] = -roundDown(-place, -box[k + 3], -pad)
    }
  }
}

/** Least (side −1) or greatest coordinate of a core point, counted from the position. */
function sideOf({ numbers, count }: Body, k: number, side: 1 | -1): number {
  let extreme = numbers[VERTICES + k]
  for (let i = VERTICES + k; i < VERTICES + 3 * count; i += 3) {
    if (side * numbers[i] > side * extreme) extreme = numbers[i]
  }
  return extreme
}

/** The greatest double that is no greater than a + b + c, or the one below it. */
function roundDown(a: number, b: number, c: number): number {
  const one = a + b
  const oneRest = sumError(a, b, one)
  const two = one + c
  const rest = sumError(one, c, two) + oneRest
  const sum = two + rest
  // Exact unless the two rests were rounded themselves, which only moves the side out by a unit more.
  if (!Number.isFinite(sum)) return one
  const lost = sumError(two, rest, sum)
  return lost < 0 || sumError(sumError(one, c, two), oneRest, rest) < 0 ? nextBelow(sum) : sum
}

/** The double below. */
function nextBelow(value: number): number {
  VIEW.setFloat64(0, value)
  const bits = VIEW.getBigInt64(0)
  if (value === 0) return -Number.MIN_VALUE
  VIEW.setBigInt64(0, value > 0 ? bits - 1n : bits + 1n)
  return VIEW.getFloat64(0)
}

const VIEW = new DataView(new ArrayBuffer(8))

function boundHalfspace({ numbers }: Body, out: Bounds): void {
  for (let k = 0; k < 3; k++) {
    const others = [0, 1, 2].filter((other) => other !== k)
    const isAlong = others.every((other) => numbers[NORMAL + other] === 0)
    const sign = Math.sign(numbers[NORMAL + k])
    const place = numbers[POSITION + k]
    out.min[k] = isAlong && sign < 0 ? roundDown(place, -numbers[OFFSET], 0) : -Infinity
    out.max[k] = isAlong && sign > 0 ? -roundDown(-place, -numbers[OFFSET], 0) : Infinity
  }
}

// The boxes of the parts of a composite body.

const own = createBounds()
const vertex = new Float64Array(3)

function boundParts({ composite }: Body, out: Bounds): void {
  const { parts, partCount } = composite as Composite
  clearBounds(out)
  if (meshBoxes.length < 6 * partCount) meshBoxes = new Float64Array(12 * partCount)
  for (let p = 0; p < partCount; p++) {
    const { mesh, placement, body: part } = parts[p]
    spend(1)
    if (mesh === null) bounds(part, own)
    else {
      const { position } = placement
      setMeshBox(mesh, placement, box)
      meshBoxes.set(box, 6 * p)
      for (let k = 0; k < 3; k++) {
        own.min[k] = roundDown(position[k], box[k], position[k + 3])
        own.max[k] = -roundDown(-position[k], -box[k + 3], -position[k + 3])
      }
    }
    joinBounds(own, out)
  }
}

/** The box of each mesh part of the body that was bounded last, from where the part stands. */
let meshBoxes = new Float64Array(6)

function clearBounds(out: Bounds): void {
  out.min.fill(Infinity)
  out.max.fill(-Infinity)
}

function joinBounds(from: Bounds, out: Bounds): void {
  for (let k = 0; k < 3; k++) {
    if (from.min[k] < out.min[k]) out.min[k] = from.min[k]
    if (from.max[k] > out.max[k]) out.max[k] = from.max[k]
  }
}

/** Sets the least and greatest coordinates of the corners, relative to the placement: exactly, as they are rounded. */
function setMeshBox(mesh: Mesh, placement: Placement, box: Float64Array): void {
  if (!placement.turns) {
    for (let k = 0; k < 6; k++) box[k] = mesh.header[MESH_BOX + k]
    return
  }
  box.fill(Infinity, 0, 3)
  box.fill(-Infinity, 3, 6)
  eachVertex(mesh, (i) => {
    putPlacedVertex(mesh, placement, i, vertex, 0)
    for (let k = 0; k < 3; k++) {
      if (vertex[k] < box[k]) box[k] = vertex[k]
      if (vertex[k] > box[k + 3]) box[k + 3] = vertex[k]
    }
  })
}

/** Calls `visit` for each vertex of a triangle, once. */
function eachVertex({ triangles, vertexCount }: Mesh, visit: (vertex: number) => void): void {
  spend(triangles.length >> 1)
  const isSeen = new Uint8Array(vertexCount)
  for (let i = 0; i < triangles.length; i++) {
    const at = triangles[i]
    if (isSeen[at] === 1) continue
    isSeen[at] = 1
    visit(at)
  }
}

/** Of all parts while they turn about the body's position; false where the box is that of half-spaces that do not move yet. */
function boundTurningParts(body: Body, motion: Motion, out: Bounds): boolean {
  const { parts, partCount } = body.composite as Composite
  let isAtRest = true
  clearBounds(out)
  for (let p = 0; p < partCount; p++) {
    const { mesh, placement, body: part } = parts[p]
    if (mesh !== null) boundTurningMesh(body, mesh, placement, motion, own)
    else if (!boundTurningPart(part, body, motion, own)) {
      joinBounds(own, out)
      continue
    }
    isAtRest = false
    joinBounds(own, out)
  }
  if (isAtRest) return false
  // Beside what has been moved, half-spaces have not, and reach to infinity but for one side.
  for (let p = 0; p < partCount; p++) {
    const { mesh, body: part } = parts[p]
    if (mesh !== null || part.kind !== HALFSPACE) continue
    boundHalfspace(part, own)
    joinBounds(own, out)
    addTravel(motion, turning.duration, own)
    joinBounds(own, out)
  }
  return true
}

function boundTurningMesh(body: Body, mesh: Mesh, placement: Placement, motion: Motion, out: Bounds): void {
  const { position } = placement
  const speeds = [motion.vx, motion.vy, motion.vz]
  const highest = new Float64Array(6).fill(-Infinity)
  let reach = 0
  for (let k = 0; k < 3; k++) shift[k] = position[k] - body.numbers[POSITION + k] + position[k + 3]
  setOrbit(turning)
  eachVertex(mesh, (i) => {
    spend(4)
    putPlacedVertex(mesh, placement, i, vertex, 0)
    for (let k = 0; k < 3; k++) vertex[k] += shift[k]
    reach = Math.max(reach, Math.abs(vertex[0]) + Math.abs(vertex[1]) + Math.abs(vertex[2]))
    for (let side = 0; side < 6; side++) {
      const sign = side < 3 ? 1 : -1
      const height = highestOfPoint(turning, side % 3, sign, sign * speeds[side % 3], vertex[0], vertex[1], vertex[2])
      if (height > highest[side]) highest[side] = height
    }
  })
  for (let k = 0; k < 3; k++) reach += Math.abs(shift[k])
  for (let k = 0; k < 3; k++) placeBox(body, k, highest[k], highest[k + 3], reach, out)
}

// The greatest height of a body along an axis of the world while it turns about its position and travels.
//
// Method: a core point goes round its circle, whose height along an axis is one of a point on a circle in a plane
// (`numeric/orbit.ts`). Of a curved body the height is a function of the angle alone plus what it travels, so the greatest
// lies in the last turn within the time, or in the first if it travels downwards; that turn is cut evenly, and where the height stops
// rising between two cuts the maximum is closed in on by bisection. A body seen turning is a direction turning the other way.
// Frame: world axes, heights counted from the position at time 0.

/** A turn about an axis for a time, and the circle of the direction that is asked about. */
interface Turning {
  /** The unit axis, radians per second about it, and for how long. */
  ux: number
  uy: number
  uz: number
  rate: number
  duration: number
  /** Cosine and sine of the whole turn. */
  cos: number
  sin: number
}

function createTurning(): Turning {
  return { ux: 0, uy: 0, uz: 0, rate: 0, duration: 0, cos: 1, sin: 0 }
}

/** Sets the turn of a motion; false when nothing turns, or by too little to see. */
function setTurning({ wx, wy, wz }: Motion, duration: number, out: Turning): boolean {
  const largest = Math.max(Math.abs(wx), Math.abs(wy), Math.abs(wz))
  if (largest === 0 || duration === 0) return false
  const x = wx / largest
  const y = wy / largest
  const z = wz / largest
  const length = vectorLength(vectorLength(x, y), z)
  out.ux = x / length
  out.uy = y / length
  out.uz = z / length
  out.rate = largest * length
  out.duration = duration
  if (out.rate * duration < LEAST_TURN) return false
  out.cos = Math.cos(out.rate * duration)
  out.sin = Math.sin(out.rate * duration)
  return true
}

/** Where the part that is bounded stands, from the position that it turns about. */
const shift = new Float64Array(3)

const orbit: Orbit = { along: 0, across: 0, speed: 0, spin: 0, duration: 0, cos: 1, sin: 0 }

/** Greatest height along axis k (side 1), or its opposite (−1), of a bounded body that travels at `speed` along that. Cost O(points). */
function highestTurning(body: Body, turning: Turning, k: number, side: 1 | -1, speed: number): number {
  return body.kind === POINTS
    ? highestPoint(body, turning, k, side, speed)
    : highestCurve(body, turning, k, side, speed)
}

function highestPoint({ numbers, count }: Body, turning: Turning, k: number, side: 1 | -1, speed: number): number {
  spend(4 * count)
  setOrbit(turning)
  let highest = -Infinity
  for (let at = VERTICES; at < VERTICES + 3 * count; at += 3) {
    const x = numbers[at] + shift[0]
    const y = numbers[at + 1] + shift[1]
    const z = numbers[at + 2] + shift[2]
    const height = highestOfPoint(turning, k, side, speed, x, y, z)
    if (height > highest) highest = height
  }
  return highest + numbers[RADIUS]
}

function setOrbit(turning: Turning): void {
  orbit.spin = turning.rate
  orbit.duration = turning.duration
  orbit.cos = turning.cos
  orbit.sin = turning.sin
}

/** `orbit` is set to the turn. */
function highestOfPoint(
  { ux, uy, uz }: Turning,
  k: number,
  side: 1 | -1,
  speed: number,
  x: number,
  y: number,
  z: number,
): number {
  const own = k === 0 ? ux : k === 1 ? uy : uz
  const axial = own * (ux * x + uy * y + uz * z)
  const cross = k === 0 ? uy * z - uz * y : k === 1 ? uz * x - ux * z : ux * y - uy * x
  orbit.speed = speed
  orbit.along = side * ((k === 0 ? x : k === 1 ? y : z) - axial)
  orbit.across = -side * cross
  return side * axial + highestOnOrbit(orbit)
}

/** The direction as the body sees it: a part along the axis, and the circle of the rest. */
const axial = new Float64Array(3)
const cosine = new Float64Array(3)
const sine = new Float64Array(3)
const farthest = new Float64Array(3)
/** The last evaluation. A record, because doubles that functions share are boxed. */
const last = { height: 0, slope: 0 }

function highestCurve(body: Body, turning: Turning, k: number, side: 1 | -1, speed: number): number {
  const { rate, duration } = turning
  const turn = rate * duration
  const whole = turn > 2 * Math.PI
  const fromEnd = whole && speed > 0
  setCircle(turning, k, side, fromEnd)
  const span = whole ? 2 * Math.PI : turn
  const low = fromEnd ? -span : 0
  const drift = speed / rate
  spend(TURN_CUT_COUNT)
  measure(body, low, drift)
  let { height: highest, slope: before } = last
  for (let i = 1; i <= TURN_CUT_COUNT; i++) {
    const from = low + (span * (i - 1)) / TURN_CUT_COUNT
    const to = low + (span * i) / TURN_CUT_COUNT
    measure(body, to, drift)
    const { slope } = last
    if (last.height > highest) highest = last.height
    if (before > 0 && slope < 0) highest = Math.max(highest, climb(body, from, to, drift))
    before = slope
  }
  return highest + (fromEnd ? speed * duration : 0)
}

/** Angles count from the start, or from the end of the time. */
function setCircle({ ux, uy, uz, cos, sin }: Turning, k: number, side: 1 | -1, fromEnd: boolean): void {
  const own = side * (k === 0 ? ux : k === 1 ? uy : uz)
  const x = k === 0 ? side : 0
  const y = k === 1 ? side : 0
  const z = k === 2 ? side : 0
  axial[0] = own * ux
  axial[1] = own * uy
  axial[2] = own * uz
  // turned back: against the axis
  const c = fromEnd ? cos : 1
  const s = fromEnd ? sin : 0
  const across = [y * uz - z * uy, z * ux - x * uz, x * uy - y * ux]
  const along = [x - axial[0], y - axial[1], z - axial[2]]
  for (let i = 0; i < 3; i++) {
    cosine[i] = c * along[i] + s * across[i]
    sine[i] = c * across[i] - s * along[i]
  }
}

/** Height and its derivative by the angle. `drift`: what it travels in a radian. */
function measure(body: Body, angle: number, drift: number): void {
  const c = Math.cos(angle)
  const s = Math.sin(angle)
  const x = axial[0] + c * cosine[0] + s * sine[0]
  const y = axial[1] + c * cosine[1] + s * sine[1]
  const z = axial[2] + c * cosine[2] + s * sine[2]
  farthest.fill(0)
  kindOf(body).support(body, x, y, z, farthest)
  const px = farthest[0] + shift[0]
  const py = farthest[1] + shift[1]
  const pz = farthest[2] + shift[2]
  last.height = drift * angle + (x * px + y * py + z * pz)
  last.slope =
    drift +
    ((c * sine[0] - s * cosine[0]) * px + (c * sine[1] - s * cosine[1]) * py + (c * sine[2] - s * cosine[2]) * pz)
}

/** The maximum between two cuts. */
function climb(body: Body, from: number, to: number, drift: number): number {
  let low = from
  let high = to
  let best = -Infinity
  for (let i = 0; i < BISECTION_COUNT; i++) {
    const middle = low + (high - low) / 2
    if (middle === low || middle === high) break
    spend(1)
    measure(body, middle, drift)
    if (last.height > best) best = last.height
    if (last.slope > 0) low = middle
    else high = middle
  }
  return best
}

// The axis-aligned boxes of many bodies in space, as broad phases take them, with an exact answer to whether two of them meet.
//
// Method: boxes are those of `bounds.ts`, rounded outward: boxes that are apart are apart for certain. A side is a sum of position,
// extreme and skin; one that no double holds is kept as an expansion too, and of boxes that meet within rounding the expansions
// decide.
// Frame: world. The box of turned points is that of the points as they were rounded; that of a curved body at an angle is a few
// roundoffs wider. Half-spaces are unbounded but for the side that one along an axis ends at.

export interface BodyBoxes {
  count: number
  /** Of body i at 6i…6i+5: min x, y, z, max x, y, z, rounded outward. */
  boxes: Float64Array
  /** The sides that no double holds. */
  exact: Map<number, Expansion>
}

const found = createBounds()
const extremes = new Float64Array(6)

/** For up to `capacity` bodies. */
export function createBodyBoxes(capacity: number): BodyBoxes {
  return { count: 0, boxes: new Float64Array(6 * capacity), exact: new Map() }
}

/** Appends the box of a body. O(points). */
export function addBodyBox(list: BodyBoxes, body: Body): void {
  const at = 6 * list.count++
  bounds(body, found)
  list.boxes.set(found.min, at)
  list.boxes.set(found.max, at + 3)
  if (body.kind === COMPOSITE) addPartSides(list, at, body)
  else addSides(list, at, body, false)
}

/** The exact sides of a convex body's box, where the box of the list has the same. */
function addSides(list: BodyBoxes, at: number, body: Body, isPart: boolean): void {
  // The box of a curved body at an angle is a bound, and meant as it was rounded.
  if (body.kind !== POINTS && body.kind !== HALFSPACE && !body.aligned) return
  kindOf(body).setBox(body, extremes)
  const { numbers, kind } = body
  for (let side = 0; side < 6; side++) {
    if (!Number.isFinite(list.boxes[at + side])) continue
    const sign = side < 3 ? -1 : 1
    const skin = kind === POINTS ? sign * numbers[RADIUS] : 0
    const core =
      kind === HALFSPACE ? sign * numbers[OFFSET] : skin === 0 ? extremes[side] : sideOf(body, side % 3, sign)
    addSide(list, at + side, sign, numbers[POSITION + (side % 3)], core, skin, isPart)
  }
}

/** The exact sides of the box of a composite body, which was bounded last: of several parts the outermost. */
function addPartSides(list: BodyBoxes, at: number, { composite }: Body): void {
  const { parts, partCount } = composite as Composite
  for (let p = 0; p < partCount; p++) {
    const { mesh, placement, body } = parts[p]
    if (mesh === null) {
      addSides(list, at, body, true)
      continue
    }
    const { position } = placement
    for (let side = 0; side < 6; side++) {
      const k = side % 3
      addSide(list, at + side, side < 3 ? -1 : 1, position[k], meshBoxes[6 * p + side], position[k + 3], true)
    }
  }
}

/** Keeps the sum where no double holds it, and, of several parts, the one that lies farthest out. */
function addSide(
  { boxes, exact }: BodyBoxes,
  side: number,
  sign: 1 | -1,
  place: number,
  core: number,
  skin: number,
  isPart: boolean,
): void {
  const placed = place + core
  const rounded = placed + skin
  const isExact = sumError(place, core, placed) === 0 && sumError(placed, skin, rounded) === 0
  if (!isPart) {
    if (!isExact) exact.set(side, sumOfThree(place, core, skin))
    return
  }
  // Clearly within the others.
  const doubt = 16 * UNIT_ROUNDOFF * (Math.abs(place) + Math.abs(core) + Math.abs(skin))
  if (sign * (boxes[side] - rounded) > doubt) return
  const sum = isExact ? expansionOf(rounded) : sumOfThree(place, core, skin)
  const before = exact.get(side)
  if (before === undefined || sign * expansionSign(expansionSum(sum, expansionNegate(before))) > 0) exact.set(side, sum)
}

function sumOfThree(a: number, b: number, c: number): Expansion {
  return expansionSum(expansionSum(expansionOf(a), expansionOf(b)), expansionOf(c))
}

/** Whether two bodies' boxes, unrounded, have a point in common, when the rounded ones do. */
export function exactBoxesMeet(list: BodyBoxes, i: number, j: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (!isAtMost(list, 6 * i + axis, 6 * j + 3 + axis) || !isAtMost(list, 6 * j + axis, 6 * i + 3 + axis)) return false
  }
  return true
}

/** Whether one low side lies at or below another high one. */
function isAtMost({ boxes, exact }: BodyBoxes, low: number, high: number): boolean {
  const from = exact.get(low)
  const to = exact.get(high)
  if (from === undefined && to === undefined) return boxes[low] <= boxes[high]
  // Rounding moved neither by more than two units in the last place, each of up to two roundoffs.
  const doubt = 16 * UNIT_ROUNDOFF * (Math.abs(boxes[low]) + Math.abs(boxes[high]))
  // Sides of half-spaces may be infinite.
  if (doubt === Infinity) return boxes[low] <= boxes[high]
  if (boxes[high] - boxes[low] > doubt) return true
  const difference = expansionSum(to ?? expansionOf(boxes[high]), expansionNegate(from ?? expansionOf(boxes[low])))
  return expansionSign(difference) >= 0
}
