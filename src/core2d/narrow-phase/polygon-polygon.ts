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
import type { Body } from '../shape/body.ts'
import { following, sideOfEdge } from '../shape/edge.ts'
import type { Frame } from '../shape/frame.ts'
import { CLIMB_COUNT } from '../tolerances.ts'
import { exactCoreSeparation } from './exact-convex.ts'
import { exactSkinSeparation } from './exact-skin.ts'
import { createNearestPair, nearestPair } from './gjk.ts'
import { setFace, setNearest } from './polygon-witness.ts'
import { createFace, type Face, largestFaceDistance, raiseFaceDistance } from './sat.ts'
import { addSkins, type Separation, settle } from './separation.ts'

const face = createFace()
const nearest = createNearestPair()

export function polygonPolygon(a: Body, b: Body, frame: Frame, out: Separation): void {
  const { dx, dy, error } = frame
  const corners = a.count + b.count
  if (corners > CLIMB_COUNT) spend(corners)
  largestFaceDistance(a, b, frame, face)
  const ownedByB = raiseFaceDistance(b, a, frame, -1, -1, face.edge, face)
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
  setFace(out, owner, other, face, side, dx, dy)
  const end = cores > 0 ? endBeside(owner, other, face, side * dx, side * dy) : -1
  if (end >= 0) {
    nearestPair(a, b, dx, dy, ownedByB ? face.vertex : end, ownedByB ? end : face.vertex, nearest)
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
  const radius = a.radius + b.radius
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
 * The end of the face that the support vertex lies beyond, −1 when it stands over the face: then no other feature is
 * nearer.
 */
function endBeside(owner: Body, other: Body, face: Face, dx: number, dy: number): number {
  const { edge, vertex } = face
  const side = sideOfEdge(owner, edge, dx + other.local[2 * vertex], dy + other.local[2 * vertex + 1])
  if (side === 0) return -1
  return side < 0 ? edge : following(owner, edge)
}
