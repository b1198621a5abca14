/**
 * The trajectory query in space: a moving body that bounces off obstacles, which stand still or move uniformly.
 *
 * Method: event by event, as `core2d/motion/trajectory.ts` has it. The earliest impact of the body with any obstacle
 * (`time-of-impact.ts`), in the frame of that obstacle; there the velocity relative to the obstacle is reflected about the contact
 * normal, which at a vertex or an edge is the direction from there to the nearest point of the core, and the rest of the time goes on.
 * All convex obstacles that a body of core points touches at that instant are judged together (`corner.ts`), and it bounces off one of
 * their walls after another until it leads into none: the most squarely met one first, at right angles that of the lowest obstacle. A
 * gap between two of them that is no wider than rounding is none, so that such a body may bounce where its way by itself meets neither.
 * A compound of convex parts is as many obstacles, so that its corners are those of bodies by themselves. Off meshes, and compounds that
 * hold meshes or very many parts, the body bounces one after another, as each is met: what it touches in a corner of them it meets at
 * once.
 * Where rounding has left the body in an obstacle it is pushed out by as much, so that errors do not add up.
 * An obstacle that the body comes nowhere near changes nothing, to the last bit: scenes leave such obstacles out.
 * Frame: world, in and out; times are seconds from the start.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { contact, createContact } from '../queries/contact.ts'
import { type Body, COMPOSITE, dot, HALFSPACE, POINTS, POSITION, plus, REACH, type Vector } from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import { createMotion, type Motion } from '../shape/motion.ts'
import {
  BOUNCE_SLIDING_RATIO,
  CORNER_STEP_COUNT,
  CORNER_WAY_COUNT,
  INSTANT_RATIO,
  PUSH_COUNT,
  START_DEPTH_RATIO,
  STUCK_BOUNCE_COUNT,
  STUCK_LAST_COUNT,
} from '../tolerances.ts'
import {
  type Arrival,
  approaches,
  type Corner,
  cornerAt,
  type Flyer,
  findWalls,
  heightOver,
  isSharp,
  leaving,
  lengthOf,
  nextWall,
  type Obstacle,
  type Place,
  placeBeside,
  putSkin,
  reachOf,
  reflected,
  slackOf,
  slideOut,
  slides,
  takeSkin,
  velocityOf,
  type Wall,
} from './corner.ts'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from './time-of-impact.ts'

export type { Obstacle } from './corner.ts'

export interface Bounce {
  time: number
  /** Contact point. */
  point: Vector
  /** Unit normal from the obstacle to the body. */
  normal: Vector
  obstacle: number
  before: Vector
  after: Vector
  /** Position of the body's local origin as it leaves. */
  place: Vector
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
interface Flight extends Flyer {
  obstacles: readonly Obstacle[]
  duration: number
  restitution: number
  maxBounces: number
  bounces: Bounce[]
  /** How many events in a row have passed no time. */
  atOnce: number
  position: [number, number, number]
  velocity: [number, number, number]
  /** Time until which an obstacle that the body is leaving is left out. */
  leaving: Float64Array
  /** For how long at least, the next time: where rounding blurs the exit, the body must not hang on it. */
  patience: Float64Array
  /** The walls of the last bounce, and those that it slides along, which the body is on the outer side of. */
  walls: readonly Wall[]
  /** How it came to where it is. */
  arrival: Arrival
  /** On which way; Infinity from the start, where nothing is known of it. */
  way: number
  /** It has not moved by more than rounding since then. */
  isThere: boolean
  /** Obstacles of a corner that the body has left: nothing straight leads back to them. Until the next bounce. */
  left: Set<number>
  boxes: Float64Array
}

/** An impact, its time counted from now. */
interface Event {
  obstacle: number
  found: TimeOfImpact
  /** The body passes it, but by no more than rounding. */
  grazes: boolean
  /** All obstacles that it comes to so soon after that the ways between are rounding. */
  near: number[]
}

type Ending = Trajectory['status'] | null

/** Slacks within which an obstacle touches a body that has come to another one. */
const NEAR_SLACKS = 4

/** Slacks on the way to a wall, which may be met at a small angle, that count as none. */
const SLIGHT_SLACKS = 256

/** So many walls are remembered at most. */
const MOST_KNOWN = 32

