/**
 * Rays against meshes and compounds.
 *
 * Method: `ray-mesh.ts` finds the leaves that the ray meets. Crossings through the midst of a triangle are computed in two doubles
 * (`triangle-crossing.ts`), all other leaves are cast at as convex bodies. Of a mesh without an inside only the nearest count. Along a solid
 * one the winding number is counted from crossing to crossing, from that at the origin; where a ray goes through an edge or a vertex, or along
 * a face, or where rounding leaves the order of crossings open, the middle of the way to the next one says whether it is inside.
 * Stretches are joined where the gap between them is within rounding of the body's size: parts that touch are one body to the ray. The
 * exception is a solid mesh that is the whole body: where its crossings can be counted, the ray leaves it at the first way out, however
 * short the gap behind that is.
 * The normal of a hit on several triangles at once is the middle of those that face the ray.
 * Frame: world, in and out.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { createPlacedPoint, placePoint } from '../mesh/exact-placed.ts'
import { sideOfMesh, windingNumber } from '../mesh/in-mesh.ts'
import { type Mesh, meshReach, type Placement, putPlacedCorners } from '../mesh/mesh.ts'
import {
  type Body,
  CENTER,
  type Composite,
  createBody,
  cross,
  dot,
  type Part,
  POSITION,
  REACH,
  type Vector,
} from '../shape/body.ts'
import { partOfLeaf, setLeaf } from '../shape/composite.ts'
import { CLEAR_OF_END_RATIO, MESH_NORMAL_RATIO, RAY_POINT_RATIO, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { createRayHit, type RayHit, rayConvex, type StartInside } from './ray-convex.ts'
import { createRay, type Ray } from './ray-line.ts'
import { type CloseHit, createMeshHits, depthUnit, type MeshHit, meshHits, narrow } from './ray-mesh.ts'
import { passesTriangle, setTriangleCrossing } from './triangle-crossing.ts'

/** Steps of casting at one leaf. */
const LEAF_STEPS = 8

const slot = createBody()
const leafHit = createRayHit()
const hits = createMeshHits()
const point = createPlacedPoint()

/** A piece of the ray in the body: its entry and its exit, by the leaves where these are. */
interface Stretch {
  /** The origin is in it. */
  inside: boolean
  /** At its entry; of what it says about an exit, that of the leaf. */
  enter: RayHit
  /** It ends before the ray does. */
  exits: boolean
  /** At its exit. */
  leave: RayHit
}

/** As `rayCast`, for a composite body. */
export function rayComposite(ray: Ray, body: Body, startInside: StartInside, out: RayHit): boolean {
  const { partCount, parts } = body.composite as Composite
  const mesh = partCount === 1 ? parts[0].mesh : null
  const shell = mesh === null || mesh.isSolid ? null : mesh
  if (shell !== null) {
    const quick = castMidst(ray, body, parts[0], shell, out)
    if (quick !== null) return quick
  }
  const found = firstStretch(ray, body, shell)
  if (found === null) return false
  const { inside, enter, exits, leave } = found
  if (inside && (startInside === 'ignore' || (startInside === 'exit' && !exits))) return false
  const leaving = inside && startInside === 'exit'
  out.startedInside = inside
  out.hasExit = exits
  if (exits) {
    out.exitDistance = leave.exitDistance
    out.exitX = leave.exitX
    out.exitY = leave.exitY
    out.exitZ = leave.exitZ
    out.exitNx = leave.exitNx
    out.exitNy = leave.exitNy
    out.exitNz = leave.exitNz
  }
  out.hasNormal = !inside || leaving
  if (leaving) setWayOut(ray, body, leave, out)
  else setWayIn(ray, enter, inside, out)
  return true
}

function setWayIn(ray: Ray, enter: RayHit, inside: boolean, out: RayHit): void {
  out.distance = inside ? 0 : enter.distance
  out.fraction = inside ? 0 : enter.fraction
  out.x = inside ? ray.ox : enter.x
  out.y = inside ? ray.oy : enter.y
  out.z = inside ? ray.oz : enter.z
  out.nx = inside ? 0 : enter.nx
  out.ny = inside ? 0 : enter.ny
  out.nz = inside ? 0 : enter.nz
  out.feature = inside ? null : enter.feature
  out.first = inside ? -1 : enter.first
  out.second = inside ? -1 : enter.second
  out.face = inside ? -1 : enter.face
  out.leaf = enter.leaf
}

