// Ways that end on an ellipse, at one of its four farthest points, in numbers that round nothing.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { MovingBody2d, Shape2d } from '../../../schemas/shapes2d.ts'
import { impactAnswer } from '../../support/answers/impact-answers.ts'
import { runs } from '../../support/runs.ts'

const eighths = (min: number, max: number) => fc.integer({ min: 8 * min, max: 8 * max }).map((n) => n / 8)
const half = 0.5

/** What arrives, and how far its middle is from what it touches. */
const arriving: { shape: Shape2d; reach: number }[] = [
  { shape: { type: 'point' }, reach: 0 },
  { shape: { type: 'circle', radius: half }, reach: half },
  { shape: { type: 'box', width: 1, height: 1 }, reach: half },
  { shape: { type: 'ellipse', rx: half, ry: half }, reach: half },
]

const ways = fc.record({
  arriving: fc.constantFrom(...arriving),
  radii: fc.record({ rx: eighths(1 / 8, 4), ry: eighths(1 / 8, 4) }),
  centre: fc.record({ x: eighths(-4, 4), y: eighths(-4, 4) }),
  side: fc.constantFrom({ x: 1, y: 0 }, { x: -1, y: 0 }, { x: 0, y: 1 }, { x: 0, y: -1 }),
  /** Where it comes from, outwards and sideways. */
  from: fc.record({ out: eighths(1 / 8, 4), beside: eighths(-4, 4) }),
})

it('meet it there, and not before', () => {
  fc.assert(
    fc.property(ways, ({ arriving: { shape, reach }, radii, centre, side, from: { out, beside } }) => {
      const far = reach + Math.abs(side.x) * radii.rx + Math.abs(side.y) * radii.ry
      const end = { x: centre.x + far * side.x, y: centre.y + far * side.y }
      const way = { x: -out * side.x + beside * side.y, y: -out * side.y + beside * side.x }
      const start = { x: end.x - way.x, y: end.y - way.y }
      const ellipse: MovingBody2d = { shape: { type: 'ellipse', ...radii }, position: centre }
      const a: MovingBody2d = { shape, position: start, velocity: way }
      const there = impactAnswer({ a, b: ellipse, duration: 1 })
      expect(there).toMatchObject({ startedOverlapping: false, exitTime: null })
      expect(there?.time).toBeCloseTo(1, 9)
      expect(there?.normal?.x).toBeCloseTo(0 - side.x, 6)
      expect(there?.normal?.y).toBeCloseTo(0 - side.y, 6)
      expect(impactAnswer({ a: ellipse, b: a, duration: 1 })?.time).toBe(there?.time)
      expect(impactAnswer({ a, b: ellipse, duration: 1 - 2 ** -20 })).toBeNull()
    }),
    runs(400),
  )
})
