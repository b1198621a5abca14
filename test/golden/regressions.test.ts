// Inputs that broke other libraries: as reported, swapped, moved by 1e6, scaled by 1e-3 and 1e3, written the other way round.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProblemDetails } from '../../schemas/problem.ts'
import type { ContactResponse } from '../../schemas/queries/contact.ts'
import type { DistanceResponse } from '../../schemas/queries/distance.ts'
import type { OverlapResponse } from '../../schemas/queries/overlap.ts'
import type { RayCastResponse } from '../../schemas/queries/ray-cast.ts'
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { exactRelation } from '../oracle/exact-relation.ts'
import { measuredBody, sweptSeparation } from '../oracle/measured-bodies.ts'
import { pairTolerance } from '../support/families/extent.ts'
import { reversed, scaled, scaledRay, translated, translatedRay } from '../support/families/transform.ts'
import { runCount } from '../support/runs.ts'
import { type Client, startClient } from '../support/services/client.ts'
import { PAIR_ROWS, type PairRow, POLYGON_ROWS, RAY_ROWS, type RayRow } from './regressions.ts'
import { pointIn, type Variant, variantsOf } from './variants.ts'

let client: Client

beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

async function ask<T>(query: string, request: object): Promise<T> {
  const { status, body } = await client.post(query, request)
  expect({ status, problem: status === 200 ? null : body }).toEqual({ status: 200, problem: null })
  return body as T
}

const VARIANTS = variantsOf<Body2d>({ scaled, translated, reversed })

function apart(p: Vec2, q: Vec2): number {
  return Math.hypot(p.x - q.x, p.y - q.y)
}

/** The real-number answer of the variant itself, where rounding of its coordinates may have changed it. */
function relationOf(row: PairRow, a: Body2d, b: Body2d): string {
  if (a.rotation || b.rotation) return row.relation
  const relation = exactRelation(a, b)
  return relation === null ? row.relation : ['overlapping', 'touching', 'separated'][relation + 1]
}

async function checkPair(row: PairRow, variant: Variant<Body2d>): Promise<void> {
  const a = variant.body(row.a)
  const b = variant.body(row.b)
  const pair = variant.swapped ? { a: b, b: a } : { a, b }
  const relation = relationOf(row, a, b)
  const tolerance = 2 * pairTolerance(a, b)
  const separation = row.separation * variant.scale

  const overlap = await ask<OverlapResponse>('overlap', pair)
  expect(overlap).toMatchObject({ relation, overlap: relation !== 'separated' })

  const distance = await ask<DistanceResponse>('distance', pair)
  expect(Math.abs(distance.distance - Math.max(0, separation))).toBeLessThanOrEqual(tolerance)
  expect(distance.distance === 0).toBe(relation !== 'separated')
  expect(distance.normal === null).toBe(relation !== 'separated')
  const onA = variant.swapped ? distance.pointB : distance.pointA
  const onB = variant.swapped ? distance.pointA : distance.pointB
  expect(Math.abs(apart(onA, onB) - distance.distance)).toBeLessThanOrEqual(tolerance)
  if (row.points) {
    expect(apart(onA, pointIn(variant, row.points[0]))).toBeLessThanOrEqual(tolerance)
    expect(apart(onB, pointIn(variant, row.points[1]))).toBeLessThanOrEqual(tolerance)
  }

  const contact = await ask<ContactResponse>('contact', pair)
  expect(contact.touching).toBe(relation !== 'separated')
  const measured = contact.separation as number
  expect(Math.abs(measured - separation)).toBeLessThanOrEqual(tolerance)
  expect(measured <= 0).toBe(contact.touching)
  expect(contact.points.length > 0).toBe(contact.touching)
  for (const { normal } of [distance, contact]) if (normal) checkNormal(row, normal, variant)
  if (row.normals || row.normalArc) expect(contact.normal).not.toBeNull()
}

function checkNormal(row: PairRow, given: Vec2, variant: Variant<Body2d>): void {
  expect(Math.abs(Math.hypot(given.x, given.y) - 1)).toBeLessThanOrEqual(1e-12)
  const normal = variant.swapped ? { x: -given.x, y: -given.y } : given
  if (row.normals) expect(Math.min(...row.normals.map((n) => apart(n, normal)))).toBeLessThanOrEqual(1e-7)
  if (row.normalArc) {
    const [from, to] = row.normalArc
    expect(from.x * normal.y - from.y * normal.x).toBeGreaterThanOrEqual(-1e-7)
    expect(normal.x * to.y - normal.y * to.x).toBeGreaterThanOrEqual(-1e-7)
  }
}

describe.each(PAIR_ROWS.map((row): [string, PairRow] => [row.name, row]))('%s', (_name, row) => {
  it.each(VARIANTS)('%s', (_variant, variant) => checkPair(row, variant))
})

