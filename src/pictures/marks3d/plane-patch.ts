/**
 * As much of a plane as reads well: a square around what lies near it, with lines across, and short strokes into the solid side.
 *
 * Frame: that of the picture.
 */
import type { Vec3 } from '../../../schemas/vector.ts'
import { type DrawnPart, type DrawnRing, polyRing } from '../marks/outline.ts'
import type { ShapeMark } from '../marks/picture.ts'
import { linesOf } from './part-lines.ts'
import { isNowhere, measured, type Reach } from './reach.ts'
import { across, along3d, cross, type Stand, turned } from './stand.ts'
import { dot, seen, type View } from './view.ts'

/** The half-space of a body. */
export interface Plane {
  mark: ShapeMark
  stand: Stand
  /** Unit vector, local frame. */
  normal: Vec3
  offset: number
}

/** Half a side of the square, and the length of the strokes, in sizes of the rest. */
const HALF_SIDE = 0.6
const STROKE = 0.1
/** Squares along each side. */
const SQUARES = 6
/** Planes farther away than this, in sizes of the rest, are left out of sight. */
const NEAR = 2.5

export function addPatch({ mark, stand, normal, offset }: Plane, reach: Reach, view: View): void {
  const out = turned(stand, normal)
  const onPlane = along3d(stand.at, out, offset)
  const { centre, size } = isNowhere(reach) ? { centre: onPlane, size: 0 } : measured(reach)
  const scale = size > 0 ? size : Math.abs(offset) || 1
  const height = dot(along3d(onPlane, centre, -1), out)
  if (size > 0 && Math.abs(height) > NEAR * size) return
  mark.parts = patchParts(along3d(centre, out, height), out, HALF_SIDE * scale, view, STROKE * scale)
}

/** A square about `middle`; `stroke`: how long the strokes are on the side that `out` points away from. */
export function patchParts(middle: Vec3, out: Vec3, half: number, view: View, stroke: number): DrawnPart[] {
  const p = across(out)
  const q = cross(out, p)
  const at = (s: number, t: number, depth = 0) =>
    along3d(along3d(along3d(middle, p, s * half), q, t * half), out, -depth)
  const flat = (...points: Vec3[]): DrawnRing =>
    polyRing(
      points.map((point) => seen(view, point)),
      points.length > 2,
    )
  const lines: DrawnRing[] = []
  const strokes: DrawnRing[] = []
  for (let k = 0; k <= SQUARES; k++) {
    const s = (2 * k) / SQUARES - 1
    if (k > 0 && k < SQUARES) lines.push(flat(at(s, -1), at(s, 1)), flat(at(-1, s), at(1, s)))
    for (const [u, v] of [
      [s, -1],
      [s, 1],
      [-1, s],
      [1, s],
    ]) {
      strokes.push(flat(at(u, v), at(u, v, stroke)))
    }
  }
  const square: DrawnPart = { kind: 'path', filled: true, rings: [flat(at(-1, -1), at(1, -1), at(1, 1), at(-1, 1))] }
  const sides = stroke > 0 ? linesOf(strokes, 'inner') : []
  return [square, ...linesOf(lines, 'hidden'), ...sides]
}
