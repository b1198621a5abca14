// The boxes of the tree of a scene, from its root on, breadth first.

import type { DynamicTree } from '../../core/dynamic-tree.ts'

export interface TreeBox {
  depth: number
  /** Least of each axis, then the greatest of each axis. */
  sides: Float64Array
}

/** Of a tree with n items: every node that is no leaf has two children. */
export function boxCount({ count }: Pick<DynamicTree, 'count'>): number {
  return Math.max(0, 2 * count - 1)
}

/** The first `limit` of them. The sides are those of the tree itself, good until it changes. */
export function treeBoxes({ boxes, child, count, space: { sides } }: DynamicTree, limit: number): TreeBox[] {
  const found: TreeBox[] = []
  const nodes: { node: number; depth: number }[] = count === 0 ? [] : [{ node: 0, depth: 0 }]
  for (let k = 0; k < nodes.length && k < limit; k++) {
    const { node, depth } = nodes[k]
    found.push({ depth, sides: boxes.subarray(sides * node, sides * (node + 1)) })
    const first = child[node]
    if (first >= 0) nodes.push({ node: first, depth: depth + 1 }, { node: first + 1, depth: depth + 1 })
  }
  return found
}
