// The check of a ball's way: a way made by hand passes, and each way of going wrong is found.

import { describe, expect, it } from 'vitest'
import { type Ball, checkPath, distanceToWalls } from '../../examples/ball-path.ts'
import type { CellGrid, Point } from '../../examples/cell-outlines.ts'
import type { TrajectoryResponse } from '../../schemas/queries/trajectory.ts'

/** A room of 4 × 3 cells within walls one cell thick; its inside reaches from (10, 10) to (50, 40). */
const room: CellGrid = {
  columns: 6,
  rows: 5,
  size: 10,
  x: 0,
  y: 0,
  cells: Uint8Array.from(
    [
      [1, 1, 1, 1, 1, 1],
      [1, 0, 0, 0, 0, 1],
      [1, 0, 0, 0, 0, 1],
      [1, 0, 0, 0, 0, 1],
      [1, 1, 1, 1, 1, 1],
    ].flat(),
  ),
}

const thrown: Ball = { radius: 2, position: { x: 30, y: 20 }, velocity: { x: 9, y: 9 } }
/** Into the corner at (50, 40): off the right wall after 2 s, off the floor at once, and back. */
const answer = (): TrajectoryResponse => ({
  bounces: [
    {
      time: 2,
      point: { x: 50, y: 38 },
      normal: { x: -1, y: 0 },
      obstacle: 0,
      velocityBefore: { x: 9, y: 9 },
      velocityAfter: { x: -9, y: 9 },
    },
    {
      time: 2,
      point: { x: 48, y: 40 },
      normal: { x: 0, y: -1 },
      obstacle: 0,
      velocityBefore: { x: -9, y: 9 },
      velocityAfter: { x: -9, y: -9 },
    },
  ],
  end: { time: 3, position: { x: 39, y: 29 }, velocity: { x: -9, y: -9 } },
  status: 'completed',
})

describe('a way', () => {
  it('that is right has no faults', () => {
    const { centers, deepest, astray } = checkPath(thrown, answer(), [room])
    expect(centers).toEqual([
      { x: 30, y: 20 },
      { x: 48, y: 38 },
      { x: 48, y: 38 },
      { x: 39, y: 29 },
    ])
    expect(deepest).toBe(0)
    expect(astray).toBe(0)
  })

  it('that misses a bounce goes through the wall', () => {
    const end = { time: 3, position: { x: 57, y: 47 }, velocity: { x: 9, y: 9 } }
    const { deepest, astray } = checkPath(thrown, { ...answer(), bounces: [], end }, [room])
    expect(deepest).toBe(1)
    expect(astray).toBe(0)
  })

  it('that bounces too late enters the wall by as much', () => {
    const late = answer()
    late.bounces = late.bounces.slice(0, 1)
    late.bounces[0].time = 2.01
    late.bounces[0].point = { x: 50.09, y: 38.09 }
    late.end = { time: 2.01, position: { x: 48.09, y: 38.09 }, velocity: { x: -9, y: 9 } }
    const { deepest, astray } = checkPath(thrown, late, [room])
    expect(deepest).toBeCloseTo(0.045, 12)
    expect(astray).toBeCloseTo(0.045, 12)
  })

  it('that bounces off nothing is astray', () => {
    const early = answer()
    early.bounces = early.bounces.slice(0, 1)
    early.bounces[0].time = 1
    early.bounces[0].point = { x: 41, y: 29 }
    early.end = { time: 1, position: { x: 39, y: 29 }, velocity: { x: -9, y: 9 } }
    expect(checkPath(thrown, early, [room]).astray).toBeGreaterThan(1)
  })

  it('that is reflected askew, or bounces while it leaves, is astray', () => {
    const askew = answer()
    askew.bounces[1].velocityAfter = { x: -9, y: -9.001 }
    expect(checkPath(thrown, askew, [room]).astray).toBeGreaterThan(1e-5)
    const leaving = answer()
    leaving.bounces[1].normal = { x: -1, y: 0 }
    leaving.bounces[1].point = { x: 50, y: 38 }
    expect(checkPath(thrown, leaving, [room]).astray).toBe(Infinity)
  })

  it('that jumps is astray', () => {
    const jump = answer()
    jump.end.position = { x: 39, y: 29.5 }
    expect(checkPath(thrown, jump, [room]).astray).toBe(0.25)
  })
})

it('the distance of a segment from the cells is the least over points along it', () => {
  const cells = { ...room, cells: Uint8Array.from(room.cells, (_, cell) => (cell % 7 === 0 ? 1 : 0)) }
  const toCells = ({ x, y }: Point) =>
    Math.min(
      ...[0, 7, 14, 21, 28].map((cell) => {
        const left = (cell % 6) * 10
        const top = Math.floor(cell / 6) * 10
        return Math.hypot(Math.max(left - x, 0, x - left - 10), Math.max(top - y, 0, y - top - 10))
      }),
    )
  const steps = 400
  for (let i = 0; i < 300; i++) {
    const a = { x: (i * 37) % 60, y: (i * 23) % 50 }
    const b = { x: (i * 53 + 11) % 60, y: (i * 31 + 7) % 50 }
    const sampled = Math.min(
      ...Array.from({ length: steps + 1 }, (_, k) =>
        toCells({ x: a.x + ((b.x - a.x) * k) / steps, y: a.y + ((b.y - a.y) * k) / steps }),
      ),
    )
    const distance = distanceToWalls(a, b, 100, [cells])
    expect(distance).toBeLessThanOrEqual(sampled + 1e-12)
    expect(distance).toBeGreaterThanOrEqual(sampled - Math.hypot(b.x - a.x, b.y - a.y) / steps)
  }
})
