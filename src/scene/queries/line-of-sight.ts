/**
 * The query `line-of-sight`: the bodies that lie between a point and each target.
 *
 * The ray goes to the target; for a body, to its position. A body that the ray hits before the target is in the way. A body that it
 * hits at the same distance, such as a wall that the target leans on, is not.
 */

import { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createRay, createRayHit, type Ray, type RayHit, rayCast } from '../../core2d/ray/ray-cast.ts'
import { setDirection } from '../../core2d/ray/ray-line.ts'
import { scaleBy } from '../../numeric/safe-range.ts'
import type { Accepts } from '../state/filter.ts'
import { PLANE } from '../state/geometry.ts'
import { bodyAt, type PlaneView } from '../state/view.ts'
import { describeBody } from './described-body.ts'
import { castRay, castRayInSlices, type HitBody } from './ray-cast.ts'
import { costlyRayHit, fetchBody, isCostly, isLightForRay } from './scene-tasks.ts'

export interface SightTarget {
  /** Where to look. */
  x: number
  y: number
  /** The body that is looked at; −1 for a point. */
  slot: number
}

interface LineOfSightQuery {
  fromX: number
  fromY: number
  targets: readonly SightTarget[]
  /** The bodies that can be in the way; targets, too, are in the way of others. */
  accepts: Accepts
  /** Most occluders in the answer for a target. */
  limit: number
}

export interface Sight {
  visible: boolean
  /** From the viewpoint to the target: to where the ray meets a body, or to where it was looked at. */
  distance: number
  x: number
  y: number
  /** By distance, then by id. */
  occluders: HitBody<RayHit>[]
  truncated: boolean
}

/** Least cost of a target, in points of bodies. */
const SIGHT_POINTS = 16

const ray = createRay()
const found = createRayHit()

/** An answer for each target. */
export function* queryLineOfSight(view: PlaneView, query: LineOfSightQuery): FarSlices<Sight[]> {
  const pace = new Pace()
  const sights: Sight[] = []
  for (const target of query.targets) {
    const sight = yield* lookAt(view, query, target)
    if (sight.distance > 0) yield* addOccluders(view, query, target, sight)
    sights.push(sight)
    // the rays pause by themselves only where they are long
    if (pace.isDue(SIGHT_POINTS + sight.occluders.length)) yield
  }
  return sights
}

/** The sight of a target with nothing in the way. */
function* lookAt(view: PlaneView, { fromX, fromY }: LineOfSightQuery, { x, y, slot }: SightTarget): FarSlices<Sight> {
  const sight: Sight = { visible: true, distance: 0, x, y, occluders: [], truncated: false }
  const length = setRay(ray, fromX, fromY, x, y)
  sight.distance = length
  if (slot < 0 || length === 0) return sight
  const body = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  const hit = isLightForRay(PLANE, body)
    ? rayCast(ray, body, 'hit', found, false) && found
    : yield* costlyRayHit(PLANE, ray, body, () => describeBody(view, slot), 'hit', found)
  if (!hit) return sight
  sight.distance = hit.distance
  sight.x = hit.x
  sight.y = hit.y
  return sight
}

/** Sets the ray from one point to another; returns its length. */
function setRay(out: Ray, fromX: number, fromY: number, x: number, y: number): number {
  out.ox = fromX
  out.oy = fromY
  setDirection(out, x - fromX, y - fromY)
  out.maxDistance = scaleBy(Math.hypot(out.dx, out.dy), out.exponent)
  return out.maxDistance
}

function* addOccluders(view: PlaneView, query: LineOfSightQuery, target: SightTarget, sight: Sight): FarSlices<void> {
  const { fromX, fromY, accepts, limit } = query
  // not shared, because it is held over pauses
  const line = createRay()
  setRay(line, fromX, fromY, target.x, target.y)
  const isOther: Accepts = (slot) => slot !== target.slot && accepts(slot)
  const { distance } = sight
  const nearest = { mode: 'closest' as const, startInside: 'hit' as const, accepts: isOther, limit: 1 }
  const first = castRay(view, line, nearest) ?? (yield* castRayInSlices(view, line, nearest))
  if (first.hits.length === 0 || !(first.hits[0].hit.distance < distance)) return
  sight.visible = false
  const { hits } = yield* castRayInSlices(view, line, { ...nearest, mode: 'all', limit: limit + 1 })
  const between = hits.filter(({ hit }) => hit.distance < distance)
  sight.occluders = between.slice(0, limit)
  sight.truncated = between.length > limit
}
