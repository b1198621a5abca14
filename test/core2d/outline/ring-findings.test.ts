// Everything that is found about rings, against all pairs of edges in exact arithmetic on small integers.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BACK, setTurns } from '../../../src/core2d/outline/ring-check.ts'
import { examineRings, type RingFinding } from '../../../src/core2d/outline/ring-findings.ts'
import { exactMeetings, isFlat, type Point } from '../../oracle/exact-meetings.ts'
import { isLongRun, runCount, runs } from '../../support/runs.ts'

type Rings = readonly (readonly Point[])[]

interface Examined {
  found: RingFinding[]
  turns: Int8Array
  starts: number[]
  complete: boolean
}

function examine(rings: Rings, wanted = Number.POSITIVE_INFINITY): Examined {
  const points = Float64Array.from(rings.flat(2))
  const starts = [0]
  for (const ring of rings) starts.push(starts[starts.length - 1] + ring.length)
  const turns = new Int8Array(points.length / 2)
  rings.forEach((_, i) => {
    setTurns(turns, points, starts[i], starts[i + 1], true)
  })
  const found: RingFinding[] = []
  const report = (finding: RingFinding): boolean => found.push({ ...finding }) < wanted
  const complete = examineRings(points, starts, turns, report)
  return { found, turns, starts, complete }
}

const MEETINGS = ['crossing', 'overlap', 'touching']
const round = (x: number): number => Math.round(x * 1e9) / 1e9 + 0
const placed = (points: readonly Point[]): number[][] => points.map(([x, y]) => [round(x), round(y)])

/** In one form, to be compared. */
const meetingsOf = ({ found }: Examined): object[] =>
  found
    .filter(({ kind }) => MEETINGS.includes(kind))
    .map(({ kind, edgeA, edgeB, x, y, endX, endY }) => {
      const points: Point[] =
        kind === 'overlap'
          ? [
              [x, y],
              [endX, endY],
            ]
          : [[x, y]]
      return { kind, edges: [edgeA, edgeB], points: placed(points) }
    })

function expectExactMeetings(rings: Rings): Map<string, number> {
  const examined = examine(rings)
  const expected = exactMeetings(rings).map(({ kind, edges, points }) => ({ kind, edges, points: placed(points) }))
  expect(meetingsOf(examined)).toEqual(expected)
  expect(examined.complete).toBe(true)
  const counts = new Map<string, number>()
  for (const { kind } of examined.found) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

const gridRing = (size: number, length: number): fc.Arbitrary<Point[]> =>
  fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)) as fc.Arbitrary<Point>, { minLength: 3, maxLength: length })

/** A box with its corner within `reach`. */
const boxRing = (reach: number, size: number): fc.Arbitrary<Point[]> =>
  fc
    .tuple(
      fc.nat(reach),
      fc.nat(reach),
      fc.integer({ min: 1, max: size }),
      fc.integer({ min: 1, max: size }),
      fc.boolean(),
    )
    .map(([x, y, width, height, reversed]): Point[] => {
      const ring: Point[] = [
        [x, y],
        [x + width, y],
        [x + width, y + height],
        [x, y + height],
      ]
      return reversed ? ring.reverse() : ring
    })

const square = (size: number): Point[] => [
  [0, 0],
  [size, 0],
  [size, size],
  [0, size],
]

function expectAll(rings: fc.Arbitrary<Rings>, count: number, kinds: readonly string[]): void {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(rings, (given) => {
      for (const [kind, number] of expectExactMeetings(given)) seen.set(kind, (seen.get(kind) ?? 0) + number)
    }),
    runs(count),
  )
  for (const kind of kinds) expect([kind, seen.get(kind) ?? 0]).toEqual([kind, expect.any(Number)])
  for (const kind of kinds) expect(seen.get(kind) ?? 0).toBeGreaterThan(runCount(count / 20))
}

describe('every meeting of rings', () => {
  it('of one ring on a 4 × 4 grid', () => {
    expectAll(
      gridRing(4, 9).map((ring) => [ring]),
      5000,
      MEETINGS,
    )
  })

  it('of one ring on a wide grid, where crossings lie inside edges', () => {
    expectAll(
      gridRing(1000, 14).map((ring) => [ring]),
      1000,
      ['crossing'],
    )
  })

  it('of several rings', () => {
    const holes = fc.array(fc.oneof(gridRing(9, 5), boxRing(9, 4), boxRing(9, 4)), { minLength: 1, maxLength: 4 })
    const outer = fc.oneof(fc.constant(square(8)), gridRing(9, 6))
    expectAll(
      fc.tuple(outer, holes).map(([first, others]) => [first, ...others]),
      4000,
      [...MEETINGS, 'hole-outside', 'wrong-way'],
    )
  })
})

/** Crossing number of a point on no line through grid points. */
function holds(ring: readonly Point[], [x, y]: Point): boolean {
  let inside = false
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % ring.length]
    if (a[1] > y !== b[1] > y && x < a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0])) inside = !inside
  })
  return inside
}

function signedArea(ring: readonly Point[]): number {
  return ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]
    return sum + x * nextY - y * nextX
  }, 0)
}

const SAMPLES: Point[] = []
for (let i = 0; i < 72; i++) for (let j = 0; j < 72; j++) SAMPLES.push([i / 2 + 0.01234567, j / 2 + 0.07654321])

