/**
 * Finds what forbids a translation: a pair of leaves, a half-plane, or a solid outline that holds a part without crossing it.
 * Frame: as `search-body.ts`; translations are B's.
 */

import { spend } from '../../containers/budget.ts'
import { TREE_DEPTH_COUNT } from '../broad-phase/box-tree.ts'
import { RADIUS } from '../shape/body.ts'
import { type CObstacle, createCObstacle, forbids, setCObstacle } from './c-obstacle.ts'
import { type Cover, createCover, discAt, hintAt, isInDisc, learnFrom } from './cover.ts'
import { type PartPlace, placeOfPart } from './part-in-outline.ts'
import type { PathPoint } from './paths.ts'
import { readLeaf, type SearchBody } from './search-body.ts'

export const FREE = 0
export const BY_LEAVES = 1
export const BY_HALFPLANE = 2
export const BY_OUTLINE = 3
export type Cause = 0 | 1 | 2 | 3

/** Two bodies in one frame, and the search's scratch. */
export interface Search {
  a: SearchBody
  b: SearchBody
  /** Bound on the rounding error of a distance in the frame. */
  tolerance: number
  /** Half-planes of translations n·t < height that half-planes among the parts forbid: n and height of each. */
  planes: number[]
  /** Pairs of leaves looked at so far; those with many edges count for more. */
  work: number
  /** Steps of the search so far. */
  steps: number
  /** Pairs of leaves looked at to refine translations. */
  refinement: number
  /** The pair of leaves that forbade last: often it forbids the next point as well. */
  obstacle: CObstacle
  spare: CObstacle
  /** Translations known to be forbidden without looking at leaves, and the disc of them that forbade last. */
  cover: Cover
  disc: CObstacle
  /** The obstacle or the disc, whichever forbade last. */
  blocking: CObstacle
  /** Index in `planes`. */
  plane: number
  /** The outline that holds a part: of A (true) or of B, its part and the part of the other body. */
  holderIsA: boolean
  holder: number
  held: number
}

export function createSearch(a: SearchBody, b: SearchBody): Search {
  const obstacle = createCObstacle()
  return {
    a,
    b,
    tolerance: 0,
    planes: [],
    work: 0,
    steps: 0,
    refinement: 0,
    obstacle,
    spare: createCObstacle(),
    cover: createCover(),
    disc: createCObstacle(),
    blocking: obstacle,
    plane: 0,
    holderIsA: true,
    holder: 0,
    held: 0,
  }
}

/** Counts steps of the search. */
export function takeSteps(scene: Search, steps: number): void {
  scene.steps += steps
  spend(steps)
}

/** Pairs of nodes yet to visit: one more for each level of either tree, at most. */
const stack = new Int32Array(4 * (TREE_DEPTH_COUNT + 1))

/** Whether a point of a path is forbidden, and why; the cause is left in `scene`. */
export function causeAt(scene: Search, point: PathPoint): Cause {
  const { tolerance, planes } = scene
  const { x, y } = point
  scene.blocking = scene.obstacle
  if (forbidsAt(scene, scene.obstacle, point)) return BY_LEAVES
  if (scene.cover.active && isInCover(scene, x, y)) return BY_LEAVES
  for (let i = 0; i < planes.length; i += 3) {
    if (planes[i] * x + planes[i + 1] * y < planes[i + 2] - tolerance) {
      scene.plane = i
      return BY_HALFPLANE
    }
  }
  if (scene.cover.active ? findKnownLeaves(scene, point) : findLeaves(scene, point)) {
    scene.blocking = scene.obstacle
    return BY_LEAVES
  }
  return isHeld(scene, point) ? BY_OUTLINE : FREE
}

/** Whether a disc of the cover holds the translation; it is left in `scene`. */
function isInCover(scene: Search, x: number, y: number): boolean {
  const { cover, disc, tolerance } = scene
  const found = discAt(cover, x, y)
  if (found < 0 || !isInDisc(cover, found, x, y)) return false
  disc.hollow = false
  disc.x[0] = cover.x[found]
  disc.y[0] = cover.y[found]
  // A path leaves an obstacle a little before its end, and must not find itself within it there.
  disc.radius = cover.radius[found] + 2 * tolerance
  scene.blocking = disc
  return true
}

/** Whether a solid outline holds a part of the other body at the point, where no edge of it crosses that part. */
export function isHeld(scene: Search, point: PathPoint): boolean {
  return findHolder(scene, point, true) || findHolder(scene, point, false)
}

