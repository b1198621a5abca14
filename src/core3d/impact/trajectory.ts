/**
 * The trajectory query in space: a moving body that bounces off obstacles, which stand still or move uniformly.
 *
 * Method: event by event, as `core2d/impact/trajectory.ts` has it. The earliest impact of the body with any obstacle
 * (`time-of-impact.ts`), in the frame of that obstacle; there the velocity relative to the obstacle is reflected about the contact
 * normal, which at a vertex or an edge is the direction from there to the nearest point of the core, and the rest of the time goes on.
 * Impacts at one instant are taken one after another, the lowest obstacle first. Where rounding has left the body in an obstacle it is
 * pushed out by as much, so that errors do not add up.
 * Frame: world, in and out; times are seconds from the start.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { contact, createContact } from '../pair-queries/contact.ts'
import { ANCHOR, type Body, HALFSPACE, POSITION, REACH } from '../shape/body.ts'
import { createMotion, type Motion } from '../shape/motion.ts'
import {
  BOUNCE_SLIDING_RATIO,
  INSTANT_RATIO,
  PUSH_COUNT,
  START_DEPTH_RATIO,
  STUCK_BOUNCE_COUNT,
  STUCK_LAST_COUNT,
} from '../tolerances.ts'
import { createTimeOfImpact, type TimeOfImpact } from './impact.ts'
import { timeOfImpact } from './time-of-impact.ts'

type Vector = readonly [number, number, number]

export interface Obstacle {
  body: Body
  motion: Motion
}

export interface Bounce {
  time: number
  /** Contact point. */
  point: Vector
  /** Unit normal from the obstacle to the body. */
  normal: Vector
  obstacle: number
  before: Vector
  after: Vector
}

export interface Trajectory {
  bounces: Bounce[]
  /** Where it ended: time, position of the body's local origin, velocity. */
  time: number
  position: Vector
  velocity: Vector
  /**
   * max-bounces: one more bounce was due than were allowed, and the end is that instant. stuck: bounces follow each other without time
   * passing, or nothing parts the body from an obstacle.
   */
  status: 'completed' | 'max-bounces' | 'stuck'
}

