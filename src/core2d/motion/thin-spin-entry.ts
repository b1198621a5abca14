/**
 * When a thin part first goes into a solid outline that it touches at the start, of two bodies of which at least one spins: a
 * point or an end that slips in through an edge or a vertex, or a part that goes in flat, and penetrates no edge.
 *
 * Method: without penetrating an edge a part goes in with an end or, held at both, with its middle. Each of these points is
 * looked at after ever longer times, until it is clearly inside or clearly outside: a path that keeps within rounding of the
 * outline for long is almost straight there, and does not come back. If it is outside, it is swept against the edges that the
 * part touches at the start, and looked at anew where it meets one; the other edges are swept as leaves. When a point that is
 * inside went in is closed in on by halving, and then taken back to the outline along a chord.
 * Frame: points in the outline's own; times are the caller's. Cost: some hundred times `pointInOutline`, and the sweeps.
 */

import { vectorLength } from '../../numeric/safe-range.ts'
import { shareSteps } from '../../numeric/step-budget.ts'
import type { FeatureCode } from '../feature.ts'
import { clearSide, isThinLeaf } from '../narrow-phase/holding.ts'
import type { Outline } from '../outline/outline.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  type Composite,
  createBody,
  finishPoints,
  nameInOrder,
  type Part,
  putVertex,
  RADIUS,
  REACH,
  reservePoints,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import type { Motion } from '../shape/motion.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import {
  orderSpinPair,
  type SpinPair,
  separationAt,
  setSlab,
  swapHit,
  touchingDistance,
  visitSlabPairs,
} from './composite-spin-sweep.ts'
import { createSpinHit, type SpinHit, sweepSpin } from './spin-sweep.ts'

/** A thin leaf and the edges of a solid outline that it touches at the start. */
interface Guest {
  leaf: number
  /** The outline is the second body's. */
  swapped: boolean
  holder: Part
  edges: number[]
}

/** One body as the outline's holder sees it, or the holder itself. */
interface Turning {
  pivot: Body
  view: Composite
  motion: Motion
  spin: number
}

/** A point of the guest, and the path it takes. */
interface PathPoint {
  outline: Outline
  guest: Turning
  holder: Turning
  /** The point from the guest's pivot, and the outline's part from the holder's. */
  armX: number
  armY: number
  partX: number
  partY: number
  /** The guest's pivot from the holder's at time 0, and its velocity against it. */
  dx: number
  dy: number
  vx: number
  vy: number
  /** Bound on what rounding makes of its place, and on its speed at the start. */
  error: number
  speed: number
}

/** Times that are tried between the start of a path and its end; powers of two apart. */
const PROBE_COUNT = 80

/** Halvings of the time in which a point has gone in. */
const HALVING_COUNT = 60

/** How often a point is followed outside and back to the outline. */
const RETURN_COUNT = 8

const slot = createBody()
const edgeSlot = createBody()
const pointBody = createBody()
const met = createSpinHit()

/**
 * Fills `out` and returns true when there is such an entry in [0, to], of bodies that do not overlap at time 0. `to` is not
 * later than any other contact.
 */
export function enterSpinComposite(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  to: number,
  out: SpinHit,
): boolean {
  const pair = orderSpinPair(a, motionA, b, motionB)
  out.time = Infinity
  shareSteps(() => {
    for (const guest of touchingGuests(pair)) enterWithPoints(pair, guest, to, out)
  })
  if (out.time === Infinity) return false
  if (pair.swapped) swapHit(out)
  return true
}

function touchingGuests(pair: SpinPair): Guest[] {
  const { viewA, viewB } = pair
  const guests = new Map<number, Guest>()
  const room = viewB.leafCount * viewA.partCount
  const note = (key: number, leaf: number, swapped: boolean, holder: Part, edge: number): void => {
    const guest = guests.get(key)
    if (guest === undefined) guests.set(key, { leaf, swapped, holder, edges: [edge] })
    else guest.edges.push(edge)
  }
  setSlab(pair, 0, 0)
  visitSlabPairs(pair, (leafA, leafB) => {
    const partA = viewA.leafPart[leafA]
    const partB = viewB.leafPart[leafB]
    const isGuestB = isSolid(viewA, partA) && isThinLeaf(viewB, leafB)
    const isGuestA = isSolid(viewB, partB) && isThinLeaf(viewA, leafA)
    if (!isGuestA && !isGuestB) return true
    if (separationAt(pair, leafA, leafB, 0) > touchingDistance(pair, 0)) return true
    if (isGuestB) note(leafB * viewA.partCount + partA, leafB, false, viewA.parts[partA], leafA)
    if (isGuestA) note(room + leafA * viewB.partCount + partB, leafA, true, viewB.parts[partB], leafB)
    return true
  })
  return [...guests.values()]
}

