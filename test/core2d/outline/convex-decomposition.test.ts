import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Vec2 } from '../../../schemas/vector.ts'
import { fewConvexPieces } from '../../../src/core2d/outline/convex-decomposition.ts'
import type { Outline } from '../../../src/core2d/outline/outline.ts'
import { partitionFaults } from '../../oracle/exact-partition.ts'
import { isStrictlySimple } from '../../oracle/exact-simple.ts'
import { fewestByTrying } from '../../oracle/fewest-pieces.ts'
import { gridRegion, gridRing, outlineOf, type Rings, starRegion } from '../../support/families/random-regions.ts'
import { runCount, runs } from '../../support/runs.ts'

function piecesOf(rings: Rings, mostVertices = 1024): Vec2[][] {
  const outline = outlineOf(rings) as Outline
  const point = (i: number): Vec2 => ({ x: outline.vertices[2 * i], y: outline.vertices[2 * i + 1] })
  return fewConvexPieces(outline, mostVertices).map((ring) => ring.map(point))
}

function counterClockwise(ring: readonly Vec2[]): Vec2[] {
  const area = ring.reduce((sum, p, i) => {
    const q = ring[(i + 1) % ring.length]
    return sum + p.x * q.y - p.y * q.x
  }, 0)
  return area > 0 ? [...ring] : [...ring].reverse()
}

describe('few convex pieces', () => {
  it.each([
    ['on a grid, touching itself', gridRegion(), 3000],
    ['on a grid, of many vertices', gridRegion(60), 300],
    ['with coordinates of all bits', starRegion(), 100],
    ['beyond one window', starRegion(120), 20],
  ])('make up a region %s', (_name, regions, count) => {
    fc.assert(
      fc.property(regions, (rings) => {
        expect(partitionFaults(rings, piecesOf(rings))).toEqual([])
      }),
      runs(count),
    )
  })

  it('are as few as can be when there is no hole', () => {
    const found = new Map<number, number>()
    fc.assert(
      fc.property(gridRing(5, 9), (ring) => {
        fc.pre(isStrictlySimple([ring]))
        const pieces = piecesOf([ring])
        expect(pieces.length).toBe(fewestByTrying(counterClockwise(ring)))
        found.set(pieces.length, (found.get(pieces.length) ?? 0) + 1)
      }),
      runs(2000),
    )
    for (const count of [1, 2, 3]) expect(found.get(count)).toBeGreaterThan(runCount(50))
  })

  // if only the longest diagonals that may go are taken away, a piece too many is left
  it.each([
    [3, '0,3 1,3 5,5 5,2 4,2 2,0 2,1 0,2'],
    [3, '4,1 4,0 2,2 0,1 1,3 0,5 2,4 5,4'],
    [4, '3,8 0,5 3,5 4,6 4,5 3,3 4,2 4,1 6,2 7,3 7,6'],
    [3, '2,3 1,5 0,7 1,7 4,8 6,5 8,5 7,4 4,0 3,1'],
    [4, '1,5 1,8 3,8 3,6 7,7 7,5 6,5 6,2 3,1 5,3 5,5 4,5'],
    [2, '3,7 3,8 4,6 8,6 6,2 7,0 4,0 3,3'],
  ])('are %i, however it lies: %s', (fewest, text) => {
    const given = text.split(' ').map((point) => point.split(',').map(Number))
    for (const [xx, xy, yx, yy] of [
      [1, 0, 0, 1],
      [-1, 0, 0, 1],
      [1, 0, 0, -1],
      [-1, 0, 0, -1],
      [0, 1, 1, 0],
      [0, -1, 1, 0],
      [0, 1, -1, 0],
      [0, -1, -1, 0],
    ]) {
      const ring = given.map(([x, y]) => ({ x: xx * x + xy * y, y: yx * x + yy * y }))
      expect(fewestByTrying(counterClockwise(ring))).toBe(fewest)
      expect(piecesOf([ring]).length).toBe(fewest)
      expect(partitionFaults([ring], piecesOf([ring]))).toEqual([])
    }
  })

  it('have no more corners than allowed', () => {
    const circle = Array.from({ length: 50 }, (_, i) => ({ x: 24 * i - i * i, y: 25 * i - i * i }))
    const pieces = piecesOf([circle], 10)
    expect(pieces.map((piece) => piece.length)).toEqual([10, 10, 10, 10, 10, 10])
    expect(partitionFaults([circle], pieces)).toEqual([])
  })

  it.each([
    ['a comb', 16, comb(16), 17],
    ['a gear', 24, gear(24), 25],
  ])('are few for %s of %i teeth', (_name, _teeth, ring, expected) => {
    expect(piecesOf([ring]).length).toBe(expected)
    expect(partitionFaults([ring], piecesOf([ring]))).toEqual([])
  })
})

function comb(teeth: number): Vec2[] {
  const gaps = Array.from({ length: teeth }, (_, k) => teeth - 1 - k).flatMap((x) => [
    { x: x + 1, y: 3 },
    { x: x + 0.5, y: 3 },
    { x: x + 0.5, y: 1 },
    { x, y: 1 },
  ])
  return [{ x: 0, y: 0 }, { x: teeth, y: 0 }, ...gaps.slice(0, -1)]
}

function gear(teeth: number): Vec2[] {
  return Array.from({ length: 4 * teeth }, (_, i) => {
    const angle = (i * Math.PI) / 2 / teeth
    const r = (i >> 1) % 2 === 1 ? 100 : 90
    return { x: r * Math.cos(angle), y: r * Math.sin(angle) }
  })
}
