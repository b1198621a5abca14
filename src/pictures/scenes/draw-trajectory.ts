// The way of a body that bounces off the bodies of a scene.

import type { SceneBounce } from '../../../schemas/scenes/trajectory.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import {
  addBody,
  addDirection,
  addDot,
  addKey,
  addLabel,
  counted,
  type Picture,
  quantity,
  shortName,
} from '../marks/picture.ts'
import { from, poseAt, poseOf } from '../marks/pose.ts'
import { addHeads, MOST_NORMALS, MOST_NUMBERS } from '../queries/draw-trajectory.ts'
import { isMoving, mostGhosts } from '../queries/ghosts.ts'
import {
  addProbe,
  type KnownBody,
  ownInvolved,
  probeBody,
  probeName,
  probePicture,
  type SceneDrawing,
  tellTruncated,
} from './question.ts'

/** Bounces that are written about. */
const MOST_TIMES = 11
const MOST_POSES = 40

const STATUS = {
  completed: '',
  'max-bounces': 'It is stopped there: one more bounce than was asked for would have come.',
  stuck: 'It is stuck there: nothing leaves it a way on.',
}

export const trajectoryDrawing: SceneDrawing<'trajectory'> = {
  *involved(request, { bounces }) {
    for (const { id } of bounces) yield [id, 'met']
    yield* ownInvolved(request)
  },
  draw(question) {
    const { request, answer, tally, bodies } = question
    const { bounces, end, status, truncated } = answer
    const picture = probePicture(question)
    const body = probeBody(question)
    const start = poseOf(body, picture.origin)
    const { count } = tally.bounces
    const isWhole = bounces.length === count && !truncated
    addStruck(picture, bounces, bodies)
    const way = bouncePlaces(picture, start, bounces)
    const last = from(picture.origin, end.position)
    const ghosts = Math.min(MOST_POSES, mostGhosts(body.shape))
    for (const place of way.slice(1, ghosts + 1)) addBody(picture, body, 'a-ghost', { pose: { ...start, ...place } })
    addProbe(picture, question, { role: 'a-start' })
    const shown = isWhole ? [...way, last] : way
    picture.strokes.push({ form: 'polyline', points: shown, role: 'path' })
    if (isWhole) addBody(picture, body, 'a-then', { pose: { ...start, ...last }, name: 'end' })
    addHeads(picture, shown)
    bounces.forEach(({ point, normal }, i) => {
      if (i < MOST_NORMALS) addDirection(picture, point, normal, 'normal')
      addDot(picture, point, 'point')
      if (i < MOST_NUMBERS) addLabel(picture, point, `${i + 1}`, normal)
    })
    picture.heading = `${probeName(request)} ${bouncesText(count)} in ${quantity(end.time)} s.`
    if (STATUS[status] !== '') picture.details.push(STATUS[status])
    if (!isWhole) picture.details.push(`Its way is drawn up to bounce ${bounces.length}.`)
    if (bounces.length > 0) addKey(picture, 'a-ghost', 'at a bounce')
    if (bounces.length > 0) addKey(picture, 'met', 'what it bounces off')
    addKey(picture, 'path', 'way of its position')
    bounces.slice(0, MOST_TIMES).forEach(({ id, time }, i) => {
      picture.legend.push(`${i + 1}. ${shortName(id)} at t = ${quantity(time)}`)
    })
    if (count > MOST_TIMES) picture.legend.push(`… and ${count - MOST_TIMES} more`)
    tellTruncated(picture, answer)
    return picture
  },
}

function bouncesText(count: number): string {
  if (count === 0) return 'meets nothing'
  return count === 1 ? 'bounces once' : `bounces ${counted(count, 'time')}`
}

/** Where the body starts and where it is at each bounce. */
function bouncePlaces({ origin }: Picture, { x, y }: Vec2, bounces: readonly SceneBounce[]): Vec2[] {
  const places: Vec2[] = [{ x, y }]
  let time = 0
  let at = { x: x + origin.x, y: y + origin.y }
  for (const { time: next, velocityBefore } of bounces) {
    at = { x: at.x + velocityBefore.x * (next - time), y: at.y + velocityBefore.y * (next - time) }
    places.push(from(origin, at))
    time = next
  }
  return places
}

/** Those that move, where they are when they are hit. */
function addStruck(picture: Picture, bounces: readonly SceneBounce[], bodies: ReadonlyMap<string, KnownBody>): void {
  for (const { id, time } of bounces.slice(0, MOST_NUMBERS)) {
    const body = bodies.get(id)?.body ?? null
    if (body === null || !isMoving(body)) continue
    addBody(picture, body, 'target-ghost', { pose: poseAt(body, picture.origin, time) })
    addKey(picture, 'target-ghost', 'moving body when hit')
  }
}
