// GeoJSON of scenes: in the form that the standard asks for, the same points when it is imported again, and curves within the tolerance.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { GRID, mixedBody, SHAPE_TYPES, unrotatedBody } from '../support/families/arbitraries.ts'
import { mixedComposite, unrotatedComposite } from '../support/families/composite-arbitraries.ts'
import { isLongRun, runCount, unshrunk } from '../support/runs.ts'
import { type SceneClient, startScenes } from '../support/services/scene-client.ts'
import { areSame, bodiesOf, exportedText, importedHere } from './exported.ts'

let client: SceneClient
beforeAll(async () => {
  client = await startScenes({ QUERY_DEADLINE_MS: '60000' })
})
afterAll(() => client.close())

type Position = [number, number]
interface Feature {
  id: string
  properties: Record<string, unknown>
  geometry: null | { type: string; coordinates: unknown; geometries?: Feature['geometry'][] }
}

async function features(sceneId: string, query = ''): Promise<Feature[]> {
  const { type, features } = JSON.parse(await exportedText(client, sceneId, `format=geojson${query}`))
  expect(type).toBe('FeatureCollection')
  return features
}

/** Twice what a ring encloses, in whole eighths where it is on their grid. */
const turn = (ring: Position[]) => ring.slice(1).reduce((sum, [x, y], k) => sum + ring[k][0] * y - ring[k][1] * x, 0)

/** Checks the form of a geometry; its polygons. */
function polygonsOf(geometry: Feature['geometry']): Position[][][] {
  if (geometry === null) return []
  const { type, coordinates } = geometry
  const line = (positions: Position[]) => {
    expect(positions.length).toBeGreaterThan(1)
    expect(positions.flat().every(Number.isFinite)).toBe(true)
  }
  const polygon = (rings: Position[][]) => {
    for (const ring of rings) {
      line(ring)
      expect(ring.length).toBeGreaterThan(3)
      expect(ring[ring.length - 1]).toEqual(ring[0])
    }
    return rings
  }
  switch (type) {
    case 'Point':
      expect(coordinates).toHaveLength(2)
      return []
    case 'MultiPoint':
      return []
    case 'LineString':
      line(coordinates as Position[])
      return []
    case 'MultiLineString':
      ;(coordinates as Position[][]).forEach(line)
      return []
    case 'Polygon':
      return [polygon(coordinates as Position[][])]
    case 'MultiPolygon':
      return (coordinates as Position[][][]).map(polygon)
    default:
      expect(type).toBe('GeometryCollection')
      // collections in collections are nothing for others (RFC 7946, 3.1.8)
      expect((geometry.geometries ?? []).map((part) => part?.type)).not.toContain('GeometryCollection')
      return (geometry.geometries ?? []).flatMap(polygonsOf)
  }
}

const STRAIGHT = ['point', 'segment', 'aabb'] as const
/** Without a radius. */
const sharp = ({ shape, ...pose }: Body2d): Body2d => {
  const { radius: _, ...rest } = shape as { radius?: number }
  if (shape.type === 'compound') return { ...pose, shape: { ...shape, children: shape.children.map(sharp) } }
  return { ...pose, shape: (shape.type === 'box' || shape.type === 'polygon' ? rest : shape) as Body2d['shape'] }
}
const straight = fc
  .oneof(
    unrotatedBody(GRID, [...STRAIGHT, 'box', 'polygon']),
    unrotatedComposite(GRID, [...STRAIGHT, 'box', 'polygon']),
  )
  .map(sharp)

describe('straight shapes', () => {
  it('are the same points under the same ids when they are imported again', async () => {
    const types = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.array(straight, { minLength: 1, maxLength: 8 }), async (bodies) => {
        const id = await client.createScene(bodies.map((body, k) => ({ id: `map_1:${k}`, ...body })))
        const list = await features(id, '&source=map%201')
        expect(list.map((feature) => feature.id)).toEqual(bodies.map((_, k) => `${k}`))
        for (const { geometry } of list) {
          for (const [outer, ...holes] of polygonsOf(geometry)) {
            expect(turn(outer)).toBeGreaterThan(0)
            for (const hole of holes) expect(turn(hole)).toBeLessThan(0)
          }
          types.add(geometry?.type as string)
        }
        const again = await importedHere(
          client,
          JSON.stringify({ type: 'FeatureCollection', features: list }),
          'geojson',
          'source=map 1',
        )
        expect(again.skipped).toEqual([])
        const back = new Map((await bodiesOf(client, again.id)).map((body) => [body.id, body]))
        for (const [k, body] of bodies.entries()) {
          const same = back.get(`map_1:${k}`)
          expect(same && (await areSame(client, body, same)), JSON.stringify([body, same])).toBe(true)
        }
      }),
      unshrunk(45),
    )
    if (isLongRun)
      for (const type of ['Point', 'LineString', 'Polygon', 'MultiPolygon', 'GeometryCollection'])
        expect(types).toContain(type)
  })
})

