// GET …/render.svg: what of a scene is drawn, and where.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkDocumented } from '../../support/answers/documented.ts'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'
import { tagged } from '../../support/services/version-tag.ts'

let client: SceneClient
beforeAll(async () => {
  // workers start when they are first needed, which takes long where the machine is busy
  client = await startScenes({ QUERY_DEADLINE_MS: '60000' })
  await render(await client.createScene([box('a', 0, 0)]))
}, 60_000)
afterAll(() => client.close())

async function render(scene: string, query = '', headers: Record<string, string> = {}) {
  const url = `/v1/2d/scenes/${scene}/render.svg${query}`
  const response = await client.app.inject({ method: 'GET', url, headers })
  const type = String(response.headers['content-type'] ?? '')
  if (type.includes('json')) checkDocumented('GET', url, response.statusCode, type, response.json())
  return { status: response.statusCode, type, headers: response.headers, text: response.body }
}

async function drawn(scene: string, query = ''): Promise<string> {
  const { status, text } = await render(scene, query)
  expect(status, text).toBe(200)
  // without the title, in which the random id of the scene may have such letters
  expect(text.replace(/<title>[^<]*/, '')).not.toMatch(/NaN|Infinity|undefined/)
  return text
}

const ids = (svg: string) => [...svg.matchAll(/data-id="([^"]*)"/g)].map(([, id]) => id).sort()

/** The group of a body, and the groups of its role before it. */
const groupOf = (svg: string, id: string) => new RegExp(`<g data-id="${id}">(.*)</g>`).exec(svg)?.[1] ?? ''
const styleOf = (svg: string, id: string) => {
  const before = svg.slice(0, svg.indexOf(`data-id="${id}"`))
  return before.slice(before.lastIndexOf('<g stroke'))
}

/** Corners of the first path of a body, in pixels from the middle of the picture. */
const cornersOf = (svg: string, id: string) =>
  [...(/ d="([^"]*)"/.exec(groupOf(svg, id))?.[1] ?? '').matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ])

const box = (id: string, x: number, y: number, more: object = {}) => ({
  id,
  shape: { type: 'box', width: 2, height: 1 },
  position: { x, y },
  ...more,
})

const square = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
]

const every = [
  { type: 'point' },
  { type: 'segment', a: { x: 0, y: 0 }, b: { x: 1, y: 1 } },
  { type: 'circle', radius: 1 },
  { type: 'ellipse', rx: 1, ry: 0.5 },
  { type: 'capsule', a: { x: 0, y: 0 }, b: { x: 1, y: 0 }, radius: 0.5 },
  { type: 'box', width: 1, height: 1, radius: 0.25 },
  { type: 'aabb', min: { x: -1, y: -1 }, max: { x: 1, y: 1 } },
  { type: 'polygon', vertices: square },
  { type: 'chain', vertices: square },
  { type: 'region', outer: square, holes: [square.map(({ x, y }) => ({ x: 0.25 + x / 2, y: 0.25 + y / 2 }))] },
  { type: 'halfplane', normal: { x: 0, y: 1 }, offset: -2 },
  {
    type: 'compound',
    children: [
      { shape: { type: 'circle', radius: 1 } },
      { shape: { type: 'box', width: 1, height: 1 }, position: { x: 1, y: 0 } },
    ],
  },
]

