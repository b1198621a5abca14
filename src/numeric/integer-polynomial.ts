/**
 * Polynomials in one variable with integer coefficients, of small degree: signs, greatest common divisors, Descartes' rule.
 *
 * Method: remainders are taken without fractions (D. Knuth, The Art of Computer Programming 2, section 4.6.1). Coefficients by rising power; the last one is not 0, and the zero polynomial has none.
 */
import { spend } from '../containers/budget.ts'
import type { Sign } from './exact-ring.ts'
import { integerSign } from './root-number.ts'

export type Polynomial = readonly bigint[]

/** Hexadecimal digits in a word of 64 bits. */
const DIGITS_PER_WORD = 16

/** How many words of 64 bits the number takes. Cost O(words). */
export function wordsOf(a: bigint): number {
  return Math.ceil(a.toString(16).length / DIGITS_PER_WORD)
}

/** Steps of a product of two numbers of so many words, with what goes with it. */
function productSteps(words: number): number {
  return 1 + (words * words) / 32
}

/** Without leading zeros. */
export function trimmed(coefficients: readonly bigint[]): Polynomial {
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
  spend(1)
  while (v !== 0n) {
    spend(wordsOf(v) / 8)
    const rest = u % v
    u = v
    v = rest
  }
  return u
}

/** Divided by the greatest common divisor of its coefficients; signs stay. */
function primitive(f: Polynomial): Polynomial {
  let content = 0n
  for (const coefficient of f) {
    content = integerGcd(content, coefficient)
    if (content === 1n) return f
  }
  return content === 0n ? f : f.map((coefficient) => coefficient / content)
}

function derivative(f: Polynomial): Polynomial {
  return f.slice(1).map((coefficient, i) => coefficient * BigInt(i + 1))
}

/** A positive multiple of the remainder of f by g. Its coefficients are longer, but not by much for a degree of 4. */
function remainder(f: Polynomial, g: Polynomial): Polynomial {
  const lead = g[g.length - 1]
  const scale = magnitude(lead)
  let rest = [...f]
  while (rest.length >= g.length) {
    spend(2 * g.length * productSteps(wordsOf(lead)))
    const factor = rest[rest.length - 1] * (lead < 0n ? -1n : 1n)
    const shift = rest.length - g.length
    rest = rest.map((coefficient, i) => coefficient * scale - (i >= shift ? factor * g[i - shift] : 0n))
    rest.pop()
    while (rest.length > 0 && rest[rest.length - 1] === 0n) rest.pop()
  }
  return rest
}

/** Of two polynomials that are not both zero; its coefficients may have a common factor. */
export function polynomialGcd(f: Polynomial, g: Polynomial): Polynomial {
  let u = f
  let v = g
  while (v.length > 0) {
    const rest = remainder(u, v)
    u = v
    v = rest
  }
  return u
}

/** A multiple of f / g, which leaves no remainder. */
function quotient(f: Polynomial, g: Polynomial): Polynomial {
  const lead = g[g.length - 1]
  let rest = [...f]
  const result: bigint[] = []
  let scaled = 1n
  while (rest.length >= g.length) {
    spend(2 * g.length * productSteps(wordsOf(lead)))
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

/** A prime: what is coprime modulo it, with the same degrees, is coprime. */
const PRIME = 2147483647n

/** Whether f and g have no common root for certain; hardly ever false where they have none. */
export function areClearlyCoprime(f: Polynomial, g: Polynomial): boolean {
  spend(2)
  let u = f.map((coefficient) => coefficient % PRIME)
  let v = g.map((coefficient) => coefficient % PRIME)
  if (u[u.length - 1] === 0n || v[v.length - 1] === 0n) return false
  while (v.length > 1) {
    const rest = remainderModulo(u, v)
    u = v
    v = rest
  }
  return v.length === 1
}

function remainderModulo(f: readonly bigint[], g: readonly bigint[]): bigint[] {
  const lead = g[g.length - 1]
  let rest = [...f]
  while (rest.length >= g.length) {
    const factor = rest[rest.length - 1]
    const shift = rest.length - g.length
    rest = rest.map((value, i) => (value * lead - (i >= shift ? factor * g[i - shift] : 0n)) % PRIME)
    rest.pop()
    while (rest.length > 0 && rest[rest.length - 1] === 0n) rest.pop()
  }
  return rest
}

/** With the same roots, each of them once. */
export function squarefree(f: Polynomial): Polynomial {
  if (areClearlyCoprime(f, derivative(f))) return f
  const common = polynomialGcd(f, derivative(f))
  return common.length > 1 ? quotient(f, primitive(common)) : f
}

/** f freed of its root n/d. */
export function deflated(f: Polynomial, n: bigint, d: bigint): Polynomial {
  return quotient(f, [-n, d])
}

/** Sign of f(n/d), d > 0. */
export function signAt(f: Polynomial, n: bigint, d: bigint): Sign {
  if (f.length === 0) return 0
  let value = f[f.length - 1]
  let power = 1n
  for (let i = f.length - 2; i >= 0; i--) {
    power *= d
    value = value * n + f[i] * power
  }
  return integerSign(value)
}

/** 2^n·f(x/2), whose roots are twice as large. */
export function stretched(f: Polynomial): Polynomial {
  const degree = f.length - 1
  return f.map((coefficient, i) => coefficient << BigInt(degree - i))
}

/** f(x + by), whose roots are smaller by so much. */
export function shifted(f: Polynomial, by: bigint): Polynomial {
  const result = [...f]
  for (let start = 0; start + 1 < result.length; start++) {
    for (let i = result.length - 2; i >= start; i--) result[i] += by * result[i + 1]
  }
  return result
}

/** f(x·by), whose roots are smaller by that factor. */
export function shrunk(f: Polynomial, by: bigint): Polynomial {
  return f.map((coefficient, i) => coefficient * by ** BigInt(i))
}

/** At least as many as there are roots between 0 and 1, and exactly as many where it is 0 or 1 (Descartes' rule of signs). */
export function signChanges(f: Polynomial): number {
  let changes = 0
  let last: Sign = 0
  for (const coefficient of shifted([...f].reverse(), 1n)) {
    const sign = integerSign(coefficient)
    if (sign === 0) continue
    if (last !== 0 && sign !== last) changes++
    last = sign
  }
  return changes
}
