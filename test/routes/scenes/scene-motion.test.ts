import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleBodies } from '../../../schemas/scenes/scene.ts'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'

let client: SceneClient
let scene: string
beforeAll(async () => {
  client = await startScenes({ MAX_RESULTS: '20', MAX_BATCH: '5', MAX_TARGETS: '6', MAX_IMPACTS: '600' })
  scene = await client.createScene(exampleBodies)
})
afterAll(() => client.close())

const ask = (op: string, request: unknown, sceneId = scene) => client.send('POST', `/${sceneId}/${op}`, request)
const answer = async (op: string, request: unknown, sceneId = scene) => {
  const { status, body, text } = await ask(op, request, sceneId)
  if (status !== 200) throw new Error(text)
  return body
}
const problem = async (op: string, request: unknown, sceneId = scene) => {
  const { status, body } = await ask(op, request, sceneId)
  return [status, body.code, body.errors?.[0].pointer]
}
const hits = ({ hits: list }: { hits: { id: string }[] }) => list.map(({ id }) => id)
const stateless = async (op: string, payload: object) =>
  (await client.app.inject({ method: 'POST', url: `/v1/2d/${op}`, payload })).json()

const disc = (x: number, y: number, radius = 0.5) => ({ shape: { type: 'circle', radius }, position: { x, y } })
const wall = (x: number) => ({ shape: { type: 'box', width: 1, height: 10 }, position: { x, y: 0 } })
const bar = { shape: { type: 'segment', a: { x: -3, y: 0 }, b: { x: 3, y: 0 } } }

describe('ray-cast', () => {
  const down = (x: number) => ({ origin: { x, y: 9 }, direction: { x: 0, y: -2 } })

  it('casts one ray', async () => {
    const { hits: found, ...rest } = await answer('ray-cast', { ray: down(8) })
    expect(rest).toEqual({ version: 2, truncated: false })
    const targets = exampleBodies.map(({ shape, ...body }) => ({
      shape,
      ...('position' in body && { position: body.position }),
    }))
    const expected = await stateless('ray-cast', { ray: down(8), targets })
    expect(found.map(({ id, ...hit }: { id: string }) => ({ target: 1, ...hit }))).toEqual(expected.hits)
    expect(hits({ hits: found })).toEqual(['crate'])
  })

  it('has modes, an order and a limit', async () => {
    expect(hits(await answer('ray-cast', { ray: down(8), mode: 'all' }))).toEqual(['crate', 'floor'])
    expect(hits(await answer('ray-cast', { ray: down(8), mode: 'any' }))).toEqual(['crate'])
    const cut = await answer('ray-cast', { ray: down(8), mode: 'all', limit: 1 })
    expect(cut).toMatchObject({ hits: [{ id: 'crate' }], truncated: true })
    expect(await answer('ray-cast', { ray: down(8), limit: 1 })).toMatchObject({ truncated: false })
    const filter = { tags: { any: ['wall'] } }
    expect(hits(await answer('ray-cast', { ray: down(8), filter }))).toEqual(['floor'])
    expect(hits(await answer('ray-cast', { ray: { ...down(8), maxDistance: 6.5 } }))).toEqual([])
    const inside = { origin: { x: 8, y: 1 }, direction: { x: 0, y: -1 } }
    expect(hits(await answer('ray-cast', { ray: inside, startInside: 'ignore' }))).toEqual(['floor'])
  })

  it('casts many rays, each as if alone', async () => {
    const rays = [down(8), down(50), down(-9), down(0)]
    const { results, ...rest } = await answer('ray-cast', { rays, mode: 'all' })
    expect(rest).toEqual({ version: 2, truncated: false })
    const each = await Promise.all(rays.map((ray) => answer('ray-cast', { ray, mode: 'all' })))
    expect(results).toEqual(each.map(({ hits: list, truncated }) => ({ hits: list, truncated })))
    expect(results.map(hits)).toEqual([['crate', 'floor'], [], ['door', 'floor'], ['hero', 'floor']])
    const cut = await answer('ray-cast', { rays, mode: 'all', limit: 1 })
    expect(cut.truncated).toBe(true)
    expect(cut.results.map(({ truncated }: { truncated: boolean }) => truncated)).toEqual([true, false, true, true])
    expect(await answer('ray-cast', { rays: [] })).toEqual({ version: 2, results: [], truncated: false })
  })

  it('gives no more hits of all rays than the service gives', async () => {
    const own = await client.createScene(Array.from({ length: 15 }, (_, i) => ({ id: `w${i}`, ...wall(i) })))
    const ray = { origin: { x: -5, y: 0 }, direction: { x: 1, y: 0 } }
    const { results } = await answer('ray-cast', { rays: [ray, ray, ray], mode: 'all' }, own)
    expect(results.map(({ hits: list }: { hits: [] }) => list.length)).toEqual([15, 5, 0])
    expect(results.map(({ truncated }: { truncated: boolean }) => truncated)).toEqual([false, true, true])
  })

  it('has problems', async () => {
    const zero = { origin: { x: 0, y: 0 }, direction: { x: 0, y: 0 } }
    expect(await problem('ray-cast', {})).toEqual([400, 'schema-violation', '#'])
    expect(await problem('ray-cast', { ray: down(0), rays: [] })).toEqual([400, 'schema-violation', '#/rays'])
    expect(await problem('ray-cast', { ray: zero })).toEqual([422, 'ray-direction-zero', '#/ray/direction'])
    expect(await problem('ray-cast', { rays: [down(0), zero] })).toEqual([
      422,
      'ray-direction-zero',
      '#/rays/1/direction',
    ])
    const { status, body } = await ask('ray-cast', { rays: Array.from({ length: 6 }, () => down(0)) })
    expect([status, body.code, body.limit, body.actual]).toEqual([413, 'too-many-rays', 5, 6])
  })
})

