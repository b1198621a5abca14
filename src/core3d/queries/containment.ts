/**
 * Whether one closed body contains another; of composite ones see `composite-containment.ts`.
 *
 * Method: by the kind of the holder: a half-space by the highest point of the guest (below); core points with a skin by the
 * distances of the guest's points, or by its planes (below); a curved body by the
 * points, discs and ellipsoids that span the guest (`in-quadric.ts`). Exact for core points with skins in each other and in
 * half-spaces, and for curved bodies in line with the axes in planes; of the others see those sections.
 * Frame: world.
 */

import { spend } from '../../containers/budget.ts'
import {
  exactly,
  includeInput,
  type Ring,
  type Sign,
  signOfRootSum,
  signOfTwoRootSum,
} from '../../numeric/exact-ring.ts'
import { CORES_DEGREE, exactCores } from '../narrow-phase/exact-cores.ts'
import { boundDistance, createBounds } from '../narrow-phase/gjk.ts'
import { HEIGHT_DEGREE, lowestHeight } from '../narrow-phase/halfspace-any.ts'
import { orderPair, type PairFrame, pairInRange, type Relation } from '../narrow-phase/pair-frame.ts'
import {
  type Body,
  COMPOSITE,
  CONE,
  createBody,
  ELLIPSOID,
  HALFSPACE,
  LENGTHS,
  NORMAL,
  OFFSET,
  POINTS,
  POSITION,
  RADIUS,
  REACH,
  ROTATION,
  reservePoints,
  scaled,
  setPose,
  UNIT,
  VERTICES,
  type Vector,
} from '../shape/body.ts'
import { exactSurface, PLANE_SIZE, planesOf } from '../shape/core-surface.ts'
import {
  cross,
  dot,
  type Exact,
  exactOffset,
  exactTriple,
  exactVertex,
  inputRangeOf,
  isZero,
  minus,
} from '../shape/exact-points.ts'
import { kindOf } from '../shape/kinds.ts'
import { finishPoints, setEllipsoid } from '../shape/shapes.ts'
import { PARALLEL_NORMALS_SINE, SEPARATION_ERROR_RATIO, SURFACE_PIECE_COUNT } from '../tolerances.ts'
import { compositeContains } from './composite-containment.ts'
import { axesOf, type Lie, middleOf, partCount, partOf, quadricHolds } from './in-quadric.ts'

export interface Containment {
  aContainsB: boolean
  bContainsA: boolean
}

/** Both ways; `relation` is that of the pair. No body is empty, so what is apart does not contain. */
export function containment(a: Body, b: Body, relation: Relation): Containment {
  if (relation > 0) return { aContainsB: false, bContainsA: false }
  return { aContainsB: contains(a, b), bContainsA: contains(b, a) }
}

/** Whether all points of the guest are points of the holder. */
export function contains(holder: Body, guest: Body): boolean {
  if (holder.kind === COMPOSITE || guest.kind === COMPOSITE) {
    return holder === guest || compositeContains(holder, guest, contains)
  }
  if (areSame(holder, guest)) return true
  const frame = pairInRange(holder, guest)
  return frame.swapped ? holds(frame.second, frame.first, frame) : holds(frame.first, frame.second, frame)
}

function areSame(a: Body, b: Body): boolean {
  if (a.kind !== b.kind || a.count !== b.count) return false
  const end = a.kind === HALFSPACE ? OFFSET + 1 : a.local
  for (let i = 0; i < end; i++) if (a.numbers[i] !== b.numbers[i]) return false
  return true
}

function holds(holder: Body, guest: Body, { first, dx, dy, dz, error, extent }: PairFrame): boolean {
  if (guest.kind === HALFSPACE) return holder.kind === HALFSPACE && halfspaceHoldsHalfspace(holder, guest)
  const side = first === holder ? 1 : -1
  const lie: Lie = { offset: [side * dx, side * dy, side * dz], error, extent }
  if (holder.kind === HALFSPACE) return halfspaceHolds(holder, guest, lie)
  if (sticksOut(holder, guest, error)) return false
  if (holder.kind !== POINTS) return quadricHolds(holder, guest, lie)
  if (guest.kind !== POINTS) {
    return holder.numbers[RADIUS] > 0 ? roundedHolds(holder, guest, lie) : isWithinFaces(holder, guest, lie)
  }
  return guest.numbers[RADIUS] <= holder.numbers[RADIUS] ? pointsHold(holder, guest) : isWithinFaces(holder, guest, lie)
}

