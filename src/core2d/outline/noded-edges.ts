/**
 * Cuts the edges of closed rings so that any two of them meet at most in a common end.
 *
 * Method: in rounds. Each round finds all pairs of edges that meet elsewhere, in a box tree and with exact orientation signs, and cuts
 * them there: at the end of one that lies on the other, or at their crossing, rounded once to the nearest doubles. Rounding moves the
 * pieces of an edge off its line by less than a unit in the last place, which may make them meet other edges; the next round finds that,
 * and only pieces that are new are looked at again. It ends with a round that cuts nothing, which is the proof that nothing crosses.
 * Vertices that are given stay where they are.
 *
 * Where many edges lie within rounding of each other, the pieces go on crossing. Then it begins anew on a grid as fine as the largest
 * coordinate: all points are rounded to it, and edges are cut at every node within half of its unit as well, so that nodes cannot become
 * ever more (D. Halperin, E. Packer, "Iterated snap rounding", Comput. Geom. 23 (2002), after J. Hobby 1999).
 *
 * Edges that coincide become one, which knows how often the rings pass it; what is passed as often one way as the other is left out.
 * Frame: the points' own. Cost O((n + k) log n) for k places where edges meet, in each of a few rounds.
 */

import { OutOfBudget, spend } from '../../containers/budget.ts'
import { sortingSteps } from '../../containers/sorting.ts'
import { binaryExponent, exactEvaluations } from '../../numeric/exact-ring.ts'
import { EXACT_STEP_COUNT } from '../../numeric/roundoff.ts'
import { type BoxTree, boxesMeet, buildBoxTree, createBoxTree, TREE_DEPTH_COUNT } from '../broad-phase/box-tree.ts'
import { REPAIR_CUT_COUNT, REPAIR_FREE_ROUND_COUNT, REPAIR_GRID_ROUND_COUNT } from '../tolerances.ts'
import { createEdgeIntersection, setCrossing } from './edge-intersection.ts'
import { turnAt } from './orientation.ts'

/** nonzero: filled where rings wind around at all; evenodd: where a ray outward crosses them an odd number of times. */
export type FillRule = 'nonzero' | 'evenodd'

/** Thrown where rings have more crossings than are looked at. */
export class TooManyCrossings extends OutOfBudget {}

export interface NodedEdges {
  /** Nodes x0, y0, … from left to right, upwards among those of the same x; none repeated. */
  nodes: Float64Array
  /** The left and the right end of each edge, in the order of nodes. Edges are sorted by the left end, then by the right one. */
  lefts: Int32Array
  rights: Int32Array
  /** How often the rings pass it from left to right, less how often from right to left; 1 for the rule evenodd. */
  weights: Int32Array
  edgeCount: number
}

/** Edges as they are gathered: between points that may be repeated, in any direction. */
interface RawEdges {
  points: number[]
  from: number[]
  to: number[]
  weights: number[]
  /** 1 where the edge has been cut out of another one. */
  isNew: number[]
}

/** The edges that are looked at in a round: those that are new may meet others. */
interface Round extends NodedEdges {
  isNew: Uint8Array
}

/** Places where edges are to be cut: the edge, and a point. */
interface Cuts {
  edges: number[]
  points: number[]
}

/** `points`: x0, y0, … of all rings, ring r from vertex ringStarts[r] to ringStarts[r + 1]. Throws `TooManyCrossings`. */
export function nodeEdges(points: Float64Array, ringStarts: readonly number[], rule: FillRule): NodedEdges {
  const raw = ringEdges(points, ringStarts)
  const settled = settle(joined(raw, rule), rule, 0, REPAIR_FREE_ROUND_COUNT)
  if (settled !== null) return settled
  const grid = gridOf(points)
  raw.points = raw.points.map((value) => onGrid(value, grid))
  const snapped = settle(joined(raw, rule), rule, grid, REPAIR_GRID_ROUND_COUNT)
  if (snapped === null) throw new TooManyCrossings()
  return snapped
}

/**
 * Cuts until there is nothing to cut; null after too many rounds, or without a grid where they do not settle. `grid`: what coordinates of
 * cuts are multiples of; 0 without one.
 */