describe('shape-cast', () => {
  it('casts a body', async () => {
    const cast = { body: disc(8, 6), translation: { x: 0, y: -8 }, mode: 'all' }
    const found = await answer('shape-cast', cast)
    expect(hits(found)).toEqual(['crate', 'floor'])
    const { shape, position } = exampleBodies[1]
    const [{ target: _, ...expected }] = (await stateless('shape-cast', { ...cast, targets: [{ shape, position }] }))
      .hits
    expect(found.hits[0]).toEqual({ id: 'crate', ...expected })
    expect(await answer('shape-cast', { ...cast, limit: 1 })).toMatchObject({
      truncated: true,
      hits: [{ id: 'crate' }],
    })
    expect(
      hits(await answer('shape-cast', { ...cast, mode: 'closest', filter: { ids: { exclude: ['crate'] } } })),
    ).toEqual(['floor'])
  })

  it('leaves a body of the scene itself out', async () => {
    const cast = { bodyId: 'hero', translation: { x: 20, y: 0 }, ignoreSeparating: true, mode: 'all' }
    expect(hits(await answer('shape-cast', cast))).toEqual(['crate'])
    const pose = { position: { x: 3, y: 8 } }
    expect(hits(await answer('shape-cast', { ...cast, pose, translation: { x: 5, y: -7 } }))).toEqual(['crate'])
    expect(await problem('shape-cast', { ...cast, translation: { x: 1e101, y: 0 } })).toEqual([
      422,
      'coordinate-out-of-range',
      '#/translation/x',
    ])
  })
})

