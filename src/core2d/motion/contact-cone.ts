/**
 * The directions in which a convex body that touches a convex obstacle would go into it, as a cone of angles, and the edges of
 * that cone, along which it slides.
 *
 * Method: the moves that make the two meet are the points of the Minkowski difference obstacle − body. They touch where the
 * boundary of the difference passes by the origin, and there its tangent cone holds the directions that are blocked
 * (S. M. LaValle, "Planning Algorithms", 4.3.2): half a plane beside an edge or where a skin makes the boundary smooth, a wedge
 * at a corner, a line or a ray where the difference has no area. What is within a tolerance of a corner counts as at the corner,
 * so that rounded positions give the contact that is meant. Edges are twofold vectors, good for a reflection that rounds once.
 * Frame: world axes. Blocked directions lie to the left of `from` and to the right of `to`. Cost: O(vertices).
 */

import { spend } from '../../containers/budget.ts'
import { addTwofold, negateTwofold, ofDouble, type Twofold } from '../../numeric/twofold.ts'
import { putEdge, putOffset, type TwofoldVector } from '../narrow-phase/closed-gap.ts'
import { separate, toWorld } from '../narrow-phase/dispatch.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  HALFPLANE,
  NORMAL_X,
  NORMAL_Y,
  POLYGON,
  RADIUS,
  REACH,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { mergeEdges } from '../shape/minkowski-difference.ts'
import { ANGLE_TOLERANCE_RATIO, CONTACT_RATIO } from '../tolerances.ts'

/** An edge of a cone: a direction of any length, and its angle from −π to π. */
export interface Edge {
  x: Twofold
  y: Twofold
  angle: number
}

/** All directions from `from` counter-clockwise to `to`; the same twice for a ray. */
interface Cone {
  from: Edge
  to: Edge
}

export interface ConeContact {
  /** None where a point touches a point. */
  cones: Cone[]
  /** Where they touch, on the surface of the obstacle. */
  x: number
  y: number
  /** From the feature of the obstacle to that of the body, and both radii: how far they are apart along a normal. */
  offsetX: Twofold
  offsetY: Twofold
  radius: Twofold
  /** The obstacle and the body have no area there that a direction could lead into: the cones are rays, or there is none. */
  isThin: boolean
}

const FULL_TURN = 2 * Math.PI

const offset: TwofoldVector = new Float64Array(4)
const edge: TwofoldVector = new Float64Array(4)
const separation = createSeparation()

let fromBody = new Int32Array(16)
let fromObstacle = new Int32Array(16)
const normals: number[] = []

/** Up to which distance the body counts as touching the obstacle: what rounding makes of where they are. */
export function contactTolerance(obstacle: Body, body: Body): number {
  const reach = obstacle.kind === HALFPLANE ? 0 : obstacle.numbers[REACH]
  const own = body.kind === HALFPLANE ? 0 : body.numbers[REACH]
  const places =
    Math.abs(obstacle.numbers[X]) +
    Math.abs(obstacle.numbers[Y]) +
    Math.abs(body.numbers[X]) +
    Math.abs(body.numbers[Y])
  const anchors =
    Math.abs(obstacle.numbers[ANCHOR_X]) +
    Math.abs(obstacle.numbers[ANCHOR_Y]) +
    Math.abs(body.numbers[ANCHOR_X]) +
    Math.abs(body.numbers[ANCHOR_Y])
  return CONTACT_RATIO * (places + anchors + reach + own)
}

/** The contact of two convex bodies; null where they are farther apart, or deeper in each other, than the tolerance. */
export function coneContact(obstacle: Body, body: Body, tolerance: number): ConeContact | null {
  if (obstacle.kind > POLYGON || body.kind > POLYGON) return smoothContact(obstacle, body, tolerance)
  const count = mergePair(obstacle, body)
  const radius = obstacle.numbers[RADIUS] + body.numbers[RADIUS]
  if (radius > tolerance) return skinContact(obstacle, body, count, radius, tolerance)
  if (count === 0) return pointContact(obstacle, body, tolerance)
  return count === 2 ? thinContact(obstacle, body, tolerance) : cornerContact(obstacle, body, count, tolerance)
}

/** Walks round the difference obstacle − body; returns how many corners it has, 0 for that of two points. */
function mergePair(obstacle: Body, body: Body): number {
  const most = obstacle.count + body.count
  spend(most)
  if (most > fromBody.length) {
    const size = 2 ** Math.ceil(Math.log2(most))
    fromBody = new Int32Array(size)
    fromObstacle = new Int32Array(size)
  }
  fromBody[0] = 0
  fromObstacle[0] = 0
  return mergeEdges(body, obstacle, fromBody, fromObstacle, normals, 0)
}

