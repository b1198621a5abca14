// Bodies on their way: time of impact and shape casts.

import type { CastHit, ShapeCastRequest, ShapeCastResponse } from '../../../schemas/queries/shape-cast.ts'
import type { TimeOfImpactRequest, TimeOfImpactResponse } from '../../../schemas/queries/time-of-impact.ts'
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import {
  addBody,
  addDirection,
  addDot,
  addKey,
  addLabel,
  counted,
  createPicture,
  featureText,
  type Picture,
  quantity,
  vectorText,
} from '../marks/picture.ts'
import { poseAt } from '../marks/pose.ts'
import { addCourse, isMoving, mostGhosts, shownTime } from './ghosts.ts'

export const LOOKS = {
  a: { still: 'a', start: 'a-start', later: 'a-then', ghost: 'a-ghost', path: 'path-a', exit: 'a-exit' },
  b: { still: 'b', start: 'b-start', later: 'b-then', ghost: 'b-ghost', path: 'path-b', exit: 'b-exit' },
} as const

export function drawTimeOfImpact(request: TimeOfImpactRequest, answer: TimeOfImpactResponse): Picture {
  const { a, b, duration } = request
  const { time, normal, pointA, pointB, exitTime } = answer
  const picture = createPicture([a, b])
  const shown = time ?? shownTime(picture, [a, b], duration)
  // What comes last is drawn on top: where they are at the end matters most.
  for (const role of ['a', 'b'] as const) addCourse(picture, { ...course(role), body: request[role], until: shown })
  for (const role of ['a', 'b'] as const) addPoses(picture, request[role], role, shown, exitTime)
  const moves = [a, b].some(isMoving)
  tellImpact(picture, { duration, shown, moves, mover: isMoving(a) ? 'a' : 'b' }, answer)
  if (pointA === null || pointB === null) return picture
  addDirection(picture, pointA, normal, 'normal')
  if (normal !== null) addKey(picture, 'normal', 'normal, from A to B')
  for (const point of [pointA, pointB]) addDot(picture, point, 'point')
  addLabel(picture, pointA, `t = ${quantity(time as number)}`)
  picture.legend.push(`Contact at ${vectorText(pointA)}`)
  return picture
}

/** What is seen of the motion. */
export interface ShownMotion {
  duration: number
  shown: number
  moves: boolean
  /** Whose looks stand for both in the key. */
  mover: 'a' | 'b'
}

/** The heading, details and key of an impact, in the plane or in space. */
export function tellImpact(
  picture: Picture,
  { duration, shown, moves, mover }: ShownMotion,
  { hit, time, exitTime, startedOverlapping, status }: ImpactTimes,
): void {
  picture.heading = hit ? impactHeading(time as number, startedOverlapping) : noImpact(duration)
  if (exitTime !== null) picture.details.push(`They part again at t = ${quantity(exitTime)}.`)
  else if (hit && moves) picture.details.push(`They do not part again within ${quantity(duration)} s.`)
  if (shown < duration && !hit) picture.details.push(`Only the first ${quantity(shown)} s are shown.`)
  if (status === 'iteration-limit') picture.details.push('The search was cut short: an impact may follow.')
  const key = LOOKS[mover]
  if (moves && shown > 0) addKey(picture, key.later, hit ? 'at the impact' : 'at the end')
  if (moves && shown > 0) addKey(picture, key.ghost, 'on the way')
  if (exitTime !== null && moves) addKey(picture, key.exit, 'where they part')
}

type ImpactTimes = Pick<TimeOfImpactResponse, 'hit' | 'time' | 'exitTime' | 'startedOverlapping' | 'status'>

function course(role: 'a' | 'b') {
  const { ghost, path } = LOOKS[role]
  return { ghost, path }
}

function impactHeading(time: number, startedOverlapping: boolean): string {
  return startedOverlapping ? 'A and B meet at the start.' : `A and B meet after ${quantity(time)} s.`
}

function noImpact(duration: number): string {
  return `A and B do not meet within ${quantity(duration)} s.`
}