describe('time-of-impact', () => {
  it('gives first impacts in the order of time, then of ids', async () => {
    const mover = { id: 'm', ...disc(0, 0), velocity: { x: 1, y: 0 } }
    const own = await client.createScene([
      { id: 'z', ...wall(6) },
      { id: 'a', ...wall(6) },
      { id: 'n', ...disc(3, 0), velocity: { x: -1, y: 0 } },
      { id: 'ghost', ...disc(2, 0), sensor: true },
      mover,
    ])
    const { impacts, truncated } = await answer('time-of-impact', { duration: 10, filter: { sensors: 'exclude' } }, own)
    expect(truncated).toBe(false)
    expect(impacts.map(({ a, b, time }: { a: string; b: string; time: number }) => [a, b, time])).toEqual([
      ['m', 'n', 1],
      ['a', 'm', 5],
      ['m', 'z', 5],
    ])
    const { id: _, ...b } = mover
    const { hit: __, ...expected } = await stateless('time-of-impact', { a: wall(6), b, duration: 10 })
    expect(impacts[1]).toEqual({ a: 'a', b: 'm', ...expected })
    const cut = await answer('time-of-impact', { duration: 10, limit: 1 }, own)
    expect(cut).toMatchObject({ truncated: true, impacts: [{ a: 'ghost', b: 'n', time: 0 }] })
    expect((await answer('time-of-impact', { duration: 0.5, ignoreSeparating: true }, own)).impacts).toHaveLength(1)
    expect(await problem('time-of-impact', { duration: 1e101 }, own)).toEqual([
      422,
      'coordinate-out-of-range',
      '#/duration',
    ])
  })
})

describe('trajectory', () => {
  const ball = { ...disc(0, 0), velocity: { x: 4, y: 0 } }

  it('follows a body', async () => {
    const own = await client.createScene([
      { id: 'right', ...wall(5) },
      { id: 'left', ...wall(-5) },
    ])
    const path = await answer('trajectory', { body: ball, duration: 4 }, own)
    expect(path.bounces.map(({ id, time }: { id: string; time: number }) => [id, time])).toEqual([
      ['right', 1],
      ['left', 3],
    ])
    expect(path.bounces[0]).not.toHaveProperty('obstacle')
    expect(path).toMatchObject({ status: 'completed', end: { position: { x: 0, y: 0 } }, truncated: false })
    const expected = await stateless('trajectory', { body: ball, obstacles: [wall(5), wall(-5)], duration: 4 })
    expect(path.end).toEqual(expected.end)
    expect(await answer('trajectory', { body: ball, duration: 4, limit: 1 }, own)).toMatchObject({
      bounces: [{ id: 'right' }],
      truncated: true,
      end: { position: { x: 0, y: 0 } },
    })
    const filter = { ids: { exclude: ['left'] } }
    expect((await answer('trajectory', { body: ball, duration: 9, filter }, own)).bounces).toHaveLength(1)
  })

  it('follows a body of the scene, with its velocity or another', async () => {
    expect(await answer('trajectory', { bodyId: 'ball', duration: 2 })).toMatchObject({ bounces: [{ time: 1.75 }] })
    const other = { bodyId: 'ball', duration: 2, velocity: { x: 0, y: -4 } }
    expect(await answer('trajectory', other)).toMatchObject({ bounces: [{ time: 0.875 }] })
    expect(await problem('trajectory', { ...other, velocity: { x: 0, y: 1e101 } })).toEqual([
      422,
      'coordinate-out-of-range',
      '#/velocity/y',
    ])
    expect(await problem('trajectory', { body: ball, duration: 1, velocity: { x: 0, y: 1 } })).toEqual([
      400,
      'schema-violation',
      '#/velocity',
    ])
  })

  it('takes nothing that spins, neither the body nor what it may come near', async () => {
    const own = await client.createScene([
      { id: 'fan', ...bar, position: { x: 0, y: 4 }, angularVelocity: 2 },
      { id: 'wheel', ...disc(5, 0), angularVelocity: 2 },
      { id: 'stick', ...bar, position: { x: 0, y: -50 } },
    ])
    const along = (y: number) => ({ body: { ...ball, position: { x: -9, y } }, duration: 4 })
    expect(await answer('trajectory', along(0), own)).toMatchObject({ status: 'completed' })
    // above the bar as it stands, below it, and where its ends come by
    expect(await problem('trajectory', along(4), own)).toEqual([422, 'trajectory-spinning', '#/filter'])
    expect(await problem('trajectory', along(1.5), own)).toEqual([422, 'trajectory-spinning', '#/filter'])
    const filter = { ids: { exclude: ['fan'] } }
    expect(await answer('trajectory', { ...along(1.5), filter }, own)).toMatchObject({ status: 'completed' })
    expect(await problem('trajectory', { bodyId: 'fan', duration: 1 }, own)).toEqual([
      422,
      'trajectory-spinning',
      '#/bodyId',
    ])
    const spun = { body: { ...bar, angularVelocity: 1 }, duration: 1 }
    expect(await problem('trajectory', spun, own)).toEqual([422, 'trajectory-spinning', '#/body/angularVelocity'])
  })

  it('has limits', async () => {
    const chain = {
      type: 'chain',
      vertices: [
        { x: 0, y: 0 },
        { x: 1, y: 0 },
      ],
    }
    const own = await client.createScene([
      { id: 'line', shape: chain, position: { x: 0, y: 90 } },
      ...Array.from({ length: 8 }, (_, i) => ({ id: `w${i}`, ...wall(3 + 2 * i) })),
    ])
    expect(await problem('trajectory', { body: { shape: chain }, duration: 1 }, own)).toEqual([
      422,
      'body-not-convex',
      '#/body/shape/type',
    ])
    expect(await problem('trajectory', { bodyId: 'line', duration: 1 }, own)).toEqual([
      422,
      'body-not-convex',
      '#/bodyId',
    ])
    // 6 obstacles at most, and 600 bounces times obstacles
    const { status, body } = await ask('trajectory', { body: ball, duration: 9, maxBounces: 1 }, own)
    expect([status, body.code, body.limit]).toEqual([413, 'too-many-obstacles', 6])
    const short = { body: ball, duration: 9, maxBounces: 300 }
    expect((await ask('trajectory', short, own)).body).toMatchObject({ code: 'too-many-obstacles', limit: 2 })
    expect(await answer('trajectory', { ...short, duration: 0.25, maxBounces: 100 }, own)).toMatchObject({
      bounces: [],
    })
  })
})

