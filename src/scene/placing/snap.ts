/**
 * Small motions of a body that bring one of its features exactly onto one of another body or of a grid, with nothing overlapped.
 *
 * Method: all pairs of features of the body and of what is near enough (`snap-candidates.ts`), curved boundaries by the gap between
 * the two bodies, in order of their distance. Each is tried in that order where it ends, exactly, until enough are found.
 * Frame: world; angles in radians, counter-clockwise.
 */

import { OutOfBudget } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { Pace } from '../../containers/pace.ts'
import { compareIds } from '../../containers/ranking.ts'
import { sortInSlices } from '../../containers/sort-in-slices.ts'
import { createItemList } from '../../core2d/bvh/dynamic-tree-queries.ts'
import { NO_FEATURE, SURFACE_FEATURE } from '../../core2d/feature.ts'
import { measureOuterBox } from '../../core2d/measures/outer-box.ts'
import { contact } from '../../core2d/pair-queries/contact.ts'
import { createContact } from '../../core2d/pair-queries/contact-record.ts'
import type { Body } from '../../core2d/shape/body.ts'
import { createWalker, finiteReach, overlappedBy, putWalker } from '../queries/character.ts'
import { settleFlush } from '../queries/flush.ts'
import { contactHeavy, isLight } from '../queries/narrowing.ts'
import { fetchBody, isDear } from '../state/dear-body.ts'
import { type Described, farBodyAt } from '../state/far-body.ts'
import type { Accepts } from '../state/filter.ts'
import { bodiesInBox, bodyAt, idAt, type View } from '../state/view.ts'
import { bodyWeight } from '../table/body-cache.ts'
import { addGrid, addPairs, isEdge, type SnapCandidate, type SnapGrid, type SnapSource } from './snap-candidates.ts'
import {
  boxCornersOf,
  featuresOf,
  type SnapFeatures,
  type SnapKind,
  type SnapPoint,
  type Window,
} from './snap-features.ts'

export interface SnapQuery {
  maxDistance: number
  kinds: ReadonlySet<SnapKind>
  /** null: there is none. */
  grid: SnapGrid | null
  mayTurn: boolean
  accepts: Accepts
  /** Most results. */
  limit: number
  /** The body where it stands, turned by so much more; its own to move. */
  turned(turn: number): FarSlices<{ body: Body; far: Described }>
}

export interface SnapAnswer {
  found: SnapCandidate[]
  truncated: boolean
}

/** Most pairs of features, and most candidates that are tried. */
const MOST_PAIRS = 2 ** 21
const MOST_TRIES = 2 ** 12

const near = createItemList()
const box = new Float64Array(4)
const met = createContact()

