// Pairs are measured at another scale where products of their coordinates would over- or underflow.

import { describe, expect, it } from 'vitest'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import { countSteps } from '../../../src/containers/budget.ts'
import { validateBoxTree } from '../../../src/core2d/broad-phase/box-tree.ts'
import { separate } from '../../../src/core2d/narrow-phase/dispatch.ts'
import { createSeparation } from '../../../src/core2d/narrow-phase/separation.ts'
import {
  ANCHOR_Y,
  type Composite,
  createBody,
  LOCAL,
  REACH,
  RX,
  verticesOf,
  X,
  Y,
} from '../../../src/core2d/shape/body.ts'
import { copyScaled, pairExponent, scaleBody } from '../../../src/core2d/shape/body-scaling.ts'
import { scaleBy } from '../../../src/numeric/safe-range.ts'
import { queries } from '../../../src/queries/stateless/all.ts'
import { decodeBody } from '../../../src/wire/body.ts'

const LIMITS = {
  maxVertices: 1000,
  maxParts: 100,
  maxTargets: 100,
  maxImpacts: 1000,
  maxBodies: 100,
  maxPairs: 1000,
  maxCells: 100_000,
}

function answer(op: string, request: object): object {
  return queries.find((query) => query.op === op)?.answer(request as Record<string, unknown>, LIMITS) as object
}

function bodyOf(wire: Body2d) {
  const body = createBody()
  expect(decodeBody(wire, body)).toBeNull()
  return body
}

const box = (size: number, x = 0): Body2d => ({
  shape: { type: 'box', width: size, height: size },
  position: { x, y: 0 },
})
const compound = (...children: Body2d[]): Body2d => ({ shape: { type: 'compound', children } })

describe('scaleBy', () => {
  it('goes to and fro without rounding', () => {
    for (const exponent of [0, 1, -1, 1000, -1000, 1001, 1074, -1022, -1060]) {
      const scaled = scaleBy(1.5, exponent < 0 ? exponent : Math.min(exponent, 1020))
      expect(scaleBy(scaled, -(exponent < 0 ? exponent : Math.min(exponent, 1020)))).toBe(1.5)
    }
  })

  it('reaches from the smallest to beyond the largest double', () => {
    expect(scaleBy(Number.MIN_VALUE, 2000)).toBe(2 ** 926)
    expect(scaleBy(0, 2100)).toBe(0)
    expect(scaleBy(2 ** 900, -1974)).toBe(Number.MIN_VALUE)
  })
})

describe('pairExponent', () => {
  it('is 0 for pairs of ordinary size, wherever they are', () => {
    expect(pairExponent(bodyOf(box(1)), bodyOf(box(1e-3, 1e6)))).toBe(0)
    expect(pairExponent(bodyOf(box(0)), bodyOf(box(0)))).toBe(0)
  })

  it('brings small and large pairs to a size of about 1', () => {
    for (const size of [1e-322, 1e-310, 1e-100, 1e90, 1e100]) {
      for (const wire of [box(size), compound(box(size), box(0))]) {
        const a = bodyOf(wire)
        const exponent = pairExponent(a, a)
        const scaled = scaleBody(a, exponent)
        expect(scaled.numbers[REACH]).toBeGreaterThan(0.1)
        expect(scaled.numbers[REACH]).toBeLessThan(10)
      }
    }
  })

  it('keeps the digits of what is small in a large pair', () => {
    const a = bodyOf(compound(box(1e100), box(1e-300)))
    const exponent = pairExponent(a, a)
    expect(exponent).toBeGreaterThan(0)
    const scaled = scaleBody(a, exponent).composite as Composite
    const { vertices, numbers } = scaled.parts[1].body
    expect(scaleBy(numbers[vertices], exponent)).toBe(-5e-301)
  })

  it('counts half-planes up to their boundary', () => {
    const floor: Body2d = { shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 2 ** -300 } }
    expect(pairExponent(bodyOf(compound(floor, box(0))), bodyOf(box(0)))).toBeLessThan(-290)
  })
})

it('scales composites to composites in order', () => {
  const region: Body2d = {
    shape: {
      type: 'region',
      outer: [
        { x: 0, y: 0 },
        { x: 4, y: 0 },
        { x: 4, y: 4 },
      ],
    },
  }
  const body = bodyOf(compound(region, box(1, 7), { shape: { type: 'ellipse', rx: 2, ry: 1 } }))
  const scaled = scaleBody(body, 3)
  const { boxes, tree, leafCount, parts } = scaled.composite as Composite
  expect(validateBoxTree(tree, boxes, leafCount)).toBeNull()
  expect(leafCount).toBe(body.composite?.leafCount)
  expect(parts[1].body.numbers[X]).toBe(7 / 8)
  expect(parts[2].body.numbers[RX]).toBe(1 / 4)
  expect([...(parts[0].outline?.vertices ?? [])]).toEqual([0, 0, 0.5, 0, 0.5, 0.5])
  const copy = createBody()
  copyScaled(body.composite?.parts[1].body ?? body, 1, copy)
  expect([...verticesOf(copy).subarray(0, 4)]).toEqual([-0.25, -0.25, 0.25, -0.25])
})

