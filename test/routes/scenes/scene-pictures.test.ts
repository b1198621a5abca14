// Questions about scenes, answered as pictures: what is drawn of each, and what they have in common.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sceneExchanges } from '../../../schemas/scenes/exchanges.ts'
import { exampleBodies } from '../../../schemas/scenes/scene.ts'
import { SHAPE_LOOKS, type ShapeRole, STROKE_LOOKS, type StrokeRole } from '../../../src/pictures/palette.ts'
import { MOST_STACKED } from '../../../src/pictures/stack.ts'
import { readSvg } from '../../pictures/svg-check.ts'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'
import { tagged } from '../../support/services/version-tag.ts'

const SVG = 'image/svg+xml'
let client: SceneClient
beforeAll(async () => {
  // workers start when they are first needed, which takes long where the machine is busy
  client = await startScenes({ QUERY_DEADLINE_MS: '60000' })
  await client.send('PUT', '/cellar', {})
  await client.put('cellar', exampleBodies)
  await ask('cellar/pairs', {})
}, 60_000)
afterAll(() => client.close())

async function ask(path: string, request: unknown, accept = SVG, headers: Record<string, string> = {}) {
  const response = await client.app.inject({
    method: 'POST',
    url: `/v1/2d/scenes/${path}`,
    headers: { accept, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(request),
  })
  return { status: response.statusCode, headers: response.headers, text: response.body }
}

async function drawn(op: string, request: unknown, scene = 'cellar'): Promise<string> {
  const { status, text } = await ask(`${scene}/${op}`, request)
  expect(status, text).toBe(200)
  readSvg(text)
  return text
}

/** The ids of bodies of the scene by how they look. */
function looksOf(svg: string): Record<string, string> {
  const looks: Record<string, string> = {}
  const groups = [...svg.matchAll(/<g stroke="[^"]*" [^>]*>|<g data-id="([^"]*)">/g)]
  let style = ''
  for (const [tag, id] of groups) {
    if (id === undefined) style = tag
    else looks[id] = style
  }
  return Object.fromEntries(Object.entries(looks).map(([id, tag]) => [id, roleOf(tag)]))
}

const ROLES: readonly ShapeRole[] = ['of-scene', 'sensor', 'mover', 'met', 'touched', 'asked', 'result', 'passed-over']

function roleOf(tag: string): string {
  const role = ROLES.find((each) => {
    const look: { stroke: string; width: number; opacity: number; dash?: string } = SHAPE_LOOKS[each]
    return (
      tag.includes(`stroke="${look.stroke}" stroke-width="${look.width}"`) &&
      tag.includes(`fill-opacity="${look.opacity}"`) &&
      (look.dash === undefined ? !tag.includes('dasharray') : tag.includes(`stroke-dasharray="${look.dash}"`))
    )
  })
  return role ?? tag
}

/** How many lines there are that look so, in the plot. */
function lines(svg: string, role: StrokeRole): string[] {
  const { stroke, width, dash }: { stroke: string; width: number; dash?: string } = STROKE_LOOKS[role]
  const style = `fill="none" stroke="${stroke}" stroke-width="${width}"${dash === undefined ? '' : ` stroke-dasharray="${dash}"`}`
  return [...plotOf(svg).matchAll(/<path d="([^"]*)" ([^>]*)\/>/g)]
    .filter(([, , rest]) => rest.startsWith(style))
    .map(([, d]) => d)
}

const plotOf = (svg: string) => /<svg x=[\s\S]*?<\/svg>/.exec(svg)?.[0] ?? ''
/** Shapes of a role that are drawn over the scene. */
const shapes = (svg: string, role: ShapeRole) => {
  const own = plotOf(svg).slice(plotOf(svg).lastIndexOf('data-id='))
  const found = [...own.matchAll(/<g stroke="[^"]*" [^>]*>\n([\s\S]*?)\n<\/g>/g)].filter(([tag]) => roleIs(tag, role))
  return found.flatMap(([, inner]) => inner.split('\n'))
}
const roleIs = (tag: string, role: ShapeRole) => {
  const look: { stroke: string; width: number; opacity: number; dash?: string } = SHAPE_LOOKS[role]
  return tag.startsWith(
    `<g stroke="${look.stroke}" stroke-width="${look.width}"${look.dash === undefined ? '' : ` stroke-dasharray="${look.dash}"`}`,
  )
}
const texts = (svg: string) => readSvg(svg).texts
const heading = (svg: string) => /font-weight="600" fill="#1a1a1a">([^<]*)</.exec(svg)?.[1]
const points = (svg: string, colour: string) => plotOf(svg).split(`fill="${colour}" stroke="#ffffff"`).length - 1
const INK = '#1a1a1a'

describe('what is drawn', () => {
  it('overlap: what is met, by how', async () => {
    const svg = await drawn('overlap', { bodyId: 'hero', pose: { position: { x: 6.5, y: -0.25 } } })
    expect(looksOf(svg)).toMatchObject({ crate: 'touched', floor: 'met' })
    expect(heading(svg)).toBe('hero meets 2 bodies.')
    expect(texts(svg)).toEqual(expect.arrayContaining(['Overlapping: floor', 'Touching: crate']))
    const contacts = await drawn('overlap', {
      body: { shape: { type: 'circle', radius: 1 }, position: { x: 8, y: 2.75 } },
      contacts: true,
    })
    expect(heading(contacts)).toBe('The body overlaps crate.')
    expect(points(contacts, INK)).toBe(1)
    expect(await drawn('overlap', { point: { x: 0, y: 9 } })).toContain('The point meets nothing.')
    expect(looksOf(await drawn('overlap', { aabb: { min: { x: 7, y: 1 }, max: { x: 9, y: 3 } } }))).toMatchObject({
      crate: 'met',
    })
  })

  it('ray-cast: the ray up to what it hits, and beyond', async () => {
    const svg = await drawn('ray-cast', {
      ray: { origin: { x: 0, y: 1 }, direction: { x: 1, y: 0 } },
      filter: { ids: { exclude: ['hero'] } },
    })
    expect(looksOf(svg)).toMatchObject({ crate: 'met', floor: 'of-scene', hero: 'passed-over' })
    expect(heading(svg)).toBe('The ray hits crate at distance 7.')
    expect([lines(svg, 'ray').length, lines(svg, 'ray-beyond').length, lines(svg, 'inside').length]).toEqual([1, 1, 1])
    expect(texts(svg)).toEqual(
      expect.arrayContaining(['7', 'crate, edge 3: hit at distance 7, left at 9', 'not looked at']),
    )
    const many = await drawn('ray-cast', {
      rays: Array.from({ length: 8 }, (_, i) => ({
        origin: { x: 0, y: 5 },
        direction: { x: i - 4, y: -1 },
        maxDistance: 20,
      })),
    })
    expect(heading(many)).toBe('Of 8 rays, 8 hit something.')
    expect(lines(many, 'ray')).toHaveLength(8)
    expect(await drawn('ray-cast', { ray: { origin: { x: 0, y: 5 }, direction: { x: 0, y: 1 } } })).toContain(
      'The ray hits nothing.',
    )
  })

  it('shape-cast: the start, the way, and the body where it hits', async () => {
    const svg = await drawn('shape-cast', { bodyId: 'hero', translation: { x: 10, y: 0 }, ignoreSeparating: true })
    expect(looksOf(svg)).toMatchObject({ crate: 'met', hero: 'asked' })
    expect(heading(svg)).toBe('hero hits crate after 6.5.')
    expect([shapes(svg, 'a-start').length, shapes(svg, 'a-then').length, lines(svg, 'path').length]).toEqual([1, 1, 1])
    // the way goes from the middle of the hero to where it is stopped: all of it in one scale
    const [[x0, y0], [x1, y1]] = coordinates(lines(svg, 'path')[0])
    expect(y1).toBe(y0)
    const scale = (x1 - x0) / 6.5
    const [[x2], [x3]] = coordinates(lines(svg, 'path-a')[0])
    expect([(x2 - x1) / scale, (x3 - x2) / scale]).toEqual([expect.closeTo(0, 1), expect.closeTo(3.5, 1)])
    expect(await drawn('shape-cast', { bodyId: 'hero', translation: { x: 0, y: 5 } })).toContain('where it starts')
  })

  it('nearest: lines to the nearest points, with the distances', async () => {
    const svg = await drawn('nearest', { point: { x: 4, y: 1 }, count: 2, filter: { tags: { none: ['wall'] } } })
    expect(looksOf(svg)).toMatchObject({ crate: 'met', hero: 'met', floor: 'passed-over' })
    const lengths = lines(svg, 'measure').map((d) => {
      const [[x0], [x1]] = coordinates(d)
      return x1 - x0
    })
    expect(lengths[0] / -lengths[1]).toBeCloseTo(3 / 3.5, 2)
    expect(texts(svg)).toEqual(expect.arrayContaining(['3', '3.5', '1. crate: at 3', '2. hero: at 3.5']))
  })

  it('pairs: those that meet, with their contacts', async () => {
    const svg = await drawn('pairs', { contacts: true })
    expect(looksOf(svg)).toMatchObject({ crate: 'met', floor: 'met', door: 'met', hero: 'met', ball: 'mover' })
    expect(heading(svg)).toBe('3 pairs of bodies meet.')
    // two below each box, one below the capsule
    expect(points(svg, INK)).toBe(5)
    expect(texts(svg)).toEqual(expect.arrayContaining(['crate – floor', 'door – floor', 'floor – hero']))
    expect(lines(await drawn('pairs', {}), 'path-to')).toHaveLength(3)
    expect(await drawn('pairs', { filter: { tags: { none: ['wall'] } } })).toContain('No bodies meet each other.')
  })

  it('time-of-impact: ghosts at the impact, and the ways to it', async () => {
    const svg = await drawn('time-of-impact', { duration: 5 })
    expect(looksOf(svg)).toMatchObject({ ball: 'met', floor: 'met', door: 'sensor' })
    expect(heading(svg)).toBe('1 impact within 5 s.')
    expect([shapes(svg, 'a-then').length, lines(svg, 'path').length]).toEqual([1, 1])
    expect(texts(svg)).toContain('t = 1.75')
    expect(await drawn('time-of-impact', { duration: 1 })).toContain('Nothing meets anything on its way within 1 s.')
  })

  it('trajectory: numbered bounces, and the end', async () => {
    const svg = await drawn('trajectory', { bodyId: 'ball', duration: 3 })
    expect(looksOf(svg)).toMatchObject({ ball: 'asked', floor: 'met' })
    expect(heading(svg)).toBe('ball bounces once in 3 s.')
    expect([shapes(svg, 'a-start').length, shapes(svg, 'a-ghost').length, shapes(svg, 'a-then').length]).toEqual([
      1, 1, 1,
    ])
    const way = coordinates(lines(svg, 'path')[0]).map(([, y]) => y)
    // down by 3.5, up by 2.5
    expect((way[1] - way[0]) / (way[1] - way[2])).toBeCloseTo(3.5 / 2.5, 2)
    expect(texts(svg)).toEqual(expect.arrayContaining(['1', 'end', '1. floor at t = 1.75']))
  })

  it('move: the way, what is in it, and where it would have gone', async () => {
    const svg = await drawn('move', { bodyId: 'hero', translation: { x: 9, y: -1 }, filter: { sensors: 'exclude' } })
    expect(looksOf(svg)).toMatchObject({ crate: 'met', floor: 'met', hero: 'asked', ball: 'mover' })
    expect(heading(svg)).toBe('hero is stopped: it goes 6.5.')
    expect([shapes(svg, 'a-ghost').length, shapes(svg, 'a-then').length, lines(svg, 'path').length]).toEqual([1, 1, 1])
    expect(points(svg, INK)).toBe(2)
    expect(texts(svg)).toEqual(expect.arrayContaining(['1', '2', '2. crate at (7, 1)', 'end']))
    const stuck = await drawn('move', {
      bodyId: 'hero',
      pose: { position: { x: 6.75, y: -0.25 } },
      translation: { x: 0, y: 1 },
    })
    expect(stuck).toContain('First it got out by')
  })

  it('separate: the arrow out, and where it stands then', async () => {
    const svg = await drawn('separate', { bodyId: 'hero', pose: { position: { x: 6.75, y: -0.25 } } })
    expect(looksOf(svg)).toMatchObject({ crate: 'met', floor: 'met' })
    expect(heading(svg)).toBe('hero gets out by (−0.25, 0.25).')
    expect(shapes(svg, 'b-parted')).toHaveLength(1)
    expect(texts(svg)).toContain('0.3536')
    expect(
      await drawn('separate', { body: { shape: { type: 'circle', radius: 1 }, position: { x: 0, y: 9 } } }),
    ).toContain('The body overlaps nothing.')
  })

  it('snap: the best candidate, its features, and the others', async () => {
    const svg = await drawn('snap', {
      bodyId: 'hero',
      pose: { position: { x: 6.25, y: 0 } },
      maxDistance: 0.5,
      filter: { ids: { exclude: ['floor'] } },
    })
    expect(looksOf(svg)).toMatchObject({ crate: 'met' })
    expect(heading(svg)).toMatch(/^hero snaps by/)
    expect(shapes(svg, 'result')).toHaveLength(1)
    expect(shapes(svg, 'reach')).toHaveLength(1)
    expect(texts(svg).some((text) => /^1\. .* onto .* of crate, by 0\.25$/.test(text))).toBe(true)
    const grid = await drawn('snap', {
      body: { shape: { type: 'box', width: 1, height: 1 }, position: { x: 0.625, y: 8.5 } },
      maxDistance: 0.25,
      features: ['vertex', 'grid'],
      grid: { size: { x: 1, y: 1 } },
    })
    expect(lines(grid, 'cells').length).toBeGreaterThan(4)
    expect(texts(grid).some((text) => text.startsWith('1. vertex 0 onto the grid, by 0.125'))).toBe(true)
    expect(points(grid, '#009e73')).toBe(1)
    const nothing = await drawn('snap', {
      body: { shape: { type: 'circle', radius: 1 }, position: { x: 0, y: 9 } },
      maxDistance: 1,
    })
    expect(nothing).toContain('There is nothing to snap to within 1.')
  })

  it('place: the free place and how far it is, or none', async () => {
    const svg = await drawn('place', { bodyId: 'hero', pose: { position: { x: 6.75, y: 1 } }, maxDistance: 2 })
    expect(heading(svg)).toBe('The nearest free place is 0.25 away.')
    expect([shapes(svg, 'a-ghost').length, shapes(svg, 'result').length, shapes(svg, 'reach').length]).toEqual([
      1, 1, 1,
    ])
    const none = await drawn('place', {
      body: { shape: { type: 'circle', radius: 1 }, position: { x: 0, y: -0.5 } },
      maxDistance: 0.5,
    })
    expect(heading(none)).toBe('There is no free place within 0.5.')
    expect(
      await drawn('place', { body: { shape: { type: 'circle', radius: 1 }, position: { x: 0, y: 9 } } }),
    ).toContain('is free where it was wished')
  })

  it('drop: the landing, or that there is nothing below', async () => {
    const svg = await drawn('drop', {
      body: { shape: { type: 'box', width: 1, height: 1 }, position: { x: 8, y: 6 }, rotation: 0.25 },
      direction: { x: 0, y: -1 },
      align: 'face',
    })
    expect(looksOf(svg)).toMatchObject({ crate: 'met' })
    expect(heading(svg)).toMatch(/^The body lands on crate after 3\./)
    // turned so that its sides are level
    const corners = coordinates(/ d="([^"]*)"/.exec(shapes(svg, 'result')[0])?.[1] ?? '')
    const [left, right] = [...new Set(corners.map(([x]) => x))].sort((a, b) => a - b)
    expect(new Set(corners.map(([x]) => x)).size).toBe(2)
    // its way is three and a half times as long as it is wide
    const [[, top], [, bottom]] = coordinates(lines(svg, 'path')[0])
    expect((bottom - top) / (right - left)).toBeCloseTo(3.5, 3)
    expect(await drawn('drop', { bodyId: 'hero', direction: { x: 0, y: 1 }, maxDistance: 10 })).toContain(
      'There is nothing below hero within 10.',
    )
  })

  it('line-of-sight: free and hidden targets, and what hides them', async () => {
    const svg = await drawn('line-of-sight', {
      point: { x: 0, y: 1.5 },
      targets: [{ bodyId: 'ball' }, { point: { x: 12, y: 1.5 } }],
      filter: { ids: { exclude: ['hero'] } },
    })
    expect(looksOf(svg)).toMatchObject({ crate: 'met', ball: 'result', hero: 'passed-over' })
    expect(heading(svg)).toBe('Of 2 targets, 1 can be seen.')
    expect([lines(svg, 'seen').length, lines(svg, 'unseen').length]).toEqual([2, 1])
    expect(texts(svg)).toContain('2. the point: hidden by crate, at 12')
  })
})

function coordinates(d: string): [number, number][] {
  return [...d.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)])
}

