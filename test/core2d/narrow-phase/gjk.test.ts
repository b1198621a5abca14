import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createNearestPair, nearestPair } from '../../../src/core2d/narrow-phase/gjk.ts'
import {
  createFace,
  largestFaceDistance,
  raiseFaceDistance,
  supportVertex,
} from '../../../src/core2d/narrow-phase/sat.ts'
import { type Body, LOCAL } from '../../../src/core2d/shape/body.ts'
import type { Frame } from '../../../src/core2d/shape/position.ts'
import { prepare } from '../../support/answers/slots.ts'
import { polygonVertices, UNIFORM } from '../../support/families/arbitraries.ts'
import { runs } from '../../support/runs.ts'

const polygon = polygonVertices(UNIFORM, 12)
  .map((vertices) => prepare({ shape: { type: 'polygon', vertices } }))
  .filter((body) => body.count > 1)

function frameAt(dx: number, dy: number): Frame {
  return { dx, dy, extent: 0, error: 0, limit: Infinity }
}

function distanceToSegment(px: number, py: number, ax: number, ay: number, bx: number, by: number): number {
  const [ex, ey] = [bx - ax, by - ay]
  const t = Math.min(Math.max(((px - ax) * ex + (py - ay) * ey) / (ex * ex + ey * ey), 0), 1)
  return Math.hypot(px - ax - t * ex, py - ay - t * ey)
}

function bruteDistance(a: Body, b: Body, dx: number, dy: number): number {
  let least = Infinity
  const sweep = (p: Body, q: Body, ox: number, oy: number): void => {
    for (let i = 0; i < p.count; i++) {
      for (let j = 0; j < q.count; j++) {
        const k = (j + 1) % q.count
        const at = (body: Body, n: number): [number, number] => [
          body.numbers[LOCAL + 2 * n],
          body.numbers[LOCAL + 2 * n + 1],
        ]
        const [x, y] = at(p, i)
        least = Math.min(least, distanceToSegment(x - ox, y - oy, ...at(q, j), ...at(q, k)))
      }
    }
  }
  sweep(a, b, dx, dy)
  sweep(b, a, -dx, -dy)
  return least
}

function bruteFace(a: Body, b: Body, dx: number, dy: number): number {
  let best = -Infinity
  for (let i = 0; i < a.count; i++) {
    const [nx, ny] = [a.numbers[a.normals + 2 * i], a.numbers[a.normals + 2 * i + 1]]
    let least = Infinity
    for (let j = 0; j < b.count; j++) {
      least = Math.min(least, nx * (dx + b.numbers[LOCAL + 2 * j]) + ny * (dy + b.numbers[LOCAL + 2 * j + 1]))
    }
    best = Math.max(best, least - a.numbers[a.offsets + i])
  }
  return best
}

describe('nearestPair', () => {
  it('finds what an exhaustive search finds, from any start', () => {
    const angle = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true })
    fc.assert(
      fc.property(polygon, polygon, angle, fc.nat(11), fc.nat(11), (a, b, direction, i, j) => {
        const dx = 30 * Math.cos(direction)
        const dy = 30 * Math.sin(direction)
        const out = createNearestPair()
        nearestPair(a, b, frameAt(dx, dy), i % a.count, j % b.count, out)
        expect(out.distance).toBeCloseTo(bruteDistance(a, b, dx, dy), 12)
        expect(Math.hypot(out.bx - out.ax, out.by - out.ay)).toBeCloseTo(out.distance, 12)
      }),
      runs(500),
    )
  })
})

describe('the face search', () => {
  it('finds the best face of both polygons, overlapping or apart', () => {
    const offset = fc.double({ min: -8, max: 8, noNaN: true })
    fc.assert(
      fc.property(polygon, polygon, offset, offset, (a, b, dx, dy) => {
        const face = createFace()
        largestFaceDistance(a, b, frameAt(dx, dy), face)
        expect(face.distance).toBeCloseTo(bruteFace(a, b, dx, dy), 12)
        const own = face.distance
        const other = bruteFace(b, a, -dx, -dy)
        const raised = raiseFaceDistance(b, a, frameAt(dx, dy), -1, -1, face.edge, face)
        expect(face.distance).toBeCloseTo(Math.max(own, other), 12)
        if (Math.abs(own - other) > 1e-9) expect(raised).toBe(other > own)
      }),
      runs(1000),
    )
  })

  it('walks or scans to the same support vertex', () => {
    const gon = (count: number): Body =>
      prepare({
        shape: {
          type: 'polygon',
          vertices: Array.from({ length: count }, (_, i) => ({
            x: Math.cos((2 * Math.PI * i) / count),
            y: Math.sin((2 * Math.PI * i) / count),
          })),
        },
      })
    for (const count of [3, 16, 17, 1000]) {
      const body = gon(count)
      for (let i = 0; i < count; i++) {
        const angle = (2 * Math.PI * i) / count
        expect(supportVertex(body, Math.cos(angle), Math.sin(angle))).toBe(i)
      }
    }
  })
})