export function edgeAlong(x: Twofold, y: Twofold): Edge {
  return { x, y, angle: Math.atan2(y.high, x.high) }
}

export function reversed({ x, y }: Edge): Edge {
  return edgeAlong(negateTwofold(x), negateTwofold(y))
}

/** Half the plane: what an outward normal points away from. */
function halfPlane(x: Twofold, y: Twofold): Cone {
  const from = edgeAlong(negateTwofold(y), x)
  return { from, to: reversed(from) }
}

/** The k-th edge of the difference, counter-clockwise. */
function differenceEdge(obstacle: Body, body: Body, k: number, count: number): Edge {
  const next = k + 1 === count ? 0 : k + 1
  const ofObstacle = fromObstacle[next] !== fromObstacle[k]
  const owner = ofObstacle ? obstacle : body
  putEdge(owner, ofObstacle ? fromObstacle[k] : fromBody[k], edge)
  const side = ofObstacle ? 1 : -1
  return edgeAlong({ high: side * edge[0], low: side * edge[1] }, { high: side * edge[2], low: side * edge[3] })
}

/** Where an edge of the difference is touched: by a corner of either, or along what two edges share. */
function touchOn(obstacle: Body, body: Body, k: number, count: number): { x: number; y: number } {
  const next = k + 1 === count ? 0 : k + 1
  const i = fromBody[k]
  const j = fromObstacle[k]
  const nx = normals[2 * k]
  const ny = normals[2 * k + 1]
  if (fromObstacle[next] === j) return cornerOf(obstacle, j, nx, ny)
  if (fromBody[next] === i) return cornerOf(body, i, -nx, -ny)
  const ux = -ny
  const uy = nx
  putOffset(obstacle, j, body, i, offset)
  const b0 = ux * offset[0] + uy * offset[2]
  putOffset(obstacle, j, body, fromBody[next], offset)
  const b1 = ux * offset[0] + uy * offset[2]
  putEdge(obstacle, j, edge)
  const a1 = ux * edge[0] + uy * edge[2]
  const past = (Math.max(0, Math.min(b0, b1)) + Math.min(a1, Math.max(b0, b1))) / 2
  const { x, y } = cornerOf(obstacle, j, nx, ny)
  return { x: x + past * ux, y: y + past * uy }
}

/** The surface point over a corner of the core, along a unit vector. */
function cornerOf(body: Body, i: number, nx: number, ny: number): { x: number; y: number } {
  const { vertices, numbers } = body
  const radius = numbers[RADIUS]
  return {
    x: body.numbers[X] + (numbers[vertices + 2 * i] + (body.numbers[X_LOW] + radius * nx)),
    y: body.numbers[Y] + (numbers[vertices + 2 * i + 1] + (body.numbers[Y_LOW] + radius * ny)),
  }
}

/** The vector from corner j of the obstacle to corner i of the body. */
function offsetBetween(
  obstacle: Body,
  j: number,
  body: Body,
  i: number,
): Pick<ConeContact, 'offsetX' | 'offsetY' | 'radius'> {
  putOffset(obstacle, j, body, i, offset)
  return {
    offsetX: { high: offset[0], low: offset[1] },
    offsetY: { high: offset[2], low: offset[3] },
    radius: addTwofold(ofDouble(obstacle.numbers[RADIUS]), ofDouble(body.numbers[RADIUS])),
  }
}

/** Two points. */
function pointContact(obstacle: Body, body: Body, tolerance: number): ConeContact | null {
  putOffset(obstacle, 0, body, 0, offset)
  if (!(Math.hypot(offset[0], offset[2]) <= tolerance)) return null
  return { cones: [], ...cornerOf(obstacle, 0, 0, 0), ...offsetBetween(obstacle, 0, body, 0), isThin: true }
}