/** The exit as what is hit; the leaf is asked once more for its feature. */
function setWayOut(ray: Ray, body: Body, leave: RayHit, out: RayHit): void {
  const { exitDistance, exitX, exitY, exitZ, exitNx, exitNy, exitNz, leaf } = leave
  const found = rayConvex(ray, setLeaf(body, leaf, slot), 'exit', leafHit)
  Object.assign(out, { distance: exitDistance, x: exitX, y: exitY, z: exitZ, nx: exitNx, ny: exitNy, nz: exitNz, leaf })
  out.fraction = found ? leafHit.fraction : leave.fraction
  out.feature = found ? leafHit.feature : leave.feature
  out.first = found ? leafHit.first : leave.first
  out.second = found ? leafHit.second : leave.second
  out.face = found ? leafHit.face : leave.face
}

/**
 * The first stretch of the ray in the body, with those that join it; null when the ray misses. `shell`: the one mesh without an inside that the
 * body is, whose hits are in `hits`; null of other bodies.
 */
function firstStretch(ray: Ray, body: Body, shell: Mesh | null): Stretch | null {
  if (shell !== null) {
    const { parts } = body.composite as Composite
    const nearest = nearestStretch(ray, body, parts[0], shell)
    if (nearest !== 'longer') return nearest
  }
  const stretches = allStretches(ray, body)
  return stretches.length === 0 ? null : joined(ray, body, stretches)[0]
}

/** The stretches in order, those joined that meet within rounding. */
function joined(ray: Ray, body: Body, stretches: Stretch[]): Stretch[] {
  spend(stretches.length)
  stretches.sort((p, q) => p.enter.distance - q.enter.distance || p.enter.leaf - q.enter.leaf)
  const groups: Stretch[] = []
  for (let i = 0; i < stretches.length; ) {
    const from = i
    const group = { ...stretches[i++] }
    while (i < stretches.length && stretches[i].enter.distance <= endOf(body, group)) {
      const next = stretches[i++]
      group.inside ||= next.inside
      if (!group.exits || (next.exits && next.leave.exitDistance <= group.leave.exitDistance)) continue
      group.exits = next.exits
      group.leave = next.leave
    }
    if (i - from > 1 && !group.inside) group.enter = blended(ray, body, stretches, from, i)
    groups.push(group)
  }
  return groups
}

/** Stretches that begin up to there join this one: gaps so short are rounding. */
function endOf(body: Body, { exits, leave }: Stretch): number {
  return exits ? leave.exitDistance + jointLength(body, leave.exitDistance) : Infinity
}

function jointLength(body: Body, distance: number): number {
  const reach = body.numbers[REACH]
  return SEPARATION_ERROR_RATIO * (reach < Infinity ? reach : 0) + 64 * UNIT_ROUNDOFF * distance
}

/** The entry where several stretches begin at once: at the least leaf, with the middle of the normals that face the ray. */
function blended(ray: Ray, body: Body, stretches: readonly Stretch[], from: number, to: number): RayHit {
  const first = stretches[from].enter
  const limit = first.distance + jointLength(body, first.distance)
  let least = first
  const normals: Vector[] = []
  for (let i = from; i < to && stretches[i].enter.distance <= limit; i++) {
    const { enter } = stretches[i]
    if (enter.leaf < least.leaf) least = enter
    const normal = facingNormal(ray, body, enter)
    if (normal !== null && !normals.some((n) => areAlike(n, normal))) normals.push(normal)
  }
  const sum = [0, 1, 2].map((k) => normals.reduce((total, normal) => total + normal[k], 0))
  const length = vectorLength3d(sum[0], sum[1], sum[2])
  const place = { ...least, distance: first.distance, fraction: first.fraction, x: first.x, y: first.y, z: first.z }
  if (!(length > 0)) return place
  return { ...place, nx: sum[0] / length + 0, ny: sum[1] / length + 0, nz: sum[2] / length + 0 }
}

/** The normal of a hit; of a triangle of a solid the outward one, null where that leads along the ray. */
function facingNormal({ dx, dy, dz }: Ray, body: Body, hit: RayHit): Vector | null {
  const { parts } = body.composite as Composite
  const { mesh } = parts[partOfLeaf(body.composite as Composite, hit.leaf)]
  const own: Vector = [hit.nx, hit.ny, hit.nz]
  if (mesh === null || !mesh.isSolid) return own
  const { numbers, local } = setLeaf(body, hit.leaf, slot)
  const along = (i: number): Vector => [numbers[local + i], numbers[local + i + 1], numbers[local + i + 2]]
  const [x, y, z] = cross(along(3), along(6))
  const size = (mesh.isInward ? -1 : 1) * Math.hypot(x, y, z)
  if (size === 0 || !(Math.abs(size) < Infinity)) return null
  const length = Math.hypot(dx, dy, dz)
  const slope = (x * (dx / length) + y * (dy / length) + z * (dz / length)) / size
  return slope < -MESH_NORMAL_RATIO ? [x / size, y / size, z / size] : null
}

