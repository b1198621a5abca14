// Points that answers about two bodies in space name: on the surfaces, as far apart as the answer says, in both bodies where these
// touch; and depths that are as long as the way out, and of the sign that the relation has.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contact, createContact } from '../../src/core3d/queries/contact.ts'
import { contactPoints } from '../../src/core3d/queries/contact-points.ts'
import { createDistance, distance } from '../../src/core3d/queries/distance.ts'
import { relate } from '../../src/core3d/queries/overlap.ts'
import { reachOf, surfaceDistance, turnedBack } from '../oracle/surface-distance-3d.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../support/convex-cases-3d.ts'
import { everyBody } from '../support/families/convex-bodies.ts'
import { runs } from '../support/runs.ts'

/** Of the extent of a pair. What is promised is 1e-9. */
const TOLERANCE = 1e-11

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true, noDefaultInfinity: true })
const triple = (min: number, max: number): fc.Arbitrary<Triple> =>
  fc.tuple(real(min, max), real(min, max), real(min, max))
const axis = fc.constantFrom('x' as const, 'y' as const, 'z' as const)
const size = real(0.1, 1)

const SHAPES: Record<string, fc.Arbitrary<CaseShape>> = {
  point: fc.constant({ type: 'point' }),
  sphere: fc.record({ type: fc.constant('sphere'), radius: size }),
  capsule: fc.record({ type: fc.constant('capsule'), a: triple(-1, 1), b: triple(-1, 1), radius: size }),
  box: fc.record({ type: fc.constant('box'), size: triple(0.1, 1), radius: fc.constantFrom(0, 0.25) }),
  cylinder: fc.record({ type: fc.constant('cylinder'), radius: size, height: size, axis }),
  cone: fc.record({ type: fc.constant('cone'), radius: size, height: size, axis }),
  ellipsoid: fc.record({ type: fc.constant('ellipsoid'), radii: triple(0.1, 1) }),
}

const orientation = fc.oneof(
  fc.constantFrom(undefined, [0.5, 0.5, 0.5, 0.5], [Math.SQRT1_2, 0, 0, Math.SQRT1_2]),
  fc
    .tuple(real(-1, 1), real(-1, 1), real(-1, 1), real(-1, 1))
    .filter((q) => Math.hypot(...q) > 0.1)
    .map((q) => q.map((x) => x / Math.hypot(...q))),
) as fc.Arbitrary<CaseBody['orientation']>

function bodies(shape: fc.Arbitrary<CaseShape>): fc.Arbitrary<CaseBody> {
  return fc.record({ shape, position: triple(-4, 4), orientation }) as fc.Arbitrary<CaseBody>
}

/** Every length of the shape times a factor. */
function scaled(shape: CaseShape, factor: number): CaseShape {
  const of = (value: unknown): unknown =>
    typeof value === 'number' ? factor * value : Array.isArray(value) ? value.map(of) : value
  return Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, of(value)])) as unknown as CaseShape
}

const along = ([x, y, z]: Triple, t: number, [dx, dy, dz]: Triple): Triple => [x + t * dx, y + t * dy, z + t * dz]
const curved = fc.oneof(SHAPES.cylinder, SHAPES.cone, SHAPES.ellipsoid)
const any = fc.oneof(...Object.values(SHAPES))
const unit = triple(-1, 1)
  .filter((v) => Math.hypot(...v) > 0.1)
  .map((v) => v.map((x) => x / Math.hypot(...v)) as Triple)

const near = createDistance()
const found = createContact()

/** B as near to A along the direction as makes them this far apart, or just touch. */
function broughtTogether(a: CaseBody, b: CaseBody, direction: Triple, gap: number): CaseBody {
  let low = 0
  let high = 4 * (reachOf(a.shape) + reachOf(b.shape)) + 4 * gap
  const placed = (t: number): CaseBody => ({ ...b, position: along(a.position, t, direction) })
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    distance(bodyOf(a), bodyOf(placed(middle)), near)
    if (near.distance > gap) high = middle
    else low = middle
  }
  return placed(high)
}

