/**
 * The last digits of a contact with a curved body: direction and points where GJK creeps, or a polytope runs out of corners.
 *
 * Method: at the nearest points, and at those of the shortest way out, the way from one to the other is at right angles to the parts
 * of the bodies that they lie on. These are equations for the direction, and for how far along edges and faces the points lie
 * (`facing-feature.ts`), solved by Newton's method. Their solution is taken only where it is proven: no point of either body lies
 * beyond the planes through the points, and the points lie within their parts.
 * Frame: that of `gjk.ts`. Cost: a few steps of some hundred products; O(points of both).
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength, vectorLength3d } from '../../numeric/safe-range.ts'
import { type Body, CONE, CYLINDER, ELLIPSOID, POINTS, ROTATION } from '../shape/body.ts'
import {
  CLEAR_PART_RATIO,
  CLEAR_TURN_RATIO,
  CONTACT_ERROR_RATIO,
  CONTACT_SLACK_RATIO,
  DUALITY_GAP_RATIO,
  FREE_PIVOT_RATIO,
  MEETING_LEAN_RATIO,
  NEWTON_COUNT,
  NORMAL_GAP_RATIO,
  ROUGH_GAP_RATIO,
  WAYS_ROUND_COUNT,
} from '../tolerances.ts'
import type { Penetration } from './expanding-polytope.ts'
import {
  createFacing,
  type Facing,
  isClearFacing,
  isInFacing,
  placeFacing,
  putAcross,
  RULED,
  setCornersFacing,
  setFacing,
  turnFacing,
} from './facing-feature.ts'
import { type Bounds, boundDistance, boundSide, createDifferencePlaces, narrowDistance, putDifference } from './gjk.ts'
import type { PairFrame } from './pair-frame.ts'

export interface NearContact {
  /** Of the cores, from below. */
  gap: number
  /** Unit vector from the first to the second. */
  nx: number
  ny: number
  nz: number
  /** Nearest points of the cores, each from its own anchor. */
  a: Float64Array
  b: Float64Array
}

const one = createFacing()
const other = createFacing()
const places = createDifferencePlaces(1)

/** The contact so far: unit vector from the first to the second, signed gap of the points along it, height of the difference, points from the anchors. */
const contact = { x: 0, y: 0, z: 0, gap: 0, height: 0, a: new Float64Array(3), b: new Float64Array(3) }
const kept: typeof contact = { ...contact, a: new Float64Array(3), b: new Float64Array(3) }

/**
 * Bounds the distance of the cores of a pair, one of them curved, as narrowly as can be: where they are clearly apart, GJK need not
 * come near. `enough`: nor where they are no farther apart than that. Returns whether direction and points are those of a contact that
 * is proven.
 */
export function boundCurved(frame: PairFrame, bounds: Bounds, enough = 0): boolean {
  boundDistance(frame, bounds, ROUGH_GAP_RATIO)
  return bounds.simplex.holds !== 2 && bounds.upper >= enough && narrowCurved(frame, bounds)
}

/** `boundCurved` that ends where the distance is known to be less than `near`, or more than `far`. */
export function boundCurvedSide(frame: PairFrame, bounds: Bounds, near: number, far: number): void {
  boundSide(frame, bounds, near, far, ROUGH_GAP_RATIO)
  if (bounds.simplex.holds !== 2 && bounds.upper >= near && bounds.lower <= far) narrowCurved(frame, bounds)
}

/** Narrows the bounds that GJK has just found to part of the extent. Returns what `boundCurved` does. */
function narrowCurved(frame: PairFrame, bounds: Bounds): boolean {
  if (bounds.lower > ROUGH_GAP_RATIO * frame.extent && settle(frame, bounds)) return true
  narrowDistance(frame, bounds)
  return bounds.lower > 0 && bounds.upper - bounds.lower > DUALITY_GAP_RATIO * frame.extent && settle(frame, bounds)
}

