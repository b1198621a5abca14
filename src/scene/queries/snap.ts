/**
 * The query `snap`: small motions that bring a feature of a body exactly onto a feature of another body or of a grid, without any
 * overlap.
 *
 * Method: candidates are all pairs of features (`snap-features.ts`) of the body and of the bodies near it, and for curved boundaries
 * the gap between the two bodies. In order of distance, each candidate is tested exactly at its end, until enough are found.
 *
 * Corners go onto corners and sides; sides onto corners and onto sides that face them; middles onto middles; and corners, middles and
 * sides onto a grid. With turns, a side is turned until it faces a side of the other body, and laid on it.
 * Frame: world; angles in radians, counter-clockwise.
 */

import { OutOfBudget, Pace, type Slices, spend } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import { compareIds } from '../../containers/ranking.ts'
import { sortInSlices } from '../../containers/sorting.ts'
import { NO_FEATURE, SURFACE_FEATURE } from '../../core2d/feature.ts'
import { measureOuterBox } from '../../core2d/queries/body-boxes.ts'
import { contact, createContact } from '../../core2d/queries/contact.ts'
import { type Body, X, Y } from '../../core2d/shape/body.ts'
import { sumError } from '../../numeric/expansion.ts'
import type { Accepts } from '../state/filter.ts'
import { PLANE } from '../state/geometry.ts'
import { bodiesInBox, bodyAt, idAt, type PlaneView } from '../state/view.ts'
import { type Describe, describeBody } from './described-body.ts'
import { costlyContact, fetchBody, isCostly, isLight } from './scene-tasks.ts'
import {
  boxCornersOf,
  featuresOf,
  type SnapEdge,
  type SnapFeatures,
  type SnapKind,
  type SnapPlace,
  type SnapPoint,
  type Window,
} from './snap-features.ts'
import { PARALLEL_RATIO } from './tolerances.ts'
import { createWalker, finiteReach, overlappedBy, putWalker, settleFlush } from './walker.ts'

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
  turned(turn: number): FarSlices<{ body: Body; describe: Describe }>
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

export function* querySnap(view: PlaneView, query: SnapQuery): FarSlices<SnapAnswer> {
  const { maxDistance, kinds, grid, mayTurn, accepts, limit, turned } = query
  const pace = new Pace()
  const { body, describe } = yield* turned(0)
  const { numbers } = body
  const x = numbers[X]
  const y = numbers[Y]
  const source: SnapSource = { x, y, maxDistance, mayTurn }
  const own = yield* featuresOf(body, kinds, null, pace)
  const candidates: SnapCandidate[] = []
  const window = windowAround(body, maxDistance, mayTurn)
  bodiesInBox(view, Float64Array.from(window), near)
  let pairs = 0
  for (const slot of near.items.slice(0, near.count)) {
    if (pace.isDue(1)) yield
    if (!accepts(slot)) continue
    const other = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
    const target = yield* featuresOf(other, kinds, window, pace)
    pairs += (own.points.length + own.edges.length) * (target.points.length + target.edges.length)
    if (pairs > MOST_PAIRS) throw new OutOfBudget()
    yield* addPairs(candidates, source, own, target, slot, pace)
    if (kinds.has('edge') && (own.isRound || target.isRound)) {
      yield* addRound(view, candidates, source, own, target, slot, body, describe)
    }
  }
  if (grid !== null) {
    const isBare = own.points.length === 0 && own.edges.length === 0
    addGrid(candidates, source, isBare ? { ...own, points: boxCornersOf(body) } : own, grid)
  }
  return yield* firstFree(view, query, candidates, limit, pace)
}

/** The box that the body may reach, with or without a turn. */
function windowAround(body: Body, maxDistance: number, mayTurn: boolean): Window {
  measureOuterBox(body, box, 0)
  const reach = mayTurn ? maxDistance + 2 * finiteReach(body) : maxDistance
  return [box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach]
}

/** Adds the motion that closes the gap between the bodies, or takes the one out of the other: one of them is curved. */
function* addRound(
  view: PlaneView,
  candidates: SnapCandidate[],
  { x, y, maxDistance }: SnapSource,
  own: SnapFeatures,
  target: SnapFeatures,
  slot: number,
  body: Body,
  describe: Describe,
): FarSlices<void> {
  const other = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  if (isLight(PLANE, other, body)) contact(other, body, Infinity, met)
  else yield* costlyContact(PLANE, other, () => describeBody(view, slot), body, describe, met)
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
  view: PlaneView,
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
      const { body, describe } = yield* turned(turn)
      walker = createWalker(view, body, accepts, describe, pace)
    }
    const { x, y, nx, ny } = candidate
    putWalker(walker, x, y)
    const isFree =
      nx === 0 && ny === 0
        ? (yield* overlappedBy(walker)).length === 0
        : yield* settleFlush(walker, { x, y, nx, ny }, candidate.turn !== 0, false)
    if (isFree) found.push({ ...candidate, x: walker.body.numbers[X], y: walker.body.numbers[Y] })
    if (pace.isDue(PLANE.points(walker.body))) yield
  }
  return { found, truncated: false }
}

