// Rays at convex bodies in space: features, ends, and numbers that leave the range of products.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countSteps } from '../../../src/containers/budget.ts'
import {
  createRay,
  createRayHit,
  featureVertices,
  type Ray,
  type RayHit,
  rayCast,
} from '../../../src/core3d/ray/ray-cast.ts'
import { setDirection } from '../../../src/core3d/ray/ray-line.ts'
import type { Body } from '../../../src/core3d/shape/body.ts'
import { bodyOf, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import { runs } from '../../support/runs.ts'

type Quaternion = [number, number, number, number]

function rayFrom(origin: Triple, direction: Triple, maxDistance = Infinity): Ray {
  const ray = createRay()
  ;[ray.ox, ray.oy, ray.oz] = origin
  setDirection(ray, ...direction)
  ray.maxDistance = maxDistance
  return ray
}

function cast(ray: Ray, body: Body): RayHit | null {
  const out = createRayHit()
  return rayCast(ray, body, 'hit', out) ? out : null
}

function place(shape: CaseShape, position: Triple = [0, 0, 0], orientation?: Quaternion): Body {
  return bodyOf({ shape, position, orientation })
}

const box: CaseShape = { type: 'box', size: [2, 2, 2] }

/** All ways to write a triple of two coordinates that are ±`side`, and one that is `other`. */
const alongEdges = (side: number, other: number): Triple[] =>
  [-side, side].flatMap((p) =>
    [-side, side].flatMap((q): Triple[] => [
      [p, q, other],
      [p, other, q],
      [other, p, q],
    ]),
  )

it.each(['box', 'hull'] as const)(
  'meets the skin about each edge of a rounded %s, however long the edge is',
  (type) => {
    for (const size of [0.5, 1, 2]) {
      const half = size / 2
      const corners = [-half, half].flatMap((x) =>
        [-half, half].flatMap((y): Triple[] => [-half, half].map((z) => [x, y, z])),
      )
      const body = place(
        type === 'box' ? { type, size: [size, size, size], radius: 0.5 } : { type, points: corners, radius: 0.5 },
      )
      for (const from of alongEdges(half + 2, 0.1)) {
        const direction = from.map((x) => (Math.abs(x) === 0.1 ? 0 : -x)) as Triple
        expect(cast(rayFrom(from, direction), body)?.distance).toBeCloseTo(2 * Math.SQRT2 - 0.5, 12)
      }
    }
  },
)

describe('what a ray hits', () => {
  const hits: [string, CaseShape, Triple, Triple, string, number[], Triple][] = [
    ['a face of a box', box, [0, 0.5, 5], [0, 0, -1], 'face', [4, 5, 7, 6], [0, 0, 1]],
    ['an edge of a box', box, [3, 0.5, 3], [-1, 0, -1], 'edge', [5, 7], [Math.SQRT1_2, 0, Math.SQRT1_2]],
    ['a corner of a box', box, [3, 3, 3], [-1, -1, -1], 'vertex', [7], [3 ** -0.5, 3 ** -0.5, 3 ** -0.5]],
    ['a box along an edge', box, [1, 1, 5], [0, 0, -2], 'vertex', [7], [0, 0, 1]],
    ['a box along a face', box, [0, 1, 5], [0, 0, -2], 'edge', [6, 7], [0, 0, 1]],
    [
      'a triangle',
      { type: 'triangle', a: [0, 0, 0], b: [4, 0, 0], c: [0, 4, 0] },
      [1, 1, -3],
      [0, 0, 1],
      'face',
      [0, 2, 1],
      [0, 0, -1],
    ],
    [
      'a triangle in its plane',
      { type: 'triangle', a: [0, 0, 0], b: [4, 0, 0], c: [0, 4, 0] },
      [1, -3, 0],
      [0, 1, 0],
      'edge',
      [0, 1],
      [0, -1, 0],
    ],
    ['a segment', { type: 'segment', a: [0, 0, -1], b: [0, 0, 1] }, [5, 0, 0], [-1, 0, 0], 'edge', [0, 1], [1, 0, 0]],
    [
      'a segment along it',
      { type: 'segment', a: [0, 0, -1], b: [0, 0, 1] },
      [0, 0, 5],
      [0, 0, -1],
      'vertex',
      [1],
      [0, 0, 1],
    ],
    ['a point', { type: 'point' }, [0, 3, 4], [0, -3, -4], 'vertex', [0], [0, 0.6, 0.8]],
    ['a sphere', { type: 'sphere', radius: 1 }, [0, 0, 5], [0, 0, -1], 'surface', [], [0, 0, 1]],
    [
      'the side of a capsule',
      { type: 'capsule', a: [0, -1, 0], b: [0, 1, 0], radius: 1 },
      [5, 0, 0],
      [-1, 0, 0],
      'edge',
      [0, 1],
      [1, 0, 0],
    ],
    [
      'the end of a capsule',
      { type: 'capsule', a: [0, -1, 0], b: [0, 1, 0], radius: 1 },
      [0, 5, 0],
      [0, -1, 0],
      'vertex',
      [1],
      [0, 1, 0],
    ],
    ['the skin of a box over a face', { ...box, radius: 1 }, [0, 0.5, 5], [0, 0, -1], 'face', [4, 5, 7, 6], [0, 0, 1]],
    [
      'the skin of a box over an edge',
      { ...box, radius: 1 },
      [4, 0.5, 4],
      [-1, 0, -1],
      'edge',
      [5, 7],
      [Math.SQRT1_2, 0, Math.SQRT1_2],
    ],
    [
      'a cylinder from above',
      { type: 'cylinder', radius: 1, height: 2 },
      [0.5, 5, 0],
      [0, -1, 0],
      'surface',
      [],
      [0, 1, 0],
    ],
    [
      'a cylinder along its side',
      { type: 'cylinder', radius: 1, height: 2 },
      [1, 5, 0],
      [0, -1, 0],
      'surface',
      [],
      [0, 1, 0],
    ],
    ['the apex of a cone', { type: 'cone', radius: 1, height: 2 }, [0, 5, 0], [0, -1, 0], 'surface', [], [0, 1, 0]],
    ['a cone along its side', { type: 'cone', radius: 1, height: 2 }, [-1, 3, 0], [1, -2, 0], 'surface', [], [0, 1, 0]],
    ['a half-space', { type: 'halfspace', normal: [0, 0, 2], offset: 1 }, [0, 0, 5], [1, 0, -1], 'face', [], [0, 0, 1]],
  ]

  it.each(hits)('%s', (_, shape, origin, direction, feature, vertices, normal) => {
    const body = place(shape)
    const hit = cast(rayFrom(origin, direction), body)
    expect(hit).not.toBeNull()
    if (hit === null) return
    expect(hit.feature).toBe(feature)
    const named = featureVertices(body, hit)
    if (feature === 'face' && vertices.length > 0) {
      // From any corner on, counter-clockwise from outside.
      const start = named.indexOf(vertices[0])
      expect([...named.slice(start), ...named.slice(0, start)]).toEqual(vertices)
    } else expect(named.sort()).toEqual(vertices)
    ;[hit.nx, hit.ny, hit.nz].forEach((n, k) => {
      expect(n).toBeCloseTo(normal[k], 14)
    })
  })

  it('a face of a hull by the indices of the caller', () => {
    const points: Triple[] = [
      [0, 0, 0],
      [1, 1, 1],
      [4, 0, 0],
      [0, 4, 0],
      [0, 0, 4],
    ]
    const body = place({ type: 'hull', points })
    const hit = cast(rayFrom([1, 1, -5], [0, 0, 1]), body)
    expect(hit?.feature).toBe('face')
    expect(featureVertices(body, hit as RayHit).sort()).toEqual([0, 2, 3])
  })

  it('a face of a turned box is a whole one, also where rounding has to be looked into', () => {
    const body = place(box, [0, 0, 0], [0.1, 0.2, 0.3, Math.sqrt(0.86)])
    const hit = cast(rayFrom([0, 0, 5], [0, 0, -1], 5 - 1e-16), body)
    expect(hit?.feature).toBe('face')
    expect(featureVertices(body, hit as RayHit)).toHaveLength(4)
  })
})

describe('the end of a ray', () => {
  it('counts, and one unit in the last place before it does not', () => {
    for (const offset of [0, 2 ** 40]) {
      const body = place(box, [offset, 0, 0])
      const before = (x: number): number => x - 2 ** -52
      expect(cast(rayFrom([offset - 3, 0, 0], [1, 0, 0], 2), body)?.distance).toBe(2)
      expect(cast(rayFrom([offset - 3, 0, 0], [1, 0, 0], before(2)), body)).toBeNull()
      expect(cast(rayFrom([offset - 3, 1, 1], [1, 0, 0], 2), body)?.distance).toBe(2)
      expect(cast(rayFrom([offset - 3, 1, 1], [1, 0, 0], before(2)), body)).toBeNull()
      const sphere = place({ type: 'sphere', radius: 1 }, [offset, 0, 0])
      expect(cast(rayFrom([offset - 3, 0, 0], [1, 0, 0], 2), sphere)?.distance).toBe(2)
      expect(cast(rayFrom([offset - 3, 0, 0], [1, 0, 0], before(2)), sphere)).toBeNull()
      expect(cast(rayFrom([offset - 3, 1, 0], [1, 0, 0], 3), sphere)?.distance).toBe(3)
      expect(cast(rayFrom([offset - 3, 1 + 2 ** -52, 0], [1, 0, 0]), sphere)).toBeNull()
    }
  })

  it('is at the origin where the limit is 0', () => {
    const body = place(box)
    expect(cast(rayFrom([0, 0, 1], [1, 2, 3], 0), body)?.startedInside).toBe(true)
    expect(cast(rayFrom([0, 0, 1 + 2 ** -52], [1, 2, -3], 0), body)).toBeNull()
  })
})

const turns: fc.Arbitrary<Quaternion> = fc
  .tuple(...([0, 1, 2, 3] as const).map(() => fc.double({ min: -1, max: 1, noNaN: true })))
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((x) => x / Math.hypot(...q)) as Quaternion)

