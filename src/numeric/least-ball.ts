/**
 * The least ball that encloses balls, exactly, in the plane or in space.
 *
 * Method: pivoting on the farthest ball (B. Gärtner, "Fast and robust smallest enclosing balls", ESA 1999; K. Fischer, B. Gärtner, "The
 * smallest enclosing ball of balls", International Journal of Computational Geometry and Applications 14 (2004), section 2). A
 * support is a set of up to d + 1 balls that touch the sought one from within; the least ball of a support and one ball that sticks out
 * of it is found among its subsets. This is done in doubles until nothing sticks out by more than rounding, and then in integers,
 * where the radius is the root of a quadratic equation with integer coefficients, and so each sign is one of m + n·√D. Balls that are
 * clearly inside by doubles with an error bound are not looked at again. The least ball is unique, so the answer depends on the set
 * alone, whatever the order, and however many balls touch it.
 * Frame: that of the balls. Cost: O(n) for each pivot, of which there are some ten; more where many balls lie on the sphere itself.
 */

import { spend } from '../containers/budget.ts'
import { binaryExponent, createInputRange, includeInput, integerOf, type Sign, unitExponentOf } from './exact-ring.ts'
import { sumError } from './expansion.ts'
import { ceilingOf, lowestBit, twofoldRatio } from './nearest-double.ts'
import { integerRoot, rootSign } from './root-number.ts'
import { UNIT_ROUNDOFF } from './roundoff.ts'
import { scaleBy } from './safe-range.ts'
import { addTwofold, multiplyTwofold, roundTwofold, subtractTwofold, type Twofold } from './twofold.ts'

export interface LeastBall {
  /** The exact centre, each coordinate rounded to the nearest double. */
  center: number[]
  /** The exact radius about the exact centre, rounded to the nearest double. */
  radius: number
  /** The least double that is a radius about the rounded centre. */
  around: number
}

/** Steps of one exact solution, and of looking at one ball exactly. */
const SOLVE_STEPS = 256
const LOOK_STEPS = 16
/** Pivots in doubles before those in integers. */
const FLOAT_PIVOT_COUNT = 64
/** Bits that roots are taken to beyond those of their integers. */
const ROOT_BITS = 192n

/**
 * Of `count` ≥ 1 balls, each given as `dimension` coordinates (2 or 3) and a radius ≥ 0. `origin` is where the coordinates count from,
 * and is added to the centre.
 */
export function leastBall(balls: Float64Array, count: number, dimension: number, origin: readonly number[]): LeastBall {
  const set = prepare(balls, count, dimension, origin)
  let { support } = floatSupport(set)
  let ball = solveSupport(set, support, false)
  for (;;) {
    if (ball === null) throw new Error('a set of balls has a least ball')
    const out = farthestOut(set, ball)
    if (out.length === 0) break
    // Until none of these sticks out: looking at all of them again takes the longest.
    for (let next = out[0]; next !== undefined; ) {
      support = [...ball.support, next]
      ball = solveSupport(set, support, true)
      if (ball === null) break
      const found: ExactBall = ball
      next = out.find((i) => !found.support.includes(i) && signOut(set, found, i) > 0) as number
    }
  }
  return rounded(set, ball)
}

interface BallSet {
  balls: Float64Array
  count: number
  dimension: number
  /** Coordinates and radii from ball 0, times a power of two that brings the largest near 1. */
  near: Float64Array
  /** The exponent of that power. */
  power: number
  /** All numbers are whole multiples of 2^unit. */
  unit: number
  /** How many times as many steps as usual its integers take, because they are long. */
  weight: number
  origin: readonly number[]
  /** Integers of a ball, made on demand. */
  exact: Map<number, readonly bigint[]>
}

function prepare(balls: Float64Array, count: number, dimension: number, origin: readonly number[]): BallSet {
  const stride = dimension + 1
  const range = createInputRange()
  spend(1 + (count >> 1))
  for (let i = 0; i < stride * count; i++) includeInput(range, balls[i])
  for (const value of origin) includeInput(range, value)
  let largest = 0
  for (let at = 0; at < stride * count; at += stride) {
    for (let k = 0; k < dimension; k++) largest = Math.max(largest, Math.abs(balls[at + k] - balls[k]))
    largest = Math.max(largest, balls[at + dimension])
  }
  const power = largest === 0 ? 0 : -binaryExponent(largest)
  const near = new Float64Array(stride * count)
  for (let at = 0; at < stride * count; at += stride) {
    for (let k = 0; k < dimension; k++) near[at + k] = scaleBy(balls[at + k] - balls[k], power)
    near[at + dimension] = scaleBy(balls[at + dimension], power)
  }
  const unit = unitExponentOf(range)
  const bits = range.largest === 0 ? 0 : binaryExponent(range.largest) - unit
  return { balls, count, dimension, near, power, unit, weight: 1 + (bits / USUAL_BITS) ** 2, origin, exact: new Map() }
}

