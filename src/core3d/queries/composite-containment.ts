/**
 * Whether one closed body contains another, where one of them or both are composite.
 *
 * Method: leaf by leaf of the guest. A point or a segment is in the holder where a ray along it starts inside and does not leave before its
 * end, through whichever parts. A leaf with an area or a volume has to be in one part: in a convex one as `containment.ts` decides; in a
 * solid mesh where its corners and edges are and no triangle of the surface runs through it. A triangle that lies on one of the holder's
 * needs none of that. What a solid guest encloses is in the holder where one part has all of its surface, or flat-sided parts its box, and no
 * surface of the holder lies inside the guest.
 * Boxes in line with the axes may hold such a box together (`box-cover.ts`), and flat-sided solids one of them (`convex-cover.ts`). Any other holder
 * whose parts hold a leaf only together counts as not holding it, and so does one whose own surface runs through its inside there.
 * Frame: world.
 */

import { spend } from '../../containers/budget.ts'
import { createPlacedPoint } from '../mesh/exact-placed.ts'
import { sideOfMesh } from '../mesh/in-mesh.ts'
import { type Mesh, type Placement, putPlacedCorners } from '../mesh/mesh.ts'
import { pairInRange } from '../narrow-phase/pair-frame.ts'
import { relate } from '../narrow-phase/separate.ts'
import { createRay, createRayHit, rayCast } from '../ray/ray-cast.ts'
import { setDirection } from '../ray/ray-line.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  COMPOSITE,
  type Composite,
  createBody,
  HALFSPACE,
  isBare,
  type Part,
  POINTS,
  POSITION,
  setPose,
  VERTICES,
} from '../shape/body.ts'
import { boxFrom, setLeaf, sideOfSolids, visitLeaves } from '../shape/composite.ts'
import { surfaceOf } from '../shape/core-surface.ts'
import { setAabb } from '../shape/shapes.ts'
import { RAY_POINT_RATIO } from '../tolerances.ts'
import { boxesHold, isPlainBox } from './box-cover.ts'
import { convexPartsHold, isFlatSided } from './convex-cover.ts'

/** Whether a convex body contains another. */
type Contains = (holder: Body, guest: Body) => boolean

const LEAF_STEPS = 16

const guestSlot = createBody()
const holderSlot = createBody()
const boxSlot = createBody()
const corners = new Float64Array(9)
const point = createPlacedPoint()
const box = new Float64Array(6)
const ray = createRay()
const hit = createRayHit()

/** Whether all points of the guest are points of the holder; `contains` decides for convex bodies. Cost: for each leaf of the guest the leaves near it. */
export function compositeContains(holder: Body, guest: Body, contains: Contains): boolean {
  const leafCount = guest.kind === COMPOSITE ? (guest.composite as Composite).leafCount : 1
  for (let leaf = 0; leaf < leafCount; leaf++) {
    spend(LEAF_STEPS)
    const own = guest.kind === COMPOSITE ? setLeaf(guest, leaf, guestSlot) : guest
    if (!holdsLeaf(holder, own, contains)) return false
  }
  if (guest.kind !== COMPOSITE || holder.kind !== COMPOSITE) return true
  return holdsInsides(holder, guest, contains) && !hasSurfaceWithin(holder, guest)
}

/**
 * Whether one part of the holder holds each solid mesh of the guest, whose surface the holder holds, or flat-sided parts its box: others
 * could enclose a hollow that the mesh fills.
 */
function holdsInsides(holder: Body, guest: Body, contains: Contains): boolean {
  const { parts, partCount } = holder.composite as Composite
  const own = guest.composite as Composite
  return own.parts.slice(0, own.partCount).every(({ mesh, placement, firstLeaf }) => {
    if (mesh === null || !mesh.isSolid) return true
    if (partCount === 1) return parts[0].mesh === null || parts[0].mesh.isSolid
    const holdsAll = (part: Part): boolean => {
      for (let leaf = firstLeaf; leaf < firstLeaf + mesh.triangleCount; leaf++) {
        spend(LEAF_STEPS)
        const slot = setLeaf(guest, leaf, guestSlot)
        const isOnSolid = part.mesh?.isSolid === true && triangleHolds(holder, slot, contains, part)
        if (!isOnSolid && !partHolds(holder, part, slot, contains)) return false
      }
      return true
    }
    if (parts.slice(0, partCount).some(holdsAll)) return true
    // What a position lacks of a sum would round the box.
    return !placement.position.subarray(3).some((low) => low !== 0) && partsHold(holder, boxAbout(mesh, placement))
  })
}

/** The box of a mesh at a place, exactly. */
function boxAbout(mesh: Mesh, placement: Placement): Body {
  const [low, high] = [Infinity, -Infinity].map((end): [number, number, number] => [end, end, end])
  for (let triangle = 0; triangle < mesh.triangleCount; triangle++) {
    spend(1)
    putPlacedCorners(mesh, placement, triangle, corners)
    for (let i = 0; i < 9; i++) {
      low[i % 3] = Math.min(low[i % 3], corners[i])
      high[i % 3] = Math.max(high[i % 3], corners[i])
    }
  }
  const [x, y, z] = placement.position
  setPose(boxSlot, { position: [x, y, z] })
  setAabb(boxSlot, low, high)
  return boxSlot
}

