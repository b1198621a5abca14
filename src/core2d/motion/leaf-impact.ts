/**
 * The next impact of a body in flight with a part of an obstacle, and all parts that it touches where it is.
 *
 * Method: every convex part (leaf) of what lies on the way is swept (`linear-sweep.ts`), in the frame of its obstacle and over
 * the whole horizon, so that the answer does not depend on what was found before. A part with sharp corners that is missed is swept
 * once more with a skin as thin as rounding: what slips by it within that may be on its way into a gap that is none.
 * Frame: world; obstacles as they stood at the start, the body as seen from them. Times are seconds from now.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { scaleBy, vectorLength } from '../../numeric/safe-range.ts'
import { addTwofold, multiplyTwofold, negateTwofold, roundTwofold, type Twofold } from '../../numeric/twofold.ts'
import { type BoxTree, buildBoxTree, createBoxTree } from '../broad-phase/box-tree.ts'
import { type BoxMotion, setBoxMotion, visitMovingLeafPairs } from '../broad-phase/moving-boxes.ts'
import { createVelocity, crossingTime, planeTime, setTwofoldVelocity } from '../narrow-phase/closed-time.ts'
import { supportVertex } from '../narrow-phase/sat.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  COMPOSITE,
  type Composite,
  copyConvex,
  createBody,
  HALFPLANE,
  POLYGON,
  RADIUS,
  REACH,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { createComposite, leafBody, setBodyBox, viewAsComposite } from '../shape/composite.ts'
import { createMotion, type Motion, type MotionScale, scaleMover, setMotionScale } from '../shape/motion.ts'
import { CONTACT_SHARE_COUNT, INSTANT_RATIO, SLIDING_RATIO } from '../tolerances.ts'
import {
  type ConeContact,
  coneContact,
  contactTolerance,
  type Edge,
  edgeAlong,
  isOf,
  type LeafTouch,
  reversed,
} from './contact-cone.ts'
import { createSweep, sweep } from './linear-sweep.ts'

/** Where a body in flight is, and how it moves. */
export interface Flight {
  /** Convex; its pose is set anew for each obstacle. */
  body: Body
  field: ObstacleField
  time: Twofold
  x: Twofold
  y: Twofold
  vx: Twofold
  vy: Twofold
  /** Time until which an obstacle that the body is leaving is left out. */
  leaving: Float64Array
  /** Parts of obstacles that are left out, by `leafKey`. */
  kept: Map<number, Kept>
  /** Those that are only to be swept as they are, though the body slips along them, by `leafKey`. */
  slipped: Set<number>
}

/** Of a part that the body cannot meet on its straight way: unit normals of the walls there, on whose side the body stays. */
export type Kept = readonly { x: number; y: number }[]

/** An impact: with which part, and when, counted from now. */
export interface LeafImpact {
  obstacle: number
  leaf: number
  time: number
  /** False where the body only slips by within the tolerance of contacts, or along until it hits later. */
  hits: boolean
  hitsLater: boolean
  /** It is in that part already. */
  inside: boolean
  /** Of the hit, from the obstacle to the body. */
  nx: number
  ny: number
}

/** Steps of sweeping one part. */
const LEAF_STEPS = 8

const AT_REST = createMotion()
const found = createSweep()
const leafSlot = createBody()
const fatSlot = createBody()
const bodyView = createComposite()
const boxMotion: BoxMotion = { dx: 0, dy: 0, vx: 0, vy: 0, slack: 0 }
const heading = createMotion()
const velocity = createVelocity()

/** Lets go of the bodies that were looked at last, however large they are. */
export function forgetPair(): void {
  pair.obstacle = leafSlot
  pair.body = leafSlot
}

/** The body beside an obstacle, in units of their own where products would over- or underflow. */
interface Pair {
  obstacle: Body
  body: Body
  motion: ReturnType<typeof createMotion>
  horizon: number
  scale: MotionScale
}

const pair: Pair = {
  obstacle: leafSlot,
  body: leafSlot,
  motion: createMotion(),
  horizon: 0,
  scale: { length: 0, time: 0, duration: 0 },
}

/** Relative to a constant that is a double. */
function less(value: Twofold, speed: number): Twofold {
  return speed === 0 ? value : addTwofold(value, { high: -speed, low: 0 })
}

/** Of the body as seen from an obstacle. */
export function relativeVelocity({ vx, vy }: Flight, { motion }: Obstacle): { x: Twofold; y: Twofold } {
  return { x: less(vx, motion.vx), y: less(vy, motion.vy) }
}

