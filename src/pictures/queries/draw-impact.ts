// Bodies in motion: time of impact and shape casts, in the plane and in space.

import type {
  CastHit,
  ShapeCast3dRequest,
  ShapeCast3dResponse,
  ShapeCastRequest,
  ShapeCastResponse,
} from '../../../schemas/queries/shape-cast.ts'
import type {
  TimeOfImpact3dRequest,
  TimeOfImpact3dResponse,
  TimeOfImpactRequest,
  TimeOfImpactResponse,
} from '../../../schemas/queries/time-of-impact.ts'
import type { Shape2d } from '../../../schemas/shapes2d.ts'
import type { Shape3d } from '../../../schemas/shapes3d.ts'
import type { Want } from '../../core/want.ts'
import { addKey, counted, type Picture, quantity } from '../picture.ts'
import { type View, ZERO } from '../stand.ts'
import { type Canvas, planeCanvas, spaceCanvas } from './canvas.ts'
import { mostGhosts } from './ghosts.ts'

export const impactDrawers = { 'time-of-impact': drawTimeOfImpact, 'shape-cast': drawShapeCast }
export const impactDrawers3d = { 'time-of-impact': drawTimeOfImpact3d, 'shape-cast': drawShapeCast3d }

const LOOKS = {
  a: { still: 'a', start: 'a-start', later: 'a-then', ghost: 'a-ghost', path: 'path-a', exit: 'a-exit' },
  b: { still: 'b', start: 'b-start', later: 'b-then', ghost: 'b-ghost', path: 'path-b', exit: 'b-exit' },
} as const
const ROLES = ['a', 'b'] as const

function drawTimeOfImpact(request: TimeOfImpactRequest, answer: TimeOfImpactResponse): Picture {
  return drawImpact(planeCanvas([request.a, request.b]), request, answer)
}

function drawTimeOfImpact3d(request: TimeOfImpact3dRequest, answer: TimeOfImpact3dResponse, view: View): Picture {
  return drawImpact(spaceCanvas([request.a, request.b], view), request, answer)
}

type Times = Pick<TimeOfImpactResponse, 'hit' | 'time' | 'exitTime' | 'startedOverlapping' | 'status'>

function drawImpact<Vector, Body>(
  canvas: Canvas<Vector, Body, never>,
  request: { a: Body; b: Body; duration: number; want?: Want },
  answer: Times & { normal: Vector | null; pointA: Vector | null; pointB: Vector | null },
): Picture {
  const { a, b, duration, want = 'exit' } = request
  const { time, normal, pointA, pointB, exitTime } = answer
  const { picture } = canvas
  const shown = time ?? canvas.shownTime([a, b], duration)
  // Later marks cover earlier ones: the final poses matter most.
  for (const role of ROLES) {
    const { ghost, path } = LOOKS[role]
    canvas.addCourse({ ghost, path, body: request[role], until: shown })
  }
  for (const role of ROLES) addPoses(canvas, request[role], role, shown, exitTime)
  const moves = [a, b].some(canvas.isMoving)
  tellImpact(picture, { duration, shown, moves, mover: canvas.isMoving(a) ? 'a' : 'b', want }, answer)
  if (pointA === null || pointB === null) return canvas.finish()
  canvas.addDirection(pointA, normal, 'normal')
  if (normal !== null) addKey(picture, 'normal', 'normal, from A to B')
  for (const point of [pointA, pointB]) canvas.addDot(point, 'point')
  canvas.addLabel(pointA, `t = ${quantity(time as number)}`)
  picture.legend.push(`Contact at ${canvas.vectorText(pointA)}`)
  return canvas.finish()
}

/** The part of the motion that is drawn. */
interface ShownMotion {
  duration: number
  shown: number
  moves: boolean
  /** The body whose looks stand for both in the key. */
  mover: 'a' | 'b'
  want: Want
}

/** The heading, details and key of an impact. */
function tellImpact(
  picture: Picture,
  { duration, shown, moves, mover, want }: ShownMotion,
  { hit, time, exitTime, startedOverlapping, status }: Times,
): void {
  picture.heading = !hit
    ? `A and B do not meet within ${quantity(duration)} s.`
    : startedOverlapping
      ? 'A and B meet at the start.'
      : `A and B meet after ${quantity(time as number)} s.`
  if (exitTime !== null) picture.details.push(`They part again at t = ${quantity(exitTime)}.`)
  else if (hit && moves && want === 'exit')
    picture.details.push(`They do not part again within ${quantity(duration)} s.`)
  if (shown < duration && !hit) picture.details.push(`Only the first ${quantity(shown)} s are shown.`)
  if (status === 'iteration-limit') picture.details.push('The search was cut short: an impact may follow.')
  const key = LOOKS[mover]
  if (moves && shown > 0) addKey(picture, key.later, hit ? 'at the impact' : 'at the end')
  if (moves && shown > 0) addKey(picture, key.ghost, 'on the way')
  if (exitTime !== null && moves) addKey(picture, key.exit, 'where they part')
}

