/**
 * The query `sectors`: which cells of a grid bodies of a scene pass through.
 *
 * Method: bodies near the grid come from the tree, and are looked at one by one, in the order of their ids (`core/sectors.ts`).
 */

import { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import { Ranking } from '../../containers/ranking.ts'
import { PassedCells } from '../../core/passed-cells.ts'
import type { SectorGrid } from '../../core/sectors.ts'
import type { Accepts } from '../state/filter.ts'
import { bodiesInBox, bodyAt, idAt, type View } from '../state/view.ts'
import { costlySectors, fetchBody, isCostly } from './scene-tasks.ts'

interface SectorsQuery {
  grid: SectorGrid
  accepts: Accepts
  /** Most passages through cells, counted for each edge. */
  most: number
}

interface SectorsAnswer {
  /** Bodies are known by their places in `ids`. */
  passed: PassedCells
  /** In their order. */
  ids: readonly string[]
}

/** Steps of finding that a body passes through a cell, more or less. */
const CELL_POINTS = 16

/** Null where there are too many passages. */
export function* querySectors(view: View, { grid, accepts, most }: SectorsQuery): FarSlices<SectorsAnswer | null> {
  const { origin, cellSize, counts } = grid
  const ends = counts.map((count, k) => origin[k] + count * cellSize)
  const near = createItemList()
  bodiesInBox(view, Float64Array.from([...origin, ...ends]), near)
  const pace = new Pace()
  const ranking = new Ranking<number>(Infinity)
  for (let k = 0; k < near.count; k++) {
    const slot = near.items[k]
    if (accepts(slot)) ranking.add(0, idAt(view, slot), slot)
    if (pace.isDue(1)) yield
  }
  const { ranked } = yield* ranking.finish(pace)
  const passed = new PassedCells(grid, most)
  for (const [index, { value: slot }] of ranked.entries()) {
    const body = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
    const points = view.table.geometry.points(body)
    const { left } = passed
    if (!(yield* costlySectors(view, slot, body, index, passed))) return null
    if (pace.isDue(points + CELL_POINTS * (1 + left - passed.left))) yield
  }
  return { passed, ids: ranked.map(({ value }) => idAt(view, value)) }
}
