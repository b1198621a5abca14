// Shape casts, times of impact and trajectories in a scene.

import type { SceneCastHit } from '../../../schemas/scenes/shape-cast.ts'
import type { SceneImpact } from '../../../schemas/scenes/time-of-impact.ts'
import type { SceneBounce } from '../../../schemas/scenes/trajectory.ts'
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import {
  addBody,
  addDirection,
  addDot,
  addKey,
  addLabel,
  counted,
  createPictureAt,
  featureText,
  type Picture,
  quantity,
  shortName,
} from '../picture.ts'
import { from, poseAt, poseOf, unit } from '../pose.ts'
import { addHeads, MOST_NORMALS, MOST_NUMBERS } from '../queries/draw-trajectory.ts'
import { addCourse, isMoving, mostGhosts } from '../queries/ghosts.ts'
import {
  addMeeting,
  addProbe,
  type KnownBody,
  middleOf,
  ownInvolved,
  probeBody,
  probeName,
  probePicture,
  type SceneDrawing,
  tellTruncated,
} from './question.ts'

const MOST_LABELS = 40
/** Maximum number of poses drawn at hits. */
const MOST_POSES = 24

export const shapeCastDrawing: SceneDrawing<'shape-cast'> = {
  *involved(request, { hits }) {
    for (const { id } of hits) yield [id, 'met']
    yield* ownInvolved(request)
  },
  draw(question) {
    const { request, answer, tally } = question
    const { translation, rotation = 0 } = request
    const { hits } = answer
    const picture = probePicture(question)
    const { shape, position = { x: 0, y: 0 }, rotation: turned = 0 } = probeBody(question)
    const mover: MovingBody2d = { shape, position, rotation: turned, velocity: translation, angularVelocity: rotation }
    const pose = (fraction: number) => poseAt(mover, picture.origin, fraction)
    const until = hits.at(-1)?.fraction ?? 1
    const moves = isMoving(mover)
    addCourse(picture, { body: mover, until, ghost: 'a-ghost', path: 'path' })
    if (hits.length === 1 && hits[0].exit !== null && moves) {
      addBody(picture, mover, 'a-exit', { pose: pose(hits[0].exit.fraction), aside: true })
      addKey(picture, 'a-exit', 'where they part')
    }
    addRest(picture, mover, until)
    addProbe(picture, question, { role: moves && until > 0 ? 'a-start' : 'a' })
    const stops = hits.length === 0 ? [1] : [...new Set(hits.map(({ fraction }) => fraction))]
    for (const fraction of stops.slice(0, Math.min(MOST_POSES, mostGhosts(shape)))) {
      if (fraction > 0 && moves) addBody(picture, mover, 'a-then', { pose: pose(fraction) })
    }
    picture.heading = headingOf(probeName(request), hits, tally.hits.count)
    if (moves && until > 0) addKey(picture, 'a-then', hits.length === 0 ? 'at the end' : 'at the hit')
    if (hits.length > 0) addKey(picture, 'met', 'hit')
    hits.forEach((hit, i) => {
      const { id, distance, fraction, point, normal, feature } = hit
      const isTold = i < MOST_LABELS
      if (point !== null) {
        addMeeting(picture, {
          point,
          normal: isTold ? normal : null,
          text: isTold ? quantity(distance) : '',
          meaning: 'normal of what is hit',
        })
      }
      const what = feature === null ? '' : `, ${featureText(feature)}`
      picture.legend.push(
        `${shortName(id)}${what}: hit at distance ${quantity(distance)}, fraction ${quantity(fraction)}${endOf(hit)}`,
      )
    })
    tellTruncated(picture, answer)
    return picture
  },
}

function headingOf(name: string, [first]: readonly SceneCastHit[], count: number): string {
  if (first === undefined) return `${name} hits nothing on its way.`
  if (count > 1) return `${name} hits ${counted(count, 'body', 'bodies')} on its way.`
  if (first.startedInside) return `${name} meets ${shortName(first.id)} where it starts.`
  return `${name} hits ${shortName(first.id)} after ${quantity(first.distance)}.`
}

function endOf({ exit, status }: SceneCastHit): string {
  const parts = exit === null ? '' : `; they part at fraction ${quantity(exit.fraction)}`
  return status === 'converged' ? parts : `${parts}; the search was cut short`
}

