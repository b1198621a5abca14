// Hulls, Minkowski sums, tables, pairs and shapes that are looked over, in space.

import type { Hull3dRequest, Hull3dResponse } from '../../../schemas/queries/hull.ts'
import type { Minkowski3dRequest, Minkowski3dResponse } from '../../../schemas/queries/minkowski.ts'
import type { Validate3dRequest, Validate3dResponse } from '../../../schemas/queries/validate.ts'
import type { Vec3 } from '../../../schemas/vector.ts'
import { addKey, counted, type Picture, quantity } from '../marks/picture.ts'
import { addBody3d, addDot3d, addLabel3d, createPictureOfSpace, finished } from '../marks/picture-of-space.ts'
import { polytopeParts } from '../marks/solid-parts.ts'
import { from3d, type View } from '../marks/stand.ts'

const ORIGIN: Vec3 = { x: 0, y: 0, z: 0 }
/** Corners that are marked. */
const MOST_CORNERS = 500
/** Findings whose number is written at them. */
const MOST_NUMBERS = 60

export function drawHull3d({ points }: Hull3dRequest, answer: Hull3dResponse, view: View): Picture {
  const { vertices, faces, volume } = answer
  const space = createPictureOfSpace([{ shape: { type: 'point' }, position: points[0] }], view)
  const { picture, origin } = space
  const local = vertices.map((vertex) => from3d(origin, vertex))
  picture.shapes.push({ parts: polytopeParts({ points: local, faces }, 0, view), role: 'result' })
  for (const point of points) addDot3d(space, point, 'input')
  for (const vertex of vertices.slice(0, MOST_CORNERS)) addDot3d(space, vertex, 'corner')
  const parts = `${counted(vertices.length, 'corner')} and ${counted(faces.length, 'face')}`
  picture.heading = `The hull of ${counted(points.length, 'point')} has ${parts}.`
  picture.details.push(`Its volume is ${quantity(volume)}.`)
  addKey(picture, 'input', 'points')
  addKey(picture, 'corner', 'corners of the hull')
  return finished(space)
}

export function drawMinkowski3d(
  { a, b, operation }: Minkowski3dRequest,
  { vertices, faces, radius }: Minkowski3dResponse,
  view: View,
): Picture {
  const space = createPictureOfSpace([a, b], view)
  const { picture, origin } = space
  const isSum = operation !== 'difference'
  const local = vertices.map((vertex) => from3d(origin, vertex))
  picture.shapes.push({ parts: polytopeParts({ points: local, faces }, radius, view), role: 'result' })
  addBody3d(space, a, 'a', { name: 'A' })
  addBody3d(space, b, 'b', { name: 'B' })
  const rounded = radius === 0 ? '' : `, rounded by ${quantity(radius)}`
  const parts = `${counted(vertices.length, 'corner')} and ${counted(faces.length, 'face')}`
  picture.heading = `A ${isSum ? '+' : '−'} B has ${parts}${rounded}.`
  addKey(picture, 'result', isSum ? 'every point of A plus every point of B' : 'every point of A less every point of B')
  if (!isSum) {
    addDot3d(space, ORIGIN, 'centroid')
    addKey(picture, 'centroid', 'origin of the world')
  }
  return finished(space)
}

export function drawValidate3d({ shape }: Validate3dRequest, answer: Validate3dResponse, view: View): Picture {
  const { valid, findings, truncated } = answer
  const space = createPictureOfSpace([{ shape }], view)
  const { picture } = space
  addBody3d(space, { shape }, 'a')
  picture.heading = valid ? 'The shape is valid.' : 'The shape is refused.'
  const found = `${counted(findings.length, 'finding')}${truncated ? ', and perhaps more' : ''}`
  picture.details.push(`There ${findings.length === 1 ? 'is' : 'are'} ${found}.`)
  findings.forEach(({ outcome, points, detail, action }, i) => {
    const role = outcome === 'refused' ? 'refused' : 'exit'
    for (const point of points) addDot3d(space, point, role)
    if (points.length > 0) addKey(picture, role, outcome === 'refused' ? 'refused' : 'found, and accepted')
    if (points.length > 0 && i < MOST_NUMBERS) addLabel3d(space, points[0], `${i + 1}`)
    picture.legend.push(`${i + 1}: ${detail} ${action}`)
  })
  return finished(space)
}
