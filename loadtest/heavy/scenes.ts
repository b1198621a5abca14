// Scenes that are hard: 100,000 boxes in one place, written at once, moved at once and asked about; large shapes; long lists.
// The requests build on those before them.

import { seeded } from '../measuring/random-body.ts'
import { box, compound, disc, many, placed, polygon, region } from './bodies.ts'
import { at, gear, star } from './outlines.ts'
import { type HeavyRequest, LINES, share } from './request.ts'

export const SCENES = '/v1/2d/scenes'
const PILE = `${SCENES}/pile`
const SHAPES = `${SCENES}/shapes`
const SLIT = `${SCENES}/slit`
const COUNT = 100_000

const between = seeded(606)

function send(path: string, name: string, make: (size: number) => object, more: Partial<HeavyRequest> = {}) {
  const request: HeavyRequest = {
    name: `scene: ${name}`,
    path,
    body: (size) => JSON.stringify(make(size)),
    ...more,
  }
  return request
}

const put = (id: string, body: object) => ({ op: 'put', body: { id, ...body } })
const write = (path: string, name: string, make: (size: number) => object[]) =>
  send(`${path}/operations`, name, (size) => ({ operations: make(size) }))
const create = (path: string) => send(path, `make ${path}`, () => ({}), { method: 'PUT' })
const list = (path: string, name: string): HeavyRequest => ({ name: `scene: ${name}`, method: 'GET', path })
const ask = (op: string, name: string, make: (size: number) => object) => send(`${PILE}/${op}`, `${op}, ${name}`, make)

/** A box that moves a little, so that times of impact have something to find. */
const member = () => ({ ...box, velocity: at(between(-1, 1), between(-1, 1)) })
const pile = (first: number, count: number) => many(count, (i) => put(`b${first + i}`, member()))

const writes: HeavyRequest[] = [
  create(PILE),
  create(SHAPES),
  create(SLIT),
  write(PILE, '50,000 puts in one entry', (size) => pile(0, share(COUNT / 2, size))),
  write(PILE, '100,000 puts in one entry, all in one place', (size) => pile(0, share(COUNT, size))),
  send(`${PILE}/operations?dryRun=true`, 'dry run of 100,000 puts', (size) => ({
    operations: many(share(COUNT, size), (i) => put(`new${i}`, placed(box, i / 1e4, 0))),
  })),
  write(PILE, 'moves of all', (size) =>
    many(share(COUNT, size), (i) => ({ op: 'move', id: `b${i}`, position: at(between(0, 1e-3), 0), rotation: 0.1 })),
  ),
  write(SHAPES, 'put of a region of 100,000', (size) => [put('star', region(star(share(COUNT, size, 8))))]),
  write(SHAPES, '100 compounds of 10,000 parts in one entry', (size) =>
    many(share(100, size), (i) => put(`c${i}`, placed(compound(many(share(10_000, size), () => disc())), i, 0))),
  ),
  send(
    `${SHAPES}/bodies/compound`,
    'a compound of 10,000 parts, put 100 times',
    (size) => compound(many(share(10_000, size), (i) => placed(box, i % 100, Math.floor(i / 100), i))),
    { method: 'PUT', times: 100 },
  ),
  write(SLIT, 'a slit with 98 polygons beyond it', () => [
    ...[-1, 1].map((side) => put(`wall${side}`, placed({ shape: { type: 'box', width: 1, height: 1e9 } }, side, 0))),
    ...many(98, (i) => put(`p${i}`, placed(polygon(64), 5 * i + 50, 0))),
  ]),
  write(SHAPES, 'patches of a body, 100,000 times', (size) =>
    many(share(COUNT, size), (i) => ({ op: 'patch', id: 'star', fields: { position: at(i, 0), tags: [`t${i}`] } })),
  ),
]

/** What is asked of the pile, one by one and in batches. */
const QUESTIONS: [op: string, name: string, query: object][] = [
  ['separate', 'out of all', { body: box }],
  ['snap', 'to any of all', { body: placed(box, -3, 0), maxDistance: 5, rotate: true }],
  ['place', 'out of all', { body: box }],
  ['drop', 'onto all', { body: placed(box, -9, 0), direction: at(1, 0), align: 'face' }],
  ['move', 'through all', { body: placed(box, -9, 0), translation: at(20, 0.5), maxSlides: 1000 }],
  ['overlap', 'contacts with all', { body: box, contacts: true }],
  ['nearest', 'all by distance', { body: placed(disc(), 5, 0), count: 100_000 }],
  [
    'shape-cast',
    'all on a turning way',
    { body: placed(box, -9, 0), translation: at(20, 0), rotation: 9, mode: 'all' },
  ],
  [
    'shape-cast',
    'a gear of 1,000 at all',
    { body: placed(region(gear(250)), -9, 0), translation: at(20, 0), mode: 'all' },
  ],
  ['time-of-impact', 'of all pairs', { duration: 100 }],
  ['pairs', 'of all', {}],
  ['pairs', 'of all with contacts', { contacts: true }],
  [
    'trajectory',
    'among all',
    { body: { ...placed(disc(), -9, 0), velocity: at(5, 0.1) }, duration: 1e6, maxBounces: 100_000 },
  ],
  ['ray-cast', 'one ray through all', { ray: { origin: at(-9, 0), direction: at(1, 0) }, mode: 'all' }],
]