const sizes = fc.double({ min: -10, max: 0, noNaN: true }).map((e) => 10 ** e)

describe('needles and sheets', () => {
  it('that stand at an angle hold their middle, and rays from anywhere find it', () => {
    const shapes: fc.Arbitrary<CaseShape> = fc.oneof(
      fc.record({
        type: fc.constant('box'),
        size: fc.tuple(sizes, sizes, sizes),
        radius: fc.oneof(fc.constant(0), sizes),
      }),
      fc.record({ type: fc.constant('cylinder'), radius: sizes, height: sizes }),
      fc.record({ type: fc.constant('ellipsoid'), radii: fc.tuple(sizes, sizes, sizes) }),
    )
    const component = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(shapes, turns, fc.tuple(component, component, component), (shape, turn, direction) => {
        fc.pre(Math.hypot(...direction) > 0.01)
        const body = place(shape, [1, 2, 3], turn)
        const inside = cast(rayFrom([1, 2, 3], direction), body)
        expect(inside?.startedInside).toBe(true)
        expect(inside?.hasExit).toBe(true)
        expect(cast(rayFrom([1, 2, 3], direction, 0), body)?.hasExit).toBe(false)
        // Back by a power of two, so that the ray goes through the middle to the last bit where that is possible.
        const exact = direction.map((x) => Math.round(x * 64) / 64) as Triple
        fc.pre(exact.some((x) => x !== 0))
        const origin = exact.map((x, k) => k + 1 - 1024 * x) as Triple
        expect(cast(rayFrom(origin, exact), body)?.startedInside).toBe(false)
      }),
      runs(2000),
    )
  })
})

