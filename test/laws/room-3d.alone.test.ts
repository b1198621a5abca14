// What a large request about bodies in space needed is given back: the process stays as small as it was.

import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { countSteps, OutOfBudget, within } from '../../src/containers/budget.ts'
import { KEPT_ENTRIES } from '../../src/containers/scratch.ts'
import type { Query } from '../../src/queries/ask/query.ts'
import { queries3d } from '../../src/queries/stateless/all.ts'
import { answerQuery } from '../../src/queries/stateless/answerer.ts'
import { fraction } from '../support/families/hostile-shapes.ts'

const limits = {
  maxVertices: 1e6,
  maxParts: 1e5,
  maxTargets: 1e5,
  maxImpacts: 1e6,
  maxBodies: 1e5,
  maxPairs: 1e7,
  maxCells: 1e6,
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes in typed arrays that are still held, asked until they are less than `enough` or a few times over. */
async function held(enough: number): Promise<number> {
  let least = Infinity
  for (let round = 0; round < 4 && !(least < enough); round++) {
    await setTimeout(5)
    collect()
    least = Math.min(least, process.memoryUsage().arrayBuffers)
  }
  return least
}

const byOp = new Map(queries3d.map((query) => [query.op, query]))

function ask(op: string, request: object): void {
  answerQuery(byOp.get(op) as Query, request, limits)
}

/** On a ball. */
const cloud = (count: number) =>
  Array.from({ length: count }, (_, k) => {
    const height = 1 - (2 * k + 1) / count
    const angle = k * Math.PI * (3 - Math.sqrt(5))
    const around = Math.sqrt(1 - height * height)
    return { x: around * Math.cos(angle), y: around * Math.sin(angle), z: height }
  })
/** The longest hull of a body: longer than this is no request. */
const MOST_POINTS = 4096
const hull = (count: number) => ({ shape: { type: 'hull', points: cloud(Math.min(count, MOST_POINTS)) } })
const far = { shape: { type: 'sphere', radius: 1 }, position: { x: -5, y: 0, z: 0 } }
const velocity = { x: 10, y: 0, z: 0 }
const rotation = { x: 0, y: 0.5, z: 1 }
const bodies = (count: number, width: number) =>
  Array.from({ length: count }, (_, k) => ({
    shape: { type: 'sphere', radius: 0.5 },
    position: { x: width * fraction(3 * k), y: width * fraction(3 * k + 1), z: width * fraction(3 * k + 2) },
  }))

const gridOf = (cells: number, cellSize: number) => ({
  origin: { x: 0, y: 0, z: 0 },
  cellSize,
  columns: cells,
  rows: cells,
  layers: cells,
})

/** Triangles of a piece of a tube whose ring of three vertices begins at index i. */
const tube = (i: number): number[] =>
  [0, 1, 2].flatMap((k) => {
    const next = (k + 1) % 3
    return [i + k, i + next, i + 3 + next, i + k, i + 3 + next, i + 3 + k]
  })

/** More than is kept in any array that holds three numbers for each of them. */
const LARGE = KEPT_ENTRIES / 2
/** Some arrays may be as large as is kept; those of a request of such a size are many times as large together. */
const MOST_KEPT = 4 * 8 * KEPT_ENTRIES

/** [query, what is remarkable, what it is asked] */
const asked: [op: string, which: string, request: (count: number) => object][] = [
  ['overlap', 'explained', (count) => ({ a: hull(count), b: far, explain: true })],
  ['distance', '', (count) => ({ a: hull(count), b: { ...hull(count), position: far.position } })],
  ['contact', '', (count) => ({ a: hull(count), b: hull(count) })],
  ['time-of-impact', '', (count) => ({ a: { ...far, velocity }, b: hull(count), duration: 10 })],
  [
    'time-of-impact',
    'turning',
    (count) => ({ a: { ...far, velocity }, b: { ...hull(count), angularVelocity: rotation }, duration: 1 }),
  ],
  ['shape-cast', '', (count) => ({ body: far, translation: velocity, targets: [far, hull(count)], mode: 'all' })],
  [
    'trajectory',
    '',
    (count) => ({
      body: { ...far, velocity },
      obstacles: [hull(count), ...bodies(count, 200)],
      duration: 10,
      maxBounces: 3,
    }),
  ],
  [
    'ray-cast',
    '',
    (count) => ({ ray: { origin: far.position, direction: velocity }, targets: [hull(count), ...bodies(count, 50)] }),
  ],
  ['table', '', (count) => ({ a: [far, hull(count)], b: bodies(count, 50), measure: 'distance' })],
  ...['sweep-and-prune', 'spatial-hash', 'dynamic-tree'].map((method): (typeof asked)[number] => [
    'pairs',
    `by ${method}`,
    (count) => ({
      bodies: bodies(count, 150),
      method,
      phase: 'broad',
    }),
  ]),
  ['sectors', 'many bodies', (count) => ({ bodies: bodies(count, 150), grid: gridOf(150, 1) })],
  [
    'sectors',
    'a large body',
    (count) => ({
      bodies: [{ shape: { type: 'sphere', radius: 75 } }],
      grid: gridOf(Math.ceil(2 * Math.cbrt(count)), 1),
    }),
  ],
  ['bounds', '', (count) => ({ body: hull(count) })],
  ['support', '', (count) => ({ body: hull(count), direction: velocity })],
  ...queries3d
    .filter(({ op, request }) => op !== 'fit' && 'shape' in request.properties)
    .map(({ op }): (typeof asked)[number] => [op, '', (count) => ({ shape: hull(count).shape })]),
  [
    'minkowski',
    '',
    (count) => ({ a: hull(count), b: { shape: { type: 'box', size: { x: 1, y: 1, z: 1 } } }, operation: 'sum' }),
  ],
  ['hull', '', (count) => ({ points: cloud(count) })],
  ['slice', '', (count) => ({ body: hull(count), plane: { normal: velocity, offset: 0 } })],
  [
    'decompose',
    '',
    (count) => ({
      mesh: {
        type: 'mesh',
        vertices: Array.from({ length: count }, (_, i) => [i, 0, 0, i, 1, 0, i, 0, 1]).flat(2),
        triangles: [
          [0, 1, 2].reverse(),
          ...Array.from({ length: count - 1 }, (_, i) => tube(3 * i)),
          [3 * count - 3, 3 * count - 2, 3 * count - 1],
        ].flat(),
      },
    }),
  ],
  ['fit', 'a sphere', (count) => ({ points: cloud(count), shape: 'sphere' })],
  ['fit', 'a box', (count) => ({ points: cloud(count), shape: 'box' })],
]

it('every query is asked', () => {
  expect(new Set(asked.map(([op]) => op))).toEqual(new Set(byOp.keys()))
})

describe.each(asked)('after a large request: %s %s', (op, _which, request) => {
  it('nothing large is kept', { retry: 2 }, async () => {
    ask(op, request(500))
    const before = await held(0)
    const { steps } = countSteps(() => ask(op, request(LARGE)))
    // it has not been refused
    expect(steps).toBeGreaterThan(MOST_POINTS)
    expect(await held(before + MOST_KEPT)).toBeLessThan(before + MOST_KEPT)
    // nor where it has been ended on the way
    expect(() => within(0.6 * steps, () => ask(op, request(LARGE)))).toThrow(OutOfBudget)
    expect(await held(before + MOST_KEPT)).toBeLessThan(before + MOST_KEPT)
  })
})
