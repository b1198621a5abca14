// Shapes of very many vertices are read by workers; whoever asks sees no difference.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'

let client: SceneClient
let send: SceneClient['send']
beforeAll(async () => {
  client = await startScenes({ MAX_VERTICES: '30000' })
  send = client.send
})
afterAll(() => client.close())

async function ask(url: string, body: object) {
  const response = await client.app.inject({ method: 'POST', url, payload: body })
  return response.json()
}

type Vertices = { x: number; y: number }[]
const star = (count: number): Vertices =>
  Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count
    const radius = i % 2 === 0 ? 10 : 5
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
  })
const region = (outer: unknown[]) => ({ shape: { type: 'region', outer } })
const compound = (count: number) => ({
  shape: {
    type: 'compound',
    children: Array.from({ length: count }, (_, i) => ({
      shape: { type: 'box', width: 1, height: 1 },
      position: { x: i % 40, y: Math.floor(i / 40) },
      rotation: i,
    })),
  },
})
const LONG = 12_000
const long = { ...region(star(LONG)), position: { x: 3, y: 4 }, tags: ['big'], data: { shape: [1.0, { a: 2 }] } }

/** What queries say of the body `a` of a scene. */
async function saidOf(id: string) {
  const ray = { origin: { x: -50, y: 4.1 }, direction: { x: 1, y: 0 } }
  const answers = [
    await send('POST', `/${id}/ray-cast`, { ray }),
    await send('POST', `/${id}/overlap`, { point: { x: 3, y: 4 } }),
    await send('POST', `/${id}/nearest`, { point: { x: 60, y: 4 } }),
    await send('GET', `/${id}`),
  ]
  return answers.map(({ body }) => ({ ...body, version: 0, createdAt: 0, updatedAt: 0, id: '' }))
}

describe('a body with a long shape', () => {
  it('is put, read, moved, turned, changed and asked about like any other', async () => {
    const id = await client.createScene()
    expect((await send('PUT', `/${id}/bodies/a`, long)).body).toEqual({ version: 2, created: true })
    expect((await send('GET', `/${id}/bodies/a`)).body).toEqual({ version: 2, body: { id: 'a', ...long } })
    const moved = await send('PATCH', `/${id}/bodies/a`, { position: { x: 5, y: 6 } })
    expect(moved.body).toEqual({ version: 3, body: { id: 'a', ...long, position: { x: 5, y: 6 } } })
    const turned = await send('PATCH', `/${id}/bodies/a`, { rotation: 1, position: { x: 7, y: 6 } })
    expect(turned.body.body).toEqual({ id: 'a', ...long, rotation: 1, position: { x: 7, y: 6 } })
    const afterMoves = await saidOf(id)

    const other = await client.createScene()
    await send('PUT', `/${other}/bodies/a`, { ...long, rotation: 1, position: { x: 7, y: 6 } })
    expect(await saidOf(other)).toEqual(afterMoves)

    const changed = await send('PATCH', `/${id}/bodies/a`, region(star(LONG - 2)))
    expect(changed.body.body).toEqual({
      id: 'a',
      ...long,
      ...region(star(LONG - 2)),
      rotation: 1,
      position: { x: 7, y: 6 },
    })
    await send('PUT', `/${other}/bodies/a`, {
      ...long,
      ...region(star(LONG - 2)),
      rotation: 1,
      position: { x: 7, y: 6 },
    })
    expect(await saidOf(other)).toEqual(await saidOf(id))
  })

  it.each([
    ['a region', long],
    ['a compound', { ...compound(1200), position: { x: -20, y: -5 } }],
  ])('is the same from a list of operations: %s', async (_, body) => {
    const one = await client.createScene()
    const two = await client.createScene()
    await send('PUT', `/${one}/bodies/a`, body)
    const small = Array.from({ length: 20 }, (_, i) => ({
      op: 'put',
      body: { id: `s${i}`, shape: { type: 'circle', radius: 1 }, position: { x: 1000 + i, y: 0 } },
    }))
    const written = await send('POST', `/${two}/operations`, {
      operations: [
        ...small,
        { op: 'put', body: { ...body, id: 'a' } },
        { op: 'clear' },
        { op: 'put', body: { ...body, id: 'a' } },
      ],
    })
    expect(written.body).toEqual({ version: 2, applied: 23 })
    expect(await saidOf(two)).toEqual(await saidOf(one))
  })

  it('is a probe like any other', async () => {
    const id = await client.createScene()
    await send('PUT', `/${id}/bodies/a`, { shape: { type: 'box', width: 2, height: 2 }, position: { x: 11, y: 0 } })
    for (const body of [region(star(LONG)), { ...compound(1200), position: { x: -20, y: -5 } }]) {
      const far = await send('POST', `/${id}/overlap`, { body, contacts: true })
      const { distance } = (await send('POST', `/${id}/nearest`, { body })).body.bodies[0]
      const stateless = await ask('/v1/2d/contact', {
        a: body,
        b: { shape: { type: 'box', width: 2, height: 2 }, position: { x: 11, y: 0 } },
      })
      expect(far.body.bodies.map((met: { contact: unknown }) => met.contact)).toEqual([stateless])
      expect(distance).toBe(0)
      const batch = await send('POST', `/${id}/batch`, { queries: [{ op: 'overlap', body, contacts: true }] })
      expect(batch.body.results).toEqual([{ op: 'overlap', ...far.body }])
    }
  })

  const bent = [...star(LONG), { x: 1 }]
  const crossing = star(LONG).with(1, { x: -30, y: 0.5 })
  it.each([
    ['a vertex without y', bent],
    ['a crossing', crossing],
    ['too many vertices', star(30_002)],
    ['a coordinate out of range', star(LONG).with(7, { x: 1e200, y: 0 })],
    ['an unknown field', star(LONG).with(7, { x: 1, y: 0, z: 1 } as Vertices[0])],
  ])('is refused for the same reason: %s', async (_, outer) => {
    const id = await client.createScene()
    const put = await send('PUT', `/${id}/bodies/a`, region(outer))
    const written = await send('POST', `/${id}/operations`, {
      operations: [{ op: 'put', body: { ...region(outer), id: 'a' } }],
    })
    const asked = await send('POST', `/${id}/overlap`, { body: region(outer) })
    const stateless = await ask('/v1/2d/mass', region(outer))
    expect(put.status).toBe(stateless.status)
    expect({ ...put.body, requestId: '' }).toEqual({ ...stateless, requestId: '' })
    const under = (prefix: string) => {
      const errors = stateless.errors.map(({ pointer, detail }: { pointer: string; detail: string }) => ({
        pointer: `#${prefix}${pointer.slice(1)}`,
        detail,
      }))
      return { ...stateless, errors, requestId: '' }
    }
    expect({ ...written.body, requestId: '' }).toEqual(under('/operations/0/body'))
    expect({ ...asked.body, requestId: '' }).toEqual(under('/body'))
    expect((await send('GET', `/${id}`)).body.bodyCount).toBe(0)
  })

  it('is refused with what is wrong beside it', async () => {
    const id = await client.createScene()
    const { body } = await send('PUT', `/${id}/bodies/a`, { ...long, rotation: 'x' })
    expect([body.code, body.errors[0].pointer]).toEqual(['schema-violation', '#/rotation'])
    const broken = await send('PUT', `/${id}/bodies/a`, JSON.stringify(long).replace('"x":', '"x"::'))
    expect([broken.status, broken.body.code]).toEqual([400, 'malformed-json'])
  })
})
