// The rules of a level, each on a scene that breaks it once, and the write that mends it.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'

let client: SceneClient
beforeAll(async () => {
  client = await startScenes()
})
afterAll(() => client.close())

interface Finding {
  rule: string
  name: string
  severity: string
  bodies: string[]
  point: { x: number; y: number } | null
  measure: number | null
  message: string
  fix: { kind: string; operations: { op: string; id: string; position?: { x: number; y: number } }[] } | null
}

const box = (id: string, x: number, y: number, width = 1, height = 1, more: object = {}) => ({
  id,
  shape: { type: 'box', width, height },
  position: { x, y },
  ...more,
})
const floor = box('floor', 0, -0.5, 100, 1, { tags: ['wall'] })
const down = { x: 0, y: -1 }
const props = { tags: { none: ['wall'] } }

async function lint(bodies: readonly object[], rules: readonly object[] | undefined, more: object = {}) {
  const id = await client.createScene(bodies)
  const { status, body, text } = await client.send('POST', `/${id}/lint`, { ...(rules && { rules }), ...more })
  if (status !== 200) throw new Error(text)
  return body as { findings: Finding[]; counts: Record<string, number>; truncated: boolean }
}
const found = async (bodies: readonly object[], rule: object, more: object = {}) => {
  const { findings } = await lint(bodies, [rule], more)
  return findings
}

