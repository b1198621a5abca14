/**
 * The query `ray-cast`: rays against the bodies of a scene.
 *
 * A ray visits the boxes on its way, nearest first, and stops when no remaining box can be nearer than the hit. The bound allows for
 * the rounding errors of distances, so the answer is the one that testing every body would give, to the last bit.
 * `castRay` is for short rays and does not pause: in slices, such a ray takes half as long again.
 */

import { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { Ranking } from '../../containers/ranking.ts'
import type { StartInside } from '../../core2d/ray/ray-cast.ts'
import type { Accepts } from '../state/filter.ts'
import { forEach, type Kinds } from '../state/geometry.ts'
import { bodyAt, idAt, reachOf, type View, visitOnTheWay } from '../state/view.ts'
import { noteOnTheWay, queueNoted, takeNext } from './candidates.ts'
import { describeBody } from './described-body.ts'
import { costlyRayHit, fetchBody, isCostly, isLightForRay } from './scene-tasks.ts'
import { DISTANCE_SLACK_RATIO } from './tolerances.ts'

export interface RayCastQuery {
  /** `any` gives the closest hit too: the answer must not depend on the shape of the tree. */
  mode: 'closest' | 'any' | 'all'
  startInside: StartInside
  accepts: Accepts
  /** Most hits in mode `all`. */
  limit: number
}

export interface HitBody<Hit> {
  slot: number
  id: string
  hit: Hit
}

export interface CastAnswer<Hit> {
  /** By distance, then by id. */
  hits: HitBody<Hit>[]
  truncated: boolean
}

/** Scratch of the next ray of each dimension: a record that no hit refers to, and the box that goes its way. */
const scratch = forEach(({ createHit, createMovingBox }) => ({ spare: createHit(), moving: createMovingBox() }))

/** Most points of bodies that a ray may visit without a pause. */
const MOST_POINTS = 2 ** 13

const sliceHits = forEach(({ createHit }) => createHit())

/**
 * Casts one ray without a pause; `points`: its cost. Null if that takes long, or if all hits are wanted: then cast it in slices.
 */
export function castRay<K extends Kinds>(
  view: View<K>,
  ray: K['ray'],
  { mode, startInside, accepts, limit }: RayCastQuery,
): (CastAnswer<K['hit']> & { points: number }) | null {
  if (mode === 'all' && limit > 0) return null
  const { geometry } = view.table
  const { points: pointsOf, rayCast } = geometry
  const own = scratch[geometry.dimension]
  const moving: K['movingBox'] = own.moving
  const speed = geometry.aim(ray, moving)
  const slack = slackOf(view, ray)
  let latest = (ray.maxDistance + slack) / speed
  let points = 1
  let found: K['hit'] = own.spare
  let best: K['hit'] | null = null
  let bestSlot = -1
  visitOnTheWay(view, moving, latest, (slot) => {
    points++
    if (points > MOST_POINTS) latest = -Infinity
    if (points > MOST_POINTS || !accepts(slot)) return latest
    const body = isCostly(view, slot) ? null : bodyAt(view, slot)
    points += body === null ? Infinity : pointsOf(body)
    if (points > MOST_POINTS || body === null || !isLightForRay(geometry, body)) {
      points = Infinity
      latest = -Infinity
      return latest
    }
    if (!rayCast(ray, body, startInside, found)) return latest
    const { distance } = found
    if (best !== null) {
      if (distance > best.distance) return latest
      // reading ids misses the cache, so they are compared only for equal distances
      if (distance === best.distance && idAt(view, slot) > idAt(view, bestSlot)) return latest
    }
    const spare = best ?? geometry.createHit()
    best = found
    bestSlot = slot
    found = spare
    // with a limit of 0, one hit shows that there are some
    latest = mode === 'all' ? -Infinity : Math.min(latest, (distance + slack) / speed)
    return latest
  })
  own.spare = found
  if (mode === 'all' && best !== null) return { hits: [], truncated: true, points: Math.min(points, MOST_POINTS) }
  if (points > MOST_POINTS) return null
  const hits = best === null ? [] : [{ slot: bestSlot, id: idAt(view, bestSlot), hit: best }]
  return { hits, truncated: false, points }
}

/** Casts one ray, however many bodies are on its way. The record of the ray must not change until the end. */
export function* castRayInSlices<K extends Kinds>(
  view: View<K>,
  ray: K['ray'],
  { mode, startInside, accepts, limit }: RayCastQuery,
): FarSlices<CastAnswer<K['hit']>> {
  const { geometry } = view.table
  const isAll = mode === 'all'
  const most = isAll ? limit : 1
  const hits = new Ranking<HitBody<K['hit']>>(most)
  const pace = new Pace()
  const moving: K['movingBox'] = scratch[geometry.dimension].moving
  const speed = geometry.aim(ray, moving)
  const slack = slackOf(view, ray)
  let latest = (ray.maxDistance + slack) / speed
  noteOnTheWay(view, moving, latest)
  const queue = yield* queueNoted(accepts, most, pace)
  // the remaining bodies are met no sooner
  while (takeNext(queue) && queue.time <= latest) {
    const { slot } = queue
    const body = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
    const points = 1 + geometry.points(body)
    const found = yield* hitOf(view, ray, slot, body, startInside)
    if (found !== null) {
      const { distance } = found
      const id = idAt(view, slot)
      if (hits.takes(distance, id)) hits.add(distance, id, { slot, id, hit: { ...found } })
      if (hits.isFull) yield* hits.makeRoom(pace)
      latest = Math.min(latest, ((isAll ? hits.lastPlace : distance) + slack) / speed)
      if (most === 0) break
    }
    if (pace.isDue(points)) yield
  }
  const { ranked, truncated } = yield* hits.finish(pace)
  return { hits: ranked.map(({ value }) => value), truncated: isAll && truncated }
}

/** The hit, which is not held over a pause, or null. */
export function* hitOf<K extends Kinds>(
  view: View<K>,
  ray: K['ray'],
  slot: number,
  body: K['body'],
  startInside: StartInside,
): FarSlices<K['hit'] | null> {
  const { geometry } = view.table
  const hit: K['hit'] = sliceHits[geometry.dimension]
  if (!isLightForRay(geometry, body))
    return yield* costlyRayHit(geometry, ray, body, () => describeBody(view, slot), startInside, hit)
  return geometry.rayCast(ray, body, startInside, hit) ? hit : null
}

/** Bound on rounding errors of distances. */
function slackOf<K extends Kinds>(view: View<K>, ray: K['ray']): number {
  return DISTANCE_SLACK_RATIO * (reachOf(view) + view.table.geometry.originSize(ray))
}
