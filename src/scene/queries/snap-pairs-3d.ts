/**
 * Motions in space that lay one feature on another: a point on a point, an edge or a face, an edge on an edge or a face, a face on a face.
 *
 * Method: of the two, the smaller one comes to lie in the point, line or plane of the larger one, by the shortest motion, which is across
 * it; and the two must then have more than a rim in common, or of a point the point. With a turn, the body is first turned by the least
 * angle that makes an edge parallel to an edge, or has a face look at a face.
 * Features farther apart than the motion may reach are passed over by their boxes, in order of their least x.
 * Frame: world; turns are about the position of the body.
 */

import { OutOfBudget, type Pace, type Slices } from '../../containers/budget.ts'
import { cross, dot, opposite, plus, type Vector } from '../../core3d/shape/body.ts'
import { cleaned, product, type Turn, turnBetween, turned } from '../../core3d/shape/turn.ts'
import { sumError } from '../../numeric/expansion.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import type { SnapFeature3d, SnapPlace3d } from './snap-features-3d.ts'
import { PARALLEL_RATIO } from './tolerances.ts'

/** A motion that lays a feature of the body on a target. */
export interface SnapCandidate3d {
  /** Where the body stands then, and how far that is. */
  readonly position: Vector
  readonly distance: number
  /** By how much it is turned, and how it is turned then; null where it is not. */
  readonly turn: Turn | null
  readonly orientation: Turn | null
  /** Unit vector, which way is off the target; null where that is not known before. */
  readonly off: Vector | null
  readonly own: SnapFeature3d
  /** null: the grid. */
  readonly target: SnapFeature3d | null
  /** −1: the grid. */
  readonly slot: number
}

/** Where the body stands and how it is turned, how far it may go and whether it may turn. */
export interface SnapSource3d {
  readonly position: Vector
  readonly orientation: Turn
  readonly maxDistance: number
  readonly mayTurn: boolean
}

export interface SnapGrid3d {
  readonly origin: Vector
  readonly size: Vector
}

/** Most corners of pairs of features that are near enough, and most boxes of features that are compared. */
const MOST_CORNERS = 2 ** 24
const MOST_BOXES = 2 ** 28
/** A turn by at most a quarter takes a point no farther than this, times its distance from the position. */
const QUARTER_CHORD = Math.SQRT2

/** How much has been compared by one query. */
export interface SnapEffort {
  corners: number
  boxes: number
}

/** Least and greatest x, y, z of each feature, in order of the least x. */
interface Boxes {
  readonly order: readonly SnapFeature3d[]
  readonly sides: Float64Array
  /** The greatest extent along x. */
  width: number
}

/** Adds the candidates of all features of the body with all of another one. */
export function* addPairs3d(
  out: SnapCandidate3d[],
  source: SnapSource3d,
  own: readonly SnapFeature3d[],
  targets: readonly SnapFeature3d[],
  slot: number,
  effort: SnapEffort,
  pace: Pace,
): Slices<void> {
  const { maxDistance, mayTurn, position } = source
  const { order, sides, width } = boxesOf(targets)
  if (pace.isDue(order.length)) yield
  for (const from of own) {
    const [low, high] = extentOf(from)
    let reach = maxDistance
    if (mayTurn && from.size > 0) reach += QUARTER_CHORD * farthest(from, position)
    const first = lowerBound(sides, order.length, low[0] - reach - width)
    let corners = 0
    let at = first
    for (; at < order.length && sides[6 * at] <= high[0] + reach; at++) {
      if (!isNear(sides, 6 * at, low, high, reach)) continue
      corners += from.places.length + order[at].places.length
      addPair(out, source, from, order[at], slot)
    }
    effort.corners += corners
    effort.boxes += at - first
    if (effort.corners > MOST_CORNERS || effort.boxes > MOST_BOXES) throw new OutOfBudget()
    if (pace.isDue(1 + corners + ((at - first) >> 3))) yield
  }
}

