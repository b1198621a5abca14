/**
 * The bodies that an entry is about, as they are before it is applied, and where they are afterwards. Slots name bodies as long as none
 * is removed; where one may be, ids do.
 */
import type { Pace, Slices } from '../../containers/pace.ts'
import { type BodyTable, IN_USE } from '../table/body-table.ts'
import { bodyIdOf } from '../table/effects.ts'
import { idOf, slotOfId } from '../table/ids.ts'
import type { Operation } from '../table/operation.ts'

const NO_TAGS: readonly string[] = []

export interface TaggedBody {
  readonly id: string
  readonly tags: readonly string[]
}

export function bodyIn(table: BodyTable, slot: number): TaggedBody {
  return { id: idOf(table.ids, slot), tags: tagsIn(table, slot) }
}

function tagsIn({ tagsOf, tags }: BodyTable, slot: number): readonly string[] {
  const list = tagsOf[slot]
  return list < 0 ? NO_TAGS : tags.lists[list]
}

export class TouchedBodies {
  readonly #table: BodyTable
  /** Those that there were. */
  readonly #slots: number[] = []
  readonly #ids: string[] = []
  readonly #tags: (readonly string[])[] = []
  readonly #indexOf = new Map<number, number>()
  /** Ids of those that come. */
  readonly #newIds = new Set<string>()
  #mayBeGone = false
  #isCleared = false
  /** What tags bodies had that have others now, by their slots afterwards. */
  readonly #retagged = new Map<number, readonly string[]>()

  constructor(table: BodyTable) {
    this.#table = table
  }

  /** Whether all bodies are removed on the way. */
  get isCleared(): boolean {
    return this.#isCleared
  }

  /** To be called before the entry is applied. */
  *note(operations: readonly Operation[], pace: Pace): Slices<void> {
    for (const operation of operations) {
      const { op } = operation
      if (op === 'clear') this.#isCleared = true
      if (op === 'clear' || op === 'remove') this.#mayBeGone = true
      const id = bodyIdOf(operation)
      const stays = op === 'move' && operation.position === undefined && operation.rotation === undefined
      if (id === null || stays) continue
      const slot = slotOfId(this.#table.ids, id)
      if (slot >= 0) this.#add(slot, id)
      else if (op === 'put') this.#newIds.add(id)
      if (pace.isDue(1)) yield
    }
  }

  /** The same of all bodies for which that is wanted. */
  *noteAll(isWanted: (slot: number) => boolean, pace: Pace): Slices<void> {
    const table = this.#table
    for (let slot = 0; slot < table.used; slot++) {
      if ((table.flags[slot] & IN_USE) !== 0 && isWanted(slot)) this.#add(slot, idOf(table.ids, slot))
      if (pace.isDue(1)) yield
    }
  }

  #add(slot: number, id: string): void {
    if (this.#indexOf.has(slot)) return
    this.#indexOf.set(slot, this.#slots.length)
    this.#slots.push(slot)
    this.#ids.push(id)
    this.#tags.push(tagsIn(this.#table, slot))
  }

  /** Slots of bodies that have gone, or lie elsewhere in the table, after the entry was applied: it may be another table. */
  *gone(table: BodyTable): Generator<number, void, undefined> {
    if (!this.#mayBeGone) return
    for (let k = 0; k < this.#slots.length; k++) {
      if (!this.#isThere(table, k)) yield this.#slots[k]
    }
  }

  #isThere(table: BodyTable, k: number): boolean {
    const slot = this.#slots[k]
    if (!this.#mayBeGone) return true
    return table === this.#table && (table.flags[slot] & IN_USE) !== 0 && idOf(table.ids, slot) === this.#ids[k]
  }

  /** A body as it was, by the slot that it had; `table`: after the entry, where those lie that it is not about. */
  before(table: BodyTable, slot: number): TaggedBody {
    const k = this.#indexOf.get(slot)
    return k === undefined ? bodyIn(table, slot) : { id: this.#ids[k], tags: this.#tags[k] }
  }

  /** Finds where they are afterwards. The slots, each once. */
  *place(table: BodyTable, pace: Pace): Slices<readonly number[]> {
    const placed: number[] = []
    for (let k = 0; k < this.#slots.length; k++) {
      const isThere = this.#isThere(table, k)
      const slot = isThere ? this.#slots[k] : slotOfId(table.ids, this.#ids[k])
      if (pace.isDue(1)) yield
      if (slot < 0) continue
      placed.push(slot)
      const tags = tagsIn(table, slot)
      if (!areSameTags(tags, this.#tags[k])) this.#retagged.set(slot, this.#tags[k])
    }
    for (const id of this.#newIds) {
      const slot = slotOfId(table.ids, id)
      if (slot >= 0) placed.push(slot)
      if (pace.isDue(1)) yield
    }
    return placed
  }

  /** Whether one of two bodies, by their slots afterwards, has got other tags. */
  areRetagged(slot: number, other: number): boolean {
    return this.#retagged.size > 0 && (this.#retagged.has(slot) || this.#retagged.has(other))
  }

  /** The tags that the body in a slot had before, where they were others; null. */
  tagsBefore(slot: number): readonly string[] | null {
    return this.#retagged.get(slot) ?? null
  }
}

export function areSameTags(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((tag, k) => tag === b[k]))
}
