// The path of a body that bounces off obstacles, in the plane and in space.

import type {
  Trajectory3dRequest,
  Trajectory3dResponse,
  TrajectoryBounce,
  TrajectoryBounce3d,
  TrajectoryRequest,
  TrajectoryResponse,
} from '../../../schemas/queries/trajectory.ts'
import type { MovingBody2d, Shape2d } from '../../../schemas/shapes2d.ts'
import type { Shape3d } from '../../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import { boxSize } from '../outline.ts'
import { addBody, addKey, type Picture, quantity } from '../picture.ts'
import { addBody3d } from '../picture-of-space.ts'
import { from, lengthBetween, midway, poseOf, unit } from '../pose.ts'
import { along3d, from3d, isNowhere, measured, seen, standOf, type View } from '../stand.ts'
import { viewBox } from '../view-box.ts'
import { type Canvas, planeCanvas, spaceCanvas } from './canvas.ts'
import { lengthBetween3d, mostGhosts } from './ghosts.ts'

/** Maximum numbers of bounces in the legend, with a number, with a normal, with a dot. */
const MOST_TIMES = 12
export const MOST_NUMBERS = 60
export const MOST_NORMALS = 40
const MOST_DOTS = 2000
/** Maximum number of arrow heads along the path. */
const MOST_HEADS = 40
/** A last leg longer than this many times the size of the picture runs out of it. */
const LONG_LEG = 4

const STATUS = {
  completed: '',
  'max-bounces': 'It is stopped there: one more bounce than was asked for would have come.',
  stuck: 'It is stuck there: the obstacles leave no way on.',
}

export function drawTrajectory(request: TrajectoryRequest, { bounces, end, status }: TrajectoryResponse): Picture {
  const { body, obstacles } = request
  const canvas = planeCanvas([body, ...obstacles])
  const { picture } = canvas
  const { origin } = picture
  addObstacles(canvas, obstacles, bounces, () => Infinity)
  const start = poseOf(body, origin)
  const way = bouncePlaces(picture, body, bounces)
  const last = from(origin, end.position)
  const ghosts = mostGhosts(body.shape)
  for (const place of way.slice(1, ghosts + 1)) addBody(picture, body, 'a-ghost', { pose: { ...start, ...place } })
  canvas.addBody(body, 'a-start', { name: 'start' })
  addBounces(canvas, bounces)
  const corner = way[way.length - 1]
  const size = boxSize(viewBox(picture))
  const runsOut = size > 0 && lengthBetween(corner, last) > LONG_LEG * size
  addPath(picture, way, last, runsOut)
  if (!runsOut) addBody(picture, body, 'a-then', { pose: { ...start, ...last }, name: 'end' })
  tellTrajectory(picture, bounces, end.time, status)
  return canvas.finish()
}

export function drawTrajectory3d(
  request: Trajectory3dRequest,
  { bounces, end, status }: Trajectory3dResponse,
  view: View,
): Picture {
  const { body, obstacles } = request
  const canvas = spaceCanvas([body, ...obstacles], view)
  const { picture, space } = canvas
  addObstacles(canvas, obstacles, bounces, mostGhosts)
  const start = standOf(body, space.origin)
  const way = bouncePlaces3d(start.at, bounces)
  const last = from3d(space.origin, end.position)
  for (const at of way.slice(1, mostGhosts(body.shape) + 1)) {
    addBody3d(space, body, 'a-ghost', { stand: { ...start, at } })
  }
  canvas.addBody(body, 'a-start', { name: 'start' })
  addBounces(canvas, bounces)
  const size = isNowhere(space.reach) ? 0 : measured(space.reach).size
  const runsOut = size > 0 && lengthBetween3d(way[way.length - 1], last) > LONG_LEG * size
  const places = way.map((at) => seen(view, at))
  addPath(picture, places, seen(view, last), runsOut)
  if (!runsOut) addBody3d(space, body, 'a-then', { stand: { ...start, at: last }, name: 'end' })
  tellTrajectory(picture, bounces, end.time, status)
  return canvas.finish()
}

/** The path through the bounces to its end, or out of the picture. */
function addPath(picture: Picture, way: readonly Vec2[], end: Vec2, runsOut: boolean): void {
  const corner = way[way.length - 1]
  picture.strokes.push({ form: 'polyline', points: way, role: 'path' })
  if (runsOut) {
    const direction = unit({ x: end.x - corner.x, y: end.y - corner.y })
    // In space the last leg may run straight towards the viewer.
    if (direction !== null) picture.strokes.push({ form: 'ray', through: corner, direction, role: 'path' })
    picture.details.push('It ends out of the picture.')
  } else picture.strokes.push({ form: 'polyline', points: [corner, end], role: 'path' })
  addHeads(picture, runsOut ? way : [...way, end])
}

