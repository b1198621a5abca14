/**
 * The query `snap` in space: small motions that bring a feature of a body exactly onto a feature of another body or of a grid, without
 * any overlap.
 *
 * Method: as in the plane (`snap.ts`). Candidates are the pairs of features (`snap-features-3d.ts`, `snap-pairs-3d.ts`) of the body and of
 * the bodies near it, and for curved boundaries the gap between the two bodies. In order of distance, each candidate is tested exactly at
 * its end, until enough are found. Where rounding leaves the body in something there, or off a face, it is put on the next doubles along
 * the way off the face where it touches, or where it overlaps nothing; of points and edges that way is the normal of their contact.
 * Frame: world.
 */

import { Pace, withinOrNull } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import { compareIds } from '../../containers/ranking.ts'
import { sortInSlices } from '../../containers/sorting.ts'
import { type ContactPoint, contactPoints } from '../../core3d/queries/contact-points.ts'
import { POSITION, positionOf, REACH, type Vector } from '../../core3d/shape/body.ts'
import { carry } from '../../core3d/shape/position.ts'
import { angleOf, type Turn } from '../../core3d/shape/turn.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import type { Accepts } from '../state/filter.ts'
import { SPACE, type Space } from '../state/geometry.ts'
import { bodiesInBox, bodyAt, boxAt, idAt, type View } from '../state/view.ts'
import { type Describe, describeBody } from './described-body.ts'
import { costlyContact, fetchBody, isCostly, isLight } from './scene-tasks.ts'
import {
  baseIn,
  boxCornersOf3d,
  featuresOf3d,
  type SnapFeature3d,
  type SnapFeatures3d,
  type SnapKind3d,
  type Window3d,
} from './snap-features-3d.ts'
import {
  addGrid3d,
  addPairs3d,
  placeOnto,
  type SnapCandidate3d,
  type SnapEffort,
  type SnapGrid3d,
  type SnapSource3d,
} from './snap-pairs-3d.ts'
import { LIGHT_STEPS } from './thresholds.ts'
import { LAST_PLACE_RATIO, NO_WAY_OUT_RATIO, ROUNDING_RATIO } from './tolerances.ts'
import { type Line, putWalker3d, relationTo, settleOnLine, vectorOf, type Walker3d, walkerOf } from './walker-3d.ts'

type Body = Space['body']

export interface SnapQuery3d extends SnapSource3d {
  readonly kinds: ReadonlySet<SnapKind3d>
  /** null: there is none. */
  readonly grid: SnapGrid3d | null
  readonly accepts: Accepts
  /** Most results. */
  readonly limit: number
  /** The body as it is turned then, or as it stands if null, prepared at the origin; its own to move. */
  prepared(orientation: Turn | null): FarSlices<{ body: Body; describe: Describe }>
}

export interface SnapAnswer3d {
  readonly found: SnapCandidate3d[]
  readonly truncated: boolean
}

/** Most candidates that are tried, and most turns for which the body is kept prepared. */
const MOST_TRIES = 2 ** 12
const MOST_TURNS = 16

const near = createItemList()
const box = new Float64Array(6)
const met = SPACE.createContact()

export function* querySnap3d(view: View<Space>, query: SnapQuery3d): FarSlices<SnapAnswer3d> {
  const { kinds, grid, accepts, position } = query
  const pace = new Pace()
  const trial = yield* trialOf(view, query, null, pace)
  const { body } = trial
  putWalker3d(trial, position)
  const window = windowAround(body, query)
  const all = query.mayTurn ? yield* featuresOf3d(body, kinds, null, pace) : null
  const candidates: SnapCandidate3d[] = []
  const effort: SnapEffort = { corners: 0, boxes: 0 }
  bodiesInBox(view, window, near)
  for (const slot of near.items.slice(0, near.count)) {
    if (pace.isDue(1)) yield
    if (!accepts(slot)) continue
    const other = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
    const target = yield* featuresOf3d(other, kinds, window, pace)
    const own = all ?? (yield* featuresOf3d(body, kinds, reachable(view, slot, query, body), pace))
    yield* addPairs3d(candidates, query, own.list, target.list, slot, effort, pace)
    if (kinds.has('face') && (own.isRound || target.isRound)) yield* addGap(candidates, query, trial, slot)
  }
  if (grid !== null) addGrid3d(candidates, query, yield* ownOfGrid(body, kinds, all, pace), grid)
  return yield* firstFree(view, query, candidates, trial)
}

function* ownOfGrid(
  body: Body,
  kinds: ReadonlySet<SnapKind3d>,
  all: SnapFeatures3d | null,
  pace: Pace,
): FarSlices<readonly SnapFeature3d[]> {
  const { list } = all ?? (yield* featuresOf3d(body, kinds, null, pace))
  return list.length === 0 ? boxCornersOf3d(body) : list
}

function* trialOf(
  view: View<Space>,
  { accepts, prepared }: SnapQuery3d,
  orientation: Turn | null,
  pace: Pace,
): FarSlices<Walker3d> {
  const { body, describe } = yield* prepared(orientation)
  return walkerOf(view, carry(body), accepts, describe, pace)
}

