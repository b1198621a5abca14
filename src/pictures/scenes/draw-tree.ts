/**
 * The boxes of a dynamic tree, from its root down, as long as they are large enough to be told apart. What leaves have over the
 * boxes of their bodies, so that these may move a little, is seen.
 */

import type { Vec2 } from '../../../schemas/vector.ts'
import { spend } from '../../containers/budget.ts'
import type { DynamicTree } from '../../core2d/bvh/dynamic-tree-node.ts'
import type { DrawnBox } from '../marks/outline.ts'
import type { ShapeRole } from '../marks/palette.ts'
import { drawRun } from '../svg/draw-shapes.ts'
import type { PictureFrame } from '../svg/frame.ts'
import { element } from '../svg/xml.ts'
import { rectangleData } from './rectangles.ts'

/** Boxes smaller than this, in picture units, are not gone into. */
const LEAST_SIZE = 4
const MOST_NODES = 10_000

/** `origin`: of the picture; `sight`: what is seen, in the world. */
export function drawTree(tree: DynamicTree, origin: Vec2, sight: DrawnBox, frame: PictureFrame): string[] {
  if (tree.count === 0) return []
  const { boxes, child } = tree
  const scale = frame.width / frame.span
  const data: Record<'tree-node' | 'tree-leaf', string[]> = { 'tree-node': [], 'tree-leaf': [] }
  const nodes = [0]
  // nodes are listed before those below them, so that what is left out is the smallest
  for (let k = 0; k < nodes.length && k < MOST_NODES; k++) {
    const node = nodes[k]
    const [minX, minY, maxX, maxY] = boxes.subarray(4 * node, 4 * node + 4)
    if (minX > sight.maxX || maxX < sight.minX || minY > sight.maxY || maxY < sight.minY) continue
    const isLeaf = child[node] < 0
    data[isLeaf ? 'tree-leaf' : 'tree-node'].push(rectangleData(minX, minY, maxX, maxY, origin, frame))
    if (!isLeaf && Math.max(maxX - minX, maxY - minY) * scale >= LEAST_SIZE) nodes.push(child[node], child[node] + 1)
  }
  spend(nodes.length)
  return Object.entries(data).flatMap(([role, parts]) =>
    parts.length === 0 ? [] : drawRun(role as ShapeRole, [element('path', { d: parts.join('') })]),
  )
}