/** `findLeaves`, but first tries the leaves that forbade nearby. */
function findKnownLeaves(scene: Search, point: PathPoint): boolean {
  const { cover, tolerance } = scene
  const { x, y } = point
  const hint = hintAt(cover, x, y)
  if (hint >= 0 && cover.hints[hint] >= 0) {
    setSpare(scene, cover.hints[hint], cover.hints[hint + 1])
    if (forbidsAt(scene, scene.spare, point)) {
      keepSpare(scene)
      return true
    }
  }
  if (!findLeaves(scene, point)) return false
  const { obstacle } = scene
  learnFrom(cover, obstacle, x, y, tolerance)
  if (hint >= 0) {
    cover.hints[hint] = obstacle.leafA
    cover.hints[hint + 1] = obstacle.leafB
  }
  return true
}

/** Makes the spare obstacle the one that forbade last. */
function keepSpare(scene: Search): void {
  const { spare } = scene
  scene.spare = scene.obstacle
  scene.obstacle = spare
}

/** Whether an obstacle forbids a point of a path. */
function forbidsAt(scene: Search, o: CObstacle, { x, y, nx, ny, partA, partB }: PathPoint): boolean {
  const { a, b, tolerance } = scene
  o.seamless =
    (a.touching || b.touching) &&
    o.partA === partA &&
    o.partB === partB &&
    (touchesItself(a, partA) || touchesItself(b, partB))
  return forbids(o, x, y, nx, ny, tolerance)
}

function touchesItself({ view }: SearchBody, part: number): boolean {
  return part >= 0 && view.parts[part].outline?.touchesItself === true
}

function findLeaves(scene: Search, point: PathPoint): boolean {
  const { x, y } = point
  const { a, b, tolerance } = scene
  const treeA = a.tree
  const treeB = b.tree
  if (treeA.nodeCount === 0 || treeB.nodeCount === 0) return false
  const boxesA = treeA.boxes
  const boxesB = treeB.boxes
  const shiftX = b.shiftX - a.shiftX + x
  const shiftY = b.shiftY - a.shiftY + y
  let top = 0
  stack[top++] = 0
  stack[top++] = 0
  while (top > 0) {
    takeSteps(scene, 1)
    const j = stack[--top]
    const i = stack[--top]
    const p = 4 * i
    const q = 4 * j
    // Obstacles reach a tolerance beyond their leaves.
    if (boxesB[q] + shiftX - boxesA[p + 2] > tolerance || boxesA[p] - (boxesB[q + 2] + shiftX) > tolerance) continue
    if (boxesB[q + 1] + shiftY - boxesA[p + 3] > tolerance || boxesA[p + 1] - (boxesB[q + 3] + shiftY) > tolerance)
      continue
    const childA = treeA.child[i]
    const childB = treeB.child[j]
    if (childA >= 0 && (childB < 0 || sizeOf(boxesA, i) >= sizeOf(boxesB, j))) {
      // Visits the node nearer to the middle first: it is more likely to forbid.
      const nearer = isNearer(boxesA, childA, boxesB, j, shiftX, shiftY) ? 0 : 1
      top = push(childA + nearer, j, push(childA + 1 - nearer, j, top))
    } else if (childB >= 0) {
      const nearer = isNearer(boxesB, childB, boxesA, i, -shiftX, -shiftY) ? 0 : 1
      top = push(i, childB + nearer, push(i, childB + 1 - nearer, top))
    } else if (mayForbid(scene, ~childA, ~childB, x, y, 0)) {
      setSpare(scene, ~childA, ~childB)
      if (!forbidsAt(scene, scene.spare, point)) continue
      keepSpare(scene)
      return true
    }
  }
  return false
}

/**
 * False when leaf `i`, if it is an edge, has the whole of leaf `j`, moved by (tx, ty) or by what is up to `half` more or less
 * along each axis, on one side of its line: most edges whose boxes meet the leaf's do.
 */