function areAlike(a: Vector, b: Vector): boolean {
  return dot(a, b) > 1 - MESH_NORMAL_RATIO
}

// The leaves that a ray meets, each cast at.

/** Casts at a convex part; null when the ray misses it. */
function castPart(ray: Ray, { body, firstLeaf }: Part): RayHit | null {
  spend(LEAF_STEPS)
  const hit = createRayHit()
  if (!rayConvex(ray, body, 'hit', hit)) return null
  hit.leaf = firstLeaf
  return hit
}

/** Casts at a triangle; null when the ray misses it. */
function castTriangle(
  ray: Ray,
  body: Body,
  part: Part,
  mesh: Mesh,
  { triangle, isOpen, cast }: MeshHit,
): RayHit | null {
  spend(LEAF_STEPS)
  const hit = createRayHit()
  const { placement, firstLeaf } = part
  putPlacedCorners(mesh, placement, triangle, corners)
  if (!isOpen && setTriangleCrossing(ray, placement, corners, hit)) {
    setMidst(part, triangle, hit)
    return hit
  }
  if (cast !== null) Object.assign(hit, cast)
  else if (!rayConvex(ray, setLeaf(body, firstLeaf + triangle, slot), 'hit', hit)) return null
  hit.leaf = firstLeaf + triangle
  const isPoint = hit.hasExit && hit.exitDistance <= hit.distance + jointLength(body, hit.distance)
  const { face } = hit
  if (isPoint && !hit.startedInside && setTriangleCrossing(ray, placement, corners, hit) && face < 0) hit.face = -1
  return hit
}

const corners = new Float64Array(9)

function stretchOf(hit: RayHit): Stretch {
  return { inside: hit.startedInside, enter: hit, exits: hit.hasExit, leave: hit }
}

/** The ray and the mesh for which `close` looks at hits. */
const closing = { ray: createRay(), body: slot, part: null as unknown as Part, unit: 1 }

const close: CloseHit = (open) => {
  spend(LEAF_STEPS)
  const { ray, body, part, unit } = closing
  const mesh = part.mesh as Mesh
  putPlacedCorners(mesh, part.placement, open.triangle, corners)
  const passes = passesTriangle(ray, part.placement, corners)
  if (passes === false) return false
  if (passes && crossesClearly(ray, part.placement, mesh)) {
    open.isOpen = false
    open.facing = leafHit.face === 0 ? 1 : -1
  } else {
    if (!rayConvex(ray, setLeaf(body, part.firstLeaf + open.triangle, slot), 'hit', leafHit)) return false
    open.cast = { ...leafHit }
  }
  narrow(open, leafHit.distance / unit)
  return true
}

/** Whether the ray crosses the triangle `corners`, which its line passes through, clear of the ray's ends; sets `leafHit`. */
function crossesClearly(ray: Ray, placement: Placement, mesh: Mesh): boolean {
  if (!setTriangleCrossing(ray, placement, corners, leafHit)) return false
  const { position } = placement
  const { ox, oy, oz, maxDistance } = ray
  const size =
    Math.abs(position[0] - ox) + Math.abs(position[1] - oy) + Math.abs(position[2] - oz) + 3 * meshReach(mesh)
  const least = CLEAR_OF_END_RATIO * size
  return leafHit.distance > least && leafHit.distance < maxDistance - least
}

/** Fills `hits` with what the ray meets of a mesh. */
function findHits(ray: Ray, body: Body, part: Part, mesh: Mesh, isFirst: boolean): void {
  closing.ray = ray
  closing.body = body
  closing.part = part
  closing.unit = depthUnit(ray, mesh)
  meshHits(ray, mesh, part.placement, isFirst, hits, close)
}

/**
 * The usual ray at a mesh without an inside, which misses, or goes through the midst of one triangle before all others: whether it hits, which
 * fills `out`; null of other rays, whose hits are in `hits`.
 */
function castMidst(ray: Ray, body: Body, part: Part, mesh: Mesh, out: RayHit): boolean | null {
  findHits(ray, body, part, mesh, true)
  const { list, count } = hits
  if (count === 0) return false
  let nearest = 0
  for (let i = 1; i < count; i++) if (list[i].high < list[nearest].high) nearest = i
  const { isOpen, high, triangle } = list[nearest]
  if (isOpen) return null
  for (let i = 0; i < count; i++) if (i !== nearest && list[i].low <= high) return null
  putPlacedCorners(mesh, part.placement, triangle, corners)
  if (!setTriangleCrossing(ray, part.placement, corners, out)) return null
  setMidst(part, triangle, out)
  return true
}

