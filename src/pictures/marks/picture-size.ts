// How much a picture of a query would hold, told from the request alone and before any work.

import type { Shape2d } from '../../../schemas/shapes2d.ts'
import type { Shape3d } from '../../../schemas/shapes3d.ts'

export interface PictureSize {
  /** Bodies, the parts of compounds counted one by one. */
  shapes: number
  /** Vertices and points. */
  vertices: number
}

/** Pictures of more make no sense, and are not drawn. */
export const PICTURE_LIMITS: Readonly<PictureSize> = { shapes: 2000, vertices: 50_000 }

type Shape = Shape2d | Shape3d

/** A body in the plane or in space. */
interface AnyBody {
  shape: Shape
}

/** What the requests with pictures hold, whichever it is. */
interface Drawable {
  a?: AnyBody | readonly AnyBody[]
  b?: AnyBody | readonly AnyBody[]
  body?: AnyBody
  bodies?: readonly AnyBody[]
  targets?: readonly AnyBody[]
  obstacles?: readonly AnyBody[]
  shape?: Shape
  region?: Shape
  points?: readonly unknown[]
}

/** `request`: of any query that has a picture. Cost O(shapes). */
export function pictureSize(request: object): PictureSize {
  const {
    a = [],
    b = [],
    body = [],
    bodies = [],
    targets = [],
    obstacles = [],
    shape,
    region,
    points,
  } = request as Drawable
  const size = { shapes: 0, vertices: points?.length ?? 0 }
  for (const some of [a, b, body, bodies, targets, obstacles]) {
    if (Array.isArray(some)) for (const one of some) addShape(size, one.shape)
    else addShape(size, (some as AnyBody).shape)
  }
  if (shape !== undefined) addShape(size, shape)
  if (region !== undefined) addShape(size, region)
  return size
}

/** Corners that a shape is drawn with; those of round ones count as four. */
export function shapeCorners(shape: Shape): number {
  const size = { shapes: 0, vertices: 0 }
  addShape(size, shape)
  return size.vertices
}

function addShape(size: PictureSize, shape: Shape): void {
  if (shape.type === 'compound') {
    for (const child of shape.children) addShape(size, child.shape)
    return
  }
  size.shapes++
  size.vertices += cornersOf(shape)
}

function cornersOf(shape: Exclude<Shape, { type: 'compound' }>): number {
  switch (shape.type) {
    case 'polygon':
    case 'chain':
      return shape.vertices.length
    case 'region':
      return (shape.holes ?? []).reduce((sum, hole) => sum + hole.length, shape.outer.length)
    case 'hull':
      return shape.points.length
    case 'point':
      return 1
    default:
      return 4
  }
}