describe('what is drawn', () => {
  it('draws every kind of body as a group of its id', async () => {
    const bodies = every.map((shape, i) => ({ id: `b${i}`, shape, position: { x: 4 * i, y: 0 } }))
    const svg = await drawn(await client.createScene(bodies))
    expect(ids(svg)).toEqual(bodies.map(({ id }) => id).sort())
    for (const { id } of bodies) expect(groupOf(svg, id), id).toMatch(/<(path|circle|rect)/)
    expect(svg).toContain(`<desc>Of ${bodies.length} bodies in sight: ${bodies.length} drawn whole.</desc>`)
  })

  it('puts bodies where they are, in the scale of the bounds, y up or down', async () => {
    const id = await client.createScene([box('a', 5, 2)])
    const query = '?bounds=0,0,10,5&width=400&height=200&labels=false'
    // 40 pixels a unit, the middle of the picture at (5, 2.5)
    const up = cornersOf(await drawn(id, query), 'a')
    const xs = up.map(([x]) => x)
    const ys = up.map(([, y]) => y)
    expect([Math.min(...xs), Math.max(...xs)]).toEqual([-40, 40])
    expect([Math.min(...ys), Math.max(...ys)]).toEqual([0, 40])
    const down = cornersOf(await drawn(id, `${query}&yDown=true`), 'a').map(([, y]) => y)
    expect([Math.min(...down), Math.max(...down)]).toEqual([-40, 0])
  })

  it('shows all of the bounds in a picture of another form, and what is in sight around them', async () => {
    const id = await client.createScene([box('in', 5, 5), box('beside', 13, 5), box('far', 40, 5)])
    const svg = await drawn(id, '?bounds=0,0,10,10&width=400&height=200')
    expect(ids(svg)).toEqual(['beside', 'in'])
    expect(svg).toContain('width="400" height="200"')
  })

  it('shows what is around a place without size', async () => {
    const id = await client.createScene([box('a', 0, 0), box('b', 78, 0)])
    const svg = await drawn(id, '?bounds=0,0,0,0&width=800')
    // an eighth of the scene to each side, which is 80 wide
    expect(ids(svg)).toEqual(['a'])
    const xs = cornersOf(svg, 'a').map(([x]) => x)
    expect([Math.min(...xs), Math.max(...xs)]).toEqual([-40, 40])
    expect(await drawn(await client.createScene(), '?bounds=7,0,7,0')).toContain('Of 0 bodies in sight')
  })

  it('writes the ids of bodies at the edge within the picture', async () => {
    const id = await client.createScene([box('a-long-id-of-a-body', 0, 0)])
    const svg = await drawn(id, '?bounds=0,-5,20,5&width=400')
    const x = Number(/<text x="(-?[\d.]+)"[^>]*>a-long-id-of-a-body</.exec(svg)?.[1])
    // half of 19 letters of 12 pixels
    expect(x).toBeGreaterThan(-200 + (19 * 12 * 0.5) / 2)
    expect(x).toBeLessThan(-100)
  })

  it('takes the height from what is shown', async () => {
    const id = await client.createScene([box('a', 0, 0)])
    expect(await drawn(id, '?bounds=0,0,20,10&width=640')).toContain('width="640" height="320"')
    expect(await drawn(id, '?bounds=0,0,1000,1&width=640')).toContain('width="640" height="160"')
    expect(await drawn(id, '?bounds=0,0,1,1000&width=640')).toContain('width="640" height="1280"')
  })

  it('has roles for sensors, movers and those to be highlighted', async () => {
    const bodies = [
      box('wall', 0, 0),
      box('sensor', 4, 0, { sensor: true }),
      box('mover', 8, 0, { velocity: { x: 1, y: 0 } }),
      box('chosen', 12, 0),
    ]
    const svg = await drawn(await client.createScene(bodies), '?highlight=chosen,nobody')
    const styles = bodies.map(({ id }) => styleOf(svg, id))
    expect(new Set(styles).size).toBe(4)
    // the chosen ones lie over the others
    expect(svg.lastIndexOf('data-id')).toBe(svg.indexOf('data-id="chosen"'))
    expect(svg).not.toContain('nobody')
  })

  it('draws the tree and leaves out what is not wanted', async () => {
    const id = await client.createScene([box('a', 0, 0), box('b', 10, 0), box('c', 20, 0)])
    const plain = await drawn(id)
    const tree = await drawn(id, '?tree=true&bodies=false&labels=false&background=false')
    expect(ids(tree)).toEqual([])
    expect(tree).not.toMatch(/<text|<rect/)
    expect(tree).toContain('No bodies are drawn.')
    // three leaves and two nodes above them, in one path each
    const paths = [...tree.matchAll(/ d="([^"]*)"/g)].map(([, d]) => d).join(' ')
    expect([...paths.matchAll(/M-?[\d.]+/g)]).toHaveLength(5)
    expect(plain).toMatch(/<text/)
    expect(await drawn(id, '?labels=false')).not.toMatch(/<text/)
  })

  it('draws only bodies with the tag', async () => {
    const id = await client.createScene([box('a', 0, 0, { tags: ['wall'] }), box('b', 10, 0)])
    expect(ids(await drawn(id, '?tag=wall'))).toEqual(['a'])
    expect(ids(await drawn(id, '?tag=water'))).toEqual([])
  })

  it('writes ids so that they are text', async () => {
    const svg = await drawn(await client.createScene([box('a:b.c-d_e', 0, 0)]))
    expect(svg).toMatch(/<text[^>]*>a:b\.c-d_e<\/text>/)
  })
})