/** Integers have as many bits as a rule, or fewer; products take the square of it. */
const USUAL_BITS = 256

/** Coordinates and radius of a ball as integers. */
function integersOf({ exact, balls, dimension, unit }: BallSet, i: number): readonly bigint[] {
  const known = exact.get(i)
  if (known !== undefined) return known
  const integers: bigint[] = []
  for (let k = 0; k <= dimension; k++) integers.push(integerOf(balls[(dimension + 1) * i + k], unit))
  if (exact.size < KEPT_COUNT) exact.set(i, integers)
  return integers
}

const KEPT_COUNT = 4096

// Two kinds of arithmetic for one solution: doubles, which tell where to look, and integers, which decide.

interface Arithmetic<T> {
  readonly zero: T
  readonly one: T
  readonly two: T
  add(a: T, b: T): T
  sub(a: T, b: T): T
  mul(a: T, b: T): T
}

const DOUBLES: Arithmetic<number> = {
  zero: 0,
  one: 1,
  two: 2,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
}
const INTEGERS: Arithmetic<bigint> = {
  zero: 0n,
  one: 1n,
  two: 2n,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
}

/**
 * The balls whose centre lies in the affine hull of the centres p0 … pk and that the k + 1 balls touch from within. With e_i = p_i − p0,
 * s_i = r_i − r0, ρ = R − r0 and the centre p0 + Σ λ_i e_i: the Gram matrix G λ = a + ρ s, a_i = (|e_i|² − s_i²) / 2, so that
 * 2Δ λ = alpha + 2ρ beta with Δ = det G; and |Σ λ_i e_i|² = ρ² is the quadratic equation p ρ² + q ρ + c = 0.
 */
interface Touching<T> {
  edges: T[][]
  skins: T[]
  determinant: T
  alpha: T[]
  beta: T[]
  p: T
  q: T
  c: T
}

/** From the balls as lists of coordinates and a radius. */
function touching<T>(arithmetic: Arithmetic<T>, balls: readonly (readonly T[])[]): Touching<T> {
  const { zero, two, add, sub, mul } = arithmetic
  const dimension = balls[0].length - 1
  const k = balls.length - 1
  const dot = (a: readonly T[], b: readonly T[], size: number): T => {
    let sum = zero
    for (let i = 0; i < size; i++) sum = add(sum, mul(a[i], b[i]))
    return sum
  }
  const edges = balls.slice(1).map((ball) => ball.map((value, i) => sub(value, balls[0][i])))
  const skins = edges.map((edge) => edge[dimension])
  const gram = edges.map((a) => edges.map((b) => dot(a, b, dimension)))
  const twice = gram.map((row, i) => sub(row[i], mul(skins[i], skins[i])))
  const { determinant, adjugate } = adjugateOf(arithmetic, gram)
  const alpha = adjugate.map((row) => dot(row, twice, k))
  const beta = adjugate.map((row) => dot(row, skins, k))
  const four = mul(two, two)
  return {
    edges,
    skins,
    determinant,
    alpha,
    beta,
    p: mul(four, sub(dot(skins, beta, k), determinant)),
    q: mul(four, dot(twice, beta, k)),
    c: dot(twice, alpha, k),
  }
}

