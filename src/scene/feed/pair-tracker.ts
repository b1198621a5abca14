/**
 * Which bodies of a scene meet, version by version, and what has changed about that.
 *
 * Method: partners are kept for each body. A write is looked at body by body: what it has changed is asked for those it meets by
 * the tree, and nobody else. Each version is looked at through a view of its own, in slices, while writes go on.
 * Cost: O(bodies + pairs) at the start; then O(changed · (log n + near)).
 */
import type { FarSlices } from '../../containers/far-call.ts'
import { Pace } from '../../containers/pace.ts'
import { createItemList, type ItemList } from '../../core2d/bvh/dynamic-tree-queries.ts'
import { bodiesMeet } from '../../core2d/pair-queries/bodies-meet.ts'
import { relate } from '../../core2d/pair-queries/overlap.ts'
import { type Body, createBody } from '../../core2d/shape/body.ts'
import { isLight, meetHeavy, relateHeavy } from '../queries/narrowing.ts'
import { fetchBody, isDear } from '../state/dear-body.ts'
import { farBodyAt } from '../state/far-body.ts'
import {
  bodiesInBox,
  bodyAt,
  boxAt,
  findBody,
  hasBody,
  heldBodyAt,
  idAt,
  slotLimit,
  tagsAt,
  type View,
} from '../state/view.ts'
import { bodyWeight } from '../table/body-cache.ts'
import type { Operation } from '../table/operation.ts'
import type { ChangedBody, PairChange } from './pair-change.ts'

/** Thrown where more pairs meet than are kept. */
export class TooManyPairs extends Error {}

interface Node {
  readonly id: string
  /** −1: it is gone. */
  slot: number
  /** It meets them. */
  partners: Node[]
  tags: readonly string[]
  tagsBefore: readonly string[]
  /** The look at which it was decided; while it is looked at, marks of others tell what they are to it. */
  decided: number
  mark: number
}

const NO_TAGS: readonly string[] = []
const box = new Float64Array(4)

export class PairTracker {
  readonly #maxPairs: number
  #nodes = new Map<string, Node>()
  #nodeOfSlot: (Node | null)[] = []
  #pairCount = 0
  #look = 0
  #mark = 0
  readonly #held = createBody()
  readonly #near: ItemList = createItemList()

  constructor(maxPairs: number) {
    this.#maxPairs = maxPairs
  }

  get pairCount(): number {
    return this.#pairCount
  }

  /** Finds all pairs of a view; to be called once, first. */
  *begin(view: View): FarSlices<void> {
    const pace = new Pace()
    const nodes: Node[] = []
    for (let slot = 0; slot < slotLimit(view); slot++) {
      if (pace.isDue(4)) yield
      if (!hasBody(view, slot)) continue
      nodes.push(this.#place(view, idAt(view, slot), slot))
    }
    yield* this.#decide(view, nodes, pace, false)
  }

  /** The pairs that have begun or ceased to meet, or whose tags have changed, from the last view to this one. */
  *advance(view: View, entries: readonly (readonly Operation[])[]): FarSlices<PairChange[]> {
    const pace = new Pace()
    const touched = yield* this.#touched(entries, pace)
    const nodes: Node[] = []
    for (const id of touched) {
      const node = this.#nodes.get(id)
      if (node !== undefined && node.slot >= 0 && this.#nodeOfSlot[node.slot] === node)
        this.#nodeOfSlot[node.slot] = null
      if (pace.isDue(1)) yield
    }
    for (const id of touched) {
      const slot = findBody(view, id)
      if (slot >= 0) nodes.push(this.#place(view, id, slot))
      else {
        const node = this.#nodes.get(id)
        if (node === undefined) continue
        node.slot = -1
        node.tagsBefore = node.tags
        this.#nodes.delete(id)
        nodes.push(node)
      }
      if (pace.isDue(2)) yield
    }
    const changes = yield* this.#decide(view, nodes, pace, true)
    for (const node of nodes) {
      node.tagsBefore = node.tags
      if (pace.isDue(1)) yield
    }
    return changes
  }

  /** Ids of the bodies that may have come to lie otherwise, or have other tags. */
  *#touched(entries: readonly (readonly Operation[])[], pace: Pace): FarSlices<Set<string>> {
    const touched = new Set<string>()
    for (const operations of entries) {
      for (const operation of operations) {
        if (pace.isDue(1)) yield
        if (operation.op === 'put') touched.add(operation.body.id)
        else if (operation.op === 'remove' || operation.op === 'patch') touched.add(operation.id)
        else if (operation.op === 'move') {
          if (operation.position !== undefined || operation.rotation !== undefined) touched.add(operation.id)
        } else if (operation.op === 'clear') {
          // the slots of another table from here on
          this.#nodeOfSlot = []
          for (const id of this.#nodes.keys()) {
            touched.add(id)
            if (pace.isDue(1)) yield
          }
        }
      }
    }
    return touched
  }

  #place(view: View, id: string, slot: number): Node {
    const list = tagsAt(view, slot)
    const tags = list < 0 ? NO_TAGS : view.table.tags.lists[list]
    let node = this.#nodes.get(id)
    if (node === undefined) {
      node = { id, slot, partners: [], tags, tagsBefore: tags, decided: 0, mark: 0 }
      this.#nodes.set(id, node)
    } else {
      node.slot = slot
      node.tagsBefore = node.tags
      node.tags = tags
    }
    this.#nodeOfSlot[slot] = node
    return node
  }

  /** Finds the partners of the bodies anew. */
  *#decide(view: View, nodes: readonly Node[], pace: Pace, areTold: boolean): FarSlices<PairChange[]> {
    const changes: PairChange[] = []
    const look = ++this.#look
    for (const node of nodes) {
      if (pace.isDue(1)) yield
      const former = ++this.#mark
      const still = ++this.#mark
      // with those who have been looked at it is decided already
      const before = node.partners.filter(({ decided }) => decided !== look)
      for (const partner of before) partner.mark = former
      if (node.slot >= 0) yield* this.#meetAll(view, node, look, former, still, pace, areTold, changes)
      for (const partner of before) {
        if (pace.isDue(1)) yield
        if (partner.mark === still) continue
        part(partner, node)
        this.#pairCount--
        if (areTold) changes.push(changeOf(node, partner, true, false, 'separated'))
      }
      if (before.length > 0) node.partners = node.partners.filter(({ mark }) => mark !== former)
      node.decided = look
    }
    return changes
  }

