/**
 * Ellipse against ellipse: the signed separation is the greatest gap between the supports.
 * Frame: world axes, origin at A's centre, B's centre at (dx, dy).
 */

import { spend } from '../../containers/budget.ts'
import { BISECTION_COUNT } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { SURFACE_FEATURE } from '../feature.ts'
import { type Body, COS, RX, RY, SIN } from '../shape/body.ts'
import { createBoundaryPoint, ellipseSupport, nearestOnEllipse } from '../shape/ellipse.ts'
import type { Frame } from '../shape/position.ts'
import { ELLIPSE_ERROR_RATIO, PROJECTION_COUNT } from '../tolerances.ts'
import { exactEllipseEllipse, settleWithEllipse } from './exact-ellipse.ts'
import type { Separation } from './separation.ts'

const pointA = createBoundaryPoint()
const pointB = createBoundaryPoint()

export function ellipseEllipse(a: Body, b: Body, frame: Frame, out: Separation): void {
  const { dx, dy } = frame
  out.face = 0
  out.featureA = SURFACE_FEATURE
  out.featureB = SURFACE_FEATURE
  setGreatestGap(a, b, dx, dy, out)
  // The support point of a slender ellipse runs off at the least turn of the direction; projections bring it back.
  const limit = out.value + ELLIPSE_ERROR_RATIO * frame.extent
  for (let i = 0; i < PROJECTION_COUNT && out.value > 0; i++) {
    nearestOnEllipse(a, out.bx, out.by, pointA)
    nearestOnEllipse(b, pointA.x - dx, pointA.y - dy, pointB)
    out.ax = pointA.x
    out.ay = pointA.y
    out.bx = dx + pointB.x
    out.by = dy + pointB.y
    if (vectorLength(out.bx - out.ax, out.by - out.ay) <= limit) break
  }
  settleWithEllipse(out, a, b, frame, exactEllipseEllipse)
}

// The greatest gap between the supports of two ellipses, over all directions.
//
// Method: the gap is smooth in the direction, with derivative t·w (t the direction turned left, w the vector between the
// support points); its local maxima, of which there are few, are bracketed between directions at even eccentric
// anomalies of both ellipses, which resolve the narrow peaks of slender ones, and at even angles, and closed in on by
// false position.
// Frame: world axes, origin at A's centre, B's centre at (dx, dy).

/** Seed directions at even eccentric anomalies of each ellipse, and as many at even angles. */
const SEED_COUNT = 24
const seedCos = Float64Array.from({ length: SEED_COUNT }, (_, i) => Math.cos((2 * Math.PI * i) / SEED_COUNT))
const seedSin = Float64Array.from({ length: SEED_COUNT }, (_, i) => Math.sin((2 * Math.PI * i) / SEED_COUNT))
const seedX = new Float64Array(3 * SEED_COUNT)
const seedY = new Float64Array(3 * SEED_COUNT)
/** Order of the seeds by angle, and their diamond angles, which grow with the angle. */
const order = Uint32Array.from({ length: 3 * SEED_COUNT }, (_, i) => i)
const diamond = new Float64Array(3 * SEED_COUNT)

const rimA = createBoundaryPoint()
const rimB = createBoundaryPoint()

/** Result of the last measurement: gap and its derivative by the angle. */
let gap = 0
let slope = 0

/** Sets value, normal and witness points. Negative gaps are penetration depths. */
function setGreatestGap(a: Body, b: Body, dx: number, dy: number, out: Separation): void {
  spend(order.length)
  setSeeds(a, 0)
  setSeeds(b, SEED_COUNT)
  for (let i = 0; i < SEED_COUNT; i++) setSeed(2 * SEED_COUNT + i, seedCos[i], seedSin[i])
  sortByAngle()
  out.value = -Infinity
  const last = order[order.length - 1]
  let fromX = seedX[last]
  let fromY = seedY[last]
  measure(a, b, dx, dy, fromX, fromY)
  let fromSlope = slope
  for (const seed of order) {
    const toX = seedX[seed]
    const toY = seedY[seed]
    measure(a, b, dx, dy, toX, toY)
    const toSlope = slope
    if (fromSlope >= 0 && toSlope <= 0) climb(a, b, dx, dy, fromX, fromY, fromSlope, toX, toY, toSlope, out)
    fromX = toX
    fromY = toY
    fromSlope = toSlope
  }
}

/** Normals of `e` at even eccentric anomalies: they crowd where the curve is flat and the normal hardly turns. */
function setSeeds(e: Body, first: number): void {
  const { numbers } = e
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const rx = numbers[RX]
  const ry = numbers[RY]
  const major = Math.max(rx, ry)
  for (let i = 0; i < SEED_COUNT; i++) {
    const u = seedCos[i] * (ry / major)
    const v = seedSin[i] * (rx / major)
    const length = vectorLength(u, v)
    if (length > 0) setSeed(first + i, (cos * u - sin * v) / length, (sin * u + cos * v) / length)
    else setSeed(first + i, cos, sin)
  }
}

function setSeed(index: number, x: number, y: number): void {
  seedX[index] = x
  seedY[index] = y
  const share = y / (Math.abs(x) + Math.abs(y))
  diamond[index] = x < 0 ? 2 - share : share < 0 ? 4 + share : share
}

/** Insertion sort of three rising sequences, from the order of the last call: few steps for like ellipses. */
function sortByAngle(): void {
  for (let i = 1; i < order.length; i++) {
    const seed = order[i]
    const angle = diamond[seed]
    let j = i - 1
    while (j >= 0 && isAfter(order[j], seed, angle)) {
      order[j + 1] = order[j]
      j--
    }
    order[j + 1] = seed
  }
}

/** Equal angles go by index, so that the order never depends on an earlier call. */
function isAfter(other: number, seed: number, angle: number): boolean {
  return diamond[other] > angle || (diamond[other] === angle && other > seed)
}

function measure(a: Body, b: Body, dx: number, dy: number, nx: number, ny: number): void {
  const heightA = ellipseSupport(a, nx, ny, rimA)
  const heightB = ellipseSupport(b, -nx, -ny, rimB)
  gap = nx * dx + ny * dy - heightA - heightB
  slope = nx * (dy + rimB.y - rimA.y) - ny * (dx + rimB.x - rimA.x)
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
    const length = vectorLength(x, y)
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
  out.ax = rimA.x
  out.ay = rimA.y
  out.bx = dx + rimB.x
  out.by = dy + rimB.y
}