function isSolid({ parts }: Composite, part: number): boolean {
  return parts[part].outline?.solid === true
}

/** Sets `out` to the first entry of the leaf's ends and middle up to `to`, if it is earlier than what is there. */
function enterWithPoints(pair: SpinPair, guest: Guest, to: number, out: SpinHit): void {
  const { count, vertices, vertexFeatures, edgeFeatures, numbers } = leafBody(
    viewOf(pair, !guest.swapped),
    guest.leaf,
    slot,
  )
  const ax = numbers[vertices]
  const ay = numbers[vertices + 1]
  const bx = numbers[vertices + 2]
  const by = numbers[vertices + 3]
  const [first, last] = vertexFeatures
  const edge = edgeFeatures[0]
  enterWithPoint(pair, guest, ax, ay, first, to, out)
  if (count < 2) return
  enterWithPoint(pair, guest, bx, by, last, to, out)
  enterWithPoint(pair, guest, ax / 2 + bx / 2, ay / 2 + by / 2, edge, to, out)
}

function enterWithPoint(
  pair: SpinPair,
  guest: Guest,
  x: number,
  y: number,
  feature: FeatureCode,
  to: number,
  out: SpinHit,
): void {
  const path = pathOf(pair, guest, x, y)
  const time = entryTime(pair, guest, path, x, y, Math.min(to, out.time))
  if (time < out.time) setEntry(guest, path, time, feature, out)
}

function viewOf({ viewA, viewB }: SpinPair, second: boolean): Composite {
  return second ? viewB : viewA
}

function turningOf(pair: SpinPair, second: boolean): Turning {
  return second
    ? { pivot: pair.second, view: pair.viewB, motion: pair.motionB, spin: pair.spinB }
    : { pivot: pair.first, view: pair.viewA, motion: pair.motionA, spin: pair.spinA }
}

/** The path of point (x, y) of the leaf, from the leaf's position. */
function pathOf(pair: SpinPair, { leaf, swapped, holder: part, edges }: Guest, x: number, y: number): PathPoint {
  const guest = turningOf(pair, !swapped)
  const holder = turningOf(pair, swapped)
  const body = leafBody(guest.view, leaf, slot)
  const armX = offset(guest.pivot.numbers[X], guest.pivot.numbers[X_LOW], body.numbers[X], body.numbers[X_LOW]) + x
  const armY = offset(guest.pivot.numbers[Y], guest.pivot.numbers[Y_LOW], body.numbers[Y], body.numbers[Y_LOW]) + y
  const partX = offset(
    holder.pivot.numbers[X],
    holder.pivot.numbers[X_LOW],
    part.body.numbers[X],
    part.body.numbers[X_LOW],
  )
  const partY = offset(
    holder.pivot.numbers[Y],
    holder.pivot.numbers[Y_LOW],
    part.body.numbers[Y],
    part.body.numbers[Y_LOW],
  )
  const side = swapped ? -1 : 1
  const dx = side * pair.dx
  const dy = side * pair.dy
  const vx = side * pair.vx
  const vy = side * pair.vy
  const { numbers } = leafBody(holder.view, edges[0], edgeSlot)
  const anchorX = numbers[ANCHOR_X]
  const anchorY = numbers[ANCHOR_Y]
  const reach = numbers[REACH]
  const places = Math.abs(dx) + Math.abs(dy) + Math.abs(armX) + Math.abs(armY) + Math.abs(partX) + Math.abs(partY)
  const size = places + Math.abs(anchorX) + Math.abs(anchorY) + reach
  const far = vectorLength(dx + armX, dy + armY)
  const speed = vectorLength(vx, vy) + Math.abs(guest.spin) * vectorLength(armX, armY) + Math.abs(holder.spin) * far
  const error = 4 * SEPARATION_ERROR_RATIO * size
  const outline = part.outline as Outline
  return { outline, guest, holder, armX, armY, partX, partY, dx, dy, vx, vy, error, speed }
}

