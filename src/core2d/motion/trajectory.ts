/**
 * The trajectory query: a moving body that bounces off obstacles, which stand still or move uniformly.
 *
 * Method: event by event. The earliest impact of the body with a part of an obstacle (`leaf-impact.ts`), in the frame of that
 * obstacle, so that obstacles never move. There everything that the body touches is taken together: the directions that are left
 * open (`contact-cone.ts`) give the walls off which the velocity relative to the obstacle is reflected, one wall after another until
 * it leads into none. What was touched cannot be met again on a straight way that leads away from it or along it, so it is left
 * out until the next bounce, and rounding cannot carry the body through it.
 * Position, velocity and time are twofold numbers, and impacts of straight and round features are taken to as many digits, so that
 * the answer is rounded once (`narrow-phase/closed-time.ts`).
 * Frame: world, in and out; times are seconds from the start.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import {
  addTwofold,
  dotTwofold,
  negateTwofold,
  ofDouble,
  roundTwofold,
  subtractTwofold,
  type Twofold,
} from '../../numeric/twofold.ts'
import { contact, createContact } from '../queries/contact.ts'
import { relate } from '../queries/overlap.ts'
import { type Body, isComposite, REACH, X, X_LOW, Y, Y_LOW } from '../shape/body.ts'
import { createMotion, type Motion } from '../shape/motion.ts'
import {
  ANGLE_TOLERANCE_RATIO,
  INSTANT_RATIO,
  PUSH_COUNT,
  SAME_WALL_RATIO,
  SLIDING_RATIO,
  SLIDING_SIDE_RATIO,
  START_DEPTH_RATIO,
  STUCK_BOUNCE_COUNT,
  STUCK_LAST_COUNT,
} from '../tolerances.ts'
import {
  type ConeContact,
  contactTolerance,
  endWall,
  type FreeSector,
  freeSector,
  isOf,
  type LeafTouch,
  leavesSector,
  startWall,
  turnFrom,
  type Wall,
  wallsOf,
} from './contact-cone.ts'
import {
  createObstacleField,
  firstLeafImpact,
  forgetPair,
  impactTime,
  type Kept,
  type LeafImpact,
  leafKey,
  type Obstacle,
  relativeVelocity,
  setBodyBeside,
  touchesAt,
  visitObstacles,
} from './leaf-impact.ts'
import {
  advance,
  type Bounce,
  type Bouncer,
  bounceOff,
  comesLater,
  leaving,
  reflect,
  type Surface,
  surfaceOf,
} from './reflection.ts'
import { createTimeOfImpact, timeOfImpact } from './time-of-impact.ts'

export type { Obstacle } from './leaf-impact.ts'
export type { Bounce } from './reflection.ts'

export interface Trajectory {
  bounces: Bounce[]
  /** Where it ended: time, position of the body's local origin, velocity. */
  time: number
  x: number
  y: number
  vx: number
  vy: number
  /**
   * max-bounces: one more bounce was due than were allowed, and the end is that instant. stuck: bounces follow each other
   * without time passing, or nothing parts the body from an obstacle.
   */
  status: 'completed' | 'max-bounces' | 'stuck'
}

type Ending = Trajectory['status'] | null

/** The state of one run. */
interface Run extends Bouncer {
  duration: number
  /** For how long at least an obstacle is left out the next time: where rounding blurs the exit, the body must not hang on it. */
  patience: Float64Array
}

/** The obstacles that touch the body and move at one velocity. */
interface Group {
  vx: number
  vy: number
  touches: LeafTouch[]
  /** Surfaces that bound the way of the body, whether it runs into them or not. */
  sides: Surface[]
  /** Null where the body is squeezed. */
  sector: FreeSector | null
  /** Its walls are among those that reflect. */
  reflects: boolean
}

/** By how much an obstacle that was left out too briefly is left out longer. */
const PATIENCE_FACTOR = 64

