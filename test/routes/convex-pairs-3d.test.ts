// overlap, distance and contact of bodies in space, over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Body3d } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { casesPresent3d, convexCases } from '../support/convex-cases-3d.ts'
import { type Client, startClient } from '../support/services/client.ts'
import { bodyOfCase, vectorOf } from '../support/wire-cases-3d.ts'

let client: Client
beforeAll(async () => {
  client = await startClient({ MAX_VERTICES: '5000' }, '3d')
})
afterAll(() => client.close())

async function ask(op: string, request: object): Promise<Record<string, unknown>> {
  const { status, body } = await client.post(op, request)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Record<string, unknown>
}

const box: Body3d = { shape: { type: 'box', size: { x: 4, y: 2, z: 4 } } }
const ball = (y: number, radius = 1): Body3d => ({ shape: { type: 'sphere', radius }, position: { x: 0, y, z: 1 } })

describe('POST /v1/3d/overlap', () => {
  it('counts touching, and tells it from one unit in the last place apart', async () => {
    expect(await ask('overlap', { a: box, b: ball(2) })).toEqual({ overlap: true, relation: 'touching' })
    expect(await ask('overlap', { a: box, b: ball(2 + 2 ** -51) })).toEqual({ overlap: false, relation: 'separated' })
    expect(await ask('overlap', { a: box, b: ball(2 - 2 ** -52) })).toEqual({ overlap: true, relation: 'overlapping' })
  })

  it('gives a certificate where it is asked for one', async () => {
    expect(await ask('overlap', { a: box, b: ball(5), explain: true })).toEqual({
      overlap: false,
      relation: 'separated',
      aContainsB: false,
      bContainsA: false,
      certificate: { kind: 'separating-axis', normal: { x: 0, y: 1, z: 0 }, gap: 3 },
    })
    expect(await ask('overlap', { a: box, b: ball(2), explain: true })).toEqual({
      overlap: true,
      relation: 'touching',
      aContainsB: false,
      bContainsA: false,
      certificate: { kind: 'common-point', point: { x: 0, y: 1, z: 1 } },
    })
    expect(await ask('overlap', { a: box, b: ball(0), explain: true })).toMatchObject({
      relation: 'overlapping',
      aContainsB: true,
      bContainsA: false,
    })
  })
})

describe('POST /v1/3d/contact', () => {
  it('has a point where bodies meet, and where they are no farther apart than asked', async () => {
    const deep = await ask('contact', { a: box, b: ball(1.75) })
    expect(deep).toMatchObject({ touching: true, separation: -0.25, translation: { x: 0, y: 0.25, z: 0 }, exact: true })
    expect(deep.points).toMatchObject([{ position: { x: 0, y: 0.875, z: 1 }, separation: -0.25 }])
    const apart = { touching: false, separation: 0.5, normal: { x: 0, y: 1, z: 0 }, translation: { x: 0, y: 0, z: 0 } }
    expect(await ask('contact', { a: box, b: ball(2.5) })).toMatchObject({ ...apart, points: [] })
    const near = await ask('contact', { a: box, b: ball(2.5), maxDistance: 0.5 })
    expect(near).toMatchObject({ ...apart, points: [{ position: { x: 0, y: 1.25, z: 1 }, separation: 0.5 }] })
  })

  it('says so where nothing parts two half-spaces', async () => {
    const half = (x: number): Body3d => ({ shape: { type: 'halfspace', normal: { x, y: 1, z: 0 }, offset: 0 } })
    expect(await ask('contact', { a: half(0), b: half(1) })).toMatchObject({
      touching: true,
      separation: null,
      normal: null,
      points: [],
      translation: null,
    })
  })

  it.each([0, 65, 1.5, '4'])('takes no %j points', async (maxPoints) => {
    const { status, body } = await client.post('contact', { a: box, b: box, maxPoints })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'schema-violation', errors: [{ pointer: '#/maxPoints' }] })
  })
})