/** Of a symmetric matrix of up to three rows. Of none the determinant is 0, which a single ball replaces by 1. */
function adjugateOf<T>({ zero, one, add, sub, mul }: Arithmetic<T>, m: T[][]): { determinant: T; adjugate: T[][] } {
  const minor = (a: number, b: number, c: number, d: number): T => sub(mul(m[a][c], m[b][d]), mul(m[a][d], m[b][c]))
  if (m.length === 0) return { determinant: zero, adjugate: [] }
  if (m.length === 1) return { determinant: m[0][0], adjugate: [[one]] }
  if (m.length === 2) {
    return {
      determinant: minor(0, 1, 0, 1),
      adjugate: [
        [m[1][1], sub(zero, m[0][1])],
        [sub(zero, m[1][0]), m[0][0]],
      ],
    }
  }
  const adjugate = [0, 1, 2].map((row) =>
    [0, 1, 2].map((column) => minor((column + 1) % 3, (column + 2) % 3, (row + 1) % 3, (row + 2) % 3)),
  )
  const determinant = [0, 1, 2].reduce((sum, k) => add(sum, mul(m[0][k], adjugate[k][0])), zero)
  return { determinant, adjugate }
}

// In doubles: a support that is right but for rounding.

interface FloatBall {
  support: number[]
  center: number[]
  radius: number
}

/** How much a ball may stick out, or a weight be below 0, of lengths near 1. */
const FLOAT_SLACK = 2 ** 12 * UNIT_ROUNDOFF

type FloatSet = Pick<BallSet, 'near' | 'count' | 'dimension'>

function floatSupport(set: FloatSet): FloatBall {
  const { near, dimension } = set
  let ball: FloatBall = { support: [0], center: Array.from(near.subarray(0, dimension)), radius: near[dimension] }
  for (let pivot = 0; pivot < FLOAT_PIVOT_COUNT; pivot++) {
    const { index, excess } = farthest(set, ball)
    if (excess <= FLOAT_SLACK || ball.support.includes(index)) break
    const next = floatBall(set, [...ball.support, index])
    if (next === null) break
    ball = next
  }
  return ball
}

function farthest({ near, count, dimension }: FloatSet, { center, radius }: FloatBall) {
  spend(1 + (count >> 2))
  let index = 0
  let excess = -Infinity
  for (let i = 0; i < count; i++) {
    const out = reachOf(near, i, dimension, center) - radius
    if (out <= excess) continue
    excess = out
    index = i
  }
  return { index, excess }
}

/** How far the ball reaches from a point. */
function reachOf(near: Float64Array, i: number, dimension: number, center: readonly number[]): number {
  const at = (dimension + 1) * i
  const x = near[at] - center[0]
  const y = near[at + 1] - center[1]
  const z = dimension === 2 ? 0 : near[at + 2] - center[2]
  return Math.sqrt(x * x + y * y + z * z) + near[at + dimension]
}

/** The least of the balls of subsets that hold all; null where rounding spoils them all. The last one belongs to the support. */
function floatBall(set: FloatSet, support: readonly number[]): FloatBall | null {
  const { near, dimension } = set
  const stride = dimension + 1
  let best: FloatBall | null = null
  for (const subset of subsetsOf(support, dimension + 1, true)) {
    spend(4)
    const members = subset.map((i) => Array.from(near.subarray(stride * i, stride * i + stride)))
    const ball = floatSolution(members, dimension)
    if (ball === null || (best !== null && best.radius <= ball.radius)) continue
    const holdsAll = support.every((i) => reachOf(near, i, dimension, ball.center) <= ball.radius + FLOAT_SLACK)
    if (holdsAll) best = { ...ball, support: subset }
  }
  return best
}

function floatSolution(members: number[][], dimension: number): { center: number[]; radius: number } | null {
  const [first] = members
  if (members.length === 1) return { center: first.slice(0, dimension), radius: first[dimension] }
  const { edges, skins, determinant, alpha, beta, p, q, c } = touching(DOUBLES, members)
  if (!(determinant > 0)) return null
  const root = Math.sqrt(Math.max(0, q * q - 4 * p * c))
  const roots = p === 0 ? [-c / q] : [(-q - root) / (2 * p), (-q + root) / (2 * p)]
  const least = Math.max(0, ...skins)
  for (const rho of roots.sort((a, b) => a - b)) {
    if (!(rho >= least - FLOAT_SLACK)) continue
    const center = first.slice(0, dimension)
    edges.forEach((edge, i) => {
      const weight = (alpha[i] + 2 * rho * beta[i]) / (2 * determinant)
      for (let k = 0; k < dimension; k++) center[k] += weight * edge[k]
    })
    return { center, radius: rho + first[dimension] }
  }
  return null
}

