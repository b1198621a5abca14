// Measures of one body, bounds, support and mass, in the plane and in space.

import type {
  Bounds3dRequest,
  Bounds3dResponse,
  BoundsRequest,
  BoundsResponse,
} from '../../../schemas/queries/bounds.ts'
import type { Mass3dRequest, Mass3dResponse, MassRequest, MassResponse } from '../../../schemas/queries/mass.ts'
import type {
  Support3dRequest,
  Support3dResponse,
  SupportRequest,
  SupportResponse,
} from '../../../schemas/queries/support.ts'
import type { MovingBody3d } from '../../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import { boxCentre, isEmpty, partsBox } from '../outline.ts'
import {
  addBody,
  addDot,
  addKey,
  addLabel,
  createPicture,
  featureText,
  featureText3d,
  type Picture,
  quantity,
  vectorText,
  vectorText3d,
} from '../picture.ts'
import {
  addBody3d,
  addDirection3d,
  addDot3d,
  addLabel3d,
  addLine3d,
  addPolyline3d,
  createPictureOfSpace,
  finished,
  type PictureOfSpace,
} from '../picture-of-space.ts'
import { from, poseAt, poseOf, unit } from '../pose.ts'
import { patchParts } from '../solid-parts.ts'
import { along3d, from3d, isNowhere, measured, standAt, turnedStand, unit3d, type View, ZERO } from '../stand.ts'
import { addCourse, isMoving } from './ghosts.ts'

export const measureDrawers = { bounds: drawBounds, support: drawSupport, mass: drawMass }
export const measureDrawers3d = { bounds: drawBounds3d, support: drawSupport3d, mass: drawMass3d }

