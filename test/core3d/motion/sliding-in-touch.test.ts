// A plate turns under a small block that stands on its plane: the two part and meet again as their plan views do, sampled finely.

import { describe, expect, it } from 'vitest'
import type { Body3d } from '../../../schemas/shapes3d.ts'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../../../src/core3d/motion/time-of-impact.ts'
import { type Body, createBody } from '../../../src/core3d/shape/body.ts'
import { decodeBody } from '../../../src/wire/body-3d.ts'

const HALF = 0.02
const STEP = 2 ** -12
const STILL = { vx: 0, vy: 0, vz: 0, wx: 0, wy: 0, wz: 0 }

function box(x: number, y: number, z: number, half: number): Body {
  const shape = { type: 'box', size: { x: 2 * half, y: 2 * half, z: 0.5 } }
  const body = createBody()
  decodeBody({ shape, position: { x, y, z } } as Body3d, body, { maxVertices: 64, maxParts: 1 })
  return body
}

interface Case {
  x: number
  y: number
  spin: number
}

const CASES: Case[] = [1.021, 1.023, 1.025, 1.03, 1.04].flatMap((radius) =>
  Array.from({ length: 30 }, (_, k) => {
    const angle = (k / 30) * (Math.PI / 2)
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle), spin: 1 + k / 50 }
  }),
)

/** How far apart the plan views are, or how deep in each other, along the axes of either. */
function gapAt({ x, y, spin }: Case, time: number): number {
  const cos = Math.cos(spin * time)
  const sin = Math.sin(spin * time)
  const width = Math.abs(cos) + Math.abs(sin)
  const ofPlate = Math.max(Math.abs(cos * x + sin * y), Math.abs(cos * y - sin * x)) - 1 - HALF * width
  return Math.max(ofPlate, Math.max(Math.abs(x), Math.abs(y)) - HALF - width)
}

/** When the plan views part, and when they meet again; Infinity where they do not within the duration. */
function sampled(each: Case, duration: number): { parts: number; meets: number } {
  let parts = Infinity
  for (let time = 0; time < duration; time += STEP) {
    const gap = gapAt(each, time)
    if (parts === Infinity && gap > 1e-9) parts = time
    if (parts < Infinity && gap <= 0) return { parts, meets: time }
  }
  return { parts, meets: Infinity }
}

function impact({ x, y, spin }: Case, ignoreSeparating: boolean): TimeOfImpact {
  const out = createTimeOfImpact()
  timeOfImpact(box(0, 0, 0, 1), { ...STILL, wz: spin }, box(x, y, 0.5, HALF), STILL, 4, ignoreSeparating, 'exit', out)
  return out
}

const standing = CASES.filter((each) => gapAt(each, 0) < 0)

describe('a block that a turning plate slides under', () => {
  it('is parted from when the plate has gone', () => {
    let parted = 0
    for (const each of standing) {
      const { parts } = sampled(each, 4)
      const found = impact(each, false)
      expect(found.time).toBe(0)
      expect(found.converged).toBe(true)
      if (parts === Infinity) continue
      parted++
      expect(found.hasExit).toBe(true)
      expect(Math.abs(found.exitTime - parts)).toBeLessThan(2 * STEP)
    }
    expect(parted).toBeGreaterThan(20)
  })

  it('is met again when the plate comes back', () => {
    let again = 0
    for (const each of standing) {
      const { meets } = sampled(each, 4)
      if (meets === Infinity) continue
      again++
      const found = impact(each, true)
      expect(found.hit).toBe(true)
      expect(Math.abs(found.time - meets)).toBeLessThan(2 * STEP)
    }
    expect(again).toBeGreaterThan(20)
  })
})
