// bounds and support of bodies in space, over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Vec3 } from '../../schemas/vector.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient({}, '3d')
})
afterAll(() => client.close())

async function ask(op: string, request: object): Promise<unknown> {
  const { status, body } = await client.post(op, request)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const half = { shape: { type: 'halfspace', normal: { x: 0, y: -2, z: 0 }, offset: 1 }, position: { x: 7, y: 5, z: 9 } }
const hull = {
  shape: {
    type: 'hull',
    points: [
      { x: 0, y: 0, z: 0 },
      { x: 1, y: 0, z: 0 },
      { x: 0, y: 1, z: 0 },
      { x: 0, y: 0, z: 1 },
      { x: 0, y: 0, z: 1 },
    ],
    radius: 3,
  },
  position: { x: 10, y: 20, z: 30 },
}

describe('POST /v1/3d/bounds', () => {
  it('has the box of what is where it is, and null where there is none', async () => {
    expect(await ask('bounds', { body: hull })).toEqual({ min: { x: 7, y: 17, z: 27 }, max: { x: 14, y: 24, z: 34 } })
    const none = { x: null, y: null, z: null }
    expect(await ask('bounds', { body: half })).toEqual({ min: { ...none, y: 4 }, max: none })
  })

  it('turns with the body', async () => {
    const orientation = { x: 0.5, y: 0.5, z: 0.5, w: 0.5 }
    const body = { shape: { type: 'box', size: { x: 2, y: 4, z: 6 } }, orientation }
    expect(await ask('bounds', { body })).toEqual({ min: { x: -3, y: -1, z: -2 }, max: { x: 3, y: 1, z: 2 } })
  })
})

describe('POST /v1/3d/bounds of a motion', () => {
  const wall = { shape: { type: 'box', size: { x: 8, y: 6, z: 2 } }, angularVelocity: { x: 0, y: 0, z: Math.PI / 2 } }

  it('covers what the body does while it turns', async () => {
    const { min, max } = (await ask('bounds', { body: wall, duration: 1 })) as Record<'min' | 'max', Vec3>
    expect(min.x).toBeCloseTo(-5, 12)
    expect(max.y).toBeCloseTo(5, 12)
    expect(max.z).toBeCloseTo(1, 12)
    expect(await ask('bounds', { body: { ...half, velocity: { x: 1, y: -2, z: 1 } }, duration: 1 })).toEqual({
      min: { x: null, y: 2, z: null },
      max: { x: null, y: null, z: null },
    })
  })

  it('takes any speed for any time', async () => {
    for (const rate of [1e-300, 1e-100, 1e100])
      for (const speed of [0, 1e-300, -1e100]) {
        const body = { ...wall, velocity: { x: speed, y: 0, z: 0 }, angularVelocity: { x: rate, y: 0, z: rate } }
        await ask('bounds', { body, duration: 1e100 })
        await ask('bounds', { body: { ...body, shape: { type: 'cone', radius: 1, height: 2 } }, duration: 1e100 })
      }
    const { status } = await client.post('bounds', { body: { ...wall, velocity: { x: 1e101, y: 0, z: 0 } } })
    expect(status).toBe(422)
  })
})

describe('POST /v1/3d/support', () => {
  it('names the point of the caller, of equal ones the first', async () => {
    expect(await ask('support', { body: hull, direction: { x: 0, y: 0, z: 5 } })).toEqual({
      point: { x: 10, y: 20, z: 34 },
      feature: { kind: 'vertex', vertices: [3] },
    })
  })

  it('has none of what has no end', async () => {
    expect(await ask('support', { body: half, direction: { x: 0, y: 1, z: 0 } })).toEqual({
      point: null,
      feature: null,
    })
  })

  it('finds the face of a half-space along its normal', async () => {
    expect(await ask('support', { body: half, direction: { x: 0, y: -1e90, z: 0 } })).toEqual({
      point: { x: 7, y: 4, z: 9 },
      feature: { kind: 'face', vertices: [] },
    })
  })

  it('takes any direction but none', async () => {
    const { status, body } = await client.post('support', { body: hull, direction: { x: 0, y: -0, z: 0 } })
    expect([status, body]).toMatchObject([422, { code: 'direction-zero', errors: [{ pointer: '#/direction' }] }])
  })
})
