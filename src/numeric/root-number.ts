/**
 * Numbers a + b√d with integers a, b and one integer d ≥ 0 that all numbers of a computation share.
 *
 * Points of a line that lies at a given distance from another one have such coordinates (d is the square of a length).
 * Sums and products stay of this form, and the sign is found by squaring. Where d is 0, b is 0 throughout.
 */
import type { Sign } from './exact-ring.ts'

export interface RootNumber {
  a: bigint
  b: bigint
}

export function whole(a: bigint): RootNumber {
  return { a, b: 0n }
}

export const NOTHING: Readonly<RootNumber> = whole(0n)

export function addRoots(u: RootNumber, v: RootNumber): RootNumber {
  return { a: u.a + v.a, b: u.b + v.b }
}

export function subtractRoots(u: RootNumber, v: RootNumber): RootNumber {
  return { a: u.a - v.a, b: u.b - v.b }
}

export function scaleRoot(u: RootNumber, by: bigint): RootNumber {
  return { a: u.a * by, b: u.b === 0n ? 0n : u.b * by }
}

export function multiplyRoots(u: RootNumber, v: RootNumber, d: bigint): RootNumber {
  if (d === 0n) return { a: u.a * v.a, b: 0n }
  return { a: u.a * v.a + d * u.b * v.b, b: u.a * v.b + u.b * v.a }
}

export function integerSign(a: bigint): Sign {
  return a > 0n ? 1 : a < 0n ? -1 : 0
}

export function rootSign({ a, b }: RootNumber, d: bigint): Sign {
  const signA = integerSign(a)
  const signB = d === 0n ? 0 : integerSign(b)
  if (signB === 0 || signA === signB) return signA
  if (signA === 0) return signB
  return (signA * integerSign(a * a - b * b * d)) as Sign
}

/** Sign of u − c√q, q ≥ 0. */
export function signBesideRoot(u: RootNumber, d: bigint, c: bigint, q: bigint): Sign {
  const signU = rootSign(u, d)
  const signC = q === 0n ? 0 : integerSign(c)
  if (signU !== signC) return signU === 0 ? (-signC as Sign) : signU
  if (signU === 0) return 0
  const excess = subtractRoots(multiplyRoots(u, u, d), whole(c * c * q))
  return (signU * rootSign(excess, d)) as Sign
}

/** The greatest integer whose square is at most `n` ≥ 0: Newton's method from above. */
export function integerRoot(n: bigint): bigint {
  if (n < 2n) return n
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (x + n / x) >> 1n
    if (next >= x) return x
    x = next
  }
}
