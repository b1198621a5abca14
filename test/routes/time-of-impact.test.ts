import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TimeOfImpactResponse } from '../../schemas/queries/time-of-impact.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

const wall = { shape: { type: 'box', width: 1, height: 8 } }
const ball = (vx: number, x = -5) => ({
  shape: { type: 'circle', radius: 0.5 },
  position: { x, y: 0 },
  velocity: { x: vx, y: 0 },
})

async function impact(request: object): Promise<TimeOfImpactResponse> {
  const { status, body } = await client.post('time-of-impact', request)
  expect(status).toBe(200)
  return body as TimeOfImpactResponse
}

const MISS = { hit: false, time: null, fraction: null, normal: null, pointA: null, pointB: null, exitTime: null }

describe('POST /v1/2d/time-of-impact', () => {
  it('gives time, fraction, normal, points and the time of parting', async () => {
    expect(await impact({ a: wall, b: ball(8), duration: 2 })).toEqual({
      hit: true,
      time: 0.5,
      fraction: 0.25,
      normal: { x: -1, y: 0 },
      pointA: { x: -0.5, y: 0 },
      pointB: { x: -0.5, y: 0 },
      exitTime: 0.75,
      startedOverlapping: false,
      status: 'converged',
    })
  })

  it('counts an impact at the end of the duration, and none after it', async () => {
    expect(await impact({ a: wall, b: ball(8), duration: 0.5 })).toMatchObject({ hit: true, time: 0.5, fraction: 1 })
    const early = await impact({ a: wall, b: ball(8), duration: 0.25 })
    expect(early).toEqual({ ...MISS, startedOverlapping: false, status: 'converged' })
  })

  it('has a fraction of 0 when there is no time to pass', async () => {
    const answer = await impact({ a: wall, b: ball(8, 0), duration: 0 })
    expect(answer).toMatchObject({ hit: true, time: 0, fraction: 0, startedOverlapping: true, exitTime: null })
  })

  it('takes normal and points from the contact when they overlap at the start', async () => {
    const answer = await impact({ a: wall, b: ball(8, 0.75), duration: 1 })
    expect(answer).toMatchObject({ hit: true, time: 0, normal: { x: 1, y: 0 }, startedOverlapping: true })
    expect(answer.exitTime).toBeCloseTo(0.03125, 12)
  })

  it('ignores touching bodies that part, when asked to', async () => {
    const request = { a: wall, b: ball(8, 1), duration: 1 }
    expect(await impact(request)).toMatchObject({ hit: true, time: 0, startedOverlapping: true })
    expect(await impact({ ...request, ignoreSeparating: true })).toMatchObject({ ...MISS, startedOverlapping: true })
  })

  it('turns bodies', async () => {
    const bar = { shape: { type: 'segment', a: { x: -2, y: 0 }, b: { x: 2, y: 0 } }, angularVelocity: Math.PI / 2 }
    const { hit, time, normal } = await impact({
      a: bar,
      b: { shape: { type: 'point' }, position: { x: 0, y: 1 } },
      duration: 2,
    })
    expect(hit).toBe(true)
    expect(time).toBeCloseTo(1, 12)
    expect(normal?.x).toBeCloseTo(-1, 9)
  })

  it('takes concave bodies', async () => {
    const frame = {
      shape: {
        type: 'region',
        outer: [
          { x: -4, y: -4 },
          { x: 4, y: -4 },
          { x: 4, y: 4 },
          { x: -4, y: 4 },
        ],
        holes: [
          [
            { x: -3, y: -3 },
            { x: 3, y: -3 },
            { x: 3, y: 3 },
            { x: -3, y: 3 },
          ],
        ],
      },
    }
    const answer = await impact({ a: frame, b: ball(2, 0), duration: 2 })
    expect(answer).toMatchObject({ hit: true, time: 1.25, normal: { x: -1, y: 0 }, startedOverlapping: false })
  })

  it.each([
    [{ velocity: { x: 0, y: -2e100 } }, '#/b/velocity/y', 'Velocities may reach 1e+100 in magnitude, got -2e+100.'],
    [
      { angularVelocity: 2e100 },
      '#/b/angularVelocity',
      'Angular velocities may reach 1e+100 in magnitude, got 2e+100.',
    ],
  ])('refuses %j', async (motion, pointer, detail) => {
    const { status, body } = await client.post('time-of-impact', { a: wall, b: { ...wall, ...motion }, duration: 1 })
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'coordinate-out-of-range', detail, errors: [{ pointer }], limit: 1e100 })
  })

  it.each([
    [2e100, 422, 'Durations may reach 1e+100 in magnitude, got 2e+100.'],
    [-1, 400, 'duration must be at least 0, got -1.'],
  ])('refuses the duration %d', async (duration, expected, detail) => {
    const { status, body } = await client.post('time-of-impact', { a: wall, b: wall, duration })
    expect(status).toBe(expected)
    expect(body).toMatchObject({ detail, errors: [{ pointer: '#/duration' }] })
  })
})
