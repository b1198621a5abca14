// Laws of what encloses a body in space: it contains it; none is less than its bound; boxes are near the least, and never above the one
// along the axes.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Fit3dRequest, Fit3dResponse } from '../../schemas/queries/fit.ts'
import type { Body3d } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { contains } from '../../src/core3d/queries/containment.ts'
import { type Body, createBody } from '../../src/core3d/shape/body.ts'
import { fitQuery } from '../../src/queries/stateless/fit.ts'
import { decodeBody } from '../../src/wire/body-3d.ts'
import { isProblem } from '../../src/wire/decode-problem.ts'
import type { Triple } from '../support/convex-cases-3d.ts'
import { GRID, UNIFORM } from '../support/families/arbitraries.ts'
import { bodyOf3d, SHAPE_TYPES_3D, vec3 } from '../support/families/arbitrary-shapes-3d.ts'
import { lehmer } from '../support/families/meshes.ts'
import { expectHeld, expectOfTheSet, expectPointsHeld } from '../support/fit-laws.ts'
import { runCount, seed, unshrunk } from '../support/runs.ts'

const KINDS = ['aabb', 'box', 'sphere', 'capsule', 'cylinder'] as const
const SIZES = ['volume', 'area'] as const
const limits = { maxVertices: 1e6, maxParts: 1e5 } as never

function ask(request: Fit3dRequest): Fit3dResponse {
  const answer = fitQuery['3d'].answer(request, limits)
  if (isProblem(answer)) throw new Error(JSON.stringify([request, answer]))
  return answer as Fit3dResponse
}

function prepare(body: Body3d): Body {
  const slot = createBody()
  expect(decodeBody(JSON.parse(JSON.stringify(body)) as Body3d, slot, limits)).toBe(null)
  return slot
}

const question = fc.record({ shape: fc.constantFrom(...KINDS), least: fc.constantFrom(...SIZES) })
const fitter = {
  ask,
  question,
  heldBy(holder: Body3d) {
    const slot = prepare(holder)
    return (guest: Body3d) => contains(slot, prepare(guest))
  },
}
const bodies = fc
  .constantFrom(...SHAPE_TYPES_3D.filter((type) => type !== 'halfspace'))
  .chain((type) => fc.oneof(bodyOf3d(type, GRID), bodyOf3d(type, UNIFORM)))
  .map((body) => body as Body3d)
const composites = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.tuple(bodies, vec3(UNIFORM)).map(([body, position]) => ({ ...body, position })) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(
            fc.array(vec3(UNIFORM), { minLength: 3, maxLength: 8 }),
            fc.array(fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100)), { minLength: 1, maxLength: 6 }),
            vec3(GRID),
          )
          .map(([points, triangles, position]) => ({
            shape: {
              type: 'mesh' as const,
              vertices: points.flatMap(({ x, y, z }) => [x, y, z]),
              triangles: triangles.flat().map((i) => i % points.length),
            },
            position,
          })),
      },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .filter((children) => !children.some(({ shape }) => shape.type === 'aabb'))
  .map((children): Body3d => ({ shape: { type: 'compound', children: children as Body3d[] } }))
const far = fc.tuple(bodies, fc.constantFrom(0, 0, 1e6, 1e9)).map(
  ([body, x]): Body3d => ({
    ...body,
    position: { y: 0, z: 0, ...body.position, x: (body.position?.x ?? 0) + x },
  }),
)
const clouds = fc.array(fc.oneof(vec3(GRID), vec3(UNIFORM)), { minLength: 1, maxLength: 12 })

describe('what encloses a body', () => {
  it('contains it, and is no less than its bound', () => expectHeld(fitter, far, unshrunk(600)))

  it('contains meshes and compounds', () => {
    fc.assert(
      fc.property(composites, question, (body, asked) => {
        const { body: holder, measure, lower } = ask({ body, ...asked })
        expect(contains(prepare(holder), prepare(body))).toBe(true)
        expect(lower).toBeLessThanOrEqual(measure)
        if (asked.shape === 'box') {
          expect(measure).toBeLessThanOrEqual(ask({ body, ...asked, shape: 'aabb' }).measure * (1 + 1e-9) + 1e-20)
        }
      }),
      unshrunk(300),
    )
  })

  it('of a compound of one is that of the one', () => {
    fc.assert(
      fc.property(bodies, vec3(UNIFORM), question, (child, position, asked) => {
        const body = { ...child, position }
        const whole: Body3d = { shape: { type: 'compound', children: [body] } }
        if (body.shape.type !== 'aabb')
          expect(ask({ body: whole, ...asked }).body).toEqual(ask({ body, ...asked }).body)
      }),
      unshrunk(300),
    )
  })

  it('of a mesh is that of its points', () => {
    fc.assert(
      fc.property(fc.array(vec3(UNIFORM), { minLength: 3, maxLength: 9 }), question, (points, asked) => {
        const vertices = [...points, { x: 99, y: 0, z: 0 }].flatMap(({ x, y, z }) => [x, y, z])
        // The last vertex belongs to no triangle.
        const triangles = points.flatMap((_, i) => [i, (i + 1) % points.length, (i + 2) % points.length])
        const body: Body3d = { shape: { type: 'mesh', vertices, triangles } }
        expect(ask({ body, ...asked }).body).toEqual(ask({ points, ...asked }).body)
      }),
      unshrunk(300),
    )
  })

  it('contains points of all sizes', () => {
    const pointAt = (position: Vec3): Body3d => ({ shape: { type: 'point' }, position })
    expectPointsHeld(fitter, { places: vec3(GRID), largest: 4e98, pointAt }, unshrunk(1500))
  })

  it('does not hang on the order of points, or on which are repeated', () =>
    expectOfTheSet(fitter, clouds, unshrunk(500)))

  it('scales with points', () => {
    fc.assert(
      fc.property(clouds, question, fc.integer({ min: -40, max: 40 }), (points, asked, power) => {
        const k = 2 ** power
        const { measure } = ask({ points, ...asked })
        const large = ask({ points: points.map(({ x, y, z }) => ({ x: k * x, y: k * y, z: k * z })), ...asked })
        expect(large.measure).toBe(measure * (asked.least === 'volume' ? k ** 3 : k ** 2))
      }),
      unshrunk(300),
    )
  })

  it('is no larger than another that is known', () => {
    fc.assert(
      fc.property(bodies, fc.constantFrom(...SIZES), (body, least) => {
        const of = (shape: Fit3dRequest['shape']) => ask({ body, shape, least }).measure
        expect(of('box')).toBeLessThanOrEqual(of('aabb') * (1 + 1e-12))
        expect(of('capsule')).toBeLessThanOrEqual(of('sphere') * (1 + 1e-12))
      }),
      unshrunk(150),
    )
  })
})

