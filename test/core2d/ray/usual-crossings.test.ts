/**
 * Crossings of usual rays, written out in one function, are those of the general way to the last bit; and usual rays are usual.
 */

import { describe, expect, it } from 'vitest'
import {
  circleTime,
  createVelocity,
  crossingTime,
  setRayVelocity,
} from '../../../src/core2d/narrow-phase/closed-time.ts'
import { usualChordTimes, usualEdgeTime } from '../../../src/core2d/ray/ray-crossing.ts'
import { createRay, type Ray, setDirection } from '../../../src/core2d/ray/ray-line.ts'
import { type Body, RADIUS, X, Y } from '../../../src/core2d/shape/body.ts'
import type { Twofold } from '../../../src/numeric/twofold.ts'
import { prepare } from '../../support/answers/slots.ts'
import { createDraw, type Draw, drawBody, NUMBERS } from '../../support/families/closed-pairs.ts'
import { runCount, seed } from '../../support/runs.ts'

const FAMILIES = Object.keys(NUMBERS)
const RUNS = Math.ceil(runCount(2000))
const velocity = createVelocity()
const nothing = (): Twofold => ({ high: 0, low: 0 })

/** A ray at a point of the boundary or near it, and a body of the type. */
function drawRay(type: string, family: string, draw: Draw): { ray: Ray; origin: Body; body: Body } | null {
  const numbers = NUMBERS[family](draw)
  const body = prepare(drawBody(type, numbers, draw))
  const from = drawBody('point', numbers, draw)
  const ray = createRay()
  ray.ox = from.position?.x ?? 0
  ray.oy = from.position?.y ?? 0
  const share = draw() * 1.2 - 0.1
  const edge = Math.floor(draw() * body.count)
  const next = edge + 1 === body.count ? 0 : edge + 1
  const { vertices, numbers: bodyNumbers } = body
  const aimX =
    body.numbers[X] +
    bodyNumbers[vertices + 2 * edge] +
    share * (bodyNumbers[vertices + 2 * next] - bodyNumbers[vertices + 2 * edge])
  const aimY =
    body.numbers[Y] +
    bodyNumbers[vertices + 2 * edge + 1] +
    share * (bodyNumbers[vertices + 2 * next + 1] - bodyNumbers[vertices + 2 * edge + 1])
  const stretch = draw() < 0.5 ? 1 : draw()
  const dx = stretch * (aimX - ray.ox)
  const dy = stretch * (aimY - ray.oy)
  if (dx === 0 && dy === 0) return null
  setDirection(ray, dx, dy)
  setRayVelocity(ray, velocity)
  return { ray, origin: prepare(from), body }
}

describe.each(FAMILIES)('%s', (family) => {
  it.each(['box', 'aabb'])('edges: %s', (type) => {
    const draw = createDraw(seed())
    let usual = 0
    let tried = 0
    for (let run = 0; run < RUNS; run++) {
      const drawn = drawRay(type, family, draw)
      if (drawn === null || drawn.body.numbers[RADIUS] > 0 || drawn.body.count !== 4) continue
      const { ray, origin, body } = drawn
      for (let edge = 0; edge < 4; edge++) {
        tried++
        const found = nothing()
        if (!usualEdgeTime(ray, velocity, body, edge, found)) continue
        usual++
        const general = nothing()
        const next = (edge + 1) % 4
        const end =
          body.numbers[body.normals + 2 * edge] * ray.dx + body.numbers[body.normals + 2 * edge + 1] * ray.dy < 0
            ? -1
            : 1
        crossingTime(origin, body, { a0: 0, a1: 0, b0: edge, b1: next }, velocity, end, general)
        expect(found).toEqual(general)
      }
    }
    // One or two of the four edges are crossed at the ends of most lines.
    if (family.startsWith('random')) expect(usual).toBeGreaterThan(tried / 8)
  })

  it('circles', () => {
    const draw = createDraw(seed())
    let usual = 0
    let tried = 0
    for (let run = 0; run < RUNS; run++) {
      const drawn = drawRay('circle', family, draw)
      if (drawn === null || drawn.body.numbers[RADIUS] === 0) continue
      const { ray, origin, body } = drawn
      // At a point within three quarters of the radius from the centre.
      setDirection(ray, ray.dx + body.numbers[RADIUS] * (draw() - 0.5), ray.dy + body.numbers[RADIUS] * (draw() - 0.5))
      setRayVelocity(ray, velocity)
      if (ray.dx === 0 && ray.dy === 0) continue
      tried++
      const enter = nothing()
      const leave = nothing()
      if (!usualChordTimes(ray, velocity, body, enter, leave)) continue
      usual++
      const general = nothing()
      circleTime(body, 0, origin, 0, velocity, -1, general)
      expect(enter).toEqual(general)
      circleTime(body, 0, origin, 0, velocity, 1, general)
      expect(leave).toEqual(general)
    }
    if (family.startsWith('random')) expect(usual).toBeGreaterThan(tried / 2)
  })
})
