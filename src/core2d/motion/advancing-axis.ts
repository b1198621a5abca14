/**
 * The gap between two moving bodies along one axis, and how long it certainly stays open.
 *
 * The gap along any unit axis from A to B is a lower bound of their separation, and along the axis of their nearest
 * features it is the separation itself. The axis may turn: with the body whose edge it is normal to, or not at all.
 * Method: seen from the axis, a core point at distance r from its pivot that turns at rate w has a height whose second
 * derivative is at most w²r. So the gap at τ is at least the least of quadratics over the core points (of a curve,
 * over all its material points: its support along a direction that moves along the tangent). That bound is concave: its
 * root is closed in on from above by the root of whichever quadratic is least there, and a chord from 0 to any point
 * above the root is safe. Near a contact the bound is right to second order, so the advance converges quadratically, and
 * it never passes a root. Conservative advancement: B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems",
 * 1996; an axis per round: E. Catto, "Continuous Collision", GDC 2013, whose root search is not certified.
 * Frame: world axes, origin at A's pivot; τ counts from the moment the bodies are posed at (`moving-pair.ts`).
 */

import { fallTime } from '../../numeric/orbit.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { COS, ELLIPSE, isCored, isCurved, LOCAL, OFFSET, RADIUS, RX, RY, SIN } from '../shape/body.ts'
import { createBoundaryPoint } from '../shape/ellipse.ts'
import { curveOf } from '../shape/kinds.ts'
import type { Mover, SpinSweep } from './moving-pair.ts'

/** One body as seen from the axis. */
interface AxisSide {
  mover: Mover | null
  /** 1 for A, −1 for B: the side of the axis the body's support is looked for on. */
  sign: number
  /** How fast the axis turns seen from the body. */
  spin: number
  /** Towards the other body, seen from the body as posed; at the last evaluation. */
  ux: number
  uy: number
  /** Heights of the core points over the pivot along (ux, uy), and their rates, at the last evaluation. */
  heights: Float64Array
  rates: Float64Array
  /** The support: which core point was chosen last, its height and rate, and the bound on its second derivative; its height at the step asked about. */
  point: number
  top: number
  height: number
  rate: number
  bend: number
}

interface Axis {
  nx: number
  ny: number
  spin: number
  a: AxisSide
  b: AxisSide
  /** At the last evaluation: τ, gap less skins, its rate, and the bound on the centres' share of its second derivative. */
  tau: number
  gap: number
  rate: number
  /** Height of B's pivot over A's along the axis, its rate and the bound on its second derivative. */
  height: number
  heightRate: number
  bend: number
}

function createSide(sign: number): AxisSide {
  return {
    mover: null,
    sign,
    spin: 0,
    ux: 0,
    uy: 0,
    heights: new Float64Array(8),
    rates: new Float64Array(8),
    point: 0,
    top: 0,
    height: 0,
    rate: 0,
    bend: 0,
  }
}

export function createAxis(): Axis {
  return {
    nx: 0,
    ny: 0,
    spin: 0,
    a: createSide(1),
    b: createSide(-1),
    tau: 0,
    gap: 0,
    rate: 0,
    height: 0,
    heightRate: 0,
    bend: 0,
  }
}

/** Lays the axis (nx, ny), which turns at `axis.spin`, through the bodies as posed. Set those three first. */
export function setAxis(axis: Axis, sweep: SpinSweep): void {
  setSide(axis.a, sweep.a, axis)
  setSide(axis.b, sweep.b, axis)
  measureAxis(axis, sweep, 0)
}

function setSide(side: AxisSide, mover: Mover, axis: Axis): void {
  side.mover = mover
  side.spin = axis.spin - mover.spin
  const { count } = mover.body
  if (side.heights.length < count) {
    const capacity = 2 ** Math.ceil(Math.log2(count))
    side.heights = new Float64Array(capacity)
    side.rates = new Float64Array(capacity)
  }
  // A side that keeps its place under the axis is measured once.
  if (side.spin !== 0) return
  side.ux = side.sign * axis.nx
  side.uy = side.sign * axis.ny
  measureSide(side)
}

/** Evaluates gap and rate at `tau`. Cost O(vertices) for a body that turns under the axis. */
export function measureAxis(axis: Axis, sweep: SpinSweep, tau: number): void {
  const { nx, ny, spin, a, b } = axis
  let x = nx
  let y = ny
  if (spin !== 0 && tau !== 0) {
    const cos = Math.cos(spin * tau)
    const sin = Math.sin(spin * tau)
    x = cos * nx - sin * ny
    y = sin * nx + cos * ny
  }
  const dx = sweep.dx + sweep.vx * tau
  const dy = sweep.dy + sweep.vy * tau
  axis.tau = tau
  axis.height = x * dx + y * dy
  axis.heightRate = x * sweep.vx + y * sweep.vy
  axis.bend = 0
  if (spin !== 0) {
    axis.heightRate += spin * (x * dy - y * dx)
    axis.bend = spin * spin * vectorLength(dx, dy) + 3 * Math.abs(spin) * sweep.speed
  }
  if (a.spin !== 0) turnSide(a, axis)
  if (b.spin !== 0) turnSide(b, axis)
  axis.gap =
    axis.height -
    a.height -
    b.height -
    (a.mover as Mover).posed.numbers[RADIUS] -
    (b.mover as Mover).posed.numbers[RADIUS]
  axis.rate = axis.heightRate - a.rate - b.rate
}

function turnSide(side: AxisSide, { nx, ny, tau }: Axis): void {
  const { sign, spin } = side
  const cos = tau === 0 ? 1 : Math.cos(spin * tau)
  const sin = tau === 0 ? 0 : Math.sin(spin * tau)
  side.ux = sign * (cos * nx - sin * ny)
  side.uy = sign * (sin * nx + cos * ny)
  measureSide(side)
}

