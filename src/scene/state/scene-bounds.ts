/**
 * The box around the bodies of a scene, without looking at all of them.
 *
 * Method: the box of a node holds those of its items, so each side is found by going down where it may still get farther, the
 * farther child first.
 */

import type { DynamicTree } from '../../core2d/bvh/dynamic-tree-node.ts'
import type { Bounds } from '../../core2d/measures/bounds.ts'
import type { BodyTable } from '../table/body-table.ts'
import type { View } from './view.ts'

/** What it takes of a scene. */
interface BoundedScene {
  table: Pick<BodyTable, 'tree'>
  front: View | null
  frontBounds: Bounds | null
}

/** Of those that have bounds, rounded outward; null without any. */
export function boundsOfScene({ front, frontBounds, table: { tree } }: BoundedScene): Bounds | null {
  if (front !== null) return frontBounds
  if (tree.count === 0) return null
  return {
    minX: -farthest(tree, 0, -1),
    minY: -farthest(tree, 1, -1),
    maxX: farthest(tree, 2, 1),
    maxY: farthest(tree, 3, 1),
  }
}

/** The greatest sign · side of all items. */
function farthest({ boxes, child, itemBoxes }: DynamicTree, side: number, sign: number): number {
  let best = -Infinity
  const nodes = [0]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (sign * boxes[4 * node + side] <= best) continue
    const first = child[node]
    if (first < 0) {
      best = Math.max(best, sign * itemBoxes[4 * ~first + side])
      continue
    }
    const isFirstFarther = sign * boxes[4 * first + side] >= sign * boxes[4 * first + 4 + side]
    nodes.push(isFirstFarther ? first + 1 : first, isFirstFarther ? first : first + 1)
  }
  return best
}
