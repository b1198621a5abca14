/**
 * Ray casts: whether, where and how a ray meets a body, and where it leaves it.
 *
 * The ray is the closed set of points up to `maxDistance` from its origin along its direction; bodies are closed too,
 * so that touching a vertex, an edge or a rim is a hit. Whether it hits, whether it starts inside and whether an end lies
 * within `maxDistance` is exact for unrotated bodies (for the rotated vertices of rotated ones). Lengths
 * and points are rounded once (`ray-crossing.ts`).
 * Frame: world, in and out. Cost O(vertices), no allocation unless rounding leaves a sign open.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { isSafeExtent, scaleBy, scaleNumbers, vectorLength } from '../../numeric/safe-range.ts'
import { TREE_DEPTH_COUNT } from '../broad-phase/box-tree.ts'
import { slabEntryTime } from '../broad-phase/moving-boxes.ts'
import { featureKind, NO_FEATURE } from '../feature.ts'
import { vertexInOutline } from '../narrow-phase/holding.ts'
import { pointInOutline } from '../outline/outline.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  COMPOSITE,
  type Composite,
  createBody,
  type Part,
  REACH,
  setCircle,
  setPose,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { pairExponent, scaleBody } from '../shape/body-scaling.ts'
import { leafBody } from '../shape/composite.ts'
import { RAY_POINT_RATIO, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { castLine, meets } from './ray-convex.ts'
import { createRayPlace, type RayStretch, setPlaces, stretchFromInside, stretchOf } from './ray-crossing.ts'
import { aim, createRayLine, createRaySpan, HIT, type Ray, type RayHit, UNSURE } from './ray-line.ts'
import { castUsual } from './usual-ray.ts'

export { createRay, createRayHit, type Ray, type RayHit } from './ray-line.ts'

const line = createRayLine()
const span = createRaySpan()
const origin = createBody()
const entry = createRayPlace()
const leave = createRayPlace()

/**
 * Fills `out` and returns true when the ray hits. `out` is left as it was on a miss. Without `wantsExit` it is not said where the ray leaves
 * the body, and `hasExit` is false.
 */
export function rayCast(ray: Ray, body: Body, startInside: StartInside, out: RayHit, wantsExit = true): boolean {
  const verdict = castUsual(ray, body, wantsExit, out)
  if (verdict !== UNSURE) return verdict === HIT
  if (!castInGeneral(ray, body, startInside, out)) return false
  out.hasExit &&= wantsExit
  return true
}

/** `rayCast` for any ray. */
export function castInGeneral(ray: Ray, body: Body, startInside: StartInside, out: RayHit): boolean {
  const { numbers } = body
  const x = numbers[X]
  const y = numbers[Y]
  const anchorX = numbers[ANCHOR_X]
  const anchorY = numbers[ANCHOR_Y]
  const reach = numbers[REACH]
  const extent = Math.abs(x - ray.ox) + Math.abs(y - ray.oy) + Math.abs(anchorX) + Math.abs(anchorY) + reach
  if (!isSafeExtent(extent)) {
    const exponent = exponentBetween(ray, body)
    if (exponent !== 0) return castScaled(ray, body, exponent, startInside, out)
  }
  return castAsGiven(ray, body, startInside, out)
}

/** Exponent of the power of two that the ray and the body are to be divided by. */
function exponentBetween(ray: Ray, body: Body): number {
  setPose(origin, ray.ox, ray.oy, 0)
  setCircle(origin, 0)
  const exponent = pairExponent(origin, body)
  // A limit that would lose digits is kept.
  const { maxDistance } = ray
  return scaleBy(scaleBy(maxDistance, -exponent), exponent) === maxDistance ? exponent : 0
}

/** Casts at the body divided by 2^exponent. */
function castScaled(ray: Ray, body: Body, exponent: number, startInside: StartInside, out: RayHit): boolean {
  const scaled: Ray = {
    ...ray,
    ox: scaleBy(ray.ox, -exponent),
    oy: scaleBy(ray.oy, -exponent),
    exponent: ray.exponent - exponent,
    maxDistance: scaleBy(ray.maxDistance, -exponent),
  }
  if (!castAsGiven(scaled, scaleBody(body, exponent), startInside, out)) return false
  scaleNumbers(out, ['distance', 'x', 'y'], exponent)
  if (out.hasExit) scaleNumbers(out, ['exitDistance', 'exitX', 'exitY'], exponent)
  return true
}