describe('rings among each other', () => {
  /** Rings in conflict with themselves (0), or with any ring (1): spikes included. */
  function conflicts(rings: Rings, { found, turns, starts }: Examined): [Set<number>, Set<number>] {
    const own = new Set<number>()
    const any = new Set<number>()
    for (const { kind, ringA, ringB } of found) {
      if (kind !== 'crossing' && kind !== 'overlap') continue
      any.add(ringA).add(ringB)
      if (ringA === ringB) own.add(ringA)
    }
    rings.forEach((ring, i) => {
      if (isFlat(ring) || !turns.subarray(starts[i], starts[i + 1]).includes(BACK)) return
      own.add(i)
      any.add(i)
    })
    return [own, any]
  }

  it('run the wrong way as their area says, and holes lie where samples say', () => {
    const counts = { nested: 0, outside: 0, besideDirt: 0 }
    const outer = fc.oneof(
      fc.constant(square(20)),
      fc.constant(square(20).reverse()),
      // crosses itself
      fc.constant<Point[]>([...square(20).slice(0, 3), [18, 20], [19, 21], [18, 21], [19, 20], [0, 20]]),
    )
    const holes = fc.array(fc.oneof(boxRing(25, 3), boxRing(6, 14)), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(outer, holes, (first, others) => {
        const rings: Rings = [first, ...others]
        const examined = examine(rings)
        const [own, any] = conflicts(rings, examined)
        const of = (...kinds: string[]): number[] =>
          examined.found.filter(({ kind }) => kinds.includes(kind)).map(({ ringA }) => ringA)
        const wrongWay = rings.flatMap((ring, i) => {
          const counterClockwise = signedArea(ring) > 0
          return !isFlat(ring) && !own.has(i) && counterClockwise !== (i === 0) ? [i] : []
        })
        expect(of('wrong-way')).toEqual(wrongWay)
        const misplaced = (hole: number): string | null => {
          const inHole = SAMPLES.filter((p) => holds(rings[hole], p))
          if (!inHole.every((p) => holds(rings[0], p))) return 'hole-outside'
          const isInside = rings.some(
            (ring, i) => i > 0 && i !== hole && !any.has(i) && inHole.every((p) => holds(ring, p)),
          )
          return isInside ? 'hole-nested' : null
        }
        for (let hole = 1; hole < rings.length; hole++) {
          const expected = any.has(hole) ? null : misplaced(hole)
          const given = examined.found.find(({ kind, ringA }) => kind.startsWith('hole') && ringA === hole)
          expect(given?.kind ?? null).toBe(expected)
          if (expected === 'hole-outside') counts.outside++
          if (expected === 'hole-nested') counts.nested++
          if (expected !== null && any.size > 0) counts.besideDirt++
        }
      }),
      runs(3000),
    )
    if (isLongRun) for (const count of Object.values(counts)) expect(count).toBeGreaterThan(runCount(20))
  })
})

describe('a search that is cut short', () => {
  /** Every diagonal crosses nearly every other. */
  const fan = Array.from({ length: 41 }, (_, i): Point => {
    const angle = (2 * Math.PI * ((i * 20) % 41)) / 41
    return [Math.cos(angle), Math.sin(angle)]
  })

  it('gives the first conflicts in order and says so', () => {
    const all = examine([fan])
    expect(all.complete).toBe(true)
    expect(all.found.length).toBe((41 * 38) / 2)
    const first = examine([fan], 10)
    expect(first.complete).toBe(false)
    expect(first.found).toEqual(all.found.slice(0, 10))
  })

  it('names one conflict at least, however many boxes meet', () => {
    const count = 40_000
    // long parallel diagonals, and a small crossing far from them
    const ring = Array.from({ length: count }, (_, i): Point => [i + (i % 2) * count, (i % 2) * count])
    const x = 2 * count + 10
    ring.push([x, -1], [x, -5], [x + 2, -3], [x - 2, -3], [-1, -2])
    const { found, complete } = examine([ring])
    expect(complete).toBe(false)
    expect(found.length).toBe(1)
    expect(found[0]).toMatchObject({ kind: 'crossing', edgeA: count, edgeB: count + 2, x, y: -3 })
  })

  it('gives the first points of touching', () => {
    const petals = Array.from({ length: 60 }, (_, i): Point => {
      const angle = (Math.PI * (i - (i % 3))) / 60 + (i % 3 === 1 ? 0 : 0.05)
      return i % 3 === 0 ? [0, 0] : [Math.cos(angle), Math.sin(angle)]
    })
    const all = examine([petals])
    expect(all.found.filter(({ kind }) => kind === 'touching').length).toBe((20 * 19) / 2)
    const some = examine([petals], 5)
    expect(some.found.slice(0, 5)).toEqual(all.found.slice(0, 5))
  })
})

describe('many vertices', () => {
  const star = (count: number, inner: number): Point[] =>
    Array.from({ length: count }, (_, i) => {
      const angle = (2 * Math.PI * i) / count
      const reach = i % 2 === 0 ? 1 : inner
      return [reach * Math.cos(angle), reach * Math.sin(angle)]
    })
  const corners = (x: number, y: number, size: number): Point[] =>
    square(size).map(([cornerX, cornerY]) => [x + cornerX, y + cornerY])

  it('are examined as few are', () => {
    const crossed: Point[] = [...corners(-3, -3, 6).slice(0, 3), [2, 3], [2.5, 4], [2, 4], [2.5, 3], [-3, 3]]
    const given: Rings[] = [
      [star(30_000, 0.9).reverse(), corners(-0.1, -0.1, 0.2), corners(0, 0, 0.05)],
      [crossed, star(20_000, 0.8), corners(5, 5, 1)],
      [star(12_000, 0.7), corners(0.1, 0.1, 0.1), corners(0.2, 0.2, 0.1)],
    ]
    expect(given.map((rings) => examine(rings).found.map(({ kind }) => kind))).toEqual([
      ['wrong-way', 'wrong-way', 'wrong-way', 'hole-nested'],
      ['overlap', 'crossing', 'wrong-way', 'wrong-way', 'hole-outside'],
      ['touching', 'wrong-way', 'wrong-way'],
    ])
  })
})