/** Sets direction and points of a pair that is apart or touches, near those that are known; false, with nothing changed, where there is no proof. */
export function settle(frame: PairFrame, bounds: Bounds): boolean {
  const { simplex } = bounds
  blend(simplex.a, simplex.weights, simplex.count, contact.a)
  blend(simplex.b, simplex.weights, simplex.count, contact.b)
  // Of a pair that overlaps it is what parts it, and no place where it meets.
  if (!solve(frame, -bounds.nx, -bounds.ny, -bounds.nz) || contact.height > CONTACT_ERROR_RATIO * frame.extent)
    return false
  takeContact(frame, bounds)
  // Near flat parts the points may be better than the direction, for which the bound that was known then stays.
  if (-contact.height >= bounds.lower || !isOpen(frame)) setLower(bounds)
  return true
}

/** Settles a pair from a direction near its own, from the second to the first, and nothing else. */
export function settleFrom(frame: PairFrame, nx: number, ny: number, nz: number, bounds: Bounds): boolean {
  if (!solveFrom(frame, -nx, -ny, -nz) || contact.height > CONTACT_ERROR_RATIO * frame.extent || isOpen(frame))
    return false
  takeContact(frame, bounds)
  setLower(bounds)
  return true
}

/** Whether the height of the difference and the gap of the points leave open how far apart the pair is. */
function isOpen({ extent }: PairFrame): boolean {
  return contact.height + contact.gap > CONTACT_ERROR_RATIO * extent
}

function takeContact({ dx, dy, dz }: PairFrame, bounds: Bounds): void {
  const { simplex } = bounds
  const { a, b } = contact
  simplex.count = 1
  simplex.weights[0] = 1
  simplex.indexA[0] = -1
  simplex.indexB[0] = -1
  simplex.holds = 0
  for (let k = 0; k < 3; k++) {
    simplex.a[k] = a[k]
    simplex.b[k] = b[k]
  }
  simplex.x = simplex.w[0] = a[0] - b[0] - dx
  simplex.y = simplex.w[1] = a[1] - b[1] - dy
  simplex.z = simplex.w[2] = a[2] - b[2] - dz
  bounds.upper = vectorLength3d(simplex.x, simplex.y, simplex.z)
}

function setLower(bounds: Bounds): void {
  bounds.lower = -contact.height
  bounds.nx = -contact.x
  bounds.ny = -contact.y
  bounds.nz = -contact.z
}

/** Solves from a direction alone. */
function solveFrom(frame: PairFrame, x: number, y: number, z: number): boolean {
  putDifference(frame, x, y, z, places, 0)
  for (let k = 0; k < 3; k++) {
    contact.a[k] = places.a[k]
    contact.b[k] = places.b[k]
  }
  return solve(frame, x, y, z)
}

/**
 * Sets the contact of a pair that is within rounding of touching, or overlaps, near a direction. Returns by how much its gap may be too
 * small; Infinity, with nothing set, where there is no proof.
 */
export function settleNear(frame: PairFrame, nx: number, ny: number, nz: number, out: NearContact): number {
  if (!solveFrom(frame, nx, ny, nz)) return Infinity
  putContact(out)
  return contact.height + contact.gap
}

function putContact(out: NearContact): void {
  out.gap = -contact.height
  out.nx = contact.x
  out.ny = contact.y
  out.nz = contact.z
  for (let k = 0; k < 3; k++) {
    out.a[k] = contact.a[k]
    out.b[k] = contact.b[k]
  }
}

/** A pair of which the second moves along a unit vector, until the cores are as far apart as the skins are thick. */
export interface Meeting {
  x: number
  y: number
  z: number
  skins: number
  /** How far it has moved. */
  moved: number
  /** Core points of either body, where it has some, that a search for the contact has ended at. */
  cornersA: Int32Array
  cornersB: Int32Array
  /** Whether it is asked whether no other parts of the bodies may be said to meet there. */
  isEntry: boolean
  isClear: boolean
}

/** The meeting of the pair that is being solved; null of one that stands. */
let meeting: Meeting | null = null

/**
 * Moves the second of a pair to where it meets the first or parts from it, near a direction, from near there, and sets that contact
 * as `settleNear` does. Changes the frame with it. False, with nothing changed but the frame, where there is no proof to the last digits.
 */
