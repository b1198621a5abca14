// Points on, in and beside bodies of all kinds: what polynomials say about them is what exact arithmetic says about the pair.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasPoint } from '../../../src/core3d/narrow-phase/point-membership.ts'
import { bodiesMeet } from '../../../src/core3d/queries/overlap.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  HALFSPACE,
  OFFSET,
  POINTS,
  POSITION,
  RADIUS,
  UNIT,
  VERTICES,
} from '../../../src/core3d/shape/body.ts'
import { kindOf } from '../../../src/core3d/shape/kinds.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import { everyBody } from '../../support/families/convex-bodies.ts'
import { runs } from '../../support/runs.ts'

const AXES = [0, 1, 2] as const

const turns = fc.constantFrom<CaseBody['orientation'][]>(
  undefined,
  [0.5, 0.5, -0.5, 0.5],
  [0.1, 0.2, 0.3, 0.927],
  [0.3, -0.1, 0.7, 0.2],
)

const LENGTH_KEYS = ['radius', 'height', 'offset', 'radii', 'size', 'min', 'max', 'a', 'b', 'c', 'points'] as const

function scaled(value: unknown, scale: number): unknown {
  return Array.isArray(value) ? value.map((item) => scaled(item, scale)) : (value as number) * scale
}

const bodies = fc
  .tuple(everyBody, turns, fc.constantFrom(1, 1, 0.1, 3e5), fc.constantFrom(0, 0, 0.1, 1e9))
  .map(([{ shape, position }, orientation, scale, far]): CaseBody => {
    const made: Record<string, unknown> = { ...shape }
    for (const key of LENGTH_KEYS) if (made[key] !== undefined) made[key] = scaled(made[key], scale)
    const place = position.map((x) => x * scale + far) as Triple
    return { shape: made as unknown as CaseShape, position: place, orientation }
  })

const SHARES = [
  [1, 0, 0],
  [0.5, 0.5, 0],
  [0.25, 0.25, 0.5],
  [0.3, 0.4, 0.3],
] as const
const WAYS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, -1],
  [0.6, 0.8, 0],
  [1 / 3, 2 / 3, 2 / 3],
] as const

const places = fc.record({
  shares: fc.constantFrom(...SHARES),
  picks: fc.tuple(fc.nat(31), fc.nat(31), fc.nat(31)),
  way: fc.constantFrom(...WAYS),
  steps: fc.tuple(...AXES.map(() => fc.constantFrom(-1, 0, 0, 0, 1))),
})
type Place = typeof places extends fc.Arbitrary<infer T> ? T : never

/** A point on the body, or a unit in the last place beside it. */
function placeOn(body: Body, { shares, picks, way, steps }: Place): Triple {
  const { kind, numbers, count } = body
  const found = new Float64Array(3)
  if (kind === HALFSPACE) for (const k of AXES) found[k] = numbers[OFFSET] * numbers[UNIT + k]
  else if (kind !== POINTS) kindOf(body).support(body, way[0], way[1], way[2], found)
  else {
    for (const k of AXES) {
      found[k] = numbers[RADIUS] * way[k]
      for (const m of AXES) found[k] += shares[m] * numbers[VERTICES + 3 * (picks[m] % count) + k]
    }
  }
  return AXES.map((k) => {
    const x = numbers[POSITION + k] + found[k]
    return x + steps[k] * Math.abs(x) * 2 ** -53
  }) as unknown as Triple
}

/** From the middle of the body to the point, or across three of its corners. */
function wayOut({ numbers, count }: Body, point: Triple, { picks }: Place): Triple {
  const out = AXES.map((k) => point[k] - numbers[POSITION + k] - numbers[ANCHOR + k] - numbers[CENTER + k])
  let normal = out
  if (count > 3) {
    const [a, b, c] = picks.map((pick) => VERTICES + 3 * (pick % count))
    const [u, v] = [b, c].map((at) => AXES.map((k) => numbers[at + k] - numbers[a + k]))
    normal = AXES.map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3])
    const rise = AXES.reduce<number>((sum, k) => sum + normal[k] * out[k], 0)
    if (rise === 0) normal = out
    else if (rise < 0) normal = normal.map((x) => -x)
  }
  const length = Math.hypot(...normal)
  return (length > 0 ? normal.map((x) => x / length) : [0, 0, 0]) as Triple
}

describe('points of bodies', () => {
  it('are what exact arithmetic says of the pair, where they are decided', () => {
    const counts = { in: 0, out: 0, open: 0 }
    fc.assert(
      fc.property(bodies, places, (made, place) => {
        const body = bodyOf(made)
        const point = placeOn(body, place)
        const has = hasPoint(body, point, wayOut(body, point, place))
        counts[has === null ? 'open' : has ? 'in' : 'out']++
        if (has !== null) expect(has).toBe(bodiesMeet(bodyOf({ shape: { type: 'point' }, position: point }), body))
      }),
      runs(20_000),
    )
    expect(counts.in).toBeGreaterThan(counts.open)
    expect(counts.out).toBeGreaterThan(counts.open)
  })

  it('are told beside a bent side of a turned box', () => {
    const box = bodyOf({
      shape: { type: 'box', size: [2, 2, 2] },
      position: [0, 0, 0],
      orientation: [0.1, 0.2, 0.3, 0.927],
    })
    const corner = (i: number): Triple => AXES.map((k) => box.numbers[VERTICES + 3 * i + k]) as unknown as Triple
    for (let i = 0; i < 8; i++) {
      const [x, y, z] = corner(i)
      expect(hasPoint(box, [x, y, z], [0, 0, 0])).toBe(true)
      expect(hasPoint(box, [x * (1 + 2 ** -50), y * (1 + 2 ** -50), z * (1 + 2 ** -50)], [0, 0, 0])).toBe(false)
      expect(hasPoint(box, [x * (1 - 2 ** -50), y * (1 - 2 ** -50), z * (1 - 2 ** -50)], [0, 0, 0])).toBe(true)
    }
  })
})
