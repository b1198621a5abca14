import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Validate3dResponse } from '../../schemas/queries/validate.ts'
import { WILD } from '../fuzz/wild-values.ts'
import { GRID } from '../support/families/arbitraries.ts'
import { SHAPE_TYPES_3D, shapeOf3d } from '../support/families/arbitrary-shapes-3d.ts'
import { runs } from '../support/runs.ts'
import { type Client, startClient } from '../support/services/client.ts'
import { vectorOf } from '../support/wire-cases-3d.ts'

let client: Client
beforeAll(async () => {
  client = await startClient({ MAX_VERTICES: '2500' }, '3d')
})
afterAll(() => client.close())

async function inspect(shape: object): Promise<Validate3dResponse> {
  const { status, body } = await client.post('validate', { shape })
  expect(status).toBe(200)
  return body as Validate3dResponse
}

describe('POST /v1/3d/validate', () => {
  it('is right about what queries take', async () => {
    const shapes = fc
      .tuple(fc.constantFrom(...SHAPE_TYPES_3D), fc.constantFrom(GRID, WILD), fc.nat(3))
      .chain(([type, source, spoilt]) =>
        shapeOf3d(type, source).map((shape) =>
          spoilt > 0 ? shape : JSON.parse(JSON.stringify(shape).replace(/:(\d+)([,}])/, ':$1e101$2')),
        ),
      )
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        const { status, body } = await client.post('bounds', { body: { shape } })
        if (status === 400) return
        const { valid, findings } = await inspect(shape)
        expect(valid).toBe(status === 200)
        const refused = findings.filter(({ outcome }) => outcome === 'refused')
        expect(refused.length > 0).toBe(!valid)
        if (!valid) expect(refused.map(({ code }) => code)).toContain((body as { code: string }).code)
      }),
      runs(300),
    )
  })

  const corner = vectorOf([1, 1, 1])

  it.each([
    [{ type: 'sphere', radius: 0 }, 'degenerate', 'Taken as the point that it is.', '#/shape/radius'],
    [
      { type: 'capsule', a: corner, b: corner, radius: 2 },
      'degenerate',
      'Taken as the sphere that it is.',
      '#/shape/b',
    ],
    [
      { type: 'triangle', a: vectorOf([0, 0, 0]), b: corner, c: vectorOf([3, 3, 3]) },
      'degenerate',
      'Taken as the segment that it is.',
      '#/shape/c',
    ],
    [
      { type: 'box', size: vectorOf([1, 0, 1]), radius: 1 },
      'degenerate',
      'Taken as the rounded flat shape that it is.',
      '#/shape/size/y',
    ],
    [
      { type: 'aabb', min: vectorOf([0, 1, 1]), max: corner },
      'degenerate',
      'Taken as the segment that it is.',
      '#/shape/max/y',
    ],
    [{ type: 'cone', radius: 1, height: 0 }, 'degenerate', 'Taken as the disc that it is.', '#/shape/height'],
    [
      { type: 'halfspace', normal: vectorOf([0, 2, 0]), offset: 1 },
      'normal-scaled',
      'Scaled to length 1; the offset is a length along the unit normal and stays as it is.',
      '#/shape/normal',
    ],
    [
      { type: 'halfspace', normal: vectorOf([0, 0, 0]), offset: 1 },
      'normal-zero',
      'Refused as halfspace-normal-zero.',
      '#/shape/normal',
    ],
    [{ type: 'hull', points: [corner, corner] }, 'repeated', 'Left out.', '#/shape/points/1'],
    [
      { type: 'hull', points: [vectorOf([0, 0, 0]), corner, vectorOf([3, 3, 3])] },
      'inner',
      'Left out.',
      '#/shape/points/1',
    ],
    [
      { type: 'hull', points: new Array(2501).fill(corner) },
      'too-many-vertices',
      'Refused as too-many-vertices.',
      '#/shape/points',
    ],
  ])('finds %#', async (shape, kind, action, pointer) => {
    const { findings } = await inspect(shape)
    expect(findings).toEqual(expect.arrayContaining([expect.objectContaining({ kind, action, pointers: [pointer] })]))
  })

  it('has nothing to say of what is as it should be', async () => {
    for (const shape of [
      { type: 'point' },
      { type: 'triangle', a: vectorOf([0, 0, 0]), b: corner, c: vectorOf([3, 3, 4]) },
      { type: 'halfspace', normal: vectorOf([0.6, 0, 0.8]), offset: 1 },
      { type: 'ellipsoid', radii: corner },
    ])
      expect(await inspect(shape)).toEqual({ valid: true, findings: [], truncated: false })
  })

  it('lists so many of a kind', async () => {
    const { findings, truncated } = await inspect({ type: 'hull', points: new Array(2000).fill(corner) })
    expect(findings.filter(({ kind }) => kind === 'repeated')).toHaveLength(1000)
    expect(truncated).toBe(true)
  })
})