const holderBox = new Float64Array(6)
const guestBox = new Float64Array(6)

/** Whether the box of the guest is for certain not in that of the holder. */
function sticksOut(holder: Body, guest: Body, error: number): boolean {
  kindOf(holder).setBox(holder, holderBox)
  kindOf(guest).setBox(guest, guestBox)
  for (let k = 0; k < 3; k++) {
    const way = guest.numbers[POSITION + k] - holder.numbers[POSITION + k]
    // Boxes count from positions, which may be far away.
    const far = Math.abs(way) + Math.abs(guestBox[k]) + Math.abs(guestBox[k + 3])
    const slack = error + SEPARATION_ERROR_RATIO * far
    if (way + guestBox[k] < holderBox[k] - slack || way + guestBox[k + 3] > holderBox[k + 3] + slack) return true
  }
  return false
}

// Half-spaces as holders: they contain any body whose highest point does not reach beyond its boundary, and half-spaces of the same normal.
//
// Method: the highest point in closed form; where rounding leaves it open, the sign of a sum of a rational number and at most two
// roots in exact arithmetic, as where the two meet (`narrow-phase/halfspace-any.ts`).
// Frame: world; heights count along the normal, from the boundary.

/** Degree of the polynomials that come up. */
const HALFSPACE_DEGREE = 24

const point = new Float64Array(3)

/** Of a bounded guest. Exact for core points, and for curved bodies in line with the axes; others to within the error of heights. */
function halfspaceHolds(holder: Body, guest: Body, { offset, error }: Lie): boolean {
  const { numbers } = holder
  point.fill(0)
  kindOf(guest).support(guest, numbers[UNIT], numbers[UNIT + 1], numbers[UNIT + 2], point)
  let height = guest.numbers[RADIUS] - numbers[OFFSET]
  for (let k = 0; k < 3; k++) height += (offset[k] + point[k]) * numbers[UNIT + k]
  if (Math.abs(height) > error) return height < 0
  if (guest.kind !== POINTS && !guest.aligned) return true
  return exactly(inputRangeOf(holder, guest), HALFSPACE_DEGREE, (ring) => isBelow(ring, holder, guest))
}

/** n·(difference of positions) + highest height − (offset − radius)·|n| ≤ 0. */
function isBelow<T>(ring: Ring<T>, holder: Body, guest: Body): boolean {
  const { sub, of, integer } = ring
  const zero = integer(0)
  const normal = exactTriple(ring, holder, NORMAL)
  const lowest = lowestHeight(ring, guest, minus(ring, [zero, zero, zero], normal))
  const rational = sub(dot(ring, normal, exactOffset(ring, guest, holder)), lowest.rational)
  const shift = sub(of(guest.numbers[RADIUS]), of(holder.numbers[OFFSET]))
  return signOfTwoRootSum(ring, rational, shift, dot(ring, normal, normal), integer(1), lowest.square) <= 0
}

/** Those with the same normal, to within rounding where one has been turned, compare by their offsets; others reach out of each other. */
function halfspaceHoldsHalfspace(holder: Body, guest: Body): boolean {
  return exactly(inputRangeOf(holder, guest), HALFSPACE_DEGREE, (ring) => {
    const normal = exactTriple(ring, holder, NORMAL)
    if (!isSameWay(ring, holder, guest, normal)) return false
    const height = dot(ring, normal, exactOffset(ring, guest, holder))
    const level = ring.sub(ring.of(guest.numbers[OFFSET]), ring.of(holder.numbers[OFFSET]))
    const zero = ring.integer(0)
    return signOfTwoRootSum(ring, height, level, dot(ring, normal, normal), zero, zero) <= 0
  })
}

function isSameWay<T>(ring: Ring<T>, holder: Body, guest: Body, normal: Exact<T>): boolean {
  const other = exactTriple(ring, guest, NORMAL)
  if (ring.sign(dot(ring, normal, other)) <= 0) return false
  if (holder.aligned && guest.aligned) return isZero(ring, cross(ring, normal, other))
  const [a, b] = [holder.numbers, guest.numbers]
  return [0, 1, 2].every((k) => {
    const i = UNIT + ((k + 1) % 3)
    const j = UNIT + ((k + 2) % 3)
    return Math.abs(a[i] * b[j] - a[j] * b[i]) <= PARALLEL_NORMALS_SINE
  })
}

