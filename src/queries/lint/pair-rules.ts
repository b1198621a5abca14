/**
 * Rules about two bodies: `overlap`, `inside-solid`, `nearly-touching`.
 *
 * Method: for each body by id, the tree gives those whose boxes come near enough; whether the two overlap is decided exactly, and how deep or how
 * far apart they are is measured as `contact` and `distance` do.
 */

import type { SceneLintRule } from '../../../schemas/scenes/lint.ts'
import type { SceneFilter } from '../../../schemas/scenes/probe.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import type { Relation } from '../../core2d/queries/overlap.ts'
import { type Describe, describeBody } from '../../scene/queries/described-body.ts'
import { queryOverlap } from '../../scene/queries/overlap.ts'
import { costlyContact, costlyDistance, costlyRelation, isLight } from '../../scene/queries/scene-tasks.ts'
import { querySeparate } from '../../scene/queries/separate.ts'
import type { Accepts } from '../../scene/state/filter.ts'
import type { Kinds } from '../../scene/state/geometry.ts'
import { bodiesInBox } from '../../scene/state/view.ts'
import { giveBack, knownMover, type Mover } from '../../wire/decode-probe.ts'
import { type Fix, isBounded, type Lint, listed, roundingOf, shortestSide, shown } from './linting.ts'

type Rule<Name extends string> = Extract<SceneLintRule, { rule: Name }>

/** One part of the shortest side, as the limit where none is given. */
const USUAL_PART = 1000

export const NO_MARGIN = () => 0

/** Two bodies near each other. */
export interface NearPair<K extends Kinds> {
  slot: number
  other: number
  a: K['body']
  b: K['body']
  describeA: Describe
}

interface Sides {
  filter?: SceneFilter
  against?: SceneFilter
}

/**
 * Calls `visit` with each body that passes `filter`, and the slots of those that pass `against` whose boxes come within a margin of its own, by
 * id. `areEqual`: a pair of which both could come first is met from the lesser one alone. `boxOf`: what is looked around instead of its box.
 */
function* visitEach<K extends Kinds>(
  lint: Lint<K>,
  { filter, against }: Sides,
  {
    areEqual,
    marginOf,
    boxOf = (slot) => lint.box(slot),
  }: { areEqual: boolean; marginOf: (box: Float64Array) => number; boxOf?: (slot: number) => Float64Array },
  visit: (
    slot: number,
    others: readonly number[],
    pairWith: (other: number) => FarSlices<NearPair<K>>,
  ) => FarSlices<void>,
): FarSlices<void> {
  const { view, ranks } = lint
  const { geometry } = view.table
  const { axes } = geometry
  const slots = yield* lint.slots(filter)
  const isFirst = lint.accepts(filter)
  const isOther = lint.accepts(against)
  const near = createItemList()
  // not shared, because they are held over pauses
  const own = geometry.createBody()
  const second = geometry.createBody()
  for (const slot of slots) {
    const box = boxOf(slot)
    const margin = marginOf(box)
    for (let k = 0; k < axes; k++) {
      box[k] -= margin
      box[axes + k] += margin
    }
    bodiesInBox(view, box, near)
    const found: number[] = []
    for (let k = 0; k < near.count; k++) {
      const other = near.items[k]
      if (other === slot || !isOther(other)) continue
      if (areEqual && ranks[other] < ranks[slot] && isFirst(other) && isOther(slot)) continue
      found.push(other)
    }
    if (lint.isDue(1 + near.count)) yield
    if (found.length === 0) continue
    found.sort((p, q) => ranks[p] - ranks[q])
    const a = yield* lint.body(slot, own)
    const describeA = () => describeBody(view, slot)
    yield* visit(slot, found, function* (other) {
      const b = yield* lint.body(other, second)
      if (lint.pace.isDue(geometry.points(a) + geometry.points(b))) yield
      return { slot, other, a, b, describeA }
    })
  }
}

/** Calls `visit` with each such pair, once. */
export function* visitNear<K extends Kinds>(
  lint: Lint<K>,
  sides: Sides,
  marginOf: (box: Float64Array) => number,
  visit: (pair: NearPair<K>) => FarSlices<void>,
): FarSlices<void> {
  yield* visitEach(lint, sides, { areEqual: true, marginOf }, function* (_slot, others, pairWith) {
    for (const other of others) yield* visit(yield* pairWith(other))
  })
}