describe('move', () => {
  it('slides along the floor and stops at the crate', async () => {
    const walk = { bodyId: 'hero', translation: { x: 9, y: -1 }, filter: { sensors: 'exclude' } }
    expect(await answer('move', walk)).toMatchObject({
      status: 'blocked',
      position: { x: 6.5, y: 0 },
      truncated: false,
    })
    expect(await answer('move', { ...walk, limit: 1 })).toMatchObject({ contacts: [{ id: 'floor' }], truncated: true })
    expect(await answer('move', { ...walk, maxSlides: 0 })).toMatchObject({
      status: 'max-slides',
      position: { x: 0, y: 0 },
      remaining: { x: 9, y: -1 },
    })
    // nothing has moved
    expect(await answer('move', walk)).toMatchObject({
      version: 2,
      path: [
        { x: 0, y: 0 },
        { x: 6.5, y: 0 },
      ],
    })
  })

  it('climbs no steeper than it may', async () => {
    const slope = {
      type: 'polygon',
      vertices: [
        { x: 0, y: 0 },
        { x: 10, y: 0 },
        { x: 10, y: 10 },
      ],
    }
    const own = await client.createScene([{ id: 'slope', shape: slope }])
    const walk = { body: disc(-1, 0.5), translation: { x: 5, y: 0 } }
    const free = await answer('move', walk, own)
    expect(free.position.y).toBeGreaterThan(1)
    const steep = await answer('move', { ...walk, maxSlope: 0.5 }, own)
    expect(steep).toMatchObject({ status: 'blocked', position: { y: 0.5 } })
    expect((await answer('move', { ...walk, maxSlope: 1 }, own)).position).toEqual(free.position)
    expect((await answer('move', { ...walk, maxSlope: 0.5, up: { x: 0, y: -3 } }, own)).position).toEqual(free.position)
    expect(await problem('move', { ...walk, up: { x: 0, y: 1 } }, own)).toEqual([400, 'schema-violation', '#/up'])
    expect(await problem('move', { ...walk, up: { x: 0, y: 0 }, maxSlope: 1 }, own)).toEqual([
      422,
      'direction-zero',
      '#/up',
    ])
  })

  it('steps, keeps to the ground, and says what it stands on', async () => {
    const own = await client.createScene([
      { id: 'floor', shape: { type: 'box', width: 20, height: 2 }, position: { x: 0, y: -1 } },
      { id: 'step', shape: { type: 'box', width: 2, height: 0.5 }, position: { x: 3, y: 0.25 } },
    ])
    const walk = { body: disc(0, 0.5, 0.5), translation: { x: 3, y: 0 }, maxSlope: 0.5 }
    expect(await answer('move', walk, own)).not.toHaveProperty('ground')
    const held = await answer('move', { ...walk, snapToGround: 0 }, own)
    expect(held).toMatchObject({ status: 'blocked', ground: { id: 'floor', normal: { x: 0, y: 1 } } })
    const stepped = await answer('move', { ...walk, stepHeight: 0.5, snapToGround: 0.5 }, own)
    expect(stepped).toMatchObject({ status: 'completed', position: { x: 3, y: 1 }, ground: { id: 'step' } })
    expect(stepped.path.map(({ y }: { y: number }) => y)).toEqual([0.5, 0.5, 1, 1, 1])
    const on = { ...walk, body: disc(3, 1, 0.5) }
    expect((await answer('move', { ...on, snapToGround: 0.5 }, own)).position).toEqual({ x: 6, y: 0.5 })
    expect(await answer('move', { ...on, snapToGround: 0.25 }, own)).toMatchObject({
      position: { x: 6, y: 1 },
      ground: null,
    })
    expect((await answer('move', { ...on, snapToGround: 1e300, translation: { x: 9, y: 1 } }, own)).position.y).toBe(2)
    expect(await problem('move', { ...walk, stepHeight: -1 }, own)).toEqual([400, 'schema-violation', '#/stepHeight'])
    expect(await problem('move', { ...walk, snapToGround: '1' }, own)).toEqual([
      400,
      'schema-violation',
      '#/snapToGround',
    ])
  })

  it('gets out of what it stands in first', async () => {
    const walk = { bodyId: 'hero', pose: { position: { x: 3, y: -0.25 } }, translation: { x: -1, y: 0 } }
    expect(await answer('move', walk)).toMatchObject({
      status: 'completed',
      position: { x: 2, y: 0 },
      separation: { separated: true, translation: { x: 0, y: 0.25 }, exact: true, bodies: ['floor'] },
    })
  })
})

