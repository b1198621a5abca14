import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { vertexInOutline } from '../../../src/core2d/narrow-phase/holding.ts'
import { createOutline, type Outline, pointInOutline, setChain } from '../../../src/core2d/outline/outline.ts'
import { setRegion } from '../../../src/core2d/outline/region.ts'
import { createOutlineFault } from '../../../src/core2d/outline/ring-check.ts'
import { type Body, createBody, setCapsule, setEllipse, setPose, X_LOW, Y_LOW } from '../../../src/core2d/shape/body.ts'
import { nextAfter } from '../../support/families/next-after.ts'
import { runCount, runs } from '../../support/runs.ts'

type Point = readonly [number, number]

const SQUARE: Point[] = [
  [0, 0],
  [8, 0],
  [8, 8],
  [0, 8],
]

/** Regions with everything that makes inside tests go wrong: level edges, vertices in a row, holes, rings touching themselves. */
const REGIONS: Point[][][] = [
  [SQUARE],
  [
    SQUARE,
    [
      [2, 2],
      [6, 2],
      [4, 4],
      [6, 6],
      [2, 6],
    ],
  ],
  [
    SQUARE,
    [
      [0, 4],
      [4, 1],
      [8, 4],
      [4, 7],
    ],
  ],
  [
    [
      [0, 0],
      [1, 4],
      [2, 0],
      [3, 4],
      [4, 0],
      [5, 4],
      [8, 4],
      [7, 8],
      [4, 4],
      [0, 8],
    ],
  ],
  [
    [
      [0, 0],
      [2, 0],
      [4, 0],
      [4, 4],
      [8, 4],
      [8, 8],
      [4, 8],
      [4, 4],
      [0, 4],
      [0, 2],
    ],
  ],
  [
    [
      [0, 0],
      [8, 0],
      [8, 8],
      [6, 8],
      [6, 2],
      [5, 2],
      [5, 8],
      [3, 8],
      [3, 2],
      [2, 2],
      [2, 8],
      [0, 8],
    ],
  ],
]

function regionOf(rings: Point[][]): Outline {
  const outline = createOutline()
  const starts = [0]
  for (const ring of rings) starts.push(starts[starts.length - 1] + ring.length)
  expect(setRegion(outline, Float64Array.from(rings.flat(2)), starts, 1, 0, createOutlineFault())).toBe(true)
  return outline
}

function chainOf(points: readonly Point[], loop: boolean): Outline {
  const outline = createOutline()
  setChain(outline, Float64Array.from(points.flat()), points.length, loop, 1, 0)
  return outline
}

/** All numbers below are multiples of 2^-60. */
const BITS = 60n
type Exact = readonly [bigint, bigint]
const toExact = ([x, y]: Point): Exact => [toUnits(x), toUnits(y)]

function toUnits(value: number): bigint {
  const whole = Math.trunc(value)
  // Both terms are exact: a double below 1 in magnitude here has no more than 60 places.
  return (BigInt(whole) << BITS) + BigInt((value - whole) * 2 ** Number(BITS))
}

function exactCross(a: Exact, b: Exact, c: Exact): bigint {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/** Inside test by a skew ray, which meets no vertex: heights are ordered by y and then x. */
function bruteSide(rings: Point[][], p: Exact): number {
  const above = (q: Exact): boolean => q[1] > p[1] || (q[1] === p[1] && q[0] > p[0])
  let inside = false
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i++) {
      const a = toExact(ring[i])
      const b = toExact(ring[(i + 1) % ring.length])
      const turn = exactCross(a, b, p)
      const along = (b[0] - a[0]) * (p[0] - a[0]) + (b[1] - a[1]) * (p[1] - a[1])
      const length = (b[0] - a[0]) ** 2n + (b[1] - a[1]) ** 2n
      if (turn === 0n && along >= 0n && along <= length) return 0
      if (above(a) !== above(b) && turn > 0n === above(b)) inside = !inside
    }
  }
  return inside ? -1 : 1
}

