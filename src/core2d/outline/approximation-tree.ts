/**
 * A tree over convex rings, to find those that a line crosses.
 *
 * Method: the rings are parted by a box tree (`broad-phase/box-tree.ts`) down to a few. Nodes never change; a cut makes new ones of
 * those that the line crosses.
 * Frame: the outline's own.
 */

import { spend } from '../../containers/budget.ts'
import { buildBoxTree, createBoxTree } from '../broad-phase/box-tree.ts'
import { addRing, type Cut, copyRing, cutRing, type RingPool, sideOfBox, sideOfCut } from './approximation-cut.ts'

export interface RingNode {
  minX: number
  minY: number
  maxX: number
  maxY: number
  /** The rings, of a node that has no others below it. */
  rings: Int32Array | null
  first: RingNode | null
  second: RingNode | null
}

/** Most rings of a node without others below it. */
const LEAF_COUNT = 8

/** The two sides of a cut. */
export interface CutRings {
  /** Of each ring: 1 left, −1 right, 0 when the line has cut it in two. */
  sides: Int8Array
  /** Of rings that were cut: what is left of them on either side, or −1. */
  lefts: Int32Array
  rights: Int32Array
  /** The rings that were cut, and those that came of it. */
  cut: number[]
  made: number[]
  /** Points x0, y0, … that are on the line, or were rounded from there, of the rings on either side. */
  leftEdge: number[]
  rightEdge: number[]
}

/** The tree over the first `count` rings of a pool. */
export function buildRingTree(pool: RingPool, count: number): RingNode {
  const boxes = new Float64Array(4 * count)
  for (let ring = 0; ring < count; ring++) {
    const { minX, minY, maxX, maxY } = leafOf(pool, [ring])
    boxes.set([minX, minY, maxX, maxY], 4 * ring)
  }
  const tree = createBoxTree()
  buildBoxTree(tree, boxes, count)
  const { child, nodeCount } = tree
  const nodes = new Array<RingNode>(nodeCount)
  // Children come after their parents.
  for (let node = nodeCount - 1; node >= 0; node--) {
    const next = child[node]
    nodes[node] = next < 0 ? leafOf(pool, [~next]) : joinNodes(nodes[next], nodes[next + 1])
  }
  return nodes[0]
}

function leafOf({ x, y, start, size }: RingPool, rings: readonly number[]): RingNode {
  let minX = Infinity
  let minY = Infinity
  let maxX = -Infinity
  let maxY = -Infinity
  for (const ring of rings) {
    for (let p = start[ring]; p < start[ring] + size[ring]; p++) {
      if (x[p] < minX) minX = x[p]
      if (y[p] < minY) minY = y[p]
      if (x[p] > maxX) maxX = x[p]
      if (y[p] > maxY) maxY = y[p]
    }
  }
  return { minX, minY, maxX, maxY, rings: Int32Array.from(rings), first: null, second: null }
}

function joinNodes(first: RingNode, second: RingNode): RingNode {
  const minX = Math.min(first.minX, second.minX)
  const minY = Math.min(first.minY, second.minY)
  const maxX = Math.max(first.maxX, second.maxX)
  const maxY = Math.max(first.maxY, second.maxY)
  if (first.rings === null || second.rings === null || first.rings.length + second.rings.length > LEAF_COUNT) {
    return { minX, minY, maxX, maxY, rings: null, first, second }
  }
  const rings = new Int32Array(first.rings.length + second.rings.length)
  rings.set(first.rings)
  rings.set(second.rings, first.rings.length)
  return { minX, minY, maxX, maxY, rings, first: null, second: null }
}

/** Room to cut rings of a pool, which may grow meanwhile. */
export function createCutRings(ringCount: number): CutRings {
  const lefts = new Int32Array(ringCount)
  const rights = new Int32Array(ringCount)
  return { sides: new Int8Array(ringCount), lefts, rights, cut: [], made: [], leftEdge: [], rightEdge: [] }
}

interface Halves {
  left: RingNode | null
  right: RingNode | null
}

