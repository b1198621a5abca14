/**
 * Rays against the bodies of a scene.
 *
 * A ray visits the boxes on its way, near ones first, and stops where nothing nearer can come. What rounding may do to a
 * distance is left as slack, so that the answer is that of trying every body, to the last bit.
 */

import type { MovingBox } from '../core2d/dynamic-tree-queries.ts'
import { createRayHit, type Ray, type RayHit, rayCast, type StartInside } from '../core2d/ray-cast.ts'
import type { Accepts } from './filter.ts'
import { bodyWeight } from './prepared.ts'
import { Ranking } from './ranking.ts'
import { DISTANCE_SLACK_RATIO } from './slack.ts'
import { bodyAt, idAt, reachOf, type View, visitOnTheWay } from './view.ts'

export interface RayCastQuery {
  /** `any` gives the closest one too: which body of many is hit must not hang on the shape of a tree. */
  mode: 'closest' | 'any' | 'all'
  startInside: StartInside
  accepts: Accepts
  /** Most hits, when all are asked for. */
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

/** Records that are to be filled by the next rays. */
const spareHits: RayHit[] = []

/** No more are kept. */
const MOST_SPARE = 128

const moving: MovingBox = { minX: 0, minY: 0, maxX: 0, maxY: 0, vx: 0, vy: 0 }

/** One ray, without a pause; `points`: the work it was. */
export function castRay(
  view: View,
  ray: Ray,
  { mode, startInside, accepts, limit }: RayCastQuery,
): CastAnswer<RayHit> & { points: number } {
  const hits = mode === 'all' ? new Ranking<HitBody<RayHit>>(limit) : null
  const speed = aim(ray)
  const slack = DISTANCE_SLACK_RATIO * (reachOf(view) + Math.abs(ray.ox) + Math.abs(ray.oy))
  let latest = (ray.maxDistance + slack) / speed
  let points = 1
  let found = takeHit()
  let best: HitBody<RayHit> | null = null
  visitOnTheWay(view, moving, latest, (slot) => {
    if (!accepts(slot)) return latest
    const body = bodyAt(view, slot)
    points += bodyWeight(body)
    if (!rayCast(ray, body, startInside, found)) return latest
    const { distance } = found
    if (hits !== null) {
      const id = idAt(view, slot)
      if (hits.takes(distance, id)) hits.add(distance, id, { slot, id, hit: { ...found } })
      return latest
    }
    if (best !== null && distance > best.hit.distance) return latest
    const id = idAt(view, slot)
    if (best !== null && distance === best.hit.distance && id > best.id) return latest
    const spare = best === null ? takeHit() : best.hit
    best = { slot, id, hit: found }
    found = spare
    latest = Math.min(latest, (distance + slack) / speed)
    return latest
  })
  spareHits.push(found)
  if (hits === null) return { hits: best === null ? [] : [best], truncated: false, points }
  const { ranked, truncated } = hits.finish()
  return { hits: ranked.map(({ value }) => value), truncated, points }
}

function takeHit(): RayHit {
  return spareHits.pop() ?? createRayHit()
}

/** Lets the records of hits that nobody looks at any more be filled again: a thousand new ones take as long as as many rays. */
export function giveBackHits(hits: readonly HitBody<RayHit>[]): void {
  for (const { hit } of hits) if (spareHits.length < MOST_SPARE) spareHits.push(hit)
}

/** Directions are brought near length 1 by a power of two, which changes no bit of them; returns the length. */
function aim({ ox, oy, dx, dy }: Ray): number {
  const size = Math.max(Math.abs(dx), Math.abs(dy))
  const scale = 2 ** -Math.floor(Math.log2(size))
  moving.minX = ox
  moving.maxX = ox
  moving.minY = oy
  moving.maxY = oy
  moving.vx = scale * dx
  moving.vy = scale * dy
  return Math.hypot(moving.vx, moving.vy)
}
