/**
 * The walls of the corner that a body comes into which touches several obstacles at one instant.
 *
 * Method: the body, with a skin that is thicker than rounding and thinner than all else, is put back a little the way it came, off what
 * it slides along, and flies on: what it runs into, and slides along from there, are the walls. So no gap between two obstacles that is
 * no wider than rounding lets anything through, an edge or a corner that sticks out has the normal that a ball would meet there that is
 * smaller than any other, and a seam of flush obstacles, whose faces have one normal, is none.
 * Frame: world, at the time of the flight. Cost: O(obstacles that are touched) for each wall.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { orderPair } from '../narrow-phase/pair-frame.ts'
import { contact, createContact } from '../queries/contact.ts'
import { type Body, cross, dot, HALFSPACE, POINTS, POSITION, plus, RADIUS, REACH, type Vector } from '../shape/body.ts'
import { PLANE_SIZE, planesOf, surfaceOf } from '../shape/core-surface.ts'
import { kindOf } from '../shape/kinds.ts'
import { createMotion, type Motion } from '../shape/motion.ts'
import {
  BOUNCE_SLIDING_RATIO,
  CORNER_ROOM_COUNT,
  CORNER_SKIN_COUNT,
  CORNER_SLACK_COUNT,
  CORNER_STEP_COUNT,
  CORNER_TILT_COUNT,
  CORNER_WALL_COUNT,
  SHALLOW_RATE,
} from '../tolerances.ts'
import { createTimeOfImpact, timeOfImpact } from './time-of-impact.ts'

export interface Obstacle {
  body: Body
  motion: Motion
}

/** A body that flies. */
export interface Flyer {
  body: Body
  time: number
  position: Vector
  velocity: Vector
}

/** A plane that reflects. */
export interface Wall {
  obstacle: number
  /** Unit normal from the obstacle to the body. */
  normal: Vector
  /** Velocity of the obstacle. */
  velocity: Vector
  /** It is a face of the obstacle or of the body, and its normal that of the face. */
  isFace: boolean
}

/** Steps of placing a body beside an obstacle and measuring the two. */
const PLACE_STEPS = 8

/** So many planes at most are gone over at once. */
const MOST_PLANES = 16

/** So many walls has a corner at most. */
const MOST_WALLS = 64

/** A body that slides along slowly is followed for so many times as long. */
const LONGEST_LOOK = 1024

const AT_REST = createMotion()
const relative = createMotion()
const found = createContact()
const impact = createTimeOfImpact()

/** Directions all around. */
const AROUND: readonly Vector[] = [-1, 0, 1]
  .flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z): Vector => [x, y, z])))
  .filter((direction) => lengthOf(direction) > 0)
  .map(unit)

export function lengthOf([x, y, z]: Vector): number {
  return Math.hypot(x, y, z)
}

function unit(a: Vector): Vector {
  const length = lengthOf(a)
  return length > 0 ? [a[0] / length, a[1] / length, a[2] / length] : a
}

export function velocityOf({ motion: { vx, vy, vz } }: Obstacle): Vector {
  return [vx, vy, vz]
}

/** Puts the body where it is, seen from an obstacle as it stood at the start, and returns their relative motion. */
export function placeBeside({ body, time, position, velocity }: Flyer, obstacle: Obstacle): Motion {
  const { vx, vy, vz } = obstacle.motion
  spend(PLACE_STEPS)
  body.numbers[POSITION] = position[0] - time * vx
  body.numbers[POSITION + 1] = position[1] - time * vy
  body.numbers[POSITION + 2] = position[2] - time * vz
  relative.vx = velocity[0] - vx
  relative.vy = velocity[1] - vy
  relative.vz = velocity[2] - vz
  return relative
}

/** 0 for half-spaces. */
export function reachOf({ kind, numbers }: Body): number {
  return kind === HALFSPACE ? 0 : numbers[REACH]
}

/** Distances from an obstacle that are rounding. */
export function slackOf({ position, body }: Flyer, { body: other }: Obstacle): number {
  const { kind, numbers } = other
  const place = kind === HALFSPACE ? 0 : Math.hypot(numbers[POSITION], numbers[POSITION + 1], numbers[POSITION + 2])
  return CORNER_SLACK_COUNT * UNIT_ROUNDOFF * (lengthOf(position) + place + reachOf(body) + reachOf(other))
}

/** Whether the body could slip through gaps that are none: others are stopped by what is left of it on either side. */
export function isSharp({ kind, numbers }: Body): boolean {
  return kind === POINTS && numbers[RADIUS] === 0
}

