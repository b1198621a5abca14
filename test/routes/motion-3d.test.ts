// Motion in space over HTTP: the shared cases, both ways round, and what else a caller meets.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ShapeCast3dResponse } from '../../schemas/queries/shape-cast.ts'
import type { TimeOfImpact3dResponse } from '../../schemas/queries/time-of-impact.ts'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { cases3dPresent, readMotionCases3d, type SweepCase3d } from '../support/shared-cases-3d.ts'
import { movingBodyOfCase } from '../support/wire-cases-3d.ts'

const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
beforeAll(() => app.ready())
afterAll(() => app.close())

async function ask<T>(op: string, payload: object): Promise<T> {
  const response = await app.inject({ method: 'POST', url: `/v1/3d/${op}`, payload })
  return response.json() as T
}

if (!cases3dPresent) console.warn('../shared/cases3d is not here: its cases are skipped')

describe.skipIf(!cases3dPresent)('exact cases of motion in space', () => {
  const cases = cases3dPresent ? [...readMotionCases3d('sweep'), ...readMotionCases3d('sweep-rotating')] : []

  it.each(cases)('$id $tags', async (one) => {
    const a = movingBodyOfCase(one.a)
    const b = movingBodyOfCase(one.b)
    const duration = one.maxTime
    check(one, await ask('time-of-impact', { a, b, duration }), 1)
    check(one, await ask('time-of-impact', { a: b, b: a, duration }), -1)
  })
})

function check({ expect: wanted, tol }: SweepCase3d, found: TimeOfImpact3dResponse, side: 1 | -1): void {
  expect(found.hit).toBe(wanted.hit)
  expect(found.status).toBe('converged')
  if (!wanted.hit) return
  expect(Math.abs((found.time ?? Number.NaN) - (wanted.time ?? 0))).toBeLessThanOrEqual(tol.time)
  if (wanted.normal !== undefined) {
    const { x, y, z } = found.normal ?? { x: 0, y: 0, z: 0 }
    const off = [x, y, z].map((value, k) => side * value - (wanted.normal as number[])[k])
    expect(Math.hypot(...off)).toBeLessThanOrEqual(tol.normal ?? 0)
  }
  if (wanted.exitTime === undefined) return
  if (wanted.exitTime === null) expect(found.exitTime).toBeNull()
  else expect(Math.abs((found.exitTime ?? Number.NaN) - wanted.exitTime)).toBeLessThanOrEqual(tol.exitTime ?? tol.time)
}

const wall = { shape: { type: 'box', size: { x: 1, y: 8, z: 8 } } }
const ball = (x: number, vx: number, radius = 0.5): object => ({
  shape: { type: 'sphere', radius },
  position: { x, y: 0, z: 0 },
  velocity: { x: vx, y: 0, z: 0 },
})

