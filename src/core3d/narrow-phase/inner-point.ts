/**
 * A point that surely lies inside both bodies of a pair, found and proven in doubles: no exact arithmetic.
 *
 * Method: every body with an inside has a ball of known centre and radius in it. The way from the centre of the difference A − B (that of
 * A's ball minus that of B's) through the origin leaves the difference through a triangle of support points, which is moved
 * outwards (G. Snethen, "XenoCollide", Game Programming Gems 7 (2008)). The tetrahedron of the centre and the triangle then
 * holds the origin, with weights that blend points of A into a point x, and those of B into the same point.
 * Bound: with weight m on the centre of A's ball of radius r, all of the ball of radius m·r about x is in A: a convex set has the blends
 * of its points. The same holds for B, about the blend of its own points, which differs from x by what the weights leave of the
 * origin. So x, rounded, is inside both if both balls are larger than what rounding and that rest move it by: in roundoffs of the
 * extent 1 for local copies of core points, 2 for skins, 9 for a blend of four, 4 for the vector between the anchors and the
 * differences, 8 for the rest: for both bodies fewer than the 64 of the frame's error; and 2 of the coordinates for the sums that
 * put x in the world, for which 4 are taken. Turned curved bodies are measured to within that error themselves: it counts four times.
 * Half-spaces: from the lowest point of the first body towards the centre of its ball, as far as half of its depth.
 * Frame: as in `gjk.ts`; the point found is in the world. Cost: O(points of both) a step, about five steps.
 */

import { spend } from '../../containers/budget.ts'
import { SMALLEST_SAFE_DETERMINANT, UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { scaleBy, vectorLength3d } from '../../numeric/safe-range.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  CONE,
  CYLINDER,
  HALFSPACE,
  LENGTHS,
  OFFSET,
  POINTS,
  POSITION,
  RADIUS,
  REACH,
  UNIT,
} from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import { CLEAR_DEPTH_RATIO, CURVED_ERROR_COUNT, PORTAL_STEP_COUNT } from '../tolerances.ts'
import { addSkins, type Bounds, createDifferencePlaces, putDifference } from './gjk.ts'
import type { PairFrame } from './pair-frame.ts'

interface Ball {
  /** Centre, counted from the body's anchor. */
  x: number
  y: number
  z: number
  /** 0 where none is known. */
  radius: number
}

const ballA: Ball = { x: 0, y: 0, z: 0, radius: 0 }
const ballB: Ball = { x: 0, y: 0, z: 0, radius: 0 }

/** Sets a ball that lies in the body, whose kind is not a half-space. Cost O(points). */
function setBall(body: Body, ball: Ball): void {
  const { kind, numbers, count } = body
  if (kind === POINTS) {
    ball.x = numbers[CENTER]
    ball.y = numbers[CENTER + 1]
    ball.z = numbers[CENTER + 2]
    // The mean of the points may be off by a roundoff for each.
    ball.radius = Math.max(0, numbers[RADIUS] - UNIT_ROUNDOFF * 2 * (count + 4) * numbers[REACH])
    if (count > 3) setCoreBall(body, ball)
    return
  }
  ball.x = 0
  ball.y = 0
  ball.z = 0
  const a = numbers[LENGTHS]
  const b = numbers[LENGTHS + 1]
  const c = numbers[LENGTHS + 2]
  if (kind === CYLINDER) ball.radius = Math.min(a, b)
  else if (kind === CONE) ball.radius = (a * b) / vectorLength3d(a, 2 * b, 0)
  else ball.radius = Math.min(a, b, c)
}

/** Corners of a tetrahedron of core points; of a box every other corner. */
const corners = new Int32Array(4)
const edges = new Float64Array(9)

/**
 * The ball about the centroid of a large tetrahedron of core points, with its skin, where that is larger than the skin alone: a
 * quarter of its least height.
 */
