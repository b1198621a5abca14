/**
 * The query `shape-cast`: a moving body against the bodies of a scene, which are at rest. The whole motion takes one unit of time.
 */

import { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import { Ranking } from '../../containers/ranking.ts'
import type { Want } from '../../core/want.ts'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../../core2d/motion/time-of-impact.ts'
import { sweptBox } from '../../core2d/queries/body-boxes.ts'
import { type Body, X, Y } from '../../core2d/shape/body.ts'
import { createMotion, type Motion } from '../../core2d/shape/motion.ts'
import type { Accepts } from '../state/filter.ts'
import { PLANE } from '../state/geometry.ts'
import { bodiesInBox, bodyAt, idAt, type PlaneView, reachOf } from '../state/view.ts'
import { noteList, noteOnTheWay, queueNoted, takeNext } from './candidates.ts'
import { type Describe, describeBody, UNDESCRIBED } from './described-body.ts'
import type { CastAnswer, HitBody } from './ray-cast.ts'
import { costlyImpact, fetchBody, isCostly, isLight } from './scene-tasks.ts'
import { DISTANCE_SLACK_RATIO } from './tolerances.ts'

interface ShapeCastQuery {
  /** Must not change until the end. */
  body: Body
  describe?: Describe
  /** The translation as velocity, the rotation as spin. */
  motion: Motion
  mode: 'closest' | 'any' | 'all'
  ignoreSeparating: boolean
  want: Want
  accepts: Accepts
  limit: number
}

const AT_REST = createMotion()
const found = createTimeOfImpact()

/** Hits by fraction of the motion, then by id; the scene's body is A, the moving one B. */
export function* queryShapeCast(view: PlaneView, query: ShapeCastQuery): FarSlices<CastAnswer<TimeOfImpact>> {
  const { body, describe = UNDESCRIBED, motion, mode, ignoreSeparating, want, accepts } = query
  const isAll = mode === 'all'
  const most = isAll ? query.limit : 1
  const hits = new Ranking<HitBody<TimeOfImpact>>(most)
  const pace = new Pace()
  const weight = PLANE.points(body)
  const speed = Math.hypot(motion.vx, motion.vy)
  const slack = (DISTANCE_SLACK_RATIO * (reachOf(view) + Math.abs(body.numbers[X]) + Math.abs(body.numbers[Y]))) / speed
  let latest = Infinity
  noteBodiesOnTheWay(view, body, motion)
  const queue = yield* queueNoted(accepts, most, pace)
  // the remaining bodies are met no sooner
  while (takeNext(queue) && queue.time <= latest) {
    const { slot } = queue
    const target = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
    const points = weight + PLANE.points(target)
    let impact = found
    if (isLight(PLANE, target, body) && motion.spin === 0) {
      timeOfImpact(target, AT_REST, body, motion, 1, ignoreSeparating, want, found)
    } else {
      const resting = { body: target, motion: AT_REST, describe: () => describeBody(view, slot) }
      impact = yield* costlyImpact(
        PLANE,
        resting,
        { body, motion, describe },
        { duration: 1, ignoreSeparating, want },
        found,
      )
    }
    if (impact.hit) {
      const id = idAt(view, slot)
      if (hits.takes(impact.time, id)) {
        hits.add(impact.time, id, { slot, id, hit: { ...impact } })
        if (!isAll) latest = Math.min(latest, impact.time + slack)
      }
      if (hits.isFull) yield* hits.makeRoom(pace)
      if (isAll) latest = Math.min(latest, hits.lastPlace + slack)
    }
    if (pace.isDue(points)) yield
  }
  const { ranked, truncated } = yield* hits.finish(pace)
  return { hits: ranked.map(({ value }) => value), truncated: isAll && truncated }
}

/** Notes, for `queueNoted`, the bodies that a moving body may meet within one unit of time, or miss by at most `margin`. */
export function noteBodiesOnTheWay(view: PlaneView, body: Body, motion: Motion, margin = 0): void {
  const { minX, minY, maxX, maxY } = sweptBox(body, motion, motion.spin === 0 ? 0 : 1)
  if (motion.spin === 0) {
    const { vx, vy } = motion
    const moving = { minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin, vx, vy }
    noteOnTheWay(view, moving, 1)
    return
  }
  bodiesInBox(view, Float64Array.of(minX, minY, maxX, maxY), near)
  noteList(near.items, near.count)
}

const near = createItemList()
