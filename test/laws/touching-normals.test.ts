// Where two bodies touch, they part along the normal.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Body2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { contactComposites, createContact } from '../../src/core2d/queries/contact.ts'
import { concaveShape } from '../oracle/translation-shapes.ts'
import { prepare } from '../support/answers/slots.ts'
import { gridRing, outlineOf } from '../support/families/random-regions.ts'

/** How many fit exactly depends on it. */
const SEED = 20261121
/** How far one is moved. */
const STEP = 2 ** -12

function contactOf(a: Body2d, b: Body2d) {
  const out = createContact()
  contactComposites(prepare(a), prepare(b), 0, out)
  return out
}

const ring = gridRing(6, 10)
  .filter((vertices) => outlineOf([vertices]) !== null)
  .map((outer): Shape2d => ({ type: 'region', outer }))
const shape = fc.oneof(
  concaveShape(true).map((one) => one.shape),
  ring,
)

/** A corner of it, or a point of a side. */
function placeOn(shape: Shape2d, pick: number): Vec2 {
  const { outer } = shape as Extract<Shape2d, { type: 'region' }>
  const at = outer[pick % outer.length]
  const next = outer[(pick + 1) % outer.length]
  return pick % 3 === 0 ? { x: (at.x + next.x) / 2, y: (at.y + next.y) / 2 } : at
}

it('regions on a grid that touch, at corners above all, part along the normal, but for some that fit exactly between two sides', () => {
  let touching = 0
  let stuck = 0
  for (const [first, second, i, j] of fc.sample(fc.tuple(shape, shape, fc.nat(99), fc.nat(99)), {
    numRuns: 6000,
    seed: SEED,
  })) {
    const p = placeOn(first, i)
    const q = placeOn(second, j)
    const a = { shape: first }
    const b = { shape: second, position: { x: p.x - q.x, y: p.y - q.y } }
    const { relation, nx, ny, separation, tx, ty, exact } = contactOf(a, b)
    if (relation !== 0) continue
    touching++
    expect({ separation, tx, ty, exact }).toEqual({ separation: 0, tx: 0, ty: 0, exact: true })
    expect(Math.hypot(nx, ny)).toBeCloseTo(1, 12)
    const moved = { ...b, position: { x: b.position.x + STEP * nx, y: b.position.y + STEP * ny } }
    if (contactOf(a, moved).separation < -1e-9) stuck++
  }
  expect(touching).toBeGreaterThan(500)
  expect(stuck).toBeLessThan(0.008 * touching)
})
