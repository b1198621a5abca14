/**
 * A moving body against the bodies of a scene, which stand still: the whole motion is the unit of time.
 */

import { Pace, type Slices } from '../containers/pace.ts'
import { sortInSlices } from '../containers/sort-in-slices.ts'
import type { Body } from '../core2d/body.ts'
import { createItemList } from '../core2d/dynamic-tree-queries.ts'
import { createMotion, type Motion } from '../core2d/motion.ts'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../core2d/time-of-impact.ts'
import type { Accepts } from './filter.ts'
import { compareTimes, listOnTheWay, type OnTheWay } from './on-the-way.ts'
import { bodyWeight } from './prepared.ts'
import type { CastAnswer, HitBody } from './query-ray-cast.ts'
import { Ranking } from './ranking.ts'
import { DISTANCE_SLACK_RATIO } from './slack.ts'
import { sweptBox } from './swept-box.ts'
import { bodiesInBox, bodyAt, idAt, reachOf, type View } from './view.ts'

export interface ShapeCastQuery {
  /** Must stay as it is until the end. */
  body: Body
  /** The translation as velocity, the rotation as spin. */
  motion: Motion
  mode: 'closest' | 'any' | 'all'
  ignoreSeparating: boolean
  accepts: Accepts
  limit: number
}

const AT_REST = createMotion()
const found = createTimeOfImpact()

/** Hits by fraction of the motion, then by id; the scene's body is A, the moving one B. */
export function* queryShapeCast(view: View, query: ShapeCastQuery): Slices<CastAnswer<TimeOfImpact>> {
  const { body, motion, mode, ignoreSeparating, accepts } = query
  const isAll = mode === 'all'
  const hits = new Ranking<HitBody<TimeOfImpact>>(isAll ? query.limit : 1)
  const pace = new Pace()
  const weight = bodyWeight(body)
  const speed = Math.hypot(motion.vx, motion.vy)
  const slack = (DISTANCE_SLACK_RATIO * (reachOf(view) + Math.abs(body.x) + Math.abs(body.y))) / speed
  let latest = Infinity
  const listed = bodiesOnTheWay(view, body, motion, accepts)
  if (!isAll) yield* sortInSlices(listed, compareTimes, pace)
  for (const { slot, time } of listed) {
    // The others are met no sooner.
    if (time > latest) break
    const target = bodyAt(view, slot)
    timeOfImpact(target, AT_REST, body, motion, 1, ignoreSeparating, found)
    const id = idAt(view, slot)
    if (found.hit && hits.takes(found.time, id)) {
      hits.add(found.time, id, { slot, id, hit: { ...found } })
      if (!isAll) latest = Math.min(latest, found.time + slack)
    }
    if (pace.isDue(weight + bodyWeight(target))) yield
  }
  const { ranked, truncated } = yield* hits.finish(pace)
  return { hits: ranked.map(({ value }) => value), truncated: isAll && truncated }
}

/** The bodies that a body may meet on its way in one unit of time, in no particular order. */
export function bodiesOnTheWay(view: View, body: Body, motion: Motion, accepts: Accepts): OnTheWay[] {
  const { minX, minY, maxX, maxY } = sweptBox(body, motion, motion.spin === 0 ? 0 : 1)
  if (motion.spin === 0) {
    return listOnTheWay(view, { minX, minY, maxX, maxY, vx: motion.vx, vy: motion.vy }, 1, accepts)
  }
  const near = createItemList()
  bodiesInBox(view, minX, minY, maxX, maxY, near)
  const listed: OnTheWay[] = []
  for (let k = 0; k < near.count; k++) if (accepts(near.items[k])) listed.push({ slot: near.items[k], time: 0 })
  return listed
}
