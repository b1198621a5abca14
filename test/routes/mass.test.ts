import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MassResponse } from '../../schemas/queries/mass.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient({ MAX_VERTICES: '10' })
})
afterAll(() => client.close())

async function massOf(shape: object, density?: number): Promise<MassResponse> {
  const { status, body } = await client.post('mass', density === undefined ? { shape } : { shape, density })
  expect(status).toBe(200)
  return body as MassResponse
}

/** Area, centroid and inertia as they should be, to 12 digits. */
async function expectMass(shape: object, area: number, x: number, y: number, inertia: number): Promise<void> {
  const answer = await massOf(shape)
  expect(answer.mass).toBe(answer.area)
  expect(answer.area).toBeCloseTo(area, 10)
  expect(answer.centroid.x).toBeCloseTo(x, 10)
  expect(answer.centroid.y).toBeCloseTo(y, 10)
  expect(answer.inertia).toBeCloseTo(inertia, 10)
}

const ring = (...numbers: number[]) =>
  Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] }))
const { PI } = Math

describe('POST /v1/2d/mass', () => {
  it('knows the textbook', async () => {
    await expectMass({ type: 'circle', radius: 2 }, 4 * PI, 0, 0, 8 * PI)
    await expectMass({ type: 'box', width: 4, height: 2 }, 8, 0, 0, (8 * 20) / 12)
    await expectMass({ type: 'aabb', min: { x: 1, y: 2 }, max: { x: 4, y: 3 } }, 3, 2.5, 2.5, (3 * 10) / 12)
    await expectMass({ type: 'ellipse', rx: 3, ry: 2 }, 6 * PI, 0, 0, (6 * PI * 13) / 4)
    await expectMass({ type: 'polygon', vertices: ring(0, 0, 0, 3, 6, 0) }, 9, 2, 1, (9 * 45) / 18)
  })

  it('counts the rounding', async () => {
    const capsule = { type: 'capsule', a: { x: -1, y: 5 }, b: { x: 1, y: 5 }, radius: 1 }
    // A square, and two half discs whose centroids lie 4/3π beyond its sides.
    const halves = PI / 2 - PI * (4 / (3 * PI)) ** 2 + PI * (1 + 4 / (3 * PI)) ** 2
    await expectMass(capsule, 4 + PI, 0, 5, (4 * 8) / 12 + halves)
    const r = 0.5
    const box = { type: 'box', width: 2, height: 2, radius: r }
    // A square with its corners cut out, and quarter discs in their place.
    const side = 2 + 2 * r
    const corners = 4 * ((r * r * (2 * r * r)) / 12 + r * r * 2 * (1 + r / 2) ** 2)
    const far = (4 * r) / (3 * PI)
    const discs = (PI * r ** 4) / 2 - PI * r * r * 2 * far ** 2 + PI * r * r * 2 * (1 + far) ** 2
    await expectMass(box, side * side - (4 - PI) * r * r, 0, 0, side ** 4 / 6 - corners + discs)
  })

  it('leaves out holes', async () => {
    const outer = ring(0, 0, 4, 0, 4, 4, 0, 4)
    await expectMass({ type: 'region', outer }, 16, 2, 2, (16 * 32) / 12)
    const hole = ring(1, 1, 3, 1, 3, 2, 1, 2)
    const x = 2
    const y = (16 * 2 - 2 * 1.5) / 14
    const whole = (16 * 32) / 12 + 16 * (2 - y) ** 2
    await expectMass({ type: 'region', outer, holes: [hole] }, 14, x, y, whole - (2 * 5) / 12 - 2 * (1.5 - y) ** 2)
  })

  it('adds up the children of a compound, twice where they overlap', async () => {
    const box = { shape: { type: 'box', width: 2, height: 2 } }
    const two = { type: 'compound', children: [box, { ...box, position: { x: 6, y: 0 }, rotation: PI / 2 }] }
    await expectMass(two, 8, 3, 0, 2 * ((4 * 8) / 12) + 8 * 9)
    await expectMass({ type: 'compound', children: [box, box] }, 8, 0, 0, (8 * 8) / 12)
  })

  it('multiplies by the density', async () => {
    const { area, mass, inertia } = await massOf({ type: 'box', width: 4, height: 2 }, 0.5)
    expect([area, mass]).toEqual([8, 4])
    expect(inertia).toBeCloseTo((4 * 20) / 12, 12)
    expect(await massOf({ type: 'box', width: 4, height: 2 }, 0)).toMatchObject({ area: 8, mass: 0, inertia: 0 })
  })

  it.each([
    [{ type: 'point' }, 0, 0],
    [{ type: 'circle', radius: 0 }, 0, 0],
    [{ type: 'segment', a: { x: 1, y: 1 }, b: { x: 3, y: 5 } }, 2, 3],
    [{ type: 'box', width: 4, height: 0 }, 0, 0],
    [{ type: 'chain', vertices: ring(0, 0, 4, 0, 4, 4) }, 3, 1],
    [{ type: 'chain', vertices: ring(0, 0, 3, 0, 3, 4), loop: true }, (4.5 + 12 + 7.5) / 12, (0 + 8 + 10) / 12],
    [{ type: 'chain', vertices: ring(7, 8, 7, 8) }, 7, 8],
    [{ type: 'region', outer: ring(0, 0, 4, 4, 2, 2) }, 2, 2],
    [{ type: 'polygon', vertices: ring(0, 0, 4, 4, 2, 2) }, 2, 2],
  ])('is 0 of what has no area: %j', async (shape, x, y) => {
    expect(await massOf(shape)).toEqual({ area: 0, mass: 0, centroid: { x, y }, inertia: 0 })
  })

  it('takes the parts of the highest dimension', async () => {
    const at = (shape: object, x: number) => ({ shape, position: { x, y: 0 } })
    const point = { type: 'point' }
    const segment = { type: 'segment', a: { x: 0, y: 0 }, b: { x: 2, y: 0 } }
    const compound = (...children: object[]) => ({ type: 'compound', children })
    expect((await massOf(compound(at(point, 1), at(point, 4)))).centroid).toEqual({ x: 2.5, y: 0 })
    expect((await massOf(compound(at(point, 100), at(segment, 4)))).centroid).toEqual({ x: 5, y: 0 })
    const circle = { type: 'circle', radius: 1 }
    expect((await massOf(compound(at(point, 100), at(segment, 4), at(circle, 8)))).centroid).toEqual({ x: 8, y: 0 })
  })

  const halfplane = { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 }
  const inside = { type: 'compound', children: [{ shape: { type: 'point' } }, { shape: halfplane }] }

  it.each([
    [{ shape: halfplane }, 422, 'shape-unbounded', '#/shape/type'],
    [
      { shape: { type: 'compound', children: [{ shape: inside }] } },
      422,
      'shape-unbounded',
      '#/shape/children/0/shape/children/1/shape/type',
    ],
    [{ shape: { type: 'circle', radius: 1e90 } }, 422, 'answer-out-of-range', '#/shape'],
    [{ shape: { type: 'circle', radius: 2e100 } }, 422, 'coordinate-out-of-range', '#/shape/radius'],
    [{ shape: { type: 'point' }, density: 2e100 }, 422, 'coordinate-out-of-range', '#/density'],
    [{ shape: { type: 'point' }, density: -1 }, 400, 'schema-violation', '#/density'],
    [
      { shape: { type: 'chain', vertices: ring(...new Array(22).fill(0)) } },
      413,
      'too-many-vertices',
      '#/shape/vertices',
    ],
  ])('refuses %j', async (request, status, code, pointer) => {
    const answer = await client.post('mass', request)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code, errors: [{ pointer }] })
  })
})