/** Puts the body where it is, seen from an obstacle as it stood at the start. */
export function setBodyBeside({ body, time, x, y }: Flight, { motion }: Obstacle): void {
  spend(LEAF_STEPS)
  const seenX = motion.vx === 0 ? x : addTwofold(x, multiplyTwofold(time, { high: -motion.vx, low: 0 }))
  const seenY = motion.vy === 0 ? y : addTwofold(y, multiplyTwofold(time, { high: -motion.vy, low: 0 }))
  body.numbers[X] = seenX.high
  body.numbers[X_LOW] = seenX.low
  body.numbers[Y] = seenY.high
  body.numbers[Y_LOW] = seenY.low
}

function setPair(flight: Flight, index: number, horizon: number): void {
  const obstacle = flight.field.obstacles[index]
  const { x, y } = relativeVelocity(flight, obstacle)
  setBodyBeside(flight, obstacle)
  const motion = { vx: roundTwofold(x), vy: roundTwofold(y), spin: 0 }
  pair.obstacle = obstacle.body
  pair.body = flight.body
  pair.motion = motion
  pair.horizon = horizon
  if (!setMotionScale(obstacle.body, AT_REST, flight.body, motion, horizon, pair.scale)) {
    pair.scale.time = 0
    pair.scale.length = 0
    return
  }
  const scaled = scaleMover(flight.body, motion, pair.scale)
  pair.obstacle = scaleMover(obstacle.body, AT_REST, pair.scale).body
  pair.body = scaled.body
  pair.motion = scaled.motion
  pair.horizon = pair.scale.duration
}

/** Calls `visit` for the parts of the pair's obstacle that the body may meet until the time, in the pair's unit, that it last returned. */
function visitLeaves(limit: number, visit: (leaf: number, body: Body) => number): void {
  const { obstacle, body, motion } = pair
  if (obstacle.kind !== COMPOSITE) {
    visit(0, obstacle)
    return
  }
  const composite = obstacle.composite as Composite
  const { tree } = viewAsComposite(body, bodyView)
  setBoxMotion(
    boxMotion,
    body.numbers[X] - obstacle.numbers[X],
    body.numbers[Y] - obstacle.numbers[Y],
    motion.vx,
    motion.vy,
  )
  visitMovingLeafPairs(composite.tree, tree, boxMotion, limit, (leaf) =>
    visit(leaf, leafBody(composite, leaf, leafSlot)),
  )
}

function setHeading({ vx, vy }: Flight): void {
  heading.vx = roundTwofold(vx)
  heading.vy = roundTwofold(vy)
}

/** The earliest within `horizon`, null when there is none; of those at one time that with the first part of the first obstacle. */
export function firstLeafImpact(flight: Flight, horizon: number): LeafImpact | null {
  const { field, body, leaving, kept, slipped } = flight
  const time = roundTwofold(flight.time)
  let first: LeafImpact | null = null
  let latest = horizon
  setHeading(flight)
  visitObstacles(field, body, roundTwofold(flight.x), roundTwofold(flight.y), heading, time, horizon, (obstacle) => {
    if (leaving[obstacle] > time) return latest
    setPair(flight, obstacle, horizon)
    const { scale } = pair
    visitLeaves(first === null ? pair.horizon : Math.min(pair.horizon, scaleBy(latest, -scale.time)), (leaf, other) => {
      const key = leafKey(field, obstacle, leaf)
      if (!kept.has(key) && sweepLeaf(other, slipped.has(key))) {
        const at = scaleBy(swept.time, scale.time)
        const isFirst = first === null || at < first.time
        const isTie = first !== null && at === first.time
        if (isFirst || (isTie && first !== null && isBefore(obstacle, leaf, first))) {
          first = { obstacle, leaf, ...swept, time: at }
          latest = Math.min(latest, at)
        }
      }
      return first === null ? pair.horizon : Math.min(pair.horizon, scaleBy(latest, -scale.time))
    })
    return latest
  })
  return first
}

/** A hit before what only slips by, then in order. */
function isBefore(obstacle: number, leaf: number, other: LeafImpact): boolean {
  if (swept.hits !== other.hits) return swept.hits
  return obstacle < other.obstacle || (obstacle === other.obstacle && leaf < other.leaf)
}

const swept = { time: 0, hits: false, hitsLater: false, inside: false, nx: 0, ny: 0 }