describe('separate', () => {
  it('gives the least translation out of everything', async () => {
    expect(await answer('separate', { bodyId: 'hero' })).toMatchObject({ translation: { x: 0, y: 0 }, bodies: [] })
    const deep = { bodyId: 'hero', pose: { position: { x: 6.75, y: -0.25 } } }
    const found = await answer('separate', { ...deep, limit: 1 })
    expect(found).toMatchObject({ separated: true, bodies: ['crate'], truncated: true, position: { x: 6.5, y: 0 } })
    const filter = { ids: { exclude: ['crate'] } }
    expect(await answer('separate', { ...deep, filter })).toMatchObject({ position: { x: 6.75, y: 0 } })
  })

  it.each([
    ['move', { translation: { x: 1, y: 0 } }],
    ['separate', {}],
    ['snap', { maxDistance: 1 }],
    ['place', {}],
    ['drop', { direction: { x: 1, y: 0 } }],
  ])('%s takes what has bounds', async (op, rest) => {
    const half = { shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 } }
    const own = await client.createScene([{ id: 'half', ...half }])
    expect(await problem(op, { body: half, ...rest }, own)).toEqual([422, 'shape-unbounded', '#/body/shape'])
    expect(await problem(op, { bodyId: 'half', ...rest }, own)).toEqual([422, 'shape-unbounded', '#/bodyId'])
  })
})

