// The way of a body that bounces off obstacles in space.

import type {
  Trajectory3dRequest,
  Trajectory3dResponse,
  TrajectoryBounce3d,
} from '../../../schemas/queries/trajectory.ts'
import type { MovingBody3d } from '../../../schemas/shapes3d.ts'
import type { Vec3 } from '../../../schemas/vector.ts'
import { addKey, type Picture } from '../marks/picture.ts'
import {
  addBody3d,
  addDirection3d,
  addDot3d,
  addLabel3d,
  createPictureOfSpace,
  finished,
  type PictureOfSpace,
} from '../marks/picture-of-space.ts'
import { unit } from '../marks/pose.ts'
import { isNowhere, measured } from '../marks/reach.ts'
import { along3d, from3d, seen, standAt, standOf, type View } from '../marks/stand.ts'
import { addHeads, LONG_LEG, MOST_DOTS, MOST_NORMALS, MOST_NUMBERS, tellTrajectory } from './draw-trajectory.ts'
import { isMoving3d, lengthBetween3d, mostGhosts } from './ghosts.ts'

export function drawTrajectory3d(
  request: Trajectory3dRequest,
  { bounces, end, status }: Trajectory3dResponse,
  view: View,
): Picture {
  const { body, obstacles } = request
  const space = createPictureOfSpace([body, ...obstacles], view)
  const { picture, origin } = space
  drawObstacles(space, obstacles, bounces)
  const start = standOf(body, origin)
  const way = bouncePlaces(start.at, bounces)
  const last = from3d(origin, end.position)
  for (const at of way.slice(1, mostGhosts(body.shape) + 1)) {
    addBody3d(space, body, 'a-ghost', { stand: { ...start, at } })
  }
  addBody3d(space, body, 'a-start', { name: 'start' })
  addBounces(space, bounces)
  const size = isNowhere(space.reach) ? 0 : measured(space.reach).size
  const runsOut = size > 0 && lengthBetween3d(way[way.length - 1], last) > LONG_LEG * size
  const places = way.map((at) => seen(view, at))
  const corner = places[places.length - 1]
  const goal = seen(view, last)
  picture.strokes.push({ form: 'polyline', points: places, role: 'path' })
  if (runsOut) {
    const direction = unit({ x: goal.x - corner.x, y: goal.y - corner.y })
    if (direction !== null) picture.strokes.push({ form: 'ray', through: corner, direction, role: 'path' })
    picture.details.push('It ends out of the picture.')
  } else {
    picture.strokes.push({ form: 'polyline', points: [corner, goal], role: 'path' })
    addBody3d(space, body, 'a-then', { stand: { ...start, at: last }, name: 'end' })
  }
  addHeads(picture, runsOut ? places : [...places, goal])
  tellTrajectory(picture, bounces, end.time, status)
  return finished(space)
}

/** Where the body starts and where it is at each bounce, counted from the picture's origin. */
function bouncePlaces(start: Vec3, bounces: readonly TrajectoryBounce3d[]): Vec3[] {
  const places = [start]
  let time = 0
  for (const { time: next, velocityBefore } of bounces) {
    places.push(along3d(places[places.length - 1], velocityBefore, next - time))
    time = next
  }
  return places
}

/** Where they start and, of those that move, where they are when they are hit, the first times if they have many corners. */
function drawObstacles(
  space: PictureOfSpace,
  obstacles: readonly MovingBody3d[],
  bounces: readonly TrajectoryBounce3d[],
): void {
  const struck = new Set(bounces.map(({ obstacle }) => obstacle))
  let ghosts = 0
  for (const { obstacle, time } of bounces.slice(0, MOST_NUMBERS)) {
    const body = obstacles[obstacle]
    if (!isMoving3d(body) || ghosts >= mostGhosts(body.shape)) continue
    ghosts++
    addBody3d(space, body, 'target-ghost', { stand: standAt(body, space.origin, time) })
    addKey(space.picture, 'target-ghost', 'moving obstacle when hit')
  }
  obstacles.forEach((obstacle, i) => {
    addBody3d(space, obstacle, struck.has(i) ? 'target-hit' : 'target', { name: `${i}` })
  })
}

function addBounces(space: PictureOfSpace, bounces: readonly TrajectoryBounce3d[]): void {
  bounces.slice(0, MOST_DOTS).forEach(({ point, normal }, i) => {
    if (i < MOST_NORMALS) addDirection3d(space, point, normal, 'normal')
    addDot3d(space, point, 'point')
    if (i < MOST_NUMBERS) addLabel3d(space, point, `${i + 1}`, normal)
  })
}
