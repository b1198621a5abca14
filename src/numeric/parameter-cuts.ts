/**
 * Roots of polynomials on a line of parameters, told apart exactly, and a rational parameter between each two neighbours.
 *
 * Method: roots are isolated by Descartes' rule of signs and bisection (G. Collins, A. Akritas, "Polynomial real root
 * isolation using Descartes' rule of signs", SYMSAC 1976). Two whose intervals do not part soon are compared by the greatest
 * common divisor of their polynomials: either it has a root where the intervals meet, and they are one, or bisection parts them.
 */
import { spend } from '../containers/budget.ts'
import {
  areClearlyCoprime,
  deflated,
  type Polynomial,
  polynomialGcd,
  shifted,
  shrunk,
  signAt,
  signChanges,
  squarefree,
  stretched,
  trimmed,
  wordsOf,
} from './integer-polynomial.ts'
import { integerSign } from './root-number.ts'

/** n/d, d > 0. */
export interface Rational {
  n: bigint
  d: bigint
}

/** A root within (low/d, high/d), neither of them a root; exact where low = high. */
interface Root {
  f: Polynomial
  low: bigint
  high: bigint
  d: bigint
  /** Steps of asking for the sign of f. */
  steps: number
}

export interface ParameterCuts {
  /** The ends of the range, null where it has none. */
  from: Rational | null
  to: Rational | null
  roots: Root[]
}

/** Bisections after which two roots are suspected to be one. */
const SUSPICION_COUNT = 32

/** All real parameters, or those between 0 and 1. */
export function createCuts(isBounded: boolean): ParameterCuts {
  return { from: isBounded ? { n: 0n, d: 1n } : null, to: isBounded ? { n: 1n, d: 1n } : null, roots: [] }
}

/** A cut at n/d, d ≠ 0, if that is within the range. */
export function cutAt(cuts: ParameterCuts, n: bigint, d: bigint): void {
  const root = d < 0n ? { n: -n, d: -d } : { n, d }
  if (cuts.from !== null && root.n * cuts.from.d <= cuts.from.n * root.d) return
  if (cuts.to !== null && root.n * cuts.to.d >= cuts.to.n * root.d) return
  cuts.roots.push({ f: [], low: root.n, high: root.n, d: root.d, steps: 0 })
}

/** Cuts at all roots within the range; the zero polynomial has none. */
export function cutAtRoots(cuts: ParameterCuts, coefficients: readonly bigint[]): void {
  const f = trimmed(coefficients)
  if (f.length < 2) return
  if (f.length === 2) cutAt(cuts, -f[0], f[1])
  else isolate(cuts, squarefree(f))
}

function isolate(cuts: ParameterCuts, polynomial: Polynomial): void {
  let f = polynomial
  for (const end of [cuts.from, cuts.to]) {
    if (end !== null && signAt(f, end.n, end.d) === 0) f = deflated(f, end.n, end.d)
  }
  if (f.length === 2) cutAt(cuts, -f[0], f[1])
  if (f.length <= 2) return
  const bound = rootBound(f)
  const low = cuts.from === null ? -bound : cuts.from.n
  const span = cuts.from === null ? 2n * bound : 1n
  const steps = 4 + wordsOf(f[f.length - 1])
  const found: Root[] = []
  // Each stretch as the roots between 0 and 1 of a polynomial of its own: they lie at (start + root)/d of the span.
  const waiting = [{ g: shrunk(shifted(f, low), span), start: 0n, d: 1n }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { g, start, d } = next
    spend(2 * (steps + wordsOf(d)))
    const changes = signChanges(g)
    if (changes === 0) continue
    if (changes === 1) {
      const from = low * d + start * span
      found.push({ f, low: from, high: from + span, d, steps })
      continue
    }
    const lower = stretched(g)
    const upper = shifted(lower, 1n)
    if (upper[0] === 0n) {
      const middle = 2n * low * d + (2n * start + 1n) * span
      cutAt(cuts, middle, 2n * d)
      isolate(cuts, deflated(f, middle, 2n * d))
      return
    }
    waiting.push({ g: lower, start: 2n * start, d: 2n * d }, { g: upper, start: 2n * start + 1n, d: 2n * d })
  }
  cuts.roots.push(...found)
}

