// Scenes with every kind of body, exported and imported again over HTTP in every format: nothing is lost, areas and boxes agree, and
// what came back from GeoJSON is exported and imported without a change.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { mixedBody, SHAPE_TYPES, type ShapeType } from '../support/families/arbitraries.ts'
import { mixedComposite } from '../support/families/composite-arbitraries.ts'
import { unshrunk } from '../support/runs.ts'
import { type SceneClient, startScenes } from '../support/services/scene-client.ts'
import { bodiesOf, exportedText, imported, type PutBody } from './exported.ts'

let client: SceneClient
beforeAll(async () => {
  client = await startScenes({ QUERY_DEADLINE_MS: '60000' })
})
afterAll(() => client.close())

const square = (x: number, y: number, size: number) => [
  { x, y },
  { x: x + size, y },
  { x: x + size, y: y + size },
  { x, y: y + size },
]
/** Of width 4 and height 4. */
const diamond = (x: number, y: number) => [
  { x: x - 2, y },
  { x, y: y - 2 },
  { x: x + 2, y },
  { x, y: y + 2 },
]
/** Seldom made by chance. */
const FIXED: Body2d[] = [
  {
    shape: {
      type: 'region',
      outer: square(0, 0, 9),
      holes: [
        square(1, 1, 2),
        [
          { x: 2, y: 2 },
          { x: 6, y: 2 },
          { x: 4, y: 2 },
        ],
      ],
    },
  },
  {
    shape: { type: 'region', outer: square(0, 0, 9), holes: [diamond(2, 3), diamond(6, 3)] },
    position: { x: 1e6, y: -3e5 },
    rotation: 0.7,
  },
  { shape: { type: 'polygon', vertices: [...square(0, 0, 4), { x: 0, y: 2 }] }, rotation: Math.PI / 2 },
  { shape: { type: 'chain', vertices: square(0, 0, 2), loop: true }, position: { x: 7, y: 7 }, rotation: -2 },
  {
    shape: {
      type: 'compound',
      children: [
        {
          shape: {
            type: 'compound',
            children: [{ shape: { type: 'region', outer: square(-1, -1, 3), holes: [square(0, 0, 1)] }, rotation: 1 }],
          },
          position: { x: 3, y: 0 },
        },
        { shape: { type: 'circle', radius: 2 } },
      ],
    },
    rotation: 3,
  },
  { shape: { type: 'circle', radius: 0 } },
  { shape: { type: 'capsule', a: { x: 1, y: 1 }, b: { x: 1, y: 1 }, radius: 0 } },
  { shape: { type: 'box', width: 0, height: 3, radius: 1 }, rotation: 0.2 },
  { shape: { type: 'ellipse', rx: 3, ry: 0.5 }, rotation: 1.1 },
]
const bounded = SHAPE_TYPES.filter((type): type is ShapeType => type !== 'halfplane')
const body = fc.oneof(mixedBody(bounded), mixedComposite(bounded))
const list = fc.array(body, { minLength: 1, maxLength: 12 })

async function ask(op: string, payload: object) {
  const { statusCode, body } = await client.app.inject({ method: 'POST', url: `/v1/2d/${op}`, payload })
  expect(statusCode, body).toBe(200)
  return JSON.parse(body)
}

/** Of all bodies together, and of each that is not cut in several: area, and box. */
async function measures(bodies: readonly Body2d[]): Promise<{ area: number; sides: number[] }> {
  let area = 0
  const sides = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { shape, position, rotation } of bodies) {
    area += (await ask('mass', { shape })).area
    const { min, max } = await ask('bounds', { body: { shape, position, rotation } })
    sides[0] = Math.min(sides[0]!, min.x)
    sides[1] = Math.min(sides[1]!, min.y)
    sides[2] = Math.max(sides[2]!, max.x)
    sides[3] = Math.max(sides[3]!, max.y)
  }
  return { area, sides }
}

const sorted = async (scene: string) => (await bodiesOf(client, scene)).sort((p, q) => (p.id < q.id ? -1 : 1))

const TOLERANCE = 1e-3
/** What became of a body; SVG has groups for compounds, whose parts come back. */
const partsOf = (back: readonly PutBody[], id: string) =>
  back.filter((each) => [`f:${id}`, `svg:${id}`].includes(each.id) || each.id.startsWith(`${id}:`))

it('json gives every body back byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(list, async (random) => {
      const id = await client.createScene([...FIXED, ...random].map((each, k) => ({ id: `b${k}`, ...each })))
      const again = await imported(client, await exportedText(client, id, 'format=json'), 'format=json')
      expect(again.report.skipped).toEqual([])
      const [before, after] = [await sorted(id), await sorted(again.id)]
      expect(after).toEqual(before)
    }),
    unshrunk(6),
  )
})

it.each(['svg', 'geojson'])('%s gives every body back', async (format) => {
  await fc.assert(
    fc.asyncProperty(list, async (random) => {
      const bodies = [...FIXED, ...random]
      const id = await client.createScene(bodies.map((each, k) => ({ id: `b${k}`, ...each })))
      const query = `format=${format}&source=f`
      const tolerance = format === 'geojson' ? `&tolerance=${TOLERANCE}` : ''
      const again = await imported(
        client,
        await exportedText(client, id, `format=${format}${tolerance}`),
        `${query}&tolerance=${TOLERANCE}`,
      )
      expect(again.report.skipped).toEqual([])
      const back = await bodiesOf(client, again.id)
      for (const [k, each] of bodies.entries()) {
        const parts = partsOf(back, `b${k}`)
        expect(parts.length, JSON.stringify([k, each, back.map((b) => b.id)])).toBeGreaterThan(0)
        const [p, q] = [await measures([each]), await measures(parts)]
        const far = Math.hypot(...p.sides)
        for (const [s, side] of p.sides.entries())
          expect(Math.abs(side - q.sides[s]!), JSON.stringify([each, parts])).toBeLessThan(2 * TOLERANCE + 1e-12 * far)
        expect(Math.abs(p.area - q.area), JSON.stringify([each, parts])).toBeLessThan(TOLERANCE * 40 * (1 + p.area))
      }
      if (format === 'svg') return
      const file = await exportedText(client, again.id, `${query}${tolerance}`)
      const { body: report } = await client.send('POST', `/${again.id}/import?${query}&tolerance=${TOLERANCE}`, file)
      expect(report).toMatchObject({ skipped: [], added: 0, removed: 0, updated: 0 })
    }),
    unshrunk(6),
  )
})