const NO_SIDES: Kept = []
/** Times that a direction is moved to the right side of all walls: enough where two of them meet. */
const SIDE_ROUNDS = 4
const AT_REST = createMotion()
const relative = createMotion()
const candidate = createTimeOfImpact()
const contactFound = createContact()

/**
 * `restitution` ≥ 0 scales the part of the relative velocity that is reflected; `maxBounces` ≥ 0. Spins are ignored. `body`
 * is left where it ended. Cost of a bounce: O(log obstacles), and O(1) for each one that moves.
 */
export function trajectory(
  body: Body,
  motion: Motion,
  obstacles: readonly Obstacle[],
  duration: number,
  restitution: number,
  maxBounces: number,
): Trajectory {
  const run: Run = {
    body,
    field: createObstacleField(body, obstacles),
    duration,
    restitution,
    maxBounces,
    bounces: [],
    time: ofDouble(0),
    x: ofDouble(body.numbers[X]),
    y: ofDouble(body.numbers[Y]),
    vx: ofDouble(motion.vx),
    vy: ofDouble(motion.vy),
    leaving: new Float64Array(obstacles.length),
    patience: new Float64Array(obstacles.length),
    kept: new Map(),
    slipped: new Set(),
    atOnce: 0,
  }
  const status = follow(run)
  const { bounces, time, x, y, vx, vy } = run
  body.numbers[X] = roundTwofold(x)
  body.numbers[Y] = roundTwofold(y)
  body.numbers[X_LOW] = 0
  body.numbers[Y_LOW] = 0
  return {
    bounces,
    time: roundTwofold(time),
    x: body.numbers[X],
    y: body.numbers[Y],
    vx: roundTwofold(vx),
    vy: roundTwofold(vy),
    status,
  }
}

/** To the end. */
function follow(run: Run): Trajectory['status'] {
  try {
    let status = settle(run, obstaclesAt(run)) ?? meet(run, null)
    while (status === null) {
      spend(1 + (run.field.obstacles.length >> 4))
      status = goOn(run)
    }
    return status
  } finally {
    forgetPair()
  }
}

/** To the next event. */
function goOn(run: Run): Ending {
  const { duration, leaving } = run
  const now = roundTwofold(run.time)
  const left = duration - now
  const next = nextLeave(leaving, now)
  const horizon = Math.min(left, next - now)
  const impact = firstLeafImpact(run, horizon)
  if (impact !== null) {
    run.atOnce = impact.time > instant(run) ? 0 : run.atOnce + 1
    if (run.atOnce > STUCK_BOUNCE_COUNT) return 'stuck'
    advance(run, impactTime(run, impact, horizon))
    return meet(run, impact)
  }
  if (horizon === left) {
    advance(run, subtractTwofold(ofDouble(duration), run.time))
    run.time = ofDouble(duration)
    return 'completed'
  }
  advance(run, ofDouble(horizon))
  const back: number[] = []
  for (let i = 0; i < leaving.length; i++) if (leaving[i] > now && leaving[i] <= next) back.push(i)
  run.time = ofDouble(next)
  return settle(run, back) ?? meet(run, null)
}

/** When the next of the obstacles that are left out comes back. */
function nextLeave(leaving: Float64Array, time: number): number {
  let next = Infinity
  for (let i = 0; i < leaving.length; i++) if (leaving[i] > time) next = Math.min(next, leaving[i])
  return next
}

/** How much time passes between two instants that count as one. */
function instant({ time, vx, vy, body }: Run): number {
  const speed = Math.hypot(vx.high, vy.high)
  const crossing = speed > 0 ? body.numbers[REACH] / speed : 0
  return INSTANT_RATIO * (time.high + (crossing < Infinity ? crossing : 0))
}