/** Of the body that has a skin more, without that. */
let ownRadius = 0
let ownReach = 0

/** Gives a body of core points a skin more, one body at a time. */
export function putSkin({ numbers }: Body, thickness: number): void {
  ownRadius = numbers[RADIUS]
  ownReach = numbers[REACH]
  numbers[RADIUS] += thickness
  numbers[REACH] += thickness
}

export function takeSkin({ numbers }: Body): void {
  numbers[RADIUS] = ownRadius
  numbers[REACH] = ownReach
}

/** Height of the body over the obstacle along a unit vector: the distance of the planes across it that bound them. */
export function heightOver(flyer: Flyer, obstacle: Obstacle, [x, y, z]: Vector): number {
  placeBeside(flyer, obstacle)
  const { body } = flyer
  if (obstacle.body.kind === HALFSPACE) {
    contact(obstacle.body, body, found)
    return found.separation
  }
  const { dx, dy, dz, swapped } = orderPair(obstacle.body, body)
  const side = swapped ? -1 : 1
  spend((obstacle.body.count + body.count) >> 2)
  kindOf(obstacle.body).support(obstacle.body, x, y, z, top)
  kindOf(body).support(body, -x, -y, -z, bottom)
  const skins = obstacle.body.numbers[RADIUS] + body.numbers[RADIUS]
  const height = (k: number, d: number): number => side * d + (bottom[k] - top[k])
  return x * height(0, dx) + y * height(1, dy) + z * height(2, dz) - skins
}

const top = new Float64Array(3)
const bottom = new Float64Array(3)

/** Cosine between the velocity relative to a wall and its normal; negative when it leads into the wall, 0 at rest. */
export function leaving(velocity: Vector, { normal, velocity: own }: Wall): number {
  const seen = plus(velocity, own, -1)
  const speed = lengthOf(seen)
  return speed > 0 ? dot(seen, normal) / speed : 0
}

/** Whether it leads along the wall. */
export function slides(velocity: Vector, wall: Wall): boolean {
  return Math.abs(leaving(velocity, wall)) <= BOUNCE_SLIDING_RATIO
}

export function approaches(velocity: Vector, wall: Wall): boolean {
  return leaving(velocity, wall) < -BOUNCE_SLIDING_RATIO
}

/** The velocity less what leads into a wall, `restitution` of it given back. */
export function reflected(velocity: Vector, { normal, velocity: own }: Wall, restitution: number): Vector {
  const along = dot(plus(velocity, own, -1), normal)
  return plus(velocity, normal, (-(1 + restitution) * along) / dot(normal, normal))
}

/**
 * The wall that the velocity leads into the most squarely; of two at right angles, where the order changes nothing, and of two that are
 * met alike that of the lower obstacle.
 */
export function nextWall(velocity: Vector, walls: readonly Wall[]): Wall | null {
  let first: Wall | null = null
  let least = 0
  for (const wall of walls) {
    const rate = leaving(velocity, wall)
    if (rate >= -BOUNCE_SLIDING_RATIO) continue
    if (first !== null && !goesBefore(wall, rate, first, least)) continue
    first = wall
    least = rate
  }
  return first
}

function goesBefore(wall: Wall, rate: number, first: Wall, least: number): boolean {
  const isEqual =
    Math.abs(dot(wall.normal, first.normal)) <= BOUNCE_SLIDING_RATIO || Math.abs(rate - least) <= BOUNCE_SLIDING_RATIO
  return isEqual ? wall.obstacle < first.obstacle : rate < least
}

/** The nearest velocity that leads into no wall: along them, or at rest beside them. Null where they squeeze the body. */
export function slideOut(velocity: Vector, walls: readonly Wall[]): Vector | null {
  const speed = Math.max(0, ...walls.map((wall) => lengthOf(plus(velocity, wall.velocity, -1))))
  const planes = walls.map(({ normal, velocity: own }) => ({ normal, need: -dot(plus(velocity, own, -1), normal) }))
  const change = shortestOver(planes, BOUNCE_SLIDING_RATIO * speed)
  if (change === null) return null
  const out = plus(velocity, change, 1)
  // The rest is rounding.
  const still = walls.find((wall) => lengthOf(plus(out, wall.velocity, -1)) <= BOUNCE_SLIDING_RATIO * speed)
  return still === undefined ? out : still.velocity
}

