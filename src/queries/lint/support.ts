/**
 * What holds bodies up, and which bodies nothing does.
 *
 * A body rests on another that it stands in, or would land on at once. It stands if a chain of bodies that rest on each other leads to one
 * that the rule does not ask about. What does not stand hangs, in groups whose bodies rest on each other.
 * Method: first those that rest on what is not asked about; from these up, each time on one more (breadth first); then the groups, by merging
 * (R. Tarjan, "Efficiency of a good but not linear set union algorithm", JACM 22 (1975)). A pair of bodies is looked at a few times at most.
 */

import type { SceneFilter } from '../../../schemas/scenes/probe.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import { sortInSlices } from '../../containers/sorting.ts'
import type { Accepts } from '../../scene/state/filter.ts'
import { bodiesInBox, slotLimit } from '../../scene/state/view.ts'
import { dropOf } from './falls.ts'
import { isBounded, type Lint, roundingOf, shortestSide } from './linting.ts'

const USUAL_PART = 1000

/** Of the body in a slot: the rule does not ask about it, it is not known to stand, or it stands. */
const UNASKED = 0
const ASKED = 1
const STANDS = 2

export interface SupportRule {
  filter?: SceneFilter
  against?: SceneFilter
  within?: number
}

/** Cost of asking the tree, in points of bodies. */
const TREE_POINTS = 8

class Support {
  readonly lint: Lint
  readonly way: readonly number[]
  readonly isSupport: Accepts
  readonly states: Uint8Array
  readonly near = createItemList()
  readonly #within: number | undefined
  /** The greatest limit of a body. */
  mostWithin = 0

  constructor(lint: Lint, way: readonly number[], { against, within }: SupportRule) {
    this.lint = lint
    this.way = way
    this.isSupport = lint.accepts(against)
    this.states = new Uint8Array(slotLimit(lint.view))
    this.#within = within
  }

  /** How far below a body something is that it rests on, at most. */
  withinOf(box: Float64Array): number {
    return Math.max(this.#within ?? shortestSide(box) / USUAL_PART, roundingOf(box))
  }

  /** The slots of those that might hold a body, in a list that the next call fills anew. */
  below(slot: number, accepts: Accepts): Int32Array {
    const box = this.lint.box(slot)
    return this.#inBox(reached(box, this.way, this.withinOf(box)), (other) => other !== slot && accepts(other))
  }

  /** Of those that a body might hold. */
  above(slot: number, accepts: Accepts): Int32Array {
    return this.#inBox(reached(this.lint.box(slot), this.way, -this.mostWithin), accepts)
  }

  #inBox(box: Float64Array, accepts: Accepts): Int32Array {
    const { near } = this
    bodiesInBox(this.lint.view, box, near)
    let kept = 0
    for (let k = 0; k < near.count; k++) if (accepts(near.items[k])) near.items[kept++] = near.items[k]
    return near.items.subarray(0, kept)
  }

  /** Whether a body rests on one of those that pass. */
  *rests(slot: number, accepts: Accepts): FarSlices<boolean> {
    const { lint, way } = this
    const maxDistance = this.withinOf(lint.box(slot))
    const { status } = yield* dropOf(lint, { bodyId: lint.id(slot) }, { way, maxDistance, accepts })
    return status !== 'nothing-below'
  }
}

/** A box and all that is along the way from it within a distance, back along it if that is negative. */
function reached(box: Float64Array, way: readonly number[], within: number): Float64Array {
  const axes = way.length
  for (let k = 0; k < axes; k++) {
    // a bit more, for rounding
    const along = 2 * within * way[k]
    box[k] += Math.min(0, along)
    box[axes + k] += Math.max(0, along)
  }
  return box
}

/** The groups of bodies that hang, each by id, those that rest on nothing first; by the first of each. What has no bounds always stands. */
export function* hangingGroups(lint: Lint, way: readonly number[], rule: SupportRule): FarSlices<number[][]> {
  const support = new Support(lint, way, rule)
  const { states, isSupport } = support
  const asked: number[] = []
  for (const slot of yield* lint.slots(rule.filter)) {
    if (lint.pace.isDue(1)) yield
    const box = lint.box(slot)
    if (!isBounded(box)) continue
    support.mostWithin = Math.max(support.mostWithin, support.withinOf(box))
    states[slot] = ASKED
    asked.push(slot)
  }
  const holders = yield* lint.slots(rule.against)
  const standing = holders.some((slot) => states[slot] === UNASKED) ? yield* standOnOthers(support, asked) : []
  for (let k = 0; k < standing.length; k++) {
    if (isSupport(standing[k])) yield* standOn(support, standing[k], standing)
  }
  return yield* groupsOf(
    support,
    asked.filter((slot) => states[slot] === ASKED),
  )
}

/** Those that rest on what is not asked about. */
function* standOnOthers(support: Support, asked: readonly number[]): FarSlices<number[]> {
  const { lint, states, isSupport } = support
  const holds: Accepts = (other) => states[other] === UNASKED && isSupport(other)
  const standing: number[] = []
  for (const slot of asked) {
    if (lint.isDue(TREE_POINTS)) yield
    if (support.below(slot, holds).length === 0 || !(yield* support.rests(slot, holds))) continue
    states[slot] = STANDS
    standing.push(slot)
  }
  return standing
}

/** Adds those that rest on one that stands. */
function* standOn(support: Support, holder: number, standing: number[]): FarSlices<void> {
  const { lint, states } = support
  for (const slot of support.above(holder, (other) => states[other] === ASKED).slice()) {
    if (lint.pace.isDue(TREE_POINTS)) yield
    if (!support.below(slot, (other) => other === holder).length) continue
    if (!(yield* support.rests(slot, (other) => other === holder))) continue
    states[slot] = STANDS
    standing.push(slot)
  }
}

function* groupsOf(support: Support, hanging: readonly number[]): FarSlices<number[][]> {
  const { lint, states, isSupport } = support
  const parents = new Map<number, number>()
  const rootOf = (slot: number): number => {
    let root = slot
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent
    for (let at = slot; at !== root; ) {
      const next = parents.get(at) as number
      parents.set(at, root)
      at = next
    }
    return root
  }
  const held = new Set<number>()
  const joined = new Set<number>()
  for (const slot of hanging) {
    if (lint.isDue(TREE_POINTS)) yield
    for (const other of support.below(slot, (near) => states[near] === ASKED && isSupport(near)).slice()) {
      const [p, q] = [rootOf(slot), rootOf(other)]
      if ((p === q && held.has(slot)) || !(yield* support.rests(slot, (each) => each === other))) continue
      held.add(slot)
      joined.add(slot).add(other)
      if (p !== q) parents.set(p, q)
    }
  }
  const lists: number[][] = []
  const groups = new Map<number, { free: number[]; held: number[] }>()
  for (const slot of hanging) {
    if (lint.pace.isDue(1)) yield
    if (!joined.has(slot)) {
      lists.push([slot])
      continue
    }
    const root = rootOf(slot)
    const group = groups.get(root) ?? { free: [], held: [] }
    groups.set(root, group)
    group[held.has(slot) ? 'held' : 'free'].push(slot)
  }
  for (const group of groups.values()) {
    lists.push([...group.free, ...group.held])
    if (lint.pace.isDue(1)) yield
  }
  yield* sortInSlices(lists, ([p], [q]) => lint.ranks[p] - lint.ranks[q], lint.pace)
  return lists
}
