/**
 * The trajectory query: a moving body that bounces off obstacles, which stand still or move uniformly.
 *
 * Method: event by event. The earliest impact of the body with any obstacle (`time-of-impact.ts`), in the frame of that
 * obstacle, so that obstacles never move; there the velocity relative to the obstacle is reflected about the contact normal,
 * which at a corner is the direction from the corner to the nearest point of the core, and the rest of the time goes on.
 * Impacts at one instant are taken one after another, the lowest obstacle first. Where rounding has left the body in an
 * obstacle it is pushed out by as much, so that errors do not add up.
 * Frame: world, in and out; times are seconds from the start.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { isComposite } from '../composite/leaf-pairs.ts'
import { contact } from '../pair-queries/contact.ts'
import { createContact } from '../pair-queries/contact-record.ts'
import { relate } from '../pair-queries/overlap.ts'
import type { Body } from '../shape/body.ts'
import { createMotion, type Motion } from '../shape/motion.ts'
import { createPlacement, moveTo, type Placement } from '../shape/placement.ts'
import {
  INSTANT_RATIO,
  PUSH_COUNT,
  SLIDING_RATIO,
  START_DEPTH_RATIO,
  STUCK_BOUNCE_COUNT,
  STUCK_LAST_COUNT,
} from '../tolerances.ts'
import { createTimeOfImpact, type TimeOfImpact } from './impact.ts'
import { createObstacleField, type Obstacle, type ObstacleField, visitObstacles } from './obstacle-field.ts'
import { impact } from './time-of-impact.ts'

export type { Obstacle } from './obstacle-field.ts'

export interface Bounce {
  time: number
  /** Contact point. */
  x: number
  y: number
  /** Unit normal from the obstacle to the body. */
  nx: number
  ny: number
  obstacle: number
  beforeX: number
  beforeY: number
  afterX: number
  afterY: number
  /** Where the body's local origin is as it leaves, pushed off the obstacle. */
  leavesX: number
  leavesY: number
}

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

/** The state of one run. */
interface Flight {
  placement: Placement
  field: ObstacleField
  duration: number
  time: number
  x: number
  y: number
  vx: number
  vy: number
  /** Time until which an obstacle that the body is leaving is left out. */
  leaving: Float64Array
  /** For how long at least, the next time: where rounding blurs the exit, the body must not hang on it. */
  patience: Float64Array
}

/** An impact, its time counted from now. */
interface Event {
  obstacle: number
  found: TimeOfImpact
}

/** Steps of placing the body beside an obstacle and measuring the two. */
const PLACE_STEPS = 8

/** By how much an obstacle that was left out too briefly is left out longer. */
const PATIENCE_FACTOR = 64

const AT_REST = createMotion()
const relative = createMotion()
const heading = createMotion()
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
  const flight: Flight = {
    placement: createPlacement(body),
    field: createObstacleField(body, obstacles),
    duration,
    time: 0,
    x: body.x,
    y: body.y,
    vx: motion.vx,
    vy: motion.vy,
    leaving: new Float64Array(obstacles.length),
    patience: new Float64Array(obstacles.length),
  }
  const bounces: Bounce[] = []
  let status: Trajectory['status'] | null = null
  /** How many events in a row have passed no time. */
  let atOnce = 0
  while (status === null) {
    spend(1 + (obstacles.length >> 4))
    const left = duration - flight.time
    const horizon = Math.min(left, nextLeave(flight) - flight.time)
    const event = findImpact(flight, horizon)
    if (event === null) {
      advance(flight, horizon)
      if (horizon === left) {
        flight.time = duration
        status = 'completed'
      }
      continue
    }
    atOnce = event.found.time > instant(flight) ? 0 : atOnce + 1
    advance(flight, event.found.time)
    if (!event.found.hasNormal || atOnce > STUCK_BOUNCE_COUNT) status = 'stuck'
    else if (!approaches(flight, event)) passBy(flight, event)
    else if (bounces.length === maxBounces) status = atOnce > STUCK_LAST_COUNT ? 'stuck' : 'max-bounces'
    else bounces.push(bounce(flight, event, restitution))
  }
  const { time, x, y, vx, vy } = flight
  moveTo(flight.placement, x, y)
  return { bounces, time, x, y, vx, vy, status }
}

/** When the next of the obstacles that are left out comes back. */
function nextLeave({ leaving, time }: Flight): number {
  let next = Infinity
  for (let i = 0; i < leaving.length; i++) if (leaving[i] > time) next = Math.min(next, leaving[i])
  return next
}

function advance(flight: Flight, time: number): void {
  flight.x += time * flight.vx
  flight.y += time * flight.vy
  flight.time += time
}

/** How much time passes between two instants that count as one. */
function instant({ time, vx, vy, placement }: Flight): number {
  const speed = Math.hypot(vx, vy)
  const crossing = speed > 0 ? placement.body.reach / speed : 0
  return INSTANT_RATIO * (time + (crossing < Infinity ? crossing : 0))
}

