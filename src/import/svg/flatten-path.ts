/**
 * Paths of SVG as rings and lines of points: curves are flattened, no farther from themselves than a tolerance.
 *
 * Method: a cubic curve cut in n equal parts of its parameter lies within 6/8 · m / n² of its chords, m the largest of its second
 * differences: the bound of linear interpolation on its second derivative. Frame: after the map that is given.
 */

import svgpath from 'svgpath'
import type { Vec2 } from '../../../schemas/vec2.ts'
import { type Affine, apply } from '../drawing/affine.ts'
import { endsAtStart } from '../drawing/closed-shape.ts'
import { addArc } from './arc.ts'

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
export function flattenPath(d: string, map: Affine, { tolerance, mostPoints }: Precision): Subpath[] | string {
  const tooLong = `Its path has more than ${mostPoints} points once its curves are flattened, which no shape has; a greater tolerance makes fewer.`
  if (leastPoints(d) > mostPoints) return tooLong
  const path = svgpath(d).abs().unshort() as ReturnType<typeof svgpath> & { err?: string }
  if (path.err) return `Its path is not one of SVG: ${path.err.replace(/^SvgPath: /, '')}.`
  const subpaths: Subpath[] = []
  let current: Subpath = { points: [], isClosed: false }
  let count = 0
  path.iterate((segment, _index, x, y) => {
    if (count > mostPoints) return
    const [command, ...numbers] = segment as [string, ...number[]]
    const from = { x, y }
    if (command === 'M') {
      count++
      current = { points: [apply(map, { x: numbers[0], y: numbers[1] })], isClosed: false }
      subpaths.push(current)
      return
    }
    if (current.isClosed) {
      // Goes on from where the last one began.
      current = { points: [current.points[0]], isClosed: false }
      subpaths.push(current)
    }
    const { points } = current
    const before = points.length
    if (command === 'L') points.push(apply(map, { x: numbers[0], y: numbers[1] }))
    else if (command === 'H') points.push(apply(map, { x: numbers[0], y }))
    else if (command === 'V') points.push(apply(map, { x, y: numbers[0] }))
    else if (command === 'C') addCubic(points, from, numbers, map, tolerance)
    else if (command === 'Q') addCubic(points, from, asCubic(from, numbers), map, tolerance)
    else if (command === 'A') addArc(points, from, numbers, map, tolerance)
    else if (command === 'Z' || command === 'z') current.isClosed = true
    count += points.length - before
  })
  if (count > mostPoints) return tooLong
  return subpaths.filter(({ points }) => points.length > 1).map(closed)
}

/** Numbers of an arc, which has most of all commands for a point. */
const MOST_NUMBERS = 7

/** Points that a path has at the least, by a look at its letters: of two commands one may close it. */
function leastPoints(d: string): number {
  let [commands, numbers, isInNumber] = [0, 0, false]
  for (let k = 0; k < d.length; k++) {
    const unit = d.charCodeAt(k)
    const isDigit = (unit >= 48 && unit <= 57) || unit === 46
    if (isDigit && !isInNumber) numbers++
    // what stands for a power of ten belongs to its number
    if (!isDigit && unit > 64 && (unit | 32) !== 101) commands++
    isInNumber = isDigit
  }
  return Math.max(Math.floor(commands / 2), Math.floor(numbers / 2 / MOST_NUMBERS))
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