/** A corner that is looked at. */
export interface Corner {
  obstacles: readonly Obstacle[]
  /** Those that are touched. */
  touched: readonly number[]
  /** Where the body is. */
  at: Flyer
  /** The body with its skin, where that touches the walls found so far. */
  ball: Flyer
  skin: number
  /** For how long it flies, at most, to look for walls. */
  lasting: number
  /** How fast it has come, seen from the obstacle where that is most. */
  fastest: number
  /** How far normals may be turned by rounding. */
  tilt: number
  /** Distances up to this are rounding. */
  slack: number
  walls: Wall[]
  /** Those that the body has come along. */
  sides: Wall[]
}

export interface Arrival {
  time: number
  position: Vector
  velocity: Vector
}

/** Where a body has come to. */
export interface Place {
  /** The obstacles that it touches. */
  touched: readonly number[]
  /** As far around it there are no others, nor did it meet anything on so long a way to here. */
  room: number
  /** How it came to the first of them. */
  arrival: Arrival
  /** Walls that it has been on the outer side of. */
  known: readonly Wall[]
}

/** The corner at a place; null where there is no room for a skin. */
export function cornerAt(flyer: Flyer, obstacles: readonly Obstacle[], place: Place): Corner | null {
  const { touched, room, arrival, known } = place
  const { velocity } = arrival
  const { body, time, position } = flyer
  let slack = 0
  let size = Infinity
  let fastest = 0
  for (const i of touched) {
    const obstacle = obstacles[i]
    slack = Math.max(slack, slackOf(flyer, obstacle))
    size = smaller(size, reachOf(obstacle.body))
    fastest = Math.max(fastest, lengthOf(plus(velocity, velocityOf(obstacle), -1)))
  }
  size = smaller(size, body.numbers[REACH])
  // Halfway between what is rounding and what has a size.
  const thickness = size < Infinity ? Math.sqrt(slack) * Math.sqrt(size) : CORNER_SKIN_COUNT * slack
  const skin = Math.min(thickness, room / (2 * CORNER_STEP_COUNT))
  if (!(slack > 0) || skin < CORNER_STEP_COUNT * slack || !(fastest > 0)) return null
  const back = (CORNER_STEP_COUNT * skin) / fastest
  const ball = { body, time: arrival.time - back, position: plus(arrival.position, velocity, -back), velocity }
  const corner: Corner = {
    obstacles,
    touched,
    at: { body, time, position: plus(position, position, 0), velocity },
    ball,
    skin,
    lasting: (CORNER_STEP_COUNT * skin + Math.min(CORNER_ROOM_COUNT * skin, size / 4)) / fastest,
    fastest,
    tilt: (CORNER_TILT_COUNT * slack) / skin,
    slack,
    walls: [],
    sides: [],
  }
  putSkin(body, skin)
  const isFree = putOff(corner, known)
  if (isFree) findSides(corner)
  takeSkin(body)
  return isFree ? corner : null
}

function smaller(size: number, reach: number): number {
  return reach > 0 ? Math.min(size, reach) : size
}

/** How near the ball is to what it touches. */
function marginOf({ skin }: Corner): number {
  return skin / CORNER_STEP_COUNT
}

function separation({ ball, obstacles }: Corner, obstacle: number): number {
  placeBeside(ball, obstacles[obstacle])
  contact(obstacles[obstacle].body, ball.body, found)
  return found.separation
}

/**
 * Puts the ball off all that it touches on the way back; false where there is no room. A plane lies between the body and what it is
 * clear of, and on what it slides along: the ball is put in front of all of them.
 */
function putOff(corner: Corner, known: readonly Wall[]): boolean {
  const { touched, ball, skin, slack, obstacles } = corner
  const margin = marginOf(corner)
  const start = ball.position
  const planes: Plane[] = []
  /** Of what it slides along, on a side that is known. */
  const sides: Plane[] = []
  /** It slides along something on a side that is not. */
  let isOpen = false
  for (const obstacle of touched) {
    const gap = separation(corner, obstacle)
    const normal = normalFound()
    const fronts = known.filter((wall) => isAtCorner(corner, { obstacle, normal: wall.normal }))
    const own = fronts.filter((wall) => wall.obstacle === obstacle)
    if (own.length === 0 && gap + skin > 4 * slack) {
      // The body itself is clear of it.
      planes.push({ normal, need: margin - gap })
      continue
    }
    const before = sides.length
    for (const wall of fronts) {
      const height = heightOver(ball, obstacles[obstacle], wall.normal)
      // It has been in front of it all the way.
      if (own.includes(wall) || height + skin >= -4 * slack) sides.push({ normal: wall.normal, need: margin - height })
    }
    isOpen ||= sides.length === before
  }
  if (isOpen) return putAround(corner, start, sides)
  planes.push(...sides)
  const by = shortestOver(planes, margin / 2)
  if (by === null) return false
  ball.position = plus(ball.position, by, 1)
  return touched.every((i) => separation(corner, i) > 0)
}