/** Sets `swept` to when the pair's body meets the part, and returns whether it does. `asItIs`: slipping by is not looked for. */
function sweepLeaf(leaf: Body, asItIs: boolean): boolean {
  spend(LEAF_STEPS)
  const { body, motion, horizon } = pair
  const { vx, vy } = motion
  swept.hits = sweep(leaf, AT_REST, body, motion, horizon, found)
  swept.hitsLater = false
  swept.inside = swept.hits && found.inside
  swept.time = swept.inside ? 0 : found.enter
  swept.nx = found.nx
  swept.ny = found.ny
  if (asItIs || swept.inside || leaf.kind > POLYGON || body.kind > POLYGON) return swept.hits
  const speed = Math.hypot(vx, vy)
  if (swept.hits && -(vx * found.nx + vy * found.ny) >= speed / CONTACT_SHARE_COUNT) return true
  const tolerance = contactTolerance(leaf, body)
  if (leaf.numbers[RADIUS] + body.numbers[RADIUS] > tolerance) return swept.hits
  copyConvex(body, fatSlot)
  fatSlot.numbers[RADIUS] += tolerance
  fatSlot.numbers[REACH] += tolerance
  if (!sweep(leaf, AT_REST, fatSlot, motion, horizon, found)) return swept.hits
  // after all that it hits there
  const time = found.inside ? 0 : Math.min(found.enter + (2 * tolerance) / speed, horizon)
  if (swept.hits && swept.time <= time) return true
  swept.hitsLater = swept.hits
  swept.hits = false
  swept.time = time
  return true
}

/** The time of an impact, to twice the digits where its features allow it. */
export function impactTime(
  flight: Flight,
  { obstacle, leaf, time, hits, inside }: LeafImpact,
  horizon: number,
): Twofold {
  const rounded = { high: time, low: 0 }
  if (!hits || inside || time === 0) return rounded
  setPair(flight, obstacle, horizon)
  const { body, scale } = pair
  if (body.kind > POLYGON) return rounded
  const other = leafOf(leaf)
  if (other.kind > POLYGON && other.kind !== HALFPLANE) return rounded
  if (!sweep(other, AT_REST, body, pair.motion, pair.horizon, found) || found.inside) return rounded
  const { x, y } = relativeVelocity(flight, flight.field.obstacles[obstacle])
  const out: Twofold = { high: 0, low: 0 }
  if (other.kind === HALFPLANE) {
    setPairVelocity(x, y)
    planeTime(other, body, supportVertex(body, -found.nx, -found.ny), velocity, out)
  } else {
    setPairVelocity(negateTwofold(x), negateTwofold(y))
    crossingTime(other, body, found, velocity, -1, out)
  }
  const unit = scale.time - velocity.exponent
  const exact = scaleTwofold(out, unit)
  // of what rounding has left beside the features that were named, the time that was found is the better one
  return Math.abs(exact.high - time) <= INSTANT_RATIO * Math.abs(time) ? exact : rounded
}

function setPairVelocity(x: Twofold, y: Twofold): void {
  const unit = pair.scale.time - pair.scale.length
  setTwofoldVelocity(scaleTwofold(x, unit), scaleTwofold(y, unit), velocity)
}

/** All that the body touches where it is, by obstacle and part; `impact` too, which has brought it there. */
export function touchesAt(flight: Flight, impact: LeafImpact | null): LeafTouch[] {
  const own = touchesWithin(flight, 0)
  const widest = own.touches.reduce((most, { tolerance }) => Math.max(most, tolerance), 0)
  // corners that coincide are one for all that meet there, whatever the size of each
  const { touches } = own.missed > 0 && own.narrowest < widest ? touchesWithin(flight, widest) : own
  if (impact?.hits === true && !touches.some((touch) => isOf(touch, impact))) {
    setPair(flight, impact.obstacle, 0)
    const other = leafOf(impact.leaf)
    const touch = touchOf(flight, impact.obstacle, impact.leaf, other, touchTolerance(other, 0), impact)
    if (touch !== null) touches.push(touch)
  }
  return touches.sort((p, q) => p.obstacle - q.obstacle || p.leaf - q.leaf)
}

/** A part of the pair's obstacle. */
function leafOf(leaf: number): Body {
  const { obstacle } = pair
  return obstacle.kind === COMPOSITE ? leafBody(obstacle.composite as Composite, leaf, leafSlot) : obstacle
}

interface Touches {
  touches: LeafTouch[]
  /** How many parts nearby are not touched. */
  missed: number
  /** The least tolerance of all of them. */
  narrowest: number
}