describe('a sheet with a skin thinner than rounding', () => {
  it('holds its middle', () => {
    const sheet: CaseShape = { type: 'box', size: [2 ** -18, 1, 2 ** -30], radius: 2 ** -30 }
    for (let i = 1; i < 40; i++) {
      const body = place(sheet, [0, 0, 0], [0.1, 0.2, 0.3, Math.sqrt(0.86)])
      const direction: Triple = [Math.sin(i), Math.sin(2 * i), Math.sin(3 * i)]
      expect(cast(rayFrom([0, 0, 0], direction, 0), body)?.startedInside).toBe(true)
      expect(cast(rayFrom([0, 0, 0], direction), body)?.hasExit).toBe(true)
    }
  })
})

describe('hostile numbers', () => {
  const magnitude = fc.oneof(
    fc.constantFrom(0, 5e-324, -5e-324, 1e300, -1e300, 1e-300, 1, -1, 2),
    fc.tuple(fc.double({ min: -300, max: 300, noNaN: true }), fc.constantFrom(-1, 1)).map(([e, s]) => s * 10 ** e),
    fc.double({ min: -4, max: 4, noNaN: true }),
  )
  const vectors = fc.tuple(magnitude, magnitude, magnitude)
  const lengths = magnitude.map((x) => Math.abs(x) || 1)
  const radius = fc.oneof(fc.constant(0), lengths)
  const shapes: fc.Arbitrary<CaseShape> = fc.oneof(
    fc.record({ type: fc.constant('sphere'), radius: lengths }),
    fc.record({ type: fc.constant('capsule'), a: vectors, b: vectors, radius }),
    fc.record({ type: fc.constant('triangle'), a: vectors, b: vectors, c: vectors }),
    fc.record({ type: fc.constant('box'), size: fc.tuple(lengths, lengths, radius), radius }),
    fc.record({ type: fc.constant('hull'), points: fc.array(vectors, { minLength: 1, maxLength: 8 }), radius }),
    fc.record({ type: fc.constant('cylinder'), radius: lengths, height: lengths }),
    fc.record({ type: fc.constant('cone'), radius: lengths, height: lengths }),
    fc.record({ type: fc.constant('ellipsoid'), radii: fc.tuple(lengths, lengths, lengths) }),
    fc.record({
      type: fc.constant('halfspace'),
      normal: vectors.filter((n) => n.some((x) => x !== 0)),
      offset: magnitude,
    }),
  )

  it('have finite answers in a bounded number of steps', () => {
    const out = createRayHit()
    fc.assert(
      fc.property(
        shapes,
        vectors,
        fc.option(turns, { nil: undefined }),
        vectors,
        vectors,
        radius,
        (shape, position, turn, origin, way, limit) => {
          fc.pre(way.some((x) => x !== 0))
          const body = place(shape, position, turn)
          const ray = rayFrom(origin, way, limit === 0 ? Infinity : limit)
          const { result, steps } = countSteps(() => rayCast(ray, body, 'hit', out))
          expect(steps).toBeLessThan(2 ** 28)
          if (!result) return
          for (const value of Object.values(out))
            if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true)
        },
      ),
      runs(1500),
    )
  })

  it('of 4,096 points take steps in proportion to them', () => {
    const points = Array.from({ length: 4096 }, (_, i): Triple => {
      // On a sphere, by the golden angle.
      const y = 1 - (2 * i + 1) / 4096
      const r = Math.sqrt(1 - y * y)
      return [r * Math.cos(2.399963229728653 * i), y, r * Math.sin(2.399963229728653 * i)]
    })
    for (const skin of [0, 0.5]) {
      const body = place({ type: 'hull', points, radius: skin })
      const corner = points[1000]
      for (const target of [corner, [0, 0, 0] as Triple]) {
        const origin = target.map((x, k) => x + 4 * [1, 2, 3][k]) as Triple
        const { result, steps } = countSteps(() => cast(rayFrom(origin, [-1, -2, -3]), body))
        expect(result).not.toBeNull()
        expect(steps).toBeLessThan(2 ** 17)
      }
    }
  })

  it('of 4,096 points take no look at each of them where the ray goes through a face', () => {
    const points = Array.from({ length: 4096 }, (_, i): Triple => {
      const y = 1 - (2 * i + 1) / 4096
      const r = Math.sqrt(1 - y * y)
      return [r * Math.cos(2.399963229728653 * i), y, r * Math.sin(2.399963229728653 * i)]
    })
    const body = place({ type: 'hull', points })
    // The planes are found once.
    cast(rayFrom([3, 0.1, 0.2], [-1, 0, 0]), body)
    for (let i = 0; i < 50; i++) {
      const direction: Triple = [Math.sin(i), Math.sin(2 * i + 1), Math.sin(3 * i + 2)]
      const origin = direction.map((x, k) => 0.3 * Math.sin(i + k) - 9 * x) as Triple
      const { result, steps } = countSteps(() => cast(rayFrom(origin, direction), body))
      expect(result?.feature).toBe('face')
      expect(steps).toBeLessThan(512)
    }
  })
})