function offset(from: number, fromLow: number, to: number, toLow: number): number {
  return to - from + (toLow - fromLow)
}

/** Where the point of `path` is at a time, and its velocity, both as the outline's frame has them at that time; module scratch. */
const moment = { x: 0, y: 0, vx: 0, vy: 0 }

function setMoment(path: PathPoint, time: number): void {
  const { guest, holder, armX, armY, partX, partY, dx, dy, vx, vy } = path
  const cosG = Math.cos(guest.spin * time)
  const sinG = Math.sin(guest.spin * time)
  const cosH = Math.cos(holder.spin * time)
  const sinH = Math.sin(holder.spin * time)
  const turnedX = cosG * armX - sinG * armY
  const turnedY = sinG * armX + cosG * armY
  const x = dx + vx * time + turnedX
  const y = dy + vy * time + turnedY
  const speedX = vx - guest.spin * turnedY + holder.spin * y
  const speedY = vy + guest.spin * turnedX - holder.spin * x
  moment.x = cosH * x + sinH * y - partX
  moment.y = cosH * y - sinH * x - partY
  moment.vx = cosH * speedX + sinH * speedY
  moment.vy = cosH * speedY - sinH * speedX
}

/** −1 clearly inside, 1 clearly outside, 0 within so many rounding errors of the outline. */
function sideAt(path: PathPoint, time: number, errors: number): number {
  setMoment(path, time)
  return clearSide(path.outline, moment.x, moment.y, errors * errorAt(path, time))
}

function errorAt({ vx, vy, error }: PathPoint, time: number): number {
  return error + 4 * SEPARATION_ERROR_RATIO * (Math.abs(vx) + Math.abs(vy)) * time
}

/** When the point goes in, NaN where it does not by `to`. */
function entryTime(pair: SpinPair, guest: Guest, path: PathPoint, x: number, y: number, to: number): number {
  let from = 0
  for (let round = 0; round < RETURN_COUNT; round++) {
    const least = path.error / path.speed
    let before = from
    let after = from
    let side = 0
    for (let k = 0; k < PROBE_COUNT && side === 0 && before < to; k++) {
      before = after
      after = Math.min(from + least * 2 ** k, to)
      side = sideAt(path, after, 1)
      // About a narrow corner the square's corners are outside even when it is not.
      if (side > 0 && isNearEdges(guest, path, after)) side = 0
    }
    if (side < 0) return entryBetween(path, from, before, after, to)
    if (side === 0) return Number.NaN
    from = returnTime(pair, guest, x, y, after, to)
    if (!(from <= to)) return Number.NaN
  }
  return Number.NaN
}

/** Whether the point, whose `moment` it is, is within rounding of an edge that the guest touches at the start. */
function isNearEdges({ edges }: Guest, path: PathPoint, time: number): boolean {
  const error = 2 * errorAt(path, time)
  return edges.some((edge) => distanceToSegment(leafBody(path.holder.view, edge, edgeSlot)) <= error)
}

/** Of a point that is not clearly inside at `low`, but is at `high`; it set out from the outline at `from`. */
function entryBetween(path: PathPoint, from: number, low: number, high: number, to: number): number {
  const shallow = halve(path, low, high, 1)
  // As far again and twice that: on a straight path in equal times.
  const furthest = Math.min(to, 8 * (shallow - from) + from)
  const isDeeper = sideAt(path, furthest, 4) < 0
  const back = isDeeper ? (halve(path, shallow, furthest, 4) - shallow) / 3 : 0
  const time = Math.max(shallow - back, from)
  return (time - from) * path.speed <= 4 * path.error ? from : time
}

/** When the point has come so many rounding errors in. */
function halve(path: PathPoint, low: number, high: number, errors: number): number {
  let early = low
  let late = high
  for (let k = 0; k < HALVING_COUNT; k++) {
    const middle = early + (late - early) / 2
    if (middle === early || middle === late) break
    if (sideAt(path, middle, errors) < 0) late = middle
    else early = middle
  }
  return late
}