function holdsLeaf(holder: Body, guest: Body, contains: Contains): boolean {
  if (holder.kind !== COMPOSITE) return contains(holder, guest)
  if (isBare(guest)) {
    if (guest.count < 3) return holdsSegment(holder, guest, 0, guest.count - 1)
    // Before solids, which ask exact rays along the edges of what is flat.
    if (triangleHolds(holder, guest, contains)) return true
  }
  const { parts, partCount } = holder.composite as Composite
  for (let p = 0; p < partCount; p++) {
    spend(1)
    if (partHolds(holder, parts[p], guest, contains)) return true
  }
  return partsHold(holder, guest)
}

/** Whether the inside of one part holds a leaf of the guest. */
function partHolds(holder: Body, part: Part, guest: Body, contains: Contains): boolean {
  const { mesh, body } = part
  return mesh === null ? contains(body, guest) : mesh.isSolid && solidHolds(holder, part, mesh, guest)
}

/** Whether flat-sided convex parts hold the guest together. */
export function partsHold(holder: Body, guest: Body): boolean {
  // In line with the axes there may be many, and cuts are comparisons.
  if (isPlainBox(guest) && boxesHold(holder, guest)) return true
  return isFlatSided(guest) && convexPartsHold(holder, guest)
}

/** Whether one leaf holds the guest, of the given part or any: what is flat may lie on a triangle, of whichever mesh. */
function triangleHolds(holder: Body, guest: Body, contains: Contains, part: Part | null = null): boolean {
  boxFrom(holder, guest, box)
  return visitLeaves(holder, box, (leaf) => {
    if (part !== null && !isLeafOf(part, leaf)) return false
    spend(LEAF_STEPS)
    return contains(setLeaf(holder, leaf, holderSlot), guest)
  })
}

/** Whether the segment between two core points is, exactly where it touches no boundary within rounding of its ends. */
function holdsSegment(holder: Body, { numbers }: Body, i: number, j: number): boolean {
  const from = [0, 1, 2].map((k) => numbers[POSITION + k] + numbers[VERTICES + 3 * i + k])
  const way = [0, 1, 2].map((k) => numbers[VERTICES + 3 * j + k] - numbers[VERTICES + 3 * i + k])
  const length = Math.hypot(way[0], way[1], way[2])
  ray.ox = from[0]
  ray.oy = from[1]
  ray.oz = from[2]
  ray.maxDistance = length
  setDirection(ray, length > 0 ? way[0] : 1, way[1], way[2])
  if (!rayCast(ray, holder, 'hit', hit) || !hit.startedInside) return false
  return !hit.hasExit || hit.exitDistance >= length * (1 - RAY_POINT_RATIO)
}

function isLeafOf({ mesh, firstLeaf }: Part, leaf: number): boolean {
  return leaf >= firstLeaf && leaf < firstLeaf + (mesh?.triangleCount ?? 1)
}

/** Whether a solid mesh holds a convex body that is more than a segment. */
function solidHolds(holder: Body, part: Part, mesh: Mesh, guest: Body): boolean {
  const { kind, numbers, count } = guest
  if (kind === HALFSPACE) return false
  for (let i = 0; i < Math.max(count, 1); i++) {
    spend(LEAF_STEPS)
    for (let k = 0; k < 3; k++) {
      point.sum[k] = numbers[POSITION + k]
      point.sum[k + 3] = kind === POINTS ? numbers[VERTICES + 3 * i + k] : numbers[ANCHOR + k] + numbers[CENTER + k]
    }
    if (sideOfMesh(mesh, part.placement, point) < 0) return false
  }
  boxFrom(holder, guest, box)
  const isCrossed = visitLeaves(holder, box, (leaf) => {
    if (!isLeafOf(part, leaf)) return false
    spend(LEAF_STEPS)
    return relate(pairInRange(setLeaf(holder, leaf, holderSlot), guest)) < 0
  })
  if (isCrossed) return false
  if (!isBare(guest)) return true
  const { dimension, starts, corners } = surfaceOf(guest)
  if (dimension === 3) return true
  // What is flat may leave the solid through an edge of the surface, which crosses no triangle.
  const around = corners.slice(starts[0], starts[1])
  for (let c = 0; c < around.length; c++) {
    if (!holdsSegment(holder, guest, around[c], around[(c + 1) % around.length])) return false
  }
  return true
}

/** Whether a corner of a mesh of the holder lies inside a solid mesh of the guest. */
function hasSurfaceWithin(holder: Body, guest: Body): boolean {
  const { parts, partCount } = holder.composite as Composite
  for (let p = 0; p < partCount; p++) {
    const { mesh, firstLeaf } = parts[p]
    if (mesh === null) continue
    for (let triangle = 0; triangle < mesh.triangleCount; triangle++) {
      spend(LEAF_STEPS)
      if (sideOfSolids(guest, setLeaf(holder, firstLeaf + triangle, holderSlot), 0) > 0) return true
    }
  }
  return false
}