function settle(first: Round, rule: FillRule, grid: number, rounds: number): NodedEdges | null {
  let round = first
  let most = REPAIR_CUT_COUNT
  for (let count = 0; count < rounds; count++) {
    const added: number[] = []
    const cuts = findCuts(round, added, grid, most)
    if (cuts.edges.length === 0) return round
    if (cuts.edges.length > most) {
      if (grid === 0 && count > 0) return null
      throw new TooManyCrossings()
    }
    round = joined(cutEdges(round, cuts, added), rule)
    if (grid === 0 && count === 0) most = Math.min(most, UNSETTLED_RATIO * (cuts.edges.length + 16))
    // A round that has snapped edges to nodes has not looked for crossings.
    if (grid > 0) round.isNew.fill(1)
  }
  return null
}

/** Rounds that have so many times more to cut than the first one do not settle. */
const UNSETTLED_RATIO = 4

/** The unit in the last place of the largest coordinate, or twice that, so that half of it can be added to all multiples. */
function gridOf(points: Float64Array): number {
  let largest = 0
  for (const value of points) largest = Math.max(largest, Math.abs(value))
  return 2 ** Math.max(binaryExponent(largest) - GRID_BITS, LOWEST_GRID_EXPONENT)
}

const GRID_BITS = 51
const LOWEST_GRID_EXPONENT = -1073

function onGrid(value: number, grid: number): number {
  return grid === 0 ? value : Math.round(value / grid) * grid
}

function ringEdges(points: Float64Array, ringStarts: readonly number[]): RawEdges {
  const count = ringStarts[ringStarts.length - 1]
  spend(4 * count)
  const raw: RawEdges = { points: Array.from(points.subarray(0, 2 * count)), from: [], to: [], weights: [], isNew: [] }
  for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
    const end = ringStarts[ring + 1]
    for (let i = ringStarts[ring]; i < end; i++) addEdge(raw, i, i + 1 < end ? i + 1 : ringStarts[ring], 1, 1)
  }
  return raw
}

function addEdge(
  { from, to, weights, isNew }: RawEdges,
  start: number,
  end: number,
  weight: number,
  fresh: number,
): void {
  from.push(start)
  to.push(end)
  weights.push(weight)
  isNew.push(fresh)
}

/** Points that coincide become one node, edges that coincide one edge. */
function joined({ points, from, to, weights, isNew }: RawEdges, rule: FillRule): Round {
  const { nodes, nodeOf } = nodesOf(points)
  const nodeCount = nodes.length / 2
  const count = from.length
  spend(2 * count + 2 * sortingSteps(count))
  /** Both ends as one number, to sort by. */
  const keys = new Float64Array(count)
  for (let e = 0; e < count; e++) {
    const start = nodeOf[from[e]]
    const end = nodeOf[to[e]]
    keys[e] = start < end ? start * nodeCount + end : end * nodeCount + start
  }
  const order = new Int32Array(count)
  for (let e = 0; e < count; e++) order[e] = e
  order.sort((e, f) => keys[e] - keys[f])
  const round: Round = {
    nodes,
    lefts: new Int32Array(count),
    rights: new Int32Array(count),
    weights: new Int32Array(count),
    isNew: new Uint8Array(count),
    edgeCount: 0,
  }
  for (let k = 0, next = 0; k < count; k = next) {
    const key = keys[order[k]]
    const left = Math.floor(key / nodeCount)
    const right = key - left * nodeCount
    let weight = 0
    let fresh = 1
    for (next = k; next < count && keys[order[next]] === key; next++) {
      const edge = order[next]
      weight += nodeOf[from[edge]] === left ? weights[edge] : -weights[edge]
      // One that was there before has been held against all others that were.
      if (isNew[edge] === 0) fresh = 0
    }
    if (rule === 'evenodd') weight = Math.abs(weight % 2)
    if (left === right || weight === 0) continue
    const at = round.edgeCount++
    round.lefts[at] = left
    round.rights[at] = right
    round.weights[at] = weight
    round.isNew[at] = fresh
  }
  return round
}