/** By distance, by turn, and then in an order that depends on the scene alone. */
function compare(view: PlaneView, a: SnapCandidate, b: SnapCandidate): number {
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

/** Points on points come before sides on sides, and those before mixed pairs. */
function mismatch({ own, target }: SnapCandidate): number {
  if (target === null) return 0
  return isEdge(own) !== isEdge(target) ? 2 : isEdge(own) ? 1 : 0
}

/** A motion that lays a feature of the body on a target. */
export interface SnapCandidate {
  /** Its position and turn, and how far that is. */
  x: number
  y: number
  turn: number
  distance: number
  /** Unit vector, which way is off the target; 0 where it is not laid against anything. */
  nx: number
  ny: number
  own: SnapPoint | SnapEdge
  /** null: the grid. */
  target: SnapPoint | SnapEdge | null
  /** −1: the grid. */
  slot: number
}

/** Where the body stands, how far it may go and whether it may turn. */
interface SnapSource {
  x: number
  y: number
  maxDistance: number
  mayTurn: boolean
}

export interface SnapGrid {
  originX: number
  originY: number
  width: number
  height: number
}

/** Most it is turned to lie on a side. */
const MOST_TURN = Math.PI / 2

export function isEdge(feature: SnapPoint | SnapEdge): feature is SnapEdge {
  return 'ex' in feature
}

/** Adds the candidates of all features of the body with all of another one. */
function* addPairs(
  out: SnapCandidate[],
  source: SnapSource,
  own: SnapFeatures,
  target: SnapFeatures,
  slot: number,
  pace: Pace,
): Slices<void> {
  for (const to of target.points) {
    for (const from of own.points) if (from.kind === to.kind) addPointOnPoint(out, source, from, to, slot)
    if (to.kind === 'vertex') for (const from of own.edges) addEdgeOnPoint(out, source, from, to, slot)
    if (pace.isDue(own.points.length + own.edges.length)) yield
  }
  for (const to of target.edges) {
    for (const from of own.points) if (from.kind === 'vertex') addPointOnEdge(out, source, from, to, slot)
    for (const from of own.edges) addEdgeOnEdge(out, source, from, to, slot)
    if (pace.isDue(own.points.length + own.edges.length)) yield
  }
  spend((target.points.length + target.edges.length) * (own.points.length + own.edges.length))
}

/** Adds the nearest point of the grid for each point of the body, and the nearest line for each side along one. */
function addGrid(out: SnapCandidate[], source: SnapSource, own: SnapFeatures, grid: SnapGrid): void {
  const { originX, originY, width, height } = grid
  const nearest = (at: number, origin: number, size: number) => origin + Math.round((at - origin) / size) * size
  for (const from of own.points) {
    const to = { x: nearest(from.x, originX, width), xLow: 0, y: nearest(from.y, originY, height), yLow: 0 }
    add(out, source, { ...moved(source, from, to), turn: 0, nx: 0, ny: 0, own: from, target: null, slot: -1 })
  }
  for (const from of own.edges) {
    const { nx, ny, radius, x, y } = from
    if (nx !== 0 && ny !== 0) continue
    const isUpright = ny === 0
    const to = isUpright
      ? { x: nearest(x + nx * radius, originX, width) - nx * radius, xLow: 0, y, yLow: from.yLow }
      : { x, xLow: from.xLow, y: nearest(y + ny * radius, originY, height) - ny * radius, yLow: 0 }
    add(out, source, { ...moved(source, from, to), turn: 0, nx: 0, ny: 0, own: from, target: null, slot: -1 })
  }
}

function addPointOnPoint(
  out: SnapCandidate[],
  source: SnapSource,
  own: SnapPoint,
  target: SnapPoint,
  slot: number,
): void {
  add(out, source, { ...moved(source, own, target), turn: 0, nx: 0, ny: 0, own, target, slot })
}

/** The point goes straight to the side, its skin included. */
function addPointOnEdge(
  out: SnapCandidate[],
  source: SnapSource,
  own: SnapPoint,
  target: SnapEdge,
  slot: number,
): void {
  const { nx, ny } = target
  const [dx, dy] = apart(own, target)
  if (!isBeside(target, dx * ny - dy * nx)) return
  add(out, source, { ...lifted(source, own, target, target.radius, nx, ny), turn: 0, nx, ny, own, target, slot })
}

function addEdgeOnPoint(
  out: SnapCandidate[],
  source: SnapSource,
  own: SnapEdge,
  target: SnapPoint,
  slot: number,
): void {
  const { nx, ny } = own
  const [dx, dy] = apart(target, own)
  if (!isBeside(own, dx * ny - dy * nx)) return
  const place = lifted(source, own, target, own.radius, -nx, -ny)
  add(out, source, { ...place, turn: 0, nx: -nx, ny: -ny, own, target, slot })
}

/** The sides face each other, the one turned if need be, and lie side by side for more than a point. */
function addEdgeOnEdge(out: SnapCandidate[], source: SnapSource, own: SnapEdge, target: SnapEdge, slot: number): void {
  const { nx, ny } = target
  const sine = nx * own.ny - ny * own.nx
  const isFacing = own.nx * nx + own.ny * ny < 0 && Math.abs(sine) <= PARALLEL_RATIO
  if (isFacing) {
    addFacing(out, source, own, own, target, 0, slot)
    return
  }
  if (!source.mayTurn) return
  const turn = Math.atan2(sine, -(own.nx * nx + own.ny * ny))
  if (Math.abs(turn) <= MOST_TURN)
    addFacing(out, source, turnedEdge(own, source, turn, -nx, -ny), own, target, turn, slot)
}

function addFacing(
  out: SnapCandidate[],
  source: SnapSource,
  standing: SnapEdge,
  own: SnapEdge,
  target: SnapEdge,
  turn: number,
  slot: number,
): void {
  const { nx, ny } = target
  const [dx, dy] = apart(standing, target)
  const start = dx * ny - dy * nx
  const end = start + (standing.ex * ny - standing.ey * nx)
  // Counted along the side of the target, from its start.
  const length = target.isEndless ? Infinity : Math.hypot(target.ex, target.ey)
  const least = target.isEndless ? -Infinity : 0
  const way = target.ex * ny - target.ey * nx < 0 ? -1 : 1
  if (Math.max(way * start, way * end) <= least || Math.min(way * start, way * end) >= length) return
  const place = lifted(source, standing, target, target.radius + own.radius, nx, ny)
  add(out, source, { ...place, turn, nx, ny, own, target, slot })
}

/** The side as it lies when the body is turned about its position; its normal is known then. */
function turnedEdge(edge: SnapEdge, { x, y }: SnapSource, turn: number, nx: number, ny: number): SnapEdge {
  const cos = Math.cos(turn)
  const sin = Math.sin(turn)
  const [dx, dy] = [edge.x - x + edge.xLow, edge.y - y + edge.yLow]
  return {
    ...edge,
    x: x + cos * dx - sin * dy,
    xLow: 0,
    y: y + sin * dx + cos * dy,
    yLow: 0,
    ex: cos * edge.ex - sin * edge.ey,
    ey: sin * edge.ex + cos * edge.ey,
    nx,
    ny,
  }
}

/** From the second place to the first, rounded. */
function apart(a: SnapPlace, b: SnapPlace): [number, number] {
  return [a.x - b.x + (a.xLow - b.xLow), a.y - b.y + (a.yLow - b.yLow)]
}

/** Whether a point so far along a side, in the direction of the side or against it, is beside it. */
function isBeside({ ex, ey, nx, ny, isEndless }: SnapEdge, along: number): boolean {
  if (isEndless) return true
  const whole = ex * ny - ey * nx
  return whole > 0 ? along >= 0 && along <= whole : along <= 0 && along >= whole
}

/** Where the body stands when the place `from` of it lies on `to`. */
function moved({ x, y }: SnapSource, from: SnapPlace, to: SnapPlace): { x: number; y: number } {
  return { x: movedTo(x, from.x, from.xLow, to.x, to.xLow), y: movedTo(y, from.y, from.yLow, to.y, to.yLow) }
}

/** at + (to − from), rounded once. */
function movedTo(at: number, from: number, fromLow: number, to: number, toLow: number): number {
  const way = to - from
  const sum = at + way
  return sum + (sumError(at, way, sum) + sumError(to, -from, way) + (toLow - fromLow))
}

/** Where it stands when `from` lies as high over `to`, along the normal, as the skins are thick: it moves along the normal alone. */
function lifted(
  source: SnapSource,
  from: SnapPlace,
  to: SnapPlace,
  skin: number,
  nx: number,
  ny: number,
): { x: number; y: number } {
  const { x, y } = source
  // Where the normal is an axis, one coordinate stays, and the other is that of the place.
  if (ny === 0) return { x: movedTo(x, from.x, from.xLow, to.x + skin * nx, skinLow(to.x, skin * nx) + to.xLow), y }
  if (nx === 0) return { x, y: movedTo(y, from.y, from.yLow, to.y + skin * ny, skinLow(to.y, skin * ny) + to.yLow) }
  const [dx, dy] = apart(to, from)
  const height = dx * nx + dy * ny + skin
  return { x: x + height * nx, y: y + height * ny }
}

function skinLow(at: number, skin: number): number {
  return sumError(at, skin, at + skin)
}

function add(
  out: SnapCandidate[],
  { x, y, maxDistance }: SnapSource,
  candidate: Omit<SnapCandidate, 'distance'>,
): void {
  const distance = Math.hypot(candidate.x - x, candidate.y - y)
  // Adding 0 turns −0 into 0.
  if (distance <= maxDistance) out.push({ ...candidate, x: candidate.x + 0, y: candidate.y + 0, distance })
}
