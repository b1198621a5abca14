// Shape casts, times of impact and trajectories in a scene.

import type { SceneCastHit } from '../../../schemas/scenes/shape-cast.ts'
import type { SceneImpact } from '../../../schemas/scenes/time-of-impact.ts'
import type { SceneBounce } from '../../../schemas/scenes/trajectory.ts'
import { addKey, counted, quantity, shortName } from '../picture.ts'
import { MOST_NORMALS, MOST_NUMBERS } from '../queries/draw-trajectory.ts'
import {
  addMeeting,
  addProbe,
  type KnownBody,
  openAtProbe,
  ownInvolved,
  probeBody,
  probeName,
  type SceneDrawing,
  tellTruncated,
} from './question.ts'
import type { Body, Either, SceneCanvas, Vector } from './scene-canvas.ts'

const MOST_LABELS = 40
/** Maximum number of poses drawn at hits. */
const MOST_POSES = 24

export const shapeCastDrawing: SceneDrawing<'shape-cast'> = {
  *involved(request, { hits }) {
    for (const { id } of hits) yield [id, 'met']
    yield* ownInvolved(request)
  },
  draw(question, open) {
    const { request, answer, tally } = question
    const { translation, rotation } = request
    const { hits } = answer
    const canvas = openAtProbe(question, open)
    const { picture } = canvas
    const mover = canvas.moving(probeBody(question), translation, rotation)
    const until = hits.at(-1)?.fraction ?? 1
    const moves = canvas.isMoving(mover)
    canvas.addCourse({ body: mover, until, ghost: 'a-ghost', path: 'path' })
    if (hits.length === 1 && hits[0].exit !== null && moves) {
      canvas.addBody(mover, 'a-exit', { at: hits[0].exit.fraction, aside: true })
      addKey(picture, 'a-exit', 'where they part')
    }
    addRest(canvas, mover, translation, until)
    addProbe(canvas, question, moves && until > 0 ? 'a-start' : 'a')
    const stops = hits.length === 0 ? [1] : [...new Set(hits.map(({ fraction }) => fraction))]
    for (const fraction of stops.slice(0, Math.min(MOST_POSES, canvas.mostGhosts(mover)))) {
      if (fraction > 0 && moves) canvas.addBody(mover, 'a-then', { at: fraction })
    }
    picture.heading = headingOf(probeName(request), hits, tally.hits.count)
    if (moves && until > 0) addKey(picture, 'a-then', hits.length === 0 ? 'at the end' : 'at the hit')
    if (hits.length > 0) addKey(picture, 'met', 'hit')
    hits.forEach((hit, i) => {
      const { id, distance, fraction, point, normal, feature } = hit
      const isTold = i < MOST_LABELS
      if (point !== null) {
        addMeeting(canvas, {
          point,
          normal: isTold ? normal : null,
          text: isTold ? quantity(distance) : '',
          meaning: 'normal of what is hit',
        })
      }
      const what = feature === null ? '' : `, ${canvas.featureText(feature)}`
      picture.legend.push(
        `${shortName(id)}${what}: hit at distance ${quantity(distance)}, fraction ${quantity(fraction)}${endOf(hit)}`,
      )
    })
    tellTruncated(picture, answer)
    return canvas
  },
}

function headingOf(name: string, [first]: readonly Either<SceneCastHit>[], count: number): string {
  if (first === undefined) return `${name} hits nothing on its way.`
  if (count > 1) return `${name} hits ${counted(count, 'body', 'bodies')} on its way.`
  if (first.startedInside) return `${name} meets ${shortName(first.id)} where it starts.`
  return `${name} hits ${shortName(first.id)} after ${quantity(first.distance)}.`
}

function endOf({ exit, status }: Either<SceneCastHit>): string {
  const parts = exit === null ? '' : `; they part at fraction ${quantity(exit.fraction)}`
  return status === 'converged' ? parts : `${parts}; the search was cut short`
}