export function settleMeeting(
  frame: PairFrame,
  nx: number,
  ny: number,
  nz: number,
  at: Meeting,
  out: NearContact,
): boolean {
  const { dx, dy, dz } = frame
  putDifference(frame, nx, ny, nz, places, 0)
  for (let k = 0; k < 3; k++) {
    contact.a[k] = places.a[k]
    contact.b[k] = places.b[k]
  }
  const { first, second } = frame
  for (let i = 0; setPart(first, at.cornersA, nx, ny, nz, i, contact.a, one); i++) {
    for (let j = 0; setPart(second, at.cornersB, -nx, -ny, -nz, j, contact.b, other); j++) {
      if (j > 0) setPart(first, at.cornersA, nx, ny, nz, i, contact.a, one)
      frame.dx = dx
      frame.dy = dy
      frame.dz = dz
      at.moved = 0
      meeting = at
      const isFlat = one.count + other.count === 2 && putFlatNormal(nx, ny, nz)
      const isMet = isFlat ? converge(frame, flat[0], flat[1], flat[2]) : converge(frame, nx, ny, nz)
      meeting = null
      if (!isMet || !isProven(frame) || isOpen(frame)) continue
      if (at.isEntry) at.isClear = isClearMeeting(frame)
      putContact(out)
      return true
    }
  }
  return false
}

const flat = new Float64Array(3)

/** Sets the normal of two straight directions, of which the parts have two in all, to the side of a vector; false where they are one. */
function putFlatNormal(x: number, y: number, z: number): boolean {
  // Lines of a cone turn with the direction.
  if (one.form === RULED || other.form === RULED) return false
  const a = one.count > 0 ? one.along : other.along
  const b = one.count === 1 ? other.along : a
  const from = one.count === 1 ? 0 : 3
  const nx = a[1] * b[from + 2] - a[2] * b[from + 1]
  const ny = a[2] * b[from] - a[0] * b[from + 2]
  const nz = a[0] * b[from + 1] - a[1] * b[from]
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz)
  if (!(length > CLEAR_PART_RATIO)) return false
  const scale = (nx * x + ny * y + nz * z < 0 ? -1 : 1) / length
  flat[0] = nx * scale
  flat[1] = ny * scale
  flat[2] = nz * scale
  return true
}

function setPart(
  body: Body,
  corners: Int32Array,
  x: number,
  y: number,
  z: number,
  choice: number,
  near: Float64Array,
  out: Facing,
): boolean {
  if (body.kind !== POINTS) return setFacing(body, x, y, z, choice, near, out, MEETING_LEAN_RATIO)
  if (choice === 0) setCornersFacing(body, corners, x, y, z, near, out)
  return choice === 0
}

function isClearMeeting({ first, second, extent }: PairFrame): boolean {
  const { x, y, z } = contact
  const margin = 2 * NORMAL_GAP_RATIO * extent
  if (one.count + other.count > 2) return false
  // Straight parts that lie along each other share more than a point.
  if (one.count === 1 && other.count === 1) {
    const cosine = one.along[0] * other.along[0] + one.along[1] * other.along[1] + one.along[2] * other.along[2]
    if (!(1 - Math.abs(cosine) > CLEAR_PART_RATIO)) return false
  }
  return (
    isClearFacing(first, one, x, y, z, CLEAR_PART_RATIO, margin) &&
    isClearFacing(second, other, -x, -y, -z, CLEAR_PART_RATIO, margin)
  )
}

/** Settles a pair that overlaps: the shortest way out near the known one. */
export function settleWay(frame: PairFrame, way: Penetration): boolean {
  return takeShorter(frame, way, way.nx, way.ny, way.nz)
}

/** Looks for a shorter way: round an axis, and to either side of a middle, ways may be nearly as short, and a search may have ended at any of them. */
export function searchWays(frame: PairFrame, way: Penetration): void {
  const { first, second } = frame
  turnTowards(frame, way, first, 1)
  turnTowards(frame, way, second, -1)
  turnRound(frame, way, first)
  turnRound(frame, way, second)
}

