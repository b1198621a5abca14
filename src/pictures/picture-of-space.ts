/**
 * A picture of space before it is drawn: marks in the plane that the viewer sees, and the box that they occupy in space.
 *
 * Drawing functions take points of the world; marks store them relative to the picture's origin, which lies at one of the bodies.
 * Directions are unit vectors; an arrow that leans towards the viewer looks shorter.
 */

import type { Body3d } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import type { ArrowRole, DotRole, ShapeRole, StrokeRole } from './palette.ts'
import { createPicture, type Picture, type ShapeMark } from './picture.ts'
import { unit } from './pose.ts'
import { addPatch, type Plane, solidParts } from './solid-parts.ts'
import {
  createReach,
  dot,
  from3d,
  type Reach,
  reachOf,
  type Stand,
  seen,
  standOf,
  unit3d,
  type View,
  widen,
  ZERO,
} from './stand.ts'

export interface PictureOfSpace {
  readonly picture: Picture
  readonly view: View
  readonly origin: Vec3
  /** Box of everything added so far except half-spaces, relative to the origin. */
  readonly reach: Reach
  /** Half-spaces are drawn last, when the extent of the rest is known. */
  readonly planes: Plane[]
}

/** The origin is the position of the first body that is not a half-space: the position of a half-space says little about where its boundary is. */
export function createPictureOfSpace(bodies: readonly Body3d[], view: View): PictureOfSpace {
  const first = bodies.find(({ shape }) => shape.type !== 'halfspace') ?? bodies[0]
  const origin = first?.position ?? ZERO
  const picture: Picture = { ...createPicture([]), origin: seen(view, origin), axes: axesOf(view) }
  return { picture, view, origin, reach: createReach(), planes: [] }
}

/** The axes as a view sees them. */
export function axesOf(view: View): NonNullable<Picture['axes']> {
  if (view.axes !== null) return { form: 'plane', ...view.axes }
  const axes = (['x', 'y', 'z'] as const).map((name) => ({ name, along: seen(view, { ...ZERO, [name]: 1 }) }))
  return { form: 'leaning', axes }
}

interface Placing {
  name?: string | undefined
  /** Overrides the placement of the body. */
  stand?: Stand
  /** The body has no influence on what the picture shows. */
  aside?: boolean
}

/** The parts of a half-space are added when the picture is finished. */
export function addBody3d(space: PictureOfSpace, body: Body3d, role: ShapeRole, placing: Placing = {}): ShapeMark {
  const { stand = standOf(body, space.origin), name, aside = false } = placing
  const { shape } = body
  const mark: ShapeMark = { parts: solidParts(shape, stand, space.view), role, name, aside }
  space.picture.shapes.push(mark)
  if (shape.type === 'halfspace') {
    const normal = unit3d(shape.normal)
    // A zero normal occurs only in pictures of `validate`.
    if (normal !== null) space.planes.push({ mark, stand, normal, offset: shape.offset })
  } else if (!aside) widen(space.reach, reachOf(shape, stand))
  return mark
}

export function addDot3d({ picture, view, origin, reach }: PictureOfSpace, at: Vec3, role: DotRole): void {
  const place = from3d(origin, at)
  widen(reach, { min: place, max: place })
  picture.dots.push({ at: seen(view, place), role })
}

/** `toward`: the side of the point that the text prefers; any side when absent. */
export function addLabel3d({ picture, view, origin }: PictureOfSpace, at: Vec3, text: string, toward?: Vec3): void {
  const side = toward === undefined ? null : unit(seen(view, toward))
  picture.labels.push({ at: seen(view, from3d(origin, at)), text, toward: side ?? undefined })
}

export function addPolyline3d(space: PictureOfSpace, points: readonly Vec3[], role: StrokeRole, aside = false): void {
  const { picture, view, origin } = space
  const places = points.map((point) => seen(view, from3d(origin, point)))
  picture.strokes.push({ form: 'polyline', points: places, role, aside })
}

/** A ray or line up to the edge of the picture; nothing if it runs towards the viewer. */
export function addLine3d(
  { picture, view, origin }: PictureOfSpace,
  form: 'ray' | 'line',
  through: Vec3,
  direction: Vec3,
  role: StrokeRole,
): void {
  const place = seen(view, from3d(origin, through))
  picture.strokes.push({ form, through: place, direction: seen(view, direction), role })
}

/** An arrow of legible length; none for a null direction. A direction towards the viewer is described in words. */
export function addDirection3d(space: PictureOfSpace, tail: Vec3, direction: Vec3 | null, role: ArrowRole): void {
  if (direction === null) return
  const { picture, view, origin } = space
  const along = seen(view, direction)
  picture.arrows.push({ form: 'direction', tail: seen(view, from3d(origin, tail)), direction: along, role })
  if (Math.hypot(along.x, along.y) > HEAD_ON) return
  const leads = dot(direction, view.toward) > 0
  const told = leads ? 'An arrow points to the viewer.' : 'An arrow points away from the viewer.'
  if (!picture.details.includes(told)) picture.details.push(told)
}

/** An arrow whose projection is shorter than this, relative to its length, looks like a point. */
const HEAD_ON = 0.02

export function addArrow3d({ picture, view, origin }: PictureOfSpace, tail: Vec3, head: Vec3, role: ArrowRole): void {
  const [from, to] = [tail, head].map((place) => seen(view, from3d(origin, place)))
  picture.arrows.push({ form: 'between', tail: from, head: to, role })
}

/** Adds the half-spaces and returns the picture. */
export function finished({ picture, planes, reach, view }: PictureOfSpace): Picture {
  for (const plane of planes) addPatch(plane, reach, view)
  return picture
}