function* relationOf<K extends Kinds>({ view }: Lint<K>, { other, a, b, describeA }: NearPair<K>): FarSlices<Relation> {
  const { geometry } = view.table
  if (isLight(geometry, a, b)) return geometry.relate(a, b)
  return yield* costlyRelation(geometry, a, describeA, b, () => describeBody(view, other))
}

export function* contactOf<K extends Kinds>(
  { view }: Lint<K>,
  { other, a, b, describeA }: NearPair<K>,
): FarSlices<Meeting> {
  const { geometry } = view.table
  const found = geometry.createContact()
  if (isLight(geometry, a, b)) geometry.contact(a, b, found)
  else yield* costlyContact(geometry, a, describeA, b, () => describeBody(view, other), found)
  // of both dimensions
  const { separation, tx, ty, tz, points, count = points.length } = found as unknown as ContactFields
  const [point] = points
  return {
    separation,
    point: count === 0 ? null : [point.x, point.y, point.z ?? 0],
    translation: [tx, ty, tz ?? 0],
  }
}

interface ContactFields {
  separation: number
  tx: number
  ty: number
  tz?: number
  count?: number
  points: { x: number; y: number; z?: number }[]
}

interface Meeting {
  /** Negative for a depth. */
  separation: number
  point: number[] | null
  /** Of the second, after which they touch. */
  translation: number[]
}

/** −Infinity, where nothing parts them, is no number to give. */
function depthOf({ separation }: Meeting): number | null {
  return Number.isFinite(separation) ? -separation : null
}

function named(lint: Lint, slots: readonly number[]): string[] {
  return slots.map((slot) => lint.id(slot))
}

/** Out of what it overlaps, as `separate` has it. */
export function* separateFix<K extends Kinds>(
  lint: Lint<K>,
  slot: number,
  against: SceneFilter | undefined,
): FarSlices<Fix | null> {
  const id = lint.id(slot)
  if (!isBounded(lint.box(slot))) return null
  const mover = yield* knownMover(lint.view, { bodyId: id }, lint.limits)
  const found = yield* querySeparate(lint.view, mover.body, lint.accepts(against, slot), mover.describe)
  giveBack(mover)
  if (found === null || !found.separated) return null
  const { dx, dy, dz = 0 } = found
  const way = [dx, dy, dz]
  const position = lint.vector(lint.position(slot).map((x, k) => x + way[k]))
  return { kind: 'separate', operations: [{ op: 'move', id, position }] }
}

export function* overlapRule<K extends Kinds>(lint: Lint<K>, rule: Rule<'overlap'>): FarSlices<undefined> {
  const { deeperThan = 0 } = rule
  yield* visitNear(lint, rule, NO_MARGIN, function* (pair) {
    if ((yield* relationOf(lint, pair)) >= 0) return
    const meeting = yield* contactOf(lint, pair)
    const depth = depthOf(meeting)
    if (depth !== null && depth <= deeperThan) return
    const { slot, other } = pair
    yield* lint.add(rule, 'warning', () => {
      const [a, b] = named(lint, [slot, other])
      const how = depth === null ? 'and nothing parts them' : `by ${shown(depth)}`
      // the smaller one gets out of the way
      const isSmaller = lint.accepts(rule.filter)(other) && sizeOf(lint, other) < sizeOf(lint, slot)
      return {
        slots: [slot, other],
        point: meeting.point,
        measure: depth,
        message: `${a} and ${b} overlap ${how}.`,
        fix: () => separateFix(lint, isSmaller ? other : slot, isSmaller ? rule.filter : rule.against),
      }
    })
  })
}

/** The sum of the sides of its box. */
function sizeOf(lint: Lint, slot: number): number {
  const box = lint.box(slot)
  const axes = box.length / 2
  return box.subarray(axes).reduce((sum, high, k) => sum + high - box[k], 0)
}

