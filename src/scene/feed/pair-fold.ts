/**
 * Which bodies of a scene meet, version by version, and what has changed about that: a fold over the entries of its log.
 *
 * Method: a copy of the scene, which nobody else looks at, and links between the slots of those that meet. An entry is applied to
 * the copy; then the bodies that it has placed are asked for those they meet by the tree, and nobody else. What is told hangs on the
 * bodies before the entry and after it alone: whoever folds the same log tells the same.
 * Cost: O(bodies · log n + pairs) at the start; then O(changed · (log n + near)).
 */
import type { FarSlices } from '../../containers/far-call.ts'
import { Pace, type Slices } from '../../containers/pace.ts'
import { createItemList, type ItemList } from '../../core2d/bvh/dynamic-tree-queries.ts'
import { bodiesMeet } from '../../core2d/pair-queries/bodies-meet.ts'
import { type Relation, relate } from '../../core2d/pair-queries/overlap.ts'
import { type Body, createBody } from '../../core2d/shape/body.ts'
import { isLight, meetHeavy, relateHeavy } from '../queries/narrowing.ts'
import { fetchBody, isDear } from '../state/dear-body.ts'
import { farBodyAt } from '../state/far-body.ts'
import { apply, applyInSlices, type Scene, takesLong } from '../state/scene.ts'
import { bodiesInBox, bodyAt, boxAt, hasBody, heldBodyAt, presentView, type View } from '../state/view.ts'
import { bodyWeight } from '../table/body-cache.ts'
import type { Entry } from '../table/operation.ts'
import { TOLD_PAIRS } from './happening.ts'
import type { PairChange } from './pair-change.ts'
import { PairChanges, type ToldBodies } from './pair-changes.ts'
import { NONE, PairLinks } from './pair-links.ts'
import { TouchedBodies } from './touched-bodies.ts'

/** Thrown where more pairs meet than are kept. */
export class TooManyPairs extends Error {
  constructor() {
    super('More pairs of bodies meet than are kept.')
  }
}

/** Pairs that are kept, at most. */
export const MOST_PAIRS = 1_000_000

const box = new Float64Array(4)

export class PairFold {
  readonly #scene: Scene
  readonly #maxPairs: number
  #links = new PairLinks()
  /** Marks of slots, numbers that are never used again: looked at already, or a partner of the one that is looked at. */
  #decided = new Float64Array(64)
  #partner = new Float64Array(64)
  #mark = 0
  #bodies: ToldBodies = []
  readonly #held = createBody()
  readonly #near: ItemList = createItemList()

  /** `scene`: a copy that is its own from now on. */
  constructor(scene: Scene, maxPairs = MOST_PAIRS) {
    this.#scene = scene
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
   * order. Null: more than are told.
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
    boxAt(view, slot, box)
    bodiesInBox(view, box[0], box[1], box[2], box[3], near)
    let a: Body | null = null
    for (let k = 0; k < near.count; k++) {
      const other = near.items[k]
      if (other === slot || this.#decided[other] === look) {
        if (pace.isDue(1)) yield
        continue
      }
      a ??= isDear(view, slot) ? yield* fetchBody(view, slot) : heldBodyAt(view, slot, this.#held)
      const b = isDear(view, other) ? yield* fetchBody(view, other) : bodyAt(view, other)
      const points = bodyWeight(a) + bodyWeight(b)
      const isKnown = this.#partner[other] === mark
      const isSaid = changes?.isOfInterest(slot, other, isKnown) === true
      let relation: Relation = 1
      if (!isLight(a, b)) relation = yield* relateInTurns(view, slot, a, other, b, isSaid)
      else if (isSaid) relation = relate(a, b)
      else if (bodiesMeet(a, b)) relation = 0
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

  /** What is wrong with it, for tests; null when nothing is. */
  validate(): string | null {
    return this.#links.validate()
  }
}

/** `isExact`: whether they overlap or touch is asked too, and not only whether they meet. */
function* relateInTurns(
  view: View,
  slot: number,
  a: Body,
  other: number,
  b: Body,
  isExact: boolean,
): FarSlices<Relation> {
  const farA = () => farBodyAt(view, slot)
  const farB = () => farBodyAt(view, other)
  if (!(yield* meetHeavy(a, farA, b, farB))) return 1
  if (!isExact) return 0
  const again = isDear(view, other) ? yield* fetchBody(view, other) : bodyAt(view, other)
  return yield* relateHeavy(a, farA, again, farB)
}
