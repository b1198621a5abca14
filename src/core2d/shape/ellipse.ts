/**
 * Ellipse measurements: support point and nearest boundary point.
 *
 * Method: support in closed form; nearest point by the root of Eberly's rational function ("Distance from a Point to an
 * Ellipse, an Ellipsoid, or a Hyperellipsoid", Geometric Tools, 2013), found by Newton's method.
 * Frame: world axes, origin at the ellipse's centre.
 */

import { BISECTION_COUNT } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { ELLIPSE_ERROR_RATIO, FAR_RATIO, NEGLIGIBLE_RATIO, SLENDER_SQUARE } from '../tolerances.ts'
import { type Body, COS, RX, RY, SIN } from './body.ts'

/** A boundary point and the outward unit normal there. */
export interface BoundaryPoint {
  x: number
  y: number
  nx: number
  ny: number
}

export function createBoundaryPoint(): BoundaryPoint {
  return { x: 0, y: 0, nx: 0, ny: 0 }
}

/** Height of the ellipse over its centre along (nx, ny), a unit vector or any other; the support point goes to `out`. */
export function ellipseSupport(e: Body, nx: number, ny: number, out: BoundaryPoint): number {
  const { numbers } = e
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const rx = numbers[RX]
  const ry = numbers[RY]
  const u = rx * (cos * nx + sin * ny)
  const v = ry * (cos * ny - sin * nx)
  const height = vectorLength(u, v)
  const x = height > 0 ? rx * (u / height) : 0
  const y = height > 0 ? ry * (v / height) : 0
  out.x = cos * x - sin * y
  out.y = sin * x + cos * y
  out.nx = nx
  out.ny = ny
  return height
}

/** Height of the ellipse over its centre along a unit vector, at any scale. */
export function ellipseHeight({ numbers }: Body, nx: number, ny: number): number {
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const rx = numbers[RX]
  const ry = numbers[RY]
  return Math.hypot(rx * (cos * nx + sin * ny), ry * (cos * ny - sin * nx))
}

/** Sets min x, min y, max x, max y about the centre. */
export function setEllipseBox({ numbers }: Body, box: Float64Array): void {
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const rx = numbers[RX]
  const ry = numbers[RY]
  const halfX = Math.hypot(rx * cos, ry * sin)
  const halfY = Math.hypot(rx * sin, ry * cos)
  box[0] = -halfX
  box[1] = -halfY
  box[2] = halfX
  box[3] = halfY
}

/** Radius of a disc about the point that lies in the ellipse; negative where there is none. */
export function ellipseInnerRadius({ numbers }: Body, x: number, y: number): number {
  const rx = numbers[RX]
  const ry = numbers[RY]
  return Math.min(rx, ry) - vectorLength(x, y)
}

/** Whether the point lies in the ellipse by more than `margin` for certain. */
export function ellipseHolds({ numbers }: Body, x: number, y: number, margin: number): boolean {
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const rx = numbers[RX]
  const ry = numbers[RY]
  const along = (Math.abs(cos * x + sin * y) + margin) / rx
  const across = (Math.abs(cos * y - sin * x) + margin) / ry
  return along * along + across * across < 1 - ELLIPSE_ERROR_RATIO
}

/** Sets area and moment of inertia about the centre, in units of length of `unit`. */
export function setEllipseMoments(e: Body, unit: number, out: { area: number; inertia: number }): void {
  const rx = e.numbers[RX] / unit
  const ry = e.numbers[RY] / unit
  out.area = Math.PI * rx * ry
  out.inertia = (out.area * (rx * rx + ry * ry)) / 4
}

/** Some order of ellipses by their axes: negative, 0 for equal ones, or positive. */
export function compareEllipses(a: Body, b: Body): number {
  if (a.numbers[RX] !== b.numbers[RX]) return a.numbers[RX] - b.numbers[RX]
  if (a.numbers[RY] !== b.numbers[RY]) return a.numbers[RY] - b.numbers[RY]
  if (a.numbers[SIN] !== b.numbers[SIN]) return a.numbers[SIN] - b.numbers[SIN]
  return a.numbers[COS] - b.numbers[COS]
}

/** Whether the point lies inside or on the ellipse, rounded. */
export function ellipseContains(e: Body, px: number, py: number): boolean {
  const u = (e.numbers[COS] * px + e.numbers[SIN] * py) / e.numbers[RX]
  const v = (e.numbers[COS] * py - e.numbers[SIN] * px) / e.numbers[RY]
  return u * u + v * v <= 1
}

/** Boundary point nearest to (px, py), which may lie inside or outside. */
export function nearestOnEllipse(e: Body, px: number, py: number, out: BoundaryPoint): void {
  solve(e, px, py, false, out)
}

/**
 * The other local minimum of the distance to the boundary, across the major axis: points within the evolute have one.
 * False when there is none.
 */
