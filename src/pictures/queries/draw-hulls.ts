// Sets made of others: convex hulls, Minkowski sums and differences.

import type { HullRequest, HullResponse } from '../../../schemas/queries/hull.ts'
import type { MinkowskiRequest, MinkowskiResponse } from '../../../schemas/queries/minkowski.ts'
import type { Shape2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { addBody, addDot, addKey, counted, createPicture, type Picture, quantity } from '../marks/picture.ts'
import { from } from '../marks/pose.ts'

const ORIGIN: Vec2 = { x: 0, y: 0 }
/** Corners that are marked. */
const MOST_CORNERS = 500

export function drawHull({ points }: HullRequest, { vertices }: HullResponse): Picture {
  const picture = createPicture([{ shape: { type: 'point' }, position: points[0] }])
  addHull(picture, vertices, 0)
  for (const point of points) addDot(picture, point, 'input')
  for (const vertex of vertices.slice(0, MOST_CORNERS)) addDot(picture, vertex, 'corner')
  const corners = counted(vertices.length, 'corner')
  picture.heading = `The hull of ${counted(points.length, 'point')} has ${corners}.`
  addKey(picture, 'input', 'points')
  addKey(picture, 'corner', 'corners of the hull')
  return picture
}

export function drawMinkowski({ a, b, operation }: MinkowskiRequest, { vertices, radius }: MinkowskiResponse): Picture {
  const picture = createPicture([a, b])
  const isSum = operation !== 'difference'
  addHull(picture, vertices, radius, isSum ? 'A + B' : 'A − B')
  addBody(picture, a, 'a', { name: 'A' })
  addBody(picture, b, 'b', { name: 'B' })
  const rounded = radius === 0 ? '' : `, rounded by ${quantity(radius)}`
  const corners = counted(vertices.length, 'corner')
  picture.heading = `A ${isSum ? '+' : '−'} B has ${corners}${rounded}.`
  addKey(picture, 'result', isSum ? 'every point of A plus every point of B' : 'every point of A less every point of B')
  if (!isSum) {
    addDot(picture, ORIGIN, 'centroid')
    addKey(picture, 'centroid', 'origin of the world')
  }
  return picture
}

/** Given by its corners in the world; one or two of them are a point or a segment. */
function addHull(picture: Picture, vertices: readonly Vec2[], radius: number, name?: string): void {
  // Drawn at the picture's origin, whence the corners are counted: far away nothing is lost.
  const local = vertices.map((vertex) => from(picture.origin, vertex))
  addBody(picture, { shape: hullShape(local, radius), position: picture.origin }, 'result', { name })
}

function hullShape(vertices: Vec2[], radius: number): Shape2d {
  const [a, b = a] = vertices
  return vertices.length > 2 ? { type: 'polygon', vertices, radius } : { type: 'capsule', a, b, radius }
}
