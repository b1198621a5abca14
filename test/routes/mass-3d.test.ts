import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mass3dResponse } from '../../schemas/queries/mass.ts'
import { type Client, startClient } from '../support/services/client.ts'
import { cases3dPresent, readCases3d } from '../support/shared-cases-3d.ts'
import { shapeOfCase, vectorOf } from '../support/wire-cases-3d.ts'

let client: Client
beforeAll(async () => {
  client = await startClient({ MAX_VERTICES: '600' }, '3d')
})
afterAll(() => client.close())

async function massOf(shape: object, density?: number): Promise<Mass3dResponse> {
  const { status, body } = await client.post('mass', { shape, density })
  expect(status).toBe(200)
  return body as Mass3dResponse
}

describe('POST /v1/3d/mass', () => {
  it('weighs by density', async () => {
    const shape = { type: 'aabb', min: vectorOf([1, 2, 3]), max: vectorOf([3, 6, 9]) }
    const found = await massOf(shape, 0.5)
    const rounded = JSON.parse(JSON.stringify(found), (_, part) =>
      typeof part === 'number' ? Number(part.toFixed(9)) + 0 : part,
    )
    expect(rounded).toEqual({
      volume: 48,
      area: 88,
      mass: 24,
      centroid: { x: 2, y: 4, z: 6 },
      inertia: { xx: 104, yy: 80, zz: 40, xy: 0, xz: 0, yz: 0 },
      principal: { moments: { x: 40, y: 80, z: 104 }, orientation: expect.anything() },
    })
  })

  it('takes the axis of what is turned', async () => {
    for (const [k, axis] of (['x', 'y', 'z'] as const).entries()) {
      const { centroid, inertia } = await massOf({ type: 'cone', radius: 3, height: 4, axis })
      expect(centroid).toEqual(vectorOf([0, 1, 2].map((i) => (i === k ? -1 : 0))))
      const least = Math.min(inertia.xx, inertia.yy, inertia.zz)
      expect(inertia[(['xx', 'yy', 'zz'] as const)[k]]).toBe(Math.max(least, inertia[(['xx', 'yy', 'zz'] as const)[k]]))
    }
  })

  it.each([
    [{ type: 'point' }, 0, 0],
    [{ type: 'segment', a: vectorOf([0, 0, 0]), b: vectorOf([0, 2, 0]) }, 0, 0],
    [{ type: 'triangle', a: vectorOf([0, 0, 0]), b: vectorOf([3, 0, 0]), c: vectorOf([0, 4, 0]) }, 0, 12],
    [{ type: 'box', size: vectorOf([2, 0, 3]) }, 0, 12],
    [{ type: 'cylinder', radius: 0, height: 0 }, 0, 0],
    [{ type: 'hull', points: [vectorOf([1, 1, 1]), vectorOf([1, 1, 1])] }, 0, 0],
  ])('knows what has no volume: %j', async (shape, volume, area) => {
    expect(await massOf(shape)).toMatchObject({ volume, area, mass: 0 })
  })

  it.each([
    [{ type: 'halfspace', normal: vectorOf([0, 1, 0]), offset: 0 }, 422, 'shape-unbounded', '#/shape/type'],
    [{ type: 'halfspace', normal: vectorOf([0, 0, 0]), offset: 0 }, 422, 'halfspace-normal-zero', '#/shape/normal'],
    [{ type: 'sphere', radius: 1e90 }, 422, 'answer-out-of-range', '#/shape'],
    [{ type: 'sphere', radius: 1e101 }, 422, 'coordinate-out-of-range', '#/shape/radius'],
    [{ type: 'box', size: vectorOf([1, 1, -1]) }, 400, 'schema-violation', '#/shape/size/z'],
    [{ type: 'ellipsoid', radii: vectorOf([1, 0, 1]) }, 400, 'schema-violation', '#/shape/radii/y'],
    [{ type: 'aabb', min: vectorOf([0, 1, 0]), max: vectorOf([1, 0, 1]) }, 422, 'aabb-inverted', '#/shape/min/y'],
    [{ type: 'hull', points: [] }, 400, 'schema-violation', '#/shape/points'],
    [{ type: 'circle', radius: 1 }, 400, 'schema-violation', '#/shape/type'],
  ])('refuses %j', async (shape, status, code, pointer) => {
    const answer = await client.post('mass', { shape })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code, errors: [{ pointer }] })
  })

  it('refuses more points than it takes', async () => {
    const answer = await client.post('mass', {
      shape: { type: 'hull', points: new Array(601).fill(vectorOf([0, 0, 0])) },
    })
    expect(answer.body).toMatchObject({ status: 413, code: 'too-many-vertices', limit: 600, actual: 601 })
  })
})

const isConvex = ({ type }: { type: string }) => type !== 'mesh' && type !== 'compound'
const cases = cases3dPresent ? readCases3d('mass').filter(({ a }) => isConvex(a.shape)) : []

describe.skipIf(!cases3dPresent)('the shared cases (skipped where ../shared/cases3d is not there)', () => {
  it.each(cases)('$id', async ({ a, expect: expected, tol }) => {
    expect([a.position, a.orientation]).toEqual([undefined, undefined])
    const { volume, centroid, inertia } = await massOf(shapeOfCase(a.shape))
    expect(Math.abs(volume - expected.volume)).toBeLessThanOrEqual(tol.volume)
    const centre = [centroid.x, centroid.y, centroid.z]
    for (const [k, c] of centre.entries()) expect(Math.abs(c - expected.center[k])).toBeLessThanOrEqual(tol.center)
    const { xx, yy, zz, xy, xz, yz } = inertia
    const entries = [xx, xy, xz, xy, yy, yz, xz, yz, zz]
    for (const [k, entry] of entries.entries())
      expect(Math.abs(entry - expected.inertia.flat()[k])).toBeLessThanOrEqual(tol.inertia)
  })
})