/** The direction of the cast, and the part of it after the last hit. */
function addRest(canvas: SceneCanvas, mover: Body, translation: Vector, until: number): void {
  const direction = canvas.unit(translation)
  if (direction === null) return
  const start = canvas.middleOf(mover)
  canvas.addDirection(start, direction, 'motion')
  const at = (fraction: number) => canvas.plus(start, translation, fraction)
  if (until < 1) canvas.addPolyline([at(until), at(1)], 'path-a', true)
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
  draw({ request, answer, tally, bodies }, open) {
    const { impacts } = answer
    const [first] = impacts
    const canvas = openAtProbe(
      { request: { ...(first?.pointA && { point: first.pointA }) }, probe: bodies.get(first?.a) ?? null },
      open,
    )
    const { picture } = canvas
    const drawn = impacts.slice(0, MOST_WAYS)
    for (const [id, until] of latest(drawn)) addWay(canvas, bodies.get(id), until)
    for (const { a, b, time } of drawn) for (const id of [a, b]) addAt(canvas, bodies.get(id), time)
    impacts.forEach(({ a, b, time, normal, pointA, exitTime }, i) => {
      const isTold = i < MOST_LABELS
      const text = isTold ? `t = ${quantity(time)}` : ''
      if (pointA !== null) {
        addMeeting(canvas, {
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
    return canvas
  },
}

/** The time until which each body is followed. */
function latest(impacts: readonly Either<SceneImpact>[]): Map<string, number> {
  const until = new Map<string, number>()
  for (const { a, b, time } of impacts) {
    for (const id of [a, b]) until.set(id, Math.max(until.get(id) ?? 0, time))
  }
  return until
}

function addWay(canvas: SceneCanvas, known: KnownBody | undefined, until: number): void {
  const body = known?.body ?? null
  if (body === null || !canvas.isMoving(body) || !(until > 0)) return
  canvas.addCourse({ body, until, ghost: 'a-ghost', path: 'path' })
  addKey(canvas.picture, 'a-ghost', 'on the way')
}

function addAt(canvas: SceneCanvas, known: KnownBody | undefined, time: number): void {
  const body = known?.body ?? null
  if (body === null || !canvas.isMoving(body) || !(time > 0)) return
  canvas.addBody(body, 'a-then', { at: time })
  addKey(canvas.picture, 'a-then', 'at the impact')
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
  draw(question, open) {
    const { request, answer, tally, bodies } = question
    const { bounces, end, status, truncated } = answer
    const canvas = openAtProbe(question, open)
    const { picture } = canvas
    const body = probeBody(question)
    const { count } = tally.bounces
    const isWhole = bounces.length === count && !truncated
    addStruck(canvas, bounces, bodies)
    const way = bouncePlaces(canvas, canvas.positionOf(body), bounces)
    const ghosts = Math.min(MOST_BOUNCE_POSES, canvas.mostGhosts(body))
    for (const position of way.slice(1, ghosts + 1)) canvas.addBody(canvas.put(body, { position }), 'a-ghost')
    addProbe(canvas, question, 'a-start')
    const shown = isWhole ? [...way, end.position] : way
    canvas.addPolyline(shown, 'path')
    if (isWhole) canvas.addBody(canvas.put(body, { position: end.position }), 'a-then', { name: 'end' })
    canvas.addHeads(shown)
    bounces.forEach(({ point, normal }, i) => {
      if (i < MOST_NORMALS) canvas.addDirection(point, normal, 'normal')
      canvas.addDot(point, 'point')
      if (i < MOST_NUMBERS) canvas.addLabel(point, `${i + 1}`, normal)
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
    return canvas
  },
}

function bouncesText(count: number): string {
  if (count === 0) return 'meets nothing'
  return count === 1 ? 'bounces once' : `bounces ${counted(count, 'time')}`
}

/** Positions at the start and at each bounce. */
function bouncePlaces(canvas: SceneCanvas, start: Vector, bounces: readonly Either<SceneBounce>[]): Vector[] {
  const places = [start]
  let time = 0
  for (const { time: next, velocityBefore } of bounces) {
    places.push(canvas.plus(places[places.length - 1], velocityBefore, next - time))
    time = next
  }
  return places
}

/** Moving bodies at the moment they are hit. */
function addStruck(
  canvas: SceneCanvas,
  bounces: readonly Either<SceneBounce>[],
  bodies: ReadonlyMap<string, KnownBody>,
): void {
  for (const { id, time } of bounces.slice(0, MOST_NUMBERS)) {
    const body = bodies.get(id)?.body ?? null
    if (body === null || !canvas.isMoving(body)) continue
    canvas.addBody(body, 'target-ghost', { at: time })
    addKey(canvas.picture, 'target-ghost', 'moving body when hit')
  }
}