function nodesOf(points: readonly number[]): { nodes: Float64Array; nodeOf: Int32Array } {
  const count = points.length / 2
  spend(2 * count + 2 * sortingSteps(count))
  const order = new Int32Array(count)
  for (let i = 0; i < count; i++) order[i] = i
  order.sort((i, j) => points[2 * i] - points[2 * j] || points[2 * i + 1] - points[2 * j + 1])
  const nodes = new Float64Array(2 * count)
  const nodeOf = new Int32Array(count)
  let last = -1
  for (const i of order) {
    const x = points[2 * i]
    const y = points[2 * i + 1]
    if (last < 0 || nodes[2 * last] !== x || nodes[2 * last + 1] !== y) {
      last++
      // no negative zeros
      nodes[2 * last] = x + 0
      nodes[2 * last + 1] = y + 0
    }
    nodeOf[i] = last
  }
  return { nodes: nodes.subarray(0, 2 * (last + 1)), nodeOf }
}

/** Steps of looking at a pair of edges. */
const PAIR_STEPS = 8

/** Where edges meet elsewhere than in a common end, as far as there are not more than `most`. Points that are no nodes yet are added to `added` and counted on from them. */
function findCuts(round: Round, added: number[], grid: number, most: number): Cuts {
  const { isNew, edgeCount } = round
  const boxes = edgeBoxes(round)
  const tree = createBoxTree()
  spend(3 * sortingSteps(edgeCount))
  if (edgeCount > 0) buildBoxTree(tree, boxes, edgeCount)
  const stack = new Int32Array(TREE_DEPTH_COUNT + 2)
  const cuts: Cuts = { edges: [], points: [] }
  if (grid > 0) addSnaps(round, tree, grid / 2, cuts, most)
  // Edges that cross beside a node may meet in it.
  if (cuts.edges.length > 0) return cuts
  for (let edge = 0; edge < edgeCount; edge++) {
    if (isNew[edge] === 0) continue
    let steps = 0
    let top = 0
    stack[top++] = 0
    while (top > 0) {
      const node = stack[--top]
      steps++
      if (!boxesMeet(boxes, edge, tree.boxes, node)) continue
      const child = tree.child[node]
      if (child >= 0) {
        stack[top++] = child
        stack[top++] = child + 1
        continue
      }
      const other = ~child
      // Of two that are new the first looks.
      if (other === edge || (isNew[other] === 1 && other < edge)) continue
      const before = exactEvaluations()
      addCuts(round, edge, other, cuts, added, grid)
      steps += PAIR_STEPS + EXACT_STEP_COUNT * (exactEvaluations() - before)
      if (steps > STEPS_AT_ONCE) {
        spend(steps)
        steps = 0
      }
    }
    spend(steps)
    if (cuts.edges.length > most) return cuts
  }
  return cuts
}

/** On a grid, edges are cut at every node that they pass closer by than half of its unit in x and y. */
function addSnaps(round: Round, tree: BoxTree, half: number, cuts: Cuts, most: number): void {
  const { nodes, lefts, rights } = round
  const stack = new Int32Array(TREE_DEPTH_COUNT + 2)
  const pixel = new Float64Array(4)
  /** The corners of the pixel, and the ends of an edge. */
  const corners = new Float64Array(12)
  for (let node = 0; round.edgeCount > 0 && node < nodes.length / 2; node++) {
    const x = nodes[2 * node]
    const y = nodes[2 * node + 1]
    pixel.set([x - half, y - half, x + half, y + half])
    corners.set([x - half, y - half, x + half, y - half, x + half, y + half, x - half, y + half])
    let steps = 0
    let top = 0
    stack[top++] = 0
    while (top > 0) {
      const at = stack[--top]
      steps++
      if (!boxesMeet(pixel, 0, tree.boxes, at)) continue
      const child = tree.child[at]
      if (child >= 0) {
        stack[top++] = child
        stack[top++] = child + 1
        continue
      }
      const edge = ~child
      if (lefts[edge] === node || rights[edge] === node) continue
      steps += PAIR_STEPS
      corners.set(nodes.subarray(2 * lefts[edge], 2 * lefts[edge] + 2), 8)
      corners.set(nodes.subarray(2 * rights[edge], 2 * rights[edge] + 2), 10)
      let [low, high] = [0, 0]
      for (let k = 0; k < 4; k++) {
        const side = turnAt(corners, 4, 5, k)
        low = Math.min(low, side)
        high = Math.max(high, side)
      }
      if (low * high >= 0) continue
      cuts.edges.push(edge)
      cuts.points.push(node)
    }
    spend(steps)
    if (cuts.edges.length > most) return
  }
}