/** Parts of a compound up to which each of them is an obstacle: more are found by their tree. */
const APART_PART_COUNT = 1024

/** Rounds in which a body is put on the outer side of all walls. */
const SIDE_ROUNDS = 4

/** By how much an obstacle that was left out too briefly is left out longer. */
const PATIENCE_FACTOR = 64

const AT_REST = createMotion()
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
  const owners: number[] = []
  const parts = partsOf(obstacles, owners)
  const flight: Flight = {
    body,
    obstacles: parts,
    duration,
    restitution,
    maxBounces,
    bounces: [],
    atOnce: 0,
    time: 0,
    position: [body.numbers[POSITION], body.numbers[POSITION + 1], body.numbers[POSITION + 2]],
    velocity: [vx, vy, vz],
    leaving: new Float64Array(parts.length),
    patience: new Float64Array(parts.length),
    walls: [],
    arrival: { time: 0, position: [0, 0, 0], velocity: [vx, vy, vz] },
    way: Infinity,
    isThere: false,
    left: new Set(),
    boxes: boxesAround(body, parts),
  }
  let status: Ending = null
  while (status === null) {
    spend(1 + parts.length)
    status = goOn(flight)
  }
  place(body, flight.position)
  const { bounces, time, position, velocity } = flight
  for (const each of bounces) each.obstacle = owners[each.obstacle]
  return { bounces, time, position, velocity, status }
}

/** The obstacles, with convex parts in place of compounds of nothing else; `owners`: whose part each of them is. */
function partsOf(obstacles: readonly Obstacle[], owners: number[]): Obstacle[] {
  return obstacles.flatMap((obstacle, i): Obstacle[] => {
    const { motion, body } = obstacle
    const { parts = [], partCount = 0 } = body.kind === COMPOSITE ? (body.composite ?? {}) : {}
    const own = parts.slice(0, partCount)
    const isApart = own.length > 0 && own.length <= APART_PART_COUNT && own.every(({ mesh }) => mesh === null)
    const bodies = isApart ? own.map((part) => part.body) : [body]
    owners.push(...bodies.map(() => i))
    return bodies.map((each) => ({ motion, body: each }))
  })
}

/** To the next event. */
function goOn(flight: Flight): Ending {
  const { duration } = flight
  const left = duration - flight.time
  const horizon = Math.min(left, nextLeave(flight) - flight.time)
  const event = findImpact(flight, horizon)
  if (event === null) {
    advance(flight, horizon)
    if (horizon !== left) return null
    flight.time = duration
    return 'completed'
  }
  const before = event.grazes ? placeInTime(flight) : null
  comeAt(flight, event)
  const corner = cornerOf(flight, event)
  if (corner === null && before !== null) {
    // By itself it is out of the way: nothing is left of the look at it, so that no rounding is either.
    Object.assign(flight, before)
    flight.left.add(event.obstacle)
    return null
  }
  if (flight.atOnce > STUCK_BOUNCE_COUNT) return 'stuck'
  return corner === null ? meet(flight, event) : meetTogether(flight, event, corner)
}

/** What `comeAt` changes. */
function placeInTime({ time, position, atOnce, arrival, way, isThere }: Flight): Partial<Flight> {
  return { time, position: [...position], atOnce, arrival, way, isThere }
}

/** Takes the body to where it meets an obstacle. */
function comeAt(flight: Flight, event: Event): void {
  flight.atOnce = event.found.time > instant(flight) ? 0 : flight.atOnce + 1
  const way = event.found.time * lengthOf(relativeVelocity(flight, flight.obstacles[event.obstacle]))
  advance(flight, event.found.time)
  const isFar = way > CORNER_WAY_COUNT * slackOf(flight, flight.obstacles[event.obstacle])
  if (isFar) flight.way = way
  if (isFar || flight.bounces.length === 0) {
    flight.arrival = { time: flight.time, position: [...flight.position], velocity: [...flight.velocity] }
  }
  flight.isThere = !isFar && flight.bounces.length > 0
}

/** Off one obstacle. */
function meet(flight: Flight, event: Event): Ending {
  const { bounces, maxBounces, atOnce } = flight
  if (!event.found.hasNormal) return 'stuck'
  if (!approachesHit(flight, event)) {
    passBy(flight, event)
    return null
  }
  if (bounces.length === maxBounces) return atOnce > STUCK_LAST_COUNT ? 'stuck' : 'max-bounces'
  bounces.push(bounce(flight, event))
  return null
}