describe('curves', () => {
  const support = async (body: object, angle: number) => {
    const direction = { x: Math.cos(angle), y: Math.sin(angle) }
    const { body: text } = await client.app.inject({
      method: 'POST',
      url: '/v1/2d/support',
      payload: { body, direction },
    })
    const { point } = JSON.parse(text)
    return point.x * direction.x + point.y * direction.y
  }

  it('lie within the tolerance of what they stand for', async () => {
    const tolerance = 0.01
    const round = fc.oneof(
      mixedBody(SHAPE_TYPES.filter((type) => type !== 'halfplane')),
      mixedComposite(SHAPE_TYPES.filter((type) => type !== 'halfplane')),
    )
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), async (bodies) => {
        const id = await client.createScene(bodies.map((body, k) => ({ id: `s:${k}`, ...body })))
        const text = await exportedText(client, id, `format=geojson&source=s&tolerance=${tolerance}`)
        const again = await importedHere(client, text, 'geojson', 'source=s')
        const back = await bodiesOf(client, again.id)
        // slivers that rounding lets cross themselves are left out
        expect(back.length + again.skipped.length).toBe(bodies.length)
        for (const { id, tags: _, ...body } of back) {
          const original = bodies[Number(id.slice(2))]
          for (let angle = 0.1; angle < 6; angle += 2.1) {
            const gap = (await support(original, angle)) - (await support(body, angle))
            expect(gap).toBeGreaterThan(-1e-9)
            expect(gap).toBeLessThan(tolerance + 1e-9)
            compared++
          }
        }
      }),
      unshrunk(8),
    )
    expect(compared).toBeGreaterThan(runCount(30))
  })

  it('have no more corners than they need, nor than may be', async () => {
    const circle = (radius: number) => ({ id: `r${radius}`, shape: { type: 'circle', radius } })
    const many = Array.from({ length: 1500 }, (_, k) => ({
      shape: { type: 'circle', radius: 1e9 },
      position: { x: k, y: 0 },
    }))
    const id = await client.createScene([
      circle(1),
      circle(1e-9),
      circle(1e9),
      { id: 'many', shape: { type: 'compound', children: many } },
    ])
    const counts = new Map(
      (await features(id)).map(({ id, geometry }) => [
        id,
        polygonsOf(geometry).reduce((sum, [ring]) => sum + ring.length - 1, 0),
      ]),
    )
    // chords of a circle about one, 0.05 away from it at most
    expect(counts.get('r1')).toBe(10)
    expect(counts.get('r1e-9')).toBe(8)
    expect(counts.get('r1000000000')).toBe(1024)
    expect(counts.get('many')).toBe(1500 * 87)
  })
})

describe('features', () => {
  it('say what their geometry does not', async () => {
    const plane = { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 2 }
    const tags = ['</script>', '\ud800', '\u0000"']
    const id = await client.createScene([
      {
        id: 'a',
        shape: { type: 'circle', radius: 1 },
        position: { x: 1, y: 0 },
        tags,
        sensor: true,
        velocity: { x: 1, y: 0 },
        angularVelocity: 2,
      },
      {
        id: 'b',
        shape: { type: 'segment', a: { x: 0, y: 0 }, b: { x: 1, y: 1 } },
        rotation: 1,
        data: { tags: [1], x: ']]>' },
      },
      { id: 'c', shape: plane, rotation: 1, data: 'none' },
      { id: 'd', shape: { type: 'compound', children: [{ shape: { type: 'point' } }, { shape: plane }] } },
      {
        id: 'e',
        shape: {
          type: 'chain',
          vertices: [
            { x: 0, y: 0 },
            { x: 1, y: 0 },
            { x: 1, y: 1 },
          ],
          loop: true,
        },
      },
    ])
    const [a, b, c, d, e] = await features(id)
    expect(a.properties).toEqual({
      tags,
      sensor: true,
      velocity: { x: 1, y: 0 },
      angularVelocity: 2,
      shape: { type: 'circle', radius: 1 },
      position: { x: 1, y: 0 },
    })
    expect(b.properties).toEqual({ data: { tags: [1], x: ']]>' } })
    expect([c.properties, c.geometry]).toEqual([{ shape: plane, rotation: 1, data: 'none' }, null])
    expect(d.geometry).toBe(null)
    expect(e.geometry).toEqual({
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    })
    const sourced = await features(id, '&source=x')
    expect(sourced.map(({ properties }) => properties)).toEqual([{}, { tags: [1], x: ']]>' }, { data: 'none' }, {}, {}])
  })

  it('of compounds are multi-geometries where all is alike', async () => {
    const box = (x: number) => ({ shape: { type: 'box', width: 1, height: 1 }, position: { x, y: 0 } })
    const point = { shape: { type: 'point' } }
    const compound = (...children: object[]) => ({ type: 'compound', children })
    const id = await client.createScene([
      { id: 'a', shape: compound(box(0), { shape: compound(box(3)), position: { x: 1, y: 1 } }) },
      { id: 'b', shape: compound(point, point) },
      { id: 'c', shape: compound(point, box(0)) },
      { id: 'd', shape: compound(box(5)) },
    ])
    const list = await features(id)
    expect(list.map(({ geometry }) => geometry?.type)).toEqual([
      'MultiPolygon',
      'MultiPoint',
      'GeometryCollection',
      'Polygon',
    ])
    expect(list[0].geometry?.coordinates).toEqual([
      [
        [
          [-0.5, -0.5],
          [0.5, -0.5],
          [0.5, 0.5],
          [-0.5, 0.5],
          [-0.5, -0.5],
        ],
      ],
      [
        [
          [3.5, 0.5],
          [4.5, 0.5],
          [4.5, 1.5],
          [3.5, 1.5],
          [3.5, 0.5],
        ],
      ],
    ])
  })
})
