// Bodies on their way in space: time of impact and shape casts.

import type { CastHit3d, ShapeCast3dRequest, ShapeCast3dResponse } from '../../../schemas/queries/shape-cast.ts'
import type { TimeOfImpact3dRequest, TimeOfImpact3dResponse } from '../../../schemas/queries/time-of-impact.ts'
import type { MovingBody3d } from '../../../schemas/shapes3d.ts'
import { addKey, featureText3d, type Picture, quantity, vectorText3d } from '../marks/picture.ts'
import {
  addBody3d,
  addDirection3d,
  addDot3d,
  addLabel3d,
  createPictureOfSpace,
  finished,
  type PictureOfSpace,
} from '../marks/picture-of-space.ts'
import { standAt, type View, ZERO } from '../marks/stand.ts'
import { castHeading, LOOKS, tellCastHit, tellImpact } from './draw-impact.ts'
import { mostGhosts } from './ghosts.ts'
import { addCourse3d, isMoving3d, shownTime3d } from './ghosts-3d.ts'

export function drawTimeOfImpact3d(
  request: TimeOfImpact3dRequest,
  answer: TimeOfImpact3dResponse,
  view: View,
): Picture {
  const { a, b, duration } = request
  const { time, normal, pointA, pointB, exitTime } = answer
  const space = createPictureOfSpace([a, b], view)
  const { picture } = space
  const shown = time ?? shownTime3d(space, [a, b], duration)
  // What comes last is drawn on top: where they are at the end matters most.
  for (const role of ['a', 'b'] as const) {
    const { ghost, path } = LOOKS[role]
    addCourse3d(space, { ghost, path, body: request[role], until: shown })
  }
  for (const role of ['a', 'b'] as const) addPoses(space, request[role], role, shown, exitTime)
  const moves = [a, b].some(isMoving3d)
  tellImpact(picture, { duration, shown, moves, mover: isMoving3d(a) ? 'a' : 'b' }, answer)
  if (pointA === null || pointB === null) return finished(space)
  addDirection3d(space, pointA, normal, 'normal')
  if (normal !== null) addKey(picture, 'normal', 'normal, from A to B')
  for (const point of [pointA, pointB]) addDot3d(space, point, 'point')
  addLabel3d(space, pointA, `t = ${quantity(time as number)}`)
  picture.legend.push(`Contact at ${vectorText3d(pointA)}`)
  return finished(space)
}

/** Where it starts, where it is then, and where the two part. */
function addPoses(
  space: PictureOfSpace,
  body: MovingBody3d,
  role: 'a' | 'b',
  time: number,
  exitTime: number | null,
): void {
  const looks = LOOKS[role]
  const name = role.toUpperCase()
  const { origin } = space
  const isMover = isMoving3d(body)
  if (exitTime !== null && isMover) addBody3d(space, body, looks.exit, { stand: standAt(body, origin, exitTime) })
  const moves = time > 0 && isMover
  addBody3d(space, body, moves ? looks.start : looks.still, { name })
  if (moves) addBody3d(space, body, looks.later, { stand: standAt(body, origin, time) })
}

export function drawShapeCast3d(request: ShapeCast3dRequest, { hits }: ShapeCast3dResponse, view: View): Picture {
  const { body, translation, rotation = ZERO, targets } = request
  const space = createPictureOfSpace([body, ...targets], view)
  const { picture, origin } = space
  const mover: MovingBody3d = { ...body, velocity: translation, angularVelocity: rotation }
  const struck = new Set(hits.map(({ target }) => target))
  targets.forEach((target, i) => {
    addBody3d(space, target, struck.has(i) ? 'target-hit' : 'target', { name: `${i}` })
  })
  const last = hits.at(-1)
  const shown = last === undefined ? shownTime3d(space, [mover, ...targets], 1) : last.fraction
  addCourse3d(space, { body: mover, until: shown, ghost: 'a-ghost', path: 'path-a' })
  const moves = isMoving3d(mover)
  const [only] = hits
  if (hits.length === 1 && only.exit !== null && moves) {
    addBody3d(space, mover, 'a-exit', { stand: standAt(mover, origin, only.exit.fraction) })
    addKey(picture, 'a-exit', 'where they part')
  }
  addBody3d(space, mover, moves && shown > 0 ? 'a-start' : 'a', { name: 'start' })
  const stops = hits.length === 0 ? [shown] : hits.map(({ fraction }) => fraction)
  for (const fraction of [...new Set(stops)].slice(0, mostGhosts(body.shape))) {
    if (fraction > 0 && moves) addBody3d(space, mover, 'a-then', { stand: standAt(mover, origin, fraction) })
  }
  picture.heading = castHeading(hits, targets.length)
  if (shown < 1 && hits.length === 0) picture.details.push('Only the first part of its way is shown.')
  if (moves && shown > 0) addKey(picture, 'a-then', hits.length === 0 ? 'at the end' : 'at the hit')
  if (hits.length > 0) addKey(picture, 'target-hit', 'hit')
  for (const hit of hits) addCastHit(space, hit)
  return finished(space)
}

function addCastHit(space: PictureOfSpace, hit: CastHit3d): void {
  const { distance, point, normal, feature } = hit
  addDirection3d(space, point, normal, 'normal')
  if (normal !== null) addKey(space.picture, 'normal', 'normal of the target')
  addDot3d(space, point, 'point')
  addLabel3d(space, point, quantity(distance))
  tellCastHit(space.picture, hit, feature === null ? '' : `, ${featureText3d(feature)}`)
}