/** The corner that the body comes into, where it touches more than what it meets. */
function cornerOf(flight: Flight, event: Event): Corner | null {
  const { body, obstacles } = flight
  if (body.kind !== POINTS || obstacles.length === 1 || isConcave(flight, event.obstacle)) return null
  const place = placeOf(flight, event)
  return place.touched.length > 1 ? cornerAt(flight, obstacles, place) : null
}

/** Off all convex obstacles that the body touches where it is. */
function meetTogether(flight: Flight, event: Event, corner: Corner): Ending {
  const { left } = flight
  findWalls(corner, flight.arrival.velocity)
  const { touched, walls, sides } = corner
  flight.walls = [...sides, ...flight.walls.filter((wall) => !sides.some((side) => isLike(side, wall)))]
  if (nextWall(flight.velocity, walls) === null && !findWalls(corner, flight.velocity)) {
    for (const i of touched) left.add(i)
    return null
  }
  if (walls.length === 1 && isOf(corner, event)) {
    setNormal(event.found, walls[0])
    const status = meet(flight, event)
    if (status === null) for (const i of touched) if (i !== event.obstacle) left.add(i)
    return status
  }
  return bounceInCorner(flight, corner)
}

function isLike(a: Wall, b: Wall): boolean {
  return [0, 1, 2].every((k) => a.normal[k] === b.normal[k] && a.velocity[k] === b.velocity[k])
}

/** Whether the only wall is that of the impact. */
function isOf({ walls: [wall], tilt }: Corner, { grazes, found: { hasNormal, nx, ny, nz } }: Event): boolean {
  return !grazes && hasNormal && lengthOf(plus(wall.normal, [nx, ny, nz], -1)) <= tilt
}

/** That of a face is the better one. */
function setNormal(found: TimeOfImpact, { normal, isFace }: Wall): void {
  if (!isFace || lengthOf(plus(normal, [found.nx, found.ny, found.nz], -1)) <= BOUNCE_SLIDING_RATIO) return
  found.nx = normal[0]
  found.ny = normal[1]
  found.nz = normal[2]
}

/**
 * The obstacles that the body touches where it is: those within rounding of it, and those so near to these that nothing fits in between; none
 * where it is deeper in the obstacle that it meets.
 */
function placeOf(flight: Flight, { obstacle, near }: Event): Place {
  const { obstacles, body, leaving, time, arrival, walls: known } = flight
  const touched: number[] = []
  const others: { index: number; distance: number; least: number }[] = []
  for (const [index, other] of obstacles.entries()) {
    const slack = slackOf(flight, other)
    const least = CORNER_WAY_COUNT * slack
    // As far as there is room for a skin at most.
    const around = 2 * CORNER_STEP_COUNT * Math.sqrt(slack) * Math.sqrt(reachOf(other.body) + reachOf(body))
    if (isConcave(flight, index) || leaving[index] > time || isOutOfReach(flight, index, 0, around)) continue
    placeBeside(flight, other)
    contact(other.body, body, contactFound)
    const distance = contactFound.separation
    if (near.includes(index) || Math.abs(distance) <= NEAR_SLACKS * slack) touched.push(index)
    else if (distance > 0) others.push({ index, distance, least })
  }
  if (!touched.includes(obstacle)) touched.length = 0
  const place = { touched, room: flight.way, arrival, known }
  if (touched.length < (flight.isThere ? 1 : 2)) return place
  others.sort((p, q) => p.distance - q.distance)
  for (const { index, distance, least } of others) {
    if (distance > least) {
      place.room = Math.min(place.room, distance)
      break
    }
    touched.push(index)
  }
  touched.sort((p, q) => p - q)
  return place
}