/** The difference is a segment: a point at a segment, or two that are parallel. */
function thinContact(obstacle: Body, body: Body, tolerance: number): ConeContact | null {
  const along = differenceEdge(obstacle, body, 0, 2)
  const { past, left, height } = placeOnEdge(obstacle, body, 0, 2)
  if (!(Math.abs(height) <= tolerance && past >= -tolerance && left >= -tolerance)) return null
  const forth: Cone = { from: along, to: along }
  const back: Cone = { from: reversed(along), to: reversed(along) }
  const cones: Cone[] = []
  if (left > tolerance) cones.push(forth)
  if (past > tolerance) cones.push(back)
  const k = left > tolerance ? 0 : 1
  const between = offsetBetween(obstacle, fromObstacle[k], body, fromBody[k])
  return { cones, ...touchOn(obstacle, body, 0, 2), ...between, isThin: true }
}

/** How far the origin lies along edge k of the difference, how far from its end, and how high over it. */
function placeOnEdge(
  obstacle: Body,
  body: Body,
  k: number,
  count: number,
): { past: number; left: number; height: number } {
  const nx = normals[2 * k]
  const ny = normals[2 * k + 1]
  const next = k + 1 === count ? 0 : k + 1
  putOffset(obstacle, fromObstacle[k], body, fromBody[k], offset)
  const past = nx * offset[2] - ny * offset[0]
  const height = nx * offset[0] + ny * offset[2]
  putOffset(obstacle, fromObstacle[next], body, fromBody[next], offset)
  return { past, left: ny * offset[0] - nx * offset[2], height }
}

/** The difference is a polygon: beside one of its edges, or at a corner. */
function cornerContact(obstacle: Body, body: Body, count: number, tolerance: number): ConeContact | null {
  const near: number[] = []
  for (let k = 0; k < count; k++) {
    const { past, left, height } = placeOnEdge(obstacle, body, k, count)
    if (height > tolerance) return null
    if (height >= -tolerance && past >= -tolerance && left >= -tolerance) near.push(k)
  }
  if (near.length === 0) return null
  if (near.length === 1) {
    const [k] = near
    const from = differenceEdge(obstacle, body, k, count)
    const between = offsetBetween(obstacle, fromObstacle[k], body, fromBody[k])
    return { cones: [{ from, to: reversed(from) }], ...touchOn(obstacle, body, k, count), ...between, isThin: false }
  }
  const flat = flatContact(obstacle, body, near, count, tolerance)
  if (flat !== null) return flat
  // the edges near the origin follow each other
  const first = near.find((k) => !near.includes(k === 0 ? count - 1 : k - 1)) ?? near[0]
  const last = near.find((k) => !near.includes(k + 1 === count ? 0 : k + 1)) ?? near[0]
  const from = differenceEdge(obstacle, body, last, count)
  const to = reversed(differenceEdge(obstacle, body, first, count))
  const corner = cornerOf(obstacle, fromObstacle[last], 0, 0)
  const between = offsetBetween(obstacle, fromObstacle[last], body, fromBody[last])
  return { cones: [{ from, to }], ...corner, ...between, isThin: false }
}

/** Where rounding has given a difference that is meant to be a segment some width: both of its long sides are near. Else null. */
function flatContact(
  obstacle: Body,
  body: Body,
  near: readonly number[],
  count: number,
  tolerance: number,
): ConeContact | null {
  const edges = near.map((k) => differenceEdge(obstacle, body, k, count))
  const lengths = edges.map(lengthOf)
  const longest = lengths.indexOf(Math.max(...lengths))
  const k = near[longest]
  const across = (j: number) => normals[2 * k] * normals[2 * j + 1] - normals[2 * k + 1] * normals[2 * j]
  const along = (j: number) => normals[2 * k] * normals[2 * j] + normals[2 * k + 1] * normals[2 * j + 1]
  const isFlat = near.some(
    (j, i) => lengths[i] > tolerance && along(j) < 0 && Math.abs(across(j)) <= ANGLE_TOLERANCE_RATIO,
  )
  if (!isFlat) return null
  const forth = edges[longest]
  const back = reversed(forth)
  const cones: Cone[] = []
  // beyond an end there is nothing
  if (near.every((j) => across(j) >= -ANGLE_TOLERANCE_RATIO)) cones.push({ from: back, to: back })
  if (near.every((j) => across(j) <= ANGLE_TOLERANCE_RATIO)) cones.push({ from: forth, to: forth })
  const { left } = placeOnEdge(obstacle, body, k, count)
  const at = left > tolerance ? k : k + 1 === count ? 0 : k + 1
  const between = offsetBetween(obstacle, fromObstacle[at], body, fromBody[at])
  return { cones, ...touchOn(obstacle, body, k, count), ...between, isThin: true }
}

function lengthOf({ x, y }: Edge): number {
  return Math.hypot(x.high, y.high)
}

