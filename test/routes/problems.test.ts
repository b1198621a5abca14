// What a client is told when its request is wrong: status, code, pointer and one clear sentence.

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

let app: FastifyInstance
beforeAll(async () => {
  app = await buildApp(
    loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000', BODY_LIMIT: '100000' }),
  )
})
afterAll(() => app.close())

const json = { 'content-type': 'application/json' }
const point = { shape: { type: 'point' } }
const polygon = (...vertices: unknown[]) => ({ type: 'polygon', vertices })
const ring = (...numbers: number[]) =>
  Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] }))
const square = ring(0, 0, 10, 0, 10, 10, 0, 10)
const known = 'point, circle, segment, capsule, box, aabb, polygon, ellipse, halfplane, chain, region, compound, ref'

async function send(payload: unknown, { url = '/v1/2d/contact', headers = json as object } = {}) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const response = await app.inject({ method: 'POST', url, headers: { ...headers }, payload: text })
  return { response, problem: response.json() }
}

/** The problem for a contact whose A has this shape. */
async function sendShape(shape: unknown) {
  const { problem } = await send({ a: { shape }, b: point })
  return problem
}

describe('every problem', () => {
  it('is a document of RFC 9457 with code and request id', async () => {
    const { response, problem } = await send({ a: { shape: { type: 'circle', radius: -1 } }, b: point })
    expect(response.statusCode).toBe(400)
    expect(response.headers['content-type']).toBe('application/problem+json')
    expect(problem).toEqual({
      type: '/problems/schema-violation',
      title: 'The request does not match the schema',
      status: 400,
      detail: 'radius must be at least 0, got -1.',
      code: 'schema-violation',
      errors: [{ pointer: '#/a/shape/radius', detail: 'radius must be at least 0, got -1.' }],
      requestId: response.headers['x-request-id'],
    })
  })

  it('has a type that leads to a page about it', async () => {
    const { problem } = await send({})
    const page = await app.inject(problem.type)
    expect(page.statusCode).toBe(200)
    expect(page.json()).toMatchObject({ code: problem.code, title: problem.title, status: problem.status })
  })
})

describe('a polygon that crosses itself', () => {
  const vertices = [0, 1, 2, 3, 4].map((k) => ({
    x: Math.cos((k * 4 * Math.PI) / 5),
    y: Math.sin((k * 4 * Math.PI) / 5),
  }))
  const bowTie = ring(0, 0, 2, 2, 2, 0, 0, 2)

  it.each([
    ['pentagram', vertices, 0, 2],
    ['bow tie', bowTie, 0, 2],
  ])('is told which edges cross: a %s', async (_name, star, one, other) => {
    const problem = await sendShape({ type: 'polygon', vertices: star })
    expect(problem).toMatchObject({ status: 422, code: 'polygon-not-convex' })
    expect(problem.detail).toMatch(new RegExp(`crosses itself\\. Edge ${one} .* and edge ${other} .* cross at`))
    const pointers = problem.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers).toEqual([`#/a/shape/vertices/${one}`, `#/a/shape/vertices/${other}`])
  })
})

