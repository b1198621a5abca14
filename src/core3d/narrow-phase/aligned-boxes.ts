/**
 * Boxes of all nodes and leaves of a composite body along axes of its surroundings: one for each direction that is asked about.
 *
 * Surfaces that face each other across a gap, at an angle to the axes of the world, have fat boxes there, and nearly all pairs of their
 * triangles look as near as the nearest. Along the way from one to the other, and across it, their boxes are as thin as they are.
 * Frame: axes as given, origin at the body's position. Cost: O(leaves), once.
 */

import { spend } from '../../containers/budget.ts'
import { acrossAxes, type Body, COMPOSITE, type Composite, createBody, POSITION, type Vector } from '../shape/body.ts'
import { createOpenedNode, openNode, setLeaf } from '../shape/composite.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { type CompositeFrame, convexHeight, gapBetween, gapMeasure, type Measure } from './composite-walk.ts'

/** Boxes are made again, along what is the way then, after so many times as many pairs. */
const AGAIN_FACTOR = 8
/** Pairs of leaves up to which there are none, and how many for each leaf more. */
const LEAST_PAIR_COUNT = 2 ** 10
const PAIRS_PER_LEAF = 4
/** More leaves are too many to keep boxes of. */
const MOST_LEAVES = 2 ** 18

/** Steps of measuring a leaf along three axes. */
const LEAF_STEPS = 8

const slot = createBody()
const boxA = new Float64Array(6)
const boxB = new Float64Array(6)

/**
 * Distances of boxes from below, which become tighter where very many pairs of leaves are looked at. `toward`: what is known of the
 * way from the first body to the second, a unit vector or 0 0 0.
 */
export function tighteningMeasure(frame: CompositeFrame, toward: () => ArrayLike<number>): Measure {
  const gap = gapMeasure(frame)
  const leaves = leavesOf(frame.first.body) + leavesOf(frame.second.body)
  if (leaves > MOST_LEAVES) return gap
  let seen = 0
  let next = LEAST_PAIR_COUNT + PAIRS_PER_LEAF * leaves
  let aligned: AlignedPair | null = null
  return (a, b, i, j) => {
    const low = gap(a, b)
    if (i < 0 && j < 0 && ++seen > next) {
      next *= AGAIN_FACTOR
      aligned = alignedPair(frame, toward())
    }
    return aligned === null ? low : Math.max(low, gapOf(aligned, i, j))
  }
}

function leavesOf(body: Body): number {
  return body.kind === COMPOSITE ? (body.composite as Composite).leafCount : 1
}

interface AlignedPair {
  first: AlignedBoxes
  second: AlignedBoxes
  slack: number
}

/** Of the nodes, and then of the leaves: least heights along the three axes, and then greatest. */
interface AlignedBoxes {
  boxes: Float64Array
  nodeCount: number
}

/** Null where no way is known, or a body has no end. */
function alignedPair(
  { first, second, dx, dy, dz, slack }: CompositeFrame,
  toward: ArrayLike<number>,
): AlignedPair | null {
  const n: Vector = [toward[0], toward[1], toward[2]]
  if (n[0] === 0 && n[1] === 0 && n[2] === 0) return null
  const axes = [n, ...acrossAxes(n)]
  const own = alignedBoxes(first.body, axes, [0, 0, 0])
  const other = alignedBoxes(
    second.body,
    axes,
    axes.map(([x, y, z]) => x * dx + y * dy + z * dz),
  )
  const total = 4 * slack + SEPARATION_ERROR_RATIO * (farthestIn(own) + farthestIn(other))
  return total < Infinity ? { first: own, second: other, slack: total } : null
}

/** The largest height of the whole body: its box is the first one. */
function farthestIn({ boxes }: AlignedBoxes): number {
  return Math.max(...boxes.subarray(0, 6).map(Math.abs))
}

function alignedBoxes(body: Body, axes: readonly Vector[], offset: readonly number[]): AlignedBoxes {
  const { nodeCount, leafCount } =
    body.kind === COMPOSITE ? (body.composite as Composite) : { nodeCount: 0, leafCount: 1 }
  const boxes = new Float64Array(6 * (nodeCount + leafCount))
  spend(LEAF_STEPS * leafCount)
  for (let leaf = 0; leaf < leafCount; leaf++) {
    const own = body.kind === COMPOSITE ? setLeaf(body, leaf, slot) : body
    const at = 6 * (nodeCount + leaf)
    for (const [k, [x, y, z]] of axes.entries()) {
      const way = [0, 1, 2].map((c) => own.numbers[POSITION + c] - body.numbers[POSITION + c])
      const base = offset[k] + (way[0] * x + way[1] * y + way[2] * z)
      boxes[at + k] = base - convexHeight(own, -x, -y, -z)
      boxes[at + 3 + k] = base + convexHeight(own, x, y, z)
    }
  }
  if (nodeCount > 0) joinBelow(body, 0, boxes, nodeCount)
  return { boxes, nodeCount }
}

/** Sets the box of a node, and of all below it. */
function joinBelow(body: Body, node: number, boxes: Float64Array, nodeCount: number): void {
  const opened = createOpenedNode()
  openNode(body, node, opened)
  const at = 6 * node
  boxes.fill(Infinity, at, at + 3)
  boxes.fill(-Infinity, at + 3, at + 6)
  for (let m = 0; m < opened.nodeCount + opened.leafCount; m++) {
    const isNode = m < opened.nodeCount
    if (isNode) joinBelow(body, opened.nodes[m], boxes, nodeCount)
    const from = 6 * (isNode ? opened.nodes[m] : nodeCount + opened.leaves[m - opened.nodeCount])
    for (let k = 0; k < 3; k++) {
      boxes[at + k] = Math.min(boxes[at + k], boxes[from + k])
      boxes[at + 3 + k] = Math.max(boxes[at + 3 + k], boxes[from + 3 + k])
    }
  }
}

function gapOf({ first, second, slack }: AlignedPair, i: number, j: number): number {
  take(first, i, boxA)
  take(second, j, boxB)
  return gapBetween(boxA, boxB) - slack
}

function take({ boxes, nodeCount }: AlignedBoxes, node: number, out: Float64Array): void {
  const at = 6 * (node < 0 ? nodeCount + ~node : node)
  for (let k = 0; k < 6; k++) out[k] = boxes[at + k]
}