/** The box that the body may reach, with or without a turn. */
function windowAround(body: Body, { maxDistance, mayTurn, position }: SnapSource3d): Window3d {
  SPACE.measureOuterBox(body, box, 0)
  const window = new Float64Array(6)
  let far = 0
  for (let k = 0; k < 3; k++) far += Math.max(box[k + 3] - position[k], position[k] - box[k])
  for (let k = 0; k < 3; k++) {
    window[k] = (mayTurn ? position[k] - far : box[k]) - maxDistance
    window[k + 3] = (mayTurn ? position[k] + far : box[k + 3]) + maxDistance
  }
  return window
}

/** Where features of the body must be to reach a body of the scene without a turn. */
function reachable(view: View<Space>, slot: number, { maxDistance }: SnapSource3d, { numbers }: Body): Window3d {
  const window = new Float64Array(6)
  boxAt(view, slot, window)
  for (let k = 0; k < 3; k++) {
    const slack = maxDistance + ROUNDING_RATIO * (Math.abs(numbers[POSITION + k]) + numbers[REACH])
    window[k] -= slack
    window[k + 3] += slack
  }
  return window
}

/** Adds the motion that closes the gap between the bodies, or takes the one out of the other: one of them is curved. */
function* addGap(
  out: SnapCandidate3d[],
  { position, maxDistance }: SnapSource3d,
  trial: Walker3d,
  slot: number,
): FarSlices<void> {
  yield* meet(trial, slot)
  const { hasNormal, separation, nx, ny, nz, tx, ty, tz } = met
  if (!hasNormal || !(Math.abs(separation) <= maxDistance)) return
  const shift = separation > 0 ? [-separation * nx, -separation * ny, -separation * nz] : [tx, ty, tz]
  const place = shift.map((way, k) => position[k] + way + 0) as unknown as Vector
  const distance = vectorLength3d(shift[0], shift[1], shift[2])
  if (distance > maxDistance) return
  const point = nearestPoint(trial, slot)
  const none: readonly number[] = []
  out.push({
    position: place,
    distance,
    turn: null,
    orientation: null,
    off: [nx, ny, nz],
    own: touched(point?.featureB ?? none, point?.leafB ?? -1, position),
    target: touched(point?.featureA ?? none, point?.leafA ?? -1, position),
    slot,
  })
}

/** The contact point of what `met` is of, however far apart; null where it takes too long. */
function nearestPoint({ view, body }: Walker3d, slot: number): ContactPoint | null {
  if (met.points.length > 0) return met.points[0]
  const points = () => contactPoints(bodyAt(view, slot), body, met, Math.max(0, met.separation), 1)
  return withinOrNull(LIGHT_STEPS, points)?.[0] ?? null
}

function touched(names: readonly number[], leaf: number, at: Vector): SnapFeature3d {
  const place = { at, low: at }
  return {
    kind: 'touched',
    size: 0,
    leaf,
    points: [],
    names,
    places: [],
    base: place,
    way: null,
    skin: 0,
    isEndless: false,
    cap: 0,
  }
}

/** Sets `met` to the contact of a body of the scene with the one that is tried, with its points however far they are. */
function* meet({ view, body, describe }: Walker3d, slot: number): FarSlices<void> {
  const other = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  if (isLight(SPACE, other, body)) SPACE.contact(other, body, met)
  else yield* costlyContact(SPACE, other, () => describeBody(view, slot), body, describe, met)
}

// Trying candidates.

/** The first candidates at whose ends nothing is overlapped. */
function* firstFree(
  view: View<Space>,
  query: SnapQuery3d,
  candidates: SnapCandidate3d[],
  unturned: Walker3d,
): FarSlices<SnapAnswer3d> {
  const { pace } = unturned
  yield* sortInSlices(candidates, (a, b) => compare(view, a, b), pace)
  const found: SnapCandidate3d[] = []
  const seen = new Set<string>()
  const trials = new Map([['', unturned]])
  let truncated = false
  for (const candidate of candidates) {
    const { position, orientation } = candidate
    const turn = orientation === null ? '' : orientation.join(' ')
    const place = `${position.join(' ')} ${turn}`
    if (seen.has(place)) continue
    truncated = found.length === query.limit || seen.size === MOST_TRIES
    if (truncated) break
    seen.add(place)
    let trial = trials.get(turn)
    if (trial === undefined) {
      if (trials.size === MOST_TURNS) trials.clear()
      trial = yield* trialOf(view, query, orientation, pace)
      trials.set(turn, trial)
    }
    if (yield* settles(trial, query.position, candidate)) {
      const end = positionOf(trial.body)
      const way = end.map((side, k) => side - query.position[k])
      found.push({ ...candidate, position: end, distance: vectorLength3d(way[0], way[1], way[2]) })
    }
    if (pace.isDue(SPACE.points(trial.body))) yield
  }
  // settling may have moved some by a last digit
  found.sort((a, b) => a.distance - b.distance)
  return { found, truncated }
}

