/**
 * Triangulation of a solid outline: triangles with an area whose corners are the outline's own vertices, all of them.
 *
 * Method: a line sweeps over the vertices from left to right (upwards among equal x), after S. Hertel and K. Mehlhorn, "Fast
 * triangulation of simple polygons", FCT 1983. Between two neighbouring edges with the inside between them, what is done so
 * far ends in a chain of vertices that bulges to the right; every new vertex is joined to what it sees of the chain. Holes
 * need no bridges. Rings may touch themselves and each other at points: vertices that coincide are one, and an edge that
 * passes through a vertex is split there. All signs are exact, so no tolerance decides anything.
 * The answer depends on the set alone, not on where rings begin or which comes first.
 * Frame: the outline's own.
 */
import { spend } from '../../containers/budget.ts'
import {
  type ChunkedOrder,
  clearEdgeOrder,
  createChunkedOrder,
  edgeAbove,
  edgeBelow,
  highestNotAbove,
  insertAbove,
  NO_EDGE,
  removeEdge,
  replaceEdge,
} from '../../containers/chunked-order.ts'
import { orderOfKeys } from '../../containers/sort-by-keys.ts'
import { compareVertices, lowerEnd } from '../outline/edge-intersection.ts'
import type { Outline } from '../outline/outline.ts'
import { turnAt } from '../points/orientation.ts'
import { createMesh, type Mesh } from './triangle-mesh.ts'
import {
  climbChain,
  createChains,
  descendChain,
  joinChains,
  type SweepChains,
  splitChain,
  startChain,
} from './triangulation-chains.ts'

/** What one edge that ends and one that begins at a point take, and each one more. */
const EVENT_STEPS = 8
const EDGE_STEPS = 16

interface Triangulation {
  mesh: Mesh
  outline: Outline
  chains: SweepChains
  /** Vertices from left to right, and the one that the sweep is at. */
  events: Int32Array
  now: number
  /** The ends of each edge, seen from left to right. */
  lefts: Int32Array
  rights: Int32Array
  order: ChunkedOrder
  liesAbove: (edge: number) => boolean
  /** Edges that reach the present point from the left, and that leave it to the right, from bottom to top. */
  arriving: number[]
  leaving: number[]
}

/** Triangulates a solid outline. Cost O(n log n). */
export function triangulate(outline: Outline): Mesh {
  const triangulation = beginTriangulation(outline)
  const { mesh, events } = triangulation
  const { vertices, edgeCount } = outline
  for (let at = 0, next = 0; at < edgeCount; at = next) {
    const now = events[at]
    spend(EVENT_STEPS)
    next = at + 1
    while (next < edgeCount && compareVertices(vertices, now, events[next]) === 0) next++
    triangulation.now = now
    if (next > at + 1 || !passVertex(triangulation, now)) passPoint(triangulation, at, next)
  }
  return mesh
}

function beginTriangulation(outline: Outline): Triangulation {
  const { vertices, edgeEnd, edgeCount } = outline
  spend(4 * edgeCount)
  const events = sortedVertices(vertices, edgeCount)
  const lefts = new Int32Array(edgeCount)
  const rights = new Int32Array(edgeCount)
  for (let edge = 0; edge < edgeCount; edge++) {
    lefts[edge] = lowerEnd(outline, edge)
    rights[edge] = lefts[edge] === edge ? edgeEnd[edge] : edge
  }
  const order = createChunkedOrder()
  clearEdgeOrder(order, edgeCount)
  const mesh = createMesh(vertices, edgeCount)
  const chains = createChains(mesh, edgeCount)
  const triangulation: Triangulation = {
    mesh,
    outline,
    chains,
    events,
    now: 0,
    lefts,
    rights,
    order,
    liesAbove: (edge) => sideOfNow(triangulation, edge) < 0,
    arriving: [],
    leaving: [],
  }
  return triangulation
}

/** Indices of the vertices from left to right, those that coincide by their index. */
function sortedVertices(vertices: Float64Array, count: number): Int32Array {
  const keys = new Float64Array(count)
  for (let i = 0; i < count; i++) keys[i] = vertices[2 * i]
  return orderOfKeys(keys, (i, j) => vertices[2 * i + 1] - vertices[2 * j + 1] || i - j)
}

