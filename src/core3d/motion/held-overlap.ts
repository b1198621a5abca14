/**
 * For how long two bodies that turn surely have a point in common.
 *
 * Method: a tetrahedron of points of the difference A − B, each made of a point that goes with A and one that goes with B, holds the
 * origin at a time; as long as it does so the bodies overlap. Its corners move along w + w'τ, and no farther beside that than by a point
 * of Kτ²/2, where K is the sum of two discs: for each body one across its axis, of the radius ω² times the distance of its points from
 * that. A tetrahedron of straight corners that holds a convex body as large on either side of the origin holds that still when the corners
 * are moved within it: no support falls below 0. So a face across an axis is not passed by what turns about that, as on a turning table.
 * How far the origin lies inside of a face, times the
 * face's area, is a cubic of τ: its coefficients of Bernstein bound it from below (S. Bernstein, 1912).
 * The tetrahedron has one corner where the origin comes from, and the others are those of a triangle far away through which its way
 * leads (G. Snethen, "XenoCollide", Game Programming Gems 7 (2008)). So one that begins at a contact, with the corner that touches
 * there, mostly lasts until the origin has come half through the difference, and needs no depth to begin with.
 * Bound: a volume, of products of three coordinates of size L, is within 16 roundoffs of L³; what bends out of a face is within 24 of that,
 * as K reaches no farther than the tetrahedron that holds it. A corner that touches is taken for the
 * origin, from which it is no farther than touching bodies count as touching: then the bodies touch within as much, or overlap.
 * Frame: world axes; differences lead from the first body to the second. Cost: O(points of both) a step, about six.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { addSkins, createDifferencePlaces, putDifference } from '../narrow-phase/gjk.ts'
import type { PairFrame } from '../narrow-phase/pair-frame.ts'
import type { NearContact } from '../narrow-phase/smooth-contact.ts'
import { ANCHOR, RADIUS } from '../shape/body.ts'
import { HOLD_LEAST_SHARE, HOLD_RING_COUNT, HOLD_SHARE, HOLD_SHRINK_COUNT, TOUCHING_COUNT } from '../tolerances.ts'
import type { AdvancingPair, Turning } from './advancing-pair.ts'

/** Corners: three of the ring, the apex, where the origin comes from, and the top, where it goes to. */
const places = createDifferencePlaces(5)
const APEX = 3
const TOP = 4

/** How the corners move, and how far from straight at most. */
const moving = new Float64Array(15)
const bendA: Bend = { most: 0, x: 0, y: 0, z: 0 }
const bendB: Bend = { ...bendA }

/** By the spin of one body: no more than so much, across a unit vector along its axis. */
interface Bend {
  most: number
  x: number
  y: number
  z: number
}

/** The way of the origin, seen from the apex. */
const way = new Float64Array(3)

export interface Hold {
  /** How long before and after the time of the pose the two are surely together. */
  before: number
  after: number
}

/** Of a pair as it was last posed, which touches there in the points of a contact: how long it stays together, forward in time, or backward; at most `limit`. */
export function holdFromContact(state: AdvancingPair, near: NearContact, direction: 1 | -1, limit: number): number {
  const { now } = state
  const { a, b } = places
  const radiusA = now.first.numbers[RADIUS]
  const radiusB = now.second.numbers[RADIUS]
  for (let k = 0; k < 3; k++) {
    const n = k === 0 ? near.nx : k === 1 ? near.ny : near.nz
    a[3 * APEX + k] = near.a[k] + radiusA * n
    b[3 * APEX + k] = near.b[k] - radiusB * n
  }
  if (!putApexAtOrigin(now)) return 0
  clearBends(state)
  setMoving(state, APEX)
  for (let k = 0; k < 3; k++) way[k] = -direction * moving[3 * APEX + k]
  if (!setRing(now)) return 0
  moveRing(state)
  return lasting(direction, limit)
}

/**
 * Of a pair as it was last posed: how long it stays together, before and after that; false where it is not seen to overlap. `tries`: it
 * is known not to be apart, so that more is tried to see that.
 */
