// What a large request needed is given back: the process stays as small as it was.

import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { countSteps, OutOfBudget, within } from '../../src/containers/budget.ts'
import { KEPT_ENTRIES } from '../../src/containers/scratch.ts'
import type { Query } from '../../src/queries/ask/query.ts'
import { queries } from '../../src/queries/stateless/all.ts'
import { answerQuery } from '../../src/queries/stateless/answerer.ts'
import { checkSceneBody } from '../../src/wire/scene-body.ts'
import { fraction, HOSTILE_OUTLINES } from '../support/families/hostile-shapes.ts'

const limits = {
  maxVertices: 1e6,
  maxParts: 1e5,
  maxTargets: 1e5,
  maxImpacts: 1e3,
  maxBodies: 1e5,
  maxPairs: 1e6,
  maxCells: 1e6,
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/**
 * Bytes in typed arrays that are still held, asked until they are less than `enough` or a few times over: arrays are swept
 * beside the program, and a collection costs as much as most of the requests here.
 */
async function held(enough: number): Promise<number> {
  let least = Infinity
  for (let round = 0; round < 8 && !(least < enough); round++) {
    await setTimeout(5)
    collect()
    least = Math.min(least, process.memoryUsage().arrayBuffers)
  }
  return least
}

/** The same where there is nothing to compare with: asked until collecting frees nothing more. */
async function heldAtRest(): Promise<number> {
  let last = Infinity
  for (let least = await held(Infinity); least < last; least = await held(Infinity)) last = least
  return last
}

const byOp = new Map(queries.map((query) => [query.op, query]))

function ask(op: string, request: object): void {
  answerQuery(byOp.get(op) as Query, request, limits)
}

const star = HOSTILE_OUTLINES['a star']
const region = (count: number) => ({ type: 'region', outer: star(count) })
const crossed = (count: number) => ({
  type: 'region',
  outer: [...star(count), { x: 1000, y: 0 }, { x: -1000, y: 1 }],
})
const far = { shape: { type: 'circle', radius: 1 }, position: { x: -500, y: 0 } }
const bodies = (count: number): Body2d[] =>
  Array.from({ length: count }, (_, i) => ({
    shape: { type: 'circle', radius: 0.5 },
    position: { x: 300 * fraction(2 * i), y: 300 * fraction(2 * i + 1) },
  }))
const velocity = { x: 100, y: 0 }

/** Larger than what is kept, in every array that grows with it. */
const LARGE = KEPT_ENTRIES + 5000
/** Some arrays may be as large as is kept; those that a request of such a size needs are many times as large together. */
const MOST_KEPT = 4 * 8 * KEPT_ENTRIES

/** [query, what is remarkable, what it is asked] */
const asked: [op: string, which: string, request: (count: number) => object][] = [
  ['overlap', 'apart', (count) => ({ a: { shape: region(count) }, b: far })],
  ['overlap', 'explained', (count) => ({ a: far, b: { shape: region(count) }, explain: true })],
  [
    'overlap',
    'contained',
    (count) => ({ a: { shape: region(count) }, b: { shape: { type: 'circle', radius: 60 } }, explain: true }),
  ],
  ['overlap', 'refused', (count) => ({ a: { shape: region(count) }, b: { shape: crossed(9) } })],
  ['distance', '', (count) => ({ a: { shape: region(count) }, b: { shape: region(count), position: far.position } })],
  ['contact', '', (count) => ({ a: { shape: region(count) }, b: far, maxDistance: 1000 })],
  ['time-of-impact', '', (count) => ({ a: { ...far, velocity }, b: { shape: region(count) }, duration: 10 })],
  [
    'time-of-impact',
    'turning',
    (count) => ({ a: { ...far, velocity }, b: { shape: region(count), angularVelocity: 0.01 }, duration: 3 }),
  ],
  [
    'ray-cast',
    '',
    (count) => ({ ray: { origin: far.position, direction: { x: 1, y: 0 } }, targets: [{ shape: region(count) }] }),
  ],
  ['shape-cast', '', (count) => ({ body: far, translation: velocity, targets: [far, { shape: region(count) }] })],
  ['shape-cast', 'cast', (count) => ({ body: { shape: region(count) }, translation: velocity, targets: [far] })],
  [
    'trajectory',
    '',
    (count) => ({ body: { ...far, velocity }, obstacles: [{ shape: region(count) }], duration: 10, maxBounces: 3 }),
  ],
  ['trajectory', 'refused', (count) => ({ body: { shape: region(count) }, obstacles: [far], duration: 10 })],
  ['table', '', (count) => ({ a: [far, { shape: region(count) }], b: [far], measure: 'distance' })],
  [
    'sectors',
    '',
    (count) => ({
      bodies: [{ shape: region(count) }],
      grid: { origin: { x: -110, y: -110 }, cellSize: 0.5, columns: 440, rows: 440 },
    }),
  ],
  ['pairs', '', (count) => ({ bodies: [far, { shape: region(count) }, { shape: region(count) }] })],
  ...['sweep-and-prune', 'spatial-hash', 'dynamic-tree'].map((method): (typeof asked)[number] => [
    'pairs',
    `by ${method}`,
    (count) => ({ bodies: bodies(count), method, phase: 'broad' }),
  ]),
  ['bounds', '', (count) => ({ body: { shape: region(count), rotation: 1 } })],
  ['support', '', (count) => ({ body: { shape: region(count) }, direction: { x: 1, y: 1 } })],
  ...queries
    .filter(({ op, request }) => op !== 'fit' && 'shape' in request.properties)
    .map(({ op }): (typeof asked)[number] => [op, '', (count) => ({ shape: region(count) })]),
  ['mass', 'refused', (count) => ({ shape: crossed(count) })],
  ['mass', 'of a chain', (count) => ({ shape: { type: 'chain', vertices: star(count) } })],
  ['hull', '', (count) => ({ points: star(count) })],
  ['fit', 'of points', (count) => ({ points: star(count), shape: 'circle' })],
  ['fit', 'of a region', (count) => ({ body: { shape: region(count) }, shape: 'box' })],
  ['decompose', 'into triangles', (count) => ({ region: region(count), method: 'triangles' })],
  [
    'decompose',
    'into few pieces that cover it',
    (count) => ({ region: region(count), method: 'approximate', maxPieces: 3 }),
  ],
  // of a star the sweep line meets half of all edges at once
  ['repair', '', (count) => ({ rings: [HOSTILE_OUTLINES['a comb'](count)], rule: 'nonzero' })],
  ['validate', 'refused', (count) => ({ shape: crossed(count) })],
]

it('every query that takes bodies, shapes or points of any number is asked', () => {
  const limited = new Set(['minkowski'])
  expect(new Set(asked.map(([op]) => op))).toEqual(new Set([...byOp.keys()].filter((op) => !limited.has(op))))
})

describe.each(asked)('after a large request: %s %s', (op, _which, request) => {
  let before = 0
  // what the engine itself holds on to, now and then, it does not hold for long: it is looked at again, but against what
  // was held at first, for what a query keeps is not kept twice
  it('nothing large is kept', { retry: 3 }, async () => {
    ask(op, request(500))
    before ||= await heldAtRest()
    const { steps } = countSteps(() => ask(op, request(LARGE)))
    expect(await held(before + MOST_KEPT)).toBeLessThan(before + MOST_KEPT)
    // nor where it has been ended, wherever it was
    for (const share of [0.3, 0.9]) {
      expect(() => within(share * steps, () => ask(op, request(LARGE)))).toThrow(OutOfBudget)
      expect(await held(before + MOST_KEPT)).toBeLessThan(before + MOST_KEPT)
    }
  })
})

describe('after a check of a large body of a scene', () => {
  it('nothing large is kept', async () => {
    const before = await heldAtRest()
    expect(checkSceneBody(2, { shape: region(LARGE) }, limits)).toBeNull()
    expect(await held(before + MOST_KEPT)).toBeLessThan(before + MOST_KEPT)
  })
})

describe('after a small body took the slot of a composite, and was moved for its contact points', () => {
  it('nothing large is kept', async () => {
    const square = { shape: region(16) }
    const small = { type: 'circle', radius: 1 }
    const slots: [string, (shape: object) => object][] = [
      ['contact', (shape) => ({ a: square, b: { shape } })],
      ['contact', (shape) => ({ a: { shape }, b: square })],
    ]
    for (const [op, request] of slots) {
      ask(op, request(region(500)))
      const before = await heldAtRest()
      ask(op, request(small))
      ask('distance', { a: { shape: region(LARGE) }, b: far })
      ask('distance', { a: far, b: { shape: region(LARGE) } })
      expect(await held(before + MOST_KEPT)).toBeLessThan(before + MOST_KEPT)
    }
  })
})