describe('bodies in space', () => {
  const quarter = { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 }

  it('are turned by unit quaternions, normalised once', async () => {
    const post: Body3d = { shape: { type: 'cylinder', radius: 1, height: 8 }, orientation: quarter }
    const b = ball(0, 0)
    for (const length of [1, 1.0009, 0.9991, -1]) {
      const { x, y, z, w } = quarter
      const orientation = { x: length * x, y: length * y, z: length * z, w: length * w }
      const turned = await ask('distance', { a: { ...post, orientation }, b: { ...b, position: { x: 6, y: 0, z: 0 } } })
      expect(turned.distance).toBe(2)
    }
    // along its own axis as it is without a turn
    const { distance } = await ask('distance', {
      a: { shape: post.shape },
      b: { ...b, position: { x: 0, y: 6, z: 0 } },
    })
    expect(distance).toBe(2)
  })

  it.each<[object, number, string, string]>([
    [
      { shape: { type: 'point' }, orientation: { x: 0, y: 0, z: 0, w: 1.002 } },
      422,
      'orientation-not-unit',
      '#/b/orientation',
    ],
    [
      { shape: { type: 'point' }, orientation: { x: 0, y: 0, z: 0, w: 0 } },
      422,
      'orientation-not-unit',
      '#/b/orientation',
    ],
    [
      { shape: { type: 'point' }, orientation: { x: 1e308, y: 1e308, z: 0, w: 0 } },
      422,
      'orientation-not-unit',
      '#/b/orientation',
    ],
    [{ shape: { type: 'point' }, orientation: { x: 0, y: 0, z: 1 } }, 400, 'schema-violation', '#/b/orientation/w'],
    [
      { shape: { type: 'point' }, position: { x: 0, y: 2e100, z: 0 } },
      422,
      'coordinate-out-of-range',
      '#/b/position/y',
    ],
    [{ shape: { type: 'point' }, rotation: 1 }, 400, 'schema-violation', '#/b/rotation'],
    [{ shape: { type: 'point' }, velocity: { x: 0, y: 0, z: 0 } }, 400, 'schema-violation', '#/b/velocity'],
    [
      { shape: { type: 'segment', a: { x: 0, y: 0, z: 0 }, b: { x: 0, y: 0, z: -3e100 } } },
      422,
      'coordinate-out-of-range',
      '#/b/shape/b/z',
    ],
    [
      { shape: { type: 'triangle', a: vectorOf([0, 0, 0]), b: vectorOf([1, 0, 0]), c: vectorOf([9e100, 0, 0]) } },
      422,
      'coordinate-out-of-range',
      '#/b/shape/c/x',
    ],
    [{ shape: { type: 'cone', radius: 1, height: 2e100 } }, 422, 'coordinate-out-of-range', '#/b/shape/height'],
    [{ shape: { type: 'cylinder', radius: 1, height: 1, axis: 'w' } }, 400, 'schema-violation', '#/b/shape/axis'],
    [
      { shape: { type: 'ellipsoid', radii: { x: 1, y: 1, z: 2e100 } } },
      422,
      'coordinate-out-of-range',
      '#/b/shape/radii/z',
    ],
    [
      { shape: { type: 'hull', points: [vectorOf([0, 0, 0]), vectorOf([0, 2e100, 0])] } },
      422,
      'coordinate-out-of-range',
      '#/b/shape/points/1/y',
    ],
    [
      { shape: { type: 'hull', points: new Array(4097).fill(vectorOf([0, 0, 0])) } },
      400,
      'schema-violation',
      '#/b/shape/points',
    ],
    [
      { shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 2e100 } },
      422,
      'coordinate-out-of-range',
      '#/b/shape/offset',
    ],
    [{ shape: { type: 'mesh', vertices: [], triangles: [] } }, 400, 'schema-violation', '#/b/shape/vertices'],
  ])('are refused: %#', async (b, status, code, pointer) => {
    const answer = await client.post('overlap', { a: box, b })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code, errors: [{ pointer }] })
  })

  it('take an aabb without a turn only', async () => {
    const aabb = { shape: { type: 'aabb', min: vectorOf([0, 0, 0]), max: vectorOf([1, 1, 1]) } }
    const none = { x: 0, y: 0, z: 0, w: -1 }
    expect(await ask('overlap', { a: box, b: { ...aabb, orientation: none } })).toMatchObject({ overlap: true })
    const { status, body } = await client.post('overlap', { a: box, b: { ...aabb, orientation: quarter } })
    expect([status, body]).toMatchObject([422, { code: 'aabb-rotated', errors: [{ pointer: '#/b/orientation' }] }])
  })
})

