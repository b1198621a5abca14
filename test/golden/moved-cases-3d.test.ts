// The exact cases of ../shared/cases3d, put elsewhere without rounding anything: the answers are those of the cases.

import { describe, expect, it } from 'vitest'
import { contact, createContact } from '../../src/core3d/queries/contact.ts'
import { createDistance, distance } from '../../src/core3d/queries/distance.ts'
import { bodiesMeet } from '../../src/core3d/queries/overlap.ts'
import { createRay, createRayHit, rayCast } from '../../src/core3d/ray/ray-cast.ts'
import { setDirection } from '../../src/core3d/ray/ray-line.ts'
import {
  bodyOf,
  type CaseBody,
  casesPresent3d,
  convexCases,
  type RayCase3d,
  rayCases,
  type SharedCase3d,
} from '../support/convex-cases-3d.ts'
import {
  exactSum,
  moveBody,
  otherwise,
  scaleBody,
  TURNS,
  turnBody,
  turned,
} from '../support/families/moved-bodies-3d.ts'

const EXPONENTS = [1, -30, 60, -200, 300]
const STEPS = [
  [1, 0, 0],
  [0, -2, 0.5],
  [1024, -4096, 2 ** 20],
  [2 ** 30, 2 ** 31, -(2 ** 30)],
]
/** Of the 48 turns a case has eight, other ones than its neighbours. */
const turnsOf = (index: number) => TURNS.filter((_, k) => (k + index) % 6 === 0)

interface Variant {
  name: string
  a: CaseBody
  b: CaseBody
  factor: number
}

function variantsOf({ a, b }: SharedCase3d, index: number): Variant[] {
  const steps = [...STEPS, a.position.map((x) => -x), b.position.map((x) => -x)]
  return [
    ...turnsOf(index).map((turn) => ({
      name: `turned ${turn.order} ${turn.sign}`,
      a: turnBody(turn, a),
      b: turnBody(turn, b),
      factor: 1,
    })),
    ...EXPONENTS.map((exponent) => {
      const factor = 2 ** exponent
      return { name: `times 2^${exponent}`, a: scaleBody(a, factor), b: scaleBody(b, factor), factor }
    }),
    ...steps.flatMap((by) => {
      const moved = [moveBody(a, by), moveBody(b, by)]
      return moved[0] && moved[1] ? [{ name: `moved by ${by}`, a: moved[0], b: moved[1], factor: 1 }] : []
    }),
    ...otherwise(a).map((other) => ({ name: `A as ${other.shape.type}`, a: other, b, factor: 1 })),
    ...otherwise(b).map((other) => ({ name: `B as ${other.shape.type}`, a, b: other, factor: 1 })),
  ].flatMap((variant) => [variant, { ...variant, name: `${variant.name}, swapped`, a: variant.b, b: variant.a }])
}

const nearest = createDistance()
const found = createContact()

function faultsOf({ expect: expected, tol }: SharedCase3d, { name, a, b, factor }: Variant): string[] {
  const bodyA = bodyOf(a)
  const bodyB = bodyOf(b)
  const faults: string[] = []
  const meet = expected.overlap ?? expected.touching
  if (meet !== undefined && bodiesMeet(bodyA, bodyB) !== meet) faults.push(`${name}: overlap is ${!meet}`)
  if (expected.distance !== undefined) {
    distance(bodyA, bodyB, nearest)
    const error = Math.abs(nearest.distance / factor - expected.distance)
    if (!(error <= (tol.distance ?? 1e-12))) faults.push(`${name}: distance off by ${error}`)
  }
  if (expected.depth !== undefined) {
    contact(bodyA, bodyB, found)
    const error = Math.abs(found.separation / factor + expected.depth)
    if (!(error <= (tol.depth ?? 1e-9))) faults.push(`${name}: depth off by ${error}`)
  }
  return faults
}

const hit = createRayHit()

interface RayVariant {
  name: string
  a: CaseBody
  ray: RayCase3d['ray']
  factor: number
}

function rayVariantsOf({ a, ray }: RayCase3d, index: number): RayVariant[] {
  const { origin, direction, maxDistance } = ray
  const times = (vector: readonly number[], factor: number) =>
    vector.map((x) => x * factor) as RayCase3d['ray']['origin']
  const steps = [...STEPS, a.position.map((x) => -x), origin.map((x) => -x)]
  return [
    ...turnsOf(index).map((turn) => ({
      name: `turned ${turn.order} ${turn.sign}`,
      a: turnBody(turn, a),
      ray: { origin: turned(turn, origin), direction: turned(turn, direction), maxDistance },
      factor: 1,
    })),
    ...EXPONENTS.map((exponent) => {
      const factor = 2 ** exponent
      const scaled = { origin: times(origin, factor), direction, maxDistance: maxDistance * factor }
      return { name: `times 2^${exponent}`, a: scaleBody(a, factor), ray: scaled, factor }
    }),
    ...[-3, 100, -100].map((exponent) => ({
      name: `direction times 2^${exponent}`,
      a,
      ray: { ...ray, direction: times(direction, 2 ** exponent) },
      factor: 1,
    })),
    ...steps.flatMap((by) => {
      const moved = moveBody(a, by)
      const from = exactSum(origin, by)
      return moved && from ? [{ name: `moved by ${by}`, a: moved, ray: { ...ray, origin: from }, factor: 1 }] : []
    }),
    ...otherwise(a).map((other) => ({ name: `as ${other.shape.type}`, a: other, ray, factor: 1 })),
  ]
}

function rayFaultsOf({ expect: expected, tol }: RayCase3d, { name, a, ray: given, factor }: RayVariant): string[] {
  const ray = createRay()
  ;[ray.ox, ray.oy, ray.oz] = given.origin
  setDirection(ray, ...given.direction)
  ray.maxDistance = given.maxDistance
  const isHit = rayCast(ray, bodyOf(a), 'hit', hit)
  if (isHit !== expected.hit) return [`${name}: ${isHit ? 'hit' : 'missed'}`]
  if (!isHit) return []
  const faults: string[] = []
  if (expected.inside !== undefined && hit.startedInside !== expected.inside)
    faults.push(`${name}: inside is ${!expected.inside}`)
  if (expected.distance !== undefined) {
    const error = Math.abs(hit.distance / factor - expected.distance)
    if (!(error <= (tol.distance ?? 1e-9))) faults.push(`${name}: distance off by ${error}`)
  }
  return faults
}

const listed = <T extends { id: string }>(cases: T[]): [string, T, number][] =>
  cases.map((one, index) => [one.id, one, index])

describe.skipIf(!casesPresent3d)('exact cases in space put elsewhere (skipped when ../shared is absent)', () => {
  it.each(['overlap', 'distance', 'contact', 'degenerate'])('%s', (file) => {
    const faults = listed(casesPresent3d ? convexCases(file) : []).flatMap(([id, one, index]) =>
      one.expect.refused
        ? []
        : variantsOf(one, index).flatMap((variant) => faultsOf(one, variant).map((fault) => `${id} ${fault}`)),
    )
    expect(faults).toEqual([])
  })

  it('ray', () => {
    const faults = listed(casesPresent3d ? rayCases() : []).flatMap(([id, one, index]) =>
      rayVariantsOf(one, index).flatMap((variant) => rayFaultsOf(one, variant).map((fault) => `${id} ${fault}`)),
    )
    expect(faults).toEqual([])
  })
})