/** Tries, of ways spread evenly about the axis of a cylinder or cone, each that is shorter than those beside it. */
function turnRound(frame: PairFrame, way: Penetration, { kind, numbers }: Body): void {
  if (kind !== CYLINDER && kind !== CONE) return
  spend(WAYS_ROUND_COUNT)
  const { nx, ny, nz } = way
  toOwn(numbers, nx, ny, nz, own)
  const [x, y, z] = own
  const turned = (angle: number): readonly [number, number, number] => {
    own[0] = x * Math.cos(angle) - z * Math.sin(angle)
    own[1] = y
    own[2] = x * Math.sin(angle) + z * Math.cos(angle)
    return [alongRow(numbers, ROTATION), alongRow(numbers, ROTATION + 3), alongRow(numbers, ROTATION + 6)]
  }
  const heightAt = (angle: number): number => putDifference(frame, ...turned(angle), places, 0)
  for (let k = 0; k < WAYS_ROUND_COUNT; k++) heights[k] = heightAt(k * WAY_ANGLE)
  for (let k = 0; k < WAYS_ROUND_COUNT; k++) {
    const height = heights[k]
    if (height > heights[(k + WAYS_ROUND_COUNT - 1) % WAYS_ROUND_COUNT]) continue
    if (height > heights[(k + 1) % WAYS_ROUND_COUNT]) continue
    spend(WAYS_ROUND_COUNT)
    let low = (k - 1) * WAY_ANGLE
    let high = (k + 1) * WAY_ANGLE
    for (let step = 0; step < WAYS_ROUND_COUNT; step++) {
      const third = (high - low) / 3
      if (heightAt(low + third) > heightAt(high - third)) low += third
      else high -= third
    }
    takeShorter(frame, way, ...turned((low + high) / 2))
  }
}

const WAY_ANGLE = (2 * Math.PI) / WAYS_ROUND_COUNT
const heights = new Float64Array(WAYS_ROUND_COUNT)

/** World coordinate of what lies in `own`. */
function alongRow(numbers: Float64Array, row: number): number {
  return numbers[row] * own[0] + numbers[row + 1] * own[1] + numbers[row + 2] * own[2]
}

const own = new Float64Array(3)
const goal = new Float64Array(3)

/** Tries the way that leads out of a curved body, in its own axes, to the side on which the other one's point lies. */
function turnTowards(frame: PairFrame, way: Penetration, { kind, numbers }: Body, side: 1 | -1): void {
  if (kind === POINTS) return
  const { dx, dy, dz } = frame
  const point = side > 0 ? way.b : way.a
  toOwn(numbers, way.nx, way.ny, way.nz, own)
  toOwn(numbers, side * point[0] + dx, side * point[1] + dy, side * point[2] + dz, goal)
  if (kind === ELLIPSOID) for (let k = 0; k < 3; k++) own[k] = goal[k] < 0 ? -Math.abs(own[k]) : Math.abs(own[k])
  else {
    const far = vectorLength(goal[0], goal[2])
    if (far === 0) return
    const flat = vectorLength(own[0], own[2])
    own[0] = (flat * goal[0]) / far
    own[2] = (flat * goal[2]) / far
  }
  takeShorter(frame, way, alongRow(numbers, ROTATION), alongRow(numbers, ROTATION + 3), alongRow(numbers, ROTATION + 6))
}

function toOwn(numbers: Float64Array, x: number, y: number, z: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const at = ROTATION + k
    out[k] = numbers[at] * x + numbers[at + 3] * y + numbers[at + 6] * z
  }
}

/** Takes over the way out that is found from a direction, if it is no longer than the one that is known. */
function takeShorter(frame: PairFrame, way: Penetration, x: number, y: number, z: number): boolean {
  contact.a.set(way.a)
  contact.b.set(way.b)
  if (!solve(frame, x, y, z)) return false
  if (!(contact.height <= way.upper + CONTACT_ERROR_RATIO * frame.extent)) return false
  way.upper = contact.height
  way.nx = contact.x
  way.ny = contact.y
  way.nz = contact.z
  way.a.set(contact.a)
  way.b.set(contact.b)
  return true
}

function blend(points: Float64Array, weights: Float64Array, count: number, out: Float64Array): void {
  let x = 0
  let y = 0
  let z = 0
  for (let i = 0; i < count; i++) {
    x += weights[i] * points[3 * i]
    y += weights[i] * points[3 * i + 1]
    z += weights[i] * points[3 * i + 2]
  }
  out[0] = x
  out[1] = y
  out[2] = z
}

