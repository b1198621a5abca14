// Convex hulls, enclosing shapes, Minkowski sums and differences, in the plane and in space.

import type { Fit3dRequest, Fit3dResponse, FitRequest, FitResponse } from '../../../schemas/queries/fit.ts'
import type { Hull3dRequest, Hull3dResponse, HullRequest, HullResponse } from '../../../schemas/queries/hull.ts'
import type {
  Minkowski3dRequest,
  Minkowski3dResponse,
  MinkowskiRequest,
  MinkowskiResponse,
} from '../../../schemas/queries/minkowski.ts'
import type { Shape2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { addBody, addKey, counted, type Picture, quantity } from '../picture.ts'
import type { PictureOfSpace } from '../picture-of-space.ts'
import { from } from '../pose.ts'
import { polytopeParts } from '../solid-parts.ts'
import { from3d, type View } from '../stand.ts'
import { type Canvas, planeCanvas, spaceCanvas } from './canvas.ts'

export const hullDrawers = { hull: drawHull, fit: drawFit, minkowski: drawMinkowski }
export const hullDrawers3d = { hull: drawHull3d, fit: drawFit3d, minkowski: drawMinkowski3d }

/** The first corners are marked. */
const MOST_CORNERS = 500

function drawHull({ points }: HullRequest, { vertices }: HullResponse): Picture {
  const canvas = planeCanvas([{ shape: { type: 'point' }, position: points[0] }])
  addPolygon(canvas.picture, vertices, 0)
  return tellHull(canvas, points, vertices, counted(vertices.length, 'corner'))
}

function drawHull3d({ points }: Hull3dRequest, answer: Hull3dResponse, view: View): Picture {
  const canvas = spaceCanvas([{ shape: { type: 'point' }, position: points[0] }], view)
  addPolytope(canvas.space, answer, 0)
  canvas.picture.details.push(`Its volume is ${quantity(answer.volume)}.`)
  return tellHull(canvas, points, answer.vertices, partsText(answer))
}

/** `parts`: the numbers of corners and faces. */
function tellHull<Vector>(
  canvas: Canvas<Vector, unknown, never>,
  points: readonly Vector[],
  vertices: readonly Vector[],
  parts: string,
): Picture {
  const { picture } = canvas
  for (const point of points) canvas.addDot(point, 'input')
  for (const vertex of vertices.slice(0, MOST_CORNERS)) canvas.addDot(vertex, 'corner')
  picture.heading = `The hull of ${counted(points.length, 'point')} has ${parts}.`
  addKey(picture, 'input', 'points')
  addKey(picture, 'corner', 'corners of the hull')
  return canvas.finish()
}

function drawFit(request: FitRequest, answer: FitResponse): Picture {
  const { body, points = [] } = request
  return tellFit(planeCanvas([body ?? { shape: { type: 'point' }, position: points[0] }]), request, answer)
}

function drawFit3d(request: Fit3dRequest, answer: Fit3dResponse, view: View): Picture {
  const { body, points = [] } = request
  return tellFit(spaceCanvas([body ?? { shape: { type: 'point' }, position: points[0] }], view), request, answer)
}

function tellFit<Vector, Body>(
  canvas: Canvas<Vector, Body, never>,
  { body, points = [], shape, least }: { body?: Body; points?: Vector[]; shape: string; least?: string },
  answer: { body: Body; measure: number; lower: number },
): Picture {
  const { picture } = canvas
  canvas.addBody(answer.body, 'result')
  if (body !== undefined) canvas.addBody(body, 'a')
  for (const point of points) canvas.addDot(point, 'input')
  const measured = least ?? (canvas.isFlat ? 'area' : 'volume')
  picture.heading = `A ${shape} with ${measured} ${quantity(answer.measure)} encloses ${body === undefined ? counted(points.length, 'point') : 'the body'}.`
  picture.details.push(`None has a smaller one than ${quantity(answer.lower)}.`)
  addKey(picture, 'result', 'enclosing shape')
  if (body === undefined) addKey(picture, 'input', 'points')
  return canvas.finish()
}

function drawMinkowski(request: MinkowskiRequest, { vertices, radius }: MinkowskiResponse): Picture {
  const canvas = planeCanvas([request.a, request.b])
  addPolygon(canvas.picture, vertices, radius, request.operation === 'difference' ? 'A − B' : 'A + B')
  return tellMinkowski(canvas, request, { parts: counted(vertices.length, 'corner'), radius })
}

function drawMinkowski3d(request: Minkowski3dRequest, answer: Minkowski3dResponse, view: View): Picture {
  const canvas = spaceCanvas([request.a, request.b], view)
  addPolytope(canvas.space, answer, answer.radius)
  return tellMinkowski(canvas, request, { parts: partsText(answer), radius: answer.radius })
}

function tellMinkowski<Vector, Body>(
  canvas: Canvas<Vector, Body, never>,
  { a, b, operation }: { a: Body; b: Body; operation?: MinkowskiRequest['operation'] },
  { parts, radius }: { parts: string; radius: number },
): Picture {
  const { picture } = canvas
  const isSum = operation !== 'difference'
  canvas.addBody(a, 'a', { name: 'A' })
  canvas.addBody(b, 'b', { name: 'B' })
  const rounded = radius === 0 ? '' : `, rounded by ${quantity(radius)}`
  picture.heading = `A ${isSum ? '+' : '−'} B has ${parts}${rounded}.`
  addKey(picture, 'result', isSum ? 'every point of A plus every point of B' : 'every point of A less every point of B')
  if (!isSum) {
    canvas.addDot(canvas.zero, 'centroid')
    addKey(picture, 'centroid', 'origin of the world')
  }
  return canvas.finish()
}

/** A polygon by its corners in the world; one corner is a point, two are a segment. */
function addPolygon(picture: Picture, vertices: readonly Vec2[], radius: number, name?: string): void {
  // Relative to the picture's origin, so that corners far from the world's origin keep their digits.
  const local = vertices.map((vertex) => from(picture.origin, vertex))
  addBody(picture, { shape: hullShape(local, radius), position: picture.origin }, 'result', { name })
}

function hullShape(vertices: Vec2[], radius: number): Shape2d {
  const [a, b = a] = vertices
  return vertices.length > 2 ? { type: 'polygon', vertices, radius } : { type: 'capsule', a, b, radius }
}

type Polytope = Pick<Hull3dResponse, 'vertices' | 'faces'>

function addPolytope({ picture, origin, view }: PictureOfSpace, { vertices, faces }: Polytope, radius: number): void {
  const points = vertices.map((vertex) => from3d(origin, vertex))
  picture.shapes.push({ parts: polytopeParts({ points, faces }, radius, view), role: 'result' })
}

function partsText({ vertices, faces }: Polytope): string {
  return `${counted(vertices.length, 'corner')} and ${counted(faces.length, 'face')}`
}