describe('the schema', () => {
  const huge = '{"a":{"shape":{"type":"circle","radius":1e999}},"b":{"shape":{"type":"point"}}}'

  it.each([
    [{ type: 'circle', radius: '1' }, '#/a/shape/radius', 'radius must be a number, got "1".'],
    [{ type: 'circle', radius: null }, '#/a/shape/radius', 'radius must be a number, got null.'],
    [{ type: 'circle' }, '#/a/shape/radius', 'radius is missing: expected a number of at least 0.'],
    [{ type: 'ellipse', rx: 0, ry: 1 }, '#/a/shape/rx', 'rx must be greater than 0, got 0.'],
    [{ type: 'hexagon' }, '#/a/shape/type', `type must be one of ${known}, got "hexagon".`],
    [{ type: 'cirle' }, '#/a/shape/type', `type must be one of ${known}, got "cirle". Did you mean "circle"?`],
    [{ type: 3 }, '#/a/shape/type', `type must be one of ${known}, got 3.`],
    [{ radius: 1 }, '#/a/shape/type', `type is missing: expected one of ${known}.`],
    [{ type: 'point', radius: 1 }, '#/a/shape/radius', '"radius" is not a known field; the known fields are type.'],
    [
      { type: 'circle', radius: 1, raduis: 1 },
      '#/a/shape/raduis',
      '"raduis" is not a known field. Did you mean "radius"?',
    ],
    [{ type: 'segment', a: { x: 0, y: 0 } }, '#/a/shape/b', 'b is missing: expected an object with x and y.'],
    [polygon({ x: 0, y: 0 }), '#/a/shape/vertices', 'vertices must have at least 3 items, got 1.'],
    [
      polygon([0, 0], [1, 0], [0, 1]),
      '#/a/shape/vertices/0',
      'vertices[0] must be an object such as {"x": 0, "y": 0}, got an array.',
    ],
    [
      { type: 'chain', vertices: [{ x: 0, y: 0 }] },
      '#/a/shape/vertices',
      'vertices must have at least 2 items, got 1.',
    ],
    [
      { type: 'region', vertices: [] },
      '#/a/shape/outer',
      'outer is missing: expected an array. "vertices" is not a known field. Did you mean "outer"?',
    ],
    [
      { type: 'box', w: 2, h: 2 },
      '#/a/shape/width',
      'width is missing: expected a number of at least 0. "w" is not a known field. Did you mean "width"?',
    ],
    [
      { type: 'circle', radus: 2 },
      '#/a/shape/radius',
      'radius is missing: expected a number of at least 0. "radus" is not a known field. Did you mean "radius"?',
    ],
    [
      { type: 'rect', width: 1, height: 1 },
      '#/a/shape/type',
      `type must be one of ${known}, got "rect". Did you mean "box"?`,
    ],
    [
      { type: 'sphere', radius: 1 },
      '#/a/shape/type',
      `type must be one of ${known}, got "sphere". Did you mean "circle"?`,
    ],
    [
      { type: 'circle', radius: 1, center: { x: 1, y: 1 } },
      '#/a/shape/center',
      '"center" is not a known field. "position" belongs beside "shape", not inside it.',
    ],
    [
      { type: 'region', outer: square, holes: [[{ x: 0, y: 0 }, [1, 1], { x: 0, y: 1 }]] },
      '#/a/shape/holes/0/1',
      'holes[0][1] must be an object such as {"x": 1, "y": 1}, got an array.',
    ],
    [
      { type: 'region', outer: square, hole: [] },
      '#/a/shape/hole',
      '"hole" is not a known field. Did you mean "holes"?',
    ],
    [{ type: 'compound', children: [] }, '#/a/shape/children', 'children must have at least 1 item, got 0.'],
    [
      { type: 'compound', children: [{ type: 'point' }] },
      '#/a/shape/children/0/shape',
      'shape is missing: expected an object. "type" belongs inside "shape": {"shape": {"type": "point"}}.',
    ],
    [
      { type: 'compound', children: [{ type: 'box', width: 1, height: 1 }] },
      '#/a/shape/children/0/shape',
      'shape is missing: expected an object. "type", "width" and "height" belong inside "shape": {"shape": {"type": "box", …}}.',
    ],
    [
      { type: 'compound', children: [{ ...point, velocity: { x: 1, y: 0 } }] },
      '#/a/shape/children/0/velocity',
      '"velocity" is not a known field; the known fields are shape, position, rotation.',
    ],
    [
      polygon({ x: 0, y: 0 }, { x: 1, y: 0 }, { x: 0, y: '1' }),
      '#/a/shape/vertices/2/y',
      'y must be a number, got "1".',
    ],
    ['circle', '#/a/shape', 'shape must be an object, got "circle".'],
  ])('refuses the shape %j', async (shape, pointer, detail) => {
    const problem = await sendShape(shape)
    expect(problem).toMatchObject({ status: 400, code: 'schema-violation', detail, errors: [{ pointer, detail }] })
  })

  it.each([
    [
      { a: point, b: point, maxDistnace: 1 },
      '#/maxDistnace',
      '"maxDistnace" is not a known field. Did you mean "maxDistance"?',
    ],
    [{ a: point }, '#/b', 'b is missing: expected an object.'],
    [[], '#', 'The body must be an object, got an array.'],
    ['null', '#', 'The body must be an object, got null.'],
    [huge, '#/a/shape/radius', 'radius must be a finite number, got one too large for a double.'],
    [
      '{"a":{},"b":{},"__proto__":{}}',
      '#/__proto__',
      '"__proto__" is not a known field; the known fields are a, b, maxDistance.',
    ],
    [
      { a: point, b: point, 'a/b~ä': 1 },
      '#/a~1b~0%C3%A4',
      '"a/b~ä" is not a known field; the known fields are a, b, maxDistance.',
    ],
  ])('refuses the body %j', async (body, pointer, detail) => {
    const { problem } = await send(body)
    expect(problem).toMatchObject({ status: 400, code: 'schema-violation', detail, errors: [{ pointer, detail }] })
  })

  it('says limit and actual where a list is too long', async () => {
    const problem = await sendShape(polygon(...new Array(1025).fill({ x: 0, y: 0 })))
    expect(problem).toMatchObject({ code: 'schema-violation', limit: 1024, actual: 1025 })
  })

  it('lists the known words', async () => {
    const ray = { origin: { x: 0, y: 0 }, direction: { x: 1, y: 0 } }
    const { problem } = await send({ ray, targets: [], mode: 'first' }, { url: '/v1/2d/ray-cast' })
    expect(problem.detail).toBe('mode must be one of "closest", "any", "all", got "first" (did you mean "closest"?).')
  })
})

