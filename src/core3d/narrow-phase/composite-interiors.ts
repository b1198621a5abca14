/**
 * Whether the insides of two bodies meet although none of their leaves overlap: where surfaces coincide, where a body lies in a solid and
 * touches it from there, and where a triangle runs through an edge or a corner of a solid.
 *
 * Method: what no surface enters is inside or outside as a whole, so a corner or the middle of a leaf that touches tells. A triangle may be
 * cut by what touches it: each piece has three corners whose middle is a point of it, and all of them are ends or crossings of what
 * touches. Triangles of two solids that lie in one plane, with area in common and both facing one way, have their insides on one side.
 * Coplanar triangles, common area and corners are decided exactly; middles are rounded, and count where they lie inside by more than that.
 * Frame: world. Pieces smaller than rounding are passed over.
 */

import { spend } from '../../containers/budget.ts'
import { exactly } from '../../numeric/exact-ring.ts'
import { isSafeExtent, vectorLength3d } from '../../numeric/safe-range.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  createBody,
  cross,
  dot,
  HALFSPACE,
  POINTS,
  POSITION,
  REACH,
  ROTATION,
  reservePoints,
  VERTICES,
  type Vector,
} from '../shape/body.ts'
import {
  cross as exactCross,
  dot as exactDot,
  exactOffset,
  exactVertex,
  inputRangeOf,
  minus,
  plus,
} from '../shape/exact-points.ts'
import { finishPoints } from '../shape/shapes.ts'
import { PARALLEL_EDGES_RATIO, SEPARATION_ERROR_RATIO, SLIVER_HEIGHT_RATIO } from '../tolerances.ts'
import { isClearlyHeld, isSolidLeaf, isVertexHeld } from './composite-holding.ts'
import { type CompositeFrame, leafOf, leafPair, type Side } from './composite-walk.ts'
import { orderPair, type PairFrame } from './pair-frame.ts'
import { relate } from './separate.ts'

/** Pairs of leaves that touch: of the first and of the second body. */
export interface LeafTouches {
  count: number
  leavesA: Int32Array
  leavesB: Int32Array
}

/** Touches up to which the memory for them is kept. */
const KEPT_COUNT = 2 ** 12

export function createTouches(): LeafTouches {
  return { count: 0, leavesA: new Int32Array(16), leavesB: new Int32Array(16) }
}

/** Empties the list, and gives back what many touches needed. */
export function clearTouches(touches: LeafTouches): void {
  if (touches.leavesA.length > KEPT_COUNT) Object.assign(touches, createTouches())
  touches.count = 0
}

export function noteTouch(touches: LeafTouches, leafA: number, leafB: number): void {
  const { count, leavesA, leavesB } = touches
  if (count === leavesA.length) {
    touches.leavesA = new Int32Array(2 * count)
    touches.leavesB = new Int32Array(2 * count)
    touches.leavesA.set(leavesA)
    touches.leavesB.set(leavesB)
  }
  touches.leavesA[count] = leafA
  touches.leavesB[count] = leafB
  touches.count++
}

/** Whether the insides meet, of bodies whose leaves touch there and nowhere overlap. */
export function interiorsMeet(frame: CompositeFrame, touches: LeafTouches): boolean {
  return (
    runSomewhereTogether(frame, touches) ||
    entersSolid(frame.first, frame.second, touches, false) ||
    entersSolid(frame.second, frame.first, touches, true)
  )
}

function runSomewhereTogether(frame: CompositeFrame, { count, leavesA, leavesB }: LeafTouches): boolean {
  const { first, second } = frame
  for (let i = 0; i < count; i++) {
    spend(1)
    if (!isSolidLeaf(first.body, leavesA[i]) || !isSolidLeaf(second.body, leavesB[i])) continue
    if (runTogether(leafPair(frame, leavesA[i], leavesB[i]))) return true
  }
  return false
}

/** Steps of deciding something about two triangles exactly. */
const EXACT_STEPS = 64

const wedgeA = createBody()
const wedgeB = createBody()

/** Whether two triangles of solids lie in one plane and face one way there, and have area in common. */
function runTogether({ first, second, error }: PairFrame): boolean {
  const n = normalOf(first)
  const m = normalOf(second)
  if (!(n[0] * m[0] + n[1] * m[1] + n[2] * m[2] > 0)) return false
  if (!isClearlyLevel(first, second, n, error) || !isCoplanar(first, second)) return false
  setWedge(wedgeA, first, n)
  setWedge(wedgeB, second, n)
  // Over a common plane and within the prisms over their bases, the two overlap where these do.
  return relate(orderPair(wedgeA, wedgeB)) < 0
}

/** Unit normal of a triangle, 0 0 0 of one without area. */
export function normalOf({ numbers, local, count }: Body): Vector {
  if (count < 3) return [0, 0, 0]
  const ux = numbers[local + 3]
  const uy = numbers[local + 4]
  const uz = numbers[local + 5]
  const vx = numbers[local + 6]
  const vy = numbers[local + 7]
  const vz = numbers[local + 8]
  const x = uy * vz - uz * vy
  const y = uz * vx - ux * vz
  const z = ux * vy - uy * vx
  const length = vectorLength3d(x, y, z)
  return length > 0 ? [x / length, y / length, z / length] : [0, 0, 0]
}

