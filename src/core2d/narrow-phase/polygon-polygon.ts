/**
 * Polygon, capsule or segment against another: face search, then GJK where the cores are apart and no face decides.
 *
 * Method: the largest signed face distance (`sat.ts`) is the separation of overlapping cores, and of disjoint ones
 * whenever the support vertex stands over the face; otherwise the nearest features are two corners or lie elsewhere,
 * and GJK finds them (`gjk.ts`). Signs that rounding leaves open are decided by `exact-convex.ts`.
 * Frame: world axes, origin at A's anchor, B's anchor at (dx, dy).
 */

import { spend } from '../../containers/budget.ts'
import type { Sign } from '../../numeric/exact-ring.ts'
import { type Body, following, LOCAL, preceding, RADIUS, sideOfEdge } from '../shape/body.ts'
import type { Frame } from '../shape/position.ts'
import { CLIMB_COUNT } from '../tolerances.ts'
import { exactCoreSeparation, exactSkinSeparation } from './exact-convex.ts'
import { createNearestPair, type NearestPair, nearestPair } from './gjk.ts'
import { createFace, type Face, largestFaceDistance, raiseFaceDistance } from './sat.ts'
import { addSkins, type Separation, setApart, setFacePoints, settle } from './separation.ts'

const face = createFace()
const nearest = createNearestPair()

export function polygonPolygon(a: Body, b: Body, frame: Frame, out: Separation): void {
  const { dx, dy, error } = frame
  const corners = a.count + b.count
  if (corners > CLIMB_COUNT) spend(corners)
  const radius = a.numbers[RADIUS] + b.numbers[RADIUS]
  const far = frame.limit + radius + 2 * error
  largestFaceDistance(a, b, frame, face)
  if (face.distance > far) {
    setApart(out)
    return
  }
  const ownedByB = raiseFaceDistance(b, a, frame, -1, -1, face.edge, face)
  if (face.distance > far) {
    setApart(out)
    return
  }
  const owner = ownedByB ? b : a
  const other = ownedByB ? a : b
  const side = ownedByB ? -1 : 1
  let distance = face.distance
  let cores: Sign = distance > 0 ? 1 : -1
  if (Math.abs(distance) <= error) {
    // Not merely a matter of a sign: beyond a sharp corner every face distance is small, but the true one need not be.
    const exact = exactCoreSeparation(a, b, dx, dy, error)
    cores = exact.sign
    if (!Number.isNaN(exact.value)) distance = exact.value
  }
  setFace(out, owner, other, face, side, frame)
  const end = cores > 0 ? endBeside(owner, other, face, side, frame) : -1
  if (end >= 0) {
    nearestPair(a, b, frame, ownedByB ? face.vertex : end, ownedByB ? end : face.vertex, nearest)
    if (nearest.distance > error) {
      distance = nearest.distance
      setNearest(out, a, b, nearest)
    }
    out.ax = nearest.ax
    out.ay = nearest.ay
    out.bx = nearest.bx
    out.by = nearest.by
  }
  addSkins(out, a, b)
  out.value = distance - radius
  if (radius === 0 || cores <= 0 || Math.abs(out.value) > 2 * error) {
    const skins = cores <= 0 || out.value < 0 ? -1 : 1
    settle(out, radius === 0 ? cores : skins, frame)
    return
  }
  const skins = exactSkinSeparation(a, b, dx, dy, out.nx, out.ny, error)
  if (!Number.isNaN(skins.value)) out.value = skins.value
  settle(out, skins.sign, frame)
}

/**
 * Sign of the separation, where the face search tells it for certain; 0 elsewhere. A face's height bounds the distance of the
 * cores from below, and cores without a face over −error overlap. The pair need not be in order.
 */
export function clearSign(a: Body, b: Body, frame: Frame): Sign {
  const { error } = frame
  const corners = a.count + b.count
  if (corners > CLIMB_COUNT) spend(corners)
  const far = a.numbers[RADIUS] + b.numbers[RADIUS] + 2 * error
  largestFaceDistance(a, b, frame, face)
  if (face.distance > far) return 1
  raiseFaceDistance(b, a, frame, -1, -1, face.edge, face)
  return face.distance > far ? 1 : face.distance < -error ? -1 : 0
}