describe('nearest points of bodies one of which is curved', () => {
  it('lie on the surfaces, as far apart along the normal as the answer says, also where sizes differ by 1e4', () => {
    const pairs = fc.tuple(
      bodies(curved),
      bodies(any),
      unit,
      fc.constantFrom(1, 1, 30, 1e4),
      fc.constantFrom(0, 1e-9, 1e-3, 1, 9),
    )
    fc.assert(
      fc.property(pairs, ([a, small, direction, factor, gap]) => {
        const b = broughtTogether(a, { ...small, shape: scaled(small.shape, factor) }, direction, gap)
        distance(bodyOf(a), bodyOf(b), near)
        fc.pre(near.distance > 0)
        const [pa, pb]: Triple[] = [
          [near.ax, near.ay, near.az],
          [near.bx, near.by, near.bz],
        ]
        const most = TOLERANCE * (reachOf(a.shape) + reachOf(b.shape) + near.distance)
        expect(Math.abs(surfaceDistance(a, pa))).toBeLessThan(most)
        expect(Math.abs(surfaceDistance(b, pb))).toBeLessThan(most)
        const end = along(pa, near.distance, [near.nx, near.ny, near.nz])
        expect(Math.hypot(...end.map((x, k) => x - pb[k]))).toBeLessThan(most)
      }),
      runs(600),
    )
  })

  it('are told of a ball and an ellipsoid that are far apart', () => {
    const a: CaseBody = { shape: { type: 'sphere', radius: 9.023578609 }, position: [-7, 7, -4] }
    const b: CaseBody = { shape: { type: 'ellipsoid', radii: [0.375, 1.75, 4.5] }, position: [0, 0, 0] }
    distance(bodyOf(a), bodyOf(b), near)
    expect(surfaceDistance(a, [near.ax, near.ay, near.az])).toBeCloseTo(0, 13)
    expect(surfaceDistance(b, [near.bx, near.by, near.bz])).toBeCloseTo(0, 13)
    expect(Math.hypot(near.bx - near.ax, near.by - near.ay, near.bz - near.az)).toBeCloseTo(near.distance, 13)
  })
})

