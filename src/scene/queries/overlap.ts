/**
 * The query `overlap`: the bodies of a scene that a probe touches or overlaps.
 */

import { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import { Ranking } from '../../containers/ranking.ts'
import { measureOuterBox } from '../../core2d/queries/body-boxes.ts'
import { type Contact, contact, createContact } from '../../core2d/queries/contact.ts'
import { type Relation, relate } from '../../core2d/queries/overlap.ts'
import type { Body } from '../../core2d/shape/body.ts'
import type { Accepts } from '../state/filter.ts'
import { PLANE } from '../state/geometry.ts'
import { bodiesInBox, bodyAt, idAt, type PlaneView } from '../state/view.ts'
import { type Describe, describeBody, UNDESCRIBED } from './described-body.ts'
import { costlyContact, costlyRelation, fetchBody, isCostly, isLight } from './scene-tasks.ts'

interface OverlapQuery {
  /** Must not change until the end. */
  probe: Body
  describe?: Describe
  accepts: Accepts
  /** Whether to compute the contacts too. */
  contacts: boolean
  limit: number
}

export interface MetBody {
  slot: number
  id: string
  /** 0 touching, −1 overlapping. */
  relation: Relation
  /** Of the probe with the body, as A and B. */
  contact: Contact | null
}

interface OverlapAnswer {
  /** By id. */
  bodies: MetBody[]
  truncated: boolean
}

const box = new Float64Array(4)

export function* queryOverlap(view: PlaneView, query: OverlapQuery): FarSlices<OverlapAnswer> {
  const { probe, describe = UNDESCRIBED, accepts, contacts, limit } = query
  measureOuterBox(probe, box, 0)
  const near = createItemList()
  bodiesInBox(view, box, near)
  const found = new Ranking<MetBody>(limit)
  const pace = new Pace()
  const weight = PLANE.points(probe)
  for (let k = 0; k < near.count; k++) {
    const slot = near.items[k]
    if (!accepts(slot)) {
      if (pace.isDue(1)) yield
      continue
    }
    const body = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
    const points = weight + PLANE.points(body)
    const relation = isLight(PLANE, probe, body)
      ? relate(probe, body)
      : yield* costlyRelation(PLANE, probe, describe, body, () => describeBody(view, slot))
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
    const points = weight + PLANE.points(body)
    met.contact = createContact()
    if (isLight(PLANE, probe, body)) contact(probe, body, 0, met.contact, false)
    else yield* costlyContact(PLANE, probe, describe, body, () => describeBody(view, met.slot), met.contact)
    if (pace.isDue(points)) yield
  }
  return { bodies, truncated }
}
