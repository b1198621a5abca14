// The least way out of many bodies: what enumeration finds among boxes of whole numbers, and free, touching and least for all others.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEscape, findEscape } from '../../../src/core3d/minimum-translation/escape.ts'
import { movedBody } from '../../../src/core3d/narrow-phase/composite-exit.ts'
import { relate } from '../../../src/core3d/queries/overlap.ts'
import type { Body, Vector } from '../../../src/core3d/shape/body.ts'
import { unionOf } from '../../../src/core3d/shape/composite.ts'
import { bodyOf, type CaseBody, type Triple } from '../../support/convex-cases-3d.ts'
import { convexBodies, coredBodies, everyBody, turn } from '../../support/families/convex-bodies.ts'
import { runs } from '../../support/runs.ts'

function wayOut(obstacles: readonly Body[], body: Body) {
  const out = createEscape()
  findEscape(unionOf(obstacles), body, 0, out)
  return out
}

const length = ([x, y, z]: Vector): number => Math.hypot(x, y, z)

function overlaps(obstacles: readonly Body[], body: Body, way: Vector): boolean {
  const there = movedBody(body, way)
  return obstacles.some((obstacle) => relate(obstacle, there) < 0)
}

interface Box {
  at: Triple
  size: Triple
}

const places = fc.integer({ min: -5, max: 5 })
const sizes = fc.integer({ min: 1, max: 4 })
/** With middles at halves where sizes are odd, so that sides are whole. */
const boxes: fc.Arbitrary<Box> = fc.record({
  at: fc.tuple(places, places, places),
  size: fc.tuple(sizes, sizes, sizes),
})

function boxOf({ at, size }: Box): Body {
  const position = at.map((x, k) => x + size[k]! / 2) as Triple
  const [x, y, z] = size
  return bodyOf({ shape: { type: 'box', size: [x, y, z] }, position })
}

/** The least length of all ways to places that sides bound, of which one is the nearest free one. */
function leastByEnumeration(obstacles: readonly Box[], { at, size }: Box): number {
  const stops = [0, 1, 2].map((k) => {
    const ends = obstacles.flatMap((box) => [box.at[k]! - at[k]! - size[k]!, box.at[k]! + box.size[k]! - at[k]!])
    return [...new Set([0, ...ends])]
  })
  let least = Infinity
  for (const x of stops[0]!) {
    for (const y of stops[1]!) {
      for (const z of stops[2]!) {
        const way: Triple = [x, y, z]
        if (length(way) >= least) continue
        const isFree = obstacles.every((box) =>
          way.some((w, k) => at[k]! + w >= box.at[k]! + box.size[k]! || at[k]! + w + size[k]! <= box.at[k]!),
        )
        if (isFree) least = length(way)
      }
    }
  }
  return least
}

describe('boxes of whole numbers', () => {
  it('the way is exactly the shortest that enumeration finds', () => {
    let deep = 0
    fc.assert(
      fc.property(fc.array(boxes, { minLength: 1, maxLength: 12 }), boxes, (obstacles, box) => {
        const { found, exact, way } = wayOut(obstacles.map(boxOf), boxOf(box))
        expect(found && exact).toBe(true)
        expect(length(way)).toBe(leastByEnumeration(obstacles, box))
        expect(overlaps(obstacles.map(boxOf), boxOf(box), way)).toBe(false)
        if (way.filter((x) => x !== 0).length > 1) deep++
      }),
      runs(3000),
    )
    expect(deep).toBeGreaterThan(1)
  })
})

/** Of several unit vectors. */
const anyWay = fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -1, max: 1, noNaN: true }))) as fc.Arbitrary<Triple>

const turned = (bodies: fc.Arbitrary<CaseBody>): fc.Arbitrary<CaseBody> =>
  fc.tuple(bodies, fc.option(turn)).map(([body, orientation]) => ({
    ...body,
    orientation: body.shape.type === 'aabb' ? undefined : (orientation ?? undefined),
  }))

/** Free and touching, and no shorter way of some at random is free where it says so. */
function checkWay(obstacles: readonly Body[], body: Body, ways: readonly Triple[]): boolean {
  const { found, exact, way, off, room } = wayOut(obstacles, body)
  if (!found) return false
  const size = length(way)
  const by = (share: number): Vector => [way[0] + share * off[0], way[1] + share * off[1], way[2] + share * off[2]]
  expect(room).toBeLessThanOrEqual(1e-8)
  expect(overlaps(obstacles, body, by(room))).toBe(false)
  if (size > 0) expect(overlaps(obstacles, body, by(-1e-9 * (10 + size)))).toBe(true)
  if (!exact) return false
  for (const [x, y, z] of ways) {
    const scale = (size * (1 - 1e-9)) / Math.max(1, Math.hypot(x, y, z))
    expect(overlaps(obstacles, body, [x * scale, y * scale, z * scale])).toBe(size > 0)
  }
  return true
}

const isFlat = ({ shape }: CaseBody): boolean => (shape.radius ?? 0) === 0

describe('convex bodies', () => {
  it.each([
    ['of flat sides', turned(coredBodies.filter(isFlat)), 1],
    ['of all kinds', turned(convexBodies), 0],
    ['and half-spaces', turned(everyBody), 0],
  ] as const)('%s: the way is free, touches, and is the shortest if it says so', (_, obstacles, share) => {
    let all = 0
    let exact = 0
    fc.assert(
      fc.property(
        fc.array(obstacles, { minLength: 1, maxLength: 6 }),
        turned(share === 1 ? coredBodies.filter(isFlat) : convexBodies),
        fc.array(anyWay, { minLength: 40, maxLength: 40 }),
        (cases, own, ways) => {
          all++
          if (checkWay(cases.map(bodyOf), bodyOf(own), ways)) exact++
        },
      ),
      runs(3000),
    )
    console.log(all, exact)
    expect(exact).toBeGreaterThan(share * 0.9 * all)
  })
})