/** By distance, by turn, and then in an order that depends on the scene alone. */
function compare(view: View<Space>, a: SnapCandidate3d, b: SnapCandidate3d): number {
  return (
    a.distance - b.distance ||
    angleOf(a.turn) - angleOf(b.turn) ||
    mismatch(a) - mismatch(b) ||
    (a.slot === b.slot ? 0 : a.slot < 0 ? -1 : b.slot < 0 ? 1 : compareIds(idAt(view, a.slot), idAt(view, b.slot))) ||
    compareFeatures(a.own, b.own) ||
    (a.target === null || b.target === null ? 0 : compareFeatures(a.target, b.target))
  )
}

/** Points on points come before edges on edges, these before faces on faces, and those before mixed pairs. */
function mismatch({ own, target }: SnapCandidate3d): number {
  if (target === null) return 0
  return own.size === target.size ? own.size : 3
}

function compareFeatures(a: SnapFeature3d, b: SnapFeature3d): number {
  const order = a.leaf - b.leaf || a.names.length - b.names.length
  if (order !== 0) return order
  for (const [k, name] of a.names.entries()) if (name !== b.names[k]) return name - b.names[k]
  return a.cap - b.cap
}

/** Puts the body where the candidate has it, or on the next doubles; false where it would stand in something. */
function* settles(
  trial: Walker3d,
  start: Vector,
  { position, turn, off, own, target, slot }: SnapCandidate3d,
): FarSlices<boolean> {
  let place = position
  if (turn !== null && target !== null) {
    // the turned body has its own roundings
    putWalker3d(trial, start)
    place = placeOnto(start, { ...own, base: baseIn(trial.body, own) }, target)
  }
  putWalker3d(trial, place)
  if (off !== null) return yield* settleAlong(trial, place, off, slot)
  const inside = (yield* standingOf(trial, slot)).inside
  if (inside < 0) return true
  yield* meet(trial, inside)
  const { hasNormal, separation, nx, ny, nz } = met
  if (!hasNormal || -separation > MOST_DEPTH_COUNT * lastPlace(trial, place)) return false
  return yield* settleAlong(trial, place, [nx, ny, nz], -1)
}

/** Last places by which rounding may have put the body into another one. */
const MOST_DEPTH_COUNT = 2 ** 5

/** −1: the body overlaps something, 0: it touches the target, 1: it is free of it. */
interface Standing {
  readonly relation: -1 | 0 | 1
  /** What it overlaps; −1 nothing. */
  readonly inside: number
}

/** How it stands to all bodies, where only touching the target counts. */
function* standingOf(trial: Walker3d, target: number): FarSlices<Standing> {
  const { view, accepts, body, pace } = trial
  SPACE.measureOuterBox(body, box, 0)
  bodiesInBox(view, box, near)
  let touches = false
  for (const slot of near.items.slice(0, near.count)) {
    if (pace.isDue(1)) yield
    if (!accepts(slot)) continue
    const relation = yield* relationTo(trial, slot)
    if (relation < 0) return { relation: -1, inside: slot }
    if (relation === 0 && slot === target) touches = true
  }
  return { relation: touches ? 0 : 1, inside: -1 }
}

/** One unit in the last place of the coordinates of the body's boundary. */
function lastPlace({ body }: Walker3d, [x, y, z]: Vector): number {
  const size = Math.abs(x) + Math.abs(y) + Math.abs(z) + body.numbers[REACH]
  return Math.max(LAST_PLACE_RATIO * size, Number.MIN_VALUE)
}

/** Steps off a place, each twice as long as the one before. */
const STEP_COUNT = 6

/**
 * Puts the body on the place, or next to it along the way off the target: where it touches that, or else where it just overlaps nothing.
 * Without a target it need not touch. False: it stands in something there.
 */
function* settleAlong(trial: Walker3d, place: Vector, off: Vector, target: number): FarSlices<boolean> {
  const most = Math.max(...off.map(Math.abs))
  const unit = lastPlace(trial, place)
  const step = off.map((side) => (Math.abs(side) < NO_WAY_OUT_RATIO ? 0 : (side / most) * unit))
  const line: Line = {
    placeAt: (steps) => vectorOf(place.map((side, k) => side + steps * step[k])),
    *judge() {
      return (yield* standingOf(trial, target)).relation
    },
  }
  function* judge(steps: number): FarSlices<number> {
    putWalker3d(trial, line.placeAt(steps))
    return yield* line.judge()
  }
  const standing = yield* judge(0)
  if (standing === 0 || (standing > 0 && target < 0)) return true
  // most of what stands in something does so by more than rounding, which the farthest step tells
  if (standing < 0 && (yield* judge(2 ** STEP_COUNT)) < 0) return false
  if (yield* settleOnLine(trial, line, standing, STEP_COUNT)) return true
  putWalker3d(trial, place)
  return standing > 0
}
