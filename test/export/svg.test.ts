// SVG of scenes: an element for each body, well formed whatever they are called, and the same bodies when it is imported again.

import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { GRID, mixedBody, SHAPE_TYPES, UNIFORM, unrotatedBody } from '../support/families/arbitraries.ts'
import { mixedComposite, unrotatedComposite } from '../support/families/composite-arbitraries.ts'
import { runCount, unshrunk } from '../support/runs.ts'
import { type SceneClient, startScenes } from '../support/services/scene-client.ts'
import { areSame, bodiesOf, exported, exportedText, importedHere, type PutBody } from './exported.ts'

let client: SceneClient
beforeAll(async () => {
  client = await startScenes({ QUERY_DEADLINE_MS: '60000' })
})
afterAll(() => client.close())

interface Element {
  name: string
  attributes: Record<string, string>
  children: Element[]
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  htmlEntities: true,
})

/** The elements of bodies. */
function elementsOf(text: string): { root: Element; bodies: Element[] } {
  expect(XMLValidator.validate(text)).toBe(true)
  const read = (node: Record<string, unknown>): Element[] => {
    const name = Object.keys(node).find((key) => key !== ':@') as string
    if (name === '#text') return []
    const attributes = (node[':@'] ?? {}) as Record<string, string>
    return [{ name, attributes, children: (node[name] as Record<string, unknown>[]).flatMap(read) }]
  }
  const [root] = parser.parse(text).flatMap(read)
  const paint = root.children.find(({ name }: Element) => name === 'g')
  return { root, bodies: paint?.children ?? [] }
}

const svgOf = (sceneId: string, query = '') => exportedText(client, sceneId, `format=svg${query}`)

const STRAIGHT = ['point', 'segment', 'aabb', 'box', 'polygon'] as const
const sharp = ({ shape, ...pose }: Body2d): Body2d => {
  const { radius: _, ...rest } = shape as { radius?: number }
  return { ...pose, shape: (shape.type === 'box' || shape.type === 'polygon' ? rest : shape) as Body2d['shape'] }
}
/** Turned ones whose corners are written as the core turns them. */
const turnedOutline = fc
  .oneof(mixedBody(['polygon', 'segment', 'point']), mixedComposite(['point']))
  .filter(({ shape }) => shape.type !== 'compound')
const straight = fc
  .oneof(
    unrotatedBody(GRID, STRAIGHT),
    unrotatedBody(UNIFORM, STRAIGHT),
    unrotatedComposite(GRID, STRAIGHT),
    turnedOutline,
  )
  .filter(({ shape }) => shape.type !== 'compound')
  .map(sharp)

/** What XML has no place for, and markup that is none of ours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}|<script|<!|&(?!#?\w+;)/u

/** The middle of its mass, in the world. */
const middleOf = ({ position = { x: 0, y: 0 }, rotation = 0 }: Body2d, { x, y }: Vec2) => ({
  x: position.x + Math.cos(rotation) * x - Math.sin(rotation) * y,
  y: position.y + Math.sin(rotation) * x + Math.cos(rotation) * y,
})

