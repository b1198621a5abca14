/**
 * The overlapping pairs of a scene, version by version, and their changes: a fold over the entries of its log.
 *
 * Method: a copy of the scene, which nobody else reads, and links between the slots of overlapping bodies. An entry is applied to the
 * copy; then only the bodies that it placed are tested against their neighbours in the tree. Changes depend only on the bodies before
 * and after the entry: every process that folds the same log reports the same.
 * Cost: O(bodies · log n + pairs) at the start; then O(changed · (log n + near)).
 *
 * Links: for each slot a doubly linked list in typed arrays. Link 2k leads from the first slot of pair k to the second, link 2k + 1
 * back. O(1) for a link that is made or cut, 28 bytes a pair.
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList, type ItemList } from '../../containers/item-list.ts'
import type { Relation } from '../../core2d/queries/overlap.ts'
import { describeBody } from '../queries/described-body.ts'
import { costlyMeeting, costlyRelation, fetchBody, isCostly, isLight } from '../queries/scene-tasks.ts'
import { type BodyTable, IN_USE } from '../state/body-table.ts'
import type { Kinds } from '../state/geometry.ts'
import { idOf, slotOfId } from '../state/ids.ts'
import { bodyIdOf, type Entry, type Operation } from '../state/operation.ts'
import { apply, applyInSlices, type Scene, takesLong } from '../state/scene.ts'
import { bodiesInBox, bodyAt, boxAt, hasBody, heldBodyAt, presentView, type View } from '../state/view.ts'
import { type ChangedBody, inOrder, type PairChange, TOLD_PAIRS } from './happening.ts'

// Collects the changes of the pairs of a scene with one entry, up to the number that is sent.

/** Bodies by their slots, while their tags stay: made once for all entries that only move them. */
type BodiesBySlot = (ChangedBody | undefined)[]

class PairChanges {
  readonly #touched: TouchedBodies
  readonly #bodies: BodiesBySlot
  readonly #ended: PairChange[] = []
  readonly #others: PairChange[] = []
  /** Pairs of bodies that have gone, or were removed and put again: they may still meet. */
  readonly #parted = new Map<string, readonly [TaggedBody, TaggedBody]>()
  #isMany = false

  constructor(touched: TouchedBodies, bodies: BodiesBySlot) {
    this.#touched = touched
    this.#bodies = bodies
  }

  /** More than are sent. */
  get isMany(): boolean {
    return this.#isMany
  }