/** Axes of 10,000 random turns. */
const TURNS: readonly (readonly Triple[])[] = turns(10_000)

function turns(count: number): Triple[][] {
  const random = lehmer(seed())
  return Array.from({ length: count }, () => {
    // K. Shoemake, "Uniform random rotations", Graphics Gems III, 1992.
    const [u, v, w] = [random(), 2 * Math.PI * random(), 2 * Math.PI * random()]
    const [a, b] = [Math.sqrt(1 - u), Math.sqrt(u)]
    const [x, y, z, s] = [a * Math.sin(v), a * Math.cos(v), b * Math.sin(w), b * Math.cos(w)]
    return [
      [1 - 2 * (y * y + z * z), 2 * (x * y - z * s), 2 * (x * z + y * s)],
      [2 * (x * y + z * s), 1 - 2 * (x * x + z * z), 2 * (y * z - x * s)],
      [2 * (x * z - y * s), 2 * (y * z + x * s), 1 - 2 * (x * x + y * y)],
    ]
  })
}

/** The least volume or half surface of the boxes about points along the axes of turns. */
function leastTurned(points: readonly Vec3[], isVolume: boolean): number {
  let best = Infinity
  for (const turn of TURNS) {
    const [p, q, r] = turn.map(([nx, ny, nz]) => {
      let [low, high] = [Infinity, -Infinity]
      for (const point of points) {
        const height = nx * point.x + ny * point.y + nz * point.z
        if (height < low) low = height
        if (height > high) high = height
      }
      return high - low
    })
    best = Math.min(best, isVolume ? p * q * r : 2 * (p * q + q * r + r * p))
  }
  return best
}

describe('boxes', () => {
  it.each(SIZES)('are within a hundredth of the best of 10,000 turns, by %s', (least) => {
    const count = runCount(300)
    const random = fc.sample(fc.array(vec3(UNIFORM), { minLength: 4, maxLength: 40 }), { numRuns: count, seed: seed() })
    for (const points of random) {
      const { measure } = ask({ points, shape: 'box', least })
      expect(measure).toBeLessThanOrEqual(1.01 * leastTurned(points, least === 'volume'))
    }
  })

  it('about turned boxes are these', () => {
    fc.assert(
      fc.property(bodyOf3d('box', UNIFORM), fc.constantFrom(...SIZES), (body, least) => {
        const { shape } = body as { shape: { size: Vec3; radius?: number } }
        const { x, y, z } = shape.size
        const [a, b, c] = [x, y, z].map((side) => side + 2 * (shape.radius ?? 0))
        const own = least === 'volume' ? a * b * c : 2 * (a * b + b * c + c * a)
        expect(ask({ body: body as Body3d, shape: 'box', least }).measure).toBeLessThanOrEqual(own * (1 + 1e-9) + 1e-9)
      }),
      unshrunk(300),
    )
  })
})

describe('bent bodies', () => {
  it.each([0, 1e-10, 1e-6, 1e-3, 0.6])('of a needle that leans by %f is a needle', (x) => {
    const needle = { type: 'cylinder', radius: 0, height: 1.8, axis: 'z' } as const
    const { body } = ask({
      body: { shape: needle, orientation: { x, y: 0, z: Math.sqrt(1 - x * x), w: 0 } },
      shape: 'cylinder',
    })
    expect((body.shape as { radius: number }).radius).toBeLessThan(1e-9)
  })

  it.each(['cylinder', 'capsule', 'sphere'] as const)('a %s encloses itself as it is', (type) => {
    fc.assert(
      fc.property(bodyOf3d(type, UNIFORM), (body) => {
        const { measure, lower } = ask({ body: body as Body3d, shape: type })
        expect(measure).toBeLessThanOrEqual(lower * (1 + 1e-7) + 1e-9)
      }),
      unshrunk(200),
    )
  })
})
