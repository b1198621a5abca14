// A request for each problem that a short request can show: printed by the page of the problem and by docs/errors.md, and sent by
// a test.

import type { ProblemCode } from '../../schemas/problem.ts'

export interface ProblemExample {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** The bytes that are sent; JSON unless a header names another type. */
  readonly body?: string
}

const ask = (path: string, body: unknown): ProblemExample => ({ method: 'POST', path, body: JSON.stringify(body) })
const get = (path: string): ProblemExample => ({ method: 'GET', path })

const DISC = { type: 'circle', radius: 1 }
const BOX = { type: 'box', width: 2, height: 1 }
const WALL = { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 }
const corner = (x: number, y: number) => ({ x, y })
const SQUARE = [corner(0, 0), corner(4, 0), corner(4, 4), corner(0, 4)]
const TIE = [corner(0, 0), corner(4, 4), corner(4, 0), corner(0, 4)]
const DART = [corner(0, 0), corner(4, 0), corner(1, 1), corner(0, 4)]
const LEAF = { type: 'mesh', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] }
const SHEARED = { min: corner(2, 0), max: corner(0, 2) }
const between = (a: unknown, b: unknown = { shape: DISC }) => ({ a, b })

/** A compound in a compound, and so on. */
function nested(depth: number): unknown {
  return depth === 0 ? DISC : { type: 'compound', children: [{ shape: nested(depth - 1) }] }
}

export const PROBLEM_EXAMPLES: Readonly<Partial<Record<ProblemCode, ProblemExample>>> = {
  'malformed-json': { method: 'POST', path: '/v1/2d/hull', body: '{"points":[{"x":0,"y":0},]}' },
  'empty-body': { method: 'POST', path: '/v1/2d/hull', body: '' },
  'schema-violation': ask('/v1/2d/overlap', between({ shape: { type: 'circle', radius: -1 } })),
  'not-found': get('/v1/2d/overlaps'),
  'scene-not-found': get('/v1/2d/scenes/nowhere'),
  'method-not-allowed': get('/v1/2d/overlap'),
  'not-acceptable': {
    ...ask('/v1/2d/overlap', between({ shape: BOX })),
    headers: { accept: 'image/png' },
  },
  'unsupported-media-type': {
    ...ask('/v1/2d/overlap', between({ shape: BOX })),
    headers: { 'content-type': 'text/plain' },
  },
  'aabb-inverted': ask('/v1/2d/overlap', between({ shape: { type: 'aabb', ...SHEARED } })),
  'aabb-rotated': ask(
    '/v1/2d/overlap',
    between({ shape: { type: 'aabb', min: corner(0, 0), max: corner(2, 1) }, rotation: 0.5 }),
  ),
  'answer-out-of-range': ask('/v1/2d/mass', { shape: { type: 'circle', radius: 1e90 } }),
  'body-not-convex': ask('/v1/2d/trajectory', {
    body: { shape: { type: 'region', outer: SQUARE } },
    obstacles: [],
    duration: 1,
  }),
  'compound-too-deep': ask('/v1/2d/overlap', between({ shape: nested(9) })),
  'coordinate-out-of-range': ask('/v1/2d/overlap', between({ shape: DISC, position: corner(1e101, 0) })),
  'direction-zero': ask('/v1/2d/support', { body: { shape: BOX }, direction: corner(0, 0) }),
  'halfplane-normal-zero': ask('/v1/2d/overlap', between({ shape: { ...WALL, normal: corner(0, 0) } })),
  'halfspace-normal-zero': ask('/v1/3d/overlap', {
    a: { shape: { type: 'halfspace', normal: { x: 0, y: 0, z: 0 }, offset: 0 } },
    b: { shape: { type: 'sphere', radius: 1 } },
  }),
  'heightfield-misshapen': ask('/v1/3d/bounds', {
    body: { shape: { type: 'heightfield', heights: [0, 1, 2, 0, 1], columns: 2, cellSize: { x: 1, z: 1 } } },
  }),
  'mesh-index-out-of-range': ask('/v1/3d/bounds', { body: { shape: { ...LEAF, triangles: [0, 1, 3] } } }),
  'mesh-not-closed': ask('/v1/3d/bounds', { body: { shape: { ...LEAF, solid: true } } }),
  'mesh-misshapen': ask('/v1/3d/bounds', { body: { shape: { ...LEAF, groups: [7, 8] } } }),
  'minkowski-shape-unsupported': ask('/v1/2d/minkowski', between({ shape: { type: 'region', outer: SQUARE } })),
  'orientation-not-unit': ask('/v1/3d/overlap', {
    a: {
      shape: { type: 'box', size: { x: 1, y: 1, z: 1 } },
      orientation: { x: 0, y: 0, z: 1, w: 1 },
    },
    b: { shape: { type: 'sphere', radius: 1 } },
  }),
  'polygon-not-convex': ask('/v1/2d/overlap', between({ shape: { type: 'polygon', vertices: DART } })),
  'ray-direction-zero': ask('/v1/2d/ray-cast', {
    ray: { origin: corner(0, 0), direction: corner(0, 0) },
    targets: [{ shape: DISC }],
  }),
  'region-hole-misplaced': ask(
    '/v1/2d/overlap',
    between({ shape: { type: 'region', outer: SQUARE, holes: [SQUARE.map(({ x, y }) => corner(x + 9, y))] } }),
  ),
  'region-self-intersecting': ask('/v1/2d/overlap', between({ shape: { type: 'region', outer: TIE } })),
  'shape-unknown': ask('/v1/3d/bounds', { body: { shape: { type: 'ref', id: `sha256-${'0'.repeat(64)}` } } }),
  'shape-unbounded': ask('/v1/2d/mass', { shape: WALL }),
  'trajectory-spinning': ask('/v1/2d/trajectory', {
    body: { shape: BOX, angularVelocity: 1 },
    obstacles: [],
    duration: 1,
  }),
}

/** The example as a command of curl; `origin` is the address of the service, such as `http://127.0.0.1:3000`. */
export function exampleCommand({ method, path, headers, body }: ProblemExample, origin: string): string {
  const words = [`curl -s ${origin}${path}`]
  if (method === 'POST') {
    const sent = { 'content-type': 'application/json', ...headers }
    for (const [name, value] of Object.entries(sent)) words.push(`-H '${name}: ${value}'`)
    words.push(`-d '${body}'`)
  }
  return words.join(' ')
}
