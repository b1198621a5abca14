/**
 * Rules about what holds bodies up: `floating`, `sunk`.
 *
 * Method: the query `drop`. What floats falls farther than it may. What has sunk is lifted until it is free, and dropped again: where it lands is
 * where it should have stood.
 */

import type { SceneLintRule, SceneLintRule3d } from '../../../schemas/scenes/lint.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import type { Accepts } from '../../scene/state/filter.ts'
import type { Kinds } from '../../scene/state/geometry.ts'
import { bodiesInBox } from '../../scene/state/view.ts'
import type { Mover } from '../../wire/decode-probe.ts'
import type { DecodeProblem } from '../../wire/decode-problem.ts'
import { downOf } from './down.ts'
import { dropOf } from './falls.ts'
import {
  type Fix,
  type Found,
  isBounded,
  type Lint,
  middleOf,
  roundingOf,
  shortestSide,
  shown,
  sidesOf,
} from './linting.ts'
import { isInside } from './pair-rules.ts'

type Rule<Name extends string> = Extract<SceneLintRule | SceneLintRule3d, { rule: Name }>

const USUAL_PART = 1000

function dropFix(lint: Lint, slot: number, place: readonly number[]): () => Fix {
  return () => ({ kind: 'drop', operations: [{ op: 'move', id: lint.id(slot), position: lint.vector(place) }] })
}

export function* floatingRule<K extends Kinds>(
  lint: Lint<K>,
  rule: Rule<'floating'>,
): FarSlices<DecodeProblem | undefined> {
  const way = downOf(lint, rule)
  if ('ok' in way) return way
  const near = createItemList()
  const isSupport = lint.accepts(rule.against)
  for (const slot of yield* lint.slots(rule.filter)) {
    if (lint.isDue(8)) yield
    const box = lint.box(slot)
    if (!isBounded(box)) continue
    const accepts: Accepts = (other) => other !== slot && isSupport(other)
    const within = Math.max(rule.within ?? shortestSide(box) / USUAL_PART, roundingOf(box))
    const mover = { bodyId: lint.id(slot) }
    bodiesInBox(lint.view, reached(box, way, within), near)
    if (near.items.subarray(0, near.count).some(accepts)) {
      const { status } = yield* dropOf(lint, mover, { way, maxDistance: within, accepts })
      if (status !== 'nothing-below') continue
    }
    yield* lint.add(rule, 'warning', () => floatOf(lint, slot, way, accepts))
  }
  return undefined
}

/** A box and all that is straight below it within a distance. */
function reached(box: Float64Array, way: readonly number[], within: number): Float64Array {
  const axes = way.length
  return box.map((side, k) => {
    const along = within * way[k % axes]
    // a bit more, for rounding
    return k < axes ? side + Math.min(0, 2 * along) : side + Math.max(0, 2 * along)
  })
}

/** How far a body floats above what. */
function* floatOf<K extends Kinds>(
  lint: Lint<K>,
  slot: number,
  way: readonly number[],
  accepts: Accepts,
): FarSlices<Found> {
  const id = lint.id(slot)
  const { status, distance, position, contact } = yield* dropOf(
    lint,
    { bodyId: id },
    { way, maxDistance: Infinity, accepts },
  )
  const found = { slots: [slot], point: middleOf(lint.box(slot)) }
  if (status !== 'landed' || contact === null) {
    return { ...found, measure: null, message: `${id} floats: there is nothing below it.` }
  }
  const message = `${id} floats ${shown(distance)} above ${contact.id}.`
  return { ...found, measure: distance, message, fix: dropFix(lint, slot, position) }
}

export function* sunkRule<K extends Kinds>(lint: Lint<K>, rule: Rule<'sunk'>): FarSlices<DecodeProblem | undefined> {
  const way = downOf(lint, rule)
  if ('ok' in way) return way
  const { deeperThan = 0, against } = rule
  for (const slot of yield* lint.slots(rule.filter)) {
    if (lint.isDue(4)) yield
    const box = lint.box(slot)
    if (!isBounded(box)) continue
    const accepts = lint.accepts(against, slot)
    if (!(yield* isInside(lint, slot, accepts))) continue
    const height = sidesOf(box).reduce((sum, side, k) => sum + Math.abs(way[k]) * side, 0)
    const within = rule.within ?? height / 2
    const id = lint.id(slot)
    const lifted = lint.vector(lint.position(slot).map((x, k) => x - within * way[k]))
    const mover = { bodyId: id, pose: { position: lifted } } as Mover
    const { status, distance, position, contact } = yield* dropOf(lint, mover, { way, maxDistance: within, accepts })
    if (status !== 'landed' || contact === null) continue
    const depth = within - distance
    if (depth <= deeperThan) continue
    yield* lint.add(rule, 'warning', () => ({
      slots: [slot, lint.slotOf(contact.id)],
      point: contact.point,
      measure: depth,
      message: `${id} has sunk ${shown(depth)} into ${contact.id}.`,
      fix: dropFix(lint, slot, position),
    }))
  }
  return undefined
}