/** Subsets of up to `most`, the largest first; all with the last one where it is `pinned`. */
function subsetsOf(list: readonly number[], most: number, pinned: boolean): number[][] {
  const subsets: number[][] = []
  const end = 1 << list.length
  for (let mask = 1; mask < end; mask++) {
    if (pinned && (mask & (end >> 1)) === 0) continue
    const subset = list.filter((_, i) => (mask & (1 << i)) !== 0)
    if (subset.length <= most) subsets.push(subset)
  }
  return subsets.sort((a, b) => b.length - a.length)
}

// In integers.

/** A ball that its support touches from within; ρ = (u + side·√D) / w. */
interface ExactBall extends Touching<bigint> {
  support: number[]
  u: bigint
  w: bigint
  side: bigint
  root: bigint
}

/** The ball of the subset that holds all of the support, with its centre in the hull of theirs: that is the least one. */
function solveSupport(set: BallSet, support: readonly number[], pinned: boolean): ExactBall | null {
  for (const subset of subsetsOf(support, set.dimension + 1, pinned)) {
    const found = solve(set, subset, support)
    if (found !== null) return found
  }
  // What doubles took for a support may be none of a whole set of balls, but it always is one of its own.
  return pinned ? solveSupport(set, support, false) : null
}

function solve(set: BallSet, subset: number[], support: readonly number[]): ExactBall | null {
  spend(SOLVE_STEPS * set.weight)
  const members = subset.map((i) => integersOf(set, i))
  const system = touching(INTEGERS, members)
  const { determinant, p, q, c } = system
  if (subset.length === 1) {
    const ball = { ...system, determinant: 1n, support: subset, u: 0n, w: 1n, side: 0n, root: 0n }
    return support.every((i) => signOut(set, ball, i) <= 0) ? ball : null
  }
  if (determinant === 0n) return null
  const square = q * q - 4n * p * c
  if (square < 0n || (p === 0n && q === 0n)) return null
  const roots =
    p === 0n
      ? [{ u: -c, w: q, side: 0n, root: 0n }]
      : [1n, -1n].map((side) => ({ u: -q, w: 2n * p, side, root: square }))
  for (const root of roots) {
    const ball: ExactBall = { ...system, support: subset, ...root }
    if (isProper(ball) && support.every((i) => signOut(set, ball, i) <= 0)) return ball
  }
  return null
}

/** Whether the members lie within the ball, and its centre among theirs. */
function isProper(ball: ExactBall): boolean {
  const { skins, alpha, beta, determinant } = ball
  if (signAt(ball, 0n, 1n) < 0 || skins.some((skin) => signAt(ball, -skin, 1n) < 0)) return false
  let [restA, restB] = [2n * determinant, 0n]
  for (let i = 0; i < alpha.length; i++) {
    if (signAt(ball, alpha[i], 2n * beta[i]) < 0) return false
    restA -= alpha[i]
    restB -= 2n * beta[i]
  }
  return signAt(ball, restA, restB) >= 0
}

/** Sign of m + n·ρ. */
function signAt({ u, w, side, root }: ExactBall, m: bigint, n: bigint): Sign {
  const sign = rootSign({ a: m * w + n * u, b: n * side }, root)
  return (w < 0n ? -sign : sign) as Sign
}

/** Sign of how far ball i sticks out. */
function signOut(set: BallSet, ball: ExactBall, i: number): Sign {
  const { edges, alpha, beta, determinant, support } = ball
  const { dimension } = set
  const first = integersOf(set, support[0])
  const other = integersOf(set, i)
  const skin = other[dimension] - first[dimension]
  if (signAt(ball, -skin, 1n) < 0) return 1
  let square = 0n
  let [m, n] = [0n, 0n]
  for (let k = 0; k < dimension; k++) square += (other[k] - first[k]) ** 2n
  for (let e = 0; e < edges.length; e++) {
    let along = 0n
    for (let k = 0; k < dimension; k++) along += edges[e][k] * (other[k] - first[k])
    m += alpha[e] * along
    n += 2n * beta[e] * along
  }
  m -= (square - skin * skin) * determinant
  n -= 2n * skin * determinant
  return -signAt(ball, m, n) as Sign
}

/** Balls that are looked at together once they stick out. */
const OUT_COUNT = 32

