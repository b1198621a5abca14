/** Collects what has changed about the pairs of a scene with one entry; no more than is told. */

import type { BodyTable } from '../table/body-table.ts'
import { TOLD_PAIRS } from './happening.ts'
import { type ChangedBody, inOrder, type PairChange } from './pair-change.ts'
import { areSameTags, bodyIn, type TaggedBody, type TouchedBodies } from './touched-bodies.ts'

/** Bodies by their slots, as they are told where their tags stay: made once for all entries that only move them. */
export type ToldBodies = (ChangedBody | undefined)[]

export class PairChanges {
  readonly #touched: TouchedBodies
  readonly #bodies: ToldBodies
  readonly #ended: PairChange[] = []
  readonly #others: PairChange[] = []
  /** Pairs of bodies that have gone, or were removed and put again: they may still meet. */
  readonly #parted = new Map<string, readonly [TaggedBody, TaggedBody]>()
  #isMany = false

  constructor(touched: TouchedBodies, bodies: ToldBodies) {
    this.#touched = touched
    this.#bodies = bodies
  }

  /** More than are told. */
  get isMany(): boolean {
    return this.#isMany
  }

  /** A pair that met before, one of which has gone or has another slot now. */
  parted(a: TaggedBody, b: TaggedBody): void {
    if (this.#parted.size > TOLD_PAIRS) this.#isMany = true
    if (!this.#isMany) this.#parted.set(keyOf(a, b), [a, b])
  }

  /** Whether a pair that meets is to be told of, as far as that is known: what `relation` to `meets` is wanted then. */
  isOfInterest(slot: number, other: number, isKnown: boolean): boolean {
    return !this.#isMany && (!isKnown || this.#touched.areRetagged(slot, other))
  }

  /** A pair meets that is of interest. */
  meets(table: BodyTable, slot: number, other: number, isKnown: boolean, relation: 'touching' | 'overlapping'): void {
    let a = this.#changed(table, slot)
    let b = this.#changed(table, other)
    let metBefore = isKnown
    if (this.#parted.size > 0) {
      const key = keyOf(a, b)
      const parted = this.#parted.get(key)
      if (parted !== undefined) {
        this.#parted.delete(key)
        metBefore = true
        const tagsOf = ({ id }: ChangedBody) => (parted[0].id === id ? parted[0] : parted[1]).tags
        a = { ...a, tagsBefore: tagsOf(a) }
        b = { ...b, tagsBefore: tagsOf(b) }
        if (areSameTags(a.tagsBefore, a.tags) && areSameTags(b.tagsBefore, b.tags)) return
      }
    }
    this.#add(a, b, metBefore, true, relation)
  }

  /** A pair has ceased to meet, and both are there. */
  ended(table: BodyTable, slot: number, other: number): void {
    this.#add(this.#changed(table, slot), this.#changed(table, other), true, false, 'separated')
  }

  /** In the order in which they are told, those that have ended first; null: more than are told. */
  finish(): readonly PairChange[] | null {
    for (const [a, b] of this.#parted.values()) {
      this.#add({ ...a, tagsBefore: a.tags }, { ...b, tagsBefore: b.tags }, true, false, 'separated')
    }
    return this.#isMany ? null : [...inOrder(this.#ended), ...inOrder(this.#others)]
  }

  #changed(table: BodyTable, slot: number): ChangedBody {
    const known = this.#bodies[slot]
    if (known !== undefined) return known
    const { id, tags } = bodyIn(table, slot)
    const tagsBefore = this.#touched.tagsBefore(slot)
    if (tagsBefore !== null) return { id, tags, tagsBefore }
    const body = { id, tags, tagsBefore: tags }
    this.#bodies[slot] = body
    return body
  }

  #add(
    one: ChangedBody,
    other: ChangedBody,
    metBefore: boolean,
    meets: boolean,
    relation: PairChange['relation'],
  ): void {
    if (this.#ended.length + this.#others.length === TOLD_PAIRS) this.#isMany = true
    if (this.#isMany) return
    const isFirst = one.id < other.id
    const a = isFirst ? one : other
    const b = isFirst ? other : one
    const list = meets ? this.#others : this.#ended
    list.push({ a, b, metBefore, meets, relation })
  }
}

function keyOf({ id: a }: { id: string }, { id: b }: { id: string }): string {
  return a < b ? `${a}\n${b}` : `${b}\n${a}`
}