describe('the drawing', () => {
  it.each(['', '&yUp=true', '&yUp=true&scale=0.25&offsetX=2&offsetY=-4'])(
    'gives straight bodies back to the last bit%s',
    async (frame) => {
      await fc.assert(
        fc.asyncProperty(fc.array(straight, { minLength: 1, maxLength: 8 }), async (bodies) => {
          const id = await client.createScene(bodies.map((body, k) => ({ id: `b${k}`, ...body })))
          const again = await importedHere(client, await svgOf(id, frame), 'svg', frame)
          expect(again.skipped).toEqual([])
          const back = new Map((await bodiesOf(client, again.id)).map((body) => [body.id, body]))
          expect(back.size).toBe(bodies.length)
          for (const [k, body] of bodies.entries()) {
            const same = back.get(`svg:b${k}`) as PutBody
            const isSame = await areSame(client, body, same)
            // a place that an offset has moved may be rounded
            if (frame.includes('offset') && !isSame) expect(JSON.stringify(body)).toMatch(/\.\d{5}/)
            else expect(isSame, JSON.stringify([body, same])).toBe(true)
          }
        }),
        unshrunk(8),
      )
    },
  )

  it('are a capsule as a rounded rectangle, or as what is left of one that is thin or short', async () => {
    const capsule = (id: string, radius: number, b: Vec2) => {
      return { id, shape: { type: 'capsule' as const, a: { x: 0, y: 0 }, b, radius } }
    }
    const scene = await client.createScene([
      capsule('across', 1, { x: 4, y: 0 }),
      capsule('line', 0, { x: 4, y: 0 }),
      capsule('round', 1, { x: 0, y: 0 }),
      capsule('upright', 1, { x: 0, y: 4 }),
    ])
    const { bodies } = elementsOf(await svgOf(scene))
    expect(bodies.map(({ name, attributes: { width, height, r } }) => [name, width, height, r])).toEqual([
      ['rect', '6', '2', undefined],
      ['line', undefined, undefined, undefined],
      ['circle', undefined, undefined, '1'],
      ['rect', '2', '6', undefined],
    ])
  })

  it('gives round and turned bodies back within the tolerance: area, middle and rays agree', async () => {
    const tolerance = 1e-3
    const ask = async (op: string, payload: object) =>
      JSON.parse((await client.app.inject({ method: 'POST', url: `/v1/2d/${op}`, payload })).body)
    const types = SHAPE_TYPES.filter((type) => type !== 'halfplane')
    let compared = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(mixedBody(types), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (bodies, yUp) => {
          const id = await client.createScene(bodies.map((body, k) => ({ id: `b${k}`, ...body })))
          const again = await importedHere(
            client,
            await svgOf(id, `&yUp=${yUp}`),
            'svg',
            `tolerance=${tolerance}&yUp=${yUp}`,
          )
          // slivers whose round corners cross are left out
          expect((await bodiesOf(client, again.id)).length + again.skipped.length).toBe(bodies.length)
          for (const { id, tags: _, ...q } of await bodiesOf(client, again.id)) {
            const p = bodies[Number(id.slice(5))]
            const [before, after] = [await ask('mass', { shape: p.shape }), await ask('mass', { shape: q.shape })]
            expect(Math.abs(before.area - after.area)).toBeLessThan(tolerance * 40)
            if (before.area > 1) {
              const [middle, other] = [middleOf(p, before.centroid), middleOf(q, after.centroid)]
              expect(Math.abs(middle.x - other.x)).toBeLessThan(0.02)
              expect(Math.abs(middle.y - other.y)).toBeLessThan(0.02)
              const ray = { origin: { x: middle.x - 40, y: middle.y }, direction: { x: 1, y: 0 } }
              const [hit, again] = [
                await ask('ray-cast', { ray, targets: [p] }),
                await ask('ray-cast', { ray, targets: [q] }),
              ]
              expect(Math.abs(hit.hits[0].distance - again.hits[0].distance)).toBeLessThan(0.05)
              compared++
            }
          }
        },
      ),
      unshrunk(12),
    )
    expect(compared).toBeGreaterThan(runCount(15))
  })

  it('gives compounds back as their parts, and half-planes as far as they are drawn: rays agree', async () => {
    const children = [
      { shape: { type: 'circle', radius: 1 }, position: { x: 2, y: 0 } },
      { shape: { type: 'box', width: 2, height: 1 }, rotation: 0.5 },
      { shape: { type: 'compound', children: [{ shape: { type: 'segment', a: { x: 0, y: 0 }, b: { x: 0, y: 4 } } }] } },
    ]
    const id = await client.createScene([
      { id: 'two', shape: { type: 'compound', children }, position: { x: -3, y: 2 }, rotation: 1 },
      { id: 'ground', shape: { type: 'halfplane', normal: { x: 0.2, y: 1 }, offset: -3 } },
    ])
    const again = await importedHere(client, await svgOf(id, '&yUp=true'), 'svg', 'yUp=true')
    expect((await bodiesOf(client, again.id)).map((body) => body.id)).toEqual(['svg:ground', 'two:0', 'two:1', 'two:2'])
    const hit = async (sceneId: string, ray: object) =>
      (await client.send('POST', `/${sceneId}/ray-cast`, { ray })).body.hits[0]
    for (let k = 0; k <= 20; k++) {
      const ray = { origin: { x: -6 + 0.3 * k, y: 9 }, direction: { x: 0.01, y: -1 } }
      const [before, after] = [await hit(id, ray), await hit(again.id, ray)]
      expect(Math.abs(before.distance - after.distance)).toBeLessThan(1e-9)
      expect(after.id).toMatch(before.id === 'two' ? /^two:/ : /^svg:ground$/)
    }
  })

  it('has an element for each body that programs have handles for', async () => {
    const square = [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
    ].map(([x, y]) => ({ x, y }))
    const hole = [
      [0.5, 0.5],
      [1.5, 0.5],
      [1, 1.5],
    ].map(([x, y]) => ({ x, y }))
    const named: [string, object, object?][] = [
      ['circle', { type: 'circle', radius: 1 }],
      ['ellipse', { type: 'ellipse', rx: 2, ry: 1 }, { rotation: 0.5 }],
      ['rect', { type: 'box', width: 2, height: 1 }],
      ['rect', { type: 'box', width: 2, height: 1 }, { rotation: 0.5 }],
      ['rect', { type: 'box', width: 2, height: 1, radius: 0.5 }],
      ['rect', { type: 'capsule', a: { x: 0, y: 0 }, b: { x: 1, y: 2 }, radius: 0.5 }],
      ['rect', { type: 'aabb', min: { x: 1, y: 1 }, max: { x: 2, y: 3 } }],
      ['polygon', { type: 'polygon', vertices: square }],
      ['path', { type: 'polygon', vertices: square, radius: 1 }],
      ['polygon', { type: 'region', outer: square }],
      ['path', { type: 'region', outer: square, holes: [hole] }],
      ['polyline', { type: 'chain', vertices: square }],
      ['line', { type: 'segment', a: { x: 0, y: 0 }, b: { x: 1, y: 1 } }],
      ['line', { type: 'point' }],
      ['polygon', { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 }],
      ['g', { type: 'compound', children: [{ shape: { type: 'circle', radius: 1 } }, { shape: { type: 'point' } }] }],
    ]
    const id = await client.createScene(
      named.map(([, shape, more], k) => ({
        id: `b${String.fromCharCode(97 + k)}`,
        shape,
        position: { x: 3 * k, y: 1 },
        ...more,
      })),
    )
    const { root, bodies } = elementsOf(await svgOf(id))
    expect(bodies.map(({ name }) => name)).toEqual(named.map(([name]) => name))
    expect(bodies[15].children.map(({ name }) => name)).toEqual(['circle', 'line'])
    for (const { attributes, name } of bodies)
      if (name !== 'g') expect(attributes['vector-effect']).toBe('non-scaling-stroke')
    expect(bodies[10].attributes['fill-rule']).toBe('evenodd')
    expect(JSON.parse(bodies[14].attributes['data-shape'].replaceAll('&quot;', '"'))).toMatchObject({
      type: 'halfplane',
    })
    const [x, y, width, height] = root.attributes.viewBox.split(' ').map(Number)
    expect(x).toBeLessThan(-1)
    expect(y).toBeLessThan(-1)
    expect(x + width).toBeGreaterThan(46)
    expect(y + height).toBeGreaterThan(4)
  })

  it('is well formed whatever ids, tags and data are, and nothing of them is markup', async () => {
    const tags = [
      ']]>',
      '<script>alert(1)</script>',
      '"',
      "'>",
      '\ud800',
      '\udc00x',
      '\u0000',
      '\u000b',
      '\uffff',
      '&amp;',
      '-->',
      'a b',
      '😀',
      'x',
    ]
    const data = `{ "a": "${'"<&>]]>'.replace('"', '\\"')}", "b":\t[1.0,\n"\\u0000"], "c": "${'ü'.repeat(1900)}" }`
    const ids = ['a', '1', '_1', '-', '.a', ':', '_', 'A:b.c-d_e', '...']
    const id = await client.createScene([], { name: '<script>&\u0000\ud800' })
    const operations = ids.map(
      (each) =>
        `{"op":"put","body":{"id":${JSON.stringify(each)},"shape":{"type":"point"},"tags":${JSON.stringify(tags)},"data":${data}}}`,
    )
    expect((await client.send('POST', `/${id}/operations`, `{"operations":[${operations.join(',')}]}`)).status).toBe(
      200,
    )
    const { text, headers } = await exported(client, id, 'format=svg')
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox")
    expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    expect(text).not.toMatch(NO_XML)
    const { root, bodies } = elementsOf(text)
    expect(root.children.map(({ name }) => name)).toEqual(['title', 'g'])
    expect(bodies.map(({ attributes }) => attributes['data-id'])).toEqual([...ids].sort())
    const xmlIds = bodies.map(({ attributes }) => attributes.id)
    expect(new Set(xmlIds).size).toBe(ids.length)
    for (const xmlId of xmlIds) expect(xmlId).toMatch(/^[A-Za-z_][\w.:-]*$/)
    // what was sent is in them, to the byte
    const plain = (value: string) =>
      value.replaceAll(/&#(\d+);|&(quot|lt|gt|amp);/g, (_, code, name) =>
        code ? String.fromCharCode(code) : { quot: '"', lt: '<', gt: '>', amp: '&' }[name as 'lt'],
      )
    const raw = /data-data="([^"]*)"/.exec(text)?.[1] ?? ''
    expect(plain(raw)).toBe(data)
    expect(JSON.parse(plain(/data-tags="([^"]*)"/.exec(text)?.[1] ?? '').replaceAll('\uffff', '\ufffd'))).toEqual(
      tags.map((tag) => tag.replace('\uffff', '\ufffd')),
    )
  })

  it('shows something of scenes without a size', async () => {
    const viewOf = async (bodies: object[]) =>
      elementsOf(await svgOf(await client.createScene(bodies)))
        .root.attributes.viewBox.split(' ')
        .map(Number)
    expect(await viewOf([])).toEqual([-1, -1, 2, 2])
    expect(await viewOf([{ id: 'p', shape: { type: 'point' }, position: { x: 5, y: 5 } }])).toEqual([0, 0, 10, 10])
    const [, y, , height] = await viewOf([{ id: 'h', shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 7 } }])
    expect([y < 7, y + height > 7]).toEqual([true, true])
  })
})