describe('POST /v1/3d/time-of-impact', () => {
  it('finds whole answers for whole questions', async () => {
    const found = await ask<TimeOfImpact3dResponse>('time-of-impact', { a: wall, b: ball(-5, 8), duration: 1 })
    expect(found).toEqual({
      hit: true,
      time: 0.5,
      fraction: 0.5,
      normal: { x: -1, y: 0, z: 0 },
      pointA: { x: -0.5, y: 0, z: 0 },
      pointB: { x: -0.5, y: 0, z: 0 },
      exitTime: 0.75,
      startedOverlapping: false,
      status: 'converged',
    })
  })

  it('does not miss a bullet', async () => {
    const sheet = {
      shape: { type: 'triangle', a: { x: 0, y: -5, z: -5 }, b: { x: 0, y: 5, z: -5 }, c: { x: 0, y: 0, z: 5 } },
    }
    const found = await ask<TimeOfImpact3dResponse>('time-of-impact', {
      a: sheet,
      b: ball(-250000, 1e6, 2 ** -10),
      duration: 1,
    })
    expect(found.hit).toBe(true)
    expect(found.time).toBeCloseTo(0.25 - 2 ** -10 / 1e6, 12)
  })

  it('lets bodies go that touch and slide, or part', async () => {
    const floor = { shape: { type: 'halfspace', normal: { x: 0, y: 0, z: 1 }, offset: 0 } }
    const sliding = (vz: number): object => ({
      shape: { type: 'sphere', radius: 1 },
      position: { x: 0, y: 0, z: 1 },
      velocity: { x: 1, y: 0, z: vz },
    })
    const hit = async (vz: number, ignoreSeparating: boolean): Promise<boolean> => {
      const request = { a: floor, b: sliding(vz), duration: 1, ignoreSeparating }
      return (await ask<TimeOfImpact3dResponse>('time-of-impact', request)).hit
    }
    expect(await hit(0, false)).toBe(true)
    expect(await hit(0, true)).toBe(false)
    expect(await hit(1, true)).toBe(false)
    expect(await hit(-1, true)).toBe(true)
  })

  it('says which number is wrong', async () => {
    const fast = { ...ball(-5, 8), velocity: { x: 0, y: 1e200, z: 0 } }
    expect(await ask('time-of-impact', { a: wall, b: fast, duration: 1 })).toMatchObject({
      code: 'coordinate-out-of-range',
      errors: [{ pointer: '#/b/velocity/y' }],
    })
  })

  it('answers about specks far from an origin, and about discs as wide as the world', async () => {
    const speck = { shape: { type: 'sphere', radius: 5e-324 }, position: { x: -1e-310, y: 1, z: 5e-324 } }
    const point = { ...speck, shape: { type: 'point' }, angularVelocity: { x: 1, y: 0, z: 0 } }
    expect(await ask('time-of-impact', { a: speck, b: point, duration: 1 })).toMatchObject({
      time: 0,
      status: 'converged',
    })
    const disc = { shape: { type: 'cone', radius: 1e100, height: 1e-320 }, velocity: { x: 0, y: -5, z: -2 } }
    const can = {
      shape: { type: 'cylinder', radius: 0.25, height: 0.02, axis: 'z' },
      position: { x: -3, y: -3, z: -2 },
      angularVelocity: { x: -3, y: -1, z: 0.25 },
    }
    // they are 2.7 apart, which this time is far too short for
    expect(await ask('time-of-impact', { a: disc, b: can, duration: 1e-200 })).toMatchObject({
      hit: false,
      status: 'converged',
    })
  })

  it('gives up on a spin that no number of looks could follow, and says so', async () => {
    const can = { shape: { type: 'cylinder', radius: 2, height: 0.05 }, angularVelocity: { x: 1, y: 2e15, z: 0 } }
    const hat = {
      shape: { type: 'cone', radius: 2, height: 2 },
      position: { x: 1, y: 0, z: 0 },
      velocity: { x: 1e-9, y: 0, z: 0 },
    }
    const found = await ask('time-of-impact', { a: can, b: hat, duration: 1e12 })
    expect(found).toMatchObject({ hit: true, time: 0, startedOverlapping: true, status: 'iteration-limit' })
  })
})

describe('POST /v1/3d/shape-cast', () => {
  it('names the part of the target that is hit, nearest first', async () => {
    const floor = { shape: { type: 'aabb', min: { x: -8, y: -1, z: -8 }, max: { x: 8, y: 0, z: 8 } } }
    const post = { shape: { type: 'cylinder', radius: 2, height: 2 }, position: { x: 1, y: 1, z: 0 } }
    const body = { shape: { type: 'box', size: { x: 1, y: 1, z: 1 } }, position: { x: 0, y: 6, z: 0 } }
    const request = { body, translation: { x: 0, y: -8, z: 0 }, targets: [floor, post], mode: 'all' }
    const { hits } = await ask<ShapeCast3dResponse>('shape-cast', request)
    expect(hits).toMatchObject([
      { target: 1, distance: 3.5, fraction: 0.4375, normal: { x: 0, y: 1, z: 0 }, feature: { kind: 'surface' } },
      { target: 0, distance: 5.5, feature: { kind: 'face', vertices: [2, 6, 7, 3] }, startedInside: false },
    ])
  })

  it('turns the body on its way', async () => {
    const body = { shape: { type: 'box', size: { x: 4, y: 0.5, z: 0.5 } } }
    const post = { shape: { type: 'sphere', radius: 0.25 }, position: { x: 0, y: 1.5, z: 0 } }
    const request = { body, translation: { x: 0, y: 0, z: 0 }, targets: [post] }
    expect(await ask<ShapeCast3dResponse>('shape-cast', request)).toEqual({ hits: [] })
    const rotation = { x: 0, y: 0, z: Math.PI }
    const { hits } = await ask<ShapeCast3dResponse>('shape-cast', { ...request, rotation })
    // the side comes to the ball where its distance from the middle, 0.5 in all, is the sine of what is left
    expect(hits[0].fraction).toBeCloseTo((Math.PI / 2 - Math.asin(0.5 / 1.5)) / Math.PI, 9)
  })
})
