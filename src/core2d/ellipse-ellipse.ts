/**
 * Ellipse against ellipse.
 *
 * Method: the signed separation is the greatest gap between the supports over all directions. The gap is smooth in the
 * direction, with derivative t·w (t the direction turned left, w the vector between the support points); its local
 * maxima are bracketed between directions spread evenly over both eccentric anomalies, which resolves the narrow peaks
 * of slender ellipses, and closed in on by bisection.
 * Frame: world axes, origin at A's centre, B's centre at (dx, dy).
 */
import type { Body } from './body.ts'
import { createBoundaryPoint, ellipseSupport } from './ellipse.ts'
import { decidesExactly, exactEllipseEllipse } from './exact-ellipse.ts'
import { SURFACE_FEATURE } from './feature.ts'
import { type Separation, settle, setWitness } from './separation.ts'
import { BISECTION_COUNT, ELLIPSE_ERROR_RATIO } from './tolerances.ts'

/** Seed directions per ellipse; the gap has at most four local maxima. */
const SEED_COUNT = 32

const pointA = createBoundaryPoint()
const pointB = createBoundaryPoint()
const seedX = new Float64Array(2 * SEED_COUNT)
const seedY = new Float64Array(2 * SEED_COUNT)

/** Result of the last measurement: gap and its derivative by the angle. */
let gap = 0
let slope = 0

export function ellipseEllipse(a: Body, b: Body, dx: number, dy: number, _error: number, out: Separation): void {
  sortSeeds(a, b)
  out.value = -Infinity
  out.face = 0
  out.featureA = SURFACE_FEATURE
  out.featureB = SURFACE_FEATURE
  const last = 2 * SEED_COUNT - 1
  let fromX = seedX[last]
  let fromY = seedY[last]
  measure(a, b, dx, dy, fromX, fromY)
  let rising = slope >= 0
  for (let i = 0; i <= last; i++) {
    const toX = seedX[i]
    const toY = seedY[i]
    measure(a, b, dx, dy, toX, toY)
    const rises = slope >= 0
    if (rising && !rises) climb(a, b, dx, dy, fromX, fromY, toX, toY, out)
    fromX = toX
    fromY = toY
    rising = rises
  }
  if (out.value === -Infinity) climb(a, b, dx, dy, 1, 0, 1, 0, out)
  const extent = Math.abs(dx) + Math.abs(dy) + a.reach + b.reach
  const open = Math.abs(out.value) <= ELLIPSE_ERROR_RATIO * extent
  const exact = open && decidesExactly(a, b)
  settle(out, exact ? exactEllipseEllipse(a, b) : out.value > 0 ? 1 : out.value < 0 ? -1 : 0, extent)
}

function measure(a: Body, b: Body, dx: number, dy: number, nx: number, ny: number): void {
  const heightA = ellipseSupport(a, nx, ny, pointA)
  const heightB = ellipseSupport(b, -nx, -ny, pointB)
  gap = nx * dx + ny * dy - heightA - heightB
  slope = nx * (dy + pointB.y - pointA.y) - ny * (dx + pointB.x - pointA.x)
}

/** Bisects the sign change of the slope between two directions and keeps the best end. */
function climb(
  a: Body,
  b: Body,
  dx: number,
  dy: number,
  lowX: number,
  lowY: number,
  highX: number,
  highY: number,
  out: Separation,
): void {
  for (let i = 0; i < BISECTION_COUNT; i++) {
    const x = lowX + highX
    const y = lowY + highY
    const length = Math.hypot(x, y)
    const nx = x / length
    const ny = y / length
    if ((nx === lowX && ny === lowY) || (nx === highX && ny === highY)) break
    measure(a, b, dx, dy, nx, ny)
    if (slope >= 0) {
      lowX = nx
      lowY = ny
    } else {
      highX = nx
      highY = ny
    }
  }
  measure(a, b, dx, dy, lowX, lowY)
  if (gap <= out.value) return
  out.value = gap
  out.nx = lowX
  out.ny = lowY
  setWitness(out, pointA.x, pointA.y, 0, dx + pointB.x, dy + pointB.y, 0)
}

/** Unit normals at even eccentric anomalies of A and of −B, in order of angle. */
function sortSeeds(a: Body, b: Body): void {
  const order: { angle: number; x: number; y: number }[] = []
  for (const e of [a, b]) {
    for (let i = 0; i < SEED_COUNT; i++) {
      const anomaly = (2 * Math.PI * (i + 0.5)) / SEED_COUNT
      const u = Math.cos(anomaly) / e.rx
      const v = Math.sin(anomaly) / e.ry
      const length = Math.hypot(u, v)
      const x = (e.cos * u - e.sin * v) / length
      const y = (e.sin * u + e.cos * v) / length
      order.push({ angle: Math.atan2(y, x), x, y })
    }
  }
  order.sort((p, q) => p.angle - q.angle)
  order.forEach((seed, i) => {
    seedX[i] = seed.x
    seedY[i] = seed.y
  })
}