/** Where it starts, where it is then, and where the two part. */
function addPoses(picture: Picture, body: MovingBody2d, role: 'a' | 'b', time: number, exitTime: number | null): void {
  const looks = LOOKS[role]
  const name = role.toUpperCase()
  const { origin } = picture
  if (exitTime !== null && isMoving(body)) addBody(picture, body, looks.exit, { pose: poseAt(body, origin, exitTime) })
  const moves = time > 0 && isMoving(body)
  addBody(picture, body, moves ? looks.start : looks.still, { name })
  if (moves) addBody(picture, body, looks.later, { pose: poseAt(body, origin, time) })
}

export function drawShapeCast(request: ShapeCastRequest, { hits }: ShapeCastResponse): Picture {
  const { body, translation, rotation = 0, targets } = request
  const picture = createPicture([body, ...targets])
  const mover: MovingBody2d = { ...body, velocity: translation, angularVelocity: rotation }
  const struck = new Set(hits.map(({ target }) => target))
  targets.forEach((target, i) => {
    addBody(picture, target, struck.has(i) ? 'target-hit' : 'target', { name: `${i}` })
  })
  const last = hits.at(-1)
  const shown = last === undefined ? shownTime(picture, [mover, ...targets], 1) : last.fraction
  addCourse(picture, { body: mover, until: shown, ghost: 'a-ghost', path: 'path-a' })
  const moves = isMoving(mover)
  const pose = (fraction: number) => poseAt(mover, picture.origin, fraction)
  const [only] = hits
  if (hits.length === 1 && only.exit !== null && moves) {
    addBody(picture, mover, 'a-exit', { pose: pose(only.exit.fraction) })
    addKey(picture, 'a-exit', 'where they part')
  }
  addBody(picture, mover, moves && shown > 0 ? 'a-start' : 'a', { name: 'start' })
  const stops = hits.length === 0 ? [shown] : hits.map(({ fraction }) => fraction)
  for (const fraction of [...new Set(stops)].slice(0, mostGhosts(body.shape))) {
    if (fraction > 0 && moves) addBody(picture, mover, 'a-then', { pose: pose(fraction) })
  }
  picture.heading = castHeading(hits, targets.length)
  if (shown < 1 && hits.length === 0) picture.details.push('Only the first part of its way is shown.')
  if (moves && shown > 0) addKey(picture, 'a-then', hits.length === 0 ? 'at the end' : 'at the hit')
  if (hits.length > 0) addKey(picture, 'target-hit', 'hit')
  for (const hit of hits) addCastHit(picture, hit)
  return picture
}

export function castHeading(hits: readonly HitTarget[], targets: number): string {
  const [first] = hits
  if (targets === 0) return 'There is nothing that the body could hit.'
  if (first === undefined) return `The body hits none of ${counted(targets, 'target')}.`
  if (hits.length > 1) return `The body hits ${counted(hits.length, 'target')} of ${targets}.`
  if (first.startedInside) return `The body meets target ${first.target} where it starts.`
  return `The body hits target ${first.target} after ${quantity(first.distance)}.`
}

type HitTarget = Pick<CastHit, 'target' | 'distance' | 'startedInside'>

function addCastHit(picture: Picture, hit: CastHit): void {
  const { distance, point, normal, feature } = hit
  addDirection(picture, point, normal, 'normal')
  if (normal !== null) addKey(picture, 'normal', 'normal of the target')
  addDot(picture, point, 'point')
  addLabel(picture, point, quantity(distance))
  tellCastHit(picture, hit, feature === null ? '' : `, ${featureText(feature)}`)
}

/** `what`: the feature that was hit, behind a comma. */
export function tellCastHit(picture: Picture, hit: Omit<CastHit, 'feature' | 'point' | 'normal'>, what: string): void {
  const { target, distance, fraction, exit, status } = hit
  const parts = exit === null ? '' : `; they part at fraction ${quantity(exit.fraction)}`
  const doubt = status === 'converged' ? '' : '; the search was cut short'
  picture.legend.push(
    `Target ${target}${what}: hit at distance ${quantity(distance)}, fraction ${quantity(fraction)}${parts}${doubt}`,
  )
}