/** When the point, which is outside, first meets one of the guest's edges after `from`; Infinity when it does not by `to`. */
function returnTime(pair: SpinPair, guest: Guest, x: number, y: number, from: number, to: number): number {
  const { first, second, motionA, motionB } = pair
  const { swapped } = guest
  setPointBody(leafBody(viewOf(pair, !swapped), guest.leaf, slot), x, y)
  let earliest = Infinity
  for (const leaf of guest.edges) {
    const edge = leafBody(viewOf(pair, swapped), leaf, edgeSlot)
    const a = swapped ? pointBody : edge
    const b = swapped ? edge : pointBody
    const latest = Math.min(to, earliest)
    if (sweepSpin(a, motionA, first, b, motionB, second, from, latest, false, met) && met.converged) {
      earliest = Math.min(earliest, met.time)
    }
  }
  return earliest
}

function setPointBody({ numbers }: Body, x: number, y: number): void {
  const bodyX = numbers[X]
  const bodyY = numbers[Y]
  const xLow = numbers[X_LOW]
  const yLow = numbers[Y_LOW]
  pointBody.numbers[X] = bodyX
  pointBody.numbers[Y] = bodyY
  pointBody.numbers[X_LOW] = xLow
  pointBody.numbers[Y_LOW] = yLow
  reservePoints(pointBody, 1)
  nameInOrder(pointBody, 1)
  putVertex(pointBody, 0, x, y, 0)
  pointBody.count = 1
  pointBody.numbers[RADIUS] = 0
  finishPoints(pointBody)
}

/** The contact of the point with the edge that it is on; at a vertex, with the one that it goes through more directly. */
function setEntry(guest: Guest, path: PathPoint, time: number, feature: FeatureCode, out: SpinHit): void {
  const { swapped, leaf, edges } = guest
  let nearest = edges[0]
  let least = Infinity
  let fastest = Infinity
  setMoment(path, time)
  for (const edge of edges) {
    const edgeBody = leafBody(path.holder.view, edge, edgeSlot)
    const { normals, numbers } = edgeBody
    const gap = Math.max(distanceToSegment(edgeBody), 4 * errorAt(path, time))
    const approach = numbers[normals] * moment.vx + numbers[normals + 1] * moment.vy
    if (gap > least || (gap === least && approach >= fastest)) continue
    least = gap
    fastest = approach
    nearest = edge
  }
  const { normals, edgeFeatures, numbers: numbers2 } = leafBody(path.holder.view, nearest, edgeSlot)
  const turnedH = path.holder.spin * time
  const turnedG = path.guest.spin * time
  const side = swapped ? -1 : 1
  const { pivot, motion } = path.guest
  out.time = time
  out.nx = side * (Math.cos(turnedH) * numbers2[normals] - Math.sin(turnedH) * numbers2[normals + 1])
  out.ny = side * (Math.sin(turnedH) * numbers2[normals] + Math.cos(turnedH) * numbers2[normals + 1])
  out.ax =
    pivot.numbers[X] +
    (pivot.numbers[X_LOW] + motion.vx * time + (Math.cos(turnedG) * path.armX - Math.sin(turnedG) * path.armY))
  out.ay =
    pivot.numbers[Y] +
    (pivot.numbers[Y_LOW] + motion.vy * time + (Math.sin(turnedG) * path.armX + Math.cos(turnedG) * path.armY))
  out.bx = out.ax
  out.by = out.ay
  out.featureA = swapped ? feature : edgeFeatures[0]
  out.featureB = swapped ? edgeFeatures[0] : feature
  out.leafA = swapped ? leaf : nearest
  out.leafB = swapped ? nearest : leaf
  out.startsNear = false
  out.converged = true
}

/** Of the place of `moment` from a segment in the outline's frame. */
function distanceToSegment({ numbers, vertices }: Body): number {
  const ax = numbers[vertices]
  const ay = numbers[vertices + 1]
  const bx = numbers[vertices + 2]
  const by = numbers[vertices + 3]
  const ex = bx - ax
  const ey = by - ay
  const dx = moment.x - ax
  const dy = moment.y - ay
  const share = Math.min(Math.max((dx * ex + dy * ey) / (ex * ex + ey * ey), 0), 1)
  return vectorLength(dx - share * ex, dy - share * ey)
}