/** From angle `from` counter-clockwise to angle `to`, 0 … 2π. */
export function turnFrom(from: number, to: number): number {
  const turn = (to - from) % FULL_TURN
  return turn < 0 ? turn + FULL_TURN : turn
}

/** Bodies with skins: the nearest features of the cores give the normal. */
function skinContact(obstacle: Body, body: Body, count: number, radius: number, tolerance: number): ConeContact | null {
  let nearest = Infinity
  let side = 0
  let isCorner = true
  if (count === 0) {
    putOffset(obstacle, 0, body, 0, offset)
    nearest = Math.hypot(offset[0], offset[2])
  }
  for (let k = 0; k < count; k++) {
    const { past, left, height } = placeOnEdge(obstacle, body, k, count)
    if (height - radius > tolerance) return null
    const beyond = Math.min(past, left, 0)
    const distance = height < 0 ? Infinity : Math.hypot(height, beyond)
    if (distance >= nearest) continue
    nearest = distance
    isCorner = beyond < 0
    side = past >= 0 && left < 0 ? (k + 1 === count ? 0 : k + 1) : k
  }
  if (!(Math.abs(nearest - radius) <= tolerance)) return null
  const between = offsetBetween(obstacle, fromObstacle[side], body, fromBody[side])
  if (isCorner) {
    const { offsetX: x, offsetY: y } = between
    const length = Math.hypot(x.high, y.high)
    const touch = cornerOf(obstacle, fromObstacle[side], x.high / length, y.high / length)
    return { cones: [halfPlane(x, y)], ...touch, ...between, isThin: false }
  }
  const from = differenceEdge(obstacle, body, side, count)
  return { cones: [{ from, to: reversed(from) }], ...touchOn(obstacle, body, side, count), ...between, isThin: false }
}

/** With an ellipse or a half-plane: its normal. */
function smoothContact(obstacle: Body, body: Body, tolerance: number): ConeContact | null {
  const { first, swapped } = separate(obstacle, body, separation)
  if (!(Math.abs(separation.value) <= tolerance)) return null
  const side = swapped ? -1 : 1
  const pointX = toWorld(first.numbers[X], first.numbers[ANCHOR_X], swapped ? separation.bx : separation.ax)
  const pointY = toWorld(first.numbers[Y], first.numbers[ANCHOR_Y], swapped ? separation.by : separation.ay)
  let nx: Twofold = { high: side * separation.nx, low: 0 }
  let ny: Twofold = { high: side * separation.ny, low: 0 }
  // as it was given, not the rounded unit vector
  if (obstacle.kind === HALFPLANE) {
    nx = { high: obstacle.numbers[NORMAL_X], low: 0 }
    ny = { high: obstacle.numbers[NORMAL_Y], low: 0 }
  } else if (body.kind === HALFPLANE) {
    nx = { high: -body.numbers[NORMAL_X], low: 0 }
    ny = { high: -body.numbers[NORMAL_Y], low: 0 }
  }
  return {
    cones: [halfPlane(nx, ny)],
    x: pointX,
    y: pointY,
    offsetX: { high: side * separation.nx * separation.value, low: 0 },
    offsetY: { high: side * separation.ny * separation.value, low: 0 },
    radius: ofDouble(0),
    isThin: false,
  }
}

// The sector of directions in which a body may leave everything that it touches at one place, and the walls that bound it.
//
// Method: the blocked cones of all contacts together (`contact-cone.ts`) leave open sectors between them. The body is in the one
// that it came through. Less than half a turn wide it is a corner between two walls; half a turn is one wall, also where several
// obstacles lie flush; more is a corner that sticks out, whose normals are all that lie between those of its sides.
// Frame: world axes; angles from −π to π.

/** A contact with a part of an obstacle. */
export interface LeafTouch {
  obstacle: number
  leaf: number
  contact: ConeContact
  /** Up to which distance it counts as one. */
  tolerance: number
}

export function isOf(touch: LeafTouch, part: { obstacle: number; leaf: number }): boolean {
  return touch.obstacle === part.obstacle && touch.leaf === part.leaf
}

/** A side of the sector: an edge of a blocked cone, and whose it is. */
interface Side {
  edge: Edge
  touch: LeafTouch
}

export interface FreeSector {
  /** Counter-clockwise from `start` to `end`; null when nothing is blocked. */
  start: Side | null
  end: Side | null
  /** Angle between them. */
  span: number
}