describe('snap', () => {
  const box = { shape: { type: 'box', width: 1, height: 1 }, position: { x: 8, y: 2.75 } }

  it('lays sides on sides, and names both', async () => {
    const { candidates, truncated } = await answer('snap', { body: box, maxDistance: 0.5, features: ['edge'] })
    expect(truncated).toBe(false)
    expect(candidates).toEqual([
      {
        translation: { x: 0, y: -0.25 },
        rotation: 0,
        position: { x: 8, y: 2.5 },
        distance: 0.25,
        feature: { kind: 'edge', index: 0 },
        id: 'crate',
        target: { kind: 'edge', index: 2 },
      },
    ])
    const lots = await answer('snap', { body: box, maxDistance: 9, rotate: true, limit: 2 })
    expect([lots.candidates.length, lots.truncated]).toEqual([2, true])
  })

  it('refuses a grid without cells, and none where one is asked for', async () => {
    const onto = { body: box, maxDistance: 1, features: ['center', 'grid'] }
    expect(await problem('snap', onto)).toEqual([400, 'schema-violation', '#/grid'])
    expect(await problem('snap', { ...onto, grid: { size: { x: 0, y: 1 } } })).toEqual([
      400,
      'schema-violation',
      '#/grid/size',
    ])
    const grid = { size: { x: 1, y: 1 } }
    expect((await answer('snap', { ...onto, grid })).candidates[0]).toMatchObject({
      position: { x: 8, y: 3 },
      id: null,
    })
  })

  it('brings the corners of the box around a body onto the grid where no other feature is named, or it has none', async () => {
    const grid = { size: { x: 1, y: 1 } }
    const snapped = (shape: object, extra: object) =>
      answer('snap', { body: { shape, position: { x: 3.125, y: 20.25 } }, maxDistance: 0.5, grid, ...extra })
    const { candidates } = await snapped({ type: 'box', width: 1, height: 1 }, { features: ['grid'] })
    expect(candidates[0]).toMatchObject({
      position: { x: 3.5, y: 20.5 },
      feature: { kind: 'corner', index: 0 },
      id: null,
      target: { kind: 'grid', index: 0 },
    })
    for (const [shape, position] of [
      [
        { type: 'circle', radius: 0.5 },
        { x: 3.5, y: 20.5 },
      ],
      [
        { type: 'ellipse', rx: 0.5, ry: 1.5 },
        { x: 3.5, y: 20.5 },
      ],
      [{ type: 'point' }, { x: 3, y: 20 }],
      [
        {
          type: 'chain',
          vertices: [
            { x: 0, y: 0 },
            { x: 1, y: 2 },
          ],
        },
        { x: 3, y: 20 },
      ],
    ] as const) {
      expect((await snapped(shape, { features: ['grid'] })).candidates[0]).toMatchObject({ position })
      if (shape.type !== 'circle') continue
      expect((await snapped(shape, {})).candidates[0]).toMatchObject({ position })
    }
  })
})

describe('place', () => {
  it('gives the nearest free place, where that is near enough', async () => {
    const free = { position: { x: 3, y: 0 }, translation: { x: 0, y: 0 }, distance: 0, exact: true }
    const at = (x: number, y: number) => ({ bodyId: 'hero', pose: { position: { x, y } } })
    expect(await answer('place', at(3, 0))).toEqual({ version: 2, ...free, truncated: false })
    expect(await answer('place', at(6.75, 0))).toMatchObject({ position: { x: 6.5, y: 0 }, distance: 0.25 })
    const none = { position: null, translation: null, distance: null, exact: true }
    expect(await answer('place', { ...at(6.75, 0), maxDistance: 0.125 })).toEqual({
      version: 2,
      ...none,
      truncated: false,
    })
    const filter = { ids: { exclude: ['crate'] } }
    expect(await answer('place', { ...at(6.75, 0), filter })).toMatchObject({ distance: 0 })
  })
})