function setCoreBall(body: Body, ball: Ball): void {
  const { numbers, local } = body
  if (body.isBox) {
    corners[0] = 0
    corners[1] = 3
    corners[2] = 5
    corners[3] = 6
  } else takeCorners(body)
  const p = local + 3 * corners[0]
  let size = 0
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      const along = numbers[local + 3 * corners[i + 1] + k] - numbers[p + k]
      edges[3 * i + k] = along
      size += Math.abs(along)
    }
  }
  const [ux, uy, uz, vx, vy, vz, wx, wy, wz] = edges
  const nx = vy * wz - vz * wy
  const ny = vz * wx - vx * wz
  const nz = vx * wy - vy * wx
  const volume = Math.abs(ux * nx + uy * ny + uz * nz) - UNIT_ROUNDOFF * 2 * size * size * size
  // Below it digits may have been lost to underflow.
  if (!(volume > SMALLEST_SAFE_DETERMINANT)) return
  const area = Math.max(
    vectorLength3d(nx, ny, nz),
    vectorLength3d(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx),
    vectorLength3d(uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx),
    oppositeArea(),
  )
  const height = volume / (area + UNIT_ROUNDOFF * 8 * size * size)
  // The corners themselves are off by the rounding of their distance from the anchor.
  const radius = height / 4 - UNIT_ROUNDOFF * 8 * numbers[REACH]
  if (!(radius > 0)) return
  ball.x = numbers[p] + (ux + vx + wx) / 4
  ball.y = numbers[p + 1] + (uy + vy + wy) / 4
  ball.z = numbers[p + 2] + (uz + vz + wz) / 4
  ball.radius = radius + numbers[RADIUS]
}