const examples = sceneExchanges.flatMap(({ op, request }) =>
  (request.examples as object[]).map((example, i) => [`${op} ${i}`, op, example] as const),
)

describe('as an answer', () => {
  it.each(examples)('has the status and the version of the numbers: %s', async (_name, op, example) => {
    const numbers = await ask(`cellar/${op}`, example, 'application/json')
    const picture = await ask(`cellar/${op}`, example)
    expect([picture.status, picture.headers.etag]).toEqual([numbers.status, numbers.headers.etag])
    expect(picture.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    expect(picture.headers['content-security-policy']).toContain("default-src 'none'")
    expect(picture.text).toContain(`<title>${op} in scene cellar, version 2</title>`)
    expect((await ask(`cellar/${op}`, example)).text).toBe(picture.text)
  })

  // after a wanted change: `npx vitest run test/routes/scenes/scene-pictures.test.ts -u`, then look at every file that changed
  it.each(examples)('is drawn as it was: %s', async (name, op, example) => {
    const picture = await ask(`cellar/${op}`, example)
    await expect(picture.text).toMatchFileSnapshot(`../../pictures/golden-scenes/${name.replace(' ', '-')}.svg`)
  })

  it('is drawn as it was: all of a scene', async () => {
    const { payload } = await client.app.inject({ url: '/v1/2d/scenes/cellar/render.svg' })
    await expect(payload).toMatchFileSnapshot('../../pictures/golden-scenes/render.svg')
  })

  it('goes to those who would rather have one', async () => {
    const kind = async (accept: string) => String((await ask('cellar/pairs', {}, accept)).headers['content-type'])
    expect(await kind('image/*')).toContain(SVG)
    expect(await kind('application/json;q=0.5, image/svg+xml')).toContain(SVG)
    expect(await kind('*/*')).toContain('application/json')
    const refused = await ask('cellar/pairs', {}, 'image/png')
    expect([refused.status, JSON.parse(refused.text).detail]).toEqual([
      406,
      'This is answered as application/json or image/svg+xml, not as "image/png".',
    ])
  })

  it('shows what the bounds say, as wide as is wished, y up or down', async () => {
    const request = { point: { x: 8, y: 1 } }
    const wide = await drawn('overlap?bounds=-10,-1,10,9&width=400', request)
    expect(wide).toContain('width="400"')
    expect(Object.keys(looksOf(wide)).sort()).toEqual(['ball', 'crate', 'door', 'floor', 'hero'])
    expect(Object.keys(looksOf(await drawn('overlap?bounds=-10,2,-5,3', request)))).not.toContain('crate')
    const xs = (svg: string) => coordinates(/data-id="crate">.*? d="([^"]*)"/.exec(svg)?.[1] ?? '')
    const down = await drawn('overlap?bounds=-10,-1,10,9&yDown=true', request)
    expect(xs(down)).toEqual(xs(wide).map(([x, y]) => [x, y === 0 ? 0 : -y]))
  })

  it.each([
    ['?bounds=1,0,0,1', 422, 'aabb-inverted'],
    ['?bounds=0,0,1e200,1', 422, 'coordinate-out-of-range'],
    ['?bounds=NaN,0,1,1', 400, 'schema-violation'],
    ['?bounds=0,0,1', 400, 'schema-violation'],
    ['?width=8', 400, 'schema-violation'],
    ['?height=100', 400, 'schema-violation'],
  ])('says what is wrong, in either form: %s', async (parameters, status, code) => {
    for (const accept of [SVG, 'application/json']) {
      for (const [path, body] of [
        ['cellar/pairs', {}],
        ['cellar/batch', { queries: [] }],
      ] as const) {
        const answer = await ask(`${path}${parameters}`, body, accept)
        expect([answer.status, JSON.parse(answer.text).code]).toEqual([status, code])
      }
    }
  })

  it('leaves problems as they are', async () => {
    for (const [path, body, code] of [
      ['cellar/overlap', { bodyId: 'nobody' }, 'body-not-found'],
      ['cellar/overlap', {}, 'schema-violation'],
      ['cellar/move', { bodyId: 'hero' }, 'schema-violation'],
      ['nowhere/pairs', {}, 'scene-not-found'],
    ] as const) {
      const [picture, numbers] = [await ask(path, body), await ask(path, body, 'application/json')]
      expect(picture.headers['content-type']).toContain('application/problem+json')
      expect([picture.status, JSON.parse(picture.text).code]).toEqual([numbers.status, code])
    }
  })

  it('writes whatever ids there may be so that they are text', async () => {
    const id = `${'a:b.c-d_e'.repeat(14)}zz`
    const scene = await client.createScene([{ id, shape: { type: 'circle', radius: 1 }, tags: ['</svg><script>'] }])
    const svg = await drawn('overlap', { point: { x: 0, y: 0 } }, scene)
    expect(looksOf(svg)).toEqual({ [id]: 'met' })
    expect(svg).not.toContain('script')
  })

  it('says that the answer is cut short', async () => {
    const svg = await drawn('pairs', { limit: 1 })
    expect(/<desc>([^<]*)/.exec(svg)?.[1]).toContain('The answer is cut short by the limit: there are more.')
    expect(looksOf(svg)).toMatchObject({ crate: 'met', floor: 'met' })
  })

  it('is of bounded size, however much is met', async () => {
    const bodies = Array.from({ length: 4000 }, (_, i) => ({
      id: `b${i}`,
      shape: { type: 'box', width: 1, height: 1 },
      position: { x: (i % 80) * 2, y: Math.floor(i / 80) * 2 },
    }))
    const scene = await client.createScene(bodies)
    const svg = await drawn(
      'overlap',
      { aabb: { min: { x: -10_000, y: -10_000 }, max: { x: 10_000, y: 10_000 } } },
      scene,
    )
    expect(heading(svg)).toBe('The box meets 4000 bodies.')
    expect(svg).toMatch(/Of 4000 bodies in sight: \d+ drawn whole, \d+ as specks\./)
    expect(svg.length).toBeLessThan(400_000)
    // what is met stands out as specks, too
    expect(svg).toContain(
      `fill="${SHAPE_LOOKS['speck-of-met'].fill}" fill-opacity="${SHAPE_LOOKS['speck-of-met'].opacity}"`,
    )
  })

  it('draws shapes that are kept as text, and those of requests', async () => {
    const vertices = Array.from({ length: 3000 }, (_, i) => ({
      x: Math.cos((i * Math.PI) / 1500) * 5.123456789,
      y: Math.sin((i * Math.PI) / 1500) * 5.123456789,
    }))
    const scene = await client.createScene([{ id: 'wheel', shape: { type: 'region', outer: vertices } }])
    const probe = { shape: { type: 'chain', vertices }, position: { x: 1, y: 0 } }
    const svg = await drawn('overlap', { body: probe }, scene)
    expect(looksOf(svg)).toEqual({ wheel: 'met' })
    expect(shapes(svg, 'a')[0].length).toBeGreaterThan(10_000)
    const moved = await drawn('separate', { bodyId: 'wheel', pose: { position: { x: 1, y: 0 } } }, scene)
    expect(looksOf(moved)).toEqual({ wheel: 'asked' })
  })
})