describe('the geometry', () => {
  const reflex = polygon({ x: 0, y: 0 }, { x: 4, y: 0 }, { x: 1, y: 1 }, { x: 0, y: 4 })

  it.each([
    [{ shape: reflex }, 'polygon-not-convex', '#/b/shape/vertices/2'],
    [{ shape: { type: 'aabb', min: { x: 1, y: 0 }, max: { x: 0, y: 1 } } }, 'aabb-inverted', '#/b/shape/min/x'],
    [
      { shape: { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 1, y: 1 } }, rotation: 1 },
      'aabb-rotated',
      '#/b/rotation',
    ],
    [{ shape: { type: 'halfplane', normal: { x: 0, y: 0 }, offset: 0 } }, 'halfplane-normal-zero', '#/b/shape/normal'],
    [{ ...point, position: { x: 0, y: 2e100 } }, 'coordinate-out-of-range', '#/b/position/y'],
  ])('refuses %j', async (b, code, pointer) => {
    const { response, problem } = await send({ a: point, b })
    expect(response.statusCode).toBe(422)
    expect(problem).toMatchObject({ type: `/problems/${code}`, status: 422, code, errors: [{ pointer }] })
    expect(problem.errors[0].detail).toBe(problem.detail)
  })

  it('says limit and actual where a number is out of range', async () => {
    const { problem } = await send({ a: { ...point, rotation: -2e100 }, b: point })
    expect(problem).toMatchObject({ limit: 1e100, actual: -2e100 })
  })

  it.each(['overlap', 'distance', 'contact'])('points at the body that is wrong: %s', async (query) => {
    const { problem } = await send({ a: { shape: reflex }, b: point }, { url: `/v1/2d/${query}` })
    expect(problem.errors[0].pointer).toBe('#/a/shape/vertices/2')
  })
})

describe('a region', () => {
  const region = (outer: object[], ...holes: object[][]) => ({ type: 'region', outer, holes })
  const bowTie = ring(958.4658, 115.4169, 1565.7858, 690.9971, 536.2902, 560.8729, 1143.6102, 1136.4531)

  it.each([
    [
      'a bow tie',
      region(bowTie),
      'Edge 1 (from vertex 1 to 2) and edge 3 (from vertex 3 to 0) cross at (1051.038, 625.935).',
      [
        { pointer: '#/a/shape/outer/1', detail: 'Edge 1, which starts here, crosses edge 3 at (1051.038, 625.935).' },
        { pointer: '#/a/shape/outer/3', detail: 'Edge 3, which starts here, crosses edge 1 at (1051.038, 625.935).' },
      ],
    ],
    [
      'a hole across the outline',
      region(square, ring(1, 1, 2, 1, 1, 2), ring(8, 5, 12, 5, 9, 7)),
      'Edge 1 (from vertex 1 to 2) and edge 7 (of hole 1, from vertex 7 to 8) cross at (10, 5).',
      [
        { pointer: '#/a/shape/outer/1', detail: 'Edge 1, which starts here, crosses edge 7 at (10, 5).' },
        { pointer: '#/a/shape/holes/1/0', detail: 'Edge 7, which starts here, crosses edge 1 at (10, 5).' },
      ],
    ],
    [
      'an edge that folds back',
      region(ring(0, 0, 10, 0, 5, 0, 5, 5)),
      'Edge 0 (from vertex 0 to 1) and edge 1 (from vertex 1 to 2) share a stretch that begins at (5, 0).',
      [
        { pointer: '#/a/shape/outer/0', detail: 'Edge 0, which starts here, runs along edge 1 from (5, 0).' },
        { pointer: '#/a/shape/outer/1', detail: 'Edge 1, which starts here, runs along edge 0 from (5, 0).' },
      ],
    ],
  ])('that intersects itself is told where, with both edges: %s', async (_name, shape, detail, errors) => {
    const problem = await sendShape(shape)
    expect(problem).toMatchObject({ status: 422, code: 'region-self-intersecting', detail })
    expect(problem.errors).toEqual(errors)
  })

  it.each([
    [
      region(square, ring(1, 1, 2, 1, 1, 2), ring(18, 5, 22, 5, 19, 7)),
      '#/a/shape/holes/1',
      'Hole 1 lies outside the outer ring at its vertex (18, 5).',
    ],
    [
      region(square, ring(3, 3, 4, 3, 3, 4), ring(1, 1, 8, 1, 1, 8)),
      '#/a/shape/holes/0',
      'Hole 0 lies inside hole 1 at its vertex (3, 3).',
    ],
  ])('has its holes where they belong: %j', async (shape, pointer, detail) => {
    const problem = await sendShape(shape)
    expect(problem).toMatchObject({
      status: 422,
      code: 'region-hole-misplaced',
      detail,
      errors: [{ pointer, detail }],
    })
  })

  it('may touch itself at single points, and may be flat', async () => {
    for (const shape of [
      region(square, ring(0, 5, 3, 3, 3, 7)),
      region(ring(0, 0, 10, 0, 5, 0)),
      region(ring(1, 1, 1, 1, 1, 1)),
    ]) {
      const { response } = await send({ a: { shape }, b: point }, { url: '/v1/2d/distance' })
      expect(response.statusCode).toBe(200)
    }
  })
})