/** 1 when the present point lies above the edge (left of it, seen to the right), −1 below, 0 on it. */
function sideOfNow({ outline, lefts, rights, now }: Triangulation, edge: number): number {
  return turnAt(outline.vertices, lefts[edge], rights[edge], now)
}

/** Whether the inside lies above an edge: it lies to the left of all. */
function isFloor({ lefts }: Triangulation, edge: number): boolean {
  return edge !== NO_EDGE && lefts[edge] === edge
}

/**
 * The common case: one edge ends at the vertex, one begins, and no other passes through. Returns false when it is another,
 * with nothing changed.
 */
function passVertex(triangulation: Triangulation, vertex: number): boolean {
  const { outline, order, chains, lefts, rights } = triangulation
  const before = outline.edgeBefore[vertex]
  const arrives = rights[before] === vertex ? before : vertex
  const leaves = arrives === before ? vertex : before
  if (rights[arrives] !== vertex || lefts[leaves] !== vertex) return false
  const below = edgeBelow(order, arrives)
  const above = edgeAbove(order, arrives)
  if (below !== NO_EDGE && sideOfNow(triangulation, below) === 0) return false
  if (above !== NO_EDGE && sideOfNow(triangulation, above) === 0) return false
  if (isFloor(triangulation, arrives)) climbChain(chains, arrives, leaves, vertex)
  else descendChain(chains, below, vertex)
  replaceEdge(order, arrives, leaves)
  return true
}

/** Any point with vertices: events[start … end − 1], of which the first has the lowest index. */
function passPoint(triangulation: Triangulation, start: number, end: number): void {
  const { events, order, chains, arriving, leaving } = triangulation
  const point = events[start]
  const below = gatherArriving(triangulation)
  gatherLeaving(triangulation, start, end)
  spend(EDGE_STEPS * (arriving.length + leaving.length))
  const last = leaving[leaving.length - 1] ?? NO_EDGE
  const top = arriving[arriving.length - 1] ?? NO_EDGE
  if (top === NO_EDGE) {
    if (isFloor(triangulation, below)) splitChain(chains, below, last, point)
  } else {
    for (let k = 0; k < arriving.length - 1; k++) {
      if (isFloor(triangulation, arriving[k])) climbChain(chains, arriving[k], arriving[k], point)
    }
    if (isFloor(triangulation, below)) descendChain(chains, below, point)
    if (isFloor(triangulation, top)) {
      climbChain(chains, top, last === NO_EDGE ? top : last, point)
      if (last === NO_EDGE) joinChains(chains, below, top)
    }
  }
  for (let k = 0; k < leaving.length - 1; k++) {
    if (isFloor(triangulation, leaving[k])) startChain(chains, leaving[k], point)
  }
  for (const edge of arriving) removeEdge(order, edge)
  let previous = below
  for (let k = 0; k < leaving.length; k++) {
    const edge = leaving[k]
    insertAbove(order, previous, edge)
    previous = edge
  }
}

/** Collects the edges that reach the present point or pass through it, and returns the edge below them. */
function gatherArriving(triangulation: Triangulation): number {
  const { order, arriving, liesAbove } = triangulation
  let edge = highestNotAbove(order, liesAbove)
  arriving.length = 0
  while (edge !== NO_EDGE && sideOfNow(triangulation, edge) === 0) {
    arriving.push(edge)
    edge = edgeBelow(order, edge)
  }
  arriving.reverse()
  return edge
}

/** Collects the edges that begin at the present point or pass through it. */
function gatherLeaving(triangulation: Triangulation, start: number, end: number): void {
  const { outline, events, lefts, rights, arriving, leaving, now } = triangulation
  const { vertices, edgeBefore } = outline
  leaving.length = 0
  for (const edge of arriving) if (compareVertices(vertices, rights[edge], now) !== 0) leaving.push(edge)
  for (let k = start; k < end; k++) {
    const vertex = events[k]
    const before = edgeBefore[vertex]
    if (lefts[before] === vertex) leaving.push(before)
    if (lefts[vertex] === vertex) leaving.push(vertex)
  }
  leaving.sort((e, f) => -turnAt(vertices, now, rights[e], rights[f]))
}