describe('drop', () => {
  const box = { shape: { type: 'box', width: 1, height: 1 }, position: { x: 8, y: 6 } }
  const down = { direction: { x: 0, y: -5 } }

  it('lands on what is below', async () => {
    const landed = { status: 'landed', position: { x: 8, y: 2.5 }, distance: 3.5, contact: { id: 'crate' } }
    expect(await answer('drop', { body: box, ...down })).toMatchObject({ ...landed, rotation: 0, aligned: false })
    const tilted = { body: { ...box, rotation: 0.25 }, ...down }
    expect(await answer('drop', { ...tilted, align: 'face' })).toMatchObject({ ...landed, rotation: 0, aligned: true })
    expect(await answer('drop', tilted)).toMatchObject({ status: 'landed', rotation: 0.25, aligned: false })
    expect(
      await answer('drop', { bodyId: 'hero', pose: { position: { x: 3, y: 9 }, rotation: 0 }, ...down }),
    ).toMatchObject({
      status: 'landed',
      position: { x: 3, y: 0 },
      contact: { id: 'floor' },
    })
  })

  it('says that nothing is below', async () => {
    const nothing = { position: null, rotation: null, distance: null, aligned: false, contact: null, separation: null }
    const up = { body: box, direction: { x: 0, y: 1 }, align: 'normal' }
    expect(await answer('drop', up)).toEqual({ version: 2, status: 'nothing-below', ...nothing, truncated: false })
    const inside = { body: { ...box, position: { x: 8, y: 1 } }, ...down }
    expect(await answer('drop', inside)).toMatchObject({ status: 'started-overlapping', ...nothing })
  })

  it('refuses a direction of no length, and a turn of what cannot be turned', async () => {
    expect(await problem('drop', { body: box, direction: { x: 0, y: 0 } })).toEqual([
      422,
      'direction-zero',
      '#/direction',
    ])
    const aabb = { shape: { type: 'aabb', min: { x: 0, y: 6 }, max: { x: 1, y: 7 } } }
    expect((await answer('drop', { body: aabb, ...down })).status).toBe('landed')
    const compound = { shape: { type: 'compound', children: [aabb] } }
    for (const body of [aabb, compound]) {
      expect(await problem('drop', { body, ...down, align: 'face' })).toEqual([422, 'aabb-rotated', '#/align'])
      const turning = { body, maxDistance: 1, rotate: true }
      expect(await problem('snap', turning)).toEqual([422, 'aabb-rotated', '#/rotate'])
    }
    const { detail } = (await ask('drop', { body: aabb, ...down, align: 'face' })).body
    expect(detail).toBe('align turns the body, and an aabb does not turn: leave align out, or use a box or a polygon.')
  })
})

describe('line-of-sight', () => {
  it('names what is in the way', async () => {
    const own = await client.createScene([
      { id: 'eye', ...disc(0, 0) },
      { id: 'near', ...wall(3) },
      { id: 'far', ...wall(6) },
      { id: 'target', ...disc(9, 0) },
    ])
    const look = { bodyId: 'eye', targets: [{ bodyId: 'target' }, { bodyId: 'near' }, { point: { x: 0, y: 20 } }] }
    const { sights, truncated } = await answer('line-of-sight', look, own)
    expect(truncated).toBe(false)
    expect(sights).toMatchObject([
      {
        visible: false,
        distance: 8.5,
        point: { x: 8.5, y: 0 },
        occluders: [{ id: 'near', distance: 2.5 }, { id: 'far' }],
      },
      { visible: true, distance: 2.5, occluders: [] },
      { visible: true, distance: 20, occluders: [] },
    ])
    const cut = await answer('line-of-sight', { ...look, limit: 1 }, own)
    expect(cut).toMatchObject({ truncated: true, sights: [{ occluders: [{ id: 'near' }], truncated: true }, {}, {}] })
    const filter = { ids: { exclude: ['near', 'far'] } }
    expect((await answer('line-of-sight', { ...look, filter }, own)).sights[0].visible).toBe(true)
  })

  it('has problems', async () => {
    const point = { x: 0, y: 5 }
    expect(await problem('line-of-sight', { targets: [] })).toEqual([400, 'schema-violation', '#'])
    expect(await problem('line-of-sight', { point, targets: [{ point }, {}] })).toEqual([
      400,
      'schema-violation',
      '#/targets/1',
    ])
    expect(await problem('line-of-sight', { point, targets: [{ point }, { bodyId: 'nobody' }] })).toEqual([
      404,
      'body-not-found',
      '#/targets/1/bodyId',
    ])
    expect(await problem('line-of-sight', { bodyId: 'nobody', targets: [] })).toEqual([
      404,
      'body-not-found',
      '#/bodyId',
    ])
    const { body } = await ask('line-of-sight', { point, targets: Array.from({ length: 7 }, () => ({ point })) })
    expect(body).toMatchObject({ code: 'too-many-targets', limit: 6, actual: 7 })
  })
})
