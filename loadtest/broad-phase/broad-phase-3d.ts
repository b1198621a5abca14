// Times all pairs of boxes in space by each method: boxes of sides between 0.5 and 1.5 that fill a quarter of space or cover it two and
// a half times, as `broad-phase-field.ts` has them in the plane; and two fields that are meant to hurt. Then the trees by themselves
// (`tree-3d.ts`).
//
//   npm run bench:broad-phase-3d               100,000 boxes
//   npm run bench:broad-phase-3d -- 1000000    so many
//
// Methods take turns; the least of the rounds counts. They must agree on the number of pairs.

import { createPairList } from '../../src/containers/pair-list.ts'
import { broadPhase } from '../../src/core3d/broad-phase/broad-phase.ts'
import { type Between, seeded } from '../measuring/random-body.ts'
import { timeTrees } from './tree-3d.ts'

const METHODS = ['auto', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree'] as const
const ROUND_COUNT = 7
const MOST_PAIRS = 10_000_000

/** Six numbers for each box: boxes that would fill space so many times if their sides were 1. */
function scatter(between: Between, count: number, cover: number, scale: (i: number) => number): Float64Array {
  const width = Math.cbrt(count / cover)
  const boxes = new Float64Array(6 * count)
  for (let i = 0; i < count; i++) {
    for (let axis = 0; axis < 3; axis++) {
      const low = between(0, width)
      boxes[6 * i + axis] = low
      boxes[6 * i + 3 + axis] = low + scale(i) * between(0.5, 1.5)
    }
  }
  return boxes
}

const count = Number(process.argv[2] ?? 100_000)
const between = seeded(count)
const FIELDS: Record<string, Float64Array> = {
  sparse: scatter(between, count, 0.25, () => 1),
  dense: scatter(between, count, 2.5, () => 1),
  'one huge box among small ones': scatter(between, count, 0.25, (i) => (i === 0 ? 1e9 : 1)),
  'sizes of all scales': scatter(between, count, 0.25, (i) => 10 ** ((i % 7) - 6)),
}

for (const [name, boxes] of Object.entries(FIELDS)) {
  const least = new Map<string, number>()
  const found = new Set<number>()
  for (let round = 0; round < ROUND_COUNT; round++) {
    for (const method of METHODS) {
      const list = createPairList(MOST_PAIRS)
      const start = performance.now()
      broadPhase(boxes, count, method, 0, list)
      const nanoseconds = ((performance.now() - start) * 1e6) / count
      least.set(method, Math.min(least.get(method) ?? Number.POSITIVE_INFINITY, nanoseconds))
      found.add(list.count)
    }
  }
  if (found.size > 1) throw new Error(`${name}: methods find ${[...found].join(', ')} pairs`)
  console.log(`${count.toLocaleString('en')} boxes, ${name}: ${[...found][0]!.toLocaleString('en')} pairs`)
  for (const [method, value] of least) console.log(`  ${method.padEnd(16)} ${value.toFixed(0).padStart(7)} ns a box`)
}

await timeTrees(between, count)
