/**
 * Curves that bound bodies, by rational parameters, and points on them with exact coordinates.
 *
 * Method: a straight piece is a line, and a circle or ellipse the image of ((1 − t²)/(1 + t²), 2t/(1 + t²)); a line at the distance r
 * from a given one has coordinates with one square root. Whatever another body is bounded by is the zero set of a polynomial of
 * degree 1 or 2 in x and y; along the curve that is a polynomial in t, with or without the root, whose product with its conjugate
 * is free of it and vanishes wherever it does.
 * Frame: as `placed-parts.ts` has it.
 */

import { integerRatio } from '../../numeric/exact-ring.ts'
import { wordsOf } from '../../numeric/integer-polynomial.ts'
import type { Rational } from '../../numeric/parameter-cuts.ts'
import {
  addRoots,
  integerRoot,
  multiplyRoots,
  NOTHING,
  type RootNumber,
  scaleRoot,
  subtractRoots,
  whole,
} from '../../numeric/root-number.ts'
import { scaleBy } from '../../numeric/safe-range.ts'
import { OFFSET, RX, RY } from '../shape/body.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { type ExactPoint, type Grid, type PlacedPart, toGrid } from './placed-parts.ts'

const BITS_PER_WORD = 64

/** A point (x, y)/w with coordinates of the form a + b√root; and the rounded one, off by no more than `slack`. */
export interface Spot {
  root: bigint
  x: RootNumber
  y: RootNumber
  w: bigint
  roundedX: number
  roundedY: number
  slack: number
}

/** x, y and w as polynomials of the parameter, by rising power. */
export interface Curve {
  root: bigint
  x: RootNumber[]
  y: RootNumber[]
  w: bigint[]
}

/** xx·x² + xy·x·y + yy·y² + x·x + y·y + one; `linear` where the first three are 0. */
export interface Conic {
  linear: boolean
  xx: bigint
  xy: bigint
  yy: bigint
  x: bigint
  y: bigint
  one: bigint
}

/** The segment from p (parameter 0) to q (parameter 1), pushed out to its right by the radius. */
export function segmentCurve(p: ExactPoint, q: ExactPoint, radius: bigint): Curve {
  const ex = q.x - p.x
  const ey = q.y - p.y
  if (radius === 0n) {
    return { root: 0n, x: [whole(p.x), whole(ex)], y: [whole(p.y), whole(ey)], w: [1n] }
  }
  return pushedLine(p, ex, ey, radius)
}

/** The line from p along (ex, ey), pushed to its right by the distance. */
function pushedLine(p: ExactPoint, ex: bigint, ey: bigint, distance: bigint): Curve {
  const square = ex * ex + ey * ey
  const root = integerRoot(square)
  const isWhole = root * root === square
  const push = (along: bigint, by: bigint): RootNumber =>
    isWhole ? whole(along * root + by) : { a: along * square, b: by }
  // Over the length where that is an integer, over its square otherwise.
  const w = isWhole ? root : square
  return {
    root: isWhole ? 0n : square,
    x: [push(p.x, distance * ey), whole(ex * w)],
    y: [push(p.y, -distance * ex), whole(ey * w)],
    w: [w],
  }
}

/** The boundary of a half-plane, which lies to its left. */
export function halfplaneCurve(part: PlacedPart, grid: Grid): Curve {
  const { x, y } = part.direction
  return pushedLine({ x: part.exactX, y: part.exactY }, -y, x, toGrid(grid, part.body.numbers[OFFSET]))
}

/** The image of the unit circle under (u, v) → c + (ux·u + vx·v, uy·u + vy·v)/unit. */
function circleImage(c: ExactPoint, ux: bigint, uy: bigint, vx: bigint, vy: bigint, unit: bigint): Curve {
  const row = (centre: bigint, u: bigint, v: bigint): RootNumber[] => [
    whole(centre * unit + u),
    whole(2n * v),
    whole(centre * unit - u),
  ]
  return { root: 0n, x: row(c.x, ux, vx), y: row(c.y, uy, vy), w: [unit, 0n, unit] }
}

