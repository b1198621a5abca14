/**
 * The obstacles of a trajectory, found by the path of the body: those at rest through a box tree, moving ones one by one.
 * Frame: world; obstacles stand where they stood at the start.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import { type BoxTree, buildBoxTree, createBoxTree } from '../bvh/box-tree.ts'
import { type BoxMotion, setBoxMotion, visitMovingLeafPairs } from '../bvh/moving-boxes.ts'
import { type Body, COMPOSITE, type Composite, HALFPLANE } from '../shape/body.ts'
import { setBodyBox } from '../shape/composite.ts'
import type { Motion } from '../shape/motion.ts'
import { SLIDING_RATIO } from '../tolerances.ts'

export interface Obstacle {
  body: Body
  motion: Motion
}

export interface ObstacleField {
  obstacles: readonly Obstacle[]
  /** Number of the first part of each obstacle, when the parts of all of them are numbered. */
  firstLeaf: Int32Array
  /** Obstacles at rest, in the order of the tree's leaves, and the moving ones. */
  resting: number[]
  moving: number[]
  tree: BoxTree
  /** The body that moves, as a tree of one box about its position. */
  bodyTree: BoxTree
}

export function createObstacleField(body: Body, obstacles: readonly Obstacle[]): ObstacleField {
  const resting: number[] = []
  const moving: number[] = []
  const firstLeaf = new Int32Array(obstacles.length)
  let leaves = 0
  for (let i = 0; i < obstacles.length; i++) {
    const { kind, composite } = obstacles[i].body
    firstLeaf[i] = leaves
    leaves += kind === COMPOSITE ? (composite as Composite).leafCount : 1
    const { vx, vy } = obstacles[i].motion
    if (vx === 0 && vy === 0) resting.push(i)
    else moving.push(i)
  }
  spend(4 * obstacles.length)
  const boxes = new Float64Array(4 * resting.length)
  for (let k = 0; k < resting.length; k++) {
    const obstacle = obstacles[resting[k]].body
    setBox(boxes, k, obstacle, obstacle.x, obstacle.y)
  }
  const tree = createBoxTree()
  buildBoxTree(tree, boxes, resting.length)
  const bodyTree = createBoxTree()
  const bodyBox = new Float64Array(4)
  setBox(bodyBox, 0, body, 0, 0)
  buildBoxTree(bodyTree, bodyBox, 1)
  return { obstacles, firstLeaf, resting, moving, tree, bodyTree }
}

/** A number for a part of an obstacle. */
export function leafKey({ firstLeaf }: ObstacleField, obstacle: number, leaf: number): number {
  return firstLeaf[obstacle] + leaf
}

function setBox(boxes: Float64Array, index: number, body: Body, x: number, y: number): void {
  if (body.kind !== COMPOSITE) {
    setBodyBox(boxes, index, body, x, y)
    return
  }
  const { tree } = body.composite as Composite
  for (let k = 0; k < 4; k++) boxes[4 * index + k] = tree.boxes[k] + (k % 2 === 0 ? x : y)
}

const boxMotion: BoxMotion = { dx: 0, dy: 0, vx: 0, vy: 0, slack: 0 }

/**
 * Calls `visit` for the obstacles that the body may meet on its way from (x, y) at (vx, vy), seen from the obstacle, within
 * the time that it last returned (`limit` at first). `time`: since the start.
 */
export function visitObstacles(
  field: ObstacleField,
  body: Body,
  x: number,
  y: number,
  velocity: Motion,
  time: number,
  limit: number,
  visit: (obstacle: number) => number,
): void {
  const { obstacles, resting, moving, tree, bodyTree } = field
  let latest = limit
  setBoxMotion(boxMotion, x, y, velocity.vx, velocity.vy)
  visitMovingLeafPairs(tree, bodyTree, boxMotion, limit, (leaf) => {
    latest = visit(resting[leaf])
    return latest
  })
  spend(moving.length)
  for (const i of moving) {
    const { body: obstacle, motion } = obstacles[i]
    const seenX = x - time * motion.vx
    const seenY = y - time * motion.vy
    if (isOutOfReach(body, seenX, seenY, obstacle, velocity.vx - motion.vx, velocity.vy - motion.vy, latest)) continue
    latest = visit(i)
  }
}

/** Whether the path over `time` passes by the obstacle for certain. */
function isOutOfReach(body: Body, x: number, y: number, obstacle: Body, vx: number, vy: number, time: number): boolean {
  if (body.kind === HALFPLANE || obstacle.kind === HALFPLANE) return false
  const px = x - (obstacle.x + obstacle.anchorX)
  const py = y - (obstacle.y + obstacle.anchorY)
  const size = obstacle.reach + body.reach + Math.abs(body.anchorX) + Math.abs(body.anchorY)
  const speed = vectorLength(vx, vy)
  const ux = speed > 0 ? vx / speed : 0
  const uy = speed > 0 ? vy / speed : 0
  const along = Math.min(Math.max(-(px * ux + py * uy), 0), speed * time)
  const slack = 128 * UNIT_ROUNDOFF * (Math.abs(px) + Math.abs(py) + Math.abs(x) + Math.abs(y))
  return vectorLength(px + along * ux, py + along * uy) > size * (1 + 2 * SLIDING_RATIO) + slack
}