/**
 * Solves for the contact with each pair of parts that may face each other near the direction, until one is proven to the last digits;
 * where none is, the first that is proven at all is taken.
 */
function solve(frame: PairFrame, x: number, y: number, z: number): boolean {
  if (x === 0 && y === 0 && z === 0) return false
  const { first, second } = frame
  let isKept = false
  for (let i = 0; setFacing(first, x, y, z, i, contact.a, one); i++) {
    for (let j = 0; setFacing(second, -x, -y, -z, j, contact.b, other); j++) {
      if (j > 0) setFacing(first, x, y, z, i, contact.a, one)
      if (!converge(frame, x, y, z) || !isProven(frame)) continue
      if (!isOpen(frame)) return true
      if (!isKept) copyContact(contact, kept)
      isKept = true
    }
  }
  if (isKept) copyContact(kept, contact)
  return isKept
}

function copyContact(from: typeof contact, to: typeof contact): void {
  to.x = from.x
  to.y = from.y
  to.z = from.z
  to.gap = from.gap
  to.height = from.height
  for (let k = 0; k < 3; k++) {
    to.a[k] = from.a[k]
    to.b[k] = from.b[k]
  }
}

// The unknowns: how far the direction turns towards two vectors across it, and the steps of either point. Rows of the matrix end with
// the right-hand side, which is what the equations are off.
const MOST_UNKNOWNS = 6
const WIDTH = MOST_UNKNOWNS + 1
const matrix = new Float64Array(MOST_UNKNOWNS * WIDTH)
const change = new Float64Array(MOST_UNKNOWNS)
const columns = new Int32Array(MOST_UNKNOWNS)
const across = new Float64Array(6)
const turnA = new Float64Array(3)
const turnB = new Float64Array(3)
const way = new Float64Array(3)

function converge(frame: PairFrame, x: number, y: number, z: number): boolean {
  const size = 2 + one.count + other.count
  contact.x = x
  contact.y = y
  contact.z = z
  let before = Infinity
  for (let step = 0; step < NEWTON_COUNT; step++) {
    spend(8)
    const open = placeContact(frame, size)
    const residual = meeting === null ? open : Math.max(open, Math.abs(lastMove) / frame.extent)
    if (!(residual < Infinity)) return false
    const isLast = residual <= CONTACT_ERROR_RATIO / (meeting === null ? 16 : 8)
    if (isLast || (step > 2 && residual >= before / 2)) {
      return residual <= CONTACT_SLACK_RATIO
    }
    before = residual
    setTurns(frame.extent)
    if (size > 2) {
      setSteps(one, 2, -1)
      setSteps(other, 2 + one.count, 1)
    }
    const isSolved = size === 2 ? solveTurns() : size === 3 && solveOneStep()
    if (!isSolved && !solveEquations(size)) return false
    takeChange(frame.extent)
  }
  return false
}

/** Sets the points, and how far the equations are off there: the greatest, relative to the extent. */
function placeContact(frame: PairFrame, size: number): number {
  const { extent, dx, dy, dz } = frame
  const { x, y, z } = contact
  placeFacing(one, x, y, z)
  placeFacing(other, -x, -y, -z)
  way[0] = other.point[0] - one.point[0] + dx
  way[1] = other.point[1] - one.point[1] + dy
  way[2] = other.point[2] - one.point[2] + dz
  contact.gap = way[0] * x + way[1] * y + way[2] * z
  if (meeting !== null) move(frame, meeting)
  putAcross(x, y, z, across)
  const rest = dotAt(across, 0, way) / extent
  const last = dotAt(across, 3, way) / extent
  matrix[MOST_UNKNOWNS] = -rest
  matrix[WIDTH + MOST_UNKNOWNS] = -last
  const residual = Math.max(Math.abs(rest), Math.abs(last))
  if (size === 2) return residual
  return Math.max(residual, slopeOf(one, 2), slopeOf(other, 2 + one.count))
}

/** How far the pair was moved last. */
let lastMove = 0