export function holdFromInside(
  state: AdvancingPair,
  before: number,
  after: number,
  tries: boolean,
  out: Hold,
): boolean {
  const { now, pair } = state
  const { velocity } = pair
  out.before = 0
  out.after = 0
  // Where the origin comes from, in the difference, which the second body moves against.
  holdFrom(state, -velocity[0], -velocity[2], -velocity[4], before, after, out)
  // A way that goes by close to an edge has slivers beside it, which hold it hardly at all: others may do better.
  const isFound = out.before > 0 || out.after > 0
  const enough = tries || isFound ? HOLD_LEAST_SHARE * (before + after) : 0
  if (out.before + out.after < enough) holdFrom(state, now.dx, now.dy, now.dz, before, after, out)
  for (let k = 0; k < 3 && out.before + out.after < enough; k++) {
    holdFrom(state, k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0, before, after, out)
  }
  return out.before > 0 || out.after > 0
}

/** As `holdFromInside`, with the apex that is farthest along a vector; takes what is longer than what is known. */
function holdFrom(
  state: AdvancingPair,
  x: number,
  y: number,
  z: number,
  before: number,
  after: number,
  out: Hold,
): void {
  const { now } = state
  if (x === 0 && y === 0 && z === 0) return
  putSupport(now, x, y, z, APEX)
  for (let k = 0; k < 3; k++) way[k] = -places.w[3 * APEX + k]
  if (!setRing(now) || !reachBeyond(now)) return
  clearBends(state)
  setMoving(state, APEX)
  moveRing(state)
  const later = after > 0 ? lasting(1, after) : 0
  const earlier = before > 0 ? lasting(-1, before) : 0
  if (later + earlier <= out.after + out.before) return
  out.after = later
  out.before = earlier
}

/** Takes the apex for the origin, where it is that but for rounding. */
function putApexAtOrigin({ dx, dy, dz, error }: PairFrame): boolean {
  const { w, a, b } = places
  const i = 3 * APEX
  const x = a[i] - b[i] - dx
  const y = a[i + 1] - b[i + 1] - dy
  const z = a[i + 2] - b[i + 2] - dz
  w[i] = 0
  w[i + 1] = 0
  w[i + 2] = 0
  return Math.abs(x) + Math.abs(y) + Math.abs(z) <= TOUCHING_COUNT * error
}

/** Writes the point of the difference, with skins, that is farthest along a vector. */
function putSupport(frame: PairFrame, x: number, y: number, z: number, at: number): void {
  const { first, second } = frame
  putDifference(frame, x, y, z, places, at)
  if (first.numbers[RADIUS] + second.numbers[RADIUS] === 0) return
  const length = lengthOf(x, y, z)
  addSkins(frame, x / length, y / length, z / length, places, at)
}

function moveRing(state: AdvancingPair): void {
  setMoving(state, 0)
  setMoving(state, 1)
  setMoving(state, 2)
  setMoving(state, TOP)
}

/** On which side of the way, seen along it from the apex, the edge between two places goes by; its sign is what counts. */
function sideOf(i: number, j: number): number {
  setNormal(APEX, i, j)
  return way[0] * normal[0] + way[1] * normal[1] + way[2] * normal[2]
}

const normal = new Float64Array(3)

/** Sets the normal of the plane through three places. */
function setNormal(at: number, i: number, j: number): void {
  const { w } = places
  const px = w[3 * i] - w[3 * at]
  const py = w[3 * i + 1] - w[3 * at + 1]
  const pz = w[3 * i + 2] - w[3 * at + 2]
  const qx = w[3 * j] - w[3 * at]
  const qy = w[3 * j + 1] - w[3 * at + 1]
  const qz = w[3 * j + 2] - w[3 * at + 2]
  normal[0] = py * qz - pz * qy
  normal[1] = pz * qx - px * qz
  normal[2] = px * qy - py * qx
}

