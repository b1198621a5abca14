// What becomes of bodies that have parts; wrong ones are tested where they are met, in test/routes/problems.test.ts.

import type { Static } from '@sinclair/typebox'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Body2d, CompoundShape, MovingBody2d } from '../../schemas/shapes2d.ts'
import {
  type Body,
  CIRCLE,
  COMPOSITE,
  type Composite,
  createBody,
  POLYGON,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../../src/core2d/shape/body.ts'
import { createMotion } from '../../src/core2d/shape/motion.ts'
import { decodeBody, decodeMovingBody } from '../../src/wire/body.ts'

const limits = { maxVertices: 100_000, maxParts: 10_000 }
const circle: Body2d = { shape: { type: 'circle', radius: 1 } }
const triangle = [
  { x: 0, y: 0 },
  { x: 4, y: 0 },
  { x: 0, y: 4 },
]

function decoded(wire: Body2d, slot = createBody()): Body & { composite: Composite } {
  expect(decodeBody(wire, slot, limits)).toBeNull()
  return slot as Body & { composite: Composite }
}

const placeOf = ({ numbers }: Body): number[] => [X, Y, X_LOW, Y_LOW].map((at) => numbers[at])

const partsOf = ({ composite }: { composite: Composite }) => composite.parts.slice(0, composite.partCount)

it('the types of bodies are those of their schemas', () => {
  expectTypeOf<Static<typeof Body2d>>().toEqualTypeOf<Body2d>()
  expectTypeOf<Static<typeof CompoundShape>>().toEqualTypeOf<CompoundShape>()
  expectTypeOf<Static<typeof MovingBody2d>>().branded.toEqualTypeOf<MovingBody2d>()
})

describe('decodeBody', () => {
  it('makes one part without a path of a chain or region', () => {
    const wire: Body2d = { shape: { type: 'chain', vertices: triangle, loop: true }, position: { x: 1, y: 2 } }
    const chain = decoded(wire)
    expect(chain.kind).toBe(COMPOSITE)
    expect(partsOf(chain)).toMatchObject([{ path: [], outline: { solid: false, edgeCount: 3 } }])
    expect(placeOf(partsOf(chain)[0].body)).toEqual([1, 2, 0, 0])
    const region = decoded({ shape: { type: 'region', outer: triangle } })
    expect(partsOf(region)).toMatchObject([{ path: [], outline: { solid: true, vertexCount: 3 } }])
  })

  it('makes a flat list of nested compounds, each part with its path and place', () => {
    const inner: Body2d = {
      shape: {
        type: 'compound',
        children: [circle, { shape: { type: 'region', outer: triangle }, position: { x: 1, y: 0 } }],
      },
      position: { x: 10, y: 0 },
      rotation: Math.PI / 2,
    }
    const compound = decoded({ shape: { type: 'compound', children: [circle, inner] }, position: { x: 0, y: 100 } })
    const [first, second, third, ...rest] = partsOf(compound)
    expect(rest).toEqual([])
    expect(first).toMatchObject({ path: [0], outline: null, body: { kind: CIRCLE } })
    expect(placeOf(first.body)).toEqual([0, 100, 0, 0])
    expect(second).toMatchObject({ path: [1, 0], outline: null, body: { kind: CIRCLE } })
    expect(placeOf(second.body)).toEqual([10, 100, 0, 0])
    expect(third).toMatchObject({ path: [1, 1], outline: { solid: true } })
    expect(third.body.numbers[X]).toBeCloseTo(10, 12)
    expect(third.body.numbers[Y]).toBeCloseTo(101, 12)
  })

  it('adds up positions without rounding', () => {
    const child: Body2d = { ...circle, position: { x: 2 ** -60, y: 0 } }
    const compound = decoded({ shape: { type: 'compound', children: [child] }, position: { x: 1, y: 0 } })
    expect(placeOf(partsOf(compound)[0].body)).toEqual([1, 0, 2 ** -60, 0])
  })

  it('makes a convex body of a slot that held a compound, and the reverse', () => {
    const slot = decoded({ shape: { type: 'compound', children: [circle, circle] } })
    expect(decodeBody({ shape: { type: 'box', width: 1, height: 1 } }, slot, limits)).toBeNull()
    expect(slot.kind).toBe(POLYGON)
    decoded({ shape: { type: 'compound', children: [circle] } }, slot)
    expect(slot.kind).toBe(COMPOSITE)
    expect(slot.composite.partCount).toBe(1)
  })

  it('keeps the memory of small bodies for the next one, but not that of large or wrong ones', () => {
    const small: Body2d = { shape: { type: 'compound', children: [circle, circle] } }
    const large: Body2d = { shape: { type: 'compound', children: Array<Body2d>(1000).fill(circle) } }
    const slot = decoded(small)
    const first = slot.composite
    expect(decoded(small, slot).composite).toBe(first)
    const own = decoded(large, slot).composite
    expect(own).not.toBe(first)
    expect(first.parts).toHaveLength(2)
    expect(decoded(small, slot).composite).not.toBe(own)
    expect(slot.composite.parts).toHaveLength(2)
    const wrong: Body2d = { shape: { type: 'region', outer: [...triangle, { x: 8, y: 8 }] }, position: { x: 0, y: 0 } }
    expect(decodeBody(wrong, slot, limits)?.code).toBe('region-self-intersecting')
    expect(slot.composite).toBeNull()
  })
})

describe('decodeMovingBody', () => {
  it('fills the motion, with nothing for what is absent', () => {
    const slot = createBody()
    const motion = createMotion()
    const wire: MovingBody2d = { ...circle, velocity: { x: 3, y: -4 }, angularVelocity: 5 }
    expect(decodeMovingBody(wire, slot, motion, limits)).toBeNull()
    expect(motion).toEqual({ vx: 3, vy: -4, spin: 5 })
    expect(decodeMovingBody(circle, slot, motion, limits)).toBeNull()
    expect(motion).toEqual({ vx: 0, vy: 0, spin: 0 })
  })
})