describe('batches', () => {
  const queries = [
    { op: 'nearest', point: { x: 4, y: 1 } },
    { op: 'overlap', point: { x: 8, y: 1 } },
    { op: 'overlap', bodyId: 'nobody' },
    { op: 'dance' },
  ]

  it('are pictures one below the other, and problems in their place', async () => {
    const svg = await drawn('batch', { queries })
    expect(svg).toContain('<title>batch in scene cellar, version 2</title>')
    const found = texts(svg).filter((text) => /^\d\. /.test(text) && !text.includes(': at '))
    expect(found).toEqual([
      '1. nearest: Nearest is floor, at 1.',
      '2. overlap: The point overlaps crate.',
      '3. overlap: body-not-found',
      '4. query: schema-violation',
    ])
    const tops = [...svg.matchAll(/<svg x="0" y="(\d+)" width="800" height="(\d+)"/g)].map(([, y, height]) => [
      Number(y),
      Number(height),
    ])
    expect(tops).toHaveLength(4)
    const below = tops.map((_, i) => tops.slice(0, i).reduce((sum, [, height]) => sum + height, 0))
    expect(tops.map(([y]) => y)).toEqual(below)
  })

  it(`has at most ${MOST_STACKED}, and says how many more there are`, async () => {
    const many = await drawn('batch', { queries: Array.from({ length: MOST_STACKED + 3 }, () => queries[1]) })
    expect([...many.matchAll(/<svg x="0"/g)]).toHaveLength(MOST_STACKED + 1)
    expect(many).toContain('… and 3 more queries.')
    expect(await drawn('batch', { queries: [] })).toContain('There are no queries.')
  })

  it('have the version as their ETag, and no picture where they come as lines', async () => {
    expect((await ask('cellar/batch', { queries })).headers.etag).toEqual(tagged(2))
    const lines = await ask('cellar/batch', queries[0], SVG, { 'content-type': 'application/x-ndjson' })
    expect([lines.status, JSON.parse(lines.text).code]).toEqual([406, 'not-acceptable'])
    const refused = await ask('cellar/batch', [], SVG)
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([400, 'schema-violation'])
  })
})