/** Heights of the points along (ux, uy), their rates, and the highest. */
function measureSide(side: AxisSide): void {
  const { spin, heights, rates, ux: x, uy: y } = side
  const { posed, turnedX, turnedY, far } = side.mover as Mover
  if (isCurved(posed)) {
    curveSupportAt(side, 0)
    return
  }
  if (!isCored(posed)) {
    // An axis never turns under a half-plane.
    side.height = x * turnedX + y * turnedY + posed.numbers[OFFSET]
    side.rate = 0
    side.bend = 0
    return
  }
  const { count, numbers } = posed
  const base = x * turnedX + y * turnedY
  const baseRate = spin * (x * turnedY - y * turnedX)
  let highest = -Infinity
  let best = 0
  for (let i = 0; i < count; i++) {
    const px = numbers[LOCAL + 2 * i]
    const py = numbers[LOCAL + 2 * i + 1]
    const height = base + (x * px + y * py)
    heights[i] = height
    rates[i] = baseRate + spin * (x * py - y * px)
    if (height > highest) {
      highest = height
      best = i
    }
  }
  side.point = best
  side.height = highest
  side.rate = rates[best]
  side.bend = spin * spin * far[best]
}

/** Chooses the point whose quadratic is highest `step` after the last evaluation, and sets `top` to its height there. */
function findSupport(side: AxisSide, step: number): void {
  const { spin, heights, rates } = side
  if (spin === 0) {
    side.top = side.height
    return
  }
  const { posed, far } = side.mover as Mover
  if (isCurved(posed)) {
    side.top = curveSupportAt(side, step)
    return
  }
  const half = 0.5 * spin * spin * step * step
  const { count } = posed
  let highest = -Infinity
  let best = 0
  for (let i = 0; i < count; i++) {
    const height = heights[i] + rates[i] * step + half * far[i]
    if (height > highest) {
      highest = height
      best = i
    }
  }
  side.point = best
  side.height = heights[best]
  side.rate = rates[best]
  side.bend = spin * spin * far[best]
  side.top = highest
}

const rim = createBoundaryPoint()

function curveSupportAt(side: AxisSide, step: number): number {
  const { spin, ux, uy } = side
  const { posed, turnedX, turnedY, reach } = side.mover as Mover
  const turn = spin * step
  // The direction moves along the tangent of the circle of directions: see the file's header.
  const x = ux - turn * uy
  const y = uy + turn * ux
  let px: number
  let py: number
  if (posed.kind === ELLIPSE) {
    const { numbers } = posed
    const cos = numbers[COS]
    const sin = numbers[SIN]
    const rx = numbers[RX]
    const ry = numbers[RY]
    const p = rx * (cos * x + sin * y)
    const q = ry * (cos * y - sin * x)
    const length = vectorLength(p, q)
    const u = length > 0 ? rx * (p / length) : 0
    const v = length > 0 ? ry * (q / length) : 0
    px = turnedX + cos * u - sin * v
    py = turnedY + sin * u + cos * v
  } else {
    curveOf(posed).support(posed, x, y, rim)
    px = turnedX + rim.x
    py = turnedY + rim.y
  }
  // Never the same material point twice.
  side.point++
  side.height = ux * px + uy * py
  side.rate = spin * (ux * py - uy * px)
  side.bend = spin * spin * reach
  return side.height + side.rate * step + 0.5 * side.bend * step * step
}

/** Rounds of closing in on the root of the bound before a chord is taken. */
const ROUND_COUNT = 4

/**
 * How long after the last evaluation the gap certainly stays above `level`; at most `limit`. The gap must be above it.
 * A finite `ceiling` is watched: the step ends before the gap can have risen over it, or where the bound stops rising, so
 * that a gap that opens is seen open. Overwrites the sides' supports.
 */
export function certainStep(axis: Axis, level: number, limit: number, ceiling: number): number {
  const { a, b, spin } = axis
  const above = axis.gap - level
  let most = limit
  const watching = ceiling < Infinity
  if (watching) {
    const bend = axis.bend + a.bend + b.bend
    const rise = fallTime(Math.max(0, ceiling - axis.gap), -axis.rate, bend)
    most = Math.min(most, axis.rate > 0 ? Math.max(rise, axis.rate / bend) : rise)
  }
  // The bound on the pivots' share holds for one radian.
  if (spin !== 0) most = Math.min(most, 1 / Math.abs(spin))
  const base = axis.height - level - (a.mover as Mover).posed.numbers[RADIUS] - (b.mover as Mover).posed.numbers[RADIUS]
  let step = Math.min(most, fallTime(above, axis.rate, axis.bend + a.bend + b.bend))
  for (let round = 0; ; round++) {
    const pointA = a.point
    const pointB = b.point
    findSupport(a, step)
    findSupport(b, step)
    if (a.point === pointA && b.point === pointB) break
    const least = base + axis.heightRate * step - 0.5 * axis.bend * step * step - a.top - b.top
    if (least >= 0) break
    if (round === ROUND_COUNT) {
      step *= above / (above - least)
      break
    }
    const start = base - a.height - b.height
    const next = fallTime(start, axis.heightRate - a.rate - b.rate, axis.bend + a.bend + b.bend)
    if (!(next < step)) break
    step = next
  }
  // However a body turns, it stays within its reach: far away that says more.
  if (spin === 0 && !watching) {
    const reachA = a.spin === 0 ? a.height : (a.mover as Mover).reach
    const reachB = b.spin === 0 ? b.height : (b.mover as Mover).reach
    const clear = base - reachA - reachB
    if (clear > 0) step = Math.max(step, axis.heightRate < 0 ? Math.min(most, clear / -axis.heightRate) : most)
  }
  return step
}