describe('a compound', () => {
  const compound = (...children: object[]) => ({ type: 'compound', children })
  const aabb = { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 1, y: 1 } }
  const nested = (depth: number) =>
    `${'{"shape":{"type":"compound","children":['.repeat(depth)}{"shape":{"type":"point"}}${']}}'.repeat(depth)}`
  const refuse = async (depth: number) =>
    send(`{"a":${nested(depth)},"b":{"shape":{"type":"point"}}}`, { url: '/v1/2d/distance' })

  it.each([
    [
      compound(point, { shape: compound({ shape: polygon(...ring(0, 0, 4, 0, 1, 1, 0, 4)) }) }),
      'polygon-not-convex',
      '#/a/shape/children/1/shape/children/0/shape/vertices/2',
    ],
    [
      compound(point, { shape: { type: 'region', outer: ring(0, 0, 4, 4, 4, 0, 0, 4) } }),
      'region-self-intersecting',
      '#/a/shape/children/1/shape/outer/0',
    ],
    [
      compound({ ...point, position: { x: 0, y: -2e100 } }),
      'coordinate-out-of-range',
      '#/a/shape/children/0/position/y',
    ],
    [compound({ shape: aabb, rotation: 1 }), 'aabb-rotated', '#/a/shape/children/0/rotation'],
    [
      compound({ shape: compound({ shape: aabb }), rotation: 1 }),
      'aabb-rotated',
      '#/a/shape/children/0/shape/children/0/shape',
    ],
  ])('points at the child that is wrong: %j', async (shape, code, pointer) => {
    const problem = await sendShape(shape)
    expect(problem).toMatchObject({ status: 422, code })
    expect(problem.errors[0].pointer).toBe(pointer)
  })

  it('nests 8 deep', async () => {
    const { response } = await refuse(8)
    expect(response.statusCode).toBe(200)
  })

  it.each([9, 100, 2000])('does not nest %d deep', async (depth) => {
    const { response, problem } = await refuse(depth)
    expect(response.statusCode).toBe(422)
    expect(problem).toMatchObject({
      code: 'compound-too-deep',
      detail: 'Compounds may be nested 8 deep, not deeper.',
      limit: 8,
      errors: [{ pointer: `#/a${'/shape/children/0'.repeat(8)}/shape/children` }],
    })
  })

  it('may not exhaust the stack, however deep the text is', async () => {
    const large = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
    const ask = async (payload: string) =>
      (await large.inject({ method: 'POST', url: '/v1/2d/distance', headers: json, payload })).json()
    const depth = 100_000
    expect(await ask(`{"a":${nested(depth)},"b":1}`)).toMatchObject({ code: 'compound-too-deep' })
    expect(await ask('['.repeat(depth) + ']'.repeat(depth))).toMatchObject({ code: 'schema-violation' })
    expect(await ask('['.repeat(depth))).toMatchObject({ code: 'malformed-json' })
    expect(await ask('{"a":'.repeat(depth) + '}'.repeat(depth))).toMatchObject({ code: 'malformed-json' })
    await large.close()
  })
})

