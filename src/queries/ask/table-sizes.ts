// How large a table may be, of bodies of whatever dimension.

import { spend } from '../../containers/budget.ts'
import { type DecodeProblem, problemAt } from '../../wire/problems/decode-problem.ts'

export interface TableSizes {
  readonly a: readonly unknown[]
  readonly b: readonly unknown[]
}

/** Points that the two bodies of a cell may have on average, over as many cells as there may be. */
const POINTS_PER_CELL = 128

/** The problem of lists that are too long, or null. */
export function checkTableSizes(
  table: TableSizes,
  { maxBodies, maxCells }: { readonly maxBodies: number; readonly maxCells: number },
): DecodeProblem | null {
  for (const name of ['a', 'b'] as const) {
    const actual = table[name].length
    if (actual <= maxBodies) continue
    const detail = `${name} must have at most ${maxBodies} items, got ${actual}.`
    return problemAt(`/${name}`, 'too-many-bodies', detail, { limit: maxBodies, actual })
  }
  const actual = table.a.length * table.b.length
  return actual <= maxCells ? null : tooManyCells(table, '.', maxCells, actual)
}

function tooManyCells({ a, b }: TableSizes, why: string, limit: number, actual: number): DecodeProblem {
  const detail = `A table may have at most ${limit} cells, got ${a.length} × ${b.length}${why}`
  const places = [{ pointer: '/a' }, { pointer: '/b' }]
  return { code: 'too-many-cells', detail, places, limit, actual }
}

/** The problem of bodies that are too heavy, or null. `cost`: of a pair, the longer list first, in points that are looked at. */
export function checkTableCost(
  table: TableSizes,
  cost: (outer: number, inner: number) => number,
  maxCells: number,
): DecodeProblem | null {
  const outer = Math.max(table.a.length, table.b.length)
  const inner = Math.min(table.a.length, table.b.length)
  let total = 0
  for (let i = 0; i < outer; i++) {
    spend(inner)
    for (let j = 0; j < inner; j++) total += cost(i, j)
  }
  const actual = Math.ceil(total / POINTS_PER_CELL)
  if (actual <= maxCells) return null
  return tooManyCells(table, `, which count as ${actual} for the vertices of their bodies.`, maxCells, actual)
}