export function secondNearestOnEllipse(e: Body, px: number, py: number, out: BoundaryPoint): boolean {
  return solve(e, px, py, true, out)
}

/** Reduces to the first quadrant of an ellipse whose major axis is x, solves there and maps back. */
function solve(e: Body, px: number, py: number, second: boolean, out: BoundaryPoint): boolean {
  const { numbers } = e
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const away = vectorLength(px, py)
  if (away * FAR_RATIO > Math.max(e.numbers[RX], e.numbers[RY])) {
    // Every normal of the ellipse is as good as parallel there; and shares of its axes might overflow.
    if (!second) ellipseSupport(e, px / away, py / away, out)
    return !second
  }
  const u = cos * px + sin * py
  const v = cos * py - sin * px
  const swapped = e.numbers[RY] > e.numbers[RX]
  const major = swapped ? e.numbers[RY] : e.numbers[RX]
  const minor = swapped ? e.numbers[RX] : e.numbers[RY]
  const along = Math.abs(swapped ? v : u)
  const across = Math.abs(swapped ? u : v)
  const found = second ? secondRoot(major, minor, along, across) : firstRoot(major, minor, along, across)
  if (!found) return false
  const signU = u < 0 ? -1 : 1
  const signV = v < 0 ? -1 : 1
  const x = signU * (swapped ? footAcross : footAlong)
  const y = signV * (swapped ? footAlong : footAcross)
  // The gradient, scaled so that it neither overflows nor vanishes; a tip beyond all measure points along its axis.
  const normalU = (x / e.numbers[RX]) * (minor / e.numbers[RX])
  const normalV = (y / e.numbers[RY]) * (minor / e.numbers[RY])
  const length = vectorLength(normalU, normalV)
  const n = length > 0 ? normalU / length : Math.sign(x)
  const m = length > 0 ? normalV / length : Math.sign(y)
  out.x = cos * x - sin * y
  out.y = sin * x + cos * y
  out.nx = cos * n - sin * m
  out.ny = sin * n + cos * m
  return true
}

/** Foot of the last solve, along the major and across it. */
let footAlong = 0
let footAcross = 0

/** Both roots work in coordinates scaled by the axes; the unknown t puts the foot at (along/(f + q·t), across/t). */
function firstRoot(major: number, minor: number, along: number, across: number): boolean {
  const q = (minor / major) ** 2
  const f = ((major - minor) / major) * (1 + minor / major)
  const z0 = along / major
  const z1 = across / minor
  if (z1 < NEGLIGIBLE_RATIO || q < SLENDER_SQUARE) {
    // On the major axis: the foot leaves the axis while the point lies between the centres of curvature.
    const share = q < SLENDER_SQUARE ? Math.min(z0, 1) : z0 / f
    const off = f > 0 && share <= 1
    footAlong = off ? major * share : major
    footAcross = off ? minor * Math.sqrt((1 - share) * (1 + share)) : 0
    return true
  }
  const t = approach(Math.max(z1, (z0 - f) / q), q, f, z0, z1)
  footAlong = along / (f + q * t)
  footAcross = across / t
  return true
}

/** Newton's method from `start`, where the function is convex and positive: every step stays on the root's near side. */
function approach(start: number, q: number, f: number, z0: number, z1: number): number {
  const direction = start > 0 ? 1 : -1
  let t = start
  for (let i = 0; i < BISECTION_COUNT; i++) {
    const base = f + q * t
    const ratio0 = z0 / base
    const ratio1 = z1 / t
    const excess = ratio0 * ratio0 + ratio1 * ratio1 - 1
    const slope = 2 * ((q * ratio0 * ratio0) / base + (ratio1 * ratio1) / t)
    const next = t + excess / slope
    if (!(direction * (next - t) > 0)) break
    t = next
  }
  return t
}

function secondRoot(major: number, minor: number, along: number, across: number): boolean {
  if (major === minor) return false
  const q = (minor / major) ** 2
  const f = ((major - minor) / major) * (1 + minor / major)
  const z0 = along / major
  const z1 = across / minor
  if (z1 < NEGLIGIBLE_RATIO || q < SLENDER_SQUARE) {
    firstRoot(major, minor, along, across)
    footAcross = -footAcross
    return footAcross !== 0
  }
  if (z0 < NEGLIGIBLE_RATIO) {
    footAlong = 0
    footAcross = -minor
    return true
  }
  // Between the poles −f/q and 0 the function is convex; its least point in closed form must lie below the root.
  const k = Math.cbrt((z0 / z1 / q) ** 2)
  const lowest = -f / q / (1 + k)
  const base = (f * k) / (1 + k)
  if (!((z0 / base) ** 2 + (z1 / lowest) ** 2 < 1)) return false
  const t = approach(-z1, q, f, z0, z1)
  footAlong = along / (f + q * t)
  footAcross = across / t
  return true
}
