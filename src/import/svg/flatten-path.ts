/**
 * Paths of SVG as rings and lines of points: curves are flattened, no farther from themselves than a tolerance.
 *
 * Method: a cubic curve cut in n equal parts of its parameter lies within 6/8 · m / n² of its chords, m the largest of its second
 * differences: the bound of linear interpolation on its second derivative. Frame: after the map that is given.
 */

import type { Vec2 } from '../../../schemas/vector.ts'
import { type Affine, apply } from '../drawing/affine.ts'
import { endsAtStart } from '../drawing/closed-shape.ts'
import { addArc } from './arc.ts'
import { PathFault, pathCommands } from './path-data.ts'

export interface Subpath {
  points: Vec2[]
  isClosed: boolean
}

/** Parts of one curve. */
const MOST_PARTS = 1024

export interface Precision {
  /** How far a flattened curve may lie from itself. */
  tolerance: number
  /** Points of one path. */
  mostPoints: number
}

/** The subpaths, or a sentence what is wrong with the path. */
export function flattenPath(d: string, map: Affine, precision: Precision): Subpath[] | string {
  try {
    return subpathsOf(d, map, precision)
  } catch (error) {
    if (error instanceof PathFault) return `Its path is not one of SVG: ${error.message}.`
    throw error
  }
}

function subpathsOf(d: string, map: Affine, { tolerance, mostPoints }: Precision): Subpath[] | string {
  const subpaths: Subpath[] = []
  let current: Subpath = { points: [], isClosed: false }
  let count = 0
  for (const { name, from, numbers } of pathCommands(d)) {
    if (count > mostPoints) {
      return `Its path has more than ${mostPoints} points once its curves are flattened, which no shape has; a greater tolerance makes fewer.`
    }
    if (name === 'M') {
      count++
      current = { points: [apply(map, { x: numbers[0], y: numbers[1] })], isClosed: false }
      subpaths.push(current)
      continue
    }
    if (current.isClosed) {
      // Goes on from where the last one began.
      current = { points: [current.points[0]], isClosed: false }
      subpaths.push(current)
    }
    const { points } = current
    const before = points.length
    if (name === 'L') points.push(apply(map, { x: numbers[0], y: numbers[1] }))
    else if (name === 'C') addCubic(points, from, numbers, map, tolerance)
    else if (name === 'Q') addCubic(points, from, asCubic(from, numbers), map, tolerance)
    else if (name === 'A') addArc(points, from, numbers, map, tolerance)
    else current.isClosed = true
    // A command without points is work as well.
    count += Math.max(1, points.length - before)
  }
  return subpaths.filter(({ points }) => points.length > 1).map(closed)
}

/** One that ends where it began is closed, whether it says so or not. */
function closed({ points, isClosed }: Subpath): Subpath {
  const isBack = points.length > 2 && endsAtStart(points)
  return { points: isBack ? points.slice(0, -1) : points, isClosed: isClosed || isBack }
}

function asCubic({ x, y }: Vec2, [cx, cy, ex, ey]: number[]): number[] {
  return [x + (2 / 3) * (cx - x), y + (2 / 3) * (cy - y), ex + (2 / 3) * (cx - ex), ey + (2 / 3) * (cy - ey), ex, ey]
}

function addCubic(points: Vec2[], from: Vec2, numbers: readonly number[], map: Affine, tolerance: number): void {
  const p = apply(map, from)
  const [q, r, u] = [0, 2, 4].map((k) => apply(map, { x: numbers[k], y: numbers[k + 1] }))
  const bend = Math.max(
    Math.hypot(p.x - 2 * q.x + r.x, p.y - 2 * q.y + r.y),
    Math.hypot(q.x - 2 * r.x + u.x, q.y - 2 * r.y + u.y),
  )
  const parts = Math.min(MOST_PARTS, Math.max(1, Math.ceil(Math.sqrt((0.75 * bend) / tolerance))))
  for (let k = 1; k < parts; k++) {
    const t = k / parts
    const s = 1 - t
    const at = (axis: 'x' | 'y'): number =>
      s * s * s * p[axis] + 3 * s * s * t * q[axis] + 3 * s * t * t * r[axis] + t * t * t * u[axis]
    points.push({ x: at('x'), y: at('y') })
  }
  points.push(u)
}
