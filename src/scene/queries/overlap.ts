/**
 * The query `overlap`: the bodies of a scene that a probe touches or overlaps.
 */

import { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import { Ranking } from '../../containers/ranking.ts'
import type { Relation } from '../../core2d/queries/overlap.ts'
import type { Accepts } from '../state/filter.ts'
import type { Kinds } from '../state/geometry.ts'
import { bodiesInBox, bodyAt, idAt, type View } from '../state/view.ts'
import { type Describe, describeBody, UNDESCRIBED } from './described-body.ts'
import { costlyContact, costlyRelation, fetchBody, isCostly, isLight } from './scene-tasks.ts'

interface OverlapQuery<K extends Kinds> {
  /** Must not change until the end. */
  probe: K['body']
  describe?: Describe
  accepts: Accepts
  /** Whether to compute the contacts too. */
  contacts: boolean
  limit: number
}

export interface MetBody<K extends Kinds> {
  slot: number
  id: string
  /** 0 touching, −1 overlapping. */
  relation: Relation
  /** Of the probe with the body, as A and B. */
  contact: K['contact'] | null
}

interface OverlapAnswer<K extends Kinds> {
  /** By id. */
  bodies: MetBody<K>[]
  truncated: boolean
}

const box = new Float64Array(6)

export function* queryOverlap<K extends Kinds>(view: View<K>, query: OverlapQuery<K>): FarSlices<OverlapAnswer<K>> {
  const { geometry } = view.table
  const { probe, describe = UNDESCRIBED, accepts, contacts, limit } = query
  geometry.measureOuterBox(probe, box, 0)
  const near = createItemList()
  bodiesInBox(view, box, near)
  const found = new Ranking<MetBody<K>>(limit)
  const pace = new Pace()
  const weight = geometry.points(probe)
  for (let k = 0; k < near.count; k++) {
    const slot = near.items[k]
    if (!accepts(slot)) {
      if (pace.isDue(1)) yield
      continue
    }
    const body = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
    const points = weight + geometry.points(body)
    const relation = isLight(geometry, probe, body)
      ? geometry.relate(probe, body)
      : yield* costlyRelation(geometry, probe, describe, body, () => describeBody(view, slot))
    if (relation <= 0) {
      const id = idAt(view, slot)
      if (found.takes(0, id)) found.add(0, id, { slot, id, relation, contact: null })
    }
    if (found.isFull) yield* found.makeRoom(pace)
    if (pace.isDue(points)) yield
  }
  const { ranked, truncated } = yield* found.finish(pace)
  const bodies = ranked.map(({ value }) => value)
  for (const met of bodies) {
    if (!contacts) break
    const body = isCostly(view, met.slot) ? yield* fetchBody(view, met.slot) : bodyAt(view, met.slot)
    const points = weight + geometry.points(body)
    met.contact = geometry.createContact()
    if (isLight(geometry, probe, body)) geometry.contact(probe, body, met.contact)
    else yield* costlyContact(geometry, probe, describe, body, () => describeBody(view, met.slot), met.contact)
    if (pace.isDue(points)) yield
  }
  return { bodies, truncated }
}
