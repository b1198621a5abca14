// The merge of cells into outlines: small grids drawn here, and random ones against the cells themselves.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CellGrid, type CellRegion, cellOutlines, isWall, type Point } from '../../examples/cell-outlines.ts'

const drawn = (...lines: string[]): CellGrid => ({
  columns: lines[0].length,
  rows: lines.length,
  size: 1,
  x: 0,
  y: 0,
  cells: Uint8Array.from(lines.join(''), (letter) => (letter === '#' ? 1 : 0)),
})

const corners = (ring: Point[]) => ring.map(({ x, y }) => `${x},${y}`).join(' ')
const rings = ({ outer, holes }: CellRegion) => [outer, ...holes].map(corners)

describe('outlines of drawn cells', () => {
  it('name only the corners, wherever the grid stands', () => {
    const grid = { ...drawn('....', '.##.', '.#..'), size: 8, x: 100, y: -16 }
    expect(cellOutlines(grid)).toEqual([
      {
        cellCount: 3,
        outer: [
          { x: 124, y: -8 },
          { x: 124, y: 0 },
          { x: 116, y: 0 },
          { x: 116, y: 8 },
          { x: 108, y: 8 },
          { x: 108, y: -8 },
        ],
        holes: [],
      },
    ])
  })

  it('keep what stands in a hole apart, and give each region its own holes', () => {
    const grid = drawn('#####', '#...#', '#.#.#', '#...#', '#####')
    expect(cellOutlines(grid).map(rings)).toEqual([['5,0 5,5 0,5 0,0', '4,4 4,1 1,1 1,4'], ['3,2 3,3 2,3 2,2']])
  })

  it('keep cells apart that share a corner only', () => {
    expect(cellOutlines(drawn('#.', '.#')).map(rings)).toEqual([['1,0 1,1 0,1 0,0'], ['2,1 2,2 1,2 1,1']])
  })

  it('make a hole of what reaches the outside through a corner only', () => {
    expect(cellOutlines(drawn('##.', '#.#', '###')).map(rings)).toEqual([
      ['2,0 2,1 3,1 3,3 0,3 0,0', '2,2 2,1 1,1 1,2'],
    ])
  })

  it('make two holes of what is joined through a corner only', () => {
    expect(cellOutlines(drawn('####', '#.##', '##.#', '####')).map(rings)).toEqual([
      ['4,0 4,4 0,4 0,0', '2,2 2,1 1,1 1,2', '3,3 3,2 2,2 2,3'],
    ])
  })

  it('are none where there is no wall', () => {
    expect(cellOutlines(drawn('..', '..'))).toEqual([])
    expect(cellOutlines({ ...drawn('#'), rows: 0, columns: 0, cells: new Uint8Array() })).toEqual([])
  })
})

const grids = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.constantFrom(0.2, 0.5, 0.7, 0.85))
  .chain(([columns, rows, density]) =>
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: columns * rows, maxLength: columns * rows }).map(
      (values): CellGrid => ({
        columns,
        rows,
        size: 1,
        x: 0,
        y: 0,
        cells: Uint8Array.from(values, (value) => (value < density ? 1 : 0)),
      }),
    ),
  )

/** Positive when counter-clockwise. */
const area = (ring: Point[]) =>
  ring.reduce((sum, { x, y }, i) => {
    const next = ring[(i + 1) % ring.length]
    return sum + (x * next.y - y * next.x) / 2
  }, 0)

/** By the parity of sides crossed on the way from the point towards +x; the point lies on no line of the grid. */
const encloses = (ring: Point[], px: number, py: number) =>
  ring.filter(({ x, y }, i) => {
    const next = ring[(i + 1) % ring.length]
    return x === next.x && x > px && y > py !== next.y > py
  }).length %
    2 ===
  1

const holds = ({ outer, holes }: CellRegion, column: number, row: number) =>
  encloses(outer, column + 0.5, row + 0.5) && !holes.some((hole) => encloses(hole, column + 0.5, row + 0.5))

describe('outlines of random cells', () => {
  it('hold every wall cell in exactly one region, and no other cell in any', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        const regions = cellOutlines(grid)
        for (let row = 0; row < grid.rows; row++) {
          for (let column = 0; column < grid.columns; column++) {
            const around = regions.filter((region) => holds(region, column, row))
            expect(around).toHaveLength(isWall(grid, column, row) ? 1 : 0)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  it('have the area of their cells, outer rings counter-clockwise and holes clockwise', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        for (const { outer, holes, cellCount } of cellOutlines(grid)) {
          expect(area(outer)).toBeGreaterThan(0)
          for (const hole of holes) expect(area(hole)).toBeLessThan(0)
          expect([outer, ...holes].reduce((sum, ring) => sum + area(ring), 0)).toBe(cellCount)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('turn at every vertex and never come back to one', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        for (const { outer, holes } of cellOutlines(grid)) {
          for (const ring of [outer, ...holes]) {
            expect(new Set(ring.map(({ x, y }) => `${x},${y}`)).size).toBe(ring.length)
            for (const [i, { x, y }] of ring.entries()) {
              const next = ring[(i + 1) % ring.length]
              const after = ring[(i + 2) % ring.length]
              const alongX = y === next.y && x !== next.x
              const alongY = x === next.x && y !== next.y
              expect(alongX || alongY).toBe(true)
              expect(alongX ? next.x === after.x : next.y === after.y).toBe(true)
            }
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  it('join the cells that are connected over sides, and no others', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        const regions = cellOutlines(grid)
        const find = (column: number, row: number) => regions.findIndex((region) => holds(region, column, row))
        for (const [index, region] of regions.entries()) {
          // Brute force: from any cell of the region, steps over sides reach all of it.
          const own: [number, number][] = []
          for (let row = 0; row < grid.rows; row++) {
            for (let column = 0; column < grid.columns; column++)
              if (find(column, row) === index) own.push([column, row])
          }
          const reached = new Set([String(own[0])])
          for (let before = 0; before < reached.size; ) {
            before = reached.size
            for (const [column, row] of own) {
              const neighbours = [
                [column + 1, row],
                [column - 1, row],
                [column, row + 1],
                [column, row - 1],
              ]
              if (neighbours.some((cell) => reached.has(String(cell)))) reached.add(String([column, row]))
            }
          }
          expect(reached.size).toBe(own.length)
          expect(own).toHaveLength(region.cellCount)
          for (const [column, row] of own) {
            for (const [x, y] of [
              [column + 1, row],
              [column, row + 1],
            ]) {
              if (isWall(grid, x, y)) expect(find(x, y)).toBe(index)
            }
          }
        }
      }),
      { numRuns: 200 },
    )
  })
})
