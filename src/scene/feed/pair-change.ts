/** Pairs of bodies that have begun or ceased to meet with a version, and which of them a subscriber wants to hear of. */

import { compareIds } from '../../containers/ranking.ts'

/** One of two bodies, with its tags before the version and after it. */
export interface ChangedBody {
  readonly id: string
  readonly tagsBefore: readonly string[]
  readonly tags: readonly string[]
}

/** Also of a pair that goes on to meet, when tags of it have changed. */
export interface PairChange {
  /** Its id is the lower one. */
  readonly a: ChangedBody
  readonly b: ChangedBody
  readonly metBefore: boolean
  readonly meets: boolean
  readonly relation: 'touching' | 'overlapping' | 'separated'
}

/** Pairs of which one body at least has one of the tags and one of the ids; null: any. */
export interface PairFilter {
  readonly tags: readonly string[] | null
  readonly ids: readonly string[] | null
}

export type Turn = 'overlap-began' | 'overlap-ended'

/** What the change is to somebody who looks through the filter; null: nothing. */
export function turnOf({ a, b, metBefore, meets }: PairChange, filter: PairFilter): Turn | null {
  const before = metBefore && (passes(filter, a.id, a.tagsBefore) || passes(filter, b.id, b.tagsBefore))
  const after = meets && (passes(filter, a.id, a.tags) || passes(filter, b.id, b.tags))
  if (before === after) return null
  return after ? 'overlap-began' : 'overlap-ended'
}

function passes({ tags, ids }: PairFilter, id: string, own: readonly string[]): boolean {
  return (tags === null || tags.some((tag) => own.includes(tag))) && (ids === null || ids.includes(id))
}

/** By the ids. */
export function inOrder(changes: PairChange[]): PairChange[] {
  return changes.sort((p, q) => compareIds(p.a.id, q.a.id) || compareIds(p.b.id, q.b.id))
}
