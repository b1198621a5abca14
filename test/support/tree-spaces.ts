/** The dynamic trees of the plane and of space, by the same names, for tests that run for both. */

import type { ItemList } from '../../src/containers/item-list.ts'
import type { PairList } from '../../src/containers/pair-list.ts'
import type { DynamicTree } from '../../src/core/dynamic-tree.ts'
import * as plane from '../../src/core2d/broad-phase/dynamic-tree.ts'
import * as planeQueries from '../../src/core2d/broad-phase/dynamic-tree-queries.ts'
import * as space from '../../src/core3d/broad-phase/dynamic-tree.ts'
import * as spaceQueries from '../../src/core3d/broad-phase/dynamic-tree-queries.ts'
import { BOX_SETS, boxSet } from './families/box-sets.ts'
import { BOX_SETS_3D, boxSet3d } from './families/box-sets-3d.ts'

export interface Dimension {
  axes: 2 | 3
  setNames: string[]
  boxSet(name: string, count: number, seed: number): Float64Array
  createDynamicTree(margin?: number): DynamicTree
  queryBox(tree: DynamicTree, list: Float64Array, index: number, out: ItemList): void
  treePairs(tree: DynamicTree, out: PairList): boolean
  /** A box, and its velocity. */
  visitMovingBox(
    tree: DynamicTree,
    box: readonly number[],
    velocity: readonly number[],
    limit: number,
    visit: (item: number, time: number) => number,
  ): void
}

export const DIMENSIONS: [string, Dimension][] = [
  [
    'in the plane',
    {
      axes: 2,
      setNames: Object.keys(BOX_SETS),
      boxSet,
      createDynamicTree: plane.createDynamicTree,
      queryBox: planeQueries.queryBox,
      treePairs: planeQueries.treePairs,
      visitMovingBox(tree, [minX, minY, maxX, maxY], [vx, vy], limit, visit) {
        planeQueries.visitMovingBox(tree, { minX, minY, maxX, maxY, vx, vy }, limit, visit)
      },
    },
  ],
  [
    'in space',
    {
      axes: 3,
      setNames: Object.keys(BOX_SETS_3D),
      boxSet: boxSet3d,
      createDynamicTree: space.createDynamicTree,
      queryBox: spaceQueries.queryBox,
      treePairs: spaceQueries.treePairs,
      visitMovingBox(tree, [minX, minY, minZ, maxX, maxY, maxZ], [vx, vy, vz], limit, visit) {
        spaceQueries.visitMovingBox(tree, { minX, minY, minZ, maxX, maxY, maxZ, vx, vy, vz }, limit, visit)
      },
    },
  ],
]