export function* insideSolidRule<K extends Kinds>(lint: Lint<K>, rule: Rule<'inside-solid'>): FarSlices<undefined> {
  const { deeperThan = 0, of = 'body' } = rule
  const isPoint = of === 'position'
  // the position of a body need not be within its box
  const boxOf = (slot: number) => {
    if (!isPoint) return lint.box(slot)
    const position = lint.position(slot)
    return Float64Array.of(...position, ...position)
  }
  yield* visitEach(lint, rule, { areEqual: false, marginOf: NO_MARGIN, boxOf }, function* (slot, others, pairWith) {
    const mover = isPoint ? yield* knownMover(lint.view, pointAt(lint, slot), lint.limits) : null
    const solids: number[] = []
    let deepest: Meeting | null = null
    for (const other of others) {
      const pair = yield* pairWith(other)
      const asked = mover === null ? pair : { ...pair, a: mover.body, describeA: mover.describe }
      if ((yield* relationOf(lint, asked)) >= 0) continue
      const meeting = mover === null ? yield* contactOf(lint, pair) : null
      if (meeting !== null && -meeting.separation <= deeperThan) continue
      solids.push(other)
      if (deepest === null || (meeting !== null && meeting.separation < deepest.separation)) deepest = meeting
    }
    if (mover !== null) giveBack(mover)
    if (solids.length === 0) return
    yield* lint.add(rule, 'error', () => {
      const depth = deepest === null ? null : depthOf(deepest)
      const inside = `inside ${listed(named(lint, solids))}`
      return {
        slots: [slot, ...solids],
        point: isPoint ? lint.position(slot) : (deepest?.point ?? null),
        measure: depth,
        message: `${isPoint ? `The position of ${lint.id(slot)}` : lint.id(slot)} is ${inside}${depth === null ? '' : `, ${shown(depth)} deep`}.`,
        fix: () => separateFix(lint, slot, rule.against),
      }
    })
  })
}

function pointAt(lint: Lint, slot: number): Mover {
  return { body: { shape: { type: 'point' }, position: lint.vector(lint.position(slot)) } } as Mover
}

interface Gap {
  distance: number
  /** Midway. */
  point: number[]
  /** From the first to the second. */
  way: number[]
}

function* gapOf<K extends Kinds>({ view }: Lint<K>, { other, a, b, describeA }: NearPair<K>): FarSlices<Gap> {
  const { geometry } = view.table
  const found = geometry.createDistance()
  if (isLight(geometry, a, b)) geometry.distance(a, b, found)
  else yield* costlyDistance(geometry, a, describeA, b, () => describeBody(view, other), found)
  const { distance, ax, ay, az = 0, bx, by, bz = 0 } = found as unknown as Record<string, number>
  const [from, to] = [
    [ax, ay, az],
    [bx, by, bz],
  ]
  return {
    distance,
    point: from.map((x, k) => x + (to[k] - x) / 2),
    way: from.map((x, k) => to[k] - x),
  }
}

export function* nearlyTouchingRule<K extends Kinds>(
  lint: Lint<K>,
  rule: Rule<'nearly-touching'>,
): FarSlices<undefined> {
  const marginOf = (box: Float64Array) => rule.within ?? shortestSide(box) / USUAL_PART
  yield* visitNear(lint, rule, marginOf, function* (pair) {
    const { slot, other } = pair
    const boxes = [lint.box(slot), lint.box(other)]
    const least = Math.min(...boxes.map(shortestSide))
    const within = rule.within ?? least / USUAL_PART
    if (!Number.isFinite(within)) return
    const relation = yield* relationOf(lint, pair)
    if (relation === 0) return
    const gap = relation > 0 ? yield* gapOf(lint, pair) : null
    const meeting = gap === null ? yield* contactOf(lint, pair) : null
    const measure = gap?.distance ?? meeting?.separation ?? 0
    const noise = rule.moreThan ?? Math.max(...boxes.map(roundingOf))
    if (Math.abs(measure) <= noise || Math.abs(measure) > within) return
    yield* lint.add(rule, 'warning', () => {
      const [a, b] = named(lint, [slot, other])
      const what = gap === null ? 'overlap by only' : 'are apart by only'
      // the first goes to the second, or the second out of the first
      const way = gap?.way ?? meeting?.translation.map((x) => -x) ?? []
      return {
        slots: [slot, other],
        point: gap?.point ?? meeting?.point ?? null,
        measure,
        message: `${a} and ${b} ${what} ${shown(Math.abs(measure))}.`,
        fix: () => touchFix(lint, [slot, other], way),
      }
    })
  })
}