function boxesOf(features: readonly SnapFeature3d[]): Boxes {
  const extents = new Map(features.map((feature) => [feature, extentOf(feature)]))
  const least = (feature: SnapFeature3d) => (extents.get(feature) as [Vector, Vector])[0][0]
  const order = features.toSorted((a, b) => least(a) - least(b))
  const sides = new Float64Array(6 * order.length)
  let width = 0
  for (const [i, feature] of order.entries()) {
    const [low, high] = extents.get(feature) as [Vector, Vector]
    sides.set(low, 6 * i)
    sides.set(high, 6 * i + 3)
    width = Math.max(width, high[0] - low[0])
  }
  return { order, sides, width: Number.isNaN(width) ? Infinity : width }
}

function extentOf({ places, skin, isEndless }: SnapFeature3d): [Vector, Vector] {
  if (isEndless) {
    return [
      [-Infinity, -Infinity, -Infinity],
      [Infinity, Infinity, Infinity],
    ]
  }
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (const { at } of places) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], at[k] - skin)
      high[k] = Math.max(high[k], at[k] + skin)
    }
  }
  return [low as unknown as Vector, high as unknown as Vector]
}

/** How far a place of the feature is from the position, at most. */
function farthest({ places, isEndless }: SnapFeature3d, position: Vector): number {
  if (isEndless) return Infinity
  return Math.max(...places.map(({ at }) => vectorLength3d(...plus(at, position, -1))))
}

/** The first of so many boxes whose least x is no less. */
function lowerBound(sides: Float64Array, count: number, x: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (sides[6 * middle] >= x) high = middle
    else low = middle + 1
  }
  return low
}

function isNear(sides: Float64Array, at: number, low: Vector, high: Vector, reach: number): boolean {
  for (let k = 0; k < 3; k++) if (sides[at + k] > high[k] + reach || sides[at + 3 + k] < low[k] - reach) return false
  return true
}

function addPair(
  out: SnapCandidate3d[],
  source: SnapSource3d,
  own: SnapFeature3d,
  target: SnapFeature3d,
  slot: number,
): void {
  if (!maySnap(own, target)) return
  if (isInLine(own, target)) {
    const candidate = laidOn(source.position, own, target, slot)
    if (candidate !== null) addWithin(out, source, candidate)
  } else if (source.mayTurn && own.size === target.size) addTurned(out, source, own, target, slot)
}

/** Middles go onto middles of their kind alone; corners, edges and faces onto each other. */
function maySnap(own: SnapFeature3d, target: SnapFeature3d): boolean {
  const isMiddle = ({ kind }: SnapFeature3d) => kind === 'midpoint' || kind === 'center'
  if (!isMiddle(own) && !isMiddle(target)) return true
  return own.kind === target.kind && (own.kind === 'center' || isOfEdge(own) === isOfEdge(target))
}

function isOfEdge({ points }: SnapFeature3d): boolean {
  return points.length === 2
}

/** Whether the smaller one lies along the larger one as the body is turned, and of two faces whether they look at each other. */
function isInLine(a: SnapFeature3d, b: SnapFeature3d): boolean {
  if (a.way === null || b.way === null) return true
  if (a.size !== b.size) return Math.abs(dot(a.way, b.way)) <= PARALLEL_RATIO
  return vectorLength3d(...cross(a.way, b.way)) <= PARALLEL_RATIO && (a.size === 1 || dot(a.way, b.way) < 0)
}

function addWithin(
  out: SnapCandidate3d[],
  { position, maxDistance }: SnapSource3d,
  candidate: Omit<SnapCandidate3d, 'distance'>,
): void {
  const distance = vectorLength3d(...plus(candidate.position, position, -1))
  if (distance <= maxDistance) out.push({ ...candidate, distance })
}

function addTurned(
  out: SnapCandidate3d[],
  source: SnapSource3d,
  own: SnapFeature3d,
  target: SnapFeature3d,
  slot: number,
): void {
  const way = own.way as Vector
  const other = target.way as Vector
  const goal = own.size === 2 || dot(way, other) < 0 ? opposite(other) : other
  if (dot(way, goal) < -PARALLEL_RATIO) return
  const turn = turnBetween(way, goal)
  const turned = {
    ...own,
    way: goal,
    places: own.places.map((place) => turnedPlace(place, source.position, turn)),
    base: turnedPlace(own.base, source.position, turn),
  }
  const candidate = laidOn(source.position, turned, target, slot)
  if (candidate === null) return
  const orientation = cleaned(product(turn, source.orientation))
  addWithin(out, source, { ...candidate, own, turn, orientation })
}

