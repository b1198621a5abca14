import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Trajectory3dResponse, TrajectoryResponse } from '../../schemas/queries/trajectory.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
beforeAll(() => app.ready())
afterAll(() => app.close())

async function follow<T>(request: object, dimension = '3d'): Promise<T> {
  const response = await app.inject({ method: 'POST', url: `/v1/${dimension}/trajectory`, payload: request })
  return response.json() as T
}

const along = (x: number): Vec3 => ({ x, y: 0, z: 0 })
const ball = (velocity: Vec3, position = along(0)): object => ({
  shape: { type: 'sphere', radius: 0.5 },
  velocity,
  position,
})
const right = { shape: { type: 'box', size: { x: 1, y: 8, z: 8 } }, position: along(5) }
const left = { shape: { type: 'halfspace', normal: along(1), offset: -2.5 } }

describe('POST /v1/3d/trajectory', () => {
  it('gives bounces, end and status', async () => {
    const found = await follow({ body: ball(along(4)), obstacles: [left, right], duration: 3 })
    expect(found).toEqual({
      bounces: [
        {
          time: 1,
          point: along(4.5),
          normal: along(-1),
          obstacle: 1,
          velocityBefore: along(4),
          velocityAfter: along(-4),
        },
        {
          time: 2.5,
          point: along(-2.5),
          normal: along(1),
          obstacle: 0,
          velocityBefore: along(-4),
          velocityAfter: along(4),
        },
      ],
      end: { time: 3, position: along(0), velocity: along(4) },
      status: 'completed',
    })
  })

  it('keeps as much of the speed as restitution says, and meets what moves', async () => {
    const slow = await follow<Trajectory3dResponse>({
      body: ball(along(4)),
      obstacles: [right],
      duration: 2,
      restitution: 0.25,
    })
    expect(slow.end).toEqual({ time: 2, position: along(3), velocity: along(-1) })
    const coming = { ...right, velocity: along(-4) }
    const hit = await follow<Trajectory3dResponse>({ body: ball(along(4)), obstacles: [coming], duration: 2 })
    expect(hit.bounces).toHaveLength(1)
    expect(hit.bounces[0].time).toBe(0.5)
    expect(hit.end.velocity).toEqual(along(-12))
  })

  it('reflects about the direction from a vertex to the centre', async () => {
    // a ball of radius 5 comes down on the vertex (0, 0, 0) of a box, beside its middle by 3: the normal is (3, 0, 4) / 5
    const body = {
      shape: { type: 'sphere', radius: 5 },
      position: { x: 3, y: 0, z: 14 },
      velocity: { x: 0, y: 0, z: -10 },
    }
    const obstacles = [{ shape: { type: 'aabb', min: { x: -8, y: -8, z: -8 }, max: { x: 0, y: 8, z: 0 } } }]
    const { bounces, end } = await follow<Trajectory3dResponse>({ body, obstacles, duration: 2 })
    expect(bounces).toHaveLength(1)
    const [{ time, normal, velocityAfter }] = bounces
    expect(time).toBeCloseTo(1, 13)
    expect(normal.x).toBeCloseTo(0.6, 14)
    expect(normal.z).toBeCloseTo(0.8, 14)
    expect(velocityAfter.x).toBeCloseTo(9.6, 12)
    expect(velocityAfter.z).toBeCloseTo(2.8, 12)
    expect(end.position.x).toBeCloseTo(12.6, 12)
  })

  it('is that of the plane where z does not matter', async () => {
    const walls = [
      [-6, 0, 1, 20],
      [6, 0, 1, 20],
      [0, -5, 20, 1],
      [0, 5, 20, 1],
      [1, 1.5, 1, 2],
    ]
    const request = { duration: 12, maxBounces: 40 }
    const flat = await follow<TrajectoryResponse>(
      {
        ...request,
        body: { shape: { type: 'circle', radius: 0.5 }, position: { x: -3, y: 1 }, velocity: { x: 3.3, y: 2.1 } },
        obstacles: walls.map(([x, y, width, height]) => ({
          shape: { type: 'box', width, height },
          position: { x, y },
        })),
      },
      '2d',
    )
    const solid = await follow<Trajectory3dResponse>({
      ...request,
      body: ball({ x: 3.3, y: 2.1, z: 0 }, { x: -3, y: 1, z: 0 }),
      obstacles: walls.map(([x, y, width, height]) => ({
        shape: { type: 'box', size: { x: width, y: height, z: 9 } },
        position: { x, y, z: 0 },
      })),
    })
    expect(flat.bounces.length).toBeGreaterThan(6)
    expect(solid.bounces.map(({ obstacle }) => obstacle)).toEqual(flat.bounces.map(({ obstacle }) => obstacle))
    flat.bounces.forEach(({ time }, i) => {
      expect(solid.bounces[i].time).toBeCloseTo(time, 8)
    })
    expect(solid.end.position.x).toBeCloseTo(flat.end.position.x, 7)
    expect(solid.end.position.z).toBeCloseTo(0, 12)
  })

  it('comes back from a corner of three walls the way it went', async () => {
    const wall = (normal: Vec3): object => ({ shape: { type: 'halfspace', normal, offset: -3.5 } })
    const obstacles = [wall({ x: -1, y: 0, z: 0 }), wall({ x: 0, y: -1, z: 0 }), wall({ x: 0, y: 0, z: -1 })]
    const body = ball({ x: 3, y: 3, z: 3 })
    const { bounces, end, status } = await follow<Trajectory3dResponse>({ body, obstacles, duration: 2 })
    expect(status).toBe('completed')
    expect(bounces.map(({ obstacle }) => obstacle)).toEqual([0, 1, 2])
    expect(end.velocity).toEqual({ x: -3, y: -3, z: -3 })
    expect(end.position.x).toBeCloseTo(0, 12)
  })

  it('refuses bodies that spin', async () => {
    const body = { ...right, angularVelocity: { x: 0, y: 0, z: 1 } }
    expect(await follow({ body, obstacles: [], duration: 1 })).toMatchObject({ code: 'trajectory-spinning' })
  })
})