/** Moves the second until the points are as far apart along the direction as the skins are thick. */
function move(frame: PairFrame, at: Meeting): void {
  lastMove = (at.skins - contact.gap) / (at.x * contact.x + at.y * contact.y + at.z * contact.z)
  at.moved += lastMove
  frame.dx += lastMove * at.x
  frame.dy += lastMove * at.y
  frame.dz += lastMove * at.z
  way[0] += lastMove * at.x
  way[1] += lastMove * at.y
  way[2] += lastMove * at.z
  contact.gap = at.skins
}

/** How far straight directions are off right angles to the way: the right-hand sides from row `from` on, and the greatest. */
function slopeOf({ along, count }: Facing, from: number): number {
  let residual = 0
  for (let i = 0; i < count; i++) {
    const rest = along[3 * i] * contact.x + along[3 * i + 1] * contact.y + along[3 * i + 2] * contact.z
    matrix[(from + i) * WIDTH + MOST_UNKNOWNS] = -rest
    residual = Math.max(residual, Math.abs(rest))
  }
  return residual
}

/** The first two rows: how the way between the points turns with the direction. */
function setTurns(extent: number): void {
  for (let i = 0; i < 2; i++) {
    const at = 3 * i
    turnFacing(one, across[at], across[at + 1], across[at + 2], turnA)
    turnFacing(other, -across[at], -across[at + 1], -across[at + 2], turnB)
    for (let row = 0; row < 2; row++) {
      const moved = dotAt(across, 3 * row, turnB) - dotAt(across, 3 * row, turnA)
      matrix[row * WIDTH + i] = (row === i ? moved - contact.gap : moved) / extent
    }
  }
}

/** Rows and columns of the straight directions from `from` on. */
function setSteps({ along, count }: Facing, from: number, side: 1 | -1): void {
  for (let i = 0; i < count; i++) {
    const row = (from + i) * WIDTH
    for (let k = 2; k < MOST_UNKNOWNS; k++) matrix[row + k] = 0
    const x = along[3 * i]
    const y = along[3 * i + 1]
    const z = along[3 * i + 2]
    for (let k = 0; k < 2; k++) {
      const part = x * across[3 * k] + y * across[3 * k + 1] + z * across[3 * k + 2]
      matrix[k * WIDTH + from + i] = side * part
      matrix[row + k] = part
    }
  }
}

function dotAt(vectors: Float64Array, at: number, v: Float64Array): number {
  return vectors[at] * v[0] + vectors[at + 1] * v[1] + vectors[at + 2] * v[2]
}

/** The turns alone, by Cramer's rule; false where they hang on each other too much for that. */
function solveTurns(): boolean {
  const p = matrix[0]
  const q = matrix[1]
  const r = matrix[WIDTH]
  const s = matrix[WIDTH + 1]
  const determinant = p * s - q * r
  const largest = Math.max(Math.abs(p), Math.abs(q), Math.abs(r), Math.abs(s))
  if (!(Math.abs(determinant) > CLEAR_TURN_RATIO * largest * largest && largest > CLEAR_TURN_RATIO)) return false
  const u = matrix[MOST_UNKNOWNS]
  const v = matrix[WIDTH + MOST_UNKNOWNS]
  change[0] = (u * s - v * q) / determinant
  change[1] = (v * p - u * r) / determinant
  return true
}

/** With one step: the turn about the straight direction is known from its own row, that across it and the step follow. False as above. */
function solveOneStep(): boolean {
  const m00 = matrix[0]
  const m01 = matrix[1]
  const m10 = matrix[WIDTH]
  const m11 = matrix[WIDTH + 1]
  const p = matrix[2 * WIDTH]
  const q = matrix[2 * WIDTH + 1]
  const square = p * p + q * q
  const ux = m01 * p - m00 * q
  const uy = m11 * p - m10 * q
  const bend = p * uy - q * ux
  const largest = Math.max(Math.abs(m00), Math.abs(m01), Math.abs(m10), Math.abs(m11))
  if (!(square > 1 / 2 && Math.abs(bend) > CLEAR_TURN_RATIO * largest && largest > CLEAR_TURN_RATIO)) return false
  const share = matrix[2 * WIDTH + MOST_UNKNOWNS] / square
  const restX = matrix[MOST_UNKNOWNS] - share * (m00 * p + m01 * q)
  const restY = matrix[WIDTH + MOST_UNKNOWNS] - share * (m10 * p + m11 * q)
  const turn = (p * restY - q * restX) / bend
  const stepX = matrix[2]
  const stepY = matrix[WIDTH + 2]
  change[0] = share * p - turn * q
  change[1] = share * q + turn * p
  change[2] = (stepX * (restX - turn * ux) + stepY * (restY - turn * uy)) / (stepX * stepX + stepY * stepY)
  return true
}