function drawBounds({ body, duration = 0 }: BoundsRequest, { min, max }: BoundsResponse): Picture {
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

/** One side of the box, along an axis, at a coordinate of the other axis; a ray or a line where the box is unbounded. */
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

function rangeText(low: number | null, high: number | null): string {
  if (low !== null && high !== null) return `from ${quantity(low)} to ${quantity(high)}`
  if (low !== null) return `from ${quantity(low)} on`
  return high === null ? 'without bounds' : `up to ${quantity(high)}`
}

function drawSupport({ body, direction }: SupportRequest, { point, feature }: SupportResponse): Picture {
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

function drawMass({ shape }: MassRequest, { area, mass, centroid, inertia }: MassResponse): Picture {
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

const AXES = ['x', 'y', 'z'] as const
/** Number of poses of a motion after its start. */
const POSES = 4
type Axis = (typeof AXES)[number]

function drawBounds3d(request: Bounds3dRequest, { min, max }: Bounds3dResponse, view: View): Picture {
  const { body, duration = 0 } = request
  const space = createPictureOfSpace([body], view)
  const { picture } = space
  if (duration > 0) addMotion(space, body, duration)
  addBody3d(space, body, 'a')
  for (const [i, axis] of AXES.entries()) {
    const [p, q] = [AXES[(i + 1) % 3], AXES[(i + 2) % 3]]
    for (const atP of [min[p], max[p]]) {
      for (const atQ of [min[q], max[q]]) {
        if (atP !== null && atQ !== null) {
          addSide3d(space, axis, { ...ZERO, [p]: atP, [q]: atQ }, min[axis], max[axis])
        }
      }
    }
  }
  for (const { x, y, z } of [min, max]) {
    if (x === null || y === null || z === null) continue
    addDot3d(space, { x, y, z }, 'corner')
    addLabel3d(space, { x, y, z }, vectorText3d({ x, y, z }))
  }
  picture.heading = `${AXES.map((axis) => `${axis} ${rangeText(min[axis], max[axis])}`).join('; ')}.`
  addKey(picture, 'box', 'bounds')
  return finished(space)
}

/** Poses during the motion and at its end. */
function addMotion(space: PictureOfSpace, body: MovingBody3d, duration: number): void {
  const { picture, origin } = space
  if ([body.velocity, body.angularVelocity].every((v = ZERO) => v.x === 0 && v.y === 0 && v.z === 0)) return
  for (let k = 1; k <= POSES; k++) {
    const stand = standAt(body, origin, (duration * k) / POSES)
    addBody3d(space, body, k === POSES ? 'a-then' : 'a-ghost', { stand })
  }
  picture.details.push(`Over ${quantity(duration)} s of its motion.`)
  addKey(picture, 'a', 'at the start')
  addKey(picture, 'a-then', 'at the end')
}

/** One side of the box, along an axis, through a point; a ray or a line where the box is unbounded. */
function addSide3d(space: PictureOfSpace, axis: Axis, through: Vec3, first: number | null, last: number | null): void {
  const at = (value: number): Vec3 => ({ ...through, [axis]: value })
  if (first !== null && last !== null) {
    addPolyline3d(space, [at(first), at(last)], 'box')
    return
  }
  const direction: Vec3 = { ...ZERO, [axis]: first === null ? -1 : 1 }
  const form = first === null && last === null ? 'line' : 'ray'
  addLine3d(space, form, at(first ?? last ?? 0), direction, 'box')
}

/** A square stands for the supporting plane; half its side, relative to the size of the body. */
const HALF_SIDE = 0.35

function drawSupport3d({ body, direction }: Support3dRequest, answer: Support3dResponse, view: View): Picture {
  const { point, feature } = answer
  const space = createPictureOfSpace([body], view)
  const { picture, origin, reach } = space
  addBody3d(space, body, 'a')
  const normal = unit3d(direction) ?? { x: 1, y: 0, z: 0 }
  addKey(picture, 'direction', 'direction')
  if (point === null) {
    addDirection3d(space, body.position ?? ZERO, normal, 'direction')
    picture.heading = `Along ${vectorText3d(direction)} the body has no end.`
    return finished(space)
  }
  const size = isNowhere(reach) ? 0 : measured(reach).size
  if (size > 0) {
    const parts = patchParts(from3d(origin, point), normal, HALF_SIDE * size, view, 0)
    picture.shapes.push({ parts, role: 'result' })
    addKey(picture, 'result', 'all of the body lies behind this plane')
  }
  addDirection3d(space, point, normal, 'direction')
  addDot3d(space, point, 'point')
  addLabel3d(space, point, vectorText3d(point))
  picture.heading = `The farthest point along ${vectorText3d(direction)} is ${vectorText3d(point)}.`
  if (feature !== null) picture.details.push(`It belongs to ${featureText3d(feature)}.`)
  return finished(space)
}

function drawMass3d({ shape }: Mass3dRequest, answer: Mass3dResponse, view: View): Picture {
  const { volume, area, mass, centroid, principal } = answer
  const space = createPictureOfSpace([{ shape }], view)
  const { picture } = space
  addBody3d(space, { shape }, 'a')
  addEllipsoid(space, answer)
  addDot3d(space, centroid, 'centroid')
  addLabel3d(space, centroid, vectorText3d(centroid))
  addKey(picture, 'centroid', 'centroid')
  picture.heading = `Volume ${quantity(volume)}, area ${quantity(area)}, mass ${quantity(mass)}.`
  picture.details.push(`The centroid is ${vectorText3d(centroid)}, the moments are ${vectorText3d(principal.moments)}.`)
  return finished(space)
}

/** The homogeneous ellipsoid with the mass and inertia of the shape, with its axes; nothing for a shape without mass. */
function addEllipsoid(space: PictureOfSpace, { mass, centroid, principal }: Mass3dResponse): void {
  const { moments, orientation } = principal
  const { x, y, z } = moments
  // Moments of an ellipsoid: m (b² + c²) / 5 about its axis a.
  const halfAxis = (own: number, p: number, q: number) => Math.sqrt(Math.max(0, 2.5 * ((p + q - own) / mass)))
  const radii = { x: halfAxis(x, y, z), y: halfAxis(y, z, x), z: halfAxis(z, x, y) }
  if (!(mass > 0) || !AXES.every((axis) => Number.isFinite(radii[axis]))) return
  addBody3d(space, { shape: { type: 'ellipsoid', radii }, position: centroid, orientation }, 'gyration')
  const stand = turnedStand(centroid, orientation)
  for (const axis of AXES) {
    const ends = [-1, 1].map((sign) => along3d(centroid, stand[axis], sign * radii[axis]))
    addPolyline3d(space, ends, 'support')
  }
  addKey(space.picture, 'gyration', 'even ellipsoid of the same mass and inertia')
  addKey(space.picture, 'support', 'principal axes')
}
