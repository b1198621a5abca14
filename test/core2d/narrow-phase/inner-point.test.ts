// A point that is found in doubles lies inside both bodies, by the exact test: also where they hardly overlap, far from the origin, of
// very different size, of all scales, and rotated.
import { describe, expect, it } from 'vitest'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import { separate } from '../../../src/core2d/narrow-phase/dispatch.ts'
import { findInnerPoint } from '../../../src/core2d/narrow-phase/inner-point.ts'
import { createSeparation } from '../../../src/core2d/narrow-phase/separation.ts'
import { contact, createContact } from '../../../src/core2d/queries/contact.ts'
import { createOverlap, overlap, relate } from '../../../src/core2d/queries/overlap.ts'
import { isSafeExtent } from '../../../src/numeric/safe-range.ts'
import { prepare } from '../../support/answers/slots.ts'
import { createDraw, type Draw, drawBody, NUMBERS } from '../../support/families/closed-pairs.ts'
import { runCount, seed } from '../../support/runs.ts'

const TYPES = ['circle', 'capsule', 'box', 'aabb', 'polygon', 'halfplane', 'ellipse'] as const

const separation = createSeparation()
const found = createOverlap()
const touch = createContact()
const point = { x: 0, y: 0 }

function draw2d(type: (typeof TYPES)[number], family: string, draw: Draw): Body2d {
  const numbers = NUMBERS[family](draw)
  if (type !== 'ellipse' && type !== 'polygon') return drawBody(type, numbers, draw)
  const body = drawBody('box', numbers, draw)
  const [rx, ry] = [numbers.size(), numbers.size()].map((size) => size || 1)
  if (type === 'ellipse') return { ...body, shape: { type, rx, ry } }
  const vertices = [
    { x: rx, y: 0 },
    { x: 0, y: ry },
    { x: -rx, y: 0 },
    { x: 0, y: -ry },
  ]
  return { ...body, shape: { type, vertices, radius: draw() < 0.3 ? numbers.size() / 2 : 0 } }
}

/** B moved so that they overlap by a part of their size, down to nothing. */
function overlapping(a: Body2d, b: Body2d, draw: Draw): Body2d {
  let moved = b
  for (let step = 0; step < 2; step++) {
    contact(prepare(a), prepare(moved), 0, touch)
    const depth = 2 ** -(2 + Math.floor(54 * draw())) * (Math.abs(touch.separation) + 1)
    const way = touch.separation + depth
    if (!Number.isFinite(way)) return moved
    const { x, y } = moved.position ?? { x: 0, y: 0 }
    moved = { ...moved, position: { x: x - way * touch.nx, y: y - way * touch.ny } }
  }
  return moved
}

describe('a point that is found inside both bodies lies in both by the exact test', () => {
  it.each(Object.keys(NUMBERS))('%s', (family) => {
    const draw = createDraw(seed())
    const pick = () => TYPES[Math.floor(draw() * TYPES.length)]
    let pierced = 0
    for (let run = 0; run < runCount(8000); run++) {
      const a = draw2d(pick(), family, draw)
      let b = draw2d(pick(), family, draw)
      if (run % 2 === 0) b = overlapping(a, b, draw)
      overlap(prepare(a), prepare(b), found)
      if (found.relation >= 0) continue
      const frame = separate(prepare(a), prepare(b), separation)
      if (!isSafeExtent(frame.extent) || !findInnerPoint(frame, separation, point)) continue
      pierced++
      expect([found.px, found.py]).toEqual([point.x, point.y])
      const probe = prepare({ shape: { type: 'point' }, position: point })
      if (relate(probe, prepare(a)) > 0 || relate(probe, prepare(b)) > 0) expect.fail(JSON.stringify({ a, b, point }))
    }
    expect(pierced).toBeGreaterThan(runCount(150))
  })
})