/** Sets all that a crossing through the midst of a triangle has beside its place. */
function setMidst({ firstLeaf }: Part, triangle: number, out: RayHit): void {
  out.feature = 'face'
  out.first = -1
  out.second = -1
  out.leaf = firstLeaf + triangle
  out.hasNormal = true
  out.startedInside = false
}

/** The stretch that begins first of a mesh without an inside, whose hits are in `hits`; null when the ray misses, `longer` where it goes on along a triangle. */
function nearestStretch(ray: Ray, body: Body, part: Part, mesh: Mesh): Stretch | null | 'longer' {
  const { list, count } = hits
  let limit = Infinity
  let only = -1
  for (let i = 0; i < count; i++) {
    if (list[i].high >= limit) continue
    limit = list[i].high
    only = i
  }
  if (only < 0) return null
  let near = 0
  for (let i = 0; i < count; i++) if (list[i].low <= limit) near++
  const stretches: Stretch[] = []
  for (let i = 0; i < count; i++) {
    if (list[i].low > limit) continue
    const hit = castTriangle(ray, body, part, mesh, list[i])
    if (hit === null) continue
    if (near === 1 && !list[i].isOpen) return stretchOf(hit)
    if (!hit.hasExit || hit.exitDistance > hit.distance + jointLength(body, hit.distance)) return 'longer'
    stretches.push(stretchOf(hit))
  }
  return stretches.length === 0 ? null : joined(ray, body, stretches)[0]
}

/** All stretches of all parts, in no order. */
function allStretches(ray: Ray, body: Body): Stretch[] {
  const { parts } = body.composite as Composite
  const stretches: Stretch[] = []
  for (const index of partsNear(ray, body)) {
    const part = parts[index]
    const { mesh } = part
    if (mesh === null) {
      const hit = castPart(ray, part)
      if (hit !== null) stretches.push(stretchOf(hit))
    } else if (mesh.isSolid) for (const stretch of solidStretches(ray, body, part, mesh)) stretches.push(stretch)
    else {
      findHits(ray, body, part, mesh, false)
      for (const stretch of castHits(ray, body, part, mesh)) stretches.push(stretch)
    }
  }
  return stretches
}

/** The stretches of all `hits`, each of one triangle. */
function castHits(ray: Ray, body: Body, part: Part, mesh: Mesh): Stretch[] {
  const stretches: Stretch[] = []
  for (let i = 0; i < hits.count; i++) {
    const hit = castTriangle(ray, body, part, mesh, hits.list[i])
    if (hit !== null) stretches.push(stretchOf(hit))
  }
  return stretches
}

const span = { from: 0, to: 0 }

/** The parts whose boxes the ray may meet. */
function partsNear(ray: Ray, body: Body): number[] {
  const { tree } = body.composite as Composite
  const near: number[] = []
  const waiting = tree.nodeCount === 0 ? [] : [0]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    spend(1)
    span.from = 0
    span.to = Infinity
    cutSlab(tree.boxes, 6 * node, ray.ox - body.numbers[POSITION], ray.dx)
    cutSlab(tree.boxes, 6 * node + 1, ray.oy - body.numbers[POSITION + 1], ray.dy)
    cutSlab(tree.boxes, 6 * node + 2, ray.oz - body.numbers[POSITION + 2], ray.dz)
    if (span.from > span.to) continue
    const first = tree.child[node]
    if (first < 0) near.push(~first)
    else waiting.push(first, first + 1)
  }
  return near
}

/** Cuts `span` to where the ray lies between two sides of a box. Where something is not a number nothing is cut. */
function cutSlab(boxes: Float64Array, at: number, origin: number, direction: number): void {
  const pad = SEPARATION_ERROR_RATIO * Math.abs(origin)
  const low = boxes[at] - origin - pad
  const high = boxes[at + 3] - origin + pad
  if (direction === 0) {
    if (low > 0 || high < 0) span.to = -1
    return
  }
  const enter = (direction > 0 ? low : high) / direction
  const leave = (direction > 0 ? high : low) / direction
  if (enter * (1 - 8 * UNIT_ROUNDOFF) > span.from) span.from = enter * (1 - 8 * UNIT_ROUNDOFF)
  if (leave * (1 + 8 * UNIT_ROUNDOFF) < span.to) span.to = leave * (1 + 8 * UNIT_ROUNDOFF)
}

