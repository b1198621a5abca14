/**
 * Ray against a composite body.
 *
 * Method: the box tree gives the leaves near the ray, each met as a convex body. A convex part is inside from entry to exit;
 * an outline is crossed, and what follows a crossing is inside as the crossed edge says. Where the ray runs through a
 * vertex, along an edge or past a corner within rounding, the middle of the way to the next crossing says it instead. The
 * stretches of all parts are joined where they meet: parts that touch are one body to the ray.
 * Frame: world, in and out.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import { TREE_DEPTH_COUNT } from '../bvh/box-tree.ts'
import { slabEntryTime } from '../bvh/moving-boxes.ts'
import { vertexInOutline } from '../composite/vertex-in-outline.ts'
import { featureKind, NO_FEATURE } from '../feature.ts'
import { pointInOutline } from '../outline/point-in-outline.ts'
import { type Body, type Composite, createBody, type Part, setCircle, setPose } from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import { RAY_POINT_RATIO, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { castLine } from './ray-convex.ts'
import type { RayHit, StartInside } from './ray-hit.ts'
import { createRayLine, type Ray } from './ray-line.ts'
import { createRaySpan } from './ray-span.ts'
import { type RayStretch, stretchFromInside, stretchOf } from './ray-stretch.ts'

/** Steps of casting at one leaf. */
const LEAF_STEPS = 4

const line = createRayLine()
const span = createRaySpan()
const slot = createBody()
const origin = createBody()
const stack = new Int32Array(TREE_DEPTH_COUNT + 2)

/** An edge of a solid outline that the ray meets. */
interface EdgeCrossing extends RayStretch {
  /** 1 when the ray is inside after it, 0 when outside; −1 when the edge alone does not tell. */
  insideAfter: number
}

/** As `rayCast`, for a composite body. */
export function rayComposite(ray: Ray, body: Body, startInside: StartInside, out: RayHit): boolean {
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
  return SEPARATION_ERROR_RATIO * (body.reach < Infinity ? body.reach : 0) + 64 * UNIT_ROUNDOFF * distance
}

function allStretches(ray: Ray, body: Body, composite: Composite): RayStretch[] {
  const stretches: RayStretch[] = []
  const crossings = new Map<number, EdgeCrossing[]>()
  for (const leaf of leavesNear(ray, body, composite)) {
    spend(LEAF_STEPS)
    const index = composite.leafPart[leaf]
    const leafOfRay = leafBody(composite, leaf, slot)
    if (!castLine(ray, leafOfRay, line, span)) continue
    const stretch = stretchOf(ray, line, span, leafOfRay, index)
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

/** What the span of the edge last cast at says: it has its outer side on its right. */
function insideAfterEdge({ normals }: Body): number {
  const across = featureKind(span.enterFeature) === 'edge' && featureKind(span.leaveFeature) === 'edge'
  if (!across || span.leave > span.enter) return -1
  return span.enterNx * normals[0] + span.enterNy * normals[1] > 0 ? 1 : 0
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
    const after = Math.max(next, end + (body.reach < Infinity ? RAY_POINT_RATIO * body.reach : 0))
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
  setPose(origin, ray.ox, ray.oy, 0)
  setCircle(origin, 0)
  return vertexInOutline(outline, body, origin, 0) < 0
}

/** Whether the ray is inside the outline between two distances that no crossing separates. */
function isInsideBetween(ray: Ray, { outline, body }: Part, from: number, to: number): boolean {
  if (outline === null || to === Infinity) return false
  const middle = from + (to - from) / 2
  const length = vectorLength(ray.dx, ray.dy)
  const x = ray.ox - body.x + (middle * (ray.dx / length) - body.xLow)
  const y = ray.oy - body.y + (middle * (ray.dy / length) - body.yLow)
  return pointInOutline(outline, x, y) < 0
}

/** Leaves whose boxes the ray may meet. */
function leavesNear(ray: Ray, body: Body, { tree }: Composite): number[] {
  const near: number[] = []
  if (tree.nodeCount === 0) return near
  const ox = ray.ox - body.x
  const oy = ray.oy - body.y
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
