import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TrajectoryResponse } from '../../schemas/queries/trajectory.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

const ball = (x: number, y: number) => ({ shape: { type: 'circle', radius: 0.5 }, velocity: { x, y } })
const left = { shape: { type: 'halfplane', normal: { x: 1, y: 0 }, offset: -2.5 } }
const right = { shape: { type: 'box', width: 1, height: 8 }, position: { x: 5, y: 0 } }

async function follow(request: object): Promise<TrajectoryResponse> {
  const { status, body } = await client.post('trajectory', request)
  expect(status).toBe(200)
  return body as TrajectoryResponse
}

describe('POST /v1/2d/trajectory', () => {
  it('gives bounces, end and status', async () => {
    expect(await follow({ body: ball(4, 0), obstacles: [left, right], duration: 3 })).toEqual({
      bounces: [
        {
          time: 1,
          point: { x: 4.5, y: 0 },
          normal: { x: -1, y: 0 },
          obstacle: 1,
          velocityBefore: { x: 4, y: 0 },
          velocityAfter: { x: -4, y: 0 },
        },
        {
          time: 2.5,
          point: { x: -2.5, y: 0 },
          normal: { x: 1, y: 0 },
          obstacle: 0,
          velocityBefore: { x: -4, y: 0 },
          velocityAfter: { x: 4, y: 0 },
        },
      ],
      end: { time: 3, position: { x: 0, y: 0 }, velocity: { x: 4, y: 0 } },
      status: 'completed',
    })
  })

  it('goes straight where nothing is in the way', async () => {
    expect(await follow({ body: ball(4, -2), obstacles: [], duration: 1.5 })).toEqual({
      bounces: [],
      end: { time: 1.5, position: { x: 6, y: -3 }, velocity: { x: 4, y: -2 } },
      status: 'completed',
    })
  })

  it('keeps as much of the speed as restitution says', async () => {
    const { bounces, end } = await follow({ body: ball(4, 0), obstacles: [right], duration: 2, restitution: 0.25 })
    expect(bounces[0].velocityAfter).toEqual({ x: -1, y: 0 })
    expect(end).toEqual({ time: 2, position: { x: 3, y: 0 }, velocity: { x: -1, y: 0 } })
  })

  it('takes the speed of a moving obstacle into account', async () => {
    const coming = { ...right, velocity: { x: -4, y: 0 } }
    const { bounces } = await follow({ body: ball(4, 0), obstacles: [coming], duration: 1 })
    expect(bounces).toMatchObject([{ time: 0.5, obstacle: 0, velocityAfter: { x: -12, y: 0 } }])
  })

  it('stops after maxBounces, and says so', async () => {
    const answer = await follow({ body: ball(4, 0), obstacles: [left, right], duration: 100, maxBounces: 3 })
    expect(answer.bounces).toHaveLength(3)
    expect(answer.status).toBe('max-bounces')
    const some = await follow({ body: ball(4, 0), obstacles: [left, right], duration: 1e6 })
    expect(some.bounces).toHaveLength(100)
  })

  it('says that it is stuck where obstacles close in', async () => {
    const press = { ...right, velocity: { x: -1, y: 0 } }
    const { status, end } = await follow({ body: ball(1, 0), obstacles: [left, press], duration: 100 })
    expect(['stuck', 'max-bounces']).toContain(status)
    expect(end.time).toBeLessThan(100)
  })

  it.each(['chain', 'region', 'compound'])('follows no %s', async (type) => {
    const ring = [
      { x: 0, y: 0 },
      { x: 1, y: 0 },
      { x: 0, y: 1 },
    ]
    const fields = { chain: { vertices: ring }, region: { outer: ring }, compound: { children: [ball(0, 0)] } }
    const body = { shape: { type, ...fields[type as keyof typeof fields] } }
    if (type === 'compound') body.shape = { type, children: [{ shape: { type: 'point' } }] } as typeof body.shape
    const { status, body: problem } = await client.post('trajectory', { body, obstacles: [], duration: 1 })
    expect(status).toBe(422)
    expect(problem).toMatchObject({
      code: 'body-not-convex',
      detail: `The body of a trajectory must be convex, but its shape is a ${type}.`,
      errors: [{ pointer: '#/body/shape/type' }],
    })
  })

  it('takes spin only where it changes nothing', async () => {
    const spinning = { angularVelocity: 2 }
    const round = { body: { ...ball(4, 0), ...spinning }, obstacles: [right], duration: 3 }
    expect(await follow(round)).toEqual(await follow({ ...round, body: ball(4, 0) }))
    const request = { body: ball(4, 0), obstacles: [left, { ...right, ...spinning }], duration: 3 }
    const { status, body } = await client.post('trajectory', request)
    expect(status).toBe(422)
    expect(body).toMatchObject({
      code: 'trajectory-spinning',
      detail: 'The bodies of a trajectory do not spin, but this box has an angularVelocity of 2.',
      errors: [{ pointer: '#/obstacles/1/angularVelocity' }],
    })
  })

  it('points at the obstacle that is wrong', async () => {
    const wrong = { ...right, velocity: { x: 0, y: 2e100 } }
    const request = { body: ball(1, 0), obstacles: [left, wrong], duration: 1 }
    const { status, body } = await client.post('trajectory', request)
    expect(status).toBe(422)
    expect(body).toMatchObject({ errors: [{ pointer: '#/obstacles/1/velocity/y' }] })
  })

  it('takes no more obstacles than MAX_TARGETS', async () => {
    const small = await startClient({ MAX_TARGETS: '1' })
    const { status, body } = await small.post('trajectory', { body: ball(1, 0), obstacles: [left, right], duration: 1 })
    expect(status).toBe(413)
    expect(body).toMatchObject({
      code: 'too-many-obstacles',
      detail: 'obstacles must have at most 1 items, got 2.',
      limit: 1,
      actual: 2,
      errors: [{ pointer: '#/obstacles' }],
    })
    await small.close()
  })

  it.each([
    ['a segment far longer than its way', 1e17, 0],
    ['one of the greatest length', 1e100, 0],
    ['one that falls towards its far end', 1e18, -3],
  ])('has no bounce before the start: %s', async (_name, length, x) => {
    const shape = { type: 'segment', a: { x: 9.5, y: 13 }, b: { x: length, y: 5.5 } }
    const body = { shape, position: { x: -3.5, y: -5.5 }, rotation: Math.PI, velocity: { x, y: -17.5 } }
    const floor = { shape: { type: 'halfplane', normal: { x: 0, y: 6 }, offset: -4 } }
    const { bounces } = await follow({ body, obstacles: [floor], duration: 2.5 })
    expect(bounces.length).toBeGreaterThan(0)
    for (const { time } of bounces) expect(time).toBeGreaterThanOrEqual(0)
  })

  it.each([1, 1e-3, 1e6])(
    'has no bounce before the start of a body that is in a wall by rounding: size %d',
    async (size) => {
      const wall = { shape: { type: 'box', width: 2 * size, height: 2 * size } }
      for (let ulps = 0; ulps < 4; ulps++) {
        const body = { shape: { type: 'point' }, position: { x: 0, y: size * (1 - ulps * 2 ** -53) } }
        const { bounces } = await follow({
          body: { ...body, velocity: { x: size, y: -size } },
          obstacles: [wall],
          duration: 1,
        })
        expect(bounces.map(({ time }) => time)).toEqual([0])
      }
    },
  )

  it('takes no more bounces times obstacles than MAX_IMPACTS', async () => {
    const small = await startClient({ MAX_IMPACTS: '20' })
    const request = { body: ball(1, 0), obstacles: [left, right], duration: 1 }
    expect((await small.post('trajectory', { ...request, maxBounces: 10 })).status).toBe(200)
    const { status, body } = await small.post('trajectory', { ...request, maxBounces: 11 })
    expect(status).toBe(413)
    expect(body).toMatchObject({
      code: 'too-many-impacts',
      detail: 'maxBounces times the number of obstacles may reach 20, got 11 times 2.',
      limit: 20,
      actual: 22,
      errors: [{ pointer: '#/maxBounces' }],
    })
    await small.close()
  })

  it.each([
    [{ restitution: 1.5 }, 'restitution must be at most 1, got 1.5.'],
    [{ maxBounces: 100_001 }, 'maxBounces must be at most 100000, got 100001.'],
    [{ maxBounces: 0.5 }, 'maxBounces must be a whole number, got 0.5.'],
  ])('refuses %j', async (part, detail) => {
    const { status, body } = await client.post('trajectory', { body: ball(1, 0), obstacles: [], duration: 1, ...part })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'schema-violation', detail })
  })
})