/** Obstacles that the body touches within their own tolerance, or within `least` if that is more. */
function touchesWithin(flight: Flight, least: number): Touches {
  const { field, body, leaving } = flight
  const time = roundTwofold(flight.time)
  const touches: LeafTouch[] = []
  let missed = 0
  let narrowest = Infinity
  setHeading(flight)
  visitObstacles(field, body, roundTwofold(flight.x), roundTwofold(flight.y), heading, time, 0, (obstacle) => {
    if (leaving[obstacle] > time) return 0
    setPair(flight, obstacle, 0)
    visitLeaves(0, (leaf, other) => {
      const tolerance = touchTolerance(other, least)
      narrowest = Math.min(narrowest, scaleBy(tolerance, pair.scale.length))
      const touch = touchOf(flight, obstacle, leaf, other, tolerance, null)
      if (touch === null) missed++
      else touches.push(touch)
      return 0
    })
    return 0
  })
  return { touches, missed, narrowest }
}

/** Of a part of the pair's obstacle, in the pair's unit. */
function touchTolerance(other: Body, least: number): number {
  const own = CONTACT_SHARE_COUNT * contactTolerance(other, pair.body)
  return Math.max(own, scaleBy(least, -pair.scale.length))
}

/** The contact with a part of the pair's obstacle, in the world; with the part that was hit there is one in any case. */
function touchOf(
  flight: Flight,
  obstacle: number,
  leaf: number,
  other: Body,
  tolerance: number,
  hit: LeafImpact | null,
): LeafTouch | null {
  const { body, scale } = pair
  let contact = coneContact(other, body, tolerance)
  if (contact === null && hit !== null) contact = hitContact(other, hit, tolerance)
  if (contact === null) return null
  const { motion } = flight.field.obstacles[obstacle]
  const time = roundTwofold(flight.time)
  contact.x = scaleBy(contact.x, scale.length) + time * motion.vx
  contact.y = scaleBy(contact.y, scale.length) + time * motion.vy
  contact.offsetX = scaleTwofold(contact.offsetX, scale.length)
  contact.offsetY = scaleTwofold(contact.offsetY, scale.length)
  contact.radius = scaleTwofold(contact.radius, scale.length)
  if (contact.isThin && pair.obstacle.kind === COMPOSITE) {
    fillInside(contact, pair.obstacle.composite as Composite, leaf, body.count === 1)
  }
  return { obstacle, leaf, contact, tolerance: scaleBy(tolerance, scale.length) }
}

function scaleTwofold({ high, low }: Twofold, exponent: number): Twofold {
  return { high: scaleBy(high, exponent), low: scaleBy(low, exponent) }
}

/** Of a part that the sweep has brought the body to, within more than the tolerance: that of an ellipse is found by steps. */
function hitContact(leaf: Body, { nx, ny }: LeafImpact, tolerance: number): ConeContact | null {
  for (const factor of [2 ** 10, 2 ** 20]) {
    const contact = coneContact(leaf, pair.body, factor * tolerance)
    if (contact === null) continue
    if (nx !== 0 || ny !== 0) {
      const from = edgeAlong({ high: -ny, low: 0 }, { high: nx, low: 0 })
      contact.cones = [{ from, to: edgeAlong({ high: ny, low: 0 }, { high: -nx, low: 0 }) }]
      contact.isThin = false
    }
    return contact
  }
  return null
}

/** The inside of a region lies to the left of its edges: a body without area that touches one does not go there. */
function fillInside(contact: ConeContact, composite: Composite, leaf: number, isPoint: boolean): void {
  const { outline } = composite.parts[composite.leafPart[leaf]]
  if (outline?.solid !== true || contact.cones.length === 0) return
  const { vertices, edgeEnd, edgeBefore } = outline
  const start = composite.leafEdge[leaf]
  const towards = (vertex: number) =>
    edgeAlong(
      addTwofold({ high: vertices[2 * vertex], low: 0 }, { high: -vertices[2 * start], low: 0 }),
      addTwofold({ high: vertices[2 * vertex + 1], low: 0 }, { high: -vertices[2 * start + 1], low: 0 }),
    )
  const from = towards(edgeEnd[start])
  if (contact.cones.length === 2) {
    contact.cones = [{ from, to: reversed(from) }]
    contact.isThin = false
  } else if (isPoint && isAlong(contact.cones[0].from, from)) {
    contact.cones = [{ from, to: towards(edgeBefore[start]) }]
    contact.isThin = false
  }
}

function isAlong(p: Edge, q: Edge): boolean {
  return p.x.high * q.x.high + p.y.high * q.y.high > 0
}

// The obstacles of a trajectory, found by the path of the body: those at rest through a box tree, moving ones one by one.
// Frame: world; obstacles stand where they stood at the start.

export interface Obstacle {
  body: Body
  motion: Motion
}

