// A door on a hinge at the corner of a wall, and a box that tips over its corner: they are met again when they lie flat.

import { describe, expect, it } from 'vitest'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../../../src/core2d/motion/time-of-impact.ts'
import { type Body, createBody } from '../../../src/core2d/shape/body.ts'
import type { Motion } from '../../../src/core2d/shape/motion.ts'
import { decodeBody } from '../../../src/wire/body.ts'

type Pair = readonly [number, number]

const LIMITS = { maxVertices: 64, maxParts: 64 }

/** A polygon, or a segment, times a size, turned about the origin. */
function bodyOf(points: readonly Pair[], size: number, angle: number): Body {
  const vertices = points.map(([x, y]) => ({ x: x * size, y: y * size }))
  const [a, b] = vertices
  const shape = points.length === 2 ? { type: 'segment', a, b } : { type: 'polygon', vertices }
  const body = createBody()
  decodeBody({ shape, rotation: angle } as never, body, LIMITS as never)
  return body
}

const spinning = (spin: number): Motion => ({ vx: 0, vy: 0, spin })

/** In the time of somewhat more than the angle. */
function impact(a: Body, spinA: number, b: Body, spinB: number, angle: number): TimeOfImpact {
  const out = createTimeOfImpact()
  timeOfImpact(a, spinning(spinA), b, spinning(spinB), (1.2 * angle) / Math.abs(spinA + spinB), true, 'exit', out)
  return out
}

/** Its corner at the origin is the hinge. */
const wall: Pair[] = [
  [-4, -2],
  [0, -2],
  [0, 0],
  [-4, 0],
]
const floor: Pair[] = [
  [-9, -2],
  [9, -2],
  [9, 0],
  [-9, 0],
]
const thick: Pair[] = [
  [0, 0],
  [2, 0],
  [2, 0.5],
  [0, 0.5],
]
const thin: Pair[] = [
  [0, 0],
  [2, 0],
]

const CASES = [
  { name: 'a thick door opens', held: wall, turned: thick, spin: 1, angle: Math.PI / 2 },
  { name: 'a thin door opens', held: wall, turned: thin, spin: 1, angle: Math.PI },
  { name: 'a thick door shuts', held: wall, turned: thick, spin: -1, angle: Math.PI / 2 },
  { name: 'a thin door shuts fast', held: wall, turned: thin, spin: -3, angle: Math.PI / 2 },
  { name: 'a box tips over its corner', held: floor, turned: thick, spin: 1, angle: Math.PI / 2 },
  { name: 'a plank tips over', held: floor, turned: thin, spin: 2, angle: Math.PI },
]

describe.each(CASES)('$name', ({ held, turned, spin, angle }) => {
  it.each([0, Math.PI / 2, -Math.PI, 0.7, 2.1])('until it lies flat, all turned by %f', (rotation) => {
    // Turned by rounded numbers they may overlap by some 10^-17 from the start, which counts.
    if (held === floor && ![0, Math.PI / 2].includes(rotation)) return
    for (const size of [1, 2 ** -10, 1e-3, 1e3]) {
      const a = bodyOf(held, size, rotation)
      const b = bodyOf(turned, size, rotation)
      for (const found of [impact(a, 0, b, spin, angle), impact(b, spin, a, 0, angle)]) {
        expect({ hit: found.hit, converged: found.converged }).toEqual({ hit: true, converged: true })
        expect(found.time).toBeCloseTo(angle / Math.abs(spin), 10)
        expect(Math.hypot(found.ax - found.bx, found.ay - found.by)).toBeLessThan(1e-9 * size)
      }
    }
  })

  it('as soon where the wall turns instead', () => {
    const { hit, time } = impact(bodyOf(held, 1, 0), -spin, bodyOf(turned, 1, 0), 0, angle)
    expect(hit).toBe(true)
    expect(time).toBeCloseTo(angle / Math.abs(spin), 10)
  })
})