/** Quick to say no: whether no corner is higher or lower over the plane of the first than rounding lets it seem. */
function isClearlyLevel(first: Body, second: Body, [x, y, z]: Vector, error: number): boolean {
  const a = first.numbers
  const b = second.numbers
  // The normal of a sliver may be off by any turn: exact arithmetic is asked then.
  const flat = SLIVER_HEIGHT_RATIO * first.numbers[REACH]
  for (let i = 0; i < second.count; i++) {
    let height = 0
    for (let k = 0; k < 3; k++) {
      const way = b[POSITION + k] - a[POSITION + k] + (b[VERTICES + 3 * i + k] - a[VERTICES + k])
      height += way * (k === 0 ? x : k === 1 ? y : z)
    }
    if (Math.abs(height) > error + flat) return false
  }
  return true
}

function isCoplanar(first: Body, second: Body): boolean {
  spend(EXACT_STEPS)
  return exactly(inputRangeOf(first, second), COPLANAR_DEGREE, (ring) => {
    const base = exactVertex(ring, first, 0)
    const normal = exactCross(
      ring,
      minus(ring, exactVertex(ring, first, 1), base),
      minus(ring, exactVertex(ring, first, 2), base),
    )
    const way = minus(ring, exactOffset(ring, second, first), base)
    for (let i = 0; i < second.count; i++) {
      if (ring.sign(exactDot(ring, normal, plus(ring, way, exactVertex(ring, second, i)))) !== 0) return false
    }
    return true
  })
}

const COPLANAR_DEGREE = 3

/** Sets a pyramid over the triangle, its top over the middle, against the direction. */
function setWedge(wedge: Body, { numbers }: Body, n: Vector): void {
  for (let k = 0; k < ROTATION; k++) wedge.numbers[k] = numbers[k]
  wedge.numbers.fill(0, ROTATION, ROTATION + 9)
  for (let k = 0; k < 3; k++) wedge.numbers[ROTATION + 4 * k] = 1
  wedge.aligned = true
  reservePoints(wedge, 4)
  const to = wedge.numbers
  for (let i = 0; i < 9; i++) to[VERTICES + i] = numbers[VERTICES + i]
  for (let k = 0; k < 3; k++) {
    const middle = numbers[VERTICES + k] / 3 + numbers[VERTICES + 3 + k] / 3 + numbers[VERTICES + 6 + k] / 3
    to[VERTICES + 9 + k] = middle - numbers[REACH] * n[k]
  }
  for (let i = 0; i < 4; i++) wedge.names[i] = i
  finishPoints(wedge, 0)
}

/** Whether a leaf of `guest` that touches a solid of `holder` lies in it somewhere. `swapped`: the holder is second. */
function entersSolid(holder: Side, guest: Side, touches: LeafTouches, swapped: boolean): boolean {
  const holderLeaves = swapped ? touches.leavesB : touches.leavesA
  const guestLeaves = swapped ? touches.leavesA : touches.leavesB
  /** The leaves of the holder that touch each leaf of the guest. */
  const cuts = new Map<number, number[]>()
  for (let i = 0; i < touches.count; i++) {
    spend(1)
    if (!isSolidLeaf(holder.body, holderLeaves[i])) continue
    const known = cuts.get(guestLeaves[i])
    if (known !== undefined) {
      known.push(holderLeaves[i])
      continue
    }
    cuts.set(guestLeaves[i], [holderLeaves[i]])
    if (liesInside(holder, leafOf(guest, guestLeaves[i]))) return true
  }
  for (const [leaf, cutters] of cuts) if (hasPieceInside(holder, leafOf(guest, leaf), cutters)) return true
  return false
}

/** Whether a corner or the middle of a convex body lies inside a solid, whose surface does not enter its own inside. */
function liesInside({ body: holder }: Side, guest: Body): boolean {
  const { kind, count, numbers } = guest
  if (kind === HALFSPACE) return false
  spend(EXACT_STEPS)
  if (kind === POINTS) for (let i = 0; i < count; i++) if (isVertexHeld(holder, guest, i)) return true
  const middle = [0, 1, 2].map((k) => numbers[ANCHOR + k] + numbers[CENTER + k])
  return isClearlyHeld(holder, guest, middle[0], middle[1], middle[2])
}

/** Corners of pieces that a leaf is looked at for: more of them would be more triples than are worth it. */
const CUT_COUNT = 12