/** A way is over it that leads as far along the normal as it needs. */
interface Plane {
  normal: Vector
  need: number
}

/** The shortest way over all planes, which is that over one, two or three of them; null where there is none. */
function shortestOver(planes: readonly Plane[], slack: number): Vector | null {
  const lacking = distinct(planes).slice(0, MOST_PLANES)
  let best: Vector | null = null
  let least = Infinity
  const take = (way: Vector): void => {
    spend(1 + (planes.length >> 4))
    const length = lengthOf(way)
    if (!(length < least) || planes.some(({ normal, need }) => dot(normal, way) < need - slack)) return
    least = length
    best = way
  }
  take([0, 0, 0])
  for (const [i, p] of lacking.entries()) {
    take(plus([0, 0, 0], p.normal, p.need))
    for (const [j, q] of lacking.slice(0, i).entries()) {
      const edge = cross(p.normal, q.normal)
      const square = dot(edge, edge)
      const across = plus(plus([0, 0, 0], cross(q.normal, edge), p.need), cross(edge, p.normal), q.need)
      if (square > 0) take(plus([0, 0, 0], across, 1 / square))
      for (const r of lacking.slice(0, j)) {
        const volume = dot(edge, r.normal)
        const rest = plus(plus([0, 0, 0], cross(q.normal, r.normal), p.need), cross(r.normal, p.normal), q.need)
        if (volume !== 0) take(plus([0, 0, 0], plus(rest, edge, r.need), 1 / volume))
      }
    }
  }
  return best
}

/** Of planes with one normal that which needs most. */
function distinct(planes: readonly Plane[]): Plane[] {
  const most: Plane[] = []
  for (const plane of planes) {
    spend(1 + (most.length >> 4))
    const like = most.findIndex(({ normal }) => normal.every((x, k) => x === plane.normal[k]))
    if (like < 0) most.push(plane)
    else if (most[like].need < plane.need) most[like] = plane
  }
  return most
}

function findSides(corner: Corner): void {
  const { touched, ball, sides } = corner
  for (const obstacle of touched) {
    separation(corner, obstacle)
    const side = wallOf(corner, obstacle, normalFound())
    if (slides(ball.velocity, side) && isAtCorner(corner, side)) sides.push(side)
  }
}

function normalFound(): Vector {
  return [found.nx, found.ny, found.nz]
}

/**
 * Puts the ball beside what the body slides along where it is not known on which side it is: to where the nearest obstacle is the
 * farthest, of those places in front of the known sides from where it runs into anything, if there are any.
 */
function putAround(corner: Corner, start: Vector, sides: readonly Plane[]): boolean {
  const { touched, ball, skin } = corner
  const most = marginOf(corner) / 2
  const places: { position: Vector; least: number }[] = []
  for (const direction of AROUND) {
    if (sides.some(({ normal, need }) => 4 * skin * dot(direction, normal) < need - most)) continue
    ball.position = plus(start, direction, 4 * skin)
    let least = Infinity
    for (const i of touched) {
      least = Math.min(least, separation(corner, i))
      if (least <= most) break
    }
    if (least > most) places.push({ position: ball.position, least })
  }
  if (places.length === 0) return false
  places.sort((p, q) => q.least - p.least)
  const { time } = ball
  const place = places.find(({ position }) => {
    ball.position = position
    const isMet = nextHit(corner) !== null
    ball.time = time
    return isMet
  })
  ball.position = (place ?? places[0]).position
  return true
}

/** Adds the walls that the ball runs into as it flies on at a velocity, and slides along them; returns whether there are more. */
export function findWalls(corner: Corner, velocity: Vector): boolean {
  const { ball, skin, walls } = corner
  const before = walls.length
  ball.velocity = velocity
  putSkin(ball.body, skin)
  for (let step = 0; step < CORNER_WALL_COUNT && walls.length < MOST_WALLS; step++) {
    const wall = nextHit(corner)
    if (wall === null) break
    walls.push(wall)
    ball.position = plus(ball.position, wall.normal, marginOf(corner))
    const along = slideOut(velocity, walls)
    if (along === null) break
    ball.velocity = along
  }
  takeSkin(ball.body)
  return walls.length > before
}

