// Boxes along the axes, as the `d` of a path.

import type { Vec2 } from '../../../schemas/vector.ts'
import { type DrawnBox, type DrawnPart, polyRing } from '../marks/outline.ts'
import { type PictureFrame, short, toPicture } from '../svg/frame.ts'

/** Sides of boxes lie at most this far from the middle of the plot, in picture units: farther out nothing is seen of them. */
const FAR = 20_000

/** `origin`: of the picture; the box is one of the world. */
export function rectangleData(
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
  origin: Vec2,
  frame: PictureFrame,
): string {
  const p = toPicture(frame, { x: minX - origin.x, y: minY - origin.y })
  const q = toPicture(frame, { x: maxX - origin.x, y: maxY - origin.y })
  const [left, right] = [near(p.x), near(q.x)]
  const [top, bottom] = [near(Math.min(p.y, q.y)), near(Math.max(p.y, q.y))]
  return `M${short(left)} ${short(top)}H${short(right)}V${short(bottom)}H${short(left)}Z`
}

function near(value: number): number {
  return Math.min(FAR, Math.max(-FAR, value))
}

/** The same as a part that is drawn; the box is counted from the picture's origin. */
export function rectanglePart({ minX, minY, maxX, maxY }: DrawnBox): DrawnPart {
  const corners = [
    { x: minX, y: minY },
    { x: maxX, y: minY },
    { x: maxX, y: maxY },
    { x: minX, y: maxY },
  ]
  return { kind: 'path', filled: true, rings: [polyRing(corners, true)] }
}

/** Counted from a point. */
export function around({ minX, minY, maxX, maxY }: DrawnBox, { x, y }: Vec2): DrawnBox {
  return { minX: minX - x, minY: minY - y, maxX: maxX - x, maxY: maxY - y }
}