/** Whether a piece of a triangle or segment between what touches it lies inside the solid. */
function hasPieceInside(holder: Side, guest: Body, cutters: readonly number[]): boolean {
  if (guest.kind !== POINTS || guest.count < 2 || guest.count > 3) return false
  // Of what is no triangle but in name, or too small or large for products, corners and middle have told.
  if (!isSafeExtent(guest.numbers[REACH]) || (guest.count === 3 && isZeroVector(normalOf(guest)))) return false
  const margin = 4 * SEPARATION_ERROR_RATIO * (guest.numbers[REACH] + holder.box[3] - holder.box[0])
  const places: Vector[] = []
  for (let i = 0; i < guest.count; i++) addPlace(places, vertexAt(guest, i), margin)
  const corners = places.length
  for (const leaf of cutters) {
    spend(EXACT_STEPS)
    if (places.length < CUT_COUNT) addCuts(places, guest, leafOf(holder, leaf), margin)
  }
  if (places.length === corners) return false
  for (let i = 0; i < places.length; i++) {
    for (let j = i + 1; j < places.length; j++) {
      if (guest.count === 2 && isMiddleHeld(holder, guest, [places[i], places[j]])) return true
      for (let k = j + 1; k < places.length && guest.count === 3; k++) {
        if (isMiddleHeld(holder, guest, [places[i], places[j], places[k]])) return true
      }
    }
  }
  return false
}

function isZeroVector([x, y, z]: Vector): boolean {
  return x === 0 && y === 0 && z === 0
}

function isMiddleHeld({ body }: Side, guest: Body, corners: readonly Vector[]): boolean {
  spend(EXACT_STEPS)
  const share = 1 / corners.length
  const along = (k: number): number => corners.reduce((sum, corner) => sum + corner[k] * share, 0)
  return isClearlyHeld(body, guest, along(0), along(1), along(2))
}

function vertexAt({ numbers }: Body, i: number): Vector {
  const at = VERTICES + 3 * i
  return [numbers[at], numbers[at + 1], numbers[at + 2]]
}

function addPlace(places: Vector[], place: Vector, margin: number): void {
  if (!places.some((known) => farApart(known, place) <= margin)) places.push(place)
}

function farApart(p: Vector, q: Vector): number {
  return Math.max(Math.abs(p[0] - q[0]), Math.abs(p[1] - q[1]), Math.abs(p[2] - q[2]))
}

/** Adds the corners of a triangle that lie on the guest, and where its edges cross the guest's; all from the guest's position. */
function addCuts(places: Vector[], guest: Body, cutter: Body, margin: number): void {
  const own: Vector[] = []
  const other: Vector[] = []
  for (let i = 0; i < guest.count; i++) own.push(vertexAt(guest, i))
  for (let i = 0; i < cutter.count; i++) {
    const at = vertexAt(cutter, i)
    const shifted = (k: number): number => cutter.numbers[POSITION + k] - guest.numbers[POSITION + k] + at[k]
    other.push([shifted(0), shifted(1), shifted(2)])
  }
  for (const corner of other) if (isOn(corner, own, normalOf(guest), margin)) addPlace(places, corner, margin)
  for (let i = 0; i < own.length; i++) {
    for (let j = 0; j < other.length; j++) {
      const place = crossing(own[i], own[(i + 1) % own.length], other[j], other[(j + 1) % other.length], margin)
      if (place !== null && places.length < CUT_COUNT) addPlace(places, place, margin)
    }
  }
}

/** Whether a point lies on a triangle or segment within the margin. */
function isOn(p: Vector, corners: readonly Vector[], n: Vector, margin: number): boolean {
  if (corners.length === 2) return crossing(corners[0], corners[1], p, p, margin) !== null
  if (Math.abs(dot(n, difference(p, corners[0]))) > margin) return false
  for (let i = 0; i < 3; i++) {
    const edge = difference(corners[(i + 1) % 3], corners[i])
    const across = cross(n, edge)
    if (dot(across, difference(p, corners[i])) < -margin * vectorLength3d(across[0], across[1], across[2])) return false
  }
  return true
}

/** Where two segments meet within the margin, of parallel ones nowhere: then an end of one lies on the other. */
function crossing(p: Vector, q: Vector, r: Vector, s: Vector, margin: number): Vector | null {
  const d = difference(q, p)
  const e = difference(s, r)
  const w = difference(r, p)
  const a = dot(d, d)
  const b = dot(d, e)
  const c = dot(e, e)
  const det = a * c - b * b
  const isParallel = !(det > a * c * PARALLEL_EDGES_RATIO)
  const t = clamp(isParallel ? dot(d, w) / a : (dot(d, w) * c - dot(e, w) * b) / det)
  const u = isParallel ? 0 : clamp((dot(d, w) * b - dot(e, w) * a) / det)
  const on: Vector = [p[0] + t * d[0], p[1] + t * d[1], p[2] + t * d[2]]
  const there: Vector = [r[0] + u * e[0], r[1] + u * e[1], r[2] + u * e[2]]
  return farApart(on, there) <= margin ? on : null
}

function clamp(t: number): number {
  return Math.max(0, Math.min(1, t))
}

function difference(p: Vector, q: Vector): Vector {
  return [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}