  *#meetAll(
    view: View,
    node: Node,
    look: number,
    former: number,
    still: number,
    pace: Pace,
    areTold: boolean,
    changes: PairChange[],
  ): FarSlices<void> {
    const near = this.#near
    const { slot } = node
    boxAt(view, slot, box)
    bodiesInBox(view, box[0], box[1], box[2], box[3], near)
    let a: Body | null = null
    for (let k = 0; k < near.count; k++) {
      const other = this.#nodeOfSlot[near.items[k]]
      if (other === node || other === null || other === undefined || other.decided === look) {
        if (pace.isDue(1)) yield
        continue
      }
      a ??= isDear(view, slot) ? yield* fetchBody(view, slot) : heldBodyAt(view, slot, this.#held)
      const b = isDear(view, other.slot) ? yield* fetchBody(view, other.slot) : bodyAt(view, other.slot)
      const points = bodyWeight(a) + bodyWeight(b)
      const isKnown = other.mark === former
      const isRetagged = node.tags !== node.tagsBefore || other.tags !== other.tagsBefore
      const isSaid = areTold && (!isKnown || isRetagged)
      const light = isLight(a, b)
      const farA = () => farBodyAt(view, slot)
      const farB = () => farBodyAt(view, other.slot)
      const meets = light ? bodiesMeet(a, b) : yield* meetHeavy(a, farA, b, farB)
      let relation = 0
      if (meets && isSaid && !light) {
        const again = isDear(view, other.slot) ? yield* fetchBody(view, other.slot) : bodyAt(view, other.slot)
        relation = yield* relateHeavy(a, farA, again, farB)
      } else if (meets && isSaid) relation = relate(a, b)
      if (pace.isDue(points)) yield
      if (!meets) continue
      if (isKnown) other.mark = still
      else this.#join(node, other)
      if (isSaid) changes.push(changeOf(node, other, isKnown, true, relation < 0 ? 'overlapping' : 'touching'))
    }
  }

  #join(node: Node, other: Node): void {
    if (++this.#pairCount > this.#maxPairs) throw new TooManyPairs()
    node.partners.push(other)
    other.partners.push(node)
  }
}

/** Takes a partner out of the list of a body. */
function part(node: Node, partner: Node): void {
  const { partners } = node
  partners[partners.indexOf(partner)] = partners[partners.length - 1]
  partners.pop()
}

function changeOf(
  node: Node,
  other: Node,
  metBefore: boolean,
  meets: boolean,
  relation: PairChange['relation'],
): PairChange {
  const isFirst = node.id < other.id
  const a = isFirst ? node : other
  const b = isFirst ? other : node
  return { a: told(a), b: told(b), metBefore, meets, relation }
}

function told({ id, tags, tagsBefore }: Node): ChangedBody {
  return { id, tags, tagsBefore }
}
