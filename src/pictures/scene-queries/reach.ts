// How far something was looked for: a circle around where it starts.

import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { boxCentre, boxSize, isEmpty, partsBox } from '../marks/outline.ts'
import { addBody, addKey, type Picture } from '../marks/picture.ts'
import { poseOf } from '../marks/pose.ts'
import { drawnParts } from '../marks/shape-parts.ts'

/** Drawn where it is not wider than this many times what it is about: one of which an arc is seen says nothing. */
const WIDE = 12

/** Where a point may get to, or, of a body, how far its position may. */
export function addReach(picture: Picture, about: Vec2 | Body2d, radius: number): void {
  const isBody = 'shape' in about
  const size = isBody ? sizeOf(about, picture.origin) : 0
  if (!(radius > 0) || (size > 0 && 2 * radius > WIDE * size)) return
  const position = isBody ? (about.position ?? { x: 0, y: 0 }) : about
  addBody(picture, { shape: { type: 'circle', radius }, position }, 'reach')
  addKey(picture, 'reach', isBody ? 'so far from its position' : 'so far from it')
}

function sizeOf(body: Body2d, origin: Vec2): number {
  return boxSize(partsBox(drawnParts(body.shape, poseOf(body, origin))))
}

/** The middle of a body, counted from the picture's origin. */
export function middleOf(body: Body2d, origin: Vec2): Vec2 {
  const pose = poseOf(body, origin)
  const box = partsBox(drawnParts(body.shape, pose))
  return isEmpty(box) ? pose : boxCentre(box)
}