/** Moves the ball to the obstacle that it hits next and returns that; null where it flies clear of the corner. */
function nextHit(corner: Corner): Wall | null {
  const { touched, ball, walls } = corner
  let first: Hit | null = null
  for (const i of touched) {
    const hit = hitWith(corner, i)
    if (hit !== null && (first === null || isSooner(corner, hit, first))) first = hit
  }
  if (first === null) return null
  const { wall, time } = first
  ball.position = plus(ball.position, ball.velocity, time)
  ball.time += time
  // A wall is taken once.
  const isKnown = walls.some((other) => other.obstacle === wall.obstacle && isSame(corner, other.normal, wall.normal))
  return isKnown ? null : wall
}

interface Hit {
  wall: Wall
  time: number
}

/** Of hits at one instant those with faces come first, and then the lower obstacle. */
function isSooner(corner: Corner, hit: Hit, first: Hit): boolean {
  const { ball, slack } = corner
  const speed = Math.max(
    lengthOf(plus(ball.velocity, hit.wall.velocity, -1)),
    lengthOf(plus(ball.velocity, first.wall.velocity, -1)),
  )
  if (hit.wall.isFace !== first.wall.isFace && Math.abs(hit.time - first.time) * speed <= marginOf(corner)) {
    return hit.wall.isFace
  }
  return hit.time < first.time - (4 * slack) / speed
}

function hitWith(corner: Corner, obstacle: number): Hit | null {
  const { ball, obstacles, lasting, fastest } = corner
  const gap = separation(corner, obstacle)
  const beside = wallOf(corner, obstacle, normalFound())
  const rate = leaving(ball.velocity, beside)
  const isMet = gap <= 0 || (rate > -SHALLOW_RATE && beside.isFace && isAtCorner(corner, beside))
  if (isMet && rate < -BOUNCE_SLIDING_RATIO) return { wall: beside, time: 0 }
  const motion = placeBeside(ball, obstacles[obstacle])
  const speed = Math.hypot(motion.vx, motion.vy, motion.vz)
  // Slower motion is rounding.
  if (gap <= 0 || !(speed > BOUNCE_SLIDING_RATIO * fastest)) return null
  const horizon = lasting * Math.min(fastest / speed, LONGEST_LOOK)
  timeOfImpact(obstacles[obstacle].body, AT_REST, ball.body, motion, horizon, true, 'time', impact)
  if (!impact.hit) return null
  // The skin makes the way between the cores the normal, then and there.
  const { position, time, velocity } = ball
  ball.position = plus(position, velocity, impact.time)
  ball.time += impact.time
  separation(corner, obstacle)
  ball.position = position
  ball.time = time
  if (!found.hasNormal) return null
  const wall = wallOf(corner, obstacle, normalFound())
  return approaches(ball.velocity, wall) ? { wall, time: impact.time } : null
}

function isSame({ tilt }: Corner, a: Vector, b: Vector): boolean {
  return lengthOf(plus(a, b, -1)) <= tilt
}

/** Whether the plane across the wall bounds its obstacle where the body is. */
function isAtCorner(
  { at, obstacles, skin, slack }: Corner,
  { obstacle, normal }: Pick<Wall, 'obstacle' | 'normal'>,
): boolean {
  // The body has its skin.
  return Math.abs(heightOver(at, obstacles[obstacle], normal) + skin) <= 4 * slack
}

/** The wall of an obstacle: with the normal of the face that it is, where rounding has turned it out of that. */
function wallOf({ obstacles, ball, tilt }: Corner, obstacle: number, normal: Vector): Wall {
  const { body } = obstacles[obstacle]
  const velocity = velocityOf(obstacles[obstacle])
  if (body.kind === HALFSPACE) return { obstacle, normal, velocity, isFace: true }
  const face = faceLike(body, normal, tilt)
  if (face !== null) return { obstacle, normal: face, velocity, isFace: true }
  const own = faceLike(ball.body, plus([0, 0, 0], normal, -1), tilt)
  if (own === null) return { obstacle, normal, velocity, isFace: false }
  return { obstacle, normal: plus([0, 0, 0], own, -1), velocity, isFace: true }
}

/** The outward normal of the body's face that is the nearest to a direction, if it is as near as `most`. */
function faceLike(body: Body, direction: Vector, most: number): Vector | null {
  if (body.kind !== POINTS || body.count < 3) return null
  const surface = surfaceOf(body)
  if (surface.dimension < 2) return null
  const planes = planesOf(body, surface)
  spend(1 + (planes.length >> 4))
  let best: Vector | null = null
  let least = most
  for (let at = 0; at + PLANE_SIZE <= planes.length; at += PLANE_SIZE) {
    const normal: Vector = [planes[at] + 0, planes[at + 1] + 0, planes[at + 2] + 0]
    const off = lengthOf(plus(normal, direction, -1))
    if (off > least) continue
    least = off
    best = normal
  }
  return best
}