/** Sets top and ring: a triangle of points as far from the way as any, but for those that have to be taken so that it goes round the way. */
function setRing(frame: PairFrame): boolean {
  spend(4 * (2 + ((frame.first.count + frame.second.count) >> 2)))
  const length = lengthOf(way[0], way[1], way[2])
  if (!(length > 0)) return false
  const x = way[0] / length
  const y = way[1] / length
  const z = way[2] / length
  // u and v, with the way, are a right-handed frame (T. Duff et al., "Building an orthonormal basis, revisited", 2017).
  const sign = z < 0 ? -1 : 1
  const p = -1 / (sign + z)
  const q = x * y * p
  const ux = 1 + sign * x * x * p
  const uy = sign * q
  const uz = -sign * x
  const vx = q
  const vy = sign + y * y * p
  const vz = -y
  putSupport(frame, x, y, z, TOP)
  putSupport(frame, ux, uy, uz, 0)
  putSupport(frame, SINE * vx - ux / 2, SINE * vy - uy / 2, SINE * vz - uz / 2, 1)
  putSupport(frame, -SINE * vx - ux / 2, -SINE * vy - uy / 2, -SINE * vz - uz / 2, 2)
  for (let step = 0; step < HOLD_RING_COUNT; step++) {
    // The way goes by outside of an edge: what is farthest beyond that takes the place of the third.
    if (sideOf(0, 1) < 0) putBeyond(frame, 0, 1, 2)
    else if (sideOf(1, 2) < 0) putBeyond(frame, 1, 2, 0)
    else if (sideOf(2, 0) < 0) putBeyond(frame, 2, 0, 1)
    else return true
  }
  return false
}

const SINE = Math.sqrt(3) / 2

/** Moves ring and top outwards, until the origin is no longer beyond the faces at the top; false where it is not seen to be inside. */
function reachBeyond(frame: PairFrame): boolean {
  const { w } = places
  for (let step = 0; step < HOLD_RING_COUNT; step++) {
    if (volume(0, 1) >= 0 && volume(1, 2) >= 0 && volume(2, 0) >= 0) return true
    spend(2 + ((frame.first.count + frame.second.count) >> 2))
    if (sideOf(0, TOP) < 0) takeTop(sideOf(1, TOP) < 0 ? 0 : 2)
    else takeTop(sideOf(2, TOP) < 0 ? 1 : 0)
    setNormal(0, 1, 2)
    const nx = normal[0]
    const ny = normal[1]
    const nz = normal[2]
    if (nx === 0 && ny === 0 && nz === 0) return false
    putSupport(frame, nx, ny, nz, TOP)
    // Nothing is beyond the origin there.
    if (!(nx * w[3 * TOP] + ny * w[3 * TOP + 1] + nz * w[3 * TOP + 2] > 0)) return false
  }
  return false
}

/** Of the origin and a face at the top. */
function volume(i: number, j: number): number {
  const { w } = places
  const p = 3 * i
  const q = 3 * j
  const r = 3 * TOP
  return (
    w[p] * (w[q + 1] * w[r + 2] - w[q + 2] * w[r + 1]) +
    w[p + 1] * (w[q + 2] * w[r] - w[q] * w[r + 2]) +
    w[p + 2] * (w[q] * w[r + 1] - w[q + 1] * w[r])
  )
}

function takeTop(at: number): void {
  const { w, a, b } = places
  for (let k = 0; k < 3; k++) {
    w[3 * at + k] = w[3 * TOP + k]
    a[3 * at + k] = a[3 * TOP + k]
    b[3 * at + k] = b[3 * TOP + k]
  }
}

/** Puts what is farthest beyond the edge from i to j into place k, and turns the ring round. */
function putBeyond(frame: PairFrame, i: number, j: number, k: number): void {
  spend(2 + ((frame.first.count + frame.second.count) >> 2))
  setNormal(APEX, i, j)
  putSupport(frame, -normal[0], -normal[1], -normal[2], k)
  const { w, a, b } = places
  for (let c = 0; c < 3; c++) {
    swap(w, 3 * i + c, 3 * j + c)
    swap(a, 3 * i + c, 3 * j + c)
    swap(b, 3 * i + c, 3 * j + c)
  }
}

function swap(numbers: Float64Array, i: number, j: number): void {
  const kept = numbers[i]
  numbers[i] = numbers[j]
  numbers[j] = kept
}

function clearBends({ first, second }: AdvancingPair): void {
  clearBend(first, bendA)
  clearBend(second, bendB)
}

