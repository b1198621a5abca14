// What a large request needed is given back: the process stays as small as it was.
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { Body2d } from '../../schemas/body.ts'
import { KEPT_ENTRIES } from '../../src/containers/kept-entries.ts'
import { boundsQuery } from '../../src/queries/bounds.ts'
import { decomposeQuery } from '../../src/queries/decompose.ts'
import { hullQuery } from '../../src/queries/hull.ts'
import { massQuery } from '../../src/queries/mass.ts'
import { pairsQuery } from '../../src/queries/pairs.ts'
import { supportQuery } from '../../src/queries/support.ts'
import { validateQuery } from '../../src/queries/validate.ts'
import { fraction, HOSTILE_OUTLINES } from '../support/hostile-shapes.ts'

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

/** Bytes in typed arrays that are still held. Arrays are swept beside the program, so it is asked a few times. */
async function held(): Promise<number> {
  let least = Infinity
  for (let round = 0; round < 8; round++) {
    await setTimeout(5)
    collect()
    least = Math.min(least, process.memoryUsage().arrayBuffers)
  }
  return least
}

interface Asked {
  answer(request: never, limits: object): object
}

function ask(query: Asked, request: object): void {
  query.answer(request as never, limits)
}

const star = HOSTILE_OUTLINES['a star']
const region = (count: number) => ({ type: 'region', outer: star(count) })
const bodies = (count: number): Body2d[] =>
  Array.from({ length: count }, (_, i) => ({
    shape: { type: 'circle', radius: 0.5 },
    position: { x: 300 * fraction(2 * i), y: 300 * fraction(2 * i + 1) },
  }))

/** Larger than what is kept, in every array that grows with it. */
const LARGE = KEPT_ENTRIES + 5000

const asked: [name: string, query: Asked, request: (count: number) => object][] = [
  ['mass', massQuery, (count) => ({ shape: region(count) })],
  ['hull', hullQuery, (count) => ({ points: star(count) })],
  ['bounds', boundsQuery, (count) => ({ body: { shape: region(count), rotation: 1 } })],
  ['support', supportQuery, (count) => ({ body: { shape: region(count) }, direction: { x: 1, y: 1 } })],
  ['validate', validateQuery, (count) => ({ shape: region(count) })],
  ['decompose', decomposeQuery, (count) => ({ region: region(count), method: 'triangles' })],
  ['decompose', decomposeQuery, (count) => ({ region: region(count), method: 'approximate', maxPieces: 3 })],
  ...['sweep-and-prune', 'spatial-hash', 'dynamic-tree'].map((method): [string, Asked, (count: number) => object] => [
    `pairs by ${method}`,
    pairsQuery,
    (count) => ({ bodies: bodies(count), method, phase: 'broad' }),
  ]),
]

describe('after a large request', () => {
  it.each(asked)('nothing large is kept: %s', async (_name, query, request) => {
    ask(query, request(500))
    const before = await held()
    ask(query, request(LARGE))
    // Some arrays may be as large as is kept; those that the request needed are many times as large together.
    expect((await held()) - before).toBeLessThan(4 * 8 * KEPT_ENTRIES)
  })

  it('a region that is refused is let go as well', async () => {
    const crossed = [...star(LARGE), { x: 1000, y: 0 }, { x: -1000, y: 1 }]
    const before = await held()
    ask(massQuery, { shape: { type: 'region', outer: crossed } })
    expect((await held()) - before).toBeLessThan(4 * 8 * KEPT_ENTRIES)
  })
})