/** Balls that stick out, those that do so the farthest; none where none does. */
function farthestOut(set: BallSet, ball: ExactBall): number[] {
  const { near, dimension, count, power } = set
  const first = Array.from(set.balls.subarray(0, dimension), (value) => -value)
  const { center, radius } = centerOf(set, ball, first, power)
  const middle = center.map(({ high }) => high)
  // Numbers of `near` are good to two roundoffs each, and those of the ball are rounded once.
  const size = center.reduce((sum, { high }) => sum + Math.abs(high), radius.high)
  const doubt = 16 * UNIT_ROUNDOFF * (size + 4)
  const fine = 1024 * UNIT_ROUNDOFF * UNIT_ROUNDOFF * (size + 4) ** 2
  spend(1 + (count >> 2))
  const found: { index: number; beyond: number }[] = []
  let least = -Infinity
  for (let i = 0; i < count; i++) {
    const excess = reachOf(near, i, dimension, middle) - radius.high
    if (excess < -doubt || ball.support.includes(i)) continue
    spend(2)
    const beyond = beyondTwofold(set, i, center, radius)
    if (beyond < -fine || beyond <= least) continue
    if (!(beyond > fine)) {
      spend(LOOK_STEPS * set.weight)
      if (signOut(set, ball, i) <= 0) continue
    }
    found.push({ index: i, beyond })
    if (found.length < 2 * OUT_COUNT) continue
    found.sort((one, other) => other.beyond - one.beyond)
    found.length = OUT_COUNT
    least = found[OUT_COUNT - 1].beyond
  }
  return found.sort((one, other) => other.beyond - one.beyond).map(({ index }) => index)
}

/** |p − c|² − (R − r)² to twice the digits, in the units of `near`; not a number where products overflow. */
function beyondTwofold({ balls, dimension, power }: BallSet, i: number, center: Twofold[], radius: Twofold): number {
  const at = (dimension + 1) * i
  let sum: Twofold = { high: 0, low: 0 }
  for (let k = 0; k < dimension; k++) {
    const [place, first] = [scaleBy(balls[at + k], power), scaleBy(balls[k], power)]
    const difference = place - first
    const x = subtractTwofold({ high: difference, low: sumError(place, -first, difference) }, center[k])
    sum = addTwofold(sum, multiplyTwofold(x, x))
  }
  const rest = subtractTwofold(radius, { high: scaleBy(balls[at + dimension], power), low: 0 })
  return roundTwofold(subtractTwofold(sum, multiplyTwofold(rest, rest)))
}

/** The greatest integer whose square is at most `value`. */
function rootInSteps(value: bigint): bigint {
  if (value > 1n) spend(LOOK_STEPS)
  return integerRoot(value)
}

// Rounding, once: each number is a ratio of integers or of sums of integers and a root, which is taken to many bits.

function rounded(set: BallSet, ball: ExactBall): LeastBall {
  const found = centerOf(set, ball, set.origin, 0)
  const center = found.center.map(({ high }) => high)
  const radius = found.radius.high
  return { center, radius, around: radiusAround(set, center, radius) }
}

/** To twice the digits, times 2^power. `origin`: what is added to the centre. */
function centerOf(set: BallSet, ball: ExactBall, origin: readonly number[], power: number) {
  const { dimension, unit } = set
  const { support, edges, alpha, beta, determinant, u, w, side, root } = ball
  const first = integersOf(set, support[0])
  // √D as an integer over 2^ROOT_BITS; a perfect square comes out whole.
  const square = side * rootInSteps(root << (2n * ROOT_BITS))
  const rho = (u << ROOT_BITS) + square
  const under = w << ROOT_BITS
  const center: Twofold[] = []
  for (let k = 0; k < dimension; k++) {
    let [a, b] = [0n, 0n]
    for (let e = 0; e < edges.length; e++) {
      a += alpha[e] * edges[e][k]
      b += beta[e] * edges[e][k]
    }
    // p0 + origin + (a + 2ρb) / 2Δ
    const whole = first[k] + integerOf(origin[k], unit)
    const below = 2n * determinant * under
    center.push(twofoldRatio(whole * below + a * under + 2n * b * rho, below, unit + power))
  }
  return { center, radius: twofoldRatio(first[dimension] * under + rho, under, unit + power) }
}