/** The state of one run. */
interface Flight {
  body: Body
  obstacles: readonly Obstacle[]
  duration: number
  time: number
  position: [number, number, number]
  velocity: [number, number, number]
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
const candidate = createTimeOfImpact()
const contactFound = createContact()

/**
 * `restitution` ≥ 0 scales the part of the relative velocity that is reflected; `maxBounces` ≥ 0. Spins are ignored. `body` is left
 * where it ended. Cost of a bounce: O(obstacles), of which those out of the way cost little.
 */
export function trajectory(
  body: Body,
  { vx, vy, vz }: Motion,
  obstacles: readonly Obstacle[],
  duration: number,
  restitution: number,
  maxBounces: number,
): Trajectory {
  const flight: Flight = {
    body,
    obstacles,
    duration,
    time: 0,
    position: [body.numbers[POSITION], body.numbers[POSITION + 1], body.numbers[POSITION + 2]],
    velocity: [vx, vy, vz],
    leaving: new Float64Array(obstacles.length),
    patience: new Float64Array(obstacles.length),
  }
  const bounces: Bounce[] = []
  let status: Trajectory['status'] | null = null
  /** How many events in a row have passed no time. */
  let atOnce = 0
  while (status === null) {
    spend(1 + obstacles.length)
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
  place(body, flight.position)
  return { bounces, time: flight.time, position: flight.position, velocity: flight.velocity, status }
}

function place({ numbers }: Body, at: readonly number[]): void {
  for (let k = 0; k < 3; k++) numbers[POSITION + k] = at[k]
}

/** When the next of the obstacles that are left out comes back. */
function nextLeave({ leaving, time }: Flight): number {
  let next = Infinity
  for (let i = 0; i < leaving.length; i++) if (leaving[i] > time) next = Math.min(next, leaving[i])
  return next
}

function advance(flight: Flight, time: number): void {
  for (let k = 0; k < 3; k++) flight.position[k] += time * flight.velocity[k]
  flight.time += time
}

function lengthOf([x, y, z]: Vector): number {
  return Math.hypot(x, y, z)
}

/** How much time passes between two instants that count as one. */
function instant({ time, velocity, body }: Flight): number {
  const speed = lengthOf(velocity)
  const crossing = speed > 0 ? body.numbers[REACH] / speed : 0
  return INSTANT_RATIO * (time + (crossing < Infinity ? crossing : 0))
}

/** Of the body, seen from the obstacle. */
function relativeVelocity({ velocity }: Flight, { motion: { vx, vy, vz } }: Obstacle): Vector {
  return [velocity[0] - vx, velocity[1] - vy, velocity[2] - vz]
}

/** Puts the body where it is, seen from an obstacle as it stood at the start, and sets their relative motion. */
function placeBeside(flight: Flight, obstacle: Obstacle): void {
  const { body, time, position } = flight
  const { vx, vy, vz } = obstacle.motion
  spend(PLACE_STEPS)
  place(body, [position[0] - time * vx, position[1] - time * vy, position[2] - time * vz])
  const [x, y, z] = relativeVelocity(flight, obstacle)
  relative.vx = x
  relative.vy = y
  relative.vz = z
}

/** The earliest impact within `horizon`, null when there is none; of those at one instant the one with the lowest obstacle. */
function findImpact(flight: Flight, horizon: number): Event | null {
  const { obstacles, leaving, time } = flight
  const sameInstant = instant(flight)
  const hits: Event[] = []
  let earliest = Infinity
  for (let i = 0; i < obstacles.length; i++) {
    if (leaving[i] > time || isOutOfReach(flight, obstacles[i], Math.min(horizon, earliest + sameInstant))) continue
    placeBeside(flight, obstacles[i])
    // Always over the whole horizon: the answer must not depend on what was found before.
    timeOfImpact(obstacles[i].body, AT_REST, flight.body, relative, horizon, true, candidate)
    if (!candidate.hit) continue
    hits.push({ obstacle: i, found: { ...candidate } })
    earliest = Math.min(earliest, candidate.time)
  }
  return hits.find(({ found }) => found.time <= earliest + sameInstant) ?? null
}

/** Whether the way over `time` passes by the obstacle for certain. */
function isOutOfReach(flight: Flight, obstacle: Obstacle, time: number): boolean {
  const { body, position } = flight
  if (body.kind === HALFSPACE || obstacle.body.kind === HALFSPACE) return false
  const a = body.numbers
  const b = obstacle.body.numbers
  const motion = [obstacle.motion.vx, obstacle.motion.vy, obstacle.motion.vz]
  const velocity = relativeVelocity(flight, obstacle)
  const speed = lengthOf(velocity)
  const p = [0, 1, 2].map(
    (k) => position[k] - flight.time * motion[k] + a[ANCHOR + k] - (b[POSITION + k] + b[ANCHOR + k]),
  )
  let along = 0
  for (let k = 0; k < 3; k++) along -= speed > 0 ? p[k] * (velocity[k] / speed) : 0
  along = Math.min(Math.max(along, 0), speed * time)
  const off = p.map((x, k) => (speed > 0 ? x + along * (velocity[k] / speed) : x))
  // Of either body no point is farther from its anchor than twice its reach.
  const size = 2 * (a[REACH] + b[REACH])
  const slack = 16 * UNIT_ROUNDOFF * (lengthOf([p[0], p[1], p[2]]) + lengthOf(position))
  return lengthOf([off[0], off[1], off[2]]) > size * (1 + BOUNCE_SLIDING_RATIO) + slack
}

/** Speed at which the body leaves the obstacle along the normal; negative when it approaches. */
function leavingSpeed(flight: Flight, { obstacle, found }: Event): number {
  const [x, y, z] = relativeVelocity(flight, flight.obstacles[obstacle])
  return x * found.nx + y * found.ny + z * found.nz
}

function approaches(flight: Flight, event: Event): boolean {
  const speed = lengthOf(relativeVelocity(flight, flight.obstacles[event.obstacle]))
  return leavingSpeed(flight, event) < -BOUNCE_SLIDING_RATIO * speed
}

/** Reflects the velocity. The contact point is that of the obstacle's surface. */
function bounce(flight: Flight, event: Event, restitution: number): Bounce {
  const { found, obstacle } = event
  const { motion } = flight.obstacles[obstacle]
  const { time, velocity } = flight
  const { nx, ny, nz } = found
  const before: Vector = [...velocity]
  const change = (-(1 + restitution) * leavingSpeed(flight, event)) / (nx * nx + ny * ny + nz * nz)
  velocity[0] += change * nx
  velocity[1] += change * ny
  velocity[2] += change * nz
  // The obstacle was seen where it stood at the start.
  const point: Vector = [found.ax + time * motion.vx, found.ay + time * motion.vy, found.az + time * motion.vz]
  pushOut(flight, obstacle, [nx, ny, nz])
  return { time, point, normal: [nx, ny, nz], obstacle, before, after: [...velocity] }
}

/** A touch that changes nothing: sliding along, or leaving an obstacle that the body is in, which is then left out. */
function passBy(flight: Flight, { obstacle, found }: Event): void {
  const { body, obstacles, time, position } = flight
  const normal: Vector = [found.nx, found.ny, found.nz]
  if (!found.startedOverlapping) {
    pushOut(flight, obstacle, normal)
    return
  }
  placeBeside(flight, obstacles[obstacle])
  contact(obstacles[obstacle].body, body, contactFound)
  const size = lengthOf(position) + body.numbers[REACH]
  if (-contactFound.separation <= START_DEPTH_RATIO * size && pushOut(flight, obstacle, normal)) return
  placeBeside(flight, obstacles[obstacle])
  timeOfImpact(obstacles[obstacle].body, AT_REST, body, relative, flight.duration - time, false, candidate)
  const patience = Math.max(flight.patience[obstacle], instant(flight))
  const leave = time + Math.max(candidate.exitTime, patience)
  flight.patience[obstacle] = PATIENCE_FACTOR * patience
  flight.leaving[obstacle] = candidate.hasExit && leave > time ? leave : Infinity
}

/** Moves the body off an obstacle that rounding has left it in, or beyond which it has left it; returns whether it is off. */
function pushOut(flight: Flight, obstacle: number, normal: Vector): boolean {
  const { body, obstacles, position } = flight
  const other = obstacles[obstacle].body
  const reach = other.kind === HALFSPACE ? 0 : other.numbers[REACH]
  let step = 2 * UNIT_ROUNDOFF * (lengthOf(position) + body.numbers[REACH] + reach)
  for (let i = 0; i < PUSH_COUNT; i++) {
    placeBeside(flight, obstacles[obstacle])
    contact(other, body, contactFound)
    const { touching, hasNormal, separation, nx, ny, nz } = contactFound
    const isBeyond = !touching && nx * normal[0] + ny * normal[1] + nz * normal[2] < 0
    // No deeper than not at all, as with bodies that just touch.
    if ((!touching && !isBeyond) || separation === 0) return true
    if (!hasNormal) return false
    // Thin bodies may have passed each other: back to the side that they came from.
    const side = isBeyond ? -1 : 1
    position[0] += (side * step - separation) * nx
    position[1] += (side * step - separation) * ny
    position[2] += (side * step - separation) * nz
    step *= 2
  }
  return false
}
