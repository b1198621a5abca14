import { describe, expect, it } from 'vitest'
import {
  addRing,
  buildPointTree,
  type Cut,
  createPointStore,
  createRingPool,
  type PointStore,
  type RingPool,
  sortedPoints,
} from '../../../src/core2d/outline/approximation-cut.ts'
import {
  beginPart,
  type CutPart,
  createPart,
  createScorer,
  cutPart,
  scoreCut,
} from '../../../src/core2d/outline/approximation-score.ts'
import { buildRingTree } from '../../../src/core2d/outline/approximation-tree.ts'

const scale = { originX: 0, originY: 0, unit: 1 }

/** A part of boxes: min x, min y, max x, max y. */
function partOf(boxes: number[][]): { pool: RingPool; store: PointStore; part: CutPart } {
  const pool = createRingPool(scale, 0, 0)
  const vertices: number[] = []
  for (const [minX, minY, maxX, maxY] of boxes) {
    const ring = [minX, minY, maxX, minY, maxX, maxY, minX, maxY]
    addRing(pool, Float64Array.from(ring))
    vertices.push(...ring)
  }
  const store = createPointStore(scale, Float64Array.from(vertices), vertices.length / 2)
  const all = Int32Array.from({ length: store.count }, (_, i) => i)
  const order = sortedPoints(store, all)
  const rings = Int32Array.from(boxes, (_, ring) => ring)
  const points = { root: buildPointTree(store, order), order }
  const part = createPart(pool, store, buildRingTree(pool, boxes.length), rings, points, new Int32Array(0))
  return { pool, store, part }
}

function scored({ pool, store, part }: ReturnType<typeof partOf>, cut: Cut): { left: number; right: number } {
  const scorer = createScorer(pool, store)
  const score = { left: 0, right: 0 }
  beginPart(scorer, part)
  scoreCut(scorer, cut, Infinity, score)
  return score
}

const level = (y: number): Cut => ({ axis: 1, px: 0, py: y, qx: 0, qy: y })
const upright = (x: number): Cut => ({ axis: 0, px: x, py: 0, qx: x, qy: 0 })

describe('scoreCut', () => {
  it('keeps the corners below the end of a line on an upright side', () => {
    const square = partOf([
      [0, 0, 1, 0.25],
      [0, 0.25, 1, 1],
    ])
    expect(scored(square, level(0.5))).toEqual({ left: 0.5, right: 0.5 })
  })

  it('is what the hulls of the halves measure', () => {
    const boxes = Array.from({ length: 60 }, (_, i) => [i, 0, i + 1, 1 + ((7 * i) % 11)])
    for (const cut of [level(3.5), level(7.5), upright(20.5), upright(33.5)]) {
      const whole = partOf(boxes)
      const { left, right } = scored(whole, cut)
      const halves = cutPart(whole.pool, whole.store, new Float64Array(0), whole.part, cut) as [CutPart, CutPart]
      const areas = halves.map(({ error, rings }) => rings.reduce((sum, ring) => sum + whole.pool.area[ring], error))
      expect(areas[0]).toBeCloseTo(left, 9)
      expect(areas[1]).toBeCloseTo(right, 9)
    }
  })
})
