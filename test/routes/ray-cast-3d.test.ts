import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RayHit3d } from '../../schemas/queries/ray-cast.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { type Client, startClient } from '../support/services/client.ts'
import { bodyOfCase, vectorOf } from '../support/wire-cases-3d.ts'

let client: Client
beforeAll(async () => {
  client = await startClient({ MAX_TARGETS: '3' }, '3d')
})
afterAll(() => client.close())

async function cast(request: object): Promise<RayHit3d[]> {
  const { status, body } = await client.post('ray-cast', request)
  expect(status, JSON.stringify(body)).toBe(200)
  return (body as { hits: RayHit3d[] }).hits
}

const down = { origin: vectorOf([0.25, 10, 0.5]), direction: vectorOf([0, -2, 0]) }
const box = (y: number) => ({ shape: { type: 'box', size: vectorOf([2, 2, 2]) }, position: vectorOf([0, y, 0]) })

describe('POST /v1/3d/ray-cast', () => {
  it('names what is hit by its vertices, and where the ray leaves', async () => {
    expect(await cast({ ray: down, targets: [box(0), box(5)] })).toEqual([
      {
        target: 1,
        distance: 4,
        fraction: 2,
        point: { x: 0.25, y: 6, z: 0.5 },
        normal: { x: 0, y: 1, z: 0 },
        feature: { kind: 'face', vertices: expect.arrayContaining([2, 3, 6, 7]) },
        startedInside: false,
        exit: { distance: 6, point: { x: 0.25, y: 4, z: 0.5 }, normal: { x: 0, y: -1, z: 0 } },
      },
    ])
  })

  it('has as many hits as are asked for, near to far', async () => {
    const targets = [box(0), box(5), box(9.5)]
    expect((await cast({ ray: down, targets, mode: 'all' })).map(({ target }) => target)).toEqual([2, 1, 0])
    expect((await cast({ ray: down, targets, mode: 'any' })).map(({ target }) => target)).toEqual([0])
    const without = await cast({ ray: { ...down, maxDistance: 4 }, targets, mode: 'all', startInside: 'ignore' })
    expect(without.map(({ target, distance }) => [target, distance])).toEqual([[1, 4]])
    expect((await cast({ ray: down, targets, startInside: 'exit' }))[0]).toMatchObject({ target: 2, distance: 1.5 })
  })

  it.each([
    [{ ray: { ...down, direction: vectorOf([0, 0, 0]) }, targets: [] }, 'ray-direction-zero', '#/ray/direction'],
    [{ ray: { ...down, origin: vectorOf([0, 0, 2e100]) }, targets: [] }, 'coordinate-out-of-range', '#/ray/origin/z'],
    [{ ray: down, targets: [box(0), box(2e100)] }, 'coordinate-out-of-range', '#/targets/1/position/y'],
    [{ ray: down, targets: new Array(4).fill(box(0)) }, 'too-many-targets', '#/targets'],
  ])('refuses %#', async (request, code, pointer) => {
    expect((await client.post('ray-cast', request)).body).toMatchObject({ code, errors: [{ pointer }] })
  })
})

interface RayCase {
  id: string
  a: Parameters<typeof bodyOfCase>[0] & { shape: { type: string } }
  ray: { origin: number[]; direction: number[]; maxDistance?: number }
  expect: { hit: boolean; distance?: number; point?: number[]; inside?: boolean; exitDistance?: number }
  tol: { distance?: number; point?: number }
}

const FILE = new URL('../../../shared/cases3d/ray.ndjson', import.meta.url)
const arePresent = existsSync(FILE)
const cases = arePresent
  ? readFileSync(FILE, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as RayCase)
      .filter(({ a }) => !['mesh', 'compound', 'heightfield'].includes(a.shape.type))
  : []

describe.skipIf(!arePresent)('the shared cases (skipped where ../shared/cases3d is not there)', () => {
  it.each(cases)('$id', async ({ a, ray, expect: expected, tol }) => {
    const { maxDistance } = ray
    const wire = { origin: vectorOf(ray.origin), direction: vectorOf(ray.direction), maxDistance }
    const [hit] = await cast({ ray: wire, targets: [bodyOfCase(a)] })
    expect(hit !== undefined).toBe(expected.hit)
    if (hit === undefined) return
    if (expected.distance !== undefined && tol.distance !== undefined)
      expect(Math.abs(hit.distance - expected.distance)).toBeLessThanOrEqual(tol.distance)
    if (expected.point !== undefined && tol.point !== undefined) {
      const [x, y, z] = expected.point
      const far = (p: Vec3) => Math.max(Math.abs(p.x - x), Math.abs(p.y - y), Math.abs(p.z - z))
      expect(far(hit.point)).toBeLessThanOrEqual(tol.point)
    }
  })
})