/** The body at the start, at `time`, and where the two bodies part. */
function addPoses<Body>(
  canvas: Canvas<unknown, Body, never>,
  body: Body,
  role: 'a' | 'b',
  time: number,
  exitTime: number | null,
): void {
  const looks = LOOKS[role]
  const isMover = canvas.isMoving(body)
  if (exitTime !== null && isMover) canvas.addBody(body, looks.exit, { at: exitTime })
  const moves = time > 0 && isMover
  canvas.addBody(body, moves ? looks.start : looks.still, { name: role.toUpperCase() })
  if (moves) canvas.addBody(body, looks.later, { at: time })
}

function drawShapeCast(request: ShapeCastRequest, { hits }: ShapeCastResponse): Picture {
  const { body, translation, rotation = 0, targets } = request
  const mover = { ...body, velocity: translation, angularVelocity: rotation }
  return drawCast(planeCanvas([body, ...targets]), mover, targets, hits)
}

function drawShapeCast3d(request: ShapeCast3dRequest, { hits }: ShapeCast3dResponse, view: View): Picture {
  const { body, translation, rotation = ZERO, targets } = request
  const mover = { ...body, velocity: translation, angularVelocity: rotation }
  return drawCast(spaceCanvas([body, ...targets], view), mover, targets, hits)
}

type Hit<Vector, Feature> = Omit<CastHit, 'point' | 'normal' | 'feature'> & {
  point: Vector | null
  normal: Vector | null
  feature: Feature | null
}

/** `mover`: the body, moving by the whole cast in one second. */
function drawCast<Vector, Body extends { shape: Shape2d | Shape3d }, Feature>(
  canvas: Canvas<Vector, Body, Feature>,
  mover: Body,
  targets: readonly Body[],
  hits: readonly Hit<Vector, Feature>[],
): Picture {
  const { picture } = canvas
  const struck = new Set(hits.map(({ target }) => target))
  targets.forEach((target, i) => {
    canvas.addBody(target, struck.has(i) ? 'target-hit' : 'target', { name: `${i}` })
  })
  const last = hits.at(-1)
  const shown = last === undefined ? canvas.shownTime([mover, ...targets], 1) : last.fraction
  canvas.addCourse({ body: mover, until: shown, ghost: 'a-ghost', path: 'path-a' })
  const moves = canvas.isMoving(mover)
  const [only] = hits
  if (hits.length === 1 && only.exit !== null && moves) {
    canvas.addBody(mover, 'a-exit', { at: only.exit.fraction })
    addKey(picture, 'a-exit', 'where they part')
  }
  canvas.addBody(mover, moves && shown > 0 ? 'a-start' : 'a', { name: 'start' })
  const stops = hits.length === 0 ? [shown] : hits.map(({ fraction }) => fraction)
  for (const fraction of [...new Set(stops)].slice(0, mostGhosts(mover.shape))) {
    if (fraction > 0 && moves) canvas.addBody(mover, 'a-then', { at: fraction })
  }
  picture.heading = castHeading(hits, targets.length)
  if (shown < 1 && hits.length === 0) picture.details.push('Only the first part of its way is shown.')
  if (moves && shown > 0) addKey(picture, 'a-then', hits.length === 0 ? 'at the end' : 'at the hit')
  if (hits.length > 0) addKey(picture, 'target-hit', 'hit')
  for (const hit of hits) addCastHit(canvas, hit)
  return canvas.finish()
}

function castHeading(hits: readonly Hit<unknown, unknown>[], targets: number): string {
  const [first] = hits
  if (targets === 0) return 'There is nothing that the body could hit.'
  if (first === undefined) return `The body hits none of ${counted(targets, 'target')}.`
  if (hits.length > 1) return `The body hits ${counted(hits.length, 'target')} of ${targets}.`
  if (first.startedInside) return `The body meets target ${first.target} where it starts.`
  return `The body hits target ${first.target} after ${quantity(first.distance)}.`
}

function addCastHit<Vector, Feature>(canvas: Canvas<Vector, never, Feature>, hit: Hit<Vector, Feature>): void {
  const { target, distance, fraction, point, normal, feature, exit, status } = hit
  const { picture } = canvas
  if (point !== null) {
    canvas.addDirection(point, normal, 'normal')
    if (normal !== null) addKey(picture, 'normal', 'normal of the target')
    canvas.addDot(point, 'point')
    canvas.addLabel(point, quantity(distance))
  }
  const what = feature === null ? '' : `, ${canvas.featureText(feature)}`
  const parts = exit === null ? '' : `; they part at fraction ${quantity(exit.fraction)}`
  const doubt = status === 'converged' ? '' : '; the search was cut short'
  picture.legend.push(
    `Target ${target}${what}: hit at distance ${quantity(distance)}, fraction ${quantity(fraction)}${parts}${doubt}`,
  )
}