/** Off one wall after another, until the velocity leads into none; or how the flight ends. */
function bounceInCorner(flight: Flight, corner: Corner): Ending {
  const { restitution, maxBounces, bounces, atOnce, obstacles } = flight
  const { walls } = corner
  const start = bounces.length
  const before = flight.velocity
  comeTo(flight, walls)
  for (let count = 0; ; count++) {
    let wall = nextWall(flight.velocity, walls)
    if (wall === null && findWalls(corner, flight.velocity)) wall = nextWall(flight.velocity, walls)
    if (wall === null) break
    if (restitution < 1 && count >= (restitution === 0 ? 2 : STUCK_LAST_COUNT) * walls.length) {
      const out = comeOut(corner, flight.velocity)
      if (out === null) return 'stuck'
      flight.velocity = [...out]
      break
    }
    if (bounces.length === maxBounces) {
      const isStuck = atOnce > STUCK_LAST_COUNT || slideOut(flight.velocity, walls) === null
      return isStuck ? 'stuck' : 'max-bounces'
    }
    if (count === 2 * STUCK_BOUNCE_COUNT) return 'stuck'
    spend(1)
    bounceOff(flight, wall)
  }
  // The rest is rounding.
  for (const wall of walls) {
    if (leaving(flight.velocity, wall) < 0) flight.velocity = [...reflected(flight.velocity, wall, 0)]
  }
  if (bounces.length > start) bounces[bounces.length - 1].after = [...flight.velocity]
  remember(flight, before, walls)
  flight.left = new Set(corner.touched)
  for (let round = 0; round < SIDE_ROUNDS; round++) {
    for (const { obstacle, normal } of walls) {
      const height = heightOver(flight, obstacles[obstacle], normal)
      if (height < 0) flight.position = [...plus(flight.position, normal, stepOff(flight, obstacle) - height)]
    }
  }
  for (const bounce of bounces.slice(start)) bounce.place = [...flight.position]
  return null
}

/** The nearest velocity that leads into none of the walls, nor into what it leads to. */
function comeOut(corner: Corner, velocity: Vector): Vector | null {
  let out = slideOut(velocity, corner.walls)
  while (out !== null && findWalls(corner, out)) out = slideOut(velocity, corner.walls)
  return out
}

/** Keeps the walls of a bounce, those of where it is, and those that the body has slid along and still does. */
function remember(flight: Flight, before: Vector, walls: readonly Wall[]): void {
  const { isThere, velocity } = flight
  const along = flight.walls.filter((wall) => isThere || (slides(before, wall) && slides(velocity, wall)))
  flight.walls = [...walls, ...along].slice(0, MOST_KNOWN)
}

function bounceOff(flight: Flight, wall: Wall): void {
  const { restitution, time, obstacles } = flight
  const { normal, obstacle, velocity } = wall
  const before: Vector = [...flight.velocity]
  const speed = lengthOf(plus(before, velocity, -1))
  const after = reflected(before, wall, restitution)
  // The rest is rounding.
  flight.velocity = [...(lengthOf(plus(after, velocity, -1)) > BOUNCE_SLIDING_RATIO * speed ? after : velocity)]
  placeBeside(flight, obstacles[obstacle])
  contact(obstacles[obstacle].body, flight.body, contactFound)
  const point = plus([contactFound.px, contactFound.py, contactFound.pz], velocity, time)
  flight.bounces.push({
    time,
    point,
    normal,
    obstacle,
    before,
    after: [...flight.velocity],
    place: [...flight.position],
  })
}