function crosses(
  a: SearchBody,
  i: number,
  b: SearchBody,
  j: number,
  tx: number,
  ty: number,
  half: number,
  tolerance: number,
): boolean {
  const nx = a.normals[2 * i]
  const ny = a.normals[2 * i + 1]
  const part = a.view.leafPart[i]
  const outline = a.view.parts[part].outline
  if (outline === null) return true
  const edge = i - a.view.parts[part].firstLeaf
  const { vertices } = outline
  const x = b.centers[2 * j] + tx - a.baseX[part] - (vertices[2 * edge] - vertices[0])
  const y = b.centers[2 * j + 1] + ty - a.baseY[part] - (vertices[2 * edge + 1] - vertices[1])
  return Math.abs(nx * x + ny * y) <= b.radii[j] + half * (Math.abs(nx) + Math.abs(ny)) + 2 * tolerance
}

/** A quick look before the obstacle is made, for all translations that are up to `half` more or less along each axis. */
export function mayForbid(scene: Search, i: number, j: number, x: number, y: number, half: number): boolean {
  const { a, b, tolerance } = scene
  scene.work++
  return crosses(a, i, b, j, x, y, half, tolerance) && crosses(b, j, a, i, -x, -y, half, tolerance)
}

/** Whether node `first` of one tree lies nearer to node `k` of the other than its sibling does. */
function isNearer(
  boxes: Float64Array,
  first: number,
  others: Float64Array,
  k: number,
  shiftX: number,
  shiftY: number,
): boolean {
  const at = 4 * first
  const other = 4 * k
  const x = others[other] + others[other + 2] + 2 * shiftX
  const y = others[other + 1] + others[other + 3] + 2 * shiftY
  const own = Math.abs(boxes[at] + boxes[at + 2] - x) + Math.abs(boxes[at + 1] + boxes[at + 3] - y)
  return own <= Math.abs(boxes[at + 4] + boxes[at + 6] - x) + Math.abs(boxes[at + 5] + boxes[at + 7] - y)
}

function push(i: number, j: number, top: number): number {
  stack[top] = i
  stack[top + 1] = j
  return top + 2
}

export function sizeOf(boxes: Float64Array, node: number): number {
  const at = 4 * node
  return boxes[at + 2] - boxes[at] + (boxes[at + 3] - boxes[at + 1])
}

/** Makes `scene.spare` the obstacle of two leaves. */
export function setSpare(scene: Search, leafA: number, leafB: number): void {
  const { a, b } = scene
  scene.work++
  setCObstacle(scene.spare, readLeaf(a, leafA), readLeaf(b, leafB), scene.tolerance)
  scene.work += scene.spare.count >>> 3
  takeSteps(scene, 2 + (scene.spare.count >>> 2))
}

/** How far to the free side of a path flat parts on an outline are looked at, and how clear of it parts must be, in tolerances. */
const OFFSET_COUNT = 8
export const CLEARANCE_COUNT = 2

function findHolder(scene: Search, point: PathPoint, holderIsA: boolean): boolean {
  const host = holderIsA ? scene.a : scene.b
  const guest = holderIsA ? scene.b : scene.a
  if (host.solidCount === 0) return false
  const ownPart = holderIsA ? point.partA : point.partB
  const ownGuest = holderIsA ? point.partB : point.partA
  for (let p = 0; p < host.view.partCount; p++) {
    if (host.view.parts[p].outline?.solid !== true) continue
    for (let q = 0; q < guest.view.partCount; q++) {
      let place = placeAt(scene, point, holderIsA, p, q, 0)
      // A part without an inside may lie between two regions that touch: leaving one, it is within the other.
      if (place === 0 && p !== ownPart && q === ownGuest && isFlat(guest, q)) {
        place = placeAt(scene, point, holderIsA, p, q, OFFSET_COUNT)
      }
      if (place >= 0) continue
      scene.holderIsA = holderIsA
      scene.holder = p
      scene.held = q
      return true
    }
  }
  return false
}

/** Where a part lies from an outline when B is moved to the point and so many tolerances on to its free side. */
function placeAt(scene: Search, point: PathPoint, holderIsA: boolean, p: number, q: number, count: number): PartPlace {
  const { a, b, tolerance } = scene
  const x = point.x + count * tolerance * point.nx
  const y = point.y + count * tolerance * point.ny
  const clearance = CLEARANCE_COUNT * tolerance
  return holderIsA ? placeOfPart(a, p, b, q, x, y, clearance) : placeOfPart(b, p, a, q, -x, -y, clearance)
}

function isFlat({ view }: SearchBody, q: number): boolean {
  const { body, outline } = view.parts[q]
  return outline === null ? body.numbers[RADIUS] === 0 && (body.count === 1 || body.count === 2) : !outline.solid
}
