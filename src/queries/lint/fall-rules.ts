/**
 * Rules about what holds bodies up: `floating`, `sunk`.
 *
 * Method: the query `drop`. What floats is what nothing holds up (`support.ts`), in groups that fall as one. What has sunk is lifted until it
 * is free, and dropped again: where it lands is where it should have stood.
 */

import type { SceneLintRule, SceneLintRule3d } from '../../../schemas/scenes/lint.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import type { Accepts } from '../../scene/state/filter.ts'
import type { Kinds } from '../../scene/state/geometry.ts'
import type { Mover } from '../../wire/decode-probe.ts'
import type { DecodeProblem } from '../../wire/decode-problem.ts'
import { downOf } from './down.ts'
import { dropOf } from './falls.ts'
import { type Fix, type Found, isBounded, type Lint, listed, middleOf, shown, sidesOf } from './linting.ts'
import { isInside } from './pair-rules.ts'
import { hangingGroups } from './support.ts'

type Rule<Name extends string> = Extract<SceneLintRule | SceneLintRule3d, { rule: Name }>

/** Of larger groups it is not looked for how far they would fall. */
const MOST_FALLING = 256

interface Move {
  slot: number
  place: readonly number[]
}

function dropFix(lint: Lint, moves: readonly Move[]): Fix {
  const operations = moves.map(({ slot, place }) => ({
    op: 'move' as const,
    id: lint.id(slot),
    position: lint.vector(place),
  }))
  return { kind: 'drop', operations }
}

export function* floatingRule<K extends Kinds>(
  lint: Lint<K>,
  rule: Rule<'floating'>,
): FarSlices<DecodeProblem | undefined> {
  const way = downOf(lint, rule)
  if ('ok' in way) return way
  const isSupport = lint.accepts(rule.against)
  for (const group of yield* hangingGroups(lint, way, rule)) {
    if (lint.pace.isDue(1)) yield
    yield* lint.add(rule, 'warning', () => floatOf(lint, group, way, isSupport))
  }
  return undefined
}

/** How far the bodies of a group float above what, if they fall as one. */
function* floatOf<K extends Kinds>(
  lint: Lint<K>,
  group: readonly number[],
  way: readonly number[],
  isSupport: Accepts,
): FarSlices<Found> {
  const found = { slots: group, point: middleOf(lint.box(group[0])), measure: null }
  const [isOne, names] = [group.length === 1, listed(group.map((slot) => lint.id(slot)))]
  const float = `${names} ${isOne ? 'floats' : 'float'}`
  if (group.length > MOST_FALLING) return { ...found, message: `${float}: nothing holds them up.` }
  const own = new Set(group)
  const accepts: Accepts = (other) => !own.has(other) && isSupport(other)
  let first: { slot: number; place: readonly number[]; distance: number; on: string } | null = null
  for (const slot of group) {
    const maxDistance: number = first?.distance ?? Infinity
    const { distance, position, contact } = yield* dropOf(
      lint,
      { bodyId: lint.id(slot) },
      { way, maxDistance, accepts },
    )
    if (contact !== null && distance < maxDistance) first = { slot, place: position, distance, on: contact.id }
  }
  if (first === null) return { ...found, message: `${float}: there is nothing below ${isOne ? 'it' : 'them'}.` }
  const { slot: landed, place, distance, on } = first
  const from = lint.position(landed)
  return {
    ...found,
    measure: distance,
    message: `${float} ${shown(distance)} above ${on}.`,
    fix: () =>
      dropFix(
        lint,
        group.map((slot) => ({
          slot,
          place: slot === landed ? place : lint.position(slot).map((x, k) => x + (place[k] - from[k])),
        })),
      ),
  }
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
      fix: () => dropFix(lint, [{ slot, place: position }]),
    }))
  }
  return undefined
}
