/**
 * Small regions of cells that lie near each other, together: as many bodies as there are specks in a map of noise, no write takes.
 *
 * Those of one value that begin in the same block are a group, as long as they are small against it; others stay alone. So what is a
 * group hangs on the cells near it and on nothing else of the map.
 */

import type { CellRegions } from './cells.ts'

/** Corners of a region from which on it stays alone, and regions of one group: the service takes ten times as many parts. */
const MOST_CORNERS = 64
const MOST_REGIONS = 1024

/** `side`: of blocks, in cells. The regions of each group by their numbers, the groups in the order of their first ones. */
export function cellGroups(regions: CellRegions, side: number): number[][] {
  const groups: number[][] = []
  const open = new Map<string, number[]>()
  for (let index = 0; index < regions.count; index++) {
    const { value, count, column, row } = regions.cellsOf(index)
    const isSmall = count <= side * side && regions.cornerCount(index) <= MOST_CORNERS
    const key = `${value}.${Math.floor(column / side)}.${Math.floor(row / side)}`
    const group = isSmall ? open.get(key) : undefined
    if (group !== undefined && group.length < MOST_REGIONS) {
      group.push(index)
      continue
    }
    const begun = [index]
    groups.push(begun)
    if (isSmall) open.set(key, begun)
  }
  return groups
}