describe('rays nearly along the side of a cone', () => {
  const whole = (x: number): bigint => BigInt(x * 2 ** 60)

  /** Where the ray in the plane of the axis crosses the side that goes down on the left or right, as a part of its way, rounded once or twice. */
  function crossing(radius: number, height: number, [ox, oy]: Triple, [dx, dy]: Triple, side: 1 | -1): number {
    const [r, h, x, y, u, v] = [radius, height, ox, oy, dx, dy].map(whole)
    const s = BigInt(side)
    // s·x·h = r·(h/2 − y), doubled.
    const over = r * (h - 2n * y) - 2n * s * x * h
    const under = 2n * (r * v + s * u * h)
    // along the side
    if (under === 0n) return Number.POSITIVE_INFINITY
    return Number((over << 200n) / under) / 2 ** 200
  }

  it('enter it where exact numbers say', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 0, max: 40 }), (part, binary) => {
        const height = 4 + part * 2 ** -(12 + binary)
        const origin: Triple = [-4, 8, 0]
        const direction: Triple = [2, -4, 0]
        for (const turn of [undefined, [0.5, 0.5, 0.5, 0.5] as Quaternion]) {
          const [from, to] =
            turn === undefined ? [origin, direction] : [origin, direction].map(([x, y, z]) => [z, x, y] as Triple)
          const found = cast(rayFrom(from, to), place({ type: 'cone', radius: 2, height }, [0, 0, 0], turn))
          // Almost along a line of the side it comes in through that, or through the one across.
          expect(found).not.toBeNull()
          const sides = [-1, 1].map((side) => crossing(2, height, origin, direction, side as 1 | -1))
          const off = sides.map((t) => Math.abs(t - (found as RayHit).fraction))
          expect(Math.min(...off)).toBeLessThan(4e-15)
        }
      }),
      runs(200),
    )
  })
})

describe('rays at rounded hulls with corners in the planes of others', () => {
  it('enter through whichever of their faces is met', () => {
    const points: Triple[] = [
      [1, -1, 0],
      [-2, 0, 0],
      [0, 1, 0],
      [0, 0, -0.00069335],
    ]
    const plain = place({ type: 'hull', points, radius: 0.10147567 })
    for (const [x, y] of [
      [-1, 0],
      [0, 0.5],
      [0.25, -0.25],
      [-0.5, 0.25],
    ]) {
      for (const z of [0, 5e-324, 2 ** -1000]) {
        const body = place({ type: 'hull', points: [...points, [x, y, z]], radius: 0.10147567 })
        for (const place of [
          [0, 0],
          [-0.75, 0.125],
          [0.25, 0.125],
          [0.5, -0.5],
          [-1.25, 0.0625],
        ]) {
          const ray = rayFrom([place[0], place[1], 0.2], [0, 0, -1])
          const found = cast(ray, body)
          expect(found?.distance).toBeCloseTo(cast(ray, plain)?.distance as number, 15)
        }
      }
    }
  })
})
