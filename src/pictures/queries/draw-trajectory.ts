// The way of a body that bounces off obstacles.

import type { TrajectoryBounce, TrajectoryRequest, TrajectoryResponse } from '../../../schemas/queries/trajectory.ts'
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { boxSize } from '../marks/outline.ts'
import {
  addBody,
  addDirection,
  addDot,
  addKey,
  addLabel,
  createPicture,
  type Picture,
  quantity,
} from '../marks/picture.ts'
import { from, lengthBetween, midway, poseAt, poseOf, unit } from '../marks/pose.ts'
import { viewBox } from '../svg/view-box.ts'
import { isMoving, mostGhosts } from './ghosts.ts'

/** Of bounces: those that are written at, drawn with normals, with a dot. */
const MOST_TIMES = 12
export const MOST_NUMBERS = 60
export const MOST_NORMALS = 40
export const MOST_DOTS = 2000
/** Heads along the path that show which way it runs. */
const MOST_HEADS = 40
/** A last leg longer than this many times the rest runs out of the picture. */
export const LONG_LEG = 4

const STATUS = {
  completed: '',
  'max-bounces': 'It is stopped there: one more bounce than was asked for would have come.',
  stuck: 'It is stuck there: the obstacles leave no way on.',
}

export function drawTrajectory(request: TrajectoryRequest, { bounces, end, status }: TrajectoryResponse): Picture {
  const { body, obstacles } = request
  const picture = createPicture([body, ...obstacles])
  const { origin } = picture
  drawObstacles(picture, obstacles, bounces)
  const start = poseOf(body, origin)
  const way = bouncePlaces(picture, body, bounces)
  const last = from(origin, end.position)
  const ghosts = mostGhosts(body.shape)
  for (const place of way.slice(1, ghosts + 1)) addBody(picture, body, 'a-ghost', { pose: { ...start, ...place } })
  addBody(picture, body, 'a-start', { name: 'start' })
  addBounces(picture, bounces)
  const corner = way[way.length - 1]
  const runsOut = lengthBetween(corner, last) > LONG_LEG * boxSize(viewBox(picture)) && boxSize(viewBox(picture)) > 0
  picture.strokes.push({ form: 'polyline', points: way, role: 'path' })
  if (runsOut) {
    const direction = unit({ x: last.x - corner.x, y: last.y - corner.y }) as Vec2
    picture.strokes.push({ form: 'ray', through: corner, direction, role: 'path' })
    picture.details.push('It ends out of the picture.')
  } else {
    picture.strokes.push({ form: 'polyline', points: [corner, last], role: 'path' })
    addBody(picture, body, 'a-then', { pose: { ...start, ...last }, name: 'end' })
  }
  addHeads(picture, runsOut ? way : [...way, last])
  tellTrajectory(picture, bounces, end.time, status)
  return picture
}

/** The heading, key and legend of a way, in the plane or in space. */
export function tellTrajectory(
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
  // Held together by no-break spaces.
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

/** Where the body starts and where it is at each bounce. */
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

/** Where they start and, of those that move, where they are when they are hit. */
function drawObstacles(
  picture: Picture,
  obstacles: readonly MovingBody2d[],
  bounces: readonly TrajectoryBounce[],
): void {
  const struck = new Set(bounces.map(({ obstacle }) => obstacle))
  bounces.slice(0, MOST_NUMBERS).forEach(({ obstacle, time }) => {
    const body = obstacles[obstacle]
    if (!isMoving(body)) return
    addBody(picture, body, 'target-ghost', { pose: poseAt(body, picture.origin, time) })
    addKey(picture, 'target-ghost', 'moving obstacle when hit')
  })
  obstacles.forEach((obstacle, i) => {
    addBody(picture, obstacle, struck.has(i) ? 'target-hit' : 'target', { name: `${i}` })
  })
}

function addBounces(picture: Picture, bounces: readonly TrajectoryBounce[]): void {
  bounces.forEach(({ point, normal }, i) => {
    if (i < MOST_NORMALS) addDirection(picture, point, normal, 'normal')
    if (i < MOST_DOTS) addDot(picture, point, 'point')
    const number = `${i + 1}`
    if (i < MOST_NUMBERS) addLabel(picture, point, number, normal)
  })
}

/** Along a way as it is seen. */
export function addHeads(picture: Picture, way: readonly Vec2[]): void {
  for (let i = 1; i < way.length && i <= MOST_HEADS; i++) {
    const direction = unit({ x: way[i].x - way[i - 1].x, y: way[i].y - way[i - 1].y })
    if (direction !== null) {
      const length = lengthBetween(way[i - 1], way[i])
      picture.arrows.push({ form: 'head', tail: midway(way[i - 1], way[i]), direction, length, role: 'motion' })
    }
  }
}