function castAsGiven(ray: Ray, body: Body, startInside: StartInside, out: RayHit): boolean {
  if (body.kind === COMPOSITE) return rayComposite(ray, body, startInside, out)
  aim(line, ray, body)
  if (!meets(line, ray, body, span)) return false
  const { inside, exits } = span
  if (inside && (startInside === 'ignore' || (startInside === 'exit' && !exits))) return false
  // The signs are settled: rounding of the lengths must not contradict them.
  setPlaces(ray, line, body, span, entry, leave)
  const leaving = inside && startInside === 'exit'
  // Nearly parallel to a boundary, the meeting point can lie beyond the largest double: no ray reaches that far.
  if ((leaving || !inside) && !((leaving ? leave : entry).distance < Infinity)) return false
  out.startedInside = inside
  out.part = 0
  out.hasExit = exits && leave.distance < Infinity
  if (out.hasExit) {
    if (!inside && leave.distance < entry.distance) leave.distance = entry.distance
    out.exitDistance = leave.distance
    out.exitX = leave.x
    out.exitY = leave.y
    out.exitNx = span.leaveNx + 0
    out.exitNy = span.leaveNy + 0
  }
  out.hasNormal = leaving || !inside
  if (inside && !leaving) {
    out.distance = 0
    out.fraction = 0
    out.x = ray.ox
    out.y = ray.oy
    out.nx = 0
    out.ny = 0
    out.feature = NO_FEATURE
  } else {
    const { distance, fraction, x, y } = leaving ? leave : entry
    out.distance = distance
    out.fraction = fraction
    out.x = x
    out.y = y
    // Adding 0 turns -0 into 0.
    out.nx = (leaving ? span.leaveNx : span.enterNx) + 0
    out.ny = (leaving ? span.leaveNy : span.enterNy) + 0
    out.feature = leaving ? span.leaveFeature : span.enterFeature
  }
  return true
}

// Ray against a composite body.
//
// Method: the box tree gives the leaves near the ray, each met as a convex body. A convex part is inside from entry to exit;
// an outline is crossed, and what follows a crossing is inside as the crossed edge says. Where the ray runs through a
// vertex, along an edge or past a corner within rounding, the middle of the way to the next crossing says it instead. The
// stretches of all parts are joined where they meet: parts that touch are one body to the ray.
// Frame: world, in and out.

/** Steps of casting at one leaf. */
const LEAF_STEPS = 4

const leafLine = createRayLine()
const leafSpan = createRaySpan()
const slot = createBody()
const originPoint = createBody()
const stack = new Int32Array(TREE_DEPTH_COUNT + 2)

/** An edge of a solid outline that the ray meets. */
interface EdgeCrossing extends RayStretch {
  /** 1 when the ray is inside after it, 0 when outside; −1 when the edge alone does not tell. */
  insideAfter: number
}

/** As `rayCast`, for a composite body. */
function rayComposite(ray: Ray, body: Body, startInside: StartInside, out: RayHit): boolean {
  const found = firstStretch(ray, body)
  if (found === null) return false
  const { inside, enter, exits, leave } = found
  if (inside && (startInside === 'ignore' || (startInside === 'exit' && !exits))) return false
  const leaving = inside && startInside === 'exit'
  const at = leaving ? leave : enter
  if (!(at.distance < Infinity)) return false
  const atOrigin = inside && !leaving
  out.startedInside = inside
  out.distance = at.distance
  out.fraction = at.fraction
  out.hasNormal = !atOrigin
  out.x = atOrigin ? ray.ox : at.x
  out.y = atOrigin ? ray.oy : at.y
  // Adding 0 turns -0 into 0.
  out.nx = atOrigin ? 0 : at.nx + 0
  out.ny = atOrigin ? 0 : at.ny + 0
  out.feature = atOrigin ? NO_FEATURE : at.feature
  out.part = atOrigin ? 0 : at.part
  out.hasExit = exits && leave.distance < Infinity
  if (out.hasExit) {
    out.exitDistance = leave.distance
    out.exitX = leave.x
    out.exitY = leave.y
    out.exitNx = leave.nx + 0
    out.exitNy = leave.ny + 0
  }
  return true
}

/** The first stretch of the ray in the body, with all that join it; null when the ray misses. */
function firstStretch(ray: Ray, body: Body): RayStretch | null {
  const composite = body.composite as Composite
  const stretches = allStretches(ray, body, composite)
  if (stretches.length === 0) return null
  stretches.sort((p, q) => p.enter.distance - q.enter.distance || p.enter.part - q.enter.part)
  const [first, ...rest] = stretches
  for (const next of rest) {
    if (next.enter.distance > first.leave.distance + jointLength(body, first.leave.distance)) break
    first.inside ||= next.inside
    if (!first.exits || (next.exits && next.leave.distance <= first.leave.distance)) continue
    first.exits = next.exits
    first.leave = next.leave
  }
  return first
}

/** Gaps up to this long along the ray are rounding. */
function jointLength(body: Body, distance: number): number {
  return (
    SEPARATION_ERROR_RATIO * (body.numbers[REACH] < Infinity ? body.numbers[REACH] : 0) + 64 * UNIT_ROUNDOFF * distance
  )
}