/** The direction of the cast, and the part of it after the last hit. */
function addRest(picture: Picture, mover: MovingBody2d, until: number): void {
  const { x, y } = mover.velocity ?? { x: 0, y: 0 }
  const direction = unit({ x, y })
  if (direction === null) return
  const start = middleOf(mover, picture.origin)
  const at = (fraction: number) => ({ x: start.x + x * fraction, y: start.y + y * fraction })
  picture.arrows.push({ form: 'direction', tail: start, direction, role: 'motion' })
  if (until < 1) picture.strokes.push({ form: 'polyline', points: [at(until), at(1)], role: 'path-a', aside: true })
}

/** Maximum number of impacts with paths, and with numbers. */
const MOST_WAYS = 20

export const timeOfImpactDrawing: SceneDrawing<'time-of-impact'> = {
  *involved(_request, { impacts }) {
    for (const { a, b } of impacts) {
      yield [a, 'met']
      yield [b, 'met']
    }
  },
  draw({ request, answer, tally, bodies }) {
    const { impacts } = answer
    const [first] = impacts
    const picture = createPictureAt(first?.pointA ?? bodies.get(first?.a)?.body?.position ?? { x: 0, y: 0 })
    const drawn = impacts.slice(0, MOST_WAYS)
    for (const [id, until] of latest(drawn)) addWay(picture, bodies.get(id), until)
    for (const { a, b, time } of drawn) for (const id of [a, b]) addAt(picture, bodies.get(id), time)
    impacts.forEach(({ a, b, time, normal, pointA, exitTime }, i) => {
      const isTold = i < MOST_LABELS
      const text = isTold ? `t = ${quantity(time)}` : ''
      if (pointA !== null) {
        addMeeting(picture, {
          point: pointA,
          normal: isTold ? normal : null,
          text,
          meaning: 'normal, from the first to the second',
        })
      }
      const parts = exitTime === null ? '' : `, they part at ${quantity(exitTime)}`
      picture.legend.push(`${shortName(a)} and ${shortName(b)}: t = ${quantity(time)}${parts}`)
    })
    const { count } = tally.impacts
    const within = `within ${quantity(request.duration)} s`
    picture.heading =
      count === 0 ? `Nothing meets anything on its way ${within}.` : `${counted(count, 'impact')} ${within}.`
    if (count > 0) addKey(picture, 'met', 'meets another')
    if (count > drawn.length) picture.details.push(`The ways to the first ${drawn.length} of them are drawn.`)
    tellTruncated(picture, answer)
    return picture
  },
}

/** The time until which each body is followed. */
function latest(impacts: readonly SceneImpact[]): Map<string, number> {
  const until = new Map<string, number>()
  for (const { a, b, time } of impacts) {
    for (const id of [a, b]) until.set(id, Math.max(until.get(id) ?? 0, time))
  }
  return until
}

function addWay(picture: Picture, known: KnownBody | undefined, until: number): void {
  const body = known?.body ?? null
  if (body === null || !isMoving(body) || !(until > 0)) return
  addCourse(picture, { body, until, ghost: 'a-ghost', path: 'path' })
  addKey(picture, 'a-ghost', 'on the way')
}

function addAt(picture: Picture, known: KnownBody | undefined, time: number): void {
  const body = known?.body ?? null
  if (body === null || !isMoving(body) || !(time > 0)) return
  addBody(picture, body, 'a-then', { pose: poseAt(body, picture.origin, time) })
  addKey(picture, 'a-then', 'at the impact')
}

// The path of a body that bounces off the bodies of a scene.

/** Maximum number of bounces in the legend. */
const MOST_TIMES = 11
const MOST_BOUNCE_POSES = 40

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
    const ghosts = Math.min(MOST_BOUNCE_POSES, mostGhosts(body.shape))
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

/** Positions at the start and at each bounce. */
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

/** Moving bodies at the moment they are hit. */
function addStruck(picture: Picture, bounces: readonly SceneBounce[], bodies: ReadonlyMap<string, KnownBody>): void {
  for (const { id, time } of bounces.slice(0, MOST_NUMBERS)) {
    const body = bodies.get(id)?.body ?? null
    if (body === null || !isMoving(body)) continue
    addBody(picture, body, 'target-ghost', { pose: poseAt(body, picture.origin, time) })
    addKey(picture, 'target-ghost', 'moving body when hit')
  }
}
