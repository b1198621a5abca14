// Solid cells as regions: every cell in exactly one, none besides, and no seams.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Vec2 } from '../../schemas/vector.ts'
import { type CellRegion, CellRegions, cellPieces, type Grid } from '../../src/import/cell-layer.ts'
import { SCHEMA_LIMITS } from '../../src/wire/body.ts'
import { checkSceneBody } from '../../src/wire/scene-body.ts'
import { runs } from '../support/runs.ts'

const grids: fc.Arbitrary<Grid> = fc
  .record({ columns: fc.integer({ min: 1, max: 9 }), rows: fc.integer({ min: 1, max: 9 }) })
  .chain(({ columns, rows }) =>
    fc.record({
      columns: fc.constant(columns),
      rows: fc.constant(rows),
      values: fc.array(fc.constantFrom(0, 1, 1, 2), { minLength: columns * rows, maxLength: columns * rows }),
    }),
  )

const cellRegions = (grid: Grid, mostCorners = Infinity) => new CellRegions(grid, cellPieces(grid, mostCorners))

function areaOf(ring: readonly Vec2[]): number {
  return ring.reduce((sum, p, k) => {
    const q = ring[(k + 1) % ring.length]!
    return sum + (p.x * q.y - p.y * q.x) / 2
  }, 0)
}

/** Whether the middle of a cell lies within the rings, by crossings of a ray to the right. */
function holds(rings: readonly (readonly Vec2[])[], column: number, row: number): boolean {
  const y = row + 0.5
  let crossings = 0
  for (const ring of rings) {
    ring.forEach((p, k) => {
      const q = ring[(k + 1) % ring.length]!
      if (p.x > column && p.y < y !== q.y < y) crossings++
    })
  }
  return crossings % 2 === 1
}

/** How many pieces there are, by joining neighbours one by one. */
function pieceCount({ columns, rows, values }: Grid): number {
  const parent = Array.from({ length: columns * rows }, (_, k) => k)
  const root = (k: number): number => (parent[k] === k ? k : root(parent[k]!))
  for (let k = 0; k < parent.length; k++) {
    for (const other of [(k + 1) % columns === 0 ? -1 : k + 1, k + columns]) {
      if (other >= 0 && other < parent.length && values[k] === values[other]) parent[root(k)] = root(other)
    }
  }
  return parent.filter((_, k) => values[k] !== 0 && root(k) === k).length
}

describe('regions of cells', () => {
  it('have each cell once, and are the pieces that touch along sides', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        const regions = [...cellRegions(grid)]
        expect(regions).toHaveLength(pieceCount(grid))
        for (let cell = 0; cell < grid.columns * grid.rows; cell++) {
          const row = Math.floor(cell / grid.columns)
          const at = regions.filter(({ outer, holes }) => holds([outer, ...holes], cell % grid.columns, row))
          expect(at.map(({ value }) => value)).toEqual(grid.values[cell] === 0 ? [] : [grid.values[cell]])
        }
        for (const { outer, holes, count } of regions) {
          expect(areaOf(outer) + holes.reduce((sum, hole) => sum + areaOf(hole), 0)).toBe(count)
          expect(areaOf(outer)).toBeGreaterThan(0)
          for (const hole of holes) expect(areaOf(hole)).toBeLessThan(0)
        }
      }),
      runs(300),
    )
  })

  it('are cut where they have too many corners, and no more than that', () => {
    fc.assert(
      fc.property(grids, fc.integer({ min: 3, max: 24 }), (grid, mostCorners) => {
        const cornersOf = ({ outer, holes }: CellRegion) => outer.length + holes.flat().length
        const whole = [...cellRegions(grid)]
        const regions = [...cellRegions(grid, mostCorners)]
        for (let cell = 0; cell < grid.columns * grid.rows; cell++) {
          const row = Math.floor(cell / grid.columns)
          const at = regions.filter(({ outer, holes }) => holds([outer, ...holes], cell % grid.columns, row))
          expect(at.map(({ value }) => value)).toEqual(grid.values[cell] === 0 ? [] : [grid.values[cell]])
        }
        for (const region of regions) {
          expect(cornersOf(region)).toBeLessThanOrEqual(Math.max(4, mostCorners))
          const area = [region.outer, ...region.holes].reduce((sum, ring) => sum + areaOf(ring), 0)
          expect(area).toBe(region.count)
        }
        // what is small enough stays as it is
        for (const region of whole) if (cornersOf(region) <= mostCorners) expect(regions).toContainEqual(region)
      }),
      runs(300),
    )
  })

  it('are taken as regions by the service, with no corner on a straight side', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        for (const { outer, holes } of cellRegions(grid)) {
          expect(checkSceneBody(2, { shape: { type: 'region', outer, holes } }, SCHEMA_LIMITS)).toBeNull()
          for (const ring of [outer, ...holes]) {
            ring.forEach((p, k) => {
              const q = ring[(k + 1) % ring.length]!
              const r = ring[(k + 2) % ring.length]!
              expect((p.x === q.x) !== (q.x === r.x)).toBe(true)
            })
          }
        }
      }),
      runs(300),
    )
  })
})