async function checkRay(row: RayRow, variant: Variant<Body2d>): Promise<void> {
  const ray = translatedRay(scaledRay(row.ray, variant.scale), variant.shift, variant.shift)
  const target = variant.body(row.target)
  const { startInside } = row
  const request = { ray, targets: [target], ...(startInside === undefined ? {} : { startInside }) }
  const { hits } = await ask<RayCastResponse>('ray-cast', request)
  expect(hits.length).toBe(row.hit ? 1 : 0)
  const hit = hits[0]
  if (hit === undefined) return
  const tolerance = 2 * pairTolerance({ shape: { type: 'point' }, position: ray.origin }, target)
  const length = Math.hypot(ray.direction.x, ray.direction.y)
  // Fractions are of the direction, which no variant scales.
  const distance = (row.fraction as number) * length * variant.scale
  expect(Math.abs(hit.distance - distance)).toBeLessThanOrEqual(tolerance)
  expect(Math.abs(hit.fraction * length - distance)).toBeLessThanOrEqual(tolerance)
  if (row.point) expect(apart(hit.point, pointIn(variant, row.point))).toBeLessThanOrEqual(tolerance)
  expect(hit.startedInside).toBe(row.startedInside ?? false)
  if (hit.startedInside && row.startInside !== 'exit') expect([hit.normal, hit.feature]).toEqual([null, null])
  else expect(hit.normal).not.toBeNull()
  if (row.normals && hit.normal) {
    const { normal } = hit
    expect(Math.min(...row.normals.map((n) => apart(n, normal)))).toBeLessThanOrEqual(1e-7)
  }
  if (row.exit === null) expect(hit.exit).toBeNull()
  if (row.exit) {
    expect(Math.abs((hit.exit?.distance as number) - row.exit.distance * variant.scale)).toBeLessThanOrEqual(tolerance)
    expect(apart(hit.exit?.point as Vec2, pointIn(variant, row.exit.point))).toBeLessThanOrEqual(tolerance)
  }
}

describe.each(RAY_ROWS.map((row): [string, RayRow] => [row.name, row]))('%s', (_name, row) => {
  it.each(VARIANTS.filter(([, { swapped }]) => !swapped))('%s', (_variant, variant) => checkRay(row, variant))
})

describe.each(POLYGON_ROWS)('$name', ({ vertices, reflex }) => {
  const places: [string, (body: Body2d) => Body2d, (index: number) => number][] = [
    ['as reported', (body) => body, (index) => index],
    ['moved by 1e6', (body) => translated(body, 1e6, 1e6), (index) => index],
    ['scaled by 1e3', (body) => scaled(body, 1e3), (index) => index],
    ['with reversed winding', reversed, (index) => vertices.length - 1 - index],
  ]
  it.each(places)('%s', async (_place, change, indexOf) => {
    const b = change({ shape: { type: 'polygon', vertices } })
    const { status, type, body } = await client.post('overlap', { a: { shape: { type: 'point' } }, b })
    if (reflex === null) {
      expect(status).toBe(200)
      return
    }
    expect(status).toBe(422)
    expect(type).toContain('application/problem+json')
    const problem = body as ProblemDetails
    expect(problem.code).toBe('polygon-not-convex')
    const allowed = reflex.map((index) => `#/b/shape/vertices/${indexOf(index)}`)
    expect(allowed).toContain(problem.errors?.[0]?.pointer)
  })
})

describe('parry "issue 181" epa2.rs: a turning box against a thin one', () => {
  it('always answers finite numbers that agree', async () => {
    const total = 200_000
    const step = Math.max(1, Math.floor(total / runCount(5000)))
    const b: Body2d = { shape: { type: 'box', width: 600, height: 3 }, position: { x: 5, y: 0 }, rotation: 1.5 }
    for (let i = 0; i < total; i += step) {
      const a: Body2d = {
        shape: { type: 'box', width: 20, height: 20 },
        position: { x: 0.0001 * i, y: 0 },
        rotation: 0.005 * i,
      }
      const { status, body } = await client.post('contact', { a, b })
      expect([i, status]).toEqual([i, 200])
      const { touching } = body as ContactResponse
      const separation = (body as ContactResponse).separation as number
      const translation = (body as ContactResponse).translation as Vec2
      const expected = sweptSeparation(measuredBody(a), measuredBody(b))
      const tolerance = 2 * pairTolerance(a, b)
      expect(Math.abs(separation - expected)).toBeLessThanOrEqual(tolerance)
      expect([i, touching]).toEqual([i, separation <= 0])
      const length = Math.hypot(translation.x, translation.y)
      expect(Math.abs(length - Math.max(0, -separation))).toBeLessThanOrEqual(tolerance)
    }
  })
})