/** Puts the body where it is, seen from an obstacle as it stood at the start, and sets their relative motion. */
function placeBeside(flight: Flight, { motion }: Obstacle): void {
  const { placement, time, x, y, vx, vy } = flight
  spend(PLACE_STEPS + (placement.offsets.length >> 3))
  moveTo(placement, x - time * motion.vx, y - time * motion.vy)
  relative.vx = vx - motion.vx
  relative.vy = vy - motion.vy
}

/** The earliest impact within `horizon`, null when there is none; of those at one instant the one with the lowest obstacle. */
function findImpact(flight: Flight, horizon: number): Event | null {
  const { field, leaving, time, placement } = flight
  const sameInstant = instant(flight)
  const hits: Event[] = []
  let earliest = Infinity
  heading.vx = flight.vx
  heading.vy = flight.vy
  visitObstacles(field, placement.body, flight.x, flight.y, heading, time, horizon, (obstacle) => {
    if (leaving[obstacle] <= time) {
      impactWith(flight, obstacle, horizon, candidate)
      if (candidate.hit) {
        hits.push({ obstacle, found: { ...candidate } })
        earliest = Math.min(earliest, candidate.time)
      }
    }
    return Math.min(horizon, earliest + sameInstant)
  })
  let first: Event | null = null
  for (const hit of hits) {
    if (hit.found.time > earliest + sameInstant || (first !== null && hit.obstacle > first.obstacle)) continue
    first = hit
  }
  return first
}

/** Always over the whole horizon: the answer must not depend on what was found before. */
function impactWith(flight: Flight, obstacle: number, horizon: number, out: TimeOfImpact): void {
  const { placement, field } = flight
  placeBeside(flight, field.obstacles[obstacle])
  impact(field.obstacles[obstacle].body, AT_REST, placement.body, relative, horizon, true, 'contact', out)
}

/** Speed at which the body leaves the obstacle along the normal; negative when it approaches. */
function leavingSpeed({ field, vx, vy }: Flight, { obstacle, found }: Event): number {
  const { motion } = field.obstacles[obstacle]
  return (vx - motion.vx) * found.nx + (vy - motion.vy) * found.ny
}

function approaches(flight: Flight, event: Event): boolean {
  const { motion } = flight.field.obstacles[event.obstacle]
  const speed = Math.hypot(flight.vx - motion.vx, flight.vy - motion.vy)
  return leavingSpeed(flight, event) < -SLIDING_RATIO * speed
}

/** Reflects the velocity. The contact point is that of the obstacle's surface. */
function bounce(flight: Flight, event: Event, restitution: number): Bounce {
  const { found, obstacle } = event
  const { motion } = flight.field.obstacles[obstacle]
  const { time, vx, vy } = flight
  const { nx, ny } = found
  const change = (-(1 + restitution) * leavingSpeed(flight, event)) / (nx * nx + ny * ny)
  flight.vx = vx + change * nx
  flight.vy = vy + change * ny
  // The obstacle was seen where it stood at the start.
  const x = found.ax + time * motion.vx
  const y = found.ay + time * motion.vy
  pushOut(flight, obstacle)
  const before = { beforeX: vx, beforeY: vy }
  const after = { afterX: flight.vx, afterY: flight.vy, leavesX: flight.x, leavesY: flight.y }
  return { time, x, y, nx, ny, obstacle, ...before, ...after }
}

/** A touch that changes nothing: sliding along, or leaving an obstacle that the body is in, which is then left out. */
function passBy(flight: Flight, { obstacle, found }: Event): void {
  const { placement, field, time, x, y } = flight
  const { body } = field.obstacles[obstacle]
  if (!found.startedOverlapping) {
    pushOut(flight, obstacle)
    return
  }
  placeBeside(flight, field.obstacles[obstacle])
  contact(body, placement.body, 0, contactFound)
  const size = Math.abs(x) + Math.abs(y) + placement.body.reach
  if (-contactFound.separation <= START_DEPTH_RATIO * size && pushOut(flight, obstacle)) return
  placeBeside(flight, field.obstacles[obstacle])
  impact(body, AT_REST, placement.body, relative, flight.duration - time, false, 'exit', candidate)
  const patience = Math.max(flight.patience[obstacle], instant(flight))
  const leave = time + Math.max(candidate.exitTime, patience)
  flight.patience[obstacle] = PATIENCE_FACTOR * patience
  flight.leaving[obstacle] = candidate.hasExit && leave > time ? leave : Infinity
}

/** Moves the body off an obstacle that rounding has left it in; returns whether it is off. */
function pushOut(flight: Flight, obstacle: number): boolean {
  const { placement, field } = flight
  const { body } = field.obstacles[obstacle]
  const reach = isComposite(body) || body.reach === Infinity ? 0 : body.reach
  let step = 2 * UNIT_ROUNDOFF * (Math.abs(flight.x) + Math.abs(flight.y) + placement.body.reach + reach)
  for (let i = 0; i < PUSH_COUNT; i++) {
    placeBeside(flight, field.obstacles[obstacle])
    if (relate(body, placement.body) >= 0) return true
    contact(body, placement.body, 0, contactFound)
    const { hasNormal, separation, nx, ny } = contactFound
    if (!hasNormal) return false
    flight.x += (step - separation) * nx
    flight.y += (step - separation) * ny
    step *= 2
  }
  return false
}