function tellTrajectory(
  picture: Picture,
  bounces: readonly BounceTime[],
  until: number,
  status: TrajectoryResponse['status'],
): void {
  picture.heading = `${headingOf(bounces.length)} in ${quantity(until)} s.`
  if (STATUS[status] !== '') picture.details.push(STATUS[status])
  if (bounces.length > 0) addKey(picture, 'a-ghost', 'at a bounce')
  addKey(picture, 'path', 'way of its position')
  if (bounces.length > 0) addKey(picture, 'normal', 'normal of the obstacle')
  // No-break spaces keep each entry on one line.
  const times = bounces
    .slice(0, MOST_TIMES)
    .map(
      ({ obstacle, time }, i) =>
        `${i + 1}:\u00a0obstacle\u00a0${obstacle}\u00a0at\u00a0t\u00a0=\u00a0${quantity(time)}`,
    )
  if (bounces.length > MOST_TIMES) times.push('…')
  if (times.length > 0) picture.legend.push(times.join('; '))
}

type BounceTime = Pick<TrajectoryBounce, 'obstacle' | 'time'>

const TIMES: Record<number, string> = { 1: 'once', 2: 'twice' }

function headingOf(bounces: number): string {
  if (bounces === 0) return 'The body meets nothing'
  return `The body bounces ${TIMES[bounces] ?? `${bounces} times`}`
}

/** The positions at the start and at each bounce, relative to the picture's origin. */
function bouncePlaces({ origin }: Picture, body: MovingBody2d, bounces: readonly TrajectoryBounce[]): Vec2[] {
  const { x, y } = poseOf(body, origin)
  const places: Vec2[] = [{ x, y }]
  let time = 0
  for (const { time: next, velocityBefore } of bounces) {
    const { x, y } = places[places.length - 1]
    places.push({ x: x + velocityBefore.x * (next - time), y: y + velocityBefore.y * (next - time) })
    time = next
  }
  return places
}

/** The positions at the start and at each bounce, relative to the picture's origin. */
function bouncePlaces3d(start: Vec3, bounces: readonly TrajectoryBounce3d[]): Vec3[] {
  const places = [start]
  let time = 0
  for (const { time: next, velocityBefore } of bounces) {
    places.push(along3d(places[places.length - 1], velocityBefore, next - time))
    time = next
  }
  return places
}

/** Obstacles where they start, and moving ones where they are hit. `limit`: how many of the latter are drawn. */
function addObstacles<Body extends { shape: Shape2d | Shape3d }>(
  canvas: Canvas<unknown, Body, never>,
  obstacles: readonly Body[],
  bounces: readonly BounceTime[],
  limit: (shape: Shape2d | Shape3d) => number,
): void {
  const struck = new Set(bounces.map(({ obstacle }) => obstacle))
  let ghosts = 0
  for (const { obstacle, time } of bounces.slice(0, MOST_NUMBERS)) {
    const body = obstacles[obstacle]
    if (!canvas.isMoving(body) || ghosts >= limit(body.shape)) continue
    ghosts++
    canvas.addBody(body, 'target-ghost', { at: time })
    addKey(canvas.picture, 'target-ghost', 'moving obstacle when hit')
  }
  obstacles.forEach((obstacle, i) => {
    canvas.addBody(obstacle, struck.has(i) ? 'target-hit' : 'target', { name: `${i}` })
  })
}

function addBounces<Vector>(
  canvas: Canvas<Vector, never, never>,
  bounces: readonly { point: Vector; normal: Vector }[],
): void {
  bounces.slice(0, MOST_DOTS).forEach(({ point, normal }, i) => {
    if (i < MOST_NORMALS) canvas.addDirection(point, normal, 'normal')
    canvas.addDot(point, 'point')
    if (i < MOST_NUMBERS) canvas.addLabel(point, `${i + 1}`, normal)
  })
}

/** Arrow heads along a projected path. */
export function addHeads(picture: Picture, way: readonly Vec2[]): void {
  for (let i = 1; i < way.length && i <= MOST_HEADS; i++) {
    const direction = unit({ x: way[i].x - way[i - 1].x, y: way[i].y - way[i - 1].y })
    if (direction !== null) {
      const length = lengthBetween(way[i - 1], way[i])
      picture.arrows.push({ form: 'head', tail: midway(way[i - 1], way[i]), direction, length, role: 'motion' })
    }
  }
}