describe('pointInOutline', () => {
  it.each(REGIONS.map((rings) => ({ rings })))('agrees with exact brute force on $rings', ({ rings }) => {
    const sheared = ([x, y]: Point, k: number, l: number): Point => [x + k * y, y + l * (x + k * y)]
    for (const [k, l] of [
      [0, 0],
      [1, 0],
      [0, -1],
      [2, 3],
    ]) {
      const moved = rings.map((ring) => ring.map((p) => sheared(p, k, l)))
      const outline = regionOf(moved)
      for (let x = -1; x <= 9; x += 0.25) {
        for (let y = -1; y <= 9; y += 0.25) {
          const p = sheared([x, y], k, l)
          if (pointInOutline(outline, p[0], p[1]) !== bruteSide(moved, toExact(p))) {
            expect.fail(`(${p}) is ${bruteSide(moved, toExact(p))}, not ${pointInOutline(outline, p[0], p[1])}`)
          }
        }
      }
    }
  })

  it('tells apart neighbouring doubles at a slanted edge', () => {
    const outline = regionOf([
      [
        [0.1, 0.1],
        [0.9, 0.9],
        [0.1, 0.9],
      ],
    ])
    for (const x of [0.2, 0.3, 0.55, 0.7]) {
      expect(pointInOutline(outline, x, x)).toBe(0)
      expect(pointInOutline(outline, x, nextAfter(x, 1))).toBe(-1)
      expect(pointInOutline(outline, x, nextAfter(x, -1))).toBe(1)
    }
    // 0.1 + 0.2 as doubles is not on the line from (0, 0) to (1, 3)·0.1.
    const tiny = regionOf([SQUARE.map(([x, y]): Point => [x * 1e-200, y * 1e-200])])
    expect(pointInOutline(tiny, 1e-200, 1e-200)).toBe(-1)
    expect(pointInOutline(tiny, 0, 4e-200)).toBe(0)
    expect(pointInOutline(tiny, -5e-324, 4e-200)).toBe(1)
  })

  it('gives line work no inside', () => {
    const open = chainOf(SQUARE, false)
    const closed = chainOf(SQUARE, true)
    for (const [x, y, onOpen, onClosed] of [
      [0, 0, 0, 0],
      [0, 8, 0, 0],
      [0, 4, 1, 0],
      [4, 8, 0, 0],
      [8, 1, 0, 0],
      [4, 4, 1, 1],
      [9, 0, 1, 1],
      [-1, 8, 1, 1],
    ]) {
      expect([x, y, pointInOutline(open, x, y)]).toEqual([x, y, onOpen])
      expect([x, y, pointInOutline(closed, x, y)]).toEqual([x, y, onClosed])
    }
    const hanging = chainOf(
      [
        [0, 2],
        [1, 0],
      ],
      false,
    )
    expect([pointInOutline(hanging, 0, 2), pointInOutline(hanging, 1, 0), pointInOutline(hanging, 0.5, 1)]).toEqual([
      0, 0, 0,
    ])
    const point = chainOf([[3, 4]], false)
    expect([pointInOutline(point, 3, 4), pointInOutline(point, 3, 5), pointInOutline(point, 4, 4)]).toEqual([0, 1, 1])
  })
})

describe('vertexInOutline', () => {
  /** Multiples of 2^-30 below 2^20: sums of them need more places than a double has. */
  const coordinate = fc.integer({ min: -(2 ** 49), max: 2 ** 49 }).map((n) => n * 2 ** -30)
  const target = fc.integer({ min: -4, max: 36 }).map((n) => n / 4)
  const nudge = fc.oneof(fc.constantFrom(0n, 0n, 1n, -1n), fc.bigInt({ min: -(2n ** 40n), max: 2n ** 40n }))

  /** Splits `units` of 2^-60 into two doubles. */
  function halves(units: bigint): [number, number] {
    const high = Number(units)
    return [high * 2 ** -60, Number(units - BigInt(high)) * 2 ** -60]
  }

  /** Sets one axis so that other.x + other.xLow + vertex − pose.x − pose.xLow is `units`. */
  function split(units: bigint, origin: number, position: number, vertex: number): { low: number; originLow: number } {
    const [low, rest] = halves(units - toUnits(position) - toUnits(vertex) + toUnits(origin))
    return { low, originLow: -rest }
  }

  it('takes position + vertex exactly on both sides', () => {
    const region = fc.constantFrom(...REGIONS)
    const outlines = new Map(REGIONS.map((rings) => [rings, regionOf(rings)]))
    const pose = createBody()
    const other = createBody()
    const sides = [0, 0, 0]
    fc.assert(
      fc.property(
        region,
        fc.tuple(target, target, nudge, nudge),
        fc.array(coordinate, { minLength: 6, maxLength: 6 }),
        fc.boolean(),
        (rings, [x, y, dx, dy], [ox, oy, px, py, vx, vy], ellipse) => {
          const point: Exact = [toUnits(x) + dx, toUnits(y) + dy]
          const alongX = split(point[0], ox, px, ellipse ? 0 : vx)
          const alongY = split(point[1], oy, py, ellipse ? 0 : vy)
          place(pose, ox, oy, alongX.originLow, alongY.originLow)
          place(other, px, py, alongX.low, alongY.low)
          if (ellipse) setEllipse(other, 2, 1)
          else setCapsule(other, 0, 0, vx, vy, 0)
          const side = vertexInOutline(outlines.get(rings) as Outline, pose, other, other.count - 1)
          expect(side).toBe(bruteSide(rings, point))
          sides[side + 1]++
        },
      ),
      runs(5000),
    )
    for (const count of sides) expect(count).toBeGreaterThan(runCount(100))
  })

  function place(body: Body, x: number, y: number, xLow: number, yLow: number): void {
    setPose(body, x, y, 0)
    body.numbers[X_LOW] = xLow
    body.numbers[Y_LOW] = yLow
  }

  it('sees a sum that no double can hold', () => {
    const outline = regionOf([SQUARE])
    const pose = createBody()
    const other = createBody()
    setPose(pose, 0, 0, 0)
    for (const [xLow, expected] of [
      [2 ** -80, 1],
      [0, 0],
      [-(2 ** -80), -1],
    ]) {
      place(other, 5, 4, xLow, 0)
      setCapsule(other, 0, 0, 3, 0, 0)
      expect(vertexInOutline(outline, pose, other, 1)).toBe(expected)
    }
  })
})