/** The least double that is a radius of a ball about the centre, a list of doubles, that holds all. */
function radiusAround(set: BallSet, center: readonly number[], radius: number): number {
  const { balls, count, dimension, origin, unit } = set
  const stride = dimension + 1
  spend(1 + (count >> 1))
  const reaches = new Float64Array(count)
  let farthest = 0
  let size = radius
  for (let k = 0; k < dimension; k++) size = Math.max(size, Math.abs(center[k] - origin[k]))
  // Squares of numbers of any size: in units of a power of two near the largest.
  const scale = size === 0 ? 1 : 2 ** Math.max(binaryExponent(size), LEAST_POWER)
  for (let i = 0; i < count; i++) {
    const at = stride * i
    const x = (origin[0] - center[0] + balls[at]) / scale
    const y = (origin[1] - center[1] + balls[at + 1]) / scale
    const z = dimension === 2 ? 0 : (origin[2] - center[2] + balls[at + 2]) / scale
    reaches[i] = Math.sqrt(x * x + y * y + z * z) + balls[at + dimension] / scale
    if (reaches[i] > farthest) farthest = reaches[i]
  }
  // Centres have the digits of where they are, which may be far away, and then radii do not have many.
  const range = createInputRange()
  for (const value of center) includeInput(range, value)
  const least = Math.min(unit, unitExponentOf(range))
  const lift = BigInt(unit - least)
  const places = center.map((value, k) => integerOf(value, least) - (integerOf(origin[k], unit) << lift))
  const doubt = 32 * UNIT_ROUNDOFF * (farthest + placeError(origin, center) / scale)
  const fine = 1024 * UNIT_ROUNDOFF * UNIT_ROUNDOFF * (farthest + placeError(origin, center) / scale + 1) ** 2
  let sought = 0
  for (let i = 0; i < count; i++) {
    if (reaches[i] < farthest - doubt) continue
    spend(2)
    if (sought > 0 && gapTwofold(set, i, center, sought / scale, scale) < -fine) continue
    spend(LOOK_STEPS * set.weight)
    const ball = integersOf(set, i)
    let square = 0n
    for (let k = 0; k < dimension; k++) square += ((ball[k] << lift) - places[k]) ** 2n
    const skin = balls[stride * i + dimension]
    if (!isWithin(square, skin, sought, least)) sought = radiusAbove(square, skin, least)
  }
  return sought
}

/** As `beyondTwofold`, about a rounded centre. */
function gapTwofold(set: BallSet, i: number, center: readonly number[], radius: number, scale: number): number {
  const { balls, dimension, origin } = set
  const at = (dimension + 1) * i
  let sum: Twofold = { high: 0, low: 0 }
  for (let k = 0; k < dimension; k++) {
    const [here, there, place] = [origin[k] / scale, center[k] / scale, balls[at + k] / scale]
    const way = here - there
    const x = addTwofold({ high: way, low: sumError(here, -there, way) }, { high: place, low: 0 })
    sum = addTwofold(sum, multiplyTwofold(x, x))
  }
  const skin = balls[at + dimension] / scale
  const rest = radius - skin
  const other = { high: rest, low: sumError(radius, -skin, rest) }
  return roundTwofold(subtractTwofold(sum, multiplyTwofold(other, other)))
}

/** A power of two whose reciprocal is a double. */
const LEAST_POWER = -1000

function placeError(origin: readonly number[], center: readonly number[]): number {
  return center.reduce((sum, value, k) => sum + Math.abs(value - origin[k]), 0)
}

/** Whether (radius − skin)² ≥ square · 4^exponent, and radius ≥ skin. */
function isWithin(square: bigint, skin: number, radius: number, exponent: number): boolean {
  if (radius < skin) return false
  const unit = Math.min(exponent, lowestBit(radius), lowestBit(skin))
  const rest = integerOf(radius, unit) - integerOf(skin, unit)
  return rest * rest >= square << BigInt(2 * (exponent - unit))
}

/** The least double r with (r − skin)² ≥ square · 4^exponent and r ≥ skin. */
function radiusAbove(square: bigint, skin: number, exponent: number): number {
  // Enough bits for a double, and then some: what is left is rounded up.
  const shift = BigInt(Math.max(0, 80 - 2 * square.toString(16).length))
  const fine = square << (2n * shift)
  const root = rootInSteps(fine)
  const up = root * root === fine ? root : root + 1n
  const least = exponent - Number(shift)
  const unit = Math.min(least, lowestBit(skin))
  return ceilingOf((up << BigInt(least - unit)) + integerOf(skin, unit), unit)
}
