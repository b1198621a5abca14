/**
 * Polynomials in one variable with integer coefficients, of small degree: signs, greatest common divisors, Sturm's sequence.
 *
 * Method: remainders are taken without fractions and freed of common factors (D. Knuth, The Art of Computer Programming 2,
 * section 4.6.1). Coefficients by rising power; the last one is not 0, and the zero polynomial has none.
 */
import { spend } from '../containers/budget.ts'
import type { Sign } from './exact-ring.ts'
import { integerSign } from './root-number.ts'

export type Polynomial = readonly bigint[]

/** Steps of an operation on a polynomial: a handful of products of some hundred bits. */
const OPERATION_STEPS = 4

/** Without leading zeros and common powers of two. */
export function trimmed(coefficients: readonly bigint[]): Polynomial {
  spend(OPERATION_STEPS)
  let length = coefficients.length
  while (length > 0 && coefficients[length - 1] === 0n) length--
  return coefficients.slice(0, length)
}

function magnitude(a: bigint): bigint {
  return a < 0n ? -a : a
}

function integerGcd(a: bigint, b: bigint): bigint {
  let u = magnitude(a)
  let v = magnitude(b)
  while (v !== 0n) {
    spend(1)
    const rest = u % v
    u = v
    v = rest
  }
  return u
}

/** Divided by the greatest common divisor of its coefficients; signs stay. */
export function primitive(f: Polynomial): Polynomial {
  let content = 0n
  for (const coefficient of f) {
    content = integerGcd(content, coefficient)
    if (content === 1n) return f
  }
  return content === 0n ? f : f.map((coefficient) => coefficient / content)
}

export function derivative(f: Polynomial): Polynomial {
  return f.slice(1).map((coefficient, i) => coefficient * BigInt(i + 1))
}

/** A positive multiple of the remainder of f by g, primitive. */
function remainder(f: Polynomial, g: Polynomial): Polynomial {
  const lead = g[g.length - 1]
  const scale = magnitude(lead)
  let rest = [...f]
  while (rest.length >= g.length) {
    spend(OPERATION_STEPS)
    const factor = rest[rest.length - 1] * (lead < 0n ? -1n : 1n)
    const shift = rest.length - g.length
    rest = rest.map((coefficient, i) => coefficient * scale - (i >= shift ? factor * g[i - shift] : 0n))
    rest.pop()
    while (rest.length > 0 && rest[rest.length - 1] === 0n) rest.pop()
  }
  return primitive(rest)
}

/** Primitive; f and g are not both zero. */
export function polynomialGcd(f: Polynomial, g: Polynomial): Polynomial {
  let u = f
  let v = g
  while (v.length > 0) {
    const rest = remainder(u, v)
    u = v
    v = rest
  }
  return primitive(u)
}

/** A multiple of f / g, which leaves no remainder. */
function quotient(f: Polynomial, g: Polynomial): Polynomial {
  const lead = g[g.length - 1]
  let rest = [...f]
  const result: bigint[] = []
  let scaled = 1n
  while (rest.length >= g.length) {
    spend(OPERATION_STEPS)
    const factor = rest[rest.length - 1]
    const shift = rest.length - g.length
    for (let i = 0; i < result.length; i++) result[i] *= lead
    result.unshift(factor)
    rest = rest.map((coefficient, i) => coefficient * lead - (i >= shift ? factor * g[i - shift] : 0n))
    rest.pop()
    scaled *= lead
  }
  return primitive(scaled < 0n ? result.map((coefficient) => -coefficient) : result)
}

/** With the same roots, each of them once. */
export function squarefree(f: Polynomial): Polynomial {
  const common = polynomialGcd(f, derivative(f))
  return common.length > 1 ? quotient(f, common) : primitive(f)
}

/** f freed of its root n/d. */
export function deflated(f: Polynomial, n: bigint, d: bigint): Polynomial {
  return quotient(f, [-n, d])
}

/** Sign of f(n/d), d > 0. */
export function signAt(f: Polynomial, n: bigint, d: bigint): Sign {
  if (f.length === 0) return 0
  spend(OPERATION_STEPS)
  let value = f[f.length - 1]
  let power = 1n
  for (let i = f.length - 2; i >= 0; i--) {
    power *= d
    value = value * n + f[i] * power
  }
  return integerSign(value)
}

/** f, its derivative, and the negative remainders of each two in a row; f has no double roots. */
export function sturmSequence(f: Polynomial): Polynomial[] {
  const sequence = [f, primitive(derivative(f))]
  for (;;) {
    const rest = remainder(sequence[sequence.length - 2], sequence[sequence.length - 1])
    if (rest.length === 0) return sequence
    sequence.push(rest.map((coefficient) => -coefficient))
  }
}

/** How often the signs change along the sequence at n/d: from one place to another as many fewer as there are roots between. */
export function signChanges(sequence: readonly Polynomial[], n: bigint, d: bigint): number {
  let changes = 0
  let last: Sign = 0
  for (const f of sequence) {
    const sign = signAt(f, n, d)
    if (sign === 0) continue
    if (last !== 0 && sign !== last) changes++
    last = sign
  }
  return changes
}