/**
 * Moves one of two that almost touch, so that it meets nothing that it did not meet; null where both would. What it touches it leaves only for a
 * body of a greater id: where there is more room than bodies, moves for one neighbour and back for the other would have no end.
 */
function* touchFix<K extends Kinds>(
  lint: Lint<K>,
  [slot, other]: readonly number[],
  way: readonly number[],
): FarSlices<Fix | null> {
  for (const [moved, fixed, sign] of [
    [slot, other, 1],
    [other, slot, -1],
  ]) {
    const id = lint.id(moved)
    if (!isBounded(lint.box(moved))) continue
    const position = lint.vector(lint.position(moved).map((x, k) => x + sign * way[k]))
    const [here, there] = [{ bodyId: id }, { bodyId: id, pose: { position } } as Mover]
    const before = yield* overlappedBy(lint, here, moved)
    const after = yield* overlappedBy(lint, there, moved)
    // what it touches now may come out a rounding error deep
    const isNew = [...after].some((each) => each !== slot && each !== other && !before.has(each))
    if (isNew) continue
    const greater = (each: number) => each !== moved && lint.ranks[each] > lint.ranks[fixed]
    const touched = yield* touchedBy(lint, here, moved, greater)
    const kept = touched.length === 0 ? touched : yield* touchedBy(lint, there, moved, greater)
    if (touched.every((each) => kept.includes(each)))
      return { kind: 'snap', operations: [{ op: 'move', id, position }] }
  }
  return null
}

/** The slots of those that pass which a body overlaps, or touches but for rounding. */
function* touchedBy<K extends Kinds>(lint: Lint<K>, mover: Mover, slot: number, accepts: Accepts): FarSlices<number[]> {
  const { view } = lint
  const { geometry } = view.table
  const probe = yield* knownMover(view, mover, lint.limits)
  const box = new Float64Array(2 * geometry.axes)
  geometry.measureOuterBox(probe.body, box, 0)
  const noise = roundingOf(box)
  for (let k = 0; k < geometry.axes; k++) {
    box[k] -= noise
    box[geometry.axes + k] += noise
  }
  const near = createItemList()
  bodiesInBox(view, box, near)
  const second = geometry.createBody()
  const touched: number[] = []
  for (const other of [...near.items.subarray(0, near.count)].filter(accepts)) {
    const b = yield* lint.body(other, second)
    const pair = { slot, other, a: probe.body, b, describeA: probe.describe }
    if ((yield* relationOf(lint, pair)) <= 0 || (yield* gapOf(lint, pair)).distance <= noise) touched.push(other)
    if (lint.pace.isDue(geometry.points(b))) yield
  }
  giveBack(probe)
  return touched
}

/** The slots of all that a body touches or overlaps. */
function* overlappedBy<K extends Kinds>(lint: Lint<K>, mover: Mover, self: number): FarSlices<Set<number>> {
  const probe = yield* knownMover(lint.view, mover, lint.limits)
  const { bodies } = yield* queryOverlap(lint.view, {
    probe: probe.body,
    describe: probe.describe,
    accepts: (slot) => slot !== self,
    contacts: false,
    limit: lint.limits.maxResults,
  })
  giveBack(probe)
  return new Set(bodies.map(({ slot }) => slot))
}

/** Whether a body overlaps one of those that pass. */
export function* isInside<K extends Kinds>(lint: Lint<K>, slot: number, accepts: Accepts): FarSlices<boolean> {
  const { view } = lint
  const { geometry } = view.table
  const near = createItemList()
  bodiesInBox(view, lint.box(slot), near)
  const others: number[] = []
  for (let k = 0; k < near.count; k++) {
    const other = near.items[k]
    if (other !== slot && accepts(other)) others.push(other)
  }
  if (others.length === 0) return false
  const a = yield* lint.body(slot, geometry.createBody())
  const second = geometry.createBody()
  const describeA = () => describeBody(view, slot)
  for (const other of others) {
    const b = yield* lint.body(other, second)
    if ((yield* relationOf(lint, { slot, other, a, b, describeA })) < 0) return true
    if (lint.pace.isDue(geometry.points(a) + geometry.points(b))) yield
  }
  return false
}