// Core points with a skin as holders of core points with no larger skin, decided exactly.
//
// Method: a convex set with a skin of r lies in one with a skin of R ≥ r where its core lies in the other's core with a skin of R − r,
// as every point of it does: by the bounds of GJK, and where these leave it open by the nearest point in exact arithmetic.
// Cost: O(points of both), times a few for those near the boundary.

const probe = createProbe()
const bounds = createBounds()

/** Whether the holder has every point of the guest, whose skin is no larger. */
function pointsHold(holder: Body, guest: Body): boolean {
  for (let i = 0; i < guest.count; i++) {
    const at = VERTICES + 3 * i
    setProbe(probe, guest, guest.numbers[at], guest.numbers[at + 1], guest.numbers[at + 2])
    if (!isWithin(holder, guest)) return false
  }
  return true
}

/** Whether the probe is no farther from the core of the holder than its skin is thicker than the guest's. */
function isWithin(holder: Body, guest: Body): boolean {
  const frame = orderPair(probe, holder)
  const [outer, inner] = [holder.numbers[RADIUS], guest.numbers[RADIUS]]
  const skin = outer - inner
  const { first, second, error } = frame
  boundDistance(frame, bounds)
  const { lower, upper, simplex } = bounds
  if (lower - skin > error) return false
  if (simplex.holds === 2 || upper + error < skin) return true
  const range = inputRangeOf(first, second)
  includeInput(range, inner)
  return exactly(range, CORES_DEGREE, (ring) => {
    const { meet, face } = exactCores(ring, first, second, simplex)
    if (meet) return true
    const rest = ring.sub(ring.of(outer), ring.of(inner))
    return ring.sign(ring.sub(face.square.over, ring.mul(ring.mul(rest, rest), face.square.under))) <= 0
  })
}

// Whether core points with a skin contain a curved body.
//
// Method: a body within the core needs no skin. A ball is an ellipsoid, and discs across a capsule have an exact closed form. Else
// the distance from the core, a convex function, is bounded over each part that spans the body: over a piece of its surface
// by the corners of the tangent planes about the piece from above, and by a point of it from below; pieces that this leaves open
// are cut, the widest first. What is open after so many pieces is held: some parts in 10⁵ of it may stick out.

/** Exact where the guest is in line with the axes and lies in the core, in a ball, or along a capsule. */
function roundedHolds(holder: Body, guest: Body, lie: Lie): boolean {
  if (isBall(holder)) return quadricHolds(ballOf(holder), guest, lie)
  if (isWithinFaces(holder, guest, lie)) return true
  return alongCapsule(holder, guest) ?? holdsParts(holder, guest, lie)
}

const ball = createBody()

function isBall({ count, numbers }: Body): boolean {
  return count === 1 && [0, 1, 2].every((k) => numbers[VERTICES + k] === 0)
}

function ballOf({ numbers }: Body): Body {
  setPose(ball, { position: [numbers[POSITION], numbers[POSITION + 1], numbers[POSITION + 2]] })
  setEllipsoid(ball, [numbers[RADIUS], numbers[RADIUS], numbers[RADIUS]])
  return ball
}

/** Degree of the polynomials that come up. */
const CAPSULE_DEGREE = 12

/** Of a cylinder or cone along the axis of the world that a capsule lies along; null of others. */
function alongCapsule(holder: Body, guest: Body): boolean | null {
  if (holder.count > 2 || !guest.aligned || guest.kind === ELLIPSOID) return null
  const k = [0, 1, 2].find((row) => guest.numbers[ROTATION + 3 * row + 1] !== 0) ?? 0
  const { numbers, count } = holder
  const last = VERTICES + 3 * (count - 1)
  if ([0, 1, 2].some((row) => row !== k && numbers[VERTICES + row] !== numbers[last + row])) return null
  return exactly(inputRangeOf(holder, guest), CAPSULE_DEGREE, (ring) =>
    [-1, 1].every((end) => endBeyond(ring, holder, guest, k, end) <= 0),
  )
}