/** Reflects the velocity off all walls that the body runs into where it is; null: off none, or it goes on after that. */
function meet(run: Run, impact: LeafImpact | null): Ending {
  const touches = touchesAt(run, impact)
  if (impact !== null && !touches.some((touch) => isOf(touch, impact))) {
    // out of its way after all, or deeper in it than rounding brings it
    run.kept.set(leafKey(run.field, impact.obstacle, impact.leaf), NO_SIDES)
    if (impact.inside) return overlapped(run, impact.obstacle)
  }
  const groups = groupsOf(run, touches)
  const surfaces: Surface[] = []
  for (const group of groups) {
    setSector(run, group, impact)
    if (isMet(run, group, impact)) surfaces.push(...surfacesOf(run, group))
  }
  if (impact?.hitsLater === true && comesLater(run, surfaces)) {
    run.slipped.add(leafKey(run.field, impact.obstacle, impact.leaf))
    return null
  }
  const before = run.bounces.length
  for (let more = true; more; ) {
    const status = reflect(run, surfaces)
    if (status !== null) return status
    more = false
    for (const group of groups) {
      // what it did not run into at first
      if (group.reflects || !isMet(run, group, null)) continue
      surfaces.push(...surfacesOf(run, group))
      more = true
    }
  }
  if (run.bounces.length > before) {
    run.kept.clear()
    run.slipped.clear()
  }
  for (const group of groups) keep(run, group)
  return null
}

function groupsOf({ field }: Run, touches: readonly LeafTouch[]): Group[] {
  const groups: Group[] = []
  for (const touch of touches) {
    const { vx, vy } = field.obstacles[touch.obstacle].motion
    let group = groups.find((other) => other.vx === vx && other.vy === vy)
    if (group === undefined) {
      group = { vx, vy, touches: [], sides: [], sector: null, reflects: false }
      groups.push(group)
    }
    group.touches.push(touch)
  }
  return groups
}

/** Finds the sector that the body comes from, or goes to at the start. */
function setSector(run: Run, group: Group, impact: LeafImpact | null): void {
  const { touches } = group
  const { x, y } = relativeVelocity(run, run.field.obstacles[touches[0].obstacle])
  const isAtRest = x.high === 0 && y.high === 0
  group.sector =
    (impact === null && !isAtRest ? freeSector(touches, Math.atan2(y.high, x.high)) : null) ??
    freeSector(touches, wayBack(run, touches, x.high, y.high))
  if (group.sector === null) return
  const { start, end } = group.sector
  if (start === null || end === null) return
  group.sides = [startWall(start), endWall(end)].map((wall) => surfaceOf(wall, group))
}

/** Whether the walls of the group are to reflect: what a corner that sticks out has for a wall depends on the way into it. */
function isMet(run: Run, { touches, sector }: Group, impact: LeafImpact | null): boolean {
  if (sector === null || !sticksOut(sector)) return true
  const { x, y } = relativeVelocity(run, run.field.obstacles[touches[0].obstacle])
  if (x.high === 0 && y.high === 0) return false
  const arrives = impact?.hits === true && touches.some((touch) => isOf(touch, impact))
  return arrives || leavesSector(sector, Math.atan2(y.high, x.high))
}

function sticksOut({ span }: FreeSector): boolean {
  return span > Math.PI + ANGLE_TOLERANCE_RATIO
}

function surfacesOf(run: Run, group: Group): Surface[] {
  const { touches, sector } = group
  const { x, y } = relativeVelocity(run, run.field.obstacles[touches[0].obstacle])
  group.reflects = true
  const walls =
    sector === null
      ? touches.flatMap((touch) => alone(touch, Math.atan2(y.high, x.high), x, y))
      : wallsOf(sector, x, y, touches)
  const surfaces = walls.map((wall) => surfaceOf(wall, group))
  if (sector === null) group.sides = surfaces
  return surfaces
}

/** Walls of one contact by itself: the body is squeezed, so that no sector is left for it. */
function alone(touch: LeafTouch, ahead: number, x: Twofold, y: Twofold): Wall[] {
  const touches = [touch]
  const sector = freeSector(touches, opposite(ahead)) ?? freeSector(touches, ahead)
  return sector === null ? [] : wallsOf(sector, x, y, touches)
}