it('measures a polygon that a turn has rounded to one point', () => {
  const segment = bodyOf({ shape: { type: 'segment', a: { x: -1e-310, y: 0 }, b: { x: 1e-310, y: 0 } } })
  const size = 1e-311
  const corners = [
    { x: 0, y: size },
    { x: size, y: size },
    { x: 0, y: 2 * size },
  ]
  const speck = bodyOf({ shape: { type: 'polygon', vertices: corners } })
  for (const start of [speck.vertices, LOCAL]) speck.numbers.fill(0, start, start + 6)
  for (let i = 0; i < 3; i++) speck.numbers[speck.vertices + 2 * i + 1] = size
  const found = createSeparation()
  for (const [a, b] of [
    [segment, speck],
    [speck, segment],
  ]) {
    const { first } = separate(a, b, found)
    expect(found.relation).toBe(1)
    expect(found.value).toBe(size)
    expect(first.numbers[Y] + first.numbers[ANCHOR_Y] + found.ay).toBe(0)
    expect(first.numbers[Y] + first.numbers[ANCHOR_Y] + found.by).toBe(size)
  }
})

describe('requests that did not return, or threw', () => {
  const a = {
    shape: {
      type: 'compound',
      children: [{ shape: { type: 'box', width: 0, height: 0, radius: 2.2e-308 } }, { shape: { type: 'point' } }],
    },
  }
  const b = {
    shape: {
      type: 'region',
      outer: [
        { x: 0, y: 0 },
        { x: 0, y: -1e-315 },
        { x: 0, y: 2.1999999000000003e-308 },
      ],
    },
  }
  const slenderStar = {
    shape: {
      type: 'region',
      outer: [
        { x: 1e-323, y: 5e-324 },
        { x: 0, y: 1e-323 },
        { x: -1e-323, y: -5e-324 },
        { x: 0, y: -1e-323 },
      ],
    },
  }
  const wide = {
    shape: {
      type: 'region',
      outer: [
        { x: -5.63e-322, y: 0 },
        { x: -6.3e-322, y: 0 },
        { x: 2, y: 2e-323 },
        { x: 6.3e-322, y: 0 },
      ],
    },
  }

  it.each<[string, string, object]>([
    ['subnormal composites that overlap', 'contact', { a, b }],
    ['the same on their way', 'time-of-impact', { a, b, duration: 1 }],
    ['the same for no time', 'time-of-impact', { a, b, duration: 0 }],
    ['the same cast', 'shape-cast', { body: a, translation: { x: 1, y: 0 }, targets: [b] }],
    [
      'a turning region of subnormal size with a flat hole',
      'table',
      {
        measure: 'time-of-impact',
        duration: 5e-324,
        a: [
          {
            shape: {
              type: 'region',
              outer: [
                { x: 4e-323, y: -1.5e-323 },
                { x: 1.295203e-318, y: -1.5e-323 },
                { x: 1.295203e-318, y: 0 },
                { x: 4e-323, y: 0 },
              ],
              holes: [
                [
                  { x: 3.2383e-319, y: -1e-323 },
                  { x: 9.7141e-319, y: -1e-323 },
                  { x: 9.7141e-319, y: -1e-323 },
                ],
              ],
            },
            angularVelocity: 5e-324,
          },
        ],
        b: [{ ...a, velocity: { x: 5e-324, y: 0 } }],
      },
    ],
    [
      'a small spin and no time',
      'time-of-impact',
      { a: { ...box(5e-324), angularVelocity: 5e-324 }, b: box(1e-310), duration: 0 },
    ],
    [
      'a path longer than doubles square',
      'shape-cast',
      { body: slenderStar, translation: { x: -7e75, y: 7e75 }, rotation: 1e-308, targets: [wide] },
    ],
    [
      'a turn in which less passes than rounding',
      'shape-cast',
      { body: slenderStar, translation: { x: 0, y: 0 }, rotation: 2, targets: [wide] },
    ],
    [
      'a circle whose radius is nothing beside the edges that it meets',
      'time-of-impact',
      {
        a: {
          shape: {
            type: 'region',
            outer: [
              { x: 2.37e-322, y: 0 },
              { x: 2.292357152624408e-10, y: 0 },
              { x: 2.292357152624408e-10, y: 1.6578092e-316 },
              { x: 2.37e-322, y: 1.6578092e-316 },
            ],
          },
          position: { x: 3.5e-323, y: 2.37e-322 },
          velocity: { x: -1.5e-323, y: 1.83e-322 },
        },
        b: {
          shape: { type: 'circle', radius: 3.16e-322 },
          velocity: { x: 227.08020129799843, y: 6.32560407916663e-10 },
        },
        duration: 1,
      },
    ],
    [
      'an ellipse of subnormal width',
      'time-of-impact',
      {
        a: { shape: { type: 'ellipse', rx: 2e-320, ry: 1 }, velocity: { x: -2.5e-323, y: 1.6e-314 } },
        b: {
          shape: { type: 'capsule', a: { x: -2.5e-323, y: -1.6e-322 }, b: { x: -8.4e-323, y: 0 }, radius: 3e-323 },
          velocity: { x: 0, y: 2e-322 },
          angularVelocity: 3.2e-319,
        },
        duration: 1,
      },
    ],
  ])('%s', (_, op, request) => {
    const { result, steps } = countSteps(() => answer(op, request))
    expect(result).not.toHaveProperty('places')
    expect(JSON.stringify(result)).not.toContain('NaN')
    expect(steps).toBeLessThan(2 ** 20)
  })
})
