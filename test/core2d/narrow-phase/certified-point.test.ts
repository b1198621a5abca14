import { describe, expect, it } from 'vitest'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import { createDistance, distance } from '../../../src/core2d/queries/distance.ts'
import { createOverlap, overlap, relate } from '../../../src/core2d/queries/overlap.ts'
import { prepare } from '../../support/answers/slots.ts'
import { CLOSED_PAIRS, createDraw, drawBody, NUMBERS } from '../../support/families/closed-pairs.ts'
import { runCount, seed } from '../../support/runs.ts'

const found = createOverlap()
const nearest = createDistance()

function isInBoth(a: Body2d, b: Body2d, x: number, y: number): boolean {
  const point = prepare({ shape: { type: 'point' }, position: { x, y } })
  return relate(point, prepare(a)) <= 0 && relate(point, prepare(b)) <= 0
}

describe('common points lie in both bodies to the last bit', () => {
  const circle = (x: number, y: number, radius: number): Body2d => ({
    shape: { type: 'circle', radius },
    position: { x, y },
  })
  const segment = (x0: number, y0: number, x1: number, y1: number): Body2d => ({
    shape: { type: 'segment', a: { x: x0, y: y0 }, b: { x: x1, y: y1 } },
  })
  const slab: Body2d = { shape: { type: 'halfplane', normal: { x: 3, y: 4 }, offset: 0 }, position: { x: 7, y: 1 } }

  it.each<[string, Body2d, Body2d]>([
    ['circles that touch at (3, 4)', circle(0, 0, 5), circle(9, 12, 10)],
    ['circles that touch at (0.75, 1)', circle(0, 0, 1.25), circle(3, 4, 3.75)],
    ['segments that cross at (1, 1)', segment(-2, 0, 4, 2), segment(0, 3, 2, -1)],
    ['slanted segments that share an end', segment(0, 0, 3, 1), segment(3, 1, 10, 2)],
    ['slanted segments in line', segment(0, 0, 3, 1), segment(1.5, 0.5, 9, 3)],
    ['a circle on a slope at (3, 4)', circle(0, 0, 5), segment(-1, 7, 7, 1)],
    ['a circle on a half-plane', circle(10, 5, 5), slab],
  ])('%s', (_name, a, b) => {
    for (const [p, q] of [
      [a, b],
      [b, a],
    ]) {
      overlap(prepare(p), prepare(q), found)
      expect(found.hasPoint).toBe(true)
      expect([found.px, found.py, isInBoth(a, b, found.px, found.py)]).toEqual([found.px, found.py, true])
      distance(prepare(p), prepare(q), nearest)
      expect([nearest.ax, nearest.ay, nearest.bx, nearest.by]).toEqual([found.px, found.py, found.px, found.py])
    }
  })

  it.each(CLOSED_PAIRS)('%s–%s that overlap', (typeA, typeB) => {
    const draw = createDraw(seed())
    for (let run = 0; run < runCount(400); run++) {
      const numbers = NUMBERS[run % 2 === 0 ? 'short coordinates' : 'random doubles'](draw)
      const a = drawBody(typeA, numbers, draw)
      const b = drawBody(typeB, numbers, draw)
      overlap(prepare(a), prepare(b), found)
      if (found.relation !== -1 || hasNoInside(a) || hasNoInside(b)) continue
      if (!isInBoth(a, b, found.px, found.py)) expect.fail(JSON.stringify({ a, b }))
    }
  })
})

/** Where flat bodies cross, no double need lie in both. */
function hasNoInside({ shape }: Body2d): boolean {
  switch (shape.type) {
    case 'segment':
      return true
    case 'capsule':
      return shape.radius === 0
    case 'box':
      return (shape.width === 0 || shape.height === 0) && (shape.radius ?? 0) === 0
    case 'aabb':
      return shape.min.x === shape.max.x || shape.min.y === shape.max.y
    default:
      return false
  }
}
