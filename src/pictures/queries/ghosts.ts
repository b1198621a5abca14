// Ghosts: a motion drawn as a row of poses between its start and its end, and the path of the shape's centre; in the plane and in space.

import type { MovingBody2d, Shape2d } from '../../../schemas/shapes2d.ts'
import type { MovingBody3d, Shape3d } from '../../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import { boxCentre, boxSize, createBox, isEmpty, joinBox, partsBox } from '../outline.ts'
import type { ShapeRole, StrokeRole } from '../palette.ts'
import { addBody, type Picture } from '../picture.ts'
import { addBody3d, type PictureOfSpace } from '../picture-of-space.ts'
import { lengthBetween, placed, poseAt, poseOf } from '../pose.ts'
import { drawnParts, shapeCorners } from '../shape-parts.ts'
import {
  createReach,
  isNowhere,
  measured,
  placed3d,
  type Reach,
  reachOf,
  seen,
  standAt,
  standOf,
  turnedStand,
  widen,
  ZERO,
} from '../stand.ts'

/** One ghost per this fraction of the body's size, and per this angle in radians. */
const SIZES_PER_GHOST = 0.8
const TURN_PER_GHOST = 0.35
const MOST_GHOSTS = 8
/** Maximum number of corners of all ghosts together. */
const MOST_CORNERS = 20_000
const MOST_POSES = 100
/** Points on the path of a spinning body: per turn, and at most. */
const POINTS_PER_TURN = 40
const MOST_POINTS = 400
/** Paths longer than this many times the size of all bodies at the start are cut, unless they lead to an impact. */
const LONG_WAY = 6
const STANDING = { x: 0, y: 0, angle: 0 }

export interface Course<Body> {
  body: Body
  /** End of the motion that is drawn, in seconds. */
  until: number
  ghost: ShapeRole
  path: StrokeRole
}

export function isMoving({ velocity, angularVelocity = 0 }: MovingBody2d): boolean {
  return angularVelocity !== 0 || (velocity !== undefined && (velocity.x !== 0 || velocity.y !== 0))
}

/** Adds ghosts at instants strictly between 0 and `until`, and the path. */
export function addCourse(picture: Picture, { body, until, ghost, path }: Course<MovingBody2d>): void {
  if (!isMoving(body) || !(until > 0)) return
  const { origin } = picture
  const box = partsBox(drawnParts(body.shape, STANDING))
  const middle = isEmpty(box) ? STANDING : boxCentre(box)
  const at = (time: number): Vec2 => placed(poseAt(body, origin, time), middle)
  const turn = Math.abs((body.angularVelocity ?? 0) * until)
  const size = isEmpty(box) ? null : boxSize(box)
  const count = ghostCount(body.shape, size, lengthBetween(at(0), at(until)), turn)
  for (let k = 1; k <= count; k++) {
    addBody(picture, body, ghost, { pose: poseAt(body, origin, (until * k) / (count + 1)) })
  }
  const points = courseTimes(until, turn).map(at)
  picture.strokes.push({ form: 'polyline', points, role: path })
}

/** The instants of the points of a path, as many as its rotation needs. */
function courseTimes(until: number, turn: number): number[] {
  const stops = Math.min(MOST_POINTS, Math.ceil((turn / (2 * Math.PI)) * POINTS_PER_TURN) + 1)
  return Array.from({ length: stops + 1 }, (_, i) => (until * i) / stops)
}

/** Number of ghosts. `size`: size of the shape, null if it is unbounded. */
function ghostCount(shape: Shape2d | Shape3d, size: number | null, travel: number, turn: number): number {
  // Half-planes cover each other and everything else.
  if (size === null) return 1
  const bySize = size === 0 ? MOST_GHOSTS : travel / (SIZES_PER_GHOST * size) - 1
  const wanted = Math.ceil(Math.max(1, bySize, turn / TURN_PER_GHOST - 1))
  return Math.min(wanted, MOST_GHOSTS, mostGhosts(shape))
}

/** Maximum number of ghosts of the shape. */
export function mostGhosts(shape: Shape2d | Shape3d): number {
  return Math.min(MOST_POSES, Math.floor(MOST_CORNERS / Math.max(1, shapeCorners(shape))))
}

/** `duration`, or as much of it as keeps the bodies in sight. */
export function shownTime({ origin }: Picture, bodies: readonly MovingBody2d[], duration: number): number {
  const start = createBox()
  for (const body of bodies) joinBox(start, partsBox(drawnParts(body.shape, poseOf(body, origin))))
  const ways = bodies.map((body) => lengthBetween(poseAt(body, origin, 0), poseAt(body, origin, duration)))
  return timeInSight(duration, boxSize(start), Math.max(...ways))
}

/** `shownTime` by the size of the bodies at the start and the length of the longest path. */
function timeInSight(duration: number, size: number, longest: number): number {
  const limit = LONG_WAY * size
  return limit > 0 && longest > limit ? duration * (limit / longest) : duration
}

const UPRIGHT = turnedStand(ZERO, { x: 0, y: 0, z: 0, w: 1 })

export function isMoving3d({ velocity = ZERO, angularVelocity = ZERO }: MovingBody3d): boolean {
  return [velocity, angularVelocity].some(({ x, y, z }) => x !== 0 || y !== 0 || z !== 0)
}

/** Adds ghosts at instants strictly between 0 and `until`, and the path. */
export function addCourse3d(space: PictureOfSpace, { body, until, ghost, path }: Course<MovingBody3d>): void {
  if (!isMoving3d(body) || !(until > 0)) return
  const { picture, view, origin } = space
  const own = bounded(body, createReach())
  const { centre, size } = isNowhere(own) ? { centre: ZERO, size: null } : measured(own)
  const at = (time: number): Vec3 => placed3d(standAt(body, origin, time), centre)
  const { x, y, z } = body.angularVelocity ?? ZERO
  const turn = Math.hypot(x, y, z) * until
  const count = ghostCount(body.shape, size, lengthBetween3d(at(0), at(until)), turn)
  for (let k = 1; k <= count; k++) {
    addBody3d(space, body, ghost, { stand: standAt(body, origin, (until * k) / (count + 1)) })
  }
  const points = courseTimes(until, turn).map((time) => seen(view, at(time)))
  picture.strokes.push({ form: 'polyline', points, role: path })
}

/** `duration`, or as much of it as keeps the bodies in sight. */
export function shownTime3d({ origin }: PictureOfSpace, bodies: readonly MovingBody3d[], duration: number): number {
  const start = createReach()
  for (const { shape, ...body } of bodies) {
    if (shape.type !== 'halfspace') widen(start, reachOf(shape, standOf({ shape, ...body }, origin)))
  }
  const ways = bodies.map((body) => lengthBetween3d(standAt(body, origin, 0).at, standAt(body, origin, duration).at))
  return timeInSight(duration, isNowhere(start) ? 0 : measured(start).size, Math.max(...ways))
}

/** Adds the extent of the shape about its position; half-spaces, which are unbounded, add nothing. */
function bounded({ shape }: MovingBody3d, reach: Reach): Reach {
  if (shape.type !== 'halfspace') widen(reach, reachOf(shape, UPRIGHT))
  return reach
}

export function lengthBetween3d(p: Vec3, q: Vec3): number {
  return Math.hypot(q.x - p.x, q.y - p.y, q.z - p.z)
}