export function circleCurve(centre: ExactPoint, radius: bigint): Curve {
  return circleImage(centre, radius, 0n, 0n, radius, 1n)
}

export function ellipseCurve(part: PlacedPart, grid: Grid): Curve {
  const { x, y, unit } = part.direction
  const rx = toGrid(grid, part.body.numbers[RX])
  const ry = toGrid(grid, part.body.numbers[RY])
  return circleImage({ x: part.exactX, y: part.exactY }, rx * x, rx * y, -ry * y, ry * x, unit)
}

/** The line through p and q; positive to the right of the way from p to q. */
export function lineConic(p: ExactPoint, q: ExactPoint): Conic {
  const x = q.y - p.y
  const y = p.x - q.x
  return { linear: true, xx: 0n, xy: 0n, yy: 0n, x, y, one: -(x * p.x + y * p.y) }
}

/** The line through p across the way to q. */
export function crossLineConic(p: ExactPoint, q: ExactPoint): Conic {
  const x = q.x - p.x
  const y = q.y - p.y
  return { linear: true, xx: 0n, xy: 0n, yy: 0n, x, y, one: -(x * p.x + y * p.y) }
}

/** (line)² − level: both lines at a distance from it. */
export function linePairConic({ x, y, one }: Conic, level: bigint): Conic {
  return {
    linear: false,
    xx: x * x,
    xy: 2n * x * y,
    yy: y * y,
    x: 2n * x * one,
    y: 2n * y * one,
    one: one * one - level,
  }
}

/** xx·u² + xy·u·v + yy·v² − level with (u, v) counted from the centre. */
function centredConic(c: ExactPoint, xx: bigint, xy: bigint, yy: bigint, level: bigint): Conic {
  return {
    linear: false,
    xx,
    xy,
    yy,
    x: -2n * xx * c.x - xy * c.y,
    y: -2n * yy * c.y - xy * c.x,
    one: xx * c.x * c.x + xy * c.x * c.y + yy * c.y * c.y - level,
  }
}

export function circleConic(centre: ExactPoint, radius: bigint): Conic {
  return centredConic(centre, 1n, 0n, 1n, radius * radius)
}

/**
 * Negative inside. With u along and v across the axis (c, s), each times |(c, s)|, the points of the ellipse are
 * ry²u² + rx²v² = rx²·ry²·(c² + s²)²: its half axes are rx and ry times |(c, s)|, which rounding has made nearly 1.
 */
export function ellipseConic(part: PlacedPart, grid: Grid): Conic {
  const { x: c, y: s, unit } = part.direction
  const rx = toGrid(grid, part.body.numbers[RX]) ** 2n
  const ry = toGrid(grid, part.body.numbers[RY]) ** 2n
  const square = c * c + s * s
  const scale = unit * unit
  return centredConic(
    { x: part.exactX, y: part.exactY },
    scale * (ry * c * c + rx * s * s),
    scale * 2n * c * s * (ry - rx),
    scale * (ry * s * s + rx * c * c),
    rx * ry * square * square,
  )
}

/** The boundary line of a half-plane and its mirror image about the position. */
export function halfplaneConic(part: PlacedPart, grid: Grid): Conic {
  const { x, y } = part.direction
  const offset = toGrid(grid, part.body.numbers[OFFSET])
  const line: Conic = {
    linear: true,
    xx: 0n,
    xy: 0n,
    yy: 0n,
    x,
    y,
    one: -(x * part.exactX + y * part.exactY),
  }
  return linePairConic(line, offset * offset * (x * x + y * y))
}

function productOf(f: readonly RootNumber[], g: readonly RootNumber[], root: bigint): RootNumber[] {
  const result: RootNumber[] = new Array(f.length + g.length - 1).fill(NOTHING)
  for (let i = 0; i < f.length; i++) {
    for (let j = 0; j < g.length; j++) result[i + j] = addRoots(result[i + j], multiplyRoots(f[i], g[j], root))
  }
  return result
}

