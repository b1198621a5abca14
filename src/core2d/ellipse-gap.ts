/**
 * The greatest gap between the supports of two ellipses, over all directions.
 *
 * Method: the gap is smooth in the direction, with derivative t·w (t the direction turned left, w the vector between the
 * support points); its local maxima are bracketed between directions at even eccentric anomalies of one ellipse, then of
 * the other, which resolves the narrow peaks of slender ones, and closed in on by false position.
 * Frame: world axes, origin at A's centre, B's centre at (dx, dy).
 */
import { type Body, edgeLength } from './body.ts'
import { createBoundaryPoint, ellipseSupport } from './ellipse.ts'
import { type Separation, setWitness } from './separation.ts'
import { BISECTION_COUNT } from './tolerances.ts'

/** Seed directions per ellipse; the gap has at most four local maxima. */
const SEED_COUNT = 32
const seedCos = Float64Array.from({ length: SEED_COUNT }, (_, i) => Math.cos((2 * Math.PI * (i + 0.5)) / SEED_COUNT))
const seedSin = Float64Array.from({ length: SEED_COUNT }, (_, i) => Math.sin((2 * Math.PI * (i + 0.5)) / SEED_COUNT))

const pointA = createBoundaryPoint()
const pointB = createBoundaryPoint()

/** Result of the last measurement: gap and its derivative by the angle. */
let gap = 0
let slope = 0

/** Sets value, normal and witness points. Negative gaps are penetration depths. */
export function setGreatestGap(a: Body, b: Body, dx: number, dy: number, out: Separation): void {
  out.value = -Infinity
  sweep(a, a, b, dx, dy, out)
  sweep(b, a, b, dx, dy, out)
}

/** Looks for local maxima between the normals of `e` at even eccentric anomalies. */
function sweep(e: Body, a: Body, b: Body, dx: number, dy: number, out: Separation): void {
  let fromX = 0
  let fromY = 0
  let fromSlope = Number.NaN
  for (let i = -1; i < SEED_COUNT; i++) {
    const seed = i < 0 ? SEED_COUNT - 1 : i
    const u = seedCos[seed] * e.ry
    const v = seedSin[seed] * e.rx
    const length = edgeLength(u, v)
    const toX = (e.cos * u - e.sin * v) / length
    const toY = (e.sin * u + e.cos * v) / length
    measure(a, b, dx, dy, toX, toY)
    const toSlope = slope
    if (fromSlope >= 0 && toSlope <= 0) climb(a, b, dx, dy, fromX, fromY, fromSlope, toX, toY, toSlope, out)
    fromX = toX
    fromY = toY
    fromSlope = toSlope
  }
}

function measure(a: Body, b: Body, dx: number, dy: number, nx: number, ny: number): void {
  const heightA = ellipseSupport(a, nx, ny, pointA)
  const heightB = ellipseSupport(b, -nx, -ny, pointB)
  gap = nx * dx + ny * dy - heightA - heightB
  slope = nx * (dy + pointB.y - pointA.y) - ny * (dx + pointB.x - pointA.x)
}

/**
 * Closes in on the slope's sign change between two directions by false position in its Illinois form (M. Dowell,
 * P. Jarratt, BIT 11 (1971)) and keeps the maximum.
 */
function climb(
  a: Body,
  b: Body,
  dx: number,
  dy: number,
  lowX: number,
  lowY: number,
  lowSlope: number,
  highX: number,
  highY: number,
  highSlope: number,
  out: Separation,
): void {
  let x = lowX
  let y = lowY
  let low = 0
  let high = 1
  let side = 0
  for (let i = 0; i < BISECTION_COUNT && lowSlope !== highSlope; i++) {
    const share = low + ((high - low) * lowSlope) / (lowSlope - highSlope)
    x = lowX + share * (highX - lowX)
    y = lowY + share * (highY - lowY)
    const length = edgeLength(x, y)
    x /= length
    y /= length
    if (share <= low || share >= high) break
    measure(a, b, dx, dy, x, y)
    if (slope === 0) break
    if (slope > 0) {
      low = share
      lowSlope = slope
      if (side > 0) highSlope /= 2
      side = 1
    } else {
      high = share
      highSlope = slope
      if (side < 0) lowSlope /= 2
      side = -1
    }
  }
  measure(a, b, dx, dy, x, y)
  if (gap <= out.value) return
  out.value = gap
  out.nx = x
  out.ny = y
  setWitness(out, pointA.x, pointA.y, 0, dx + pointB.x, dy + pointB.y, 0)
}