function allStretches(ray: Ray, body: Body, composite: Composite): RayStretch[] {
  const stretches: RayStretch[] = []
  const crossings = new Map<number, EdgeCrossing[]>()
  for (const leaf of leavesNear(ray, body, composite)) {
    spend(LEAF_STEPS)
    const index = composite.leafPart[leaf]
    const leafOfRay = leafBody(composite, leaf, slot)
    if (!castLine(ray, leafOfRay, leafLine, leafSpan)) continue
    const stretch = stretchOf(ray, leafLine, leafSpan, leafOfRay, index)
    if (composite.parts[index].outline?.solid !== true) {
      stretches.push(stretch)
      continue
    }
    const list = crossings.get(index) ?? []
    crossings.set(index, list)
    list.push({ ...stretch, insideAfter: insideAfterEdge(leafOfRay) })
  }
  spend(stretches.length + (composite.partCount >> 2))
  for (let index = 0; index < composite.partCount; index++) {
    const part = composite.parts[index]
    if (part.outline?.solid !== true) continue
    stretches.push(...insideStretches(ray, body, part, index, crossings.get(index) ?? []))
  }
  return stretches
}

/** Inside (1) or outside (−1) beyond the edge last cast at, which has its outer side on its right. */
function insideAfterEdge({ normals, numbers }: Body): number {
  const across = featureKind(leafSpan.enterFeature) === 'edge' && featureKind(leafSpan.leaveFeature) === 'edge'
  if (!across || leafSpan.leave > leafSpan.enter) return -1
  return leafSpan.enterNx * numbers[normals] + leafSpan.enterNy * numbers[normals + 1] > 0 ? 1 : 0
}

/** Stretches of the ray within a solid outline. */
function insideStretches(
  ray: Ray,
  body: Body,
  part: Part,
  index: number,
  crossings: readonly EdgeCrossing[],
): RayStretch[] {
  const sorted = [...crossings].sort((p, q) => p.enter.distance - q.enter.distance)
  const stretches: RayStretch[] = []
  let open = originInside(ray, part) ? stretchFromInside(index) : null
  let alone = true
  for (let i = 0; i < sorted.length; i++) {
    const crossing = sorted[i]
    if (open === null) open = { ...crossing }
    else if (open.leave.distance === Infinity || crossing.leave.distance >= open.leave.distance) {
      open.inside ||= crossing.inside
      open.exits = crossing.exits
      open.leave = crossing.leave
    }
    const end = open.leave.distance
    const next = i + 1 < sorted.length ? sorted[i + 1].enter.distance : ray.maxDistance
    if (!open.exits) break
    if (i + 1 < sorted.length && next <= end + jointLength(body, end)) {
      alone = false
      continue
    }
    const told = alone && crossing.insideAfter >= 0
    alone = true
    // A ray that ends in a crossing goes in if what lies just beyond is inside.
    const after = Math.max(next, end + (body.numbers[REACH] < Infinity ? RAY_POINT_RATIO * body.numbers[REACH] : 0))
    if (told ? crossing.insideAfter > 0 : isInsideBetween(ray, part, end, after)) continue
    stretches.push(open)
    open = null
  }
  if (open === null) return stretches
  // It ends inside.
  open.exits = false
  open.leave = stretchFromInside(index).leave
  stretches.push(open)
  return stretches
}

function originInside(ray: Ray, { outline, body }: Part): boolean {
  if (outline === null) return false
  setPose(originPoint, ray.ox, ray.oy, 0)
  setCircle(originPoint, 0)
  return vertexInOutline(outline, body, originPoint, 0) < 0
}

/** Whether the ray is inside the outline between two distances that no crossing separates. */
function isInsideBetween(ray: Ray, { outline, body }: Part, from: number, to: number): boolean {
  if (outline === null || to === Infinity) return false
  const middle = from + (to - from) / 2
  const length = vectorLength(ray.dx, ray.dy)
  const x = ray.ox - body.numbers[X] + (middle * (ray.dx / length) - body.numbers[X_LOW])
  const y = ray.oy - body.numbers[Y] + (middle * (ray.dy / length) - body.numbers[Y_LOW])
  return pointInOutline(outline, x, y) < 0
}

/** Leaves whose boxes the ray may meet. */
function leavesNear(ray: Ray, body: Body, { tree }: Composite): number[] {
  const near: number[] = []
  if (tree.nodeCount === 0) return near
  const ox = ray.ox - body.numbers[X]
  const oy = ray.oy - body.numbers[Y]
  const slack = SEPARATION_ERROR_RATIO * (Math.abs(ox) + Math.abs(oy))
  let top = 0
  stack[top++] = 0
  while (top > 0) {
    spend(1)
    const node = stack[--top]
    const { boxes, child } = tree
    const at = 4 * node
    const left = boxes[at] - ox - slack
    const low = boxes[at + 1] - oy - slack
    const right = boxes[at + 2] - ox + slack
    const high = boxes[at + 3] - oy + slack
    if (slabEntryTime(left, right, low, high, ray.dx, ray.dy, Infinity) === Infinity) continue
    if (child[node] < 0) near.push(~child[node])
    else {
      stack[top++] = child[node] + 1
      stack[top++] = child[node]
    }
  }
  return near
}

/**
 * How a body counts that contains the origin, boundary included: as a hit at distance 0 without a normal, no hit, or a
 * hit where the ray leaves it (none when that lies beyond maxDistance or never comes).
 */
export type StartInside = 'hit' | 'ignore' | 'exit'