/** The sector that the direction `angle` lies in; of the two on either side of a line, the left one. Null where it is blocked. */
export function freeSector(touches: readonly LeafTouch[], angle: number): FreeSector | null {
  const free = outOfCones(touches, angle)
  if (free === null) return null
  let start: Side | null = null
  let end: Side | null = null
  let before = Infinity
  let after = Infinity
  for (const touch of touches) {
    for (const { from, to } of touch.contact.cones) {
      const down = turnFrom(to.angle, free)
      const up = turnFrom(free, from.angle)
      // of several at one angle the first
      if (down < before - ANGLE_TOLERANCE_RATIO) {
        before = down
        start = { edge: to, touch }
      }
      if (up < after - ANGLE_TOLERANCE_RATIO) {
        after = up
        end = { edge: from, touch }
      }
    }
  }
  return { start, end, span: before + after }
}

/** The angle, moved out of the edges of cones; null where it is within one. */
function outOfCones(touches: readonly LeafTouch[], angle: number): number | null {
  let free = angle
  for (let moves = 0; moves <= 2 * touches.length; moves++) {
    const cone = coneAround(touches, free)
    if (cone === null) return free
    const past = turnFrom(cone.from.angle, free)
    const left = turnFrom(free, cone.to.angle)
    const width = turnFrom(cone.from.angle, cone.to.angle)
    if (past <= width && past > ANGLE_TOLERANCE_RATIO && left > ANGLE_TOLERANCE_RATIO) return null
    const atEnd = Math.min(left, 2 * Math.PI - left) <= ANGLE_TOLERANCE_RATIO
    free = atEnd ? cone.to.angle + 4 * ANGLE_TOLERANCE_RATIO : cone.from.angle - 4 * ANGLE_TOLERANCE_RATIO
  }
  return null
}

/** A cone that the angle lies in or next to. */
function coneAround(touches: readonly LeafTouch[], angle: number): Cone | null {
  for (const { contact } of touches) {
    for (const cone of contact.cones) {
      const width = turnFrom(cone.from.angle, cone.to.angle)
      const past = turnFrom(cone.from.angle, angle)
      if (past <= width + ANGLE_TOLERANCE_RATIO || past >= 2 * Math.PI - ANGLE_TOLERANCE_RATIO) return cone
    }
  }
  return null
}

/** A wall that reflects: its outward normal of any length, and where the body touches it. */
export interface Wall {
  nx: Twofold
  ny: Twofold
  touch: LeafTouch
}

/** Of the sector's two sides, from its start on. */
export function startWall({ edge: { x, y }, touch }: Side): Wall {
  return { nx: negateTwofold(y), ny: x, touch }
}

export function endWall({ edge: { x, y }, touch }: Side): Wall {
  return { nx: y, ny: negateTwofold(x), touch }
}

/**
 * The walls that a body runs into that comes into the sector at velocity (vx, vy). At a corner that sticks out it is the one
 * whose normal is the nearest to the way it came: what a ball would do that is smaller than any other.
 */
export function wallsOf(
  { start, end, span }: FreeSector,
  vx: Twofold,
  vy: Twofold,
  touches: readonly LeafTouch[],
): Wall[] {
  const back = { nx: negateTwofold(vx), ny: negateTwofold(vy) }
  if (start === null || end === null) return [{ ...back, touch: touches[0] }]
  const first = startWall(start)
  const second = endWall(end)
  if (span < Math.PI - ANGLE_TOLERANCE_RATIO) return [first, second]
  const lower = second.touch.obstacle < first.touch.obstacle ? second : first
  if (span <= Math.PI + ANGLE_TOLERANCE_RATIO) return [lower]
  const ahead = Math.atan2(back.ny.high, back.nx.high)
  const low = Math.atan2(first.ny.high, first.nx.high)
  const high = Math.atan2(second.ny.high, second.nx.high)
  // the normals lie from that of the start counter-clockwise to that of the end
  if (turnFrom(low, ahead) <= span - Math.PI) return [{ ...back, touch: lower.touch }]
  return [turnFrom(ahead, low) <= turnFrom(high, ahead) ? first : second]
}

/** Whether a direction leads out of the sector: neither within it nor along its sides. */
export function leavesSector({ start, end, span }: FreeSector, angle: number): boolean {
  if (start === null || end === null) return false
  const past = turnFrom(start.edge.angle, angle)
  return past > span + ANGLE_TOLERANCE_RATIO && past < 2 * Math.PI - ANGLE_TOLERANCE_RATIO
}
