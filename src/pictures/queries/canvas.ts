/**
 * Pictures of either dimension behind one interface, so that a query is drawn by one function.
 *
 * Bodies, points and vectors are those of requests and responses, in the world. A canvas of space sees them from a view.
 */

import type { ShapeFeature, ShapeFeature3d } from '../../../schemas/feature.ts'
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import type { MovingBody3d } from '../../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import type { ArrowRole, DotRole, ShapeRole, StrokeRole } from '../palette.ts'
import {
  addArrow,
  addBody,
  addDirection,
  addDot,
  addLabel,
  addPolyline,
  addRay,
  createPicture,
  featureText,
  featureText3d,
  type Picture,
  type ShapeMark,
  vectorText,
  vectorText3d,
} from '../picture.ts'
import {
  addArrow3d,
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
import { midway, poseAt } from '../pose.ts'
import { midway3d, standAt, type View, ZERO } from '../stand.ts'
import { addCourse, addCourse3d, type Course, isMoving, isMoving3d, shownTime, shownTime3d } from './ghosts.ts'

export interface Canvas<Vector, Body, Feature> {
  readonly picture: Picture
  /** Whether the picture is of the plane. */
  readonly isFlat: boolean
  readonly zero: Vector
  /**
   * Draws the body where it is placed, or where it is after `at` seconds of its motion. `aside`: it has no influence on what the picture
   * shows.
   */
  addBody(
    body: Body,
    role: ShapeRole,
    options?: { readonly name?: string; readonly at?: number; readonly aside?: boolean },
  ): ShapeMark
  addDot(point: Vector, role: DotRole): void
  /** `toward`: the side of the point that the text prefers. */
  addLabel(point: Vector, text: string, toward?: Vector): void
  /** An arrow of legible length; none for null. */
  addDirection(tail: Vector, direction: Vector | null, role: ArrowRole): void
  addPolyline(points: readonly Vector[], role: StrokeRole, aside?: boolean): void
  /** A line from a point to the edge of the picture; in space none if it runs towards the viewer. */
  addRay(through: Vector, direction: Vector, role: StrokeRole): void
  addArrow(tail: Vector, head: Vector, role: ArrowRole): void
  /** The body at some instants between 0 and `until`, and the path of its centre. */
  addCourse(course: Course<Body>): void
  isMoving(body: Body): boolean
  /** `duration`, or as much of it as keeps the bodies in sight. */
  shownTime(bodies: readonly Body[], duration: number): number
  midway(p: Vector, q: Vector): Vector
  isSame(p: Vector, q: Vector): boolean
  isZero(vector: Vector): boolean
  vectorText(vector: Vector): string
  featureText(feature: Feature): string
  /** Completes the picture. Call it after the last body. */
  finish(): Picture
}

type PlaneCanvas = Canvas<Vec2, MovingBody2d, ShapeFeature>
/** `space`: for marks that only pictures of space have. */
type SpaceCanvas = Canvas<Vec3, MovingBody3d, ShapeFeature3d> & { readonly space: PictureOfSpace }

/** The picture's origin lies at the first body that is no half-plane. */
export function planeCanvas(bodies: readonly MovingBody2d[]): PlaneCanvas {
  const picture = createPicture(bodies)
  return {
    picture,
    isFlat: true,
    zero: { x: 0, y: 0 },
    addBody: (body, role, { name, at, aside = false } = {}) =>
      addBody(picture, body, role, {
        name,
        aside,
        ...(at !== undefined && { pose: poseAt(body, picture.origin, at) }),
      }),
    addDot: (point, role) => addDot(picture, point, role),
    addLabel: (point, text, toward) => addLabel(picture, point, text, toward),
    addDirection: (tail, direction, role) => addDirection(picture, tail, direction, role),
    addPolyline: (points, role, aside) => addPolyline(picture, points, role, aside),
    addRay: (through, direction, role) => addRay(picture, through, direction, role),
    addArrow: (tail, head, role) => addArrow(picture, tail, head, role),
    addCourse: (course) => addCourse(picture, course),
    isMoving,
    shownTime: (bodies, duration) => shownTime(picture, bodies, duration),
    midway,
    isSame: (p, q) => p.x === q.x && p.y === q.y,
    isZero: ({ x, y }) => x === 0 && y === 0,
    vectorText,
    featureText,
    finish: () => picture,
  }
}

/** The picture's origin lies at the first body that is no half-space. */
export function spaceCanvas(bodies: readonly MovingBody3d[], view: View): SpaceCanvas {
  const space = createPictureOfSpace(bodies, view)
  return {
    space,
    picture: space.picture,
    isFlat: false,
    zero: ZERO,
    addBody: (body, role, { name, at, aside = false } = {}) =>
      addBody3d(space, body, role, {
        name,
        aside,
        ...(at !== undefined && { stand: standAt(body, space.origin, at) }),
      }),
    addDot: (point, role) => addDot3d(space, point, role),
    addLabel: (point, text, toward) => addLabel3d(space, point, text, toward),
    addDirection: (tail, direction, role) => addDirection3d(space, tail, direction, role),
    addPolyline: (points, role, aside) => addPolyline3d(space, points, role, aside),
    addRay: (through, direction, role) => addLine3d(space, 'ray', through, direction, role),
    addArrow: (tail, head, role) => addArrow3d(space, tail, head, role),
    addCourse: (course) => addCourse3d(space, course),
    isMoving: isMoving3d,
    shownTime: (bodies, duration) => shownTime3d(space, bodies, duration),
    midway: midway3d,
    isSame: (p, q) => p.x === q.x && p.y === q.y && p.z === q.z,
    isZero: ({ x, y, z }) => x === 0 && y === 0 && z === 0,
    vectorText: vectorText3d,
    featureText: featureText3d,
    finish: () => finished(space),
  }
}