const cases = casesPresent3d ? ['overlap', 'distance', 'contact', 'degenerate'].flatMap(convexCases) : []

describe.skipIf(!casesPresent3d)('the shared cases (skipped where ../shared/cases3d is not there)', () => {
  const apart = (p: Vec3, q: readonly number[]) =>
    Math.max(Math.abs(p.x - q[0]), Math.abs(p.y - q[1]), Math.abs(p.z - q[2]))

  it.each(cases)('$id $tags', async ({ expect: expected, tol, a, b, tags }) => {
    const [first, second] = [bodyOfCase(a), bodyOfCase(b)]
    const meet = expected.overlap ?? expected.touching ?? tags.includes('expect-overlap')
    const related = await ask('overlap', { a: first, b: second })
    expect(related.overlap).toBe(meet)
    expect(await ask('overlap', { a: second, b: first })).toEqual(related)
    if (tags.includes('touching')) expect(related.relation).toBe('touching')
    const there = await ask('distance', { a: first, b: second })
    const back = await ask('distance', { a: second, b: first })
    expect([back.pointB, back.pointA, back.distance]).toEqual([there.pointA, there.pointB, there.distance])
    expect(there.normal === null).toBe(meet)
    if (expected.distance !== undefined)
      expect(Math.abs((there.distance as number) - expected.distance)).toBeLessThanOrEqual(tol.distance as number)
    if (expected.pA !== undefined)
      expect(apart(there.pointA as Vec3, expected.pA)).toBeLessThanOrEqual(tol.point as number)
    const contact = await ask('contact', { a: first, b: second })
    const other = await ask('contact', { a: second, b: first })
    expect(contact.touching).toBe(meet)
    expect(other.separation).toBe(contact.separation)
    if (expected.depth !== undefined)
      expect(Math.abs(-(contact.separation as number) - expected.depth)).toBeLessThanOrEqual(tol.depth as number)
    if (expected.depth !== undefined && expected.normal !== undefined)
      expect(apart(contact.normal as Vec3, expected.normal)).toBeLessThanOrEqual(tol.normal as number)
  })
})

describe('what does not fit the schema', () => {
  it.each([
    [
      { a: box, b: { shape: { type: 'sfere', radius: 1 } } },
      'type must be one of point, sphere, segment, capsule, triangle, box, aabb, cylinder, cone, ellipsoid, hull, halfspace, mesh, heightfield, compound, ref, got "sfere". Did you mean "sphere"?',
    ],
    [
      { a: box, b: { shape: { type: 'segment', a: { x: 0, y: 0, z: 0 } } } },
      'b is missing: expected an object with x, y and z.',
    ],
    [
      { a: box, b: { shape: { type: 'segment', a: { x: 0, y: 0 }, b: { x: 0, y: 0, z: 0 } } } },
      'z is missing: expected a number.',
    ],
  ])('is told in one sentence: %#', async (request, detail) => {
    expect((await client.post('distance', request)).body).toMatchObject({ status: 400, detail })
  })

  it('is told in batches too', async () => {
    const { body } = await client.post('batch', { queries: [{ op: 'hul', points: [] }] })
    expect((body as { results: { detail: string }[] }).results[0].detail).toMatch(
      /^op must be one of overlap, distance, .*, got "hul"\. Did you mean "hull"\?$/,
    )
  })
})