/** Sign of (√square + radius)² + over² − skin²: of the disc at one end, or the apex. */
function endBeyond<T>(ring: Ring<T>, holder: Body, guest: Body, k: number, end: number): Sign {
  const { add, sub, mul, of, integer, sign } = ring
  const squared = (value: T): T => mul(value, value)
  const turned = integer(end * guest.numbers[ROTATION + 3 * k + 1])
  const half = mul(turned, of(guest.numbers[LENGTHS + 1]))
  // From either end of the capsule's core.
  const [from, to] = [0, holder.count - 1].map((i) =>
    minus(ring, exactOffset(ring, guest, holder), exactVertex(ring, holder, i)),
  )
  const [low, high] = [add(from[k], half), add(to[k], half)]
  const isBetween = sign(low) * sign(high) <= 0
  const over = isBetween ? integer(0) : sign(sub(squared(low), squared(high))) < 0 ? low : high
  const square = [0, 1, 2].filter((row) => row !== k).reduce((sum, row) => add(sum, squared(from[row])), integer(0))
  const isApex = guest.kind === CONE && end > 0
  const radius = isApex ? integer(0) : of(guest.numbers[LENGTHS])
  const rational = sub(add(add(square, squared(radius)), squared(over)), squared(of(holder.numbers[RADIUS])))
  return signOfRootSum(ring, rational, add(radius, radius), square)
}

/** By how much a point, counted from the anchor of the guest, lies beyond the skin. */
type Beyond = (x: number, y: number, z: number) => number

function holdsParts(holder: Body, guest: Body, { error }: Lie): boolean {
  const beyond: Beyond = (x, y, z) => {
    // Curved bodies have their anchor at their position.
    setProbe(probe, guest, x, y, z)
    boundDistance(orderPair(probe, holder), bounds)
    return bounds.upper - holder.numbers[RADIUS] - error
  }
  for (let i = 0; i < partCount(guest); i++) {
    const part = partOf(guest, i)
    const middle = middleOf(guest, part)
    const axes = axesOf(guest, part)
    const [a, b] = part.radii
    const isHeld =
      a === 0
        ? beyond(middle[0], middle[1], middle[2]) <= 0
        : b === 0
          ? holdsRim(middle, axes[0], axes[2], beyond)
          : holdsEllipsoid(middle, axes, beyond)
    if (!isHeld) return false
  }
  return true
}

/** A circle, in arcs about an angle. */
function holdsRim(middle: Vector, u: Vector, v: Vector, beyond: Beyond): boolean {
  const at = (angle: number, stretch: number): number => {
    const x = stretch * Math.cos(angle)
    const y = stretch * Math.sin(angle)
    return beyond(middle[0] + x * u[0] + y * v[0], middle[1] + x * u[1] + y * v[1], middle[2] + x * u[2] + y * v[2])
  }
  const arcs = Array.from({ length: 8 }, (_, i) => ({ angle: (i * Math.PI) / 4, half: Math.PI / 8 }))
  for (let next = 0; next < arcs.length; next++) {
    const { angle, half } = arcs[next]
    if (at(angle, 1) > 0) return false
    if (arcs.length >= SURFACE_PIECE_COUNT || at(angle, 1 / Math.cos(half)) <= 0) continue
    arcs.push({ angle: angle - half / 2, half: half / 2 }, { angle: angle + half / 2, half: half / 2 })
  }
  return true
}

type Corners = readonly [Vector, Vector, Vector]

/** The surface of an ellipsoid, in triangles of the unit sphere that it is the image of. */
function holdsEllipsoid(middle: Vector, axes: Corners, beyond: Beyond): boolean {
  const at = (p: Vector): number => {
    const along = (k: number): number => middle[k] + p[0] * axes[0][k] + p[1] * axes[1][k] + p[2] * axes[2][k]
    return beyond(along(0), along(1), along(2))
  }
  const triangles: Corners[] = []
  for (let octant = 0; octant < 8; octant++) {
    const sign = (bit: number): number => (octant & bit ? 1 : -1)
    triangles.push([
      [sign(1), 0, 0],
      [0, sign(2), 0],
      [0, 0, sign(4)],
    ])
  }
  for (let next = 0; next < triangles.length; next++) {
    const [p, q, r] = triangles[next]
    if ([p, q, r, unit(total(p, total(q, r)))].some((corner) => at(corner) > 0)) return false
    if (triangles.length >= SURFACE_PIECE_COUNT) continue
    if ([pole(p, q), pole(q, r), pole(r, p), summit(p, q, r)].every((corner) => at(corner) <= 0)) continue
    const [pq, qr, rp] = [unit(total(p, q)), unit(total(q, r)), unit(total(r, p))]
    triangles.push([p, pq, rp], [pq, q, qr], [rp, qr, r], [pq, qr, rp])
  }
  return true
}