describe('contact points', () => {
  it('of bodies that touch or overlap lie between the surfaces', () => {
    // Ends of slanted capsules and rounded edges have their points along the normal, inside their rounding.
    const blunt = fc.oneof(curved, SHAPES.point, SHAPES.sphere)
    const pairs = fc.tuple(
      bodies(curved),
      bodies(blunt),
      unit,
      fc.constantFrom(1, 1, 1e4),
      fc.constantFrom(1, 0.999, 0.7),
    )
    fc.assert(
      fc.property(pairs, ([a, small, direction, factor, share]) => {
        const touching = broughtTogether(a, { ...small, shape: scaled(small.shape, factor) }, direction, 0)
        const way = touching.position.map((x, k) => x - a.position[k]) as Triple
        const b = { ...touching, position: along(a.position, share, way) }
        contact(bodyOf(a), bodyOf(b), found)
        const most = TOLERANCE * (reachOf(a.shape) + reachOf(b.shape))
        for (const { x, y, z, separation } of contactPoints(bodyOf(a), bodyOf(b), found, 0, 16)) {
          const normal: Triple = [found.nx, found.ny, found.nz]
          expect(Math.abs(surfaceDistance(a, along([x, y, z], -separation / 2, normal)))).toBeLessThan(most)
          expect(Math.abs(surfaceDistance(b, along([x, y, z], separation / 2, normal)))).toBeLessThan(most)
        }
      }),
      runs(400),
    )
  })

  const lens = fc.record({
    shapes: fc.tuple(fc.constantFrom('cylinder', 'cone'), fc.constantFrom('cylinder', 'cone')),
    radii: fc.tuple(real(0.2, 2), fc.oneof(real(0.2, 2), real(1, 1e3))),
    /** The width of the lens, as a part of the lesser radius. */
    width: fc.double({ min: -9, max: 0, noNaN: true }).map((exponent) => 10 ** exponent),
    angle: real(0, 2 * Math.PI),
    turn: fc.constantFrom(
      [0, 0, 0, 1],
      [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      [Math.sin(Math.PI / 4), 0, 0, Math.cos(Math.PI / 4)],
      [0, 0, Math.sin((3 * Math.PI) / 4), Math.cos((3 * Math.PI) / 4)],
      [0.5, 0.5, 0.5, 0.5],
    ),
    most: fc.constantFrom(1, 4, 16),
    place: triple(-9, 9),
  })

  it('of discs that share no more than a lens lie in both, however narrow it is', () => {
    let seen = 0
    fc.assert(
      fc.property(lens, ({ shapes, radii, width, angle, turn, most, place }) => {
        const [one, other] = shapes
        const far = radii[0] + radii[1] - width * Math.min(...radii)
        // Discs upon each other: bases of cones and ends of cylinders. A cone is turned over to have its base on top.
        const over = one === 'cone' ? [1, 0, 0, 0] : [0, 0, 0, 1]
        const a: CaseBody = {
          shape: { type: one, radius: radii[0], height: 1 },
          position: place,
          orientation: timesTurn(turn, over),
        }
        const offset = turnedBack(
          [-turn[0], -turn[1], -turn[2], turn[3]],
          [far * Math.cos(angle), 1, far * Math.sin(angle)],
        )
        const b: CaseBody = {
          shape: { type: other, radius: radii[1], height: 1 },
          position: along(place, 1, offset),
          orientation: timesTurn(turn, [0, 0, 0, 1]),
        }
        for (const [p, q] of [
          [a, b],
          [b, a],
        ]) {
          contact(bodyOf(p), bodyOf(q), found)
          if (!found.touching) continue
          const points = contactPoints(bodyOf(p), bodyOf(q), found, 0, most)
          expect(points.length).toBeGreaterThan(0)
          for (const { x, y, z } of points) {
            seen++
            expect(surfaceDistance(a, [x, y, z])).toBeLessThan(1e-12 * (radii[0] + radii[1]))
            expect(surfaceDistance(b, [x, y, z])).toBeLessThan(1e-12 * (radii[0] + radii[1]))
          }
        }
      }),
      runs(400),
    )
    expect(seen).toBeGreaterThan(200)
  })

  it('of two ends of cylinders are told where they meet, and not in the middle of one', () => {
    const a: CaseBody = { shape: { type: 'cylinder', radius: 1, height: 1, axis: 'z' }, position: [0, 0, 0] }
    const b: CaseBody = { shape: { type: 'cylinder', radius: 2, height: 1, axis: 'z' }, position: [2.399, 1.8, 1] }
    contact(bodyOf(a), bodyOf(b), found)
    for (const { x, y, z } of contactPoints(bodyOf(a), bodyOf(b), found, 0, 4)) {
      expect(surfaceDistance(a, [x, y, z])).toBeLessThan(1e-14)
      expect(surfaceDistance(b, [x, y, z])).toBeLessThan(1e-14)
    }
  })
})

/** The product of two quaternions: the second turn first. */
function timesTurn(
  [px, py, pz, pw]: readonly number[],
  [qx, qy, qz, qw]: readonly number[],
): [number, number, number, number] {
  return [
    pw * qx + px * qw + py * qz - pz * qy,
    pw * qy - px * qz + py * qw + pz * qx,
    pw * qz + px * qy - py * qx + pz * qw,
    pw * qw - px * qx - py * qy - pz * qz,
  ]
}

describe('the depth of a point or ball deep in a curved body', () => {
  it('is that of the nearest place on the surface, to the last digits', () => {
    const inside = fc.tuple(
      bodies(curved),
      triple(-1, 1),
      fc.constantFrom(0, 1e-9, 0.01, 0.5),
      fc.constantFrom(1, 1, 1e-6, 1e-12),
    )
    fc.assert(
      fc.property(inside, ([body, share, radius, thin]) => {
        const reach = reachOf(body.shape)
        const at: Triple = [share[0] * reach, share[1] * thin * reach, share[2] * thin * reach]
        const [qx, qy, qz, qw] = body.orientation ?? [0, 0, 0, 1]
        const ball: CaseBody = {
          shape: radius === 0 ? { type: 'point' } : { type: 'sphere', radius },
          position: along(body.position, 1, turnedBack([-qx, -qy, -qz, qw], at)),
        }
        const height = surfaceDistance(body, ball.position)
        fc.pre(height < 0)
        contact(bodyOf(ball), bodyOf(body), found)
        expect(Math.abs(found.separation - (height - radius))).toBeLessThan(1e-13 * (reach + radius))
      }),
      runs(1500),
    )
  })
})

describe('the translation out of a cylinder or cone', () => {
  it('of a small flat body about its axis leaves the two touching', () => {
    const flat = fc.record({
      type: fc.constant('box'),
      size: fc.tuple(size, size, fc.constant(0)),
    }) as fc.Arbitrary<CaseShape>
    const pairs = fc.tuple(
      fc.oneof(SHAPES.cylinder, SHAPES.cone),
      flat,
      orientation,
      orientation,
      fc.constantFrom(1e-3, 0.1, 0.5),
    )
    fc.assert(
      fc.property(pairs, ([shape, small, turnA, turnB, factor]) => {
        const a: CaseBody = { shape, position: [0, 0, 0], orientation: turnA }
        const b: CaseBody = { shape: scaled(small, factor), position: [0, 0, 0], orientation: turnB }
        contact(bodyOf(a), bodyOf(b), found)
        const moved = { ...b, position: [found.tx, found.ty, found.tz] as Triple }
        contact(bodyOf(a), bodyOf(moved), found)
        expect(Math.abs(found.separation)).toBeLessThan(1e-9)
      }),
      runs(300),
    )
  })
})

describe('a depth', () => {
  const agrees = (a: CaseBody, b: CaseBody): void => {
    const relation = relate(bodyOf(a), bodyOf(b))
    contact(bodyOf(a), bodyOf(b), found)
    distance(bodyOf(a), bodyOf(b), near)
    expect({ touching: found.touching, sign: Math.sign(found.separation) }).toEqual({
      touching: relation <= 0,
      sign: relation,
    })
    expect(Math.hypot(found.tx, found.ty, found.tz) > 0).toBe(relation < 0 && found.hasNormal)
    expect(near.distance > 0).toBe(relation > 0)
  }

  it('has the sign of the relation within an ulp of touching', () => {
    const pairs = fc.tuple(everyBody, everyBody, orientation, orientation, unit, fc.constantFrom(0, 1e6))
    fc.assert(
      fc.property(pairs, ([one, other, turnA, turnB, direction, far]) => {
        const at = along(one.position, far, [1, 0, 0])
        const turned = (body: CaseBody, turn: CaseBody['orientation']): CaseBody =>
          body.shape.type === 'aabb' ? body : { ...body, orientation: turn }
        const a = turned({ ...one, position: at }, turnA)
        const placed = (t: number): CaseBody => turned({ ...other, position: along(at, t, direction) }, turnB)
        let [low, high] = [0, 64]
        for (let step = 0; step < 64; step++) {
          const middle = (low + high) / 2
          if (relate(bodyOf(a), bodyOf(placed(middle))) > 0) high = middle
          else low = middle
        }
        for (const t of [low, high, low - 3 * (high - low), low * (1 - 1e-15), low * (1 - 1e-13)]) agrees(a, placed(t))
      }),
      runs(150),
    )
  })

  it('is less than 0 for a point inside a side by less than a roundoff', () => {
    const hull: CaseBody = {
      shape: {
        type: 'hull',
        points: [
          [0, 0, 0],
          [4, 0, 0],
          [0, 9, 0],
          [0, 0, 8],
        ],
      },
      position: [0, 0, 0],
    }
    const point: CaseBody = {
      shape: { type: 'point' },
      position: [3.01776996080687, 1.5470123117291796, 0.589338023515878],
    }
    expect(relate(bodyOf(hull), bodyOf(point))).toBe(-1)
    agrees(hull, point)
    agrees(point, hull)
  })
})