export interface ObstacleField {
  obstacles: readonly Obstacle[]
  /** Number of the first part of each obstacle, when the parts of all of them are numbered. */
  firstLeaf: Int32Array
  /** Obstacles at rest, in the order of the tree's leaves, and the moving ones. */
  resting: number[]
  moving: number[]
  tree: BoxTree
  /** The body that moves, as a tree of one box about its position. */
  bodyTree: BoxTree
}

export function createObstacleField(body: Body, obstacles: readonly Obstacle[]): ObstacleField {
  const resting: number[] = []
  const moving: number[] = []
  const firstLeaf = new Int32Array(obstacles.length)
  let leaves = 0
  for (let i = 0; i < obstacles.length; i++) {
    const { kind, composite } = obstacles[i].body
    firstLeaf[i] = leaves
    leaves += kind === COMPOSITE ? (composite as Composite).leafCount : 1
    const { vx, vy } = obstacles[i].motion
    if (vx === 0 && vy === 0) resting.push(i)
    else moving.push(i)
  }
  spend(4 * obstacles.length)
  const boxes = new Float64Array(4 * resting.length)
  for (let k = 0; k < resting.length; k++) {
    const obstacle = obstacles[resting[k]].body
    setBox(boxes, k, obstacle, obstacle.numbers[X], obstacle.numbers[Y])
  }
  const tree = createBoxTree()
  buildBoxTree(tree, boxes, resting.length)
  const bodyTree = createBoxTree()
  const bodyBox = new Float64Array(4)
  setBox(bodyBox, 0, body, 0, 0)
  buildBoxTree(bodyTree, bodyBox, 1)
  return { obstacles, firstLeaf, resting, moving, tree, bodyTree }
}

/** A number for a part of an obstacle. */
export function leafKey({ firstLeaf }: ObstacleField, obstacle: number, leaf: number): number {
  return firstLeaf[obstacle] + leaf
}

function setBox(boxes: Float64Array, index: number, body: Body, x: number, y: number): void {
  if (body.kind !== COMPOSITE) {
    setBodyBox(boxes, index, body, x, y)
    return
  }
  const { tree } = body.composite as Composite
  for (let k = 0; k < 4; k++) boxes[4 * index + k] = tree.boxes[k] + (k % 2 === 0 ? x : y)
}

const obstacleMotion: BoxMotion = { dx: 0, dy: 0, vx: 0, vy: 0, slack: 0 }

/**
 * Calls `visit` for the obstacles that the body may meet on its way from (x, y) at (vx, vy), seen from the obstacle, within
 * the time that it last returned (`limit` at first). `time`: since the start.
 */
export function visitObstacles(
  field: ObstacleField,
  body: Body,
  x: number,
  y: number,
  velocity: Motion,
  time: number,
  limit: number,
  visit: (obstacle: number) => number,
): void {
  const { obstacles, resting, moving, tree, bodyTree } = field
  let latest = limit
  setBoxMotion(obstacleMotion, x, y, velocity.vx, velocity.vy)
  visitMovingLeafPairs(tree, bodyTree, obstacleMotion, limit, (leaf) => {
    latest = visit(resting[leaf])
    return latest
  })
  spend(moving.length)
  for (const i of moving) {
    const { body: obstacle, motion } = obstacles[i]
    const seenX = x - time * motion.vx
    const seenY = y - time * motion.vy
    if (isOutOfReach(body, seenX, seenY, obstacle, velocity.vx - motion.vx, velocity.vy - motion.vy, latest)) continue
    latest = visit(i)
  }
}

/** Whether the path over `time` passes by the obstacle for certain. */
function isOutOfReach(body: Body, x: number, y: number, obstacle: Body, vx: number, vy: number, time: number): boolean {
  if (body.kind === HALFPLANE || obstacle.kind === HALFPLANE) return false
  const px = x - (obstacle.numbers[X] + obstacle.numbers[ANCHOR_X])
  const py = y - (obstacle.numbers[Y] + obstacle.numbers[ANCHOR_Y])
  const size =
    obstacle.numbers[REACH] + body.numbers[REACH] + Math.abs(body.numbers[ANCHOR_X]) + Math.abs(body.numbers[ANCHOR_Y])
  const speed = vectorLength(vx, vy)
  const ux = speed > 0 ? vx / speed : 0
  const uy = speed > 0 ? vy / speed : 0
  const along = Math.min(Math.max(-(px * ux + py * uy), 0), speed * time)
  const slack = 128 * UNIT_ROUNDOFF * (Math.abs(px) + Math.abs(py) + Math.abs(x) + Math.abs(y))
  return vectorLength(px + along * ux, py + along * uy) > size * (1 + 2 * SLIDING_RATIO) + slack
}