/** The body's position where the feature lies on the target; null where they have nothing in common there. */
function laidOn(
  position: Vector,
  own: SnapFeature3d,
  target: SnapFeature3d,
  slot: number,
): Omit<SnapCandidate3d, 'distance'> | null {
  const place = placeOnto(position, own, target)
  const shift = plus(place, position, -1)
  const isCommon = own.size > target.size ? haveCommon(target, own, opposite(shift)) : haveCommon(own, target, shift)
  if (!isCommon) return null
  return { position: place, turn: null, orientation: null, off: offOf(own, target), own, target, slot }
}

function offOf(own: SnapFeature3d, target: SnapFeature3d): Vector | null {
  if (target.size === 2) return target.way
  return own.size === 2 ? opposite(own.way as Vector) : null
}

/** Where a body at the position comes to stand: its feature moves straight to the point, line or plane of the target, its skin included. */
export function placeOnto(position: Vector, own: SnapFeature3d, target: SnapFeature3d): Vector {
  const { base: from } = own
  const { base: to } = target
  const off = offOf(own, target)
  if (off !== null) return raised(position, from, to, off, own.skin + target.skin)
  const larger = own.size > target.size ? own : target
  if (larger.way === null) return at((k) => movedTo(position, from, to, k))
  const along = axisOf(larger.way)
  if (along >= 0) return at((k) => (k === along ? position[k] : movedTo(position, from, to, k)))
  const way = apart(to, from)
  const rest = dot(way, larger.way)
  return at((k) => position[k] + (way[k] - rest * (larger.way as Vector)[k]))
}

/** Up along the way off the target until `from` is as high over `to` as the skins are thick. */
function raised(position: Vector, from: SnapPlace3d, to: SnapPlace3d, off: Vector, skin: number): Vector {
  const along = axisOf(off)
  if (along >= 0) return at((k) => (k === along ? movedTo(position, from, to, k, skin * off[k]) : position[k]))
  const height = dot(apart(to, from), off) + skin
  return at((k) => position[k] + height * off[k])
}

/** The axis that a unit vector lies along; −1 for none. */
function axisOf(way: Vector): number {
  return way.findIndex((side) => Math.abs(side) === 1)
}

/** position + (to + more − from), a coordinate, rounded once. */
function movedTo(position: Vector, from: SnapPlace3d, to: SnapPlace3d, k: number, more = 0): number {
  const end = to.at[k] + more
  const way = end - from.at[k]
  const sum = position[k] + way
  const low = sumError(to.at[k], more, end) + (to.low[k] - from.low[k])
  return sum + (sumError(position[k], way, sum) + (sumError(end, -from.at[k], way) + low))
}

/** From the second place to the first, rounded. */
function apart(a: SnapPlace3d, b: SnapPlace3d): Vector {
  return at((k) => a.at[k] - b.at[k] + (a.low[k] - b.low[k]))
}

/** Adding 0 turns −0 into 0. */
function at(of: (k: number) => number): Vector {
  return [of(0) + 0, of(1) + 0, of(2) + 0]
}

// What two features have in common.

/** Whether the smaller one, moved by the shift into the line or plane of the larger one, has more than a rim of it in common with that. */
function haveCommon(small: SnapFeature3d, large: SnapFeature3d, shift: Vector): boolean {
  if (large.size === 0 || large.isEndless) return true
  if (small.isEndless) return true
  const [origin] = large.places
  const relative = (place: SnapPlace3d, by: Vector): Vector => {
    const way = apart(place, origin)
    return [way[0] + by[0], way[1] + by[1], way[2] + by[2]]
  }
  const ring = large.places.map((place) => relative(place, ZERO))
  const points = small.places.map((place) => relative(place, shift))
  const scale = scaleToOne(ring)
  const scaled = (list: Vector[]) => list.map(([x, y, z]): Vector => [x * scale, y * scale, z * scale])
  const way = large.way as Vector
  if (large.size === 1) return shareLine(scaled(points), scaled(ring), way)
  if (small.size === 2)
    return !areSplit(scaled(points), scaled(ring), way) && !areSplit(scaled(ring), scaled(points), opposite(way))
  return crossesRing(scaled(points), scaled(ring), way)
}

