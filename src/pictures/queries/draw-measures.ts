// What is measured of one body: bounds, support, mass.

import type { BoundsRequest, BoundsResponse } from '../../../schemas/queries/bounds.ts'
import type { MassRequest, MassResponse } from '../../../schemas/queries/mass.ts'
import type { SupportRequest, SupportResponse } from '../../../schemas/queries/support.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { boxCentre, isEmpty, partsBox } from '../marks/outline.ts'
import {
  addBody,
  addDot,
  addKey,
  addLabel,
  createPicture,
  featureText,
  type Picture,
  quantity,
  vectorText,
} from '../marks/picture.ts'
import { from, poseAt, poseOf, unit } from '../marks/pose.ts'
import { addCourse, isMoving } from './ghosts.ts'

export function drawBounds({ body, duration = 0 }: BoundsRequest, { min, max }: BoundsResponse): Picture {
  const picture = createPicture([body])
  const moves = duration > 0 && isMoving(body)
  if (moves) {
    addCourse(picture, { body, until: duration, ghost: 'a-ghost', path: 'path-a' })
    addBody(picture, body, 'a-then', { pose: poseAt(body, picture.origin, duration) })
    addKey(picture, 'a', 'at the start')
    addKey(picture, 'a-then', 'at the end')
  }
  addBody(picture, body, 'a')
  const { x, y } = picture.origin
  const near = (value: number | null, origin: number) => (value === null ? null : value - origin)
  const [left, right, low, high] = [near(min.x, x), near(max.x, x), near(min.y, y), near(max.y, y)]
  for (const level of [left, right]) addSide(picture, 'y', level, low, high)
  for (const level of [low, high]) addSide(picture, 'x', level, left, right)
  if (min.x !== null && min.y !== null) labelCorner(picture, { x: min.x, y: min.y }, { x: -0.6, y: -0.8 })
  if (max.x !== null && max.y !== null) labelCorner(picture, { x: max.x, y: max.y }, { x: 0.6, y: 0.8 })
  picture.heading = `x ${rangeText(min.x, max.x)}; y ${rangeText(min.y, max.y)}.`
  if (moves) picture.details.push(`Over ${quantity(duration)} s of its motion.`)
  addKey(picture, 'box', 'bounds')
  return picture
}

type Bound = number | null

/** One side of the box, along an axis, at a level of the other one; as far as it has ends. */
function addSide(picture: Picture, axis: 'x' | 'y', level: Bound, first: Bound, last: Bound): void {
  if (level === null) return
  const at = (value: number): Vec2 => (axis === 'y' ? { x: level, y: value } : { x: value, y: level })
  if (first !== null && last !== null) {
    picture.strokes.push({ form: 'polyline', points: [at(first), at(last)], role: 'box' })
    return
  }
  const step = first === null ? -1 : 1
  const direction = axis === 'y' ? { x: 0, y: step } : { x: step, y: 0 }
  const through = at(first ?? last ?? 0)
  picture.strokes.push({ form: first === null && last === null ? 'line' : 'ray', through, direction, role: 'box' })
}

function labelCorner(picture: Picture, corner: Vec2, toward: Vec2): void {
  addDot(picture, corner, 'corner')
  addLabel(picture, corner, vectorText(corner), toward)
}

export function rangeText(low: number | null, high: number | null): string {
  if (low !== null && high !== null) return `from ${quantity(low)} to ${quantity(high)}`
  if (low !== null) return `from ${quantity(low)} on`
  return high === null ? 'without bounds' : `up to ${quantity(high)}`
}

export function drawSupport({ body, direction }: SupportRequest, { point, feature }: SupportResponse): Picture {
  const picture = createPicture([body])
  const mark = addBody(picture, body, 'a')
  const normal = unit(direction) ?? { x: 1, y: 0 }
  if (point === null) {
    const box = partsBox(mark.parts)
    const tail = isEmpty(box) ? poseOf(body, picture.origin) : boxCentre(box)
    picture.arrows.push({ form: 'direction', tail, direction: normal, role: 'direction' })
    picture.heading = `Along ${vectorText(direction)} the body has no end.`
    addKey(picture, 'direction', 'direction')
    return picture
  }
  const through = from(picture.origin, point)
  picture.strokes.push({ form: 'line', through, direction: { x: -normal.y, y: normal.x }, role: 'support' })
  picture.arrows.push({ form: 'direction', tail: through, direction: normal, role: 'direction' })
  addDot(picture, point, 'point')
  addLabel(picture, point, vectorText(point))
  picture.heading = `The farthest point along ${vectorText(direction)} is ${vectorText(point)}.`
  if (feature !== null) picture.details.push(`It belongs to ${featureText(feature)}.`)
  addKey(picture, 'direction', 'direction')
  addKey(picture, 'support', 'all of the body lies behind this line')
  return picture
}

export function drawMass({ shape }: MassRequest, { area, mass, centroid, inertia }: MassResponse): Picture {
  const picture = createPicture([{ shape }])
  addBody(picture, { shape }, 'a')
  const gyration = mass > 0 ? Math.sqrt(inertia / mass) : 0
  if (gyration > 0 && Number.isFinite(gyration)) {
    addBody(picture, { shape: { type: 'circle', radius: gyration }, position: centroid }, 'gyration')
    addKey(picture, 'centroid', 'centroid')
    addKey(picture, 'gyration', `radius of gyration, ${quantity(gyration)}`)
  }
  addDot(picture, centroid, 'centroid')
  addLabel(picture, centroid, vectorText(centroid))
  picture.heading = `Area ${quantity(area)}, mass ${quantity(mass)}, inertia ${quantity(inertia)}.`
  picture.details.push(`The centroid is ${vectorText(centroid)}.`)
  return picture
}
