// Hulls of a few points keep all of them until somebody asks for the corners. Nobody may tell: points that are no corners, on faces
// and edges, repeated and within, change no answer.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTimeOfImpact, timeOfImpact } from '../../../src/core3d/motion/time-of-impact.ts'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { contactPoints } from '../../../src/core3d/queries/contact-points.ts'
import { createDistance, distance } from '../../../src/core3d/queries/distance.ts'
import { relate } from '../../../src/core3d/queries/overlap.ts'
import { createSupport, support } from '../../../src/core3d/queries/support.ts'
import { createRay, createRayHit, featureVertices, rayCast } from '../../../src/core3d/ray/ray-cast.ts'
import { setDirection } from '../../../src/core3d/ray/ray-line.ts'
import { type Body, createBody, setPose } from '../../../src/core3d/shape/body.ts'
import { scaleBody } from '../../../src/core3d/shape/body-scaling.ts'
import { surfaceOf } from '../../../src/core3d/shape/core-surface.ts'
import { createMotion } from '../../../src/core3d/shape/motion.ts'
import { keepCorners, setHull } from '../../../src/core3d/shape/shapes.ts'
import { runs } from '../../support/runs.ts'

type Triple = [number, number, number]
type Quadruple = [number, number, number, number]

interface Given {
  points: Triple[]
  position: Triple
  orientation: Quadruple
}

const step = fc.integer({ min: -2, max: 2 })
const place = fc.tuple(step, step, step)
const orientations: Quadruple[] = [
  [0, 0, 0, 1],
  [0.5, 0.5, 0.5, 0.5],
  [0.5341703053870098, 0.2670851526935049, 0.10683406107740197, 0.7947330479134063],
]
/** Points of a small lattice: most clouds have some on faces and edges, and repeated ones. */
const clouds: fc.Arbitrary<Given> = fc.record({
  points: fc.array(place, { minLength: 4, maxLength: 24 }),
  position: place,
  orientation: fc.constantFrom(...orientations),
})

function bodyOf({ points, position, orientation }: Given): Body {
  const body = createBody()
  setPose(body, { position, orientation })
  setHull(body, Float64Array.from(points.flat()), points.length, 0)
  return body
}

const cornered = (given: Given): Body => {
  const body = bodyOf(given)
  keepCorners(body)
  return body
}

/** The caller's indices of the corners. */
const cornersOf = (given: Given): number[] => {
  const { names, count } = cornered(given)
  return [...names.subarray(0, count)]
}

const isKept = ({ hull }: Body): boolean => hull?.corners === null

it('keeps the points of most of these clouds', () => {
  const kept = fc.sample(clouds, { numRuns: 200, seed: 1 }).map(bodyOf).filter(isKept)
  expect(kept.length).toBeGreaterThan(120)
  const [first] = kept
  const count = first!.count
  keepCorners(first!)
  expect(isKept(first!)).toBe(false)
  expect(first!.count).toBeLessThanOrEqual(count)
})

it('keeps its corners alone also where its surface was asked for first', () => {
  fc.assert(
    fc.property(clouds, (given) => {
      const body = bodyOf(given)
      surfaceOf(body)
      keepCorners(body)
      expect([...body.names.subarray(0, body.count)]).toEqual(cornersOf(given))
    }),
    runs(100),
  )
})

it('has the same surface', () => {
  const named = (body: Body) => {
    const { starts, corners, neighbours, dimension } = surfaceOf(body)
    return {
      dimension,
      starts: [...starts],
      neighbours: [...neighbours],
      names: [...corners].map((i) => body.names[i]),
    }
  }
  fc.assert(
    fc.property(clouds, (given) => {
      expect(named(bodyOf(given))).toEqual(named(cornered(given)))
      expect(named(scaleBody(bodyOf(given), 40))).toEqual(named(cornered(given)))
    }),
    runs(300),
  )
})

it('lies as far from others, and as deep in them', () => {
  const [one, other] = [createContact(), createContact()]
  const [near, far] = [createDistance(), createDistance()]
  fc.assert(
    fc.property(clouds, clouds, (a, b) => {
      contact(bodyOf(a), bodyOf(b), one)
      contact(cornered(a), cornered(b), other)
      expect(one.touching).toBe(other.touching)
      expect(Math.abs(one.separation - other.separation)).toBeLessThan(1e-13)
      expect(relate(bodyOf(a), bodyOf(b))).toBe(relate(cornered(a), cornered(b)))
      distance(bodyOf(a), bodyOf(b), near)
      distance(cornered(a), cornered(b), far)
      expect(Math.abs(near.distance - far.distance)).toBeLessThan(1e-14)
      for (const { featureA, featureB } of contactPoints(bodyOf(a), bodyOf(b), one, 0, 64)) {
        expect(cornersOf(a)).toEqual(expect.arrayContaining([...featureA]))
        expect(cornersOf(b)).toEqual(expect.arrayContaining([...featureB]))
      }
    }),
    runs(500),
  )
})

it('is hit by rays, and met by others, at the same place', () => {
  const [one, other] = [createRayHit(), createRayHit()]
  const [early, late] = [createTimeOfImpact(), createTimeOfImpact()]
  const still = createMotion()
  fc.assert(
    fc.property(clouds, clouds, place, place, (a, b, origin, way) => {
      if (way.every((k) => k === 0)) return
      const ray = { ...createRay(), ox: origin[0], oy: origin[1], oz: origin[2], maxDistance: 100 }
      setDirection(ray, way[0], way[1], way[2])
      const body = bodyOf(a)
      const hits = rayCast(ray, body, 'hit', one)
      expect(rayCast(ray, cornered(a), 'hit', other)).toBe(hits)
      if (hits) {
        expect(Math.abs(one.distance - other.distance)).toBeLessThan(1e-13)
        expect(featureVertices(body, one)).toEqual(featureVertices(cornered(a), other))
      }
      const motion = { ...still, vx: way[0], vy: way[1], vz: way[2] }
      timeOfImpact(bodyOf(a), still, bodyOf(b), motion, 10, false, 'exit', early)
      timeOfImpact(cornered(a), still, cornered(b), motion, 10, false, 'exit', late)
      expect(early.hit).toBe(late.hit)
      expect(Math.abs(early.time - late.time)).toBeLessThan(1e-13)
      expect(early.hasExit).toBe(late.hasExit)
      expect(Math.abs(early.exitTime - late.exitTime)).toBeLessThan(1e-12)
    }),
    runs(400),
  )
})

it('has the farthest corner along a direction, of several the one of least index', () => {
  const [one, other] = [createSupport(), createSupport()]
  fc.assert(
    fc.property(clouds, place, (given, [x, y, z]) => {
      if (x === 0 && y === 0 && z === 0) return
      support(bodyOf(given), x, y, z, one)
      support(cornered(given), x, y, z, other)
      expect(one).toEqual(other)
    }),
    runs(300),
  )
})