const ZERO: Vector = [0, 0, 0]

/** A power of two that brings the greatest coordinate near 1. */
function scaleToOne(points: readonly Vector[]): number {
  const size = Math.max(...points.map((point) => Math.max(...point.map(Math.abs))))
  const exponent = size > 0 ? Math.floor(Math.log2(size)) : 0
  return 2 ** -Math.max(-LARGEST_POWER, Math.min(LARGEST_POWER, exponent))
}

const LARGEST_POWER = 1000

function shareLine(points: readonly Vector[], edge: readonly Vector[], way: Vector): boolean {
  const length = dot(edge[1], way)
  const heights = points.map((point) => dot(point, way))
  const low = Math.min(...heights)
  const high = Math.max(...heights)
  return points.length === 1 ? low >= 0 && low <= length : low < length && high > 0
}

/** On which side of a side of a ring a point lies: positive inside. */
function sideOf(ring: readonly Vector[], i: number, point: Vector, way: Vector): number {
  const from = ring[i]
  return dot(cross(plus(ring[(i + 1) % ring.length], from, -1), plus(point, from, -1)), way)
}

/** Whether all points are on or beyond one side of the ring. */
function areSplit(points: readonly Vector[], ring: readonly Vector[], way: Vector): boolean {
  // a point that is inside of one side often is of the next
  let inside = 0
  return ring.some((_, i) => {
    if (sideOf(ring, i, points[inside], way) > 0) return false
    inside = Math.max(
      0,
      points.findIndex((point) => sideOf(ring, i, point, way) > 0),
    )
    return !(sideOf(ring, i, points[inside], way) > 0)
  })
}

/** Whether a point is in a ring, or more than a point of a segment. */
function crossesRing(points: readonly Vector[], ring: readonly Vector[], way: Vector): boolean {
  let start = 0
  let end = 1
  for (let i = 0; i < ring.length; i++) {
    const a = sideOf(ring, i, points[0], way)
    const b = points.length === 1 ? a : sideOf(ring, i, points[1], way)
    if (a < 0 && b < 0) return false
    if (points.length > 1 && a <= 0 && b <= 0 && !(a === 0 && b === 0)) return false
    if (a < 0) start = Math.max(start, a / (a - b))
    else if (b < 0) end = Math.min(end, a / (a - b))
  }
  return start < end
}

function turnedPlace({ at: place, low }: SnapPlace3d, position: Vector, turn: Turn): SnapPlace3d {
  const way = turned(
    turn,
    at((k) => place[k] - position[k] + low[k]),
  )
  return { at: at((k) => position[k] + way[k]), low: ZERO }
}

// Grids.

/** Adds the nearest point of the grid for each point, the nearest line for each edge along an axis, and the nearest plane for each face across one. */
export function addGrid3d(
  out: SnapCandidate3d[],
  source: SnapSource3d,
  own: readonly SnapFeature3d[],
  { origin, size }: SnapGrid3d,
): void {
  const { position } = source
  for (const feature of own) {
    const { way, base, skin } = feature
    const along = way === null ? -1 : axisOf(way)
    if (way !== null && along < 0) continue
    const place = at((k) => {
      const stays = feature.size === 1 ? k === along : feature.size === 2 && k !== along
      if (stays) return position[k]
      const more = way === null || feature.size < 2 ? 0 : skin * way[k]
      const nearest = origin[k] + Math.round((base.at[k] + more - origin[k]) / size[k]) * size[k]
      const to: SnapPlace3d = { at: [nearest, nearest, nearest], low: ZERO }
      return movedTo(position, base, to, k, -more)
    })
    addWithin(out, source, {
      position: place,
      turn: null,
      orientation: null,
      off: null,
      own: feature,
      target: null,
      slot: -1,
    })
  }
}
