// The tree of a scene: boxes by depth, each in one of the depth before, and bodies in the deepest.

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'

type Corner = Record<string, number>
interface Box {
  depth: number
  min: Corner
  max: Corner
}

let app: FastifyInstance
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
  await app.ready()
}, 60_000)
afterAll(() => app.close())

async function call(method: 'GET' | 'PUT' | 'POST', url: string, payload?: object, headers = {}) {
  const reply = await app.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: reply.statusCode, headers: reply.headers, value: reply.body === '' ? null : reply.json() }
}

const isIn = (inner: Box, outer: Box): boolean =>
  Object.keys(inner.min).every((axis) => inner.min[axis]! >= outer.min[axis]! && inner.max[axis]! <= outer.max[axis]!)

describe.each([
  ['2d', { type: 'circle', radius: 0.5 }, { type: 'halfplane', normal: { x: 0, y: 1 }, offset: -9 }],
  ['3d', { type: 'sphere', radius: 0.5 }, { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: -9 }],
] as const)('the tree of a scene in %s', (dimension, shape, endless) => {
  const scene = `/v1/${dimension}/scenes/nested-${dimension}`
  const at = (i: number) => ({
    x: (7 * i) % 31,
    y: (11 * i) % 17,
    ...(dimension === '3d' && { z: (13 * i) % 23 }),
  })
  beforeAll(async () => {
    await call('PUT', scene, {})
    const bodies = Array.from({ length: 60 }, (_, i) => ({ id: `b${i}`, shape, position: at(i) }))
    const operations = [...bodies, { id: 'endless', shape: endless }].map((body) => ({ op: 'put', body }))
    expect((await call('POST', `${scene}/operations`, { operations })).status).toBe(200)
  })

  it('holds each box in one of the depth before, and each body', async () => {
    const { value, headers } = await call('GET', `${scene}/tree`)
    expect([value.version, value.boxCount, value.boxes.length]).toEqual([2, 119, 119])
    expect(headers.etag).toMatch(/^"2\./)
    const boxes: Box[] = value.boxes
    expect(boxes.filter(({ depth }) => depth === 0)).toHaveLength(1)
    for (const [i, box] of boxes.entries()) {
      if (i > 0) expect(box.depth).toBeGreaterThanOrEqual(boxes[i - 1]!.depth)
      expect(box.depth === 0 || boxes.some((one) => one.depth === box.depth - 1 && isIn(box, one))).toBe(true)
    }
    for (let i = 0; i < 60; i++) {
      const around = (size: number, sense: number) =>
        Object.fromEntries(Object.entries(at(i)).map(([axis, place]) => [axis, place + sense * size]))
      const body = { depth: 0, min: around(0.5, -1), max: around(0.5, 1) }
      const isTight = (box: Box) =>
        isIn(body, box) && isIn(box, { depth: 0, min: around(0.6, -1), max: around(0.6, 1) })
      expect(boxes.some(isTight)).toBe(true)
    }
  })

  it('is cut off below, and known by its version', async () => {
    const { value, headers } = await call('GET', `${scene}/tree?limit=7`)
    expect([value.boxCount, value.boxes.length]).toEqual([119, 7])
    expect(value.boxes).toEqual((await call('GET', `${scene}/tree`)).value.boxes.slice(0, 7))
    const again = await call('GET', `${scene}/tree`, undefined, { 'if-none-match': headers.etag })
    expect(again.status).toBe(304)
    expect((await call('GET', `${scene}/tree?limit=5001`)).status).toBe(400)
    expect((await call('GET', `/v1/${dimension}/scenes/none/tree`)).status).toBe(404)
  })

  it('has no box where nothing has bounds', async () => {
    const bare = `/v1/${dimension}/scenes/bare-${dimension}`
    await call('PUT', bare, {})
    await call('POST', `${bare}/operations`, { operations: [{ op: 'put', body: { id: 'endless', shape: endless } }] })
    expect((await call('GET', `${bare}/tree`)).value).toEqual({ version: 2, boxCount: 0, boxes: [] })
  })
})