/** What a trajectory that comes near all is refused with. */
const TOO_MANY: Pick<HeavyRequest, 'refused'> = { refused: ['too-many-obstacles'] }

const questions: HeavyRequest[] = [
  ...QUESTIONS.map(([op, name, query]) => ({ ...ask(op, name, () => query), ...(op === 'trajectory' && TOO_MANY) })),
  send(`${SLIT}/trajectory`, 'trajectory of 100,000 bounces in a slit', (size) => ({
    body: { ...disc(0.1), velocity: at(1000, 0.001) },
    duration: 1e9,
    maxBounces: share(COUNT, size),
  })),
  ask('sectors', '1,000 × 1,000 cells', (size) => ({
    grid: { origin: at(-500, -500), cellSize: 1, columns: share(1000, size), rows: share(1000, size) },
  })),
  ask('line-of-sight', '10,000 targets', (size) => ({
    point: at(-9, 0),
    targets: many(share(10_000, size), (i) =>
      i % 2 === 0 ? { bodyId: `b${i % share(COUNT, size)}` } : { point: at(9, i) },
    ),
  })),
  ...[
    { name: '10,000 rays, all that they hit', more: {} },
    { name: '10,000 rays, ten hits of each', more: { limit: 10 } },
  ].map(({ name, more }) =>
    ask('ray-cast', name, (size) => ({
      rays: many(share(10_000, size), (i) => ({ origin: at(-9, i / 1e4 - 0.5), direction: at(1, 0) })),
      mode: 'all',
      ...more,
    })),
  ),
  ask('overlap', 'a region of 100,000 with contacts', (size) => ({
    body: region(star(share(COUNT, size, 8))),
    contacts: true,
  })),
  ask('nearest', 'all to a region of 100,000', (size) => ({
    body: placed(region(star(share(COUNT, size, 8))), 9, 0),
    count: share(COUNT, size),
  })),
  ask('nearest', 'all but 50,000 that are named', (size) => ({
    point: at(5, 0),
    count: 100_000,
    filter: { ids: { exclude: many(share(COUNT / 2, size), (i) => `b${2 * i}`) } },
  })),
]

/** A few results of each are enough to keep an answer within bounds. */
const limited = (i: number) => {
  const [op, , query] = QUESTIONS[i % QUESTIONS.length]!
  return { op, ...query, limit: 10 }
}

const batches: HeavyRequest[] = [
  send(`${PILE}/batch`, 'batch of 1,000 of them', (size) => ({ queries: many(share(1000, size), limited) }), TOO_MANY),
  {
    ...TOO_MANY,
    name: 'scene: 1,000 of them as lines',
    path: `${PILE}/batch`,
    type: LINES,
    streams: true,
    body: (size) =>
      many(share(1000, size), limited)
        .map((each) => `${JSON.stringify(each)}\n`)
        .join(''),
  },
  send(`${PILE}/batch`, 'batch of 100,000 rays', (size) => ({
    queries: many(share(COUNT, size), (i) => ({
      op: 'ray-cast',
      ray: { origin: at(-9, i / 1e5 - 0.5), direction: at(1, 0) },
    })),
  })),
]

const lists: HeavyRequest[] = [
  list(`${PILE}/bodies?limit=1000`, 'a page of 100,000 bodies'),
  list(`${PILE}/bodies?limit=1000&tag=none`, 'bodies of a tag that none has'),
  list(`${PILE}/bodies?limit=1000&minX=1e99`, 'bodies in a box where none is'),
  list(`${SHAPES}/bodies?limit=1000`, 'a page of large shapes'),
  list(`${SHAPES}/bodies/star`, 'a body with 100,000 vertices'),
  send(`${PILE}/operations`, 'clear 100,000 bodies', () => ({ operations: [{ op: 'clear' }] })),
]

export const heavyScenes: readonly HeavyRequest[] = [...writes, ...questions, ...batches, ...lists]
