// A body on its way through a scene that stands still.

import type { SceneCastHit } from '../../../schemas/scenes/shape-cast.ts'
import type { SceneImpact } from '../../../schemas/scenes/time-of-impact.ts'
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import {
  addBody,
  addKey,
  counted,
  createPictureAt,
  featureText,
  type Picture,
  quantity,
  shortName,
} from '../marks/picture.ts'
import { poseAt, unit } from '../marks/pose.ts'
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
/** Poses at hits that are drawn. */
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
      addMeeting(picture, {
        point,
        normal: isTold ? normal : null,
        text: isTold ? quantity(distance) : '',
        meaning: 'normal of what is hit',
      })
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

/** Which way it goes, and what is left of it after the last hit. */
function addRest(picture: Picture, mover: MovingBody2d, until: number): void {
  const { x, y } = mover.velocity ?? { x: 0, y: 0 }
  const direction = unit({ x, y })
  if (direction === null) return
  const start = middleOf(mover, picture.origin)
  const at = (fraction: number) => ({ x: start.x + x * fraction, y: start.y + y * fraction })
  picture.arrows.push({ form: 'direction', tail: start, direction, role: 'motion' })
  if (until < 1) picture.strokes.push({ form: 'polyline', points: [at(until), at(1)], role: 'path-a', aside: true })
}

// The moving bodies of a scene, and when they first touch others.

/** Impacts that are drawn with the ways to them, and with numbers. */
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
    const picture = createPictureAt(impacts[0]?.pointA ?? { x: 0, y: 0 })
    const drawn = impacts.slice(0, MOST_WAYS)
    for (const [id, until] of latest(drawn)) addWay(picture, bodies.get(id), until)
    for (const { a, b, time } of drawn) for (const id of [a, b]) addAt(picture, bodies.get(id), time)
    impacts.forEach(({ a, b, time, normal, pointA, exitTime }, i) => {
      const isTold = i < MOST_LABELS
      const text = isTold ? `t = ${quantity(time)}` : ''
      addMeeting(picture, {
        point: pointA,
        normal: isTold ? normal : null,
        text,
        meaning: 'normal, from the first to the second',
      })
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

/** Until when each body is followed. */
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
