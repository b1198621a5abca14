// A shape, taken or refused, and everything that was found about it.

import type { ShapeFinding, ValidateRequest, ValidateResponse } from '../../../schemas/queries/validate.ts'
import type { Shape2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import {
  addBody,
  addDot,
  addKey,
  addLabel,
  addPolyline,
  counted,
  createPicture,
  type Picture,
} from '../marks/picture.ts'

/** Findings whose number is written at them. */
const MOST_NUMBERS = 60

export function drawValidate({ shape }: ValidateRequest, { valid, findings, truncated }: ValidateResponse): Picture {
  const picture = createPicture([{ shape }])
  addBody(picture, { shape: valid ? shape : asWritten(shape) }, 'a')
  picture.heading = valid ? 'The shape is valid.' : 'The shape is refused.'
  const found = `${counted(findings.length, 'finding')}${truncated ? ', and perhaps more' : ''}`
  picture.details.push(`There ${findings.length === 1 ? 'is' : 'are'} ${found}.`)
  findings.forEach((finding, i) => {
    addFinding(picture, shape, finding, i < MOST_NUMBERS ? `${i + 1}` : null)
    picture.legend.push(`${i + 1}: ${finding.detail} ${finding.action}`)
  })
  return picture
}

/** What is no convex polygon cannot be rounded as one. */
function asWritten(shape: Shape2d): Shape2d {
  return shape.type === 'polygon' ? { type: 'polygon', vertices: shape.vertices } : shape
}

function addFinding(picture: Picture, shape: Shape2d, finding: ShapeFinding, number: string | null): void {
  const { outcome, points, edges = [] } = finding
  const isRefused = outcome === 'refused'
  for (const index of isRefused ? edges : []) {
    const ends = edgeOf(shape, index)
    if (ends === null) continue
    addPolyline(picture, ends, 'fault')
    addKey(picture, 'fault', 'edges of what is refused')
  }
  for (const point of points) addDot(picture, point, isRefused ? 'refused' : 'exit')
  if (points.length === 0) return
  addKey(picture, isRefused ? 'refused' : 'exit', isRefused ? 'refused' : 'found, and accepted')
  if (number !== null) addLabel(picture, points[0], number)
}

/** The ends of an edge, as features count them; null in compounds. */
function edgeOf(shape: Shape2d, index: number): [Vec2, Vec2] | null {
  let before = 0
  for (const ring of ringsOf(shape)) {
    const i = index - before
    if (i < ring.length) return [ring[i], ring[(i + 1) % ring.length]]
    before += ring.length
  }
  return null
}

function ringsOf(shape: Shape2d): readonly (readonly Vec2[])[] {
  switch (shape.type) {
    case 'region':
      return [shape.outer, ...(shape.holes ?? [])]
    case 'polygon':
    case 'chain':
      return [shape.vertices]
    default:
      return []
  }
}