// Solid meshes.

/** Stretches of the ray within a solid mesh. */
function solidStretches(ray: Ray, body: Body, part: Part, mesh: Mesh): Stretch[] {
  findHits(ray, body, part, mesh, false)
  const order = hits.list.slice(0, hits.count).sort((p, q) => p.low - q.low)
  spend(hits.count)
  const isClear = order.every((hit, i) => !hit.isOpen && (i === 0 || order[i - 1].high < hit.low))
  const { partCount } = body.composite as Composite
  return (
    (isClear ? countedStretches(ray, body, part, mesh, order, partCount === 1) : null) ??
    askedStretches(ray, body, part, mesh)
  )
}

/**
 * By the winding number after each crossing, all of them through the midst of a triangle; of the only part of a body (`isOnly`) just the first
 * stretch, to which nothing is joined; null where a cast says otherwise.
 */
function countedStretches(
  ray: Ray,
  body: Body,
  part: Part,
  mesh: Mesh,
  order: readonly MeshHit[],
  isOnly: boolean,
): Stretch[] | null {
  let winding = originWinding(ray, body, mesh, part)
  const stretches: Stretch[] = []
  let open = winding === 0 ? null : fromOrigin()
  for (const crossing of order) {
    const before = winding
    winding += crossing.facing
    if (before !== 0 && winding !== 0) continue
    const hit = castTriangle(ray, body, part, mesh, crossing)
    if (hit === null) return null
    if (before === 0) open = { inside: false, enter: hit, exits: false, leave: hit }
    else if (open !== null) {
      stretches.push({ ...open, exits: hit.hasExit, leave: hit })
      open = null
      if (isOnly) return stretches
    }
  }
  if (open !== null) stretches.push(open)
  return stretches
}

/** How often the surface goes round the origin, which does not lie on it. */
function originWinding(ray: Ray, { numbers }: Body, mesh: Mesh, { placement }: Part): number {
  const [x, y, z] = [ray.ox - numbers[POSITION], ray.oy - numbers[POSITION + 1], ray.oz - numbers[POSITION + 2]]
  // Farther from the body than it reaches: the boxes hold what rounding comes to.
  const far = Math.max(
    Math.abs(x - numbers[CENTER]),
    Math.abs(y - numbers[CENTER + 1]),
    Math.abs(z - numbers[CENTER + 2]),
  )
  if (far > numbers[REACH]) return 0
  setPoint(ray.ox, ray.oy, ray.oz)
  placePoint(point, placement)
  return windingNumber(mesh, placement, point)
}

function setPoint(x: number, y: number, z: number): void {
  point.sum.fill(0)
  point.sum[0] = x
  point.sum[1] = y
  point.sum[2] = z
}

/** A stretch from the origin on. */
function fromOrigin(): Stretch {
  const hit = createRayHit()
  hit.startedInside = true
  return { inside: true, enter: hit, exits: false, leave: hit }
}

/** By asking between the crossings. */
function askedStretches(ray: Ray, body: Body, part: Part, mesh: Mesh): Stretch[] {
  setPoint(ray.ox, ray.oy, ray.oz)
  const startsInside = sideOfMesh(mesh, part.placement, point) > 0
  const groups = joined(ray, body, castHits(ray, body, part, mesh))
  const stretches: Stretch[] = []
  let open = startsInside ? fromOrigin() : null
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i]
    if (open === null) open = group
    else {
      open.inside ||= group.inside
      open.exits = group.exits
      open.leave = group.leave
    }
    if (!open.exits) break
    const end = open.leave.exitDistance
    const next = i + 1 < groups.length ? groups[i + 1].enter.distance : ray.maxDistance
    // A ray that ends in a crossing goes in if what lies just beyond is inside.
    if (isInsideBetween(ray, part, mesh, end, Math.max(next, end + RAY_POINT_RATIO * body.numbers[REACH]))) continue
    stretches.push(open)
    open = null
  }
  if (open === null) return stretches
  // It ends inside.
  open.exits = false
  stretches.push(open)
  return stretches
}

/** Whether the ray is inside between two distances that no crossing separates. */
function isInsideBetween(ray: Ray, { placement }: Part, mesh: Mesh, from: number, to: number): boolean {
  if (to === Infinity) return false
  const middle = from + (to - from) / 2
  const length = Math.hypot(ray.dx, ray.dy, ray.dz)
  setPoint(
    ray.ox + middle * (ray.dx / length),
    ray.oy + middle * (ray.dy / length),
    ray.oz + middle * (ray.dz / length),
  )
  return sideOfMesh(mesh, placement, point) >= 0
}