/**
 * The end of the face that the support vertex lies beyond, −1 when it stands over the face: then no other feature is
 * nearer.
 */
function endBeside(owner: Body, other: Body, face: Face, side: number, { dx, dy }: Frame): number {
  const { edge, vertex } = face
  const x = side * dx + other.numbers[LOCAL + 2 * vertex]
  const y = side * dy + other.numbers[LOCAL + 2 * vertex + 1]
  const place = sideOfEdge(owner, edge, x, y)
  if (place === 0) return -1
  return place < 0 ? edge : following(owner, edge)
}

// Filling the pair's record from a face or a nearest pair of two polygon cores: normal, features, witness points.

/**
 * Normal, features and core witness points of the face of `owner` against the support vertex of `other`.
 * `side`: 1 when the owner is A, −1 when it is B.
 */
function setFace(out: Separation, owner: Body, other: Body, face: Face, side: number, { dx, dy }: Frame): void {
  const ownedByB = side < 0
  const nx = owner.numbers[owner.normals + 2 * face.edge]
  const ny = owner.numbers[owner.normals + 2 * face.edge + 1]
  out.nx = side * nx
  out.ny = side * ny
  out.face = ownedByB ? 2 : 1
  out.edge = face.edge
  out.vertex = face.vertex
  out.rival = face.rival
  setFacePoints(out, !ownedByB, face.edge, following(owner, face.edge), face.vertex)
  const vertexX = other.numbers[LOCAL + 2 * face.vertex] + (ownedByB ? 0 : dx)
  const vertexY = other.numbers[LOCAL + 2 * face.vertex + 1] + (ownedByB ? 0 : dy)
  const footX = vertexX - nx * face.distance
  const footY = vertexY - ny * face.distance
  const edge = owner.edgeFeatures[face.edge]
  const vertex = other.vertexFeatures[face.vertex]
  out.featureA = ownedByB ? vertex : edge
  out.featureB = ownedByB ? edge : vertex
  out.ax = ownedByB ? vertexX : footX
  out.ay = ownedByB ? vertexY : footY
  out.bx = ownedByB ? footX : vertexX
  out.by = ownedByB ? footY : vertexY
}

/** Normal and features of the nearest core points. */
function setNearest(out: Separation, a: Body, b: Body, nearest: NearestPair): void {
  const { a0, a1, b0, b1 } = nearest
  out.nx = nearest.x / nearest.distance
  out.ny = nearest.y / nearest.distance
  out.face = 0
  out.a0 = a0
  out.a1 = a1
  out.b0 = b0
  out.b1 = b1
  out.featureA = a.vertexFeatures[a0]
  out.featureB = b.vertexFeatures[b0]
  if (a0 !== a1) alignToEdge(out, a, a0, a1, b0, 1)
  if (b0 !== b1) alignToEdge(out, b, b0, b1, a0, 2)
}

/**
 * Names the edge that the nearest point lies on, between vertices i and j (which rounding may have picked two steps
 * apart on a chain in line), and takes the normal from it: it knows its direction better than a short difference does.
 */
function alignToEdge(out: Separation, owner: Body, i: number, j: number, vertex: number, face: 1 | 2): void {
  const { normals, numbers } = owner
  const side = face === 1 ? 1 : -1
  let edge = -1
  let best = 0
  for (const candidate of [i, j, preceding(owner, i), preceding(owner, j)]) {
    const agreement = side * (out.nx * numbers[normals + 2 * candidate] + out.ny * numbers[normals + 2 * candidate + 1])
    if (agreement <= best) continue
    best = agreement
    edge = candidate
  }
  if (edge < 0) return
  if (face === 1) out.featureA = owner.edgeFeatures[edge]
  else out.featureB = owner.edgeFeatures[edge]
  if (out.face !== 0) return
  out.face = face
  out.edge = edge
  out.vertex = vertex
  out.nx = side * numbers[normals + 2 * edge]
  out.ny = side * numbers[normals + 2 * edge + 1]
}