function opposite(angle: number): number {
  return angle > 0 ? angle - Math.PI : angle + Math.PI
}

/** The direction that the body comes from, on that side of what it has met that it was on. */
function wayBack(run: Run, touches: readonly LeafTouch[], vx: number, vy: number): number {
  const { kept } = run
  const speed = Math.hypot(vx, vy)
  let x = speed > 0 ? -vx / speed : 0
  let y = speed > 0 ? -vy / speed : 0
  for (let round = 0; round < SIDE_ROUNDS; round++) {
    for (const { obstacle, leaf } of touches) {
      for (const { x: nx, y: ny } of kept.get(leafKey(run.field, obstacle, leaf)) ?? NO_SIDES) {
        const short = SLIDING_SIDE_RATIO - (x * nx + y * ny)
        if (short <= 0) continue
        x += short * nx
        y += short * ny
      }
    }
  }
  for (const { contact, obstacle, leaf } of touches) {
    if (!contact.isThin || kept.has(leafKey(run.field, obstacle, leaf))) continue
    const side = sideOfRay(contact, x, y)
    x -= side * SLIDING_SIDE_RATIO * y
    y += side * SLIDING_SIDE_RATIO * x
  }
  if (x !== 0 || y !== 0 || touches[0].contact.cones.length === 0) return Math.atan2(y, x)
  // at rest: out of the first obstacle
  const { from, to } = touches[0].contact.cones[0]
  return opposite(from.angle + turnFrom(from.angle, to.angle) / 2)
}

/** Where a direction runs along a ray of the contact: 1 when the body is on its left, −1 on its right, as far as can be told; else 0. */
function sideOfRay({ cones, offsetX, offsetY }: ConeContact, x: number, y: number): number {
  const angle = Math.atan2(y, x)
  for (const { from } of cones) {
    const turn = turnFrom(from.angle, angle)
    if (Math.min(turn, 2 * Math.PI - turn) > ANGLE_TOLERANCE_RATIO) continue
    return Math.sign(roundTwofold(dotTwofold(offsetX, offsetY, negateTwofold(from.y), from.x)))
  }
  return 0
}

/** Leaves out what has been met, until the next bounce: nothing straight leads back to it. */
function keep(run: Run, { touches, sides, sector, reflects }: Group): void {
  const isCertain = reflects || sector === null || !sticksOut(sector)
  const behind = sides.filter((side) => {
    const rate = leaving(run, side)
    // it may come round a corner that sticks out to the other side
    return rate >= -SLIDING_SIDE_RATIO && (isCertain || rate <= SLIDING_SIDE_RATIO)
  })
  for (const { obstacle, leaf, contact } of touches) {
    const own = behind.filter((side) => isSideOf(contact, side))
    run.kept.set(
      leafKey(run.field, obstacle, leaf),
      own.map(({ unitX, unitY }) => ({ x: unitX, y: unitY })),
    )
  }
}

/** Whether all that the contact blocks lies behind the wall. */
function isSideOf({ cones }: ConeContact, { unitX, unitY }: Surface): boolean {
  return cones.every(({ from, to }) =>
    [from, to].every(({ x, y }) => {
      const length = Math.hypot(x.high, y.high)
      return unitX * (x.high / length) + unitY * (y.high / length) <= SAME_WALL_RATIO
    }),
  )
}

/** The obstacles that the body may be in at the start. */
function obstaclesAt(run: Run): number[] {
  const near: number[] = []
  const { body, field } = run
  visitObstacles(field, body, roundTwofold(run.x), roundTwofold(run.y), AT_REST, 0, 0, (obstacle) => {
    near.push(obstacle)
    return 0
  })
  return near.sort((p, q) => p - q)
}

