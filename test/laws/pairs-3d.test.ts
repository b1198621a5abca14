// Pairs of many bodies in space: the same by every method; what is found is what overlap says of each pair; boxes are compared exactly.
import { readFileSync } from 'node:fs'
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pairs3dRequest, Pairs3dResponse } from '../../schemas/queries/pairs.ts'
import type { Body3d } from '../../schemas/shapes3d.ts'
import { bodiesMeet } from '../../src/core3d/queries/overlap.ts'
import { createBody } from '../../src/core3d/shape/body.ts'
import type { QueryLimits } from '../../src/queries/ask/query.ts'
import { pairsQuery } from '../../src/queries/stateless/pairs.ts'
import { decodeBody } from '../../src/wire/body-3d.ts'
import { GRID, type Source, UNIFORM } from '../support/families/arbitraries.ts'
import { bodyOf3d, SHAPE_TYPES_3D } from '../support/families/arbitrary-shapes-3d.ts'
import { nextAfter } from '../support/families/next-after.ts'
import { unshrunk } from '../support/runs.ts'
import { cases3dPresent, type Triple } from '../support/shared-cases-3d.ts'
import { vectorOf } from '../support/wire-cases-3d.ts'

const limits: QueryLimits = {
  maxVertices: 1e6,
  maxParts: 1e5,
  maxTargets: 1e5,
  maxImpacts: 1e3,
  maxBodies: 1e5,
  maxPairs: 1e6,
  maxCells: 1e6,
}
const METHODS = ['auto', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree', 'brute-force'] as const

function find(request: Pairs3dRequest): Pairs3dResponse {
  const answer = pairsQuery['3d'].answer(request, limits)
  if ('code' in answer) throw new Error(answer.detail)
  return answer
}

const slotA = createBody()
const slotB = createBody()

/** Pairs that overlap says meet. */
function expectedPairs(bodies: Body3d[]): number[][] {
  const pairs: number[][] = []
  for (let i = 0; i < bodies.length; i++) {
    decodeBody(bodies[i], slotA, limits)
    for (let j = i + 1; j < bodies.length; j++) {
      decodeBody(bodies[j], slotB, limits)
      if (bodiesMeet(slotA, slotB)) pairs.push([i, j])
    }
  }
  return pairs
}

const mixed = (source: Source): Arbitrary<Body3d[]> =>
  fc.array(
    fc.constantFrom(...SHAPE_TYPES_3D).chain((type) => bodyOf3d(type, source) as Arbitrary<Body3d>),
    {
      maxLength: 7,
    },
  )

describe.each([
  ['a grid', GRID],
  ['any doubles', UNIFORM],
])('bodies on %s', (_name, source) => {
  it('are found as overlap has them, by every method', () => {
    fc.assert(
      fc.property(mixed(source), (bodies) => {
        const expected = expectedPairs(bodies)
        for (const method of METHODS) expect(find({ bodies, method }).pairs).toEqual(expected)
      }),
      unshrunk(60),
    )
  })

  it('have boxes that meet wherever they meet, the same by every method', () => {
    fc.assert(
      fc.property(mixed(source), (bodies) => {
        const answers = METHODS.map((method) => find({ bodies, method, phase: 'broad' }).pairs)
        for (const pairs of answers) expect(pairs).toEqual(answers[0])
        const found = new Set(answers[0].map(String))
        const lost = find({ bodies }).pairs.filter((pair) => !found.has(String(pair)))
        expect(lost).toEqual([])
      }),
      unshrunk(60),
    )
  })
})

/** A box whose sides are sums that no double holds, and one beside it, apart or not by a few units in the last place. */
function neighbours({ coordinate, size }: Source): Arbitrary<Body3d[]> {
  return fc
    .record({
      x: coordinate,
      u: coordinate,
      width: size,
      axis: fc.constantFrom('x', 'y', 'z'),
      ulps: fc.integer({ min: -2, max: 2 }),
    })
    .map(({ x, u, width, axis, ulps }): Body3d[] => {
      const spread = { x: 1, y: 1, z: 1 }
      const min = { x: -1, y: -1, z: -1, [axis]: u / 3 }
      const max = { ...spread, [axis]: u / 3 + width }
      const origin = { x: 0, y: 0, z: 0 }
      const beside = nextAfter(x / 10 + max[axis], ulps)
      return [
        { shape: { type: 'aabb', min, max }, position: { ...origin, [axis]: x / 10 } },
        { shape: { type: 'aabb', min: { ...min, [axis]: beside }, max: { ...spread, [axis]: beside + 1 } } },
        { shape: { type: 'sphere', radius: 0.3 }, position: { ...origin, [axis]: nextAfter(beside + 0.3, ulps) } },
      ]
    })
}

describe('boxes of what is in line with the axes', () => {
  it.each([
    ['a grid', GRID],
    ['any doubles', UNIFORM],
  ])('meet exactly where it does: %s', (_name, source) => {
    let touching = 0
    let apart = 0
    fc.assert(
      fc.property(neighbours(source), (bodies) => {
        const expected = expectedPairs(bodies)
        touching += expected.length
        apart += 3 - expected.length
        for (const method of METHODS) expect(find({ bodies, method, phase: 'broad' }).pairs).toEqual(expected)
      }),
      unshrunk(300),
    )
    expect(Math.min(touching, apart)).toBeGreaterThan(0)
  })
})

interface PairsCase {
  id: string
  boxes: number[][]
  expect: { pairs: number[][] }
}

describe('the cases of ../shared/cases3d', () => {
  it.skipIf(!cases3dPresent)('are found by every method, as aabbs and as boxes in their places', () => {
    const file = new URL('../../../shared/cases3d/pairs.ndjson', import.meta.url)
    const lines = readFileSync(file, 'utf8').split('\n')
    for (const { boxes, expect: expected } of lines.filter(Boolean).map((line): PairsCase => JSON.parse(line))) {
      const shapes = boxes.map((sides) => ({
        type: 'aabb' as const,
        min: vectorOf(sides.slice(0, 3) as Triple),
        max: vectorOf(sides.slice(3) as Triple),
      }))
      const hulls = shapes.map(({ min, max }): Body3d => {
        const corners = [min, max].flatMap(({ x }) =>
          [min, max].flatMap(({ y }) => [min, max].map(({ z }) => ({ x, y, z }))),
        )
        return { shape: { type: 'hull', points: corners } }
      })
      for (const method of METHODS) {
        for (const phase of ['broad', 'narrow'] as const) {
          const bodies = shapes.map((shape): Body3d => ({ shape }))
          expect(find({ bodies, method, phase }).pairs).toEqual(expected.pairs)
          expect(find({ bodies: hulls, method, phase }).pairs).toEqual(expected.pairs)
        }
      }
    }
  })
})