function total(p: Vector, q: Vector): Vector {
  return [p[0] + q[0], p[1] + q[1], p[2] + q[2]]
}

function unit(p: Vector): Vector {
  return scaled(p, 1 / Math.hypot(p[0], p[1], p[2]))
}

function inner(p: Vector, q: Vector): number {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

function product(p: Vector, q: Vector): Vector {
  return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

/** Where the tangents at two points of the unit sphere meet between them. */
function pole(p: Vector, q: Vector): Vector {
  return scaled(total(p, q), 1 / (1 + inner(p, q)))
}

/** Where the tangent planes at three points of it meet. */
function summit(p: Vector, q: Vector, r: Vector): Vector {
  const sum = total(product(p, q), total(product(q, r), product(r, p)))
  return scaled(sum, 1 / inner(p, product(q, r)))
}

// Cores without a skin as holders of bent bodies: whether a curved body, or core points whose skin is larger than the holder's,
// lies behind every face of the holder's core.
//
// Method: a convex set with a skin of r lies in one with a skin of R < r where with a skin of r − R it lies in the other's core, so
// behind the planes of its faces. The highest point over each in closed form; where rounding leaves it open, the sign of a sum of a
// rational number and one root in exact arithmetic. What is flat lies between its two faces and the planes through its edges.
// Cost O(faces · points of the guest).

/** Steps of an exact height. */
const HEIGHT_STEPS = 32

/** Exact for core points, and for curved bodies in line with the axes; others to within the error of heights. */
function isWithinFaces(holder: Body, guest: Body, { offset, error, extent }: Lie): boolean {
  const surface = exactSurface(holder)
  const isPoints = guest.kind === POINTS
  // A bent body is no point, line or, with a skin, flat.
  if (surface.dimension < 2 || (isPoints && surface.dimension < 3)) return false
  const planes = planesOf(holder, surface)
  const { starts, corners } = surface
  const isExact = isPoints || guest.aligned
  for (let f = 0; f + 1 < starts.length; f++) {
    const at = PLANE_SIZE * f
    const around = corners.subarray(starts[f], starts[f + 1])
    spend(2 + (guest.count >> 2))
    const height = highest(holder, guest, offset, planes[at], planes[at + 1], planes[at + 2]) - planes[at + 3]
    const bound = 2 * error + (planes[at + 4] * extent) / holder.numbers[REACH]
    if (height > bound) return false
    if (!isExact || height < -bound) continue
    if (!isBehind(holder, guest, (ring) => ({ normal: faceNormal(ring, holder, around), on: around[0] }))) return false
  }
  if (surface.dimension === 3) return true
  const around = corners.subarray(starts[0], starts[1])
  return isExact
    ? isWithinEdges(holder, guest, around)
    : isNearlyWithinEdges(holder, guest, around, { offset, error, extent })
}

/** Height of the guest along a unit vector, from the anchor of the holder; of core points with what their skin is larger. */
function highest(holder: Body, guest: Body, offset: Vector, nx: number, ny: number, nz: number): number {
  point.fill(0)
  kindOf(guest).support(guest, nx, ny, nz, point)
  const skin = guest.kind === POINTS ? guest.numbers[RADIUS] - holder.numbers[RADIUS] : 0
  return nx * (offset[0] + point[0]) + ny * (offset[1] + point[1]) + nz * (offset[2] + point[2]) + skin
}

/** Whether the guest lies within a flat polygon, given that it lies in its plane. */
function isWithinEdges(holder: Body, guest: Body, around: Int32Array): boolean {
  for (let c = 0; c < around.length; c++) {
    const i = around[c]
    const j = around[(c + 1) % around.length]
    const isInside = isBehind(holder, guest, (ring) => {
      const edge = minus(ring, exactVertex(ring, holder, j), exactVertex(ring, holder, i))
      return { normal: cross(ring, edge, faceNormal(ring, holder, around)), on: i }
    })
    if (!isInside) return false
  }
  return true
}

/** Whether a turned guest lies within the polygon, to within the error of heights. */
function isNearlyWithinEdges(holder: Body, guest: Body, around: Int32Array, { offset, error }: Lie): boolean {
  return around.every(
    (i, c) => edgeHeight(holder, guest, offset, around, [i, around[(c + 1) % around.length]]) <= error,
  )
}

/** How far the guest lies beyond the plane through an edge across the polygon. */
function edgeHeight(holder: Body, guest: Body, offset: Vector, around: Int32Array, [i, j]: [number, number]): number {
  const { numbers, local } = holder
  const corner = (c: number): number[] => [0, 1, 2].map((k) => numbers[local + 3 * c + k])
  const [p, q, a, b, c] = [i, j, around[0], around[1], around[2]].map(corner)
  const way = (from: number[], to: number[]): number[] => to.map((x, k) => x - from[k])
  const product = (u: number[], v: number[]): number[] =>
    [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3])
  const normal = product(way(p, q), product(way(a, b), way(a, c)))
  const length = Math.hypot(...normal)
  if (!(length > 0)) return Infinity
  const [x, y, z] = normal.map((component) => component / length)
  return highest(holder, guest, offset, x, y, z) - (x * p[0] + y * p[1] + z * p[2])
}

/** Of any three corners of a face: no three of them are on one line. */
function faceNormal<T>(ring: Ring<T>, body: Body, around: Int32Array): Exact<T> {
  const a = exactVertex(ring, body, around[0])
  return cross(
    ring,
    minus(ring, exactVertex(ring, body, around[1]), a),
    minus(ring, exactVertex(ring, body, around[2]), a),
  )
}

interface Plane<T> {
  normal: Exact<T>
  /** A core point of the holder on it. */
  on: number
}

/** Whether the guest does not reach over the plane. */
function isBehind(holder: Body, guest: Body, planeOf: <T>(ring: Ring<T>) => Plane<T>): boolean {
  spend(HEIGHT_STEPS)
  return exactly(inputRangeOf(holder, guest), HEIGHT_DEGREE, (ring) => {
    const { sub, of, integer } = ring
    const { normal, on } = planeOf(ring)
    const zero = integer(0)
    const lowest = lowestHeight(ring, guest, minus(ring, [zero, zero, zero], normal))
    const from = minus(ring, exactOffset(ring, guest, holder), exactVertex(ring, holder, on))
    const rational = sub(dot(ring, normal, from), lowest.rational)
    if (guest.kind !== POINTS) return signOfRootSum(ring, rational, integer(1), lowest.square) <= 0
    const skin = sub(of(guest.numbers[RADIUS]), of(holder.numbers[RADIUS]))
    return signOfRootSum(ring, rational, skin, dot(ring, normal, normal)) <= 0
  })
}

// A point of a body as a body of its own, to be asked about.

export function createProbe(): Body {
  const probe = createBody()
  setPose(probe, { position: [0, 0, 0] })
  return probe
}

/** The point x, y, z from the position of the body. */
function setProbe(probe: Body, { numbers }: Body, x: number, y: number, z: number): void {
  reservePoints(probe, 1)
  for (let k = 0; k < 3; k++) probe.numbers[POSITION + k] = numbers[POSITION + k]
  putPoint(probe, x, y, z)
}

/** The point x, y, z of the world. */
export function setProbeAt(probe: Body, x: number, y: number, z: number): void {
  reservePoints(probe, 1)
  probe.numbers[POSITION] = x
  probe.numbers[POSITION + 1] = y
  probe.numbers[POSITION + 2] = z
  putPoint(probe, 0, 0, 0)
}

function putPoint(probe: Body, x: number, y: number, z: number): void {
  probe.numbers[VERTICES] = x
  probe.numbers[VERTICES + 1] = y
  probe.numbers[VERTICES + 2] = z
  finishPoints(probe, 0)
}