function clearBend({ rate, motion: { wx, wy, wz } }: Turning, bend: Bend): void {
  bend.most = 0
  if (rate === 0) return
  bend.x = wx / rate
  bend.y = wy / rate
  bend.z = wz / rate
}

/** How a place moves, and how its way bends at most. */
function setMoving({ first, second, pair }: AdvancingPair, at: number): void {
  const i = 3 * at
  moving[i] = -pair.velocity[0]
  moving[i + 1] = -pair.velocity[2]
  moving[i + 2] = -pair.velocity[4]
  bendA.most = Math.max(bendA.most, addSwing(first, places.a, i, 1))
  bendB.most = Math.max(bendB.most, addSwing(second, places.b, i, -1))
}

function addSwing({ rate, motion, posed }: Turning, points: Float64Array, i: number, side: 1 | -1): number {
  if (rate === 0) return 0
  const { numbers } = posed
  const { wx, wy, wz } = motion
  const x = numbers[ANCHOR] + points[i]
  const y = numbers[ANCHOR + 1] + points[i + 1]
  const z = numbers[ANCHOR + 2] + points[i + 2]
  const vx = wy * z - wz * y
  const vy = wz * x - wx * z
  const vz = wx * y - wy * x
  moving[i] += side * vx
  moving[i + 1] += side * vy
  moving[i + 2] += side * vz
  return rate * lengthOf(vx, vy, vz)
}

/** Of each face the cubic of its volume with the origin, and that of how far its ways may bend out of it, times its area. */
const FACE_SIZE = 7
const faces = new Float64Array(6 * FACE_SIZE)
let faceCount = 0

/** Whether the top lies outside of the plane through the apex and each edge of the ring, which is no edge of the hull then. */
const flips = [false, false, false]

/** Sets the faces of the hull of ring, apex and top. */
function setFaces(direction: 1 | -1): void {
  const { w } = places
  const same = isTop(0) ? 0 : isTop(1) ? 1 : isTop(2) ? 2 : -1
  faceCount = 0
  for (let i = 0; i < 3; i++) {
    flips[i] = false
    if (i === same || NEXT[i] === same) continue
    setNormal(APEX, i, NEXT[i])
    const x = w[3 * TOP] - w[3 * APEX]
    const y = w[3 * TOP + 1] - w[3 * APEX + 1]
    const z = w[3 * TOP + 2] - w[3 * APEX + 2]
    flips[i] = normal[0] * x + normal[1] * y + normal[2] * z < 0
  }
  for (let i = 0; i < 3; i++) {
    const j = NEXT[i]
    const before = NEXT[j]
    if (flips[i]) {
      if (!flips[before]) setFace(TOP, i, APEX, direction)
      if (!flips[j]) setFace(APEX, j, TOP, direction)
    } else {
      if (i !== same && j !== same) setFace(i, j, TOP, direction)
      setFace(j, i, APEX, direction)
    }
  }
}

const NEXT = [1, 2, 0]

/** Whether the top is a corner of the ring, as of what is flat or has few corners. */
function isTop(i: number): boolean {
  const { w } = places
  return w[3 * i] === w[3 * TOP] && w[3 * i + 1] === w[3 * TOP + 1] && w[3 * i + 2] === w[3 * TOP + 2]
}

/** How long the hull holds the origin, in one direction of time, at most `limit`; 0 where it does not to begin with. */
function lasting(direction: 1 | -1, limit: number): number {
  setFaces(direction)
  if (faceCount === 0) return 0
  const place = farthest(places.w)
  const speed = farthest(moving)
  let time = limit
  let face = 0
  for (let step = 0; step < HOLD_SHRINK_COUNT; step++) {
    const size = place + time * speed
    const rounding = UNIT_ROUNDOFF * 48 * size * size * size
    let held = 0
    while (held < faceCount && isInside(face, time, rounding)) {
      held++
      face = face + 1 < faceCount ? face + 1 : 0
    }
    if (held === faceCount) return time
    time *= HOLD_SHARE
  }
  return 0
}

/** The greatest length of five vectors. */
function farthest(vectors: Float64Array): number {
  let most = 0
  for (let i = 0; i < 15; i += 3) {
    const x = vectors[i]
    const y = vectors[i + 1]
    const z = vectors[i + 2]
    const square = x * x + y * y + z * z
    if (square > most) most = square
  }
  return Math.sqrt(most)
}