describe('rules', () => {
  it('overlap: measures the depth, and separates the smaller one', async () => {
    const [one, ...rest] = await found([floor, box('crate', 3, 0.25), box('other', 9, 0.5)], { rule: 'overlap' })
    expect(rest).toEqual([])
    expect(one).toMatchObject({
      severity: 'warning',
      bodies: ['crate', 'floor'],
      measure: 0.25,
      message: 'crate and floor overlap by 0.25.',
      fix: { kind: 'separate', operations: [{ op: 'move', id: 'crate', position: { x: 3, y: 0.5 } }] },
    })
    expect(await found([floor, box('crate', 3, 0.25)], { rule: 'overlap', deeperThan: 0.25 })).toEqual([])
    expect(await found([floor, box('crate', 3, 0.25)], { rule: 'overlap', filter: props, against: props })).toEqual([])
  })

  it('inside-solid: of a body or of its position', async () => {
    const wall = box('wall', 0, 5, 4, 4, { tags: ['wall'] })
    const rule = { rule: 'inside-solid', filter: props, against: { tags: { any: ['wall'] } } }
    const bodies = [wall, box('in', 1, 5), box('edge', 2, 8), box('half', 2.25, 5.5), box('out', 9, 9)]
    const all = await found(bodies, rule)
    expect(all.map(({ bodies: [id], measure }) => [id, measure])).toEqual([
      ['half', 0.25],
      ['in', 1.5],
    ])
    const points = await found(bodies, { ...rule, of: 'position' })
    expect(points.map(({ bodies: [id] }) => id)).toEqual(['in'])
    expect(points[0]).toMatchObject({ severity: 'error', measure: null, point: { x: 1, y: 5 } })
    // whose position is no part of it
    const ends = [
      { x: 20, y: 0 },
      { x: 21, y: 0 },
    ]
    const beside = { id: 'beside', shape: { type: 'segment', a: ends[0], b: ends[1] }, position: { x: 1, y: 5 } }
    expect(await found([wall, beside], { ...rule, of: 'position' })).toMatchObject([{ bodies: ['beside', 'wall'] }])
  })

  it('floating: measures the fall, and drops; what hangs over nothing has no fix', async () => {
    const bodies = [floor, box('up', 1, 2), box('on', 4, 0.5), box('over', 400, 3)]
    const rule = { rule: 'floating', filter: props }
    const floats = await found(bodies, rule, { down })
    expect(floats).toMatchObject([
      { bodies: ['over'], measure: null, fix: null, message: 'over floats: there is nothing below it.' },
      { bodies: ['up'], measure: 1.5, fix: { kind: 'drop', operations: [{ id: 'up', position: { x: 1, y: 0.5 } }] } },
    ])
    expect(await found(bodies, { ...rule, within: 1.5, down: { x: 0, y: -4 } })).toMatchObject([{ bodies: ['over'] }])
  })

  it('sunk: lifts onto what it stands in', async () => {
    const bodies = [floor, box('deep', 1, 0.25), box('on', 4, 0.5), box('buried', 8, -0.5)]
    expect(await found(bodies, { rule: 'sunk', filter: props }, { down })).toMatchObject([
      {
        bodies: ['deep', 'floor'],
        measure: 0.25,
        fix: { kind: 'drop', operations: [{ id: 'deep', position: { x: 1, y: 0.5 } }] },
      },
    ])
  })

  it('nearly-touching: gaps and overlaps, but not what touches', async () => {
    const gap = 2 ** -30
    const bodies = [
      box('a', 0, 0),
      box('b', 1 + gap, 0),
      box('c', 5, 0),
      box('d', 6, 0),
      box('e', 9, 0),
      box('f', 10 - gap, 0),
    ]
    const near = await found(bodies, { rule: 'nearly-touching' })
    expect(near).toMatchObject([
      {
        bodies: ['a', 'b'],
        measure: gap,
        fix: { kind: 'snap', operations: [{ id: 'a', position: { x: gap, y: 0 } }] },
      },
      {
        bodies: ['e', 'f'],
        measure: -gap,
        fix: { kind: 'snap', operations: [{ id: 'e', position: { x: 9 - gap, y: 0 } }] },
      },
    ])
    expect(await found(bodies, { rule: 'nearly-touching', within: gap / 2 })).toEqual([])
    const ulp = [box('a', 0, 0), box('b', 1 + 2 ** -52, 0)]
    expect(await found(ulp, { rule: 'nearly-touching' })).toEqual([])
    expect(await found(ulp, { rule: 'nearly-touching', moreThan: 0 })).toMatchObject([{ measure: 2 ** -52 }])
  })

  it('duplicate: the later ids are removed', async () => {
    const bodies = [box('b', 1, 1), box('a', 1, 1), box('c', 1, 2), box('d', 1, 1, 1, 1, { rotation: 1 })]
    expect(await found(bodies, { rule: 'duplicate' })).toMatchObject([
      { bodies: ['a', 'b'], measure: 1, fix: { kind: 'remove', operations: [{ op: 'remove', id: 'b' }] } },
    ])
  })

  it('sliver and degenerate', async () => {
    const thin = box('thin', 0, 0, 10, 2 ** -10, { rotation: 0.5 })
    const ramp = {
      id: 'ramp',
      shape: {
        type: 'polygon',
        vertices: [
          { x: 0, y: 0 },
          { x: 10, y: 10 },
          { x: 10, y: 10.001 },
        ],
      },
    }
    const slivers = await found([thin, ramp, box('fat', 9, 0)], { rule: 'sliver' })
    expect(slivers.map(({ bodies: [id] }) => id)).toEqual(['ramp', 'thin'])
    expect(slivers[1].measure).toBeCloseTo(2 ** -10, 12)
    // of a shape that is not convex that of the box, which is another for each turn
    const plank = { type: 'compound', children: [{ shape: { type: 'box', width: 8, height: 2 ** -8 } }] }
    const turned = [0.5, 0].map((rotation, k) => ({ id: `plank-${k}`, shape: plank, rotation }))
    const planks = await found(turned, { rule: 'sliver', thinnerThan: 2 ** -7 })
    expect(planks).toMatchObject([{ bodies: ['plank-1'], measure: 2 ** -8 }])
    const flat = { id: 'flat', shape: { type: 'compound', children: [{ shape: { type: 'circle', radius: 0 } }] } }
    const line = { id: 'line', shape: { type: 'segment', a: { x: 0, y: 0 }, b: { x: 1, y: 0 } } }
    const none = await found([flat, line, box('fat', 9, 0)], { rule: 'degenerate' })
    expect(none).toMatchObject([{ bodies: ['flat'], message: 'flat is a circle without area.' }])
  })

  it('invalid: what validate finds, where the body stands', async () => {
    const vertices = [
      { x: 0, y: 0 },
      { x: 1, y: 0 },
      { x: 2, y: 0 },
      { x: 2, y: 2 },
    ]
    const bodies = [{ id: 'p', shape: { type: 'polygon', vertices }, position: { x: 10, y: 0 } }, box('q', 0, 0)]
    const all = await found(bodies, { rule: 'invalid' })
    expect(all).toMatchObject([{ bodies: ['p'], measure: 1, point: { x: 11, y: 0 } }])
    expect(await found(bodies, { rule: 'invalid', kinds: ['spike'] })).toEqual([])
  })

  it('out-of-bounds: exactly, touching the side is within', async () => {
    const bounds = { min: { x: 0, y: 0 }, max: { x: 10, y: 10 } }
    const over = 2 ** -40
    const ball = { id: 'ball', shape: { type: 'circle', radius: 1 }, position: { x: 9 + over, y: 5 } }
    const at = { id: 'at', shape: { type: 'circle', radius: 1 }, position: { x: 9, y: 5 } }
    const all = await found([ball, at, box('low', 0.25, 5)], { rule: 'out-of-bounds', bounds })
    expect(all.map(({ bodies: [id], severity }) => [id, severity])).toEqual([
      ['ball', 'error'],
      ['low', 'error'],
    ])
    expect(all[1].message).toBe('low sticks out of the bounds by 0.25 at the low side of x.')
  })

  it('off-grid: positions, and vertices that one translation brings back', async () => {
    const bodies = [box('a', 1, 1), box('b', 1.25, 1), box('c', 1.5, 0.5)]
    expect(await found(bodies, { rule: 'off-grid', step: 1 })).toMatchObject([
      { bodies: ['b'], measure: 0.25, fix: { kind: 'snap', operations: [{ id: 'b', position: { x: 1, y: 1 } }] } },
      { bodies: ['c'], measure: 0.5 },
    ])
    const corners = await found(bodies, { rule: 'off-grid', step: 1, of: 'vertices' })
    expect(corners.map(({ bodies: [id] }) => id)).toEqual(['a', 'b'])
    expect(await found([box('t', 0.3, 0.6)], { rule: 'off-grid', step: 0.1 })).toEqual([])
  })

  it.each([{ step: 5e-324 }, { step: 0.3, origin: { x: 1.7e308, y: 0 } }])(
    'off-grid: nothing of a grid that is finer than numbers, as of %j',
    async (grid) => {
      expect(await found([box('a', 0.75, 0)], { rule: 'off-grid', ...grid })).toEqual([])
    },
  )

  it('line-of-sight and no-line-of-sight: each pair once', async () => {
    const eye = (id: string, x: number) => box(id, x, 1, 0.5, 0.5, { tags: ['eye'] })
    const bodies = [eye('a', 0), eye('b', 4), eye('c', 8), box('wall', 6, 1, 1, 5)]
    const eyes = { tags: { any: ['eye'] } }
    const rule = { filter: eyes, to: eyes, blockers: { tags: { none: ['eye'] } } }
    expect(await found(bodies, { rule: 'line-of-sight', ...rule })).toMatchObject([
      { bodies: ['a', 'b'], measure: 3.75 },
    ])
    expect(await found(bodies, { rule: 'no-line-of-sight', ...rule })).toMatchObject([
      { bodies: ['a', 'c', 'wall'], measure: 5.5 },
      { bodies: ['b', 'c', 'wall'], measure: 1.5 },
    ])
  })

  it('blocked-way: over a step, and against a wall', async () => {
    const bodies = [floor, box('step', 4, 0.125, 1, 0.25), box('wall', 8, 1, 1, 4)]
    const shape = { type: 'capsule', a: { x: 0, y: 0.5 }, b: { x: 0, y: 1.5 }, radius: 0.5 }
    const way = (...xs: number[]) => xs.map((x) => ({ x, y: 0 }))
    const rule = { rule: 'blocked-way', shape, down, stepHeight: 0.5, snapToGround: 0.5 }
    expect(await found(bodies, { ...rule, points: way(0, 6) })).toEqual([])
    expect(await found(bodies, { ...rule, points: way(0, 6, 9) })).toMatchObject([
      {
        severity: 'error',
        measure: 2,
        point: { x: 7, y: 0 },
        message: 'The way ends 2 short of point 2: wall is in the way.',
      },
    ])
  })

  it('unreachable: through a gap as wide as the body, exactly', async () => {
    const room = (gap: number) => [
      box('spawn', 0, 0, 0.1, 0.1, { tags: ['spawn'] }),
      box('goal', 6, 0, 0.1, 0.1, { tags: ['goal'] }),
      box('low', 3, -5 - gap / 2, 1, 10),
      box('high', 3, 5 + gap / 2, 1, 10),
      box('left', -3, 0, 1, 21),
      box('right', 9, 0, 1, 21),
      box('top', 3, 10, 13, 1),
      box('bottom', 3, -10, 13, 1),
    ]
    const rule = {
      rule: 'unreachable',
      shape: { type: 'box', width: 1, height: 1 },
      filter: { tags: { any: ['spawn'] } },
      to: { tags: { any: ['goal'] } },
      step: 0.5,
    }
    expect(await found(room(1), rule)).toEqual([])
    expect(await found(room(1 - 2 ** -40), rule)).toMatchObject([{ bodies: ['goal', 'spawn'], severity: 'error' }])
    expect((await found(room(1), { ...rule, maxCells: 4 }))[0].message).toContain('maxCells')
  })

  it('unreachable: among all, also where many stand in one cell', async () => {
    const point = (id: string, x: number) => ({ id, shape: { type: 'point' }, position: { x, y: 0 }, tags: ['end'] })
    const wall = { id: 'wall', shape: { type: 'box', width: 1, height: 9 }, position: { x: 2, y: 0 } }
    const around = { id: 'around', shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: -1 } }
    const ends = { tags: { any: ['end'] } }
    const rule = { rule: 'unreachable', filter: ends, to: ends, shape: { type: 'circle', radius: 0.25 }, step: 1 }
    const bodies = [wall, around, { ...around, id: 'above', shape: { ...around.shape, normal: { x: 0, y: -1 } } }]
    const left = Array.from({ length: 40 }, (_, k) => point(`left-${k}`, -k / 1000))
    expect(await found([...bodies, ...left], { ...rule, maxCells: 50 })).toEqual([])
    const apart = await found([...bodies, ...left, point('right', 4)], { ...rule, maxCells: 50 })
    expect(apart).toMatchObject([{ bodies: { length: 16, 0: 'right' } }])
  })

  it('too-steep and overlapping-faces', async () => {
    const slope = (id: string, rise: number, x = 0) => ({
      id,
      shape: {
        type: 'polygon',
        vertices: [
          { x: 0, y: 0 },
          { x: 1, y: 0 },
          { x: 1, y: rise },
        ],
      },
      position: { x, y: 0 },
    })
    const bodies = [slope('even', 1), slope('steep', 2, 3), slope('wall', 100, 6)]
    const rule = { rule: 'too-steep', maxSlope: Math.PI / 4 }
    expect(await found(bodies, rule, { down })).toMatchObject([
      { bodies: ['steep'], measure: expect.closeTo(Math.atan(2), 14) },
    ])
    const flush = [box('a', 0, 0, 2, 2), box('b', 1, 0.5, 1, 1), box('c', 5, 0), box('d', 5.5, 0)]
    const faces = await found(flush, { rule: 'overlapping-faces' })
    expect(faces.map(({ bodies: ids, measure }) => [...ids, measure])).toEqual([
      ['a', 'b', 0.5],
      ['c', 'd', 1],
    ])
  })
})

