// How much a picture of a query would hold, told from the request alone and before any work.

import type { Body2d } from '../../../schemas/shapes/body.ts'
import type { Shape2d } from '../../../schemas/shapes/shape.ts'

export interface PictureSize {
  /** Bodies, the parts of compounds counted one by one. */
  shapes: number
  /** Vertices and points. */
  vertices: number
}

/** Pictures of more make no sense, and are not drawn. */
export const PICTURE_LIMITS: Readonly<PictureSize> = { shapes: 2000, vertices: 50_000 }

/** What the requests with pictures hold, whichever it is. */
interface Drawable {
  a?: Body2d | readonly Body2d[]
  b?: Body2d | readonly Body2d[]
  body?: Body2d
  bodies?: readonly Body2d[]
  targets?: readonly Body2d[]
  obstacles?: readonly Body2d[]
  shape?: Shape2d
  region?: Shape2d
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
    else addShape(size, (some as Body2d).shape)
  }
  if (shape !== undefined) addShape(size, shape)
  if (region !== undefined) addShape(size, region)
  return size
}

/** Corners that a shape is drawn with; those of round ones count as four. */
export function shapeCorners(shape: Shape2d): number {
  const size = { shapes: 0, vertices: 0 }
  addShape(size, shape)
  return size.vertices
}

function addShape(size: PictureSize, shape: Shape2d): void {
  if (shape.type === 'compound') {
    for (const child of shape.children) addShape(size, child.shape)
    return
  }
  size.shapes++
  size.vertices += cornersOf(shape)
}

function cornersOf(shape: Exclude<Shape2d, { type: 'compound' }>): number {
  switch (shape.type) {
    case 'polygon':
    case 'chain':
      return shape.vertices.length
    case 'region':
      return (shape.holes ?? []).reduce((sum, hole) => sum + hole.length, shape.outer.length)
    case 'point':
      return 1
    default:
      return 4
  }
}
