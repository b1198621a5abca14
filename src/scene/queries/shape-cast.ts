/**
 * The query `shape-cast`: a moving body against the bodies of a scene, which are at rest. The whole motion takes one unit of time.
 */

import { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import { Ranking } from '../../containers/ranking.ts'
import type { Want } from '../../core/want.ts'
import type { Accepts } from '../state/filter.ts'
import { forEach, type Kinds } from '../state/geometry.ts'
import { bodiesInBox, bodyAt, idAt, reachOf, type View } from '../state/view.ts'
import { noteList, noteOnTheWay, queueNoted, takeNext } from './candidates.ts'
import { type Describe, describeBody, UNDESCRIBED } from './described-body.ts'
import type { CastAnswer, HitBody } from './ray-cast.ts'
import { costlyImpact, fetchBody, isCostly, isLight } from './scene-tasks.ts'
import { DISTANCE_SLACK_RATIO } from './tolerances.ts'

interface ShapeCastQuery<K extends Kinds> {
  /** Must not change until the end. */
  body: K['body']
  describe?: Describe
  /** The translation as velocity, the rotation as spin. */
  motion: K['motion']
  mode: 'closest' | 'any' | 'all'
  ignoreSeparating: boolean
  want: Want
  accepts: Accepts
  limit: number
}

const AT_REST = forEach(({ createMotion }) => createMotion())
const impacts = forEach(({ createImpact }) => createImpact())
const movingBoxes = forEach(({ createMovingBox }) => createMovingBox())
const box = new Float64Array(6)

/** Hits by fraction of the motion, then by id; the scene's body is A, the moving one B. */
export function* queryShapeCast<K extends Kinds>(
  view: View<K>,
  query: ShapeCastQuery<K>,
): FarSlices<CastAnswer<K['impact']>> {
  const { geometry } = view.table
  const atRest: K['motion'] = AT_REST[geometry.dimension]
  const found: K['impact'] = impacts[geometry.dimension]
  const { body, describe = UNDESCRIBED, motion, mode, ignoreSeparating, want, accepts } = query
  const isAll = mode === 'all'
  const most = isAll ? query.limit : 1
  const hits = new Ranking<HitBody<K['impact']>>(most)
  const pace = new Pace()
  const weight = geometry.points(body)
  const slack = (DISTANCE_SLACK_RATIO * (reachOf(view) + geometry.positionSize(body))) / geometry.speed(motion)
  const spins = geometry.spins(motion)
  let latest = Infinity
  noteBodiesOnTheWay(view, body, motion)
  const queue = yield* queueNoted(accepts, most, pace)
  // the remaining bodies are met no sooner
  while (takeNext(queue) && queue.time <= latest) {
    const { slot } = queue
    const target = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
    const points = weight + geometry.points(target)
    let impact = found
    if (isLight(geometry, target, body) && !spins) {
      geometry.timeOfImpact(target, atRest, body, motion, 1, ignoreSeparating, want, found)
    } else {
      const resting = { body: target, motion: atRest, describe: () => describeBody(view, slot) }
      impact = yield* costlyImpact(
        geometry,
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
export function noteBodiesOnTheWay<K extends Kinds>(
  view: View<K>,
  body: K['body'],
  motion: K['motion'],
  margin = 0,
): void {
  const { geometry } = view.table
  const { axes } = geometry
  const spins = geometry.spins(motion)
  geometry.measureSweptBox(body, motion, spins ? 1 : 0, box, 0)
  if (!spins) {
    for (let k = 0; k < axes; k++) {
      box[k] -= margin
      box[axes + k] += margin
    }
    const moving: K['movingBox'] = movingBoxes[geometry.dimension]
    geometry.setMovingBox(moving, box, motion)
    noteOnTheWay(view, moving, 1)
    return
  }
  bodiesInBox(view, box, near)
  noteList(near.items, near.count)
}

const near = createItemList()
