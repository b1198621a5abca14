import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SupportResponse } from '../../schemas/queries/support.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

async function ask(body: object, x: number, y: number): Promise<SupportResponse> {
  const answer = await client.post('support', { body, direction: { x, y } })
  expect(answer.status).toBe(200)
  return answer.body as SupportResponse
}

const vertex = (index: number) => ({ kind: 'vertex', index })
const box = { shape: { type: 'box', width: 4, height: 2 }, position: { x: 10, y: 20 } }
const floor = { shape: { type: 'halfplane', normal: { x: 3, y: 4 }, offset: 5 }, position: { x: 1, y: 1 } }

describe('POST /v1/2d/support', () => {
  it('names the corner', async () => {
    expect(await ask(box, 1, -3)).toEqual({ point: { x: 12, y: 19 }, feature: vertex(1) })
    expect(await ask(box, -1e-100, 1e100)).toEqual({ point: { x: 8, y: 21 }, feature: vertex(3) })
  })

  it('adds the skin', async () => {
    const capsule = { shape: { type: 'capsule', a: { x: 0, y: 0 }, b: { x: 10, y: 0 }, radius: 5 } }
    expect(await ask(capsule, 3, 4)).toEqual({ point: { x: 13, y: 4 }, feature: vertex(1) })
    const circle = { shape: { type: 'circle', radius: 5 } }
    expect(await ask(circle, -3e-90, 4e-90)).toEqual({ point: { x: -3, y: 4 }, feature: { kind: 'surface', index: 0 } })
  })

  it('knows ellipses, turned ones too', async () => {
    const ellipse = { shape: { type: 'ellipse', rx: 3, ry: 1 } }
    expect(await ask(ellipse, 2, 0)).toEqual({ point: { x: 3, y: 0 }, feature: { kind: 'surface', index: 0 } })
    const { point } = await ask({ ...ellipse, rotation: Math.PI / 2 }, 0, 1)
    expect(point?.y).toBeCloseTo(3, 12)
  })

  it('has no point where a half-plane has no end', async () => {
    expect(await ask(floor, 6, 8)).toEqual({ point: { x: 4, y: 5 }, feature: { kind: 'edge', index: 0 } })
    for (const [x, y] of [
      [-3, -4],
      [3, 4 + 2 ** -50],
      [1, 0],
    ]) {
      expect(await ask(floor, x, y)).toEqual({ point: null, feature: null })
    }
    const compound = { shape: { type: 'compound', children: [box, floor] } }
    expect(await ask(compound, 1, 0)).toEqual({ point: null, feature: null })
    expect(await ask(compound, 3, 4)).toEqual({ point: { x: 12, y: 21 }, feature: { ...vertex(2), path: [0] } })
  })

  it('names the child and its corner', async () => {
    const ring = [0, 0, 9, 0, 9, 9, 3, 3].map((_, i, all) => ({ x: all[2 * i], y: all[2 * i + 1] })).slice(0, 4)
    const inner = {
      shape: { type: 'compound', children: [{ shape: { type: 'point' } }, { shape: { type: 'region', outer: ring } }] },
    }
    const compound = { shape: { type: 'compound', children: [{ ...inner, position: { x: 1, y: 0 } }] } }
    expect(await ask(compound, 1, 2)).toEqual({ point: { x: 10, y: 9 }, feature: { ...vertex(2), path: [0, 1] } })
    expect(await ask({ shape: { type: 'region', outer: ring } }, -1, 0.1)).toEqual({
      point: { x: 0, y: 0 },
      feature: vertex(0),
    })
  })

  it('tells corners apart by one unit in the last place, across parts', async () => {
    const at = (x: number, y: number) => ({ shape: { type: 'point' }, position: { x, y } })
    const speck = (y: number) => ({
      shape: { type: 'segment', a: { x: 0, y: 0 }, b: { x: 0, y } },
      position: { x: 3, y: 1e9 },
    })
    const compound = (...children: object[]) => ({ shape: { type: 'compound', children } })
    const path = async (body: object, x: number, y: number) => (await ask(body, x, y)).feature?.path
    expect(await path(compound(at(0, 1e9), speck(1e-30)), 0, 1)).toEqual([1])
    expect(await path(compound(at(0, 1e9), speck(-1e-30)), 0, 1)).toEqual([0])
    // 0.1 · 0.6 = 0.3 · 0.2 also as doubles; with 0.3 · 0.6 and 0.9 · 0.2 that is not so.
    for (const children of [
      [at(0.1, 0.3), at(0.2, 0.6)],
      [at(0.2, 0.6), at(0.1, 0.3)],
    ]) {
      expect(await path(compound(...children), 0.6, -0.2)).toEqual([0])
    }
    expect(await path(compound(at(0.1, 0.3), at(0.3, 0.9)), 0.6, -0.2)).toEqual([0])
    expect(await path(compound(at(0.3, 0.9), at(0.1, 0.3)), 0.6, -0.2)).toEqual([1])
  })

  it.each([
    [{ body: box, direction: { x: 0, y: -0 } }, 'direction-zero', '#/direction'],
    [{ body: box, direction: { x: 0, y: 2e100 } }, 'coordinate-out-of-range', '#/direction/y'],
    [{ body: { ...box, rotation: -2e100 }, direction: { x: 0, y: 1 } }, 'coordinate-out-of-range', '#/body/rotation'],
  ])('refuses %j', async (request, code, pointer) => {
    const { status, body } = await client.post('support', request)
    expect(status).toBe(422)
    expect(body).toMatchObject({ code, errors: [{ pointer }] })
  })
})
