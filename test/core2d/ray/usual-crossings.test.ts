/**
 * Hits of usual rays, and their crossings of edges, are those of the general way to the last bit; and usual rays are usual.
 */

import { describe, expect, it } from 'vitest'
import { createVelocity, crossingTime, setRayVelocity } from '../../../src/core2d/narrow-phase/closed-time.ts'
import { castInGeneral, createRayHit, type RayHit } from '../../../src/core2d/ray/ray-cast.ts'
import { usualEdgeTime } from '../../../src/core2d/ray/ray-crossing.ts'
import { createRay, HIT, MISS, type Ray, setDirection, UNSURE } from '../../../src/core2d/ray/ray-line.ts'
import { castUsual } from '../../../src/core2d/ray/usual-ray.ts'
import { type Body, RADIUS, REACH, X, Y } from '../../../src/core2d/shape/body.ts'
import type { Twofold } from '../../../src/numeric/twofold.ts'
import { prepare } from '../../support/answers/slots.ts'
import { createDraw, type Draw, drawBody, NUMBERS } from '../../support/families/closed-pairs.ts'
import { nextAfter } from '../../support/families/next-after.ts'
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

  it.each(['circle', 'box', 'aabb'])('hits: %s', (type) => {
    const draw = createDraw(seed())
    const found = createRayHit()
    const general = createRayHit()
    let usual = 0
    let tried = 0
    for (let run = 0; run < RUNS; run++) {
      const drawn = drawRay(type, family, draw)
      if (drawn === null) continue
      const { ray, body } = drawn
      const size = body.numbers[REACH]
      setDirection(ray, ray.dx + size * (draw() - 0.5), ray.dy + size * (draw() - 0.5))
      if (ray.dx === 0 && ray.dy === 0) continue
      // The ends of some rays lie on the body or within rounding of it.
      if (draw() < 0.2 && castInGeneral(ray, body, 'hit', general)) {
        const end = draw() < 0.5 || !general.hasExit ? general.distance : general.exitDistance
        ray.maxDistance =
          draw() < 0.3 ? end : draw() < 0.5 ? nextAfter(end, draw() < 0.5 ? 1 : -1) : end * (1 + draw() * 1e-13)
      }
      tried++
      const wantsExit = draw() < 0.7
      const verdict = castUsual(ray, body, wantsExit, found)
      if (verdict === UNSURE) continue
      usual++
      expect(verdict).toBe(castInGeneral(ray, body, 'hit', general) ? HIT : MISS)
      if (verdict === MISS) continue
      if (!wantsExit) general.hasExit = false
      if (!general.hasExit) Object.assign(general, exitOf(found))
      expect(found).toEqual(general)
    }
    if (family.startsWith('random') && type !== 'box') expect(usual).toBeGreaterThan(tried / 4)
  })
})

function exitOf({ exitDistance, exitX, exitY, exitNx, exitNy }: RayHit): Partial<RayHit> {
  return { exitDistance, exitX, exitY, exitNx, exitNy }
}