/** The rings on the two sides of the line; null for a side without any. Sets the side of every ring; new rings are in `out.made`. */
export function cutTree(pool: RingPool, node: RingNode, line: Cut, out: CutRings): Halves {
  const side = sideOfBox(node, line)
  if (side !== 0) {
    markRings(node, side, out.sides)
    return { left: side > 0 ? node : null, right: side > 0 ? null : node }
  }
  if (node.rings !== null) return cutLeaf(pool, node.rings, line, out)
  const one = cutTree(pool, node.first as RingNode, line, out)
  const other = cutTree(pool, node.second as RingNode, line, out)
  return { left: either(one.left, other.left), right: either(one.right, other.right) }
}

function either(one: RingNode | null, other: RingNode | null): RingNode | null {
  if (one === null) return other
  return other === null ? one : joinNodes(one, other)
}

function markRings({ rings, first, second }: RingNode, side: number, sides: Int8Array): void {
  if (rings === null) {
    markRings(first as RingNode, side, sides)
    markRings(second as RingNode, side, sides)
    return
  }
  spend(1)
  for (let k = 0; k < rings.length; k++) sides[rings[k]] = side
}

function cutLeaf(pool: RingPool, rings: Int32Array, line: Cut, out: CutRings): Halves {
  const onLeft: number[] = []
  const onRight: number[] = []
  for (const ring of rings) {
    const side = sideOfRing(pool, ring, line)
    out.sides[ring] = side
    if (side !== 0) {
      const sideRings = side > 0 ? onLeft : onRight
      sideRings.push(ring)
      if (touches) addTouching(pool, ring, line, side > 0 ? out.leftEdge : out.rightEdge)
      continue
    }
    const lefts: Float64Array[] = []
    const rights: Float64Array[] = []
    const whole = copyRing(pool, ring)
    cutRing(line, whole, pool.scale.unit, lefts, rights)
    out.cut.push(ring)
    out.lefts[ring] = addPart(pool, lefts, onLeft, out.made)
    out.rights[ring] = addPart(pool, rights, onRight, out.made)
    for (const part of lefts) addEdge(part, whole, line, 1, out.leftEdge)
    for (const part of rights) addEdge(part, whole, line, -1, out.rightEdge)
  }
  return {
    left: onLeft.length > 0 ? leafOf(pool, onLeft) : null,
    right: onRight.length > 0 ? leafOf(pool, onRight) : null,
  }
}

function addPart(pool: RingPool, parts: readonly Float64Array[], rings: number[], made: number[]): number {
  if (parts.length === 0) return -1
  const ring = addRing(pool, parts[0])
  rings.push(ring)
  made.push(ring)
  return ring
}

/** Lists the vertices of a ring that lie on the line. */
function addTouching({ x, y, start, size }: RingPool, ring: number, line: Cut, edge: number[]): void {
  for (let p = start[ring]; p < start[ring] + size[ring]; p++) {
    if (sideOfCut(line, x[p], y[p]) === 0) edge.push(x[p], y[p])
  }
}

/** Most vertices of a ring among which one is looked for. */
const FEW_VERTICES = 32

/** Lists the vertices of a part of a ring but for those of the ring itself that lie beside the line. */
function addEdge(part: Float64Array, ring: Float64Array, line: Cut, side: number, edge: number[]): void {
  for (let i = 0; i < part.length; i += 2) {
    const isAside = sideOfCut(line, part[i], part[i + 1]) === side && ring.length <= 2 * FEW_VERTICES
    if (!isAside || !isVertexOf(part[i], part[i + 1], ring)) edge.push(part[i], part[i + 1])
  }
}

function isVertexOf(x: number, y: number, ring: Float64Array): boolean {
  for (let i = 0; i < ring.length; i += 2) if (ring[i] === x && ring[i + 1] === y) return true
  return false
}

/** Whether the last ring asked about has a vertex on the line. */
let touches = false

/** The side that all of a ring lies on but for its boundary; 0 where it has points on both. */
function sideOfRing({ x, y, start, size }: RingPool, ring: number, line: Cut): number {
  let side = 0
  touches = false
  spend(size[ring])
  for (let p = start[ring]; p < start[ring] + size[ring]; p++) {
    const own = sideOfCut(line, x[p], y[p])
    if (own * side < 0) return 0
    if (own !== 0) side = own
    else touches = true
  }
  return side
}
