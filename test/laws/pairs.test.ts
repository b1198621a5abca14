// Pairs of many bodies: the same by every method; what is found is what overlap says of each pair; boxes are compared exactly.

import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PairsRequest, PairsResponse } from '../../schemas/queries/pairs.ts'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { pairsQuery } from '../../src/queries/stateless/pairs.ts'
import { overlapAnswer } from '../support/answers/answers.ts'
import { GRID, mixedBody, type Source, UNIFORM } from '../support/families/arbitraries.ts'
import { mixedComposite } from '../support/families/composite-arbitraries.ts'
import { nextAfter } from '../support/families/next-after.ts'
import { lawPairs } from '../support/families/pair-families.ts'
import { unshrunk } from '../support/runs.ts'

const LIMITS = {
  ...queryLimits(loadConfig({})),
  maxBodies: 1000,
  maxPairs: 1_000_000,
  maxVertices: 100_000,
  maxParts: 1000,
}
const METHODS = ['auto', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree', 'brute-force'] as const

function find(request: PairsRequest): PairsResponse {
  const answer = pairsQuery['2d'].answer(request, LIMITS)
  if ('code' in answer) throw new Error(answer.detail)
  return answer
}

/** Pairs that overlap says meet. */
function expectedPairs(bodies: Body2d[]): number[][] {
  const pairs: number[][] = []
  for (let i = 0; i < bodies.length; i++) {
    for (let j = i + 1; j < bodies.length; j++) {
      if (overlapAnswer({ a: bodies[i], b: bodies[j] }).relation <= 0) pairs.push([i, j])
    }
  }
  return pairs
}

const scenes: Record<string, Arbitrary<Body2d[]>> = {
  'convex bodies': fc.array(mixedBody(), { maxLength: 12 }),
  'bodies of all kinds': fc.array(fc.oneof(mixedBody(), mixedComposite()), { maxLength: 8 }),
  'pairs that are hard to decide': fc
    .array(lawPairs(), { minLength: 1, maxLength: 4 })
    .map((pairs) => pairs.flatMap(({ a, b }) => [a, b])),
}

describe.each(Object.entries(scenes))('%s', (_name, scene) => {
  it('are found as overlap has them, by every method', () => {
    fc.assert(
      fc.property(scene, (bodies) => {
        const expected = expectedPairs(bodies)
        for (const method of METHODS) {
          const { pairs, truncated } = find({ bodies, method })
          expect({ method, pairs, truncated }).toEqual({ method, pairs: expected, truncated: false })
        }
      }),
      unshrunk(400),
    )
  })

  it('have boxes that meet wherever they meet, the same by every method', () => {
    fc.assert(
      fc.property(scene, (bodies) => {
        const answers = METHODS.map((method) => find({ bodies, method, phase: 'broad' }).pairs)
        for (const pairs of answers) expect(pairs).toEqual(answers[0])
        const found = new Set(answers[0].map(String))
        expect(find({ bodies }).pairs.filter((pair) => !found.has(String(pair)))).toEqual([])
      }),
      unshrunk(200),
    )
  })
})

/** Rectangles whose sides are sums that no double holds, some of them put a few units in the last place beside another. */
function rectangles(source: Source): Arbitrary<Body2d[]> {
  const { coordinate, size } = source
  const body = fc
    .record({ x: coordinate, y: coordinate, u: coordinate, v: coordinate, width: size, height: size, radius: size })
    .map(({ x, y, u, v, width, height, radius }): Body2d => {
      const min = { x: u / 3, y: v / 3 }
      if (radius > 1) {
        const shape = { type: 'aabb', min, max: { x: min.x + width, y: min.y + height } } as const
        return { shape, position: { x: x / 10, y: y / 10 } }
      }
      return { shape: { type: 'box', width, height }, position: { x: x / 10, y: y / 10 } }
    })
  const beside = fc
    .tuple(body, fc.integer({ min: -2, max: 2 }), fc.boolean())
    .map(([first, ulps, isAabb]): Body2d[] => {
      const { shape, position } = first
      const x = position?.x ?? 0
      const right = shape.type === 'aabb' ? shape.max.x : shape.type === 'box' ? shape.width / 2 : 0
      const at = { x: nextAfter(x + right, ulps), y: position?.y ?? 0 }
      const max = { x: 1, y: 1 }
      const second: Body2d = isAabb
        ? { shape: { type: 'aabb', min: { x: 0, y: -1 }, max }, position: at }
        : { shape: { type: 'box', width: 0.2, height: 3 }, position: { x: nextAfter(at.x + 0.1, ulps), y: at.y } }
      return [first, second]
    })
  return fc.array(beside, { minLength: 1, maxLength: 4 }).map((pairs) => pairs.flat())
}

describe('boxes of unrotated rectangles', () => {
  it.each([
    ['a grid', GRID],
    ['any doubles', UNIFORM],
  ])('meet exactly where the rectangles do: %s', (_name, source) => {
    let touching = 0
    fc.assert(
      fc.property(rectangles(source), (bodies) => {
        const expected = expectedPairs(bodies)
        touching += expected.length
        for (const method of METHODS) expect(find({ bodies, method, phase: 'broad' }).pairs).toEqual(expected)
      }),
      unshrunk(500),
    )
    expect(touching).toBeGreaterThan(0)
  })
})
