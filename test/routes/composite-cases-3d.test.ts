// The exact cases with meshes and compounds, over HTTP: as they are, in the other order, and by references to kept shapes.
import { existsSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MovingBody3d } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { movingBodyOfCase, vectorOf } from '../support/wire-cases-3d.ts'

const FOLDER = new URL('../../../shared/cases3d/', import.meta.url)

interface Case {
  id: string
  kind: string
  a: Parameters<typeof movingBodyOfCase>[0]
  b?: Parameters<typeof movingBodyOfCase>[0]
  maxTime: number
  ray: { origin: number[]; direction: number[]; maxDistance?: number }
  expect: Record<string, number | boolean | number[]>
  tol: Record<string, number>
}

const present = existsSync(new URL('overlap.ndjson', FOLDER))

function casesOf(name: string): Case[] {
  if (!present) return []
  const lines = readFileSync(new URL(`${name}.ndjson`, FOLDER), 'utf8')
    .trim()
    .split('\n')
  return lines.filter((line) => /"type":"(mesh|compound|heightfield)"/.test(line)).map((line) => JSON.parse(line))
}

let app: FastifyInstance
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
  await app.ready()
})
afterAll(() => app.close())

async function ask(path: string, payload: object): Promise<Record<string, never>> {
  const { statusCode, body } = await app.inject({ method: 'POST', url: `/v1/3d/${path}`, payload })
  expect(statusCode, body).toBeLessThan(300)
  return JSON.parse(body)
}

/** The body with a reference in place of its shape. */
async function kept(body: MovingBody3d): Promise<object> {
  const { id } = await ask('shapes', body.shape)
  return { ...body, shape: { type: 'ref', id } }
}

function motionless({ shape, position, orientation }: MovingBody3d): object {
  return { shape, ...(position && { position }), ...(orientation && { orientation }) }
}

function isNear(actual: number | null, expected: number, tolerance = 1e-9): boolean {
  return actual !== null && Math.abs(actual - expected) <= Math.max(tolerance, 1e-15 * Math.abs(expected))
}

async function wrongPairs(
  name: string,
  judge: (given: Case, a: object, b: object) => Promise<unknown>,
): Promise<string[]> {
  const wrong: string[] = []
  for (const given of casesOf(name)) {
    const a = movingBodyOfCase(given.a)
    const b = movingBodyOfCase(given.b as Case['a'])
    for (const [way, first, second] of [
      ['as it is', a, b],
      ['the other way', b, a],
      ['kept', await kept(a), await kept(b)],
    ] as const) {
      if (!(await judge(given, first, second))) wrong.push(`${given.id} ${way}`)
    }
  }
  return wrong
}

describe.skipIf(!present)('exact cases with meshes and compounds', () => {
  it('overlap', { timeout: 300_000 }, async () => {
    const wrong = await wrongPairs('overlap', async (given, a, b) => {
      const { overlap } = await ask('overlap', { a: motionless(a as MovingBody3d), b: motionless(b as MovingBody3d) })
      return overlap === given.expect.overlap
    })
    expect(wrong).toEqual([])
  })

  it('distance', { timeout: 300_000 }, async () => {
    const wrong = await wrongPairs('distance', async (given, a, b) => {
      const { distance } = await ask('distance', { a: motionless(a as MovingBody3d), b: motionless(b as MovingBody3d) })
      return isNear(distance, given.expect.distance as number, given.tol.distance)
    })
    expect(wrong).toEqual([])
  })

  it('sweep', { timeout: 300_000 }, async () => {
    const wrong = await wrongPairs('sweep', async (given, a, b) => {
      const { hit, time } = await ask('time-of-impact', { a, b, duration: given.maxTime })
      return (
        hit === given.expect.hit && (!given.expect.hit || isNear(time, given.expect.time as number, given.tol.time))
      )
    })
    expect(wrong).toEqual([])
  })

  it('ray', { timeout: 300_000 }, async () => {
    const wrong: string[] = []
    for (const given of casesOf('ray')) {
      const body = movingBodyOfCase(given.a)
      const { origin, direction, maxDistance } = given.ray
      const ray = {
        origin: vectorOf(origin),
        direction: vectorOf(direction),
        ...(maxDistance !== undefined && { maxDistance }),
      }
      for (const target of [body, await kept(body)]) {
        const { hits } = await ask('ray-cast', { ray, targets: [target] })
        const [first] = hits as { distance: number; normal: Vec3 | null }[]
        const isRight =
          (first !== undefined) === given.expect.hit &&
          (first === undefined || isNear(first.distance, given.expect.distance as number, given.tol.distance))
        if (!isRight) wrong.push(given.id)
      }
    }
    expect(wrong).toEqual([])
  })

  it('mass', { timeout: 300_000 }, async () => {
    const wrong: string[] = []
    for (const given of casesOf('mass')) {
      const { shape } = movingBodyOfCase(given.a)
      for (const each of [shape, ((await kept({ shape })) as { shape: object }).shape]) {
        const { volume, centroid } = await ask('mass', { shape: each })
        const center = vectorOf(given.expect.center as number[])
        const isRight =
          isNear(volume, given.expect.volume as number, given.tol.volume) &&
          (['x', 'y', 'z'] as const).every((axis) => isNear((centroid as Vec3)[axis], center[axis], given.tol.center))
        if (!isRight) wrong.push(given.id)
      }
    }
    expect(wrong).toEqual([])
  })
})