export function* querySnap(view: View, query: SnapQuery): FarSlices<SnapAnswer> {
  const { maxDistance, kinds, grid, mayTurn, accepts, limit, turned } = query
  const pace = new Pace()
  const { body, far } = yield* turned(0)
  const { x, y } = body
  const source: SnapSource = { x, y, maxDistance, mayTurn }
  const own = yield* featuresOf(body, kinds, null, pace)
  const candidates: SnapCandidate[] = []
  const window = windowAround(body, maxDistance, mayTurn)
  bodiesInBox(view, window[0], window[1], window[2], window[3], near)
  let pairs = 0
  for (const slot of near.items.slice(0, near.count)) {
    if (pace.isDue(1)) yield
    if (!accepts(slot)) continue
    const other = isDear(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
    const target = yield* featuresOf(other, kinds, window, pace)
    pairs += (own.points.length + own.edges.length) * (target.points.length + target.edges.length)
    if (pairs > MOST_PAIRS) throw new OutOfBudget()
    yield* addPairs(candidates, source, own, target, slot, pace)
    if (kinds.has('edge') && (own.isRound || target.isRound)) {
      yield* addRound(view, candidates, source, own, target, slot, body, far)
    }
  }
  if (grid !== null) {
    const isBare = own.points.length === 0 && own.edges.length === 0
    addGrid(candidates, source, isBare ? { ...own, points: boxCornersOf(body) } : own, grid)
  }
  return yield* firstFree(view, query, candidates, limit, pace)
}

/** What the body may reach, turned or not. */
function windowAround(body: Body, maxDistance: number, mayTurn: boolean): Window {
  measureOuterBox(body, box, 0)
  const reach = mayTurn ? maxDistance + 2 * finiteReach(body) : maxDistance
  return [box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach]
}

/** Adds the motion that closes the gap between the bodies, or takes the one out of the other: one of them is curved. */
function* addRound(
  view: View,
  candidates: SnapCandidate[],
  { x, y, maxDistance }: SnapSource,
  own: SnapFeatures,
  target: SnapFeatures,
  slot: number,
  body: Body,
  far: Described,
): FarSlices<void> {
  const other = isDear(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  if (isLight(other, body)) contact(other, body, Infinity, met)
  else yield* contactHeavy(other, () => farBodyAt(view, slot), body, far, met)
  const { hasNormal, separation, nx, ny, tx, ty, count, points } = met
  if (!hasNormal || !(Math.abs(separation) <= maxDistance)) return
  const dx = separation > 0 ? -separation * nx : tx
  const dy = separation > 0 ? -separation * ny : ty
  const [{ featureA, featureB, partA, partB }] = points
  const named = count > 0
  candidates.push({
    x: x + dx,
    y: y + dy,
    turn: 0,
    distance: Math.hypot(dx, dy),
    nx,
    ny,
    own: touched(named ? featureB : own.isRound ? SURFACE_FEATURE : NO_FEATURE, named ? partB : 0),
    target: touched(named ? featureA : target.isRound ? SURFACE_FEATURE : NO_FEATURE, named ? partA : 0),
    slot,
  })
}

const touched = (feature: number, part: number): SnapPoint => ({
  kind: 'vertex',
  feature,
  part,
  x: 0,
  xLow: 0,
  y: 0,
  yLow: 0,
})

/** The first candidates at whose ends nothing is overlapped. */
function* firstFree(
  view: View,
  { accepts, turned }: SnapQuery,
  candidates: SnapCandidate[],
  limit: number,
  pace: Pace,
): FarSlices<SnapAnswer> {
  yield* sortInSlices(candidates, (a, b) => compare(view, a, b), pace)
  const found: SnapCandidate[] = []
  const seen = new Set<string>()
  let turn = Number.NaN
  let walker: ReturnType<typeof createWalker> | null = null
  for (const candidate of candidates) {
    const place = `${candidate.x} ${candidate.y} ${candidate.turn}`
    if (seen.has(place)) continue
    if (found.length === limit || seen.size === MOST_TRIES) return { found, truncated: true }
    seen.add(place)
    if (candidate.turn !== turn || walker === null) {
      turn = candidate.turn
      const { body, far } = yield* turned(turn)
      walker = createWalker(view, body, accepts, far, pace)
    }
    const { x, y, nx, ny } = candidate
    putWalker(walker, x, y)
    const isFree =
      nx === 0 && ny === 0
        ? (yield* overlappedBy(walker)).length === 0
        : yield* settleFlush(walker, { x, y, nx, ny }, candidate.turn !== 0, false)
    if (isFree) found.push({ ...candidate, x: walker.body.x, y: walker.body.y })
    if (pace.isDue(bodyWeight(walker.body))) yield
  }
  return { found, truncated: false }
}

/** By distance, by turn, and then in an order that hangs on nothing but the scene. */
function compare(view: View, a: SnapCandidate, b: SnapCandidate): number {
  return (
    a.distance - b.distance ||
    Math.abs(a.turn) - Math.abs(b.turn) ||
    mismatch(a) - mismatch(b) ||
    (a.slot === b.slot ? 0 : a.slot < 0 ? -1 : b.slot < 0 ? 1 : compareIds(idAt(view, a.slot), idAt(view, b.slot))) ||
    a.own.part - b.own.part ||
    a.own.feature - b.own.feature ||
    (a.target?.part ?? 0) - (b.target?.part ?? 0) ||
    (a.target?.feature ?? 0) - (b.target?.feature ?? 0)
  )
}

/** Points on points come before sides on sides, and those before what is unlike. */
function mismatch({ own, target }: SnapCandidate): number {
  if (target === null) return 0
  return isEdge(own) !== isEdge(target) ? 2 : isEdge(own) ? 1 : 0
}