/** Twice the area of the face that the first corner is not on. */
function oppositeArea(): number {
  const ax = edges[3] - edges[0]
  const ay = edges[4] - edges[1]
  const az = edges[5] - edges[2]
  const bx = edges[6] - edges[0]
  const by = edges[7] - edges[1]
  const bz = edges[8] - edges[2]
  return vectorLength3d(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
}

/** The first point, the one farthest from it, the one farthest from their line, the one highest over the plane of these three. */
function takeCorners({ numbers, local, count }: Body): void {
  spend(count >> 1)
  const x = numbers[local]
  const y = numbers[local + 1]
  const z = numbers[local + 2]
  let second = 0
  let most = 0
  for (let i = 1, at = local + 3; i < count; i++, at += 3) {
    const dx = numbers[at] - x
    const dy = numbers[at + 1] - y
    const dz = numbers[at + 2] - z
    const square = dx * dx + dy * dy + dz * dz
    if (square <= most) continue
    most = square
    second = i
  }
  const ux = numbers[local + 3 * second] - x
  const uy = numbers[local + 3 * second + 1] - y
  const uz = numbers[local + 3 * second + 2] - z
  let third = 0
  most = 0
  let nx = 0
  let ny = 0
  let nz = 0
  for (let i = 1, at = local + 3; i < count; i++, at += 3) {
    const dx = numbers[at] - x
    const dy = numbers[at + 1] - y
    const dz = numbers[at + 2] - z
    const cx = uy * dz - uz * dy
    const cy = uz * dx - ux * dz
    const cz = ux * dy - uy * dx
    const square = cx * cx + cy * cy + cz * cz
    if (square <= most) continue
    most = square
    third = i
    nx = cx
    ny = cy
    nz = cz
  }
  let fourth = 0
  most = 0
  for (let i = 1, at = local + 3; i < count; i++, at += 3) {
    const height = Math.abs(nx * (numbers[at] - x) + ny * (numbers[at + 1] - y) + nz * (numbers[at + 2] - z))
    if (height <= most) continue
    most = height
    fourth = i
  }
  corners[0] = 0
  corners[1] = second
  corners[2] = third
  corners[3] = fourth
}

/** Support points of the difference, with their skins: the triangle in places 0, 1 and 2, the newest in 3. */
const places = createDifferencePlaces(4)

/** The centre of the difference, from the origin. */
let cx = 0
let cy = 0
let cz = 0

/** Sets the centre of the difference from those of both balls. */
function setCenter({ dx, dy, dz }: PairFrame): void {
  cx = ballA.x - ballB.x - dx
  cy = ballA.y - ballB.y - dy
  cz = ballA.z - ballB.z - dz
}

/** Puts the farthest point along (x, y, z), not 0, at a place. Returns its height along it, not divided by the length. */
function putPoint(frame: PairFrame, x: number, y: number, z: number, at: number): number {
  const { first, second } = frame
  spend(2 + ((first.count + second.count) >> 2))
  const height = putDifference(frame, x, y, z, places, at)
  const radiusA = first.numbers[RADIUS]
  const radiusB = second.numbers[RADIUS]
  if (radiusA + radiusB === 0) return height
  const length = vectorLength3d(x, y, z)
  addSkins(frame, x / length, y / length, z / length, places, at)
  return height + (radiusA + radiusB) * length
}

function movePoint(from: number, to: number): void {
  const { a, b, w } = places
  for (let k = 0; k < 3; k++) {
    a[3 * to + k] = a[3 * from + k]
    b[3 * to + k] = b[3 * from + k]
    w[3 * to + k] = w[3 * from + k]
  }
  places.indexA[to] = places.indexA[from]
  places.indexB[to] = places.indexB[from]
}

/** Six times the signed volume of the centre, the origin and two points: on which side of the way the edge between them goes by. */
function sideOf(i: number, j: number): number {
  const { w } = places
  const p = 3 * i
  const q = 3 * j
  return (
    cx * (w[p + 1] * w[q + 2] - w[p + 2] * w[q + 1]) +
    cy * (w[p + 2] * w[q] - w[p] * w[q + 2]) +
    cz * (w[p] * w[q + 1] - w[p + 1] * w[q])
  )
}

/** Weights of the three places and of the centre, and their sum. */
const weights = new Float64Array(4)
let total = 0

/**
 * Finds the triangle, and sets the weights of the origin; false where the origin is not inside as far as rounding tells. Seen from the
 * centre the triangle goes round the way to the origin so that no `sideOf` of its edges is positive.
 */
function findPortal(frame: PairFrame): boolean {
  const { w } = places
  weights.fill(0)
  if (cx === 0 && cy === 0 && cz === 0) {
    weights[3] = 1
    return true
  }
  if (!(putPoint(frame, -cx, -cy, -cz, 0) > 0)) return false
  const nx = w[1] * cz - w[2] * cy
  const ny = w[2] * cx - w[0] * cz
  const nz = w[0] * cy - w[1] * cx
  if (nx === 0 && ny === 0 && nz === 0) return setLineWeights()
  return putPoint(frame, nx, ny, nz, 1) > 0 && goRound(frame, false) && refine(frame)
}

/**
 * Goes from the points in places 0 and 1 on to a triangle that the way leads through; false where its third point does not lie beyond the
 * origin. `isLast`: a point short of the origin, as rounding may put it, will do too.
 */
function goRound(frame: PairFrame, isLast: boolean): boolean {
  for (let step = 0; step < PORTAL_STEP_COUNT; step++) {
    const height = putBeyondEdge(frame)
    if (isLast ? height === 0 : !(height > 0)) return false
    // The way goes by outside of one of the new edges: the point across it is of no use.
    if (sideOf(2, 0) > 0) movePoint(2, 1)
    else if (sideOf(1, 2) > 0) movePoint(2, 0)
    else return true
  }
  return false
}

/** Puts in place 2 the support point farthest from the plane through the centre and the other two, on the origin's side. */
function putBeyondEdge(frame: PairFrame): number {
  const { w } = places
  const ax = w[0] - cx
  const ay = w[1] - cy
  const az = w[2] - cz
  const bx = w[3] - cx
  const by = w[4] - cy
  const bz = w[5] - cz
  const nx = ay * bz - az * by
  const ny = az * bx - ax * bz
  const nz = ax * by - ay * bx
  return nx === 0 && ny === 0 && nz === 0 ? 0 : putPoint(frame, nx, ny, nz, 2)
}

const normal = new Float64Array(3)

/** Sets the normal of the triangle, not of unit length; false where it has none. */
function setNormal(): boolean {
  const { w } = places
  const ax = w[3] - w[0]
  const ay = w[4] - w[1]
  const az = w[5] - w[2]
  const bx = w[6] - w[0]
  const by = w[7] - w[1]
  const bz = w[8] - w[2]
  normal[0] = ay * bz - az * by
  normal[1] = az * bx - ax * bz
  normal[2] = ax * by - ay * bx
  return normal[0] !== 0 || normal[1] !== 0 || normal[2] !== 0
}

/** Puts the newest point in the place of the corner without which the way leads through the triangle still. */
function takeNewest(): void {
  if (sideOf(0, 3) > 0) movePoint(3, sideOf(1, 3) > 0 ? 0 : 2)
  else movePoint(3, sideOf(2, 3) > 0 ? 1 : 0)
}

/** Moves the triangle outwards until it is at least half as far beyond the origin as anything is there. */
function refine(frame: PairFrame): boolean {
  const { w } = places
  for (let step = 0; step < PORTAL_STEP_COUNT; step++) {
    if (!setNormal()) return false
    const nx = normal[0]
    const ny = normal[1]
    const nz = normal[2]
    const level = nx * w[0] + ny * w[1] + nz * w[2]
    // From there on the centre has a weight of a quarter, which is plenty.
    if (level > 0 && 3 * level >= -(nx * cx + ny * cy + nz * cz)) break
    const top = putPoint(frame, nx, ny, nz, 3)
    if (!(top > 0)) return false
    if (top <= 2 * level) break
    takeNewest()
  }
  return setWeights()
}

/**
 * Sets the core points of a triangle on the boundary of the difference, through which the way from its centre to the origin leads on, as
 * far as rounding tells, and that centre, which is inside for certain: of bodies of core points without skins, within rounding of
 * touching. Seen from the centre the triangle goes round as in `findPortal`. False where none is found.
 */
export function findFacingTriangle(
  frame: PairFrame,
  cornersA: Int32Array,
  cornersB: Int32Array,
  center: Float64Array,
): boolean {
  const { first, second, error } = frame
  setBall(first, ballA)
  setBall(second, ballB)
  if (!(ballA.radius + ballB.radius > error)) return false
  setCenter(frame)
  center[0] = cx
  center[1] = cy
  center[2] = cz
  if (!findLastPortal(frame)) return false
  for (let i = 0; i < 3; i++) {
    cornersA[i] = places.indexA[i]
    cornersB[i] = places.indexB[i]
  }
  return true
}

/** `findPortal` that goes on to the last triangle, also where the origin lies beyond it by rounding. */
function findLastPortal(frame: PairFrame): boolean {
  const { w } = places
  putPoint(frame, -cx, -cy, -cz, 0)
  const nx = w[1] * cz - w[2] * cy
  const ny = w[2] * cx - w[0] * cz
  const nz = w[0] * cy - w[1] * cx
  if (nx === 0 && ny === 0 && nz === 0) return false
  putPoint(frame, nx, ny, nz, 1)
  return goRound(frame, true) && refineToLast(frame)
}

/** Moves the triangle outwards until nothing lies beyond it but for rounding. */
function refineToLast(frame: PairFrame): boolean {
  const { w } = places
  for (let step = 0; step < PORTAL_STEP_COUNT; step++) {
    if (!setNormal()) return false
    const nx = normal[0]
    const ny = normal[1]
    const nz = normal[2]
    const top = putPoint(frame, nx, ny, nz, 3)
    if (!(top > nx * w[0] + ny * w[1] + nz * w[2] + frame.error * vectorLength3d(nx, ny, nz))) return true
    takeNewest()
  }
  return false
}

/** The origin between the centre and the first point, which lies on the way itself. */
function setLineWeights(): boolean {
  const { w } = places
  weights[0] = vectorLength3d(cx, cy, cz)
  weights[3] = vectorLength3d(w[0], w[1], w[2])
  return true
}

/** Weights as volumes of tetrahedra, of which rounding may make some negative: these are 0, and what that leaves of the origin is measured. */
function setWeights(): boolean {
  const { w } = places
  weights[0] = Math.max(-sideOf(1, 2), 0)
  weights[1] = Math.max(-sideOf(2, 0), 0)
  weights[2] = Math.max(-sideOf(0, 1), 0)
  weights[3] =
    w[0] * (w[4] * w[8] - w[5] * w[7]) + w[1] * (w[5] * w[6] - w[3] * w[8]) + w[2] * (w[3] * w[7] - w[4] * w[6])
  return weights[3] > 0
}

/** Blend of three numbers of the places and one of the centre. */
function blend(numbers: Float64Array, k: number, center: number): number {
  return (
    (weights[0] * numbers[k] + weights[1] * numbers[3 + k] + weights[2] * numbers[6 + k] + weights[3] * center) / total
  )
}

/** By how much the last point lies inside both bodies, at least. */
let clearance = 0

/** Whether the last point lies so far inside that no measure of the pair can say other than that it overlaps. */
export function isClearlyInside({ first, second, extent }: PairFrame): boolean {
  return isUncurved(first, second) || clearance > CLEAR_DEPTH_RATIO * extent
}

/** Whether neither surface is curved but for a skin. */
export function isUncurved(first: Body, second: Body): boolean {
  return first.kind === POINTS && (second.kind === POINTS || second.kind === HALFSPACE)
}

/**
 * Sets `out` to a point inside both bodies, in the world; false where none is found whose proof rounding leaves standing. The pair is
 * in order, without half-spaces, and of a size whose products stay in range; `bounds`: what GJK has found of it.
 */
export function findInnerPoint(frame: PairFrame, bounds: Bounds, out: Float64Array): boolean {
  const { first, second } = frame
  setBall(first, ballA)
  setBall(second, ballB)
  const least = Math.min(ballA.radius, ballB.radius)
  if (!(least > 0)) return false
  if (findInSkins(frame, bounds, out)) return true
  setCenter(frame)
  if (!findPortal(frame)) return false
  total = weights[0] + weights[1] + weights[2] + weights[3]
  const { a, w } = places
  const rest = Math.abs(blend(w, 0, cx)) + Math.abs(blend(w, 1, cy)) + Math.abs(blend(w, 2, cz))
  const slack = putWorld(frame, blend(a, 0, ballA.x), blend(a, 1, ballA.y), blend(a, 2, ballA.z), out)
  clearance = (weights[3] / total) * least - 2 * rest
  return clearance > slack
}

/**
 * Of bodies that meet by their skins, by the nearest points of the cores: one between them; or, beside a body without a skin, from its
 * nearest point towards the centre of its ball, as far as half of the depth. All balls about points of the core are in the body.
 */
function findInSkins(frame: PairFrame, { simplex }: Bounds, out: Float64Array): boolean {
  const { first, second, dx, dy, dz } = frame
  const radiusA = first.numbers[RADIUS]
  const radiusB = second.numbers[RADIUS]
  if (radiusA + radiusB === 0) return false
  const { a, b, weights: shares, count } = simplex
  let ax = 0
  let ay = 0
  let az = 0
  let bx = dx
  let by = dy
  let bz = dz
  for (let i = 0; i < count; i++) {
    ax += shares[i] * a[3 * i]
    ay += shares[i] * a[3 * i + 1]
    az += shares[i] * a[3 * i + 2]
    bx += shares[i] * b[3 * i]
    by += shares[i] * b[3 * i + 1]
    bz += shares[i] * b[3 * i + 2]
  }
  const depth = radiusA + radiusB - vectorLength3d(bx - ax, by - ay, bz - az)
  if (!(depth > 0)) return false
  if (radiusA > 0 && radiusB > 0) {
    const share = radiusA / (radiusA + radiusB)
    const slack = putWorld(frame, ax + share * (bx - ax), ay + share * (by - ay), az + share * (bz - az), out)
    clearance = (Math.min(radiusA, radiusB) / (radiusA + radiusB)) * depth
    return clearance > slack
  }
  const isFirstBare = radiusA === 0
  const ball = isFirstBare ? ballA : ballB
  const x = isFirstBare ? ax : bx
  const y = isFirstBare ? ay : by
  const z = isFirstBare ? az : bz
  const wayX = (isFirstBare ? ball.x : ball.x + dx) - x
  const wayY = (isFirstBare ? ball.y : ball.y + dy) - y
  const wayZ = (isFirstBare ? ball.z : ball.z + dz) - z
  const share = Math.min(1, depth / 2 / vectorLength3d(wayX, wayY, wayZ))
  const slack = putWorld(frame, x + share * wayX, y + share * wayY, z + share * wayZ, out)
  clearance = Math.min(depth / 2, share * ball.radius)
  return clearance > slack
}

/** Writes the point, which counts from the anchor of the first body. Returns by how much rounding may have moved it against the bodies. */
function putWorld(frame: PairFrame, x: number, y: number, z: number, out: Float64Array): number {
  const { first, second, error, exponent } = frame
  const { numbers } = first
  // + 0: no negative zeros.
  out[0] = numbers[POSITION] + (numbers[ANCHOR] + x) + 0
  out[1] = numbers[POSITION + 1] + (numbers[ANCHOR + 1] + y) + 0
  out[2] = numbers[POSITION + 2] + (numbers[ANCHOR + 2] + z) + 0
  let size = 0
  for (let k = 0; k < 3; k++) size += Math.abs(out[k]) + Math.abs(numbers[POSITION + k])
  // Points that are scaled back may lose digits below the least double.
  const lost = exponent < 0 ? 4 * scaleBy(Number.MIN_VALUE, -exponent) : 0
  return (isUncurved(first, second) ? error : CURVED_ERROR_COUNT * error) + 4 * UNIT_ROUNDOFF * size + lost
}

const lowest = new Float64Array(3)

/** As `findInnerPoint`, where the second body is a half-space. */
export function findInHalfspace(frame: PairFrame, out: Float64Array): boolean {
  const { first, second, dx, dy, dz } = frame
  if (first.kind === HALFSPACE) return false
  const { numbers } = second
  const nx = numbers[UNIT]
  const ny = numbers[UNIT + 1]
  const nz = numbers[UNIT + 2]
  const radius = first.numbers[RADIUS]
  lowest.fill(0)
  kindOf(first).support(first, -nx, -ny, -nz, lowest)
  const x = lowest[0] - radius * nx
  const y = lowest[1] - radius * ny
  const z = lowest[2] - radius * nz
  const deepest = numbers[OFFSET] - ((x - dx) * nx + (y - dy) * ny + (z - dz) * nz)
  if (!(deepest > 0)) return false
  setBall(first, ballA)
  const middle = numbers[OFFSET] - ((ballA.x - dx) * nx + (ballA.y - dy) * ny + (ballA.z - dz) * nz)
  const share = middle >= deepest / 2 ? 1 : deepest / 2 / (deepest - middle)
  const slack = putWorld(frame, x + share * (ballA.x - x), y + share * (ballA.y - y), z + share * (ballA.z - z), out)
  clearance = Math.min(share * ballA.radius, deepest / 2)
  return clearance > slack
}
