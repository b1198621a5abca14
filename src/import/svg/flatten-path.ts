/**
 * Paths of SVG as rings and lines of points: curves are flattened, no farther from themselves than a tolerance.
 *
 * Method: a cubic curve cut in n equal parts of its parameter lies within 6/8 · m / n² of its chords, m the largest of its second
 * differences: the bound of linear interpolation on its second derivative. Arcs are cubic curves first (svgpath), to parts in 10⁴ of
 * their radius. Frame: after the matrix that is given.
 */

import svgpath from 'svgpath'
import type { Vec2 } from '../../../schemas/vec2.ts'
import type { Affine } from '../drawing/affine.ts'
import { endsAtStart } from '../drawing/closed-shape.ts'

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
export function flattenPath(d: string, { a, b, c, d: dd, e, f }: Affine, precision: Precision): Subpath[] | string {
  const { tolerance, mostPoints } = precision
  const tooLong = `Its path has more than ${mostPoints} points once its curves are flattened, which no shape has.`
  if (leastPoints(d) > mostPoints) return tooLong
  const path = svgpath(d).abs().unarc().unshort().matrix([a, b, c, dd, e, f]) as ReturnType<typeof svgpath> & {
    err?: string
  }
  if (path.err) return `Its path is not one of SVG: ${path.err}.`
  const subpaths: Subpath[] = []
  let current: Subpath = { points: [], isClosed: false }
  let count = 0
  path.iterate((segment, _index, x, y) => {
    if (count > mostPoints) return
    const [command, ...numbers] = segment as [string, ...number[]]
    const from = { x, y }
    if (command === 'M') {
      count++
      current = { points: [{ x: numbers[0], y: numbers[1] }], isClosed: false }
      subpaths.push(current)
      return
    }
    if (current.isClosed) {
      // Goes on from where the last one began.
      current = { points: [current.points[0]], isClosed: false }
      subpaths.push(current)
    }
    const { points } = current
    count -= points.length
    if (command === 'L') points.push({ x: numbers[0], y: numbers[1] })
    else if (command === 'H') points.push({ x: numbers[0], y: from.y })
    else if (command === 'V') points.push({ x: from.x, y: numbers[0] })
    else if (command === 'C') addCubic(points, from, numbers, tolerance)
    else if (command === 'Q') addCubic(points, from, asCubic(from, numbers), tolerance)
    else if (command === 'Z' || command === 'z') current.isClosed = true
    count += points.length
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

function addCubic(points: Vec2[], { x, y }: Vec2, [x1, y1, x2, y2, x3, y3]: number[], tolerance: number): void {
  const bend = Math.max(Math.hypot(x - 2 * x1 + x2, y - 2 * y1 + y2), Math.hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3))
  const parts = Math.min(MOST_PARTS, Math.max(1, Math.ceil(Math.sqrt((0.75 * bend) / tolerance))))
  for (let k = 1; k < parts; k++) {
    const t = k / parts
    const s = 1 - t
    const at = (p: number, q: number, r: number, u: number): number =>
      s * s * s * p + 3 * s * s * t * q + 3 * s * t * t * r + t * t * t * u
    points.push({ x: at(x, x1, x2, x3), y: at(y, y1, y2, y3) })
  }
  points.push({ x: x3, y: y3 })
}