describe('the body', () => {
  it.each([
    ['{"a": 1,\n "b": }', 'expected a value at line 2, column 7, got "}".'],
    ['{"a": 1', 'expected "," or "}" at line 1, column 8, got the end of the text.'],
    ["{'a': 1}", 'expected a field name in double quotes at line 1, column 2, got "\'".'],
    ['{"a": NaN}', 'expected a value at line 1, column 7, got "N".'],
    ['{} {}', 'expected the end of the text at line 1, column 4, got "{".'],
  ])('must be JSON: %s', async (text, place) => {
    const { response, problem } = await send(text)
    expect(response.statusCode).toBe(400)
    expect(problem).toMatchObject({ code: 'malformed-json', detail: `The body is not JSON: ${place}` })
  })

  it.each([[''], [' \n']])('must not be empty: %j', async (text) => {
    const { response, problem } = await send(text)
    expect(response.statusCode).toBe(400)
    expect(problem.code).toBe('empty-body')
  })

  it('must be there', async () => {
    const response = await app.inject({ method: 'POST', url: '/v1/2d/contact' })
    expect(response.statusCode).toBe(400)
    expect(response.json().code).toBe('empty-body')
  })

  it.each([['text/plain'], ['application/x-www-form-urlencoded'], ['application/json-seq'], [undefined]])(
    'must be sent as JSON, not as %s',
    async (type) => {
      const { response, problem } = await send(
        { a: point, b: point },
        { headers: type ? { 'content-type': type } : {} },
      )
      expect(response.statusCode).toBe(415)
      expect(problem.code).toBe('unsupported-media-type')
      expect(problem.detail).toBe(
        `The body must be sent as application/json, got ${type ? JSON.stringify(type) : 'no content type'}.`,
      )
    },
  )

  it('may name its character set', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const { response } = await send({ a: point, b: point }, { headers })
    expect(response.statusCode).toBe(200)
  })

  it('must stay below the limit', async () => {
    const { response, problem } = await send(' '.repeat(100_001))
    expect(response.statusCode).toBe(413)
    expect(problem).toMatchObject({ code: 'body-too-large', limit: 100_000, actual: 100_001 })
    expect(problem.detail).toBe('The body must be at most 100000 bytes, got 100001.')
  })
})

describe('the route', () => {
  it.each([['/nope'], ['/v1'], ['/v1/2d'], ['/v1/2d/contact/']])('must exist: %s', async (url) => {
    const { response, problem } = await send({}, { url })
    expect(response.statusCode).toBe(404)
    expect(problem).toMatchObject({ code: 'not-found', status: 404 })
  })

  it('is not taken for the first page', async () => {
    const { problem } = await send({}, { url: '/x' })
    expect(problem.detail).toBe('Nothing is at /x. The paths are listed at /openapi.json.')
  })

  it('is suggested when it is misspelt, whatever the body', async () => {
    const { response, problem } = await send('{broken', { url: '/v1/2d/contakt?x=1' })
    expect(response.statusCode).toBe(404)
    expect(problem.detail).toBe('Nothing is at /v1/2d/contakt. Did you mean /v1/2d/contact?')
  })

  it.each([
    ['GET', '/v1/2d/contact', 'POST'],
    ['DELETE', '/v1/2d/ray-cast', 'POST'],
    ['POST', '/livez', 'GET, HEAD'],
    ['PUT', '/problems/not-found', 'GET, HEAD'],
  ] as const)('says which methods it takes: %s %s', async (method, url, allow) => {
    const response = await app.inject({ method, url })
    expect(response.statusCode).toBe(405)
    expect(response.headers.allow).toBe(allow)
    expect(response.json()).toMatchObject({
      code: 'method-not-allowed',
      detail: `${url} takes ${allow}, not ${method}.`,
    })
  })

  it('must be a valid address', async () => {
    const response = await app.inject('/%E0%A4%A')
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'malformed-request', requestId: response.headers['x-request-id'] })
  })
})

it('answers a fault of its own with 500, without telling what happened inside', async () => {
  const faulty = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
  faulty.get('/faulty', () => {
    throw new Error('secret')
  })
  const response = await faulty.inject('/faulty')
  expect(response.statusCode).toBe(500)
  expect(response.json().code).toBe('internal-error')
  expect(response.body).not.toContain('secret')
  await faulty.close()
})