/** Elimination with the largest pivot each time; unknowns that no equation tells are left as they are. */
function solveEquations(size: number): boolean {
  let rank = 0
  for (let k = 0; k < size; k++) {
    columns[k] = k
    change[k] = 0
  }
  for (; rank < size; rank++) {
    const largest = bringPivot(rank, size)
    if (!(largest < Infinity)) return false
    if (largest <= FREE_PIVOT_RATIO) break
    const pivot = rank * WIDTH
    const name = columns[rank]
    for (let i = rank + 1; i < size; i++) {
      const share = matrix[i * WIDTH + name] / matrix[pivot + name]
      if (share === 0) continue
      for (let j = rank + 1; j < size; j++) matrix[i * WIDTH + columns[j]] -= share * matrix[pivot + columns[j]]
      matrix[i * WIDTH + MOST_UNKNOWNS] -= share * matrix[pivot + MOST_UNKNOWNS]
    }
  }
  for (let i = rank - 1; i >= 0; i--) {
    let rest = matrix[i * WIDTH + MOST_UNKNOWNS]
    for (let j = i + 1; j < rank; j++) rest -= matrix[i * WIDTH + columns[j]] * change[columns[j]]
    change[columns[i]] = rest / matrix[i * WIDTH + columns[i]]
  }
  return true
}

/** Brings the largest entry that is left to the diagonal; returns its size. */
function bringPivot(rank: number, size: number): number {
  let row = rank
  let column = rank
  let largest = 0
  for (let i = rank; i < size; i++) {
    for (let j = rank; j < size; j++) {
      const entry = Math.abs(matrix[i * WIDTH + columns[j]])
      if (entry <= largest) continue
      largest = entry
      row = i
      column = j
    }
  }
  const name = columns[column]
  columns[column] = columns[rank]
  columns[rank] = name
  if (row === rank) return largest
  for (let j = 0; j < WIDTH; j++) {
    const kept = matrix[row * WIDTH + j]
    matrix[row * WIDTH + j] = matrix[rank * WIDTH + j]
    matrix[rank * WIDTH + j] = kept
  }
  return largest
}

function takeChange(extent: number): void {
  const x = contact.x + change[0] * across[0] + change[1] * across[3]
  const y = contact.y + change[0] * across[1] + change[1] * across[4]
  const z = contact.z + change[0] * across[2] + change[1] * across[5]
  const length = vectorLength3d(x, y, z)
  contact.x = x / length
  contact.y = y / length
  contact.z = z / length
  for (let i = 0; i < one.count; i++) one.steps[i] += change[2 + i] * extent
  for (let i = 0; i < other.count; i++) other.steps[i] += change[2 + one.count + i] * extent
}

/** Whether the points lie in their parts, and these face each other: no point of the bodies lies beyond the planes through them. */
function isProven(frame: PairFrame): boolean {
  const { first, second, extent } = frame
  const { x, y, z, a, b } = contact
  const margin = CONTACT_SLACK_RATIO * extent
  if (!isInFacing(first, one, margin) || !isInFacing(second, other, margin)) return false
  contact.height = putDifference(frame, x, y, z, places, 0)
  if (!(contact.height + contact.gap <= margin)) return false
  // Steps may have been brought back into the parts.
  if (one.count > 0) placeFacing(one, x, y, z)
  if (other.count > 0) placeFacing(other, -x, -y, -z)
  for (let k = 0; k < 3; k++) {
    a[k] = one.point[k]
    b[k] = other.point[k]
  }
  return true
}