/** Brings the body to the first wall that it runs into, which is as near as rounding. */
function comeTo(flight: Flight, walls: readonly Wall[]): void {
  let first = Infinity
  for (const wall of walls) {
    if (!approaches(flight.velocity, wall)) continue
    const obstacle = flight.obstacles[wall.obstacle]
    const seen = plus(flight.velocity, wall.velocity, -1)
    const speed = lengthOf(seen)
    const time = heightOver(flight, obstacle, wall.normal) / -dot(seen, wall.normal)
    if (Math.abs(time) * speed <= SLIGHT_SLACKS * slackOf(flight, obstacle)) first = Math.min(first, time)
  }
  if (first < Infinity) advance(flight, Math.max(0, Math.min(first, flight.duration - flight.time)))
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

/** How much time passes between two instants that count as one. */
function instant({ time, velocity, body }: Flight): number {
  const speed = lengthOf(velocity)
  const crossing = speed > 0 ? body.numbers[REACH] / speed : 0
  return INSTANT_RATIO * (time + (crossing < Infinity ? crossing : 0))
}

/** Of the body, seen from the obstacle. */
function relativeVelocity({ velocity }: Flight, obstacle: Obstacle): Vector {
  return plus(velocity, velocityOf(obstacle), -1)
}

/** The earliest impact within `horizon`, null when there is none; of those at one instant the one with the lowest obstacle. */
function findImpact(flight: Flight, horizon: number): Event | null {
  const { obstacles, leaving, time, left } = flight
  const sameInstant = instant(flight)
  const hits: Omit<Event, 'near'>[] = []
  let earliest = Infinity
  for (let i = 0; i < obstacles.length; i++) {
    if (leaving[i] > time || left.has(i)) continue
    if (isOutOfReach(flight, i, Math.min(horizon, earliest + sameInstant))) continue
    const motion = placeBeside(flight, obstacles[i])
    // Always over the whole horizon: the answer must not depend on what was found before.
    timeOfImpact(obstacles[i].body, AT_REST, flight.body, motion, horizon, true, 'contact', candidate)
    const grazes = !candidate.hit && mayGraze(flight, i) && findGrazing(flight, i, horizon)
    if (!candidate.hit) continue
    hits.push({ obstacle: i, found: { ...candidate }, grazes })
    earliest = Math.min(earliest, candidate.time)
  }
  const first = hits.filter(({ found }) => found.time <= earliest + sameInstant)
  const event = first.find(({ grazes }) => !grazes) ?? first[0]
  if (event === undefined) return null
  const near = event.grazes ? hits.filter((hit) => isNearEnough(flight, hit, event.found.time)) : []
  return { ...event, near: near.map(({ obstacle }) => obstacle) }
}

/** Whether the body could slip between the obstacle and another one. */
function mayGraze(flight: Flight, obstacle: number): boolean {
  return isSharp(flight.body) && flight.obstacles.length > 1 && !isConcave(flight, obstacle)
}

function isNearEnough(flight: Flight, { obstacle, found }: Omit<Event, 'near'>, since: number): boolean {
  const other = flight.obstacles[obstacle]
  return (found.time - since) * lengthOf(relativeVelocity(flight, other)) <= SLIGHT_SLACKS * slackOf(flight, other)
}

/** Whether the body passes the obstacle by no more than rounding; sets `candidate` to when it comes so near. */
function findGrazing(flight: Flight, index: number, horizon: number): boolean {
  const { obstacles, body } = flight
  const motion = placeBeside(flight, obstacles[index])
  putSkin(body, slackOf(flight, obstacles[index]))
  timeOfImpact(obstacles[index].body, AT_REST, body, motion, horizon, true, 'contact', candidate)
  takeSkin(body)
  // As near as that from the start of its flight, it has not come from anywhere.
  candidate.hit &&= !candidate.startedOverlapping || flight.bounces.length > 0
  return candidate.hit
}

/** Boxes around the obstacles, from their positions, and then around the body: least and greatest x, y, z. */
function boxesAround(body: Body, obstacles: readonly Obstacle[]): Float64Array {
  const boxes = new Float64Array(6 * (obstacles.length + 1))
  for (let i = 0; i <= obstacles.length; i++) {
    const each = i < obstacles.length ? obstacles[i].body : body
    spend(1 + (each.count >> 2))
    kindOf(each).setBox(each, boxes.subarray(6 * i, 6 * i + 6))
  }
  return boxes
}

/** Whether the way over `time` passes by the box of an obstacle for certain, and by more than `around`. */
function isOutOfReach(flight: Flight, index: number, time: number, around = 0): boolean {
  const { body, position, velocity, boxes, obstacles } = flight
  const { body: other, motion } = obstacles[index]
  if (body.kind === HALFSPACE || other.kind === HALFSPACE) return false
  const a = boxes.length - 6
  const b = 6 * index
  const slack = around + NEAR_SLACKS * slackOf(flight, obstacles[index]) + BOUNCE_SLIDING_RATIO * reachOf(other)
  let enter = 0
  let leave = time
  for (let k = 0; k < 3; k++) {
    const own = k === 0 ? motion.vx : k === 1 ? motion.vy : motion.vz
    const speed = velocity[k] - own
    const place = position[k] - flight.time * own - other.numbers[POSITION + k]
    // From the near to the far side of the obstacle's box, grown by that of the body.
    const near = boxes[b + k] - boxes[a + 3 + k] - slack - place
    const far = boxes[b + 3 + k] - boxes[a + k] + slack - place
    if (speed === 0) {
      if (near > 0 || far < 0) return true
      continue
    }
    enter = Math.max(enter, (speed > 0 ? near : far) / speed)
    leave = Math.min(leave, (speed > 0 ? far : near) / speed)
  }
  return enter > leave
}

/** Speed at which the body leaves the obstacle along the normal; negative when it approaches. */
function leavingSpeed(flight: Flight, { obstacle, found }: Event): number {
  const [x, y, z] = relativeVelocity(flight, flight.obstacles[obstacle])
  return x * found.nx + y * found.ny + z * found.nz
}

function approachesHit(flight: Flight, event: Event): boolean {
  const speed = lengthOf(relativeVelocity(flight, flight.obstacles[event.obstacle]))
  return leavingSpeed(flight, event) < -BOUNCE_SLIDING_RATIO * speed
}

/** Reflects the velocity. The contact point is that of the obstacle's surface. */
function bounce(flight: Flight, event: Event): Bounce {
  const { found, obstacle } = event
  const { motion } = flight.obstacles[obstacle]
  const { time, velocity, restitution } = flight
  const { nx, ny, nz } = found
  const before: Vector = [...velocity]
  const change = (-(1 + restitution) * leavingSpeed(flight, event)) / (nx * nx + ny * ny + nz * nz)
  velocity[0] += change * nx
  velocity[1] += change * ny
  velocity[2] += change * nz
  // The obstacle was seen where it stood at the start.
  const point: Vector = [found.ax + time * motion.vx, found.ay + time * motion.vy, found.az + time * motion.vz]
  pushOut(flight, obstacle, [nx, ny, nz])
  remember(flight, before, [
    { obstacle, normal: [nx, ny, nz], velocity: velocityOf(flight.obstacles[obstacle]), isFace: false },
  ])
  flight.left = new Set(isConcave(flight, obstacle) ? [] : [obstacle])
  return { time, point, normal: [nx, ny, nz], obstacle, before, after: [...velocity], place: [...flight.position] }
}

/** A touch that changes nothing: sliding along, or leaving an obstacle that the body is in, which is then left out. */
function passBy(flight: Flight, { obstacle, found }: Event): void {
  const { body, obstacles, time, position } = flight
  const normal: Vector = [found.nx, found.ny, found.nz]
  // Told again and again, it is rounding: nothing straight that leads along an obstacle leads into it.
  if (flight.atOnce > 1) {
    if (isConcave(flight, obstacle)) leaveOut(flight, obstacle, 0)
    else flight.left.add(obstacle)
  }
  if (!found.startedOverlapping) {
    pushOut(flight, obstacle, normal)
    return
  }
  placeBeside(flight, obstacles[obstacle])
  contact(obstacles[obstacle].body, body, contactFound)
  const size = lengthOf(position) + body.numbers[REACH]
  if (-contactFound.separation <= START_DEPTH_RATIO * size && pushOut(flight, obstacle, normal)) return
  const motion = placeBeside(flight, obstacles[obstacle])
  timeOfImpact(obstacles[obstacle].body, AT_REST, body, motion, flight.duration - time, false, 'exit', candidate)
  leaveOut(flight, obstacle, candidate.hasExit ? candidate.exitTime : Infinity)
}

/** Something straight may lead back to it. */
function isConcave({ obstacles }: Flight, obstacle: number): boolean {
  return obstacles[obstacle].body.kind === COMPOSITE
}

/** Leaves an obstacle out for so long, and longer each time. */
function leaveOut(flight: Flight, obstacle: number, least: number): void {
  const { time } = flight
  const patience = Math.max(flight.patience[obstacle], instant(flight))
  const leave = time + Math.max(least, patience)
  flight.patience[obstacle] = PATIENCE_FACTOR * patience
  flight.leaving[obstacle] = leave > time ? leave : Infinity
}

/** Moves the body off an obstacle that rounding has left it in, or beyond which it has left it; returns whether it is off. */
function pushOut(flight: Flight, obstacle: number, normal: Vector): boolean {
  const { body, obstacles, position } = flight
  const other = obstacles[obstacle].body
  let step = stepOff(flight, obstacle)
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

/** More than rounding changes of where they are. */
function stepOff({ obstacles, position, body }: Flight, obstacle: number): number {
  return 2 * UNIT_ROUNDOFF * (lengthOf(position) + reachOf(body) + reachOf(obstacles[obstacle].body))
}
