import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoundsResponse } from '../../schemas/queries/bounds.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

async function boundsOf(request: object): Promise<BoundsResponse> {
  const { status, body } = await client.post('bounds', request)
  expect(status).toBe(200)
  return body as BoundsResponse
}

const box = { shape: { type: 'box', width: 4, height: 2 }, position: { x: 1, y: 1 } }

describe('POST /v1/2d/bounds', () => {
  it('gives the box of a body as it stands, whatever its motion', async () => {
    const still = { min: { x: -1, y: 0 }, max: { x: 3, y: 2 } }
    expect(await boundsOf({ body: box })).toEqual(still)
    expect(await boundsOf({ body: { ...box, velocity: { x: 9, y: 9 }, angularVelocity: 1 } })).toEqual(still)
  })

  it('gives the box of the whole motion', async () => {
    const answer = await boundsOf({ body: { ...box, velocity: { x: 1, y: -2 } }, duration: 3 })
    expect(answer).toEqual({ min: { x: -1, y: -6 }, max: { x: 6, y: 2 } })
  })

  it('is tight for a body that turns', async () => {
    const { min, max } = await boundsOf({ body: { ...box, angularVelocity: Math.PI / 2 }, duration: 1 })
    const reach = Math.hypot(2, 1)
    for (const [value, expected] of [
      [min.x, 1 - reach],
      [max.x, 1 + reach],
      [min.y, 1 - reach],
      [max.y, 1 + reach],
    ] as const) {
      expect(value).toBeCloseTo(expected, 12)
    }
    const slight = await boundsOf({ body: { ...box, angularVelocity: Math.PI / 4 }, duration: 1 })
    expect(slight.max.y).toBeCloseTo(1 + 3 * Math.SQRT1_2, 12)
  })

  it('has no bounds where a half-plane has none', async () => {
    const floor = { shape: { type: 'halfplane', normal: { x: 0, y: 2 }, offset: 3 } }
    expect(await boundsOf({ body: floor })).toEqual({ min: { x: null, y: null }, max: { x: null, y: 3 } })
    const tilted = await boundsOf({ body: { ...floor, rotation: 0.5 } })
    expect(tilted).toEqual({ min: { x: null, y: null }, max: { x: null, y: null } })
  })

  it('holds all children of a compound', async () => {
    const shape = {
      type: 'compound',
      children: [box, { shape: { type: 'circle', radius: 1 }, position: { x: -4, y: 0 } }],
    }
    expect(await boundsOf({ body: { shape } })).toEqual({ min: { x: -5, y: -1 }, max: { x: 3, y: 2 } })
  })

  it.each([
    [{ body: box, duration: 2e100 }, '#/duration'],
    [{ body: { ...box, velocity: { x: 2e100, y: 0 } } }, '#/body/velocity/x'],
    [{ body: { ...box, position: { x: 2e100, y: 0 } } }, '#/body/position/x'],
  ])('refuses %j', async (request, pointer) => {
    const { status, body } = await client.post('bounds', request)
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'coordinate-out-of-range', errors: [{ pointer }] })
  })
})