describe('requests', () => {
  const bodies = [floor, box('up', 1, 2), box('up-too', 5, 2), box('over', 400, 3)]
  const rule = { rule: 'floating', filter: props, name: 'props', severity: 'error' }

  it('names its rules, counts beyond the limit, and looks for no fixes unless wanted', async () => {
    const { findings, counts, truncated } = await lint(bodies, [rule], { down, limit: 1, fixes: false })
    expect(findings).toMatchObject([{ rule: 'floating', name: 'props', severity: 'error', fix: null }])
    expect([counts, truncated]).toEqual([{ error: 3, warning: 0, info: 0 }, true])
  })

  it('has rules of its own where none are given', async () => {
    const spawn = box('spawn', 0, -0.5, 0.5, 0.5, { tags: ['kind:entity'] })
    const { findings } = await lint([...bodies, box('up-again', 5, 2), spawn], undefined)
    expect(findings.map(({ rule: name, bodies: [id] }) => [name, id])).toEqual([
      ['duplicate', 'up-again'],
      ['inside-solid', 'spawn'],
    ])
  })

  it.each([
    ['/rules/0/down', { rules: [{ rule: 'floating' }] }],
    ['/rules/0/down', { rules: [{ rule: 'sunk', down: { x: 0, y: 0 } }] }],
    ['/down', { down: { x: 0, y: 0 } }],
    [
      '/rules/0/bounds/min',
      { rules: [{ rule: 'out-of-bounds', bounds: { min: { x: 1, y: 0 }, max: { x: 0, y: 0 } } }] },
    ],
    [
      '/rules/0/shape',
      {
        rules: [
          {
            rule: 'blocked-way',
            shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 },
            points: [
              { x: 0, y: 0 },
              { x: 1, y: 0 },
            ],
          },
        ],
      },
    ],
    ['/rules/0/rule', { rules: [{ rule: 'flaoting' }] }],
  ])('refuses at %s', async (pointer, request) => {
    const id = await client.createScene(bodies)
    const { status, body, headers } = await client.send('POST', `/${id}/lint`, request)
    if (status === 422) expect(headers.etag).toMatch(/^"2\./)
    expect([status, body.errors[0].pointer]).toEqual([expect.toBeOneOf([400, 422]), `#${pointer}`])
  })

  it('mends what it can in one write, one fix a body, or tells how much', async () => {
    const id = await client.createScene([...bodies, box('deep', 9, 0.25), box('deep-too', 9, 0.25)])
    const request = { down, rules: [{ rule: 'duplicate' }, rule, { rule: 'sunk', filter: props }] }
    const tried = await client.send('POST', `/${id}/lint?fix=true&dryRun=true`, request)
    expect(tried.body).toMatchObject({ version: 2, fixed: 3 })
    const mended = await client.send('POST', `/${id}/lint?fix=true`, request)
    expect(mended.body).toMatchObject({ version: 3, fixed: 3, findings: tried.body.findings })
    // two that stood in each other as well: the other one is mended once the first is away
    const again = await client.send('POST', `/${id}/lint?fix=true`, request)
    expect(again.body).toMatchObject({ version: 4, fixed: 1 })
    const left = await client.send('POST', `/${id}/lint?fix=true`, request)
    expect(left.body).toMatchObject({ version: 4, fixed: 0, findings: [{ bodies: ['over'] }] })
  })

  it.each([
    // each as deep in the other, so that both would go the same way
    [{ rule: 'inside-solid' }, [box('a', 0, 0), box('b', 0, 0)], [2, 0]],
    // each lifted out of the other
    [{ rule: 'sunk', down, within: 2 }, [box('a', 0, 0), box('b', 0, 0)], [2, 0]],
    // more room than bodies
    [
      { rule: 'nearly-touching', within: 0.0625 },
      [box('a', 0.0078125, 0), box('b', -1, 0), box('c', 1.03125, 0)],
      [2, 1, 1, 0],
    ],
    [
      { rule: 'nearly-touching', within: 0.0625, filter: { ids: { include: ['a'] } } },
      [box('a', 0.013, 0), box('b', -1, 0), box('c', 1.02, 0)],
      [2, 1, 1, 0],
    ],
    // lands a rounding error above
    [
      { rule: 'floating', within: 0, down: { x: 0.6, y: -0.8 }, filter: props },
      [
        floor,
        { id: 'ball', shape: { type: 'ellipse', rx: 1.3, ry: 0.7 }, position: { x: 0.1, y: 7.3 }, rotation: 0.4 },
      ],
      [1, 0],
    ],
  ])('comes to an end with %j', async (each, some, counts) => {
    const id = await client.createScene(some)
    const asked: number[] = []
    for (let round = 0; round < 8; round++) {
      const { body } = await client.send('POST', `/${id}/lint?fix=true`, { rules: [each] })
      asked.push(body.findings.length)
      if (body.fixed === 0) break
    }
    expect(asked).toEqual(counts)
  })

  it('removes more copies than one write may, a write at a time', async () => {
    const few = await startScenes({ MAX_OPERATIONS: '3' })
    const id = await few.createScene(['a', 'b', 'c'].map((name) => box(name, 0, 0)))
    await few.put(id, [box('d', 0, 0), box('e', 0, 0)])
    for (const [fixed, left] of [
      [1, 2],
      [1, 1],
      [0, 1],
    ]) {
      const { body } = await few.send('POST', `/${id}/lint?fix=true`, { rules: [{ rule: 'duplicate' }] })
      const { body: scene } = await few.send('GET', `/${id}`)
      expect([body.fixed, scene.bodyCount]).toEqual([fixed, left])
    }
    await few.close()
  })

  it('has rounded boxes of space with faces too', async () => {
    const space = await startScenes({}, '3d')
    const shape = { type: 'box', size: { x: 2, y: 2, z: 2 }, radius: 0.5 }
    const half = Math.sin(Math.PI / 8)
    const turned = { id: 'turned', shape, orientation: { x: 0, y: 0, z: half, w: Math.cos(Math.PI / 8) } }
    const tiny = { ...turned, id: 'tiny', shape: { type: 'box', size: { x: 1e-200, y: 1e-200, z: 1e-200 } } }
    const id = await space.createScene([{ id: 'even', shape }, turned, tiny])
    const rules = [{ rule: 'too-steep', maxSlope: 0.5, down: { x: 0, y: -1, z: 0 } }, { rule: 'overlapping-faces' }]
    const { body } = await space.send('POST', `/${id}/lint`, { rules })
    const steep = { rule: 'too-steep', measure: expect.closeTo(Math.PI / 4, 14) }
    expect(body.findings).toMatchObject([
      { ...steep, bodies: ['tiny'] },
      { ...steep, bodies: ['turned'], point: { y: expect.closeTo(1.5 * Math.SQRT1_2, 14) } },
    ])
    await space.close()
  })

  it('answers as lines, and as a picture', async () => {
    const id = await client.createScene(bodies)
    const url = `/v1/2d/scenes/${id}/lint`
    const payload = { down, rules: [rule] }
    const lines = await client.app.inject({ method: 'POST', url, payload, headers: { accept: 'application/x-ndjson' } })
    const read = lines.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(read[0].progress).toMatchObject({ stage: 'checking' })
    expect(read.at(-1)).toEqual((await client.send('POST', `/${id}/lint`, payload)).body)
    const wrong = { rules: [{ rule: 'floating' }] }
    const refused = await client.app.inject({
      method: 'POST',
      url,
      payload: wrong,
      headers: { accept: 'application/x-ndjson' },
    })
    expect(JSON.parse(refused.body.trim().split('\n').at(-1) as string)).toMatchObject({ status: 400 })
    const picture = await client.app.inject({ method: 'POST', url, payload, headers: { accept: 'image/svg+xml' } })
    expect(picture.body).toContain('3 errors.')
    expect(picture.body).toContain('1. error: over floats')
  })
})