function addScaled(sum: RootNumber[], f: readonly RootNumber[], by: bigint): void {
  for (let i = 0; i < f.length && by !== 0n; i++) sum[i] = addRoots(sum[i] ?? NOTHING, scaleRoot(f[i], by))
}

/** A polynomial with integer coefficients that vanishes at each parameter at which the curve meets the conic. */
export function meetingPolynomial({ root, x, y, w }: Curve, conic: Conic): bigint[] {
  const ws = w.map(whole)
  const sum: RootNumber[] = [NOTHING]
  if (conic.linear) {
    addScaled(sum, x, conic.x)
    addScaled(sum, y, conic.y)
    addScaled(sum, ws, conic.one)
  } else {
    addScaled(sum, productOf(x, x, root), conic.xx)
    addScaled(sum, productOf(x, y, root), conic.xy)
    addScaled(sum, productOf(y, y, root), conic.yy)
    addScaled(sum, productOf(x, ws, root), conic.x)
    addScaled(sum, productOf(y, ws, root), conic.y)
    addScaled(sum, productOf(ws, ws, root), conic.one)
  }
  const dense = Array.from(sum, (coefficient) => coefficient ?? NOTHING)
  if (root === 0n || dense.every(({ b }) => b === 0n)) return dense.map(({ a }) => a)
  const conjugate = dense.map(({ a, b }) => ({ a, b: -b }))
  return productOf(dense, conjugate, root).map(({ a }) => a)
}

/** The curve's point at the parameter. */
export function spotAt(curve: Curve, { n, d }: Rational, grid: Grid): Spot {
  const degree = curve.x.length - 1
  const powers: bigint[] = []
  for (let k = 0; k <= degree; k++) powers.push(n ** BigInt(k) * d ** BigInt(degree - k))
  let x = NOTHING
  let y = NOTHING
  let w = 0n
  for (let k = 0; k <= degree; k++) {
    x = addRoots(x, scaleRoot(curve.x[k], powers[k]))
    y = addRoots(y, scaleRoot(curve.y[k], powers[k]))
    w += (curve.w[k] ?? 0n) * powers[k]
  }
  // A line's w is a constant; it goes with the highest power of the denominator.
  return roundedSpot(curve.root, x, y, w, grid)
}

/** A point with whole coordinates over w > 0. */
export function wholeSpot(x: bigint, y: bigint, w: bigint, grid: Grid): Spot {
  return roundedSpot(0n, whole(x), whole(y), w, grid)
}

function roundedSpot(root: bigint, x: RootNumber, y: RootNumber, w: bigint, grid: Grid): Spot {
  const originX = toGrid(grid, grid.originX) * w
  const originY = toGrid(grid, grid.originY) * w
  const fromX = subtractRoots(x, whole(originX))
  const fromY = subtractRoots(y, whole(originY))
  const partsX = roundedParts(fromX, root, w, grid)
  const partsY = roundedParts(fromY, root, w, grid)
  const size = Math.abs(partsX[0]) + Math.abs(partsX[1]) + Math.abs(partsY[0]) + Math.abs(partsY[1])
  return {
    root,
    x,
    y,
    w,
    roundedX: partsX[0] + partsX[1],
    roundedY: partsY[0] + partsY[1],
    slack: SEPARATION_ERROR_RATIO * size + 64 * Number.MIN_VALUE,
  }
}

function roundedParts({ a, b }: RootNumber, root: bigint, w: bigint, grid: Grid): [number, number] {
  const first = a === 0n ? 0 : integerRatio(a, w, grid.unitExponent)
  if (b === 0n || root === 0n) return [first, 0]
  const square = b * b * root
  const below = w * w
  // About the exponent of the result, so that its square is near 1.
  const exponent = (BITS_PER_WORD / 2) * (wordsOf(square) - wordsOf(below))
  const second = scaleBy(Math.sqrt(integerRatio(square, below, -2 * exponent)), exponent + grid.unitExponent)
  return [first, b < 0n ? -second : second]
}