function setFace(i: number, j: number, l: number, direction: 1 | -1): void {
  const { w } = places
  const p = 3 * i
  const q = 3 * j
  const r = 3 * l
  const px = w[p]
  const py = w[p + 1]
  const pz = w[p + 2]
  const qx = w[q]
  const qy = w[q + 1]
  const qz = w[q + 2]
  const rx = w[r]
  const ry = w[r + 1]
  const rz = w[r + 2]
  const sx = direction * moving[p]
  const sy = direction * moving[p + 1]
  const sz = direction * moving[p + 2]
  const tx = direction * moving[q]
  const ty = direction * moving[q + 1]
  const tz = direction * moving[q + 2]
  const ux = direction * moving[r]
  const uy = direction * moving[r + 1]
  const uz = direction * moving[r + 2]
  const qrx = qy * rz - qz * ry
  const qry = qz * rx - qx * rz
  const qrz = qx * ry - qy * rx
  const tux = ty * uz - tz * uy
  const tuy = tz * ux - tx * uz
  const tuz = tx * uy - ty * ux
  // q × u + t × r: how q × r changes.
  const mx = qy * uz - qz * uy + ty * rz - tz * ry
  const my = qz * ux - qx * uz + tz * rx - tx * rz
  const mz = qx * uy - qy * ux + tx * ry - ty * rx
  const at = FACE_SIZE * faceCount++
  faces[at] = px * qrx + py * qry + pz * qrz
  faces[at + 1] = sx * qrx + sy * qry + sz * qrz + px * mx + py * my + pz * mz
  faces[at + 2] = px * tux + py * tuy + pz * tuz + sx * mx + sy * my + sz * mz
  faces[at + 3] = sx * tux + sy * tuy + sz * tuz
  // The normal, twice as long as the area is large, and how it changes.
  setCross(0, qx - px, qy - py, qz - pz, rx - px, ry - py, rz - pz)
  setCross(3, tx - sx, ty - sy, tz - sz, rx - px, ry - py, rz - pz)
  addCross(3, qx - px, qy - py, qz - pz, ux - sx, uy - sy, uz - sz)
  setCross(6, tx - sx, ty - sy, tz - sz, ux - sx, uy - sy, uz - sz)
  for (let k = 0; k < 3; k++) faces[at + 4 + k] = bendAcross(bendA, 3 * k) + bendAcross(bendB, 3 * k)
}

/** Three vectors. */
const normals = new Float64Array(9)

function setCross(at: number, px: number, py: number, pz: number, qx: number, qy: number, qz: number): void {
  normals[at] = py * qz - pz * qy
  normals[at + 1] = pz * qx - px * qz
  normals[at + 2] = px * qy - py * qx
}

function addCross(at: number, px: number, py: number, pz: number, qx: number, qy: number, qz: number): void {
  normals[at] += py * qz - pz * qy
  normals[at + 1] += pz * qx - px * qz
  normals[at + 2] += px * qy - py * qx
}

/** How far the disc across an axis reaches along a vector, times its length. */
function bendAcross({ most, x, y, z }: Bend, at: number): number {
  if (most === 0) return 0
  const nx = normals[at]
  const ny = normals[at + 1]
  const nz = normals[at + 2]
  return most * lengthOf(ny * z - nz * y, nz * x - nx * z, nx * y - ny * x)
}

function isInside(face: number, time: number, rounding: number): boolean {
  const at = FACE_SIZE * face
  const bend = faces[at + 4] + time * (faces[at + 5] + time * faces[at + 6])
  const c0 = faces[at]
  const c1 = time * faces[at + 1]
  const c2 = time * time * (faces[at + 2] - bend / 2)
  const c3 = time * time * time * faces[at + 3]
  // Exactly 0 where the apex is the origin.
  const isClear = c0 === 0 || c0 > rounding
  return isClear && c0 + c1 / 3 > rounding && c0 + (2 * c1 + c2) / 3 > rounding && c0 + c1 + c2 + c3 > rounding
}

function lengthOf(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z)
}