/** Lets the body out of obstacles that it is in, the lowest first. */
function settle(run: Run, obstacles: readonly number[]): Ending {
  for (const obstacle of obstacles) {
    placeBeside(run, run.field.obstacles[obstacle])
    if (relate(run.field.obstacles[obstacle].body, run.body) >= 0) continue
    const status = overlapped(run, obstacle)
    if (status !== null) return status
  }
  return null
}

/**
 * A body that is in an obstacle bounces off it where it moves against the way out, and is put there. Where it is on its way out,
 * the obstacle is left out until it has left it.
 */
function overlapped(run: Run, index: number): Ending {
  const { body, field, time, x, y } = run
  const obstacle = field.obstacles[index]
  placeBeside(run, obstacle)
  contact(obstacle.body, body, 0, contactFound)
  const { hasNormal, separation, nx, ny } = contactFound
  // rounding of where it is, with which it touches
  if (-separation <= contactTolerance(obstacle.body, body)) return null
  if (!hasNormal) return 'stuck'
  const speed = Math.hypot(relative.vx, relative.vy)
  if (relative.vx * nx + relative.vy * ny < -SLIDING_RATIO * speed) {
    if (run.bounces.length === run.maxBounces) return run.atOnce > STUCK_LAST_COUNT ? 'stuck' : 'max-bounces'
    run.atOnce++
    if (run.atOnce > STUCK_BOUNCE_COUNT) return 'stuck'
    timeOfImpact(obstacle.body, AT_REST, body, relative, run.duration - roundTwofold(time), true, 'contact', candidate)
    const { motion } = obstacle
    const contactPoint = {
      cones: [],
      offsetX: ofDouble(0),
      offsetY: ofDouble(0),
      radius: ofDouble(0),
      isThin: false,
      x: candidate.ax + roundTwofold(time) * motion.vx,
      y: candidate.ay + roundTwofold(time) * motion.vy,
    }
    const touch = { obstacle: index, leaf: 0, contact: contactPoint, tolerance: 0 }
    const surface = surfaceOf({ nx: ofDouble(nx), ny: ofDouble(ny), touch }, motion)
    pushOut(run, index)
    run.bounces.push(bounceOff(run, surface))
    return null
  }
  const size = Math.abs(x.high) + Math.abs(y.high) + body.numbers[REACH]
  if (-separation <= START_DEPTH_RATIO * size && pushOut(run, index)) return null
  placeBeside(run, obstacle)
  const now = roundTwofold(time)
  timeOfImpact(obstacle.body, AT_REST, body, relative, run.duration - now, false, 'exit', candidate)
  const patience = Math.max(run.patience[index], instant(run))
  const leave = now + Math.max(candidate.exitTime, patience)
  run.patience[index] = PATIENCE_FACTOR * patience
  run.leaving[index] = candidate.hasExit && leave > now ? leave : Infinity
  return null
}

function placeBeside(run: Run, obstacle: Obstacle): void {
  setBodyBeside(run, obstacle)
  const { x, y } = relativeVelocity(run, obstacle)
  relative.vx = roundTwofold(x)
  relative.vy = roundTwofold(y)
}

/** Moves the body off an obstacle that it is in; returns whether it is off. */
function pushOut(run: Run, index: number): boolean {
  const { body, field } = run
  const obstacle = field.obstacles[index]
  const reach =
    isComposite(obstacle.body) || obstacle.body.numbers[REACH] === Infinity ? 0 : obstacle.body.numbers[REACH]
  let step = 2 * UNIT_ROUNDOFF * (Math.abs(run.x.high) + Math.abs(run.y.high) + body.numbers[REACH] + reach)
  for (let i = 0; i < PUSH_COUNT; i++) {
    placeBeside(run, obstacle)
    if (relate(obstacle.body, body) >= 0) return true
    contact(obstacle.body, body, 0, contactFound)
    const { hasNormal, separation, nx, ny } = contactFound
    if (!hasNormal) return false
    run.x = addTwofold(run.x, ofDouble((step - separation) * nx))
    run.y = addTwofold(run.y, ofDouble((step - separation) * ny))
    step *= 2
  }
  return false
}