  /** A pair that met before, one of which has gone or has another slot now. */
  parted(a: TaggedBody, b: TaggedBody): void {
    if (this.#parted.size > TOLD_PAIRS) this.#isMany = true
    if (!this.#isMany) this.#parted.set(keyOf(a, b), [a, b])
  }

  /** Whether an overlapping pair is wanted, as far as that is known. */
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

  /** In the order in which they are sent, ended pairs first; null: too many to be sent. */
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

const NO_TAGS: readonly string[] = []

interface TaggedBody {
  readonly id: string
  readonly tags: readonly string[]
}

function bodyIn(table: BodyTable, slot: number): TaggedBody {
  return { id: idOf(table.ids, slot), tags: tagsIn(table, slot) }
}

function tagsIn({ tagsOf, tags }: BodyTable, slot: number): readonly string[] {
  const list = tagsOf[slot]
  return list < 0 ? NO_TAGS : tags.lists[list]
}

/**
 * The bodies of an entry before it is applied, and their places afterwards. Slots identify bodies as long as none is removed; where one
 * may be, ids do.
 */
class TouchedBodies {
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
  /** Earlier tags of bodies whose tags changed, by their slots afterwards. */
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

  /** Notes all wanted bodies, before the entry is applied. */
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

function areSameTags(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((tag, k) => tag === b[k]))
}

/** No link. */
const NONE = -1

class PairLinks {
  /** The first link of each slot. */
  #heads = new Int32Array(64).fill(NONE)
  /** Of each link: the slot it leads to, the next of the same slot, and the one before. */
  #to = new Int32Array(128)
  #next = new Int32Array(128)
  #previous = new Int32Array(128)
  #used = 0
  /** The first free pair; the next ones behind it, by the links' `#next`. */
  #free = NONE
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Makes room for slots below `limit`. */
  reserve(limit: number): void {
    if (limit <= this.#heads.length) return
    const larger = new Int32Array(Math.max(limit, 2 * this.#heads.length)).fill(NONE)
    larger.set(this.#heads)
    this.#heads = larger
  }

  first(slot: number): number {
    return this.#heads[slot]
  }

  next(link: number): number {
    return this.#next[link]
  }

  to(link: number): number {
    return this.#to[link]
  }

  join(a: number, b: number): void {
    let link = this.#free
    if (link === NONE) {
      link = this.#used
      this.#used += 2
      if (this.#used > this.#to.length) this.#grow()
    } else this.#free = this.#next[link]
    this.#enter(link, a, b)
    this.#enter(link + 1, b, a)
    this.#count++
  }

  /** Cuts a pair, by either of its links. */
  cut(link: number): void {
    const pair = link & ~1
    this.#leave(pair, this.#to[pair + 1])
    this.#leave(pair + 1, this.#to[pair])
    this.#next[pair] = this.#free
    this.#free = pair
    this.#count--
  }

  #enter(link: number, from: number, to: number): void {
    const next = this.#heads[from]
    this.#to[link] = to
    this.#next[link] = next
    this.#previous[link] = NONE
    if (next !== NONE) this.#previous[next] = link
    this.#heads[from] = link
  }

  #leave(link: number, from: number): void {
    const next = this.#next[link]
    const previous = this.#previous[link]
    if (previous === NONE) this.#heads[from] = next
    else this.#next[previous] = next
    if (next !== NONE) this.#previous[next] = previous
  }

  #grow(): void {
    const grown = (from: Int32Array) => {
      const larger = new Int32Array(2 * from.length)
      larger.set(from)
      return larger
    }
    this.#to = grown(this.#to)
    this.#next = grown(this.#next)
    this.#previous = grown(this.#previous)
  }

  /** The first fault in the links, for tests; null without any. */
  validate(): string | null {
    let links = 0
    for (let slot = 0; slot < this.#heads.length; slot++) {
      const partners = new Set<number>()
      let previous = NONE
      for (let link = this.#heads[slot]; link !== NONE; link = this.#next[link]) {
        if (this.#previous[link] !== previous) return `link ${link} of slot ${slot} does not know the one before it`
        if (this.#to[link ^ 1] !== slot) return `link ${link} of slot ${slot} does not lead back`
        if (partners.has(this.#to[link])) return `slots ${slot} and ${this.#to[link]} are joined twice`
        partners.add(this.#to[link])
        previous = link
        links++
      }
    }
    return links === 2 * this.#count ? null : `${links} links of ${this.#count} pairs`
  }
}

/** Thrown where more pairs meet than are kept. */
class TooManyPairs extends Error {
  constructor() {
    super('More pairs of bodies meet than are kept.')
  }
}

/** Pairs that are kept, at most. */
export const MOST_PAIRS = 1_000_000

const MOST_SIDES = 6
const box = new Float64Array(MOST_SIDES)

export class PairFold {
  readonly #scene: Scene
  readonly #maxPairs: number
  #links = new PairLinks()
  /** Marks of slots, numbers that are never used again: looked at already, or a partner of the one that is looked at. */
  #decided = new Float64Array(64)
  #partner = new Float64Array(64)
  #mark = 0
  #bodies: BodiesBySlot = []
  readonly #held: Kinds['body']
  readonly #near: ItemList = createItemList()

  /** `scene`: a copy that is its own from now on. */
  constructor(scene: Scene, maxPairs = MOST_PAIRS) {
    this.#scene = scene
    this.#held = scene.table.geometry.createBody()
    this.#maxPairs = maxPairs
  }

  get version(): number {
    return this.#scene.version
  }

  /** Of that version. */
  get digest(): Uint8Array {
    return this.#scene.digest
  }

  /** Finds all pairs; to be called once, first. */
  *begin(): FarSlices<void> {
    const pace = new Pace()
    const view = presentView(this.#scene)
    const { used } = this.#scene.table
    this.#links = new PairLinks()
    this.#bodies = []
    this.#reserve(used)
    const look = ++this.#mark
    for (let slot = 0; slot < used; slot++) {
      if (pace.isDue(1)) yield
      if (hasBody(view, slot)) yield* this.#meetAll(view, slot, look, look, pace, null)
      this.#decided[slot] = look
    }
  }

  /**
   * Applies the next entry; the pairs that have begun or ceased to meet with it, and those that go on where tags have changed, in
   * order. Null: too many to be sent.
   */
  *advance(entry: Entry): FarSlices<readonly PairChange[] | null> {
    const pace = new Pace()
    const scene = this.#scene
    const touched = new TouchedBodies(scene.table)
    const isMotion = entry.operations.every(({ op }) => op === 'move')
    if (!isMotion) yield* touched.note(entry.operations, pace)
    if (touched.isCleared && this.#links.count > TOLD_PAIRS) {
      yield* this.#apply(entry)
      yield* this.begin()
      return null
    }
    if (touched.isCleared) yield* touched.noteAll((slot) => this.#links.first(slot) !== NONE, pace)
    const moved = yield* this.#apply(entry)
    const { table } = scene
    this.#reserve(table.used)
    if (touched.isCleared) this.#bodies = []
    const changes = new PairChanges(touched, this.#bodies)
    yield* this.#detach(touched, changes, pace)
    const placed = isMotion ? moved : yield* touched.place(table, pace)
    if (!isMotion) for (const slot of placed) this.#bodies[slot] = undefined
    const view = presentView(scene)
    const look = ++this.#mark
    for (const slot of placed) {
      if (pace.isDue(1)) yield
      yield* this.#decide(view, slot, look, pace, changes)
    }
    return changes.finish()
  }

  /** The slots of the bodies that it has placed. */
  *#apply(entry: Entry): Slices<Iterable<number>> {
    return takesLong(this.#scene, entry) ? yield* applyInSlices(this.#scene, entry) : apply(this.#scene, entry)
  }

  /** Cuts the links of bodies that have gone, or have another slot now. */
  *#detach(touched: TouchedBodies, changes: PairChanges, pace: Pace): Slices<void> {
    const { table } = this.#scene
    const links = this.#links
    for (const slot of touched.gone(table)) {
      if (pace.isDue(1)) yield
      this.#bodies[slot] = undefined
      for (let link = links.first(slot); link !== NONE; link = links.first(slot)) {
        const other = links.to(link)
        links.cut(link)
        if (!changes.isMany) changes.parted(touched.before(table, slot), touched.before(table, other))
        if (pace.isDue(1)) yield
      }
    }
  }

  /** Finds the partners of a body anew. */
  *#decide(view: View, slot: number, look: number, pace: Pace, changes: PairChanges): FarSlices<void> {
    const links = this.#links
    const mark = ++this.#mark
    for (let link = links.first(slot); link !== NONE; link = links.next(link)) {
      const other = links.to(link)
      // with those who have been looked at it is decided already
      if (this.#decided[other] !== look) this.#partner[other] = mark
    }
    yield* this.#meetAll(view, slot, look, mark, pace, changes)
    let next = NONE
    for (let link = links.first(slot); link !== NONE; link = next) {
      next = links.next(link)
      const other = links.to(link)
      if (this.#partner[other] !== mark) continue
      links.cut(link)
      changes.ended(view.table, slot, other)
      if (pace.isDue(1)) yield
    }
    this.#decided[slot] = look
  }

  /** Joins the body to those it meets, but for partners, which have `mark`: those lose it. */
  *#meetAll(
    view: View,
    slot: number,
    look: number,
    mark: number,
    pace: Pace,
    changes: PairChanges | null,
  ): FarSlices<void> {
    const near = this.#near
    const { geometry } = view.table
    boxAt(view, slot, box)
    bodiesInBox(view, box, near)
    let a: Kinds['body'] | null = null
    for (let k = 0; k < near.count; k++) {
      const other = near.items[k]
      if (other === slot || this.#decided[other] === look) {
        if (pace.isDue(1)) yield
        continue
      }
      a ??= isCostly(view, slot) ? yield* fetchBody(view, slot) : heldBodyAt(view, slot, this.#held)
      const b = isCostly(view, other) ? yield* fetchBody(view, other) : bodyAt(view, other)
      const points = geometry.points(a) + geometry.points(b)
      const isKnown = this.#partner[other] === mark
      const isSaid = changes?.isOfInterest(slot, other, isKnown) === true
      let relation: Relation = 1
      if (!isLight(geometry, a, b)) relation = yield* relateInTurns(view, slot, a, other, b, isSaid)
      else if (isSaid) relation = geometry.relate(a, b)
      else if (geometry.bodiesMeet(a, b)) relation = 0
      if (pace.isDue(points)) yield
      if (relation > 0) continue
      if (isKnown) this.#partner[other] = 0
      else if (this.#links.count < this.#maxPairs) this.#links.join(slot, other)
      else throw new TooManyPairs()
      if (isSaid) changes?.meets(view.table, slot, other, isKnown, relation < 0 ? 'overlapping' : 'touching')
    }
  }

  #reserve(limit: number): void {
    this.#links.reserve(limit)
    if (limit <= this.#decided.length) return
    const length = Math.max(limit, 2 * this.#decided.length)
    const decided = new Float64Array(length)
    decided.set(this.#decided)
    this.#decided = decided
    const partner = new Float64Array(length)
    partner.set(this.#partner)
    this.#partner = partner
  }

  /** The first fault, for tests; null without any. */
  validate(): string | null {
    return this.#links.validate()
  }
}

/** `isExact`: whether they overlap or touch is asked too, and not only whether they meet. */
function* relateInTurns(
  view: View,
  slot: number,
  a: Kinds['body'],
  other: number,
  b: Kinds['body'],
  isExact: boolean,
): FarSlices<Relation> {
  const describeA = () => describeBody(view, slot)
  const describeB = () => describeBody(view, other)
  const { geometry } = view.table
  if (!(yield* costlyMeeting(geometry, a, describeA, b, describeB))) return 1
  if (!isExact) return 0
  const again = isCostly(view, other) ? yield* fetchBody(view, other) : bodyAt(view, other)
  return yield* costlyRelation(geometry, a, describeA, again, describeB)
}