/** A power of two above the magnitude of all roots (Cauchy's bound). */
function rootBound(f: Polynomial): bigint {
  const lead = magnitude(f[f.length - 1])
  let largest = 0n
  for (const coefficient of f) if (magnitude(coefficient) > largest) largest = magnitude(coefficient)
  return 1n << BigInt((largest / lead + 2n).toString(2).length)
}

function magnitude(a: bigint): bigint {
  return a < 0n ? -a : a
}

function isExact({ low, high }: Root): boolean {
  return low === high
}

/** Halves the interval; a root in the middle becomes exact. */
function refine(root: Root): void {
  // As long as the interval is short.
  spend(root.steps * (1 + wordsOf(root.d) / 2))
  const middle = root.low + root.high
  const d = 2n * root.d
  const sign = signAt(root.f, middle, d)
  const isAbove = sign === signAt(root.f, root.low, root.d)
  root.low = sign === 0 || isAbove ? middle : 2n * root.low
  root.high = sign === 0 || !isAbove ? middle : 2n * root.high
  root.d = d
}

/** Sign of p/c − q/d. */
function compareRatios(p: bigint, c: bigint, q: bigint, d: bigint): number {
  return integerSign(p * d - q * c)
}

/** Whether all of r's interval lies below s's. */
function isClearlyBelow(r: Root, s: Root): boolean {
  return compareRatios(r.high, r.d, s.low, s.d) < 0
}

/** Order of two roots; narrows their intervals until they are apart. */
function compareRoots(r: Root, s: Root): number {
  if (r === s) return 0
  for (let turn = 0; ; turn++) {
    if (isClearlyBelow(r, s)) return -1
    if (isClearlyBelow(s, r)) return 1
    if (isExact(r) && isExact(s)) return 0
    if (r.f === s.f) {
      if (compareRatios(r.high, r.d, s.low, s.d) <= 0) return -1
      if (compareRatios(s.high, s.d, r.low, r.d) <= 0) return 1
    }
    if ((turn === SUSPICION_COUNT || isExact(r) || isExact(s)) && areOne(r, s)) return 0
    if (!isExact(r)) refine(r)
    if (!isExact(s)) refine(s)
  }
}

/** Whether two roots whose intervals meet coincide. */
function areOne(r: Root, s: Root): boolean {
  spend(r.steps + s.steps)
  if (isExact(r)) return signAt(s.f, r.low, r.d) === 0 && isWithin(r, s)
  if (isExact(s)) return signAt(r.f, s.low, s.d) === 0 && isWithin(s, r)
  if (areClearlyCoprime(r.f, s.f)) return false
  const common = polynomialGcd(r.f, s.f)
  if (common.length < 2) return false
  const low = compareRatios(r.low, r.d, s.low, s.d) > 0 ? r : s
  const high = compareRatios(r.high, r.d, s.high, s.d) < 0 ? r : s
  return signAt(common, low.low, low.d) !== signAt(common, high.high, high.d)
}

function isWithin(point: Root, range: Root): boolean {
  return (
    compareRatios(range.low, range.d, point.low, point.d) < 0 &&
    compareRatios(point.low, point.d, range.high, range.d) < 0
  )
}

/** A parameter in each open stretch between neighbouring cuts, in order. */
export function parametersBetween({ from, to, roots }: ParameterCuts): Rational[] {
  spend(4 * roots.length)
  const sorted = [...roots].sort(compareRoots)
  const distinct = sorted.filter((root, i) => i === 0 || compareRoots(sorted[i - 1], root) !== 0)
  if (from !== null) distinct.unshift({ f: [], low: from.n, high: from.n, d: from.d, steps: 0 })
  if (to !== null) distinct.push({ f: [], low: to.n, high: to.n, d: to.d, steps: 0 })
  if (distinct.length === 0) return [{ n: 0n, d: 1n }]
  const result: Rational[] = []
  const first = distinct[0]
  const last = distinct[distinct.length - 1]
  if (from === null) result.push({ n: first.low - first.d, d: first.d })
  for (let i = 1; i < distinct.length; i++) result.push(between(distinct[i - 1], distinct[i]))
  if (to === null) result.push({ n: last.high + last.d, d: last.d })
  return result
}

function between(r: Root, s: Root): Rational {
  while (!isClearlyBelow(r, s)) {
    if (!isExact(r)) refine(r)
    if (!isExact(s)) refine(s)
  }
  return { n: r.high * s.d + s.low * r.d, d: 2n * r.d * s.d }
}
