/**
 * The query `line-of-sight`: the bodies that lie between a point and each target.
 *
 * The ray goes to the target; for a body, to its position. A body that the ray hits before the target is in the way. A body that it
 * hits at the same distance, such as a wall that the target leans on, is not.
 */

import { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import type { Accepts } from '../state/filter.ts'
import { forEach, type Kinds } from '../state/geometry.ts'
import { bodyAt, type View } from '../state/view.ts'
import { describeBody } from './described-body.ts'
import { castRay, castRayInSlices, type HitBody } from './ray-cast.ts'
import { costlyRayHit, fetchBody, isCostly, isLightForRay } from './scene-tasks.ts'

export interface SightTarget {
  /** Where to look: its coordinates. */
  point: readonly number[]
  /** The body that is looked at; −1 for a point. */
  slot: number
}

interface LineOfSightQuery {
  from: readonly number[]
  targets: readonly SightTarget[]
  /** The bodies that can be in the way; targets, too, are in the way of others. */
  accepts: Accepts
  /** Most occluders in the answer for a target. */
  limit: number
}

export interface Sight<K extends Kinds> {
  visible: boolean
  /** From the viewpoint to the target: to where the ray meets a body, or to where it was looked at. */
  distance: number
  point: readonly number[]
  /** By distance, then by id. */
  occluders: HitBody<K['hit']>[]
  truncated: boolean
}

/** Least cost of a target, in points of bodies. */
const SIGHT_POINTS = 16

const rays = forEach(({ createRay }) => createRay())
const hits = forEach(({ createHit }) => createHit())

/** An answer for each target. */
export function* queryLineOfSight<K extends Kinds>(view: View<K>, query: LineOfSightQuery): FarSlices<Sight<K>[]> {
  const pace = new Pace()
  const sights: Sight<K>[] = []
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
function* lookAt<K extends Kinds>(
  view: View<K>,
  { from }: LineOfSightQuery,
  { point, slot }: SightTarget,
): FarSlices<Sight<K>> {
  const { geometry } = view.table
  const ray: K['ray'] = rays[geometry.dimension]
  geometry.setRay(ray, from, point)
  const sight: Sight<K> = { visible: true, distance: ray.maxDistance, point, occluders: [], truncated: false }
  if (slot < 0 || sight.distance === 0) return sight
  const body = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  // set anew, because others may have been looked at meanwhile
  geometry.setRay(ray, from, point)
  const found: K['hit'] = hits[geometry.dimension]
  const hit = isLightForRay(geometry, body)
    ? geometry.rayCast(ray, body, 'hit', found, false) && found
    : yield* costlyRayHit(geometry, ray, body, () => describeBody(view, slot), 'hit', found)
  if (!hit) return sight
  sight.distance = hit.distance
  sight.point = geometry.pointOf(hit)
  return sight
}

function* addOccluders<K extends Kinds>(
  view: View<K>,
  query: LineOfSightQuery,
  target: SightTarget,
  sight: Sight<K>,
): FarSlices<void> {
  const { from, accepts, limit } = query
  const { geometry } = view.table
  // not shared, because it is held over pauses
  const line = geometry.createRay()
  geometry.setRay(line, from, target.point)
  const isOther: Accepts = (slot) => slot !== target.slot && accepts(slot)
  const { distance } = sight
  const nearest = { mode: 'closest' as const, startInside: 'hit' as const, accepts: isOther, limit: 1 }
  const first = castRay(view, line, nearest) ?? (yield* castRayInSlices(view, line, nearest))
  if (first.hits.length === 0 || !(first.hits[0].hit.distance < distance)) return
  sight.visible = false
  const { hits: all } = yield* castRayInSlices(view, line, { ...nearest, mode: 'all', limit: limit + 1 })
  const between = all.filter(({ hit }) => hit.distance < distance)
  sight.occluders = between.slice(0, limit)
  sight.truncated = between.length > limit
}