describe('places of all kinds', () => {
  const points = [
    ['nothing', []],
    ['one point', [{ id: 'p', shape: { type: 'point' }, position: { x: 3, y: 4 } }]],
    ['a point far out', [{ id: 'p', shape: { type: 'point' }, position: { x: 1e9, y: 0 } }]],
    ['half-planes alone', [{ id: 'h', shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 } }]],
    ['a small box a long way out', [box('far', 1e9, -1e9)]],
    ['boxes from one end of numbers to the other', [box('l', -1e100, 0), box('r', 1e100, 0)]],
    ['the smallest circle', [{ id: 'c', shape: { type: 'circle', radius: 5e-324 } }]],
    ['a million to one', [{ id: 'l', shape: { type: 'circle', radius: 1e6 } }, box('s', 0, 0)]],
  ] as const
  it.each(points)('draws %s', async (_what, bodies) => {
    const id = await client.createScene()
    const put = await client.send('POST', `/${id}/operations`, {
      operations: bodies.length === 0 ? [{ op: 'clear' }] : bodies.map((body) => ({ op: 'put', body })),
    })
    // coordinates have limits of their own
    if (put.status !== 200) return expect(put.body.code).toBe('coordinate-out-of-range')
    const svg = await drawn(id, '?tree=true')
    for (const [, path] of svg.matchAll(/ (?:d|cx|cy|r|x|y)="([^"]*)"/g))
      for (const [number] of path.matchAll(/-?\d+(\.\d+)?(e[+-]?\d+)?/g))
        expect(Math.abs(Number(number))).toBeLessThan(2e6)
    expect(svg).toContain(`Of ${bodies.length} bodies in sight`)
  })

  it('keeps the form of a body a billion units out', async () => {
    const id = await client.createScene([box('far', 1e9, -1e9)])
    const corners = cornersOf(await drawn(id, '?labels=false&width=200'), 'far')
    const xs = corners.map(([x]) => x)
    const ys = corners.map(([, y]) => y)
    const ratio = (Math.max(...xs) - Math.min(...xs)) / (Math.max(...ys) - Math.min(...ys))
    expect(ratio).toBeCloseTo(2, 2)
  })
})

describe('as an answer', () => {
  it('has the version of the scene as its ETag, and is not sent again', async () => {
    const id = await client.createScene([box('a', 0, 0)])
    const first = await render(id)
    expect([first.status, first.type, first.headers.etag]).toEqual([200, 'image/svg+xml; charset=utf-8', tagged(2)])
    expect(first.headers['content-security-policy']).toContain("default-src 'none'")
    expect(await render(id, '', { 'if-none-match': '"2"' })).toMatchObject({ status: 304, text: '' })
    await client.put(id, [box('b', 0, 0)])
    expect((await render(id, '', { 'if-none-match': '"2"' })).status).toBe(200)
  })

  it('is the same twice', async () => {
    const id = await client.createScene(Array.from({ length: 300 }, (_, i) => box(`b${i}`, (i % 20) * 3, i / 7)))
    expect(await drawn(id, '?tree=true')).toBe(await drawn(id, '?tree=true'))
  })

  it('says what is wrong', async () => {
    const id = await client.createScene([box('a', 0, 0)])
    const problems = [
      ['?bounds=1,0,0,1', 422, 'aabb-inverted'],
      ['?bounds=0,0,1e400,1', 422, 'coordinate-out-of-range'],
      ['?bounds=0,0,1', 400, 'schema-violation'],
      ['?width=5000', 400, 'schema-violation'],
      ['?width=8', 400, 'schema-violation'],
      ['?colour=red', 400, 'schema-violation'],
      [`?highlight=${'a,'.repeat(100)}a`, 400, 'schema-violation'],
    ] as const
    for (const [query, status, code] of problems) {
      const answer = await render(id, query)
      expect([query, answer.status, JSON.parse(answer.text).code]).toEqual([query, status, code])
    }
    expect((await render('nowhere')).status).toBe(404)
    expect((await render(id, '', { accept: 'image/png' })).status).toBe(406)
  })

  it('draws shapes that are kept as text, whatever they are', async () => {
    // from where on shapes are packed, and from where on they take long to prepare, are not the same
    const circle = (count: number) =>
      Array.from({ length: count }, (_, i) => {
        const angle = (2 * Math.PI * i) / count
        return { x: 3 * Math.cos(angle), y: 3 * Math.sin(angle) }
      })
    const children = Array.from({ length: 1000 }, (_, i) => ({
      shape: { type: 'circle', radius: 0.123456789 },
      position: { x: i / 300, y: Math.sin(i) },
    }))
    const bodies = [
      { id: 'wheel', shape: { type: 'region', outer: circle(1700) } },
      { id: 'ring', shape: { type: 'chain', vertices: circle(1700), loop: true }, position: { x: 9, y: 0 } },
      { id: 'heap', shape: { type: 'compound', children }, position: { x: 18, y: 0 } },
      { id: 'large', shape: { type: 'region', outer: circle(6000) }, position: { x: 27, y: 0 } },
    ]
    const svg = await drawn(await client.createScene(bodies))
    for (const { id } of bodies) expect(groupOf(svg, id).length, id).toBeGreaterThan(10_000)
  })

  it('draws many bodies: the large ones whole, the small ones as specks', async () => {
    const bodies = Array.from({ length: 5000 }, (_, i) => box(`b${i}`, (i % 100) * 5, Math.floor(i / 100) * 5))
    const id = await client.createScene([...bodies, box('wide', 0, -100, { shape: { type: 'circle', radius: 50 } })])
    const all = await drawn(id, '?width=100')
    expect(all).toMatch(/Of 5001 bodies in sight: \d+ drawn whole, 5000 as specks\./)
    expect(ids(all)).toContain('wide')
    const near = await drawn(id, '?bounds=0,0,50,50')
    expect(near).toMatch(/Of (\d+) bodies in sight: \1 drawn whole\./)
  })
})