const STEPS_AT_ONCE = 4096

function edgeBoxes({ nodes, lefts, rights, edgeCount }: NodedEdges): Float64Array {
  const boxes = new Float64Array(4 * edgeCount)
  for (let edge = 0; edge < edgeCount; edge++) {
    const i = 2 * lefts[edge]
    const j = 2 * rights[edge]
    boxes[4 * edge] = nodes[i]
    boxes[4 * edge + 1] = Math.min(nodes[i + 1], nodes[j + 1])
    boxes[4 * edge + 2] = nodes[j]
    boxes[4 * edge + 3] = Math.max(nodes[i + 1], nodes[j + 1])
  }
  return boxes
}

const crossing = createEdgeIntersection()

function addCuts(
  { nodes, lefts, rights }: Round,
  edge: number,
  other: number,
  cuts: Cuts,
  added: number[],
  grid: number,
): void {
  const a = lefts[edge]
  const b = rights[edge]
  const c = lefts[other]
  const d = rights[other]
  const cut = (e: number, point: number): void => {
    cuts.edges.push(e)
    cuts.points.push(point)
  }
  // The end of one follows on the beginning of the other.
  if (a === d || b === c) return
  if (a === c || b === d) {
    const [shared, end, otherEnd] = a === c ? [a, b, d] : [b, a, c]
    if (turnAt(nodes, shared, end, otherEnd) !== 0) return
    // Nodes are in order along every line.
    if (Math.abs(end - shared) < Math.abs(otherEnd - shared)) cut(other, end)
    else cut(edge, otherEnd)
    return
  }
  const sideStart = turnAt(nodes, a, b, c)
  const sideEnd = turnAt(nodes, a, b, d)
  if (sideStart * sideEnd > 0) return
  const otherSideStart = turnAt(nodes, c, d, a)
  const otherSideEnd = turnAt(nodes, c, d, b)
  if (otherSideStart * otherSideEnd > 0) return
  if (sideStart * sideEnd < 0 && otherSideStart * otherSideEnd < 0) {
    setCrossing(nodes, a, b, c, d, crossing)
    added.push(onGrid(crossing.x, grid), onGrid(crossing.y, grid))
    const point = (nodes.length + added.length) / 2 - 1
    cut(edge, point)
    cut(other, point)
    return
  }
  if (sideStart === 0 && a < c && c < b) cut(edge, c)
  if (sideEnd === 0 && a < d && d < b) cut(edge, d)
  if (otherSideStart === 0 && c < a && a < d) cut(other, a)
  if (otherSideEnd === 0 && c < b && b < d) cut(other, b)
}

/** The edges between the points at which they are cut. */
function cutEdges({ nodes, lefts, rights, weights, edgeCount }: Round, cuts: Cuts, added: readonly number[]): RawEdges {
  const count = cuts.edges.length
  spend(2 * edgeCount + 2 * count + 2 * sortingSteps(count))
  const points = Array.from(nodes)
  for (const value of added) points.push(value)
  const order = new Int32Array(count)
  for (let k = 0; k < count; k++) order[k] = k
  order.sort((k, l) => {
    if (cuts.edges[k] !== cuts.edges[l]) return cuts.edges[k] - cuts.edges[l]
    const edge = cuts.edges[k]
    const i = 2 * cuts.points[k]
    const j = 2 * cuts.points[l]
    const rises = nodes[2 * lefts[edge] + 1] <= nodes[2 * rights[edge] + 1]
    return points[i] - points[j] || (rises ? points[i + 1] - points[j + 1] : points[j + 1] - points[i + 1])
  })
  const raw: RawEdges = { points, from: [], to: [], weights: [], isNew: [] }
  let next = 0
  for (let edge = 0; edge < edgeCount; edge++) {
    let start = lefts[edge]
    const isCut = next < count && cuts.edges[order[next]] === edge ? 1 : 0
    for (; next < count && cuts.edges[order[next]] === edge; next++) {
      const point = cuts.points[order[next]]
      addEdge(raw, start, point, weights[edge], 1)
      start = point
    }
    addEdge(raw, start, rights[edge], weights[edge], isCut)
  }
  return raw
}
