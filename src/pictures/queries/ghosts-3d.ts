// A motion in space as a row of ghosts: the poses between its start and its end, and the way of the middle of the shape.

import type { MovingBody3d } from '../../../schemas/shapes3d.ts'
import type { Vec3 } from '../../../schemas/vector.ts'
import type { ShapeRole, StrokeRole } from '../marks/palette.ts'
import { addBody3d, type PictureOfSpace } from '../marks/picture-of-space.ts'
import { createReach, isNowhere, measured, type Reach, reachOf, widen } from '../marks/reach.ts'
import { placed3d, seen, standAt, standOf, turnedStand, ZERO } from '../marks/stand.ts'
import { courseTimes, ghostCount, timeInSight } from './ghosts.ts'

const STANDING = turnedStand(ZERO, { x: 0, y: 0, z: 0, w: 1 })

export interface Course3d {
  body: MovingBody3d
  /** The time that is shown, from the start on. */
  until: number
  ghost: ShapeRole
  path: StrokeRole
}

export function isMoving3d({ velocity = ZERO, angularVelocity = ZERO }: MovingBody3d): boolean {
  return [velocity, angularVelocity].some(({ x, y, z }) => x !== 0 || y !== 0 || z !== 0)
}

/** Ghosts between the two instants, neither included. */
export function addCourse3d(space: PictureOfSpace, { body, until, ghost, path }: Course3d): void {
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

/** The whole time, or as much of it as keeps the bodies in sight. */
export function shownTime3d({ origin }: PictureOfSpace, bodies: readonly MovingBody3d[], duration: number): number {
  const start = createReach()
  for (const { shape, ...body } of bodies) {
    if (shape.type !== 'halfspace') widen(start, reachOf(shape, standOf({ shape, ...body }, origin)))
  }
  const ways = bodies.map((body) => lengthBetween3d(standAt(body, origin, 0).at, standAt(body, origin, duration).at))
  return timeInSight(duration, isNowhere(start) ? 0 : measured(start).size, Math.max(...ways))
}

/** How far the shape reaches about its position; nowhere of half-spaces, which have no end. */
function bounded({ shape }: MovingBody3d, reach: Reach): Reach {
  if (shape.type !== 'halfspace') widen(reach, reachOf(shape, STANDING))
  return reach
}

export function lengthBetween3d(p: Vec3, q: Vec3): number {
  return Math.hypot(q.x - p.x, q.y - p.y, q.z - p.z)
}
