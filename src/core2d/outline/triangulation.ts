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

import { incircle } from 'robust-predicates'
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
import { orderOfKeys } from '../../containers/sorting.ts'
import {
  binaryExponent,
  createInputRange,
  exactly,
  includeInput,
  type Ring,
  type Sign,
} from '../../numeric/exact-ring.ts'
import { LARGEST_SAFE_FOURTH, SMALLEST_SAFE_FOURTH, SMALLEST_SAFE_INCIRCLE } from '../../numeric/roundoff.ts'
import { FLIP_PER_TRIANGLE_COUNT, INCIRCLE_ERROR_RATIO } from '../tolerances.ts'
import { compareVertices, lowerEnd } from './edge-intersection.ts'
import { turnAt } from './orientation.ts'
import type { Outline } from './outline.ts'

// Triangles that know their neighbours, as half-edges in flat arrays.
//
// Half-edges 3t, 3t + 1, 3t + 2 go round triangle t counter-clockwise.

export interface Mesh {
  /** Vertices x0, y0, x1, y1, … */
  vertices: Float64Array
  triangleCount: number
  /** The vertex at which each half-edge starts. */
  origin: Int32Array
  /** The half-edge that runs the other way, of the triangle beyond; −1 on the boundary. */
  twin: Int32Array
}

/** An empty mesh with room for every triangle that `vertexCount` vertices can make. */
function createMesh(vertices: Float64Array, vertexCount: number): Mesh {
  // Fewer than two triangles for each vertex, however many holes there are (Euler).
  const halfEdgeCount = 6 * vertexCount
  return {
    vertices,
    triangleCount: 0,
    origin: new Int32Array(halfEdgeCount),
    twin: new Int32Array(halfEdgeCount).fill(-1),
  }
}

/** Adds the triangle of three vertices in counter-clockwise order, without neighbours, and returns its first half-edge. */
function addTriangle(mesh: Mesh, a: number, b: number, c: number): number {
  const first = 3 * mesh.triangleCount++
  mesh.origin[first] = a
  mesh.origin[first + 1] = b
  mesh.origin[first + 2] = c
  return first
}

/** Makes two half-edges each other's twin. */
function joinTwins({ twin }: Mesh, half: number, other: number): void {
  twin[half] = other
  twin[other] = half
}

/** The half-edge after `half` in its triangle. */
export function nextInTriangle(half: number): number {
  return half % 3 === 2 ? half - 2 : half + 1
}

/** Checks the mesh's bookkeeping, for tests: returns the first fault, or null. */
export function validateMesh({ triangleCount, origin, twin }: Mesh): string | null {
  for (let half = 0; half < 3 * triangleCount; half++) {
    const other = twin[half]
    if (other === -1) continue
    if (other < 0 || other >= 3 * triangleCount) return `half-edge ${half} has the twin ${other}`
    if (twin[other] !== half) return `half-edge ${half} is not the twin of its twin`
    const endsMatch = origin[other] === origin[nextInTriangle(half)] && origin[half] === origin[nextInTriangle(other)]
    if (!endsMatch) return `half-edge ${half} and its twin ${other} have different ends`
  }
  return null
}

/** Steps of the first edges that end and begin at a point, and of each further edge. */
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

// The chains in which the triangles of a sweep end on the right, one between each two neighbouring edges with the inside
// between them.
//
// A chain goes from the left end of the lower edge, its floor, to that of the upper one, with the triangles so far to its
// left; it nowhere turns right, or a triangle would still fit in. It is kept under the name of its floor.
// Frame: the outline's own.

interface SweepChains {
  mesh: Mesh
  /** Of each floor: first, rightmost and last node of its chain. */
  low: Int32Array
  right: Int32Array
  high: Int32Array
  /** Of each node: its vertex, and the nodes before and after it; NO_NODE at the ends. */
  vertex: number[]
  down: number[]
  up: number[]
  /** On the left of the way from a node up to the next: a half-edge, BOUNDARY, or a diagonal ≤ FIRST_DIAGONAL. */
  link: number[]
  /** Of diagonals that had no triangle when they were drawn, the half-edge of the first one, or −1. */
  diagonals: number[]
}

const NO_NODE = -1
const BOUNDARY = -1
const FIRST_DIAGONAL = -2

function createChains(mesh: Mesh, edgeCount: number): SweepChains {
  const low = new Int32Array(edgeCount)
  const right = new Int32Array(edgeCount)
  const high = new Int32Array(edgeCount)
  return { mesh, low, right, high, vertex: [], down: [], up: [], link: [], diagonals: [] }
}

function addNode({ vertex, down, up, link }: SweepChains, point: number): number {
  down.push(NO_NODE)
  up.push(NO_NODE)
  link.push(BOUNDARY)
  return vertex.push(point) - 1
}

/** Begins a chain with the vertex that its floor and the edge above start from. */
function startChain(chains: SweepChains, floor: number, point: number): void {
  const node = addNode(chains, point)
  chains.low[floor] = node
  chains.right[floor] = node
  chains.high[floor] = node
}

/** Whether `point`, to the right of the chain, sees the stretch from `node` up to the next: whether they make a triangle. */
function seesAbove({ mesh, vertex, up }: SweepChains, node: number, point: number): boolean {
  return up[node] !== NO_NODE && turnAt(mesh.vertices, vertex[node], point, vertex[up[node]]) > 0
}

function seesBelow(chains: SweepChains, node: number, point: number): boolean {
  return chains.down[node] !== NO_NODE && seesAbove(chains, chains.down[node], point)
}

/** Adds the triangle of `point` and the stretch above `node`; returns its first half-edge, from `node` to `point`. */
function fill(chains: SweepChains, node: number, point: number): number {
  spend(2)
  const { mesh, vertex, up, link } = chains
  const first = addTriangle(mesh, vertex[node], point, vertex[up[node]])
  attach(chains, first + 2, link[node])
  return first
}

/** Makes a half-edge the twin of what a link stands for. */
function attach({ mesh, diagonals }: SweepChains, half: number, link: number): void {
  if (link >= 0) joinTwins(mesh, half, link)
  if (link > FIRST_DIAGONAL) return
  const diagonal = FIRST_DIAGONAL - link
  if (diagonals[diagonal] < 0) diagonals[diagonal] = half
  else joinTwins(mesh, half, diagonals[diagonal])
}

/**
 * The edge above the chain of `floor` ends at `point`: fills what is seen from the top down, after which the chain ends in
 * `point`.
 */
function descendChain(chains: SweepChains, floor: number, point: number): void {
  let node = chains.high[floor]
  let link = BOUNDARY
  while (seesBelow(chains, node, point)) {
    node = chains.down[node]
    const first = fill(chains, node, point)
    attach(chains, first + 1, link)
    link = first
  }
  const last = addNode(chains, point)
  connect(chains, node, last, link)
  chains.high[floor] = last
  chains.right[floor] = last
}

/**
 * The edge `floor` ends at `point`: fills what is seen from the bottom up, after which the chain begins in `point` and has the
 * floor `newFloor`. If the edge above ends there too, nothing of the chain is left but its two ends, to be forgotten.
 */
function climbChain(chains: SweepChains, floor: number, newFloor: number, point: number): void {
  let node = chains.low[floor]
  let link = BOUNDARY
  while (seesAbove(chains, node, point)) {
    const first = fill(chains, node, point)
    attach(chains, first, link)
    link = first + 1
    node = chains.up[node]
  }
  const lowest = addNode(chains, point)
  connect(chains, lowest, node, link)
  chains.high[newFloor] = chains.high[floor]
  chains.low[newFloor] = lowest
  chains.right[newFloor] = lowest
}

/**
 * Edges begin at `point` in the midst of the chain: fills what is seen from its rightmost node both ways, and makes two chains
 * of the rest, with the floors `floor` and `newFloor`, that end and begin in `point`.
 */
function splitChain(chains: SweepChains, floor: number, newFloor: number, point: number): void {
  const { low, right, high, down, up } = chains
  const middle = right[floor]
  let lower = middle
  let lowerLink = BOUNDARY
  let upperLink = BOUNDARY
  while (seesBelow(chains, lower, point)) {
    lower = down[lower]
    const first = fill(chains, lower, point)
    if (lowerLink === BOUNDARY) upperLink = first + 1
    else attach(chains, first + 1, lowerLink)
    lowerLink = first
  }
  let upper = middle
  while (seesAbove(chains, upper, point)) {
    const first = fill(chains, upper, point)
    if (upperLink === BOUNDARY) lowerLink = first
    else attach(chains, first, upperLink)
    upperLink = first + 1
    upper = up[upper]
  }
  if (lowerLink === BOUNDARY) {
    lowerLink = FIRST_DIAGONAL - (chains.diagonals.push(-1) - 1)
    upperLink = lowerLink
  }
  let top = high[floor]
  if (lower === upper) {
    upper = copyUpper(chains, upper)
    if (top === lower) top = upper
  }
  const last = addNode(chains, point)
  const first = addNode(chains, point)
  connect(chains, lower, last, lowerLink)
  connect(chains, first, upper, upperLink)
  high[floor] = last
  right[floor] = last
  low[newFloor] = first
  right[newFloor] = first
  high[newFloor] = top
}

/** A node like `node`, which takes over what is above it. */
function copyUpper(chains: SweepChains, node: number): number {
  const { vertex, up, link } = chains
  const copy = addNode(chains, vertex[node])
  if (up[node] !== NO_NODE) connect(chains, copy, up[node], link[node])
  return copy
}

/** Edges end where the chain of `floor` ends and that of `upperFloor` begins: both go on as one. */
function joinChains(chains: SweepChains, floor: number, upperFloor: number): void {
  const { low, right, high, up, link } = chains
  const joint = high[floor]
  const first = low[upperFloor]
  // It begins in the same vertex, and has another one.
  connect(chains, joint, up[first], link[first])
  high[floor] = high[upperFloor]
  right[floor] = joint
}

function connect({ down, up, link }: SweepChains, node: number, above: number, leftOf: number): void {
  up[node] = above
  down[above] = node
  link[node] = leftOf
}

// Turns the diagonals of a triangulation until it is the constrained Delaunay triangulation: of all triangulations of the
// outline the one with the greatest least angles.
//
// Method: C. L. Lawson, "Software for C1 surface interpolation", Mathematical Software III (1977): a diagonal that has the
// vertex beyond it inside its triangle's circle is exchanged for the other diagonal of the two triangles. Circles are decided
// exactly, so this ends; four vertices on one circle keep the diagonal they have.

/** Exponents up to which 2^e and its reciprocal are both normal doubles. */
const LARGEST_EXPONENT = 1000
const SIGNIFICAND_BITS = 53

/** Diagonals that are still to be looked at. */
interface Flips {
  mesh: Mesh
  /** The mesh's vertices, scaled to where circles are decided quickly. */
  vertices: Float64Array
  stack: number[]
  isWaiting: Uint8Array
}

/** Turns diagonals until all are as they should be, or as many as may be have been turned. */
export function turnDiagonals(mesh: Mesh): void {
  const { triangleCount, origin, twin } = mesh
  spend(6 * triangleCount)
  const flips: Flips = {
    mesh,
    vertices: scaled(mesh.vertices),
    stack: [],
    isWaiting: new Uint8Array(3 * triangleCount),
  }
  const { vertices, stack, isWaiting } = flips
  for (let half = 3 * triangleCount - 1; half >= 0; half--) if (half < twin[half]) wait(flips, half)
  for (let left = FLIP_PER_TRIANGLE_COUNT * triangleCount; left > 0 && stack.length > 0; ) {
    const half = stack.pop() as number
    isWaiting[half] = 0
    spend(2)
    // Flips give half-edges other places: some that wait have come to lie on the boundary.
    if (twin[half] < 0) continue
    const after = nextInTriangle(half)
    const beyond = nextInTriangle(nextInTriangle(twin[half]))
    const apex = nextInTriangle(after)
    if (inCircleAt(vertices, origin[half], origin[after], origin[apex], origin[beyond]) <= 0) continue
    left--
    spend(2)
    flip(mesh, half)
    // The four sides around the new diagonal.
    const other = twin[half]
    wait(flips, nextInTriangle(half))
    wait(flips, nextInTriangle(nextInTriangle(half)))
    wait(flips, nextInTriangle(other))
    wait(flips, nextInTriangle(nextInTriangle(other)))
  }
}

/** The vertices times a power of two that brings them near 1, where that loses nothing. */
function scaled(vertices: Float64Array): Float64Array {
  const range = createInputRange()
  for (const value of vertices) includeInput(range, value)
  const exponent = Math.max(-LARGEST_EXPONENT, Math.min(LARGEST_EXPONENT, binaryExponent(range.largest)))
  const loses = exponent > 0 && binaryExponent(range.smallest) - exponent < -LARGEST_EXPONENT + SIGNIFICAND_BITS
  return exponent === 0 || loses ? vertices : vertices.map((value) => value * 2 ** -exponent)
}

/** A diagonal waits under the lower of its two half-edges. */
function wait({ mesh, stack, isWaiting }: Flips, half: number): void {
  const other = mesh.twin[half]
  if (other < 0) return
  const name = Math.min(half, other)
  if (isWaiting[name] === 1) return
  isWaiting[name] = 1
  stack.push(name)
}

/**
 * Exchanges a diagonal for the other one of its two triangles. The half-edges keep their triangles; `half` then runs from the
 * vertex beyond to the apex.
 */
function flip(mesh: Mesh, half: number): void {
  const { origin, twin } = mesh
  const other = twin[half]
  const after = nextInTriangle(half)
  const before = nextInTriangle(after)
  const otherAfter = nextInTriangle(other)
  const otherBefore = nextInTriangle(otherAfter)
  const apex = origin[before]
  const beyond = origin[otherBefore]
  const sides = [twin[before], twin[otherAfter], twin[otherBefore], twin[after]]
  const start = origin[half]
  const end = origin[other]
  origin[half] = beyond
  origin[after] = apex
  origin[before] = start
  origin[other] = apex
  origin[otherAfter] = beyond
  origin[otherBefore] = end
  reattach(mesh, after, sides[0])
  reattach(mesh, before, sides[1])
  reattach(mesh, otherAfter, sides[2])
  reattach(mesh, otherBefore, sides[3])
}

function reattach(mesh: Mesh, half: number, twin: number): void {
  if (twin < 0) mesh.twin[half] = -1
  else joinTwins(mesh, half, twin)
}

// Whether a point lies inside the circle through three others, decided exactly for any finite doubles.
//
// Method: the rounded determinant with Shewchuk's bound on its error, then his adaptive test (robust-predicates); where one of
// its products may have under- or overflowed, exact arithmetic without that risk.

/** Steps of an adaptive test: it seldom comes to its end, which would be ten times as far. */
const ADAPTIVE_STEPS = 64

/** 1 when vertex d lies inside the circle through a, b, c, which turn left; −1 outside, 0 on it. */
export function inCircleAt(vertices: Float64Array, a: number, b: number, c: number, d: number): Sign {
  const dx = vertices[2 * d]
  const dy = vertices[2 * d + 1]
  const ax = vertices[2 * a] - dx
  const ay = vertices[2 * a + 1] - dy
  const bx = vertices[2 * b] - dx
  const by = vertices[2 * b + 1] - dy
  const cx = vertices[2 * c] - dx
  const cy = vertices[2 * c + 1] - dy
  if (!(isSafe(ax) && isSafe(ay) && isSafe(bx) && isSafe(by) && isSafe(cx) && isSafe(cy))) {
    return exactInCircle(vertices, a, b, c, d)
  }
  const liftA = ax * ax + ay * ay
  const liftB = bx * bx + by * by
  const liftC = cx * cx + cy * cy
  const bcLeft = bx * cy
  const bcRight = by * cx
  const caLeft = cx * ay
  const caRight = cy * ax
  const abLeft = ax * by
  const abRight = ay * bx
  const determinant = liftA * (bcLeft - bcRight) + liftB * (caLeft - caRight) + liftC * (abLeft - abRight)
  const permanent =
    liftA * (Math.abs(bcLeft) + Math.abs(bcRight)) +
    liftB * (Math.abs(caLeft) + Math.abs(caRight)) +
    liftC * (Math.abs(abLeft) + Math.abs(abRight))
  if (Math.abs(determinant) > INCIRCLE_ERROR_RATIO * permanent) return determinant > 0 ? 1 : -1
  spend(ADAPTIVE_STEPS)
  const adaptive = adaptiveInCircle(vertices, a, b, c, d)
  if (Math.abs(adaptive) > SMALLEST_SAFE_INCIRCLE) return adaptive > 0 ? 1 : -1
  return exactInCircle(vertices, a, b, c, d)
}

/** Whether products of four such differences neither overflow nor lose digits to underflow. */
function isSafe(difference: number): boolean {
  const magnitude = Math.abs(difference)
  return magnitude < LARGEST_SAFE_FOURTH && (magnitude > SMALLEST_SAFE_FOURTH || magnitude === 0)
}

function adaptiveInCircle(vertices: Float64Array, a: number, b: number, c: number, d: number): number {
  return incircle(
    vertices[2 * a],
    vertices[2 * a + 1],
    vertices[2 * b],
    vertices[2 * b + 1],
    vertices[2 * c],
    vertices[2 * c + 1],
    vertices[2 * d],
    vertices[2 * d + 1],
  )
}

function exactInCircle(vertices: Float64Array, a: number, b: number, c: number, d: number): Sign {
  const range = createInputRange()
  for (const i of [a, b, c, d]) {
    includeInput(range, vertices[2 * i])
    includeInput(range, vertices[2 * i + 1])
  }
  return exactly(range, 4, <T>({ of, add, sub, mul, sign }: Ring<T>) => {
    const fromD = (i: number, axis: number): T => sub(of(vertices[2 * i + axis]), of(vertices[2 * d + axis]))
    const [ax, ay, bx, by, cx, cy] = [fromD(a, 0), fromD(a, 1), fromD(b, 0), fromD(b, 1), fromD(c, 0), fromD(c, 1)]
    const lifted = (x: T, y: T, px: T, py: T, qx: T, qy: T): T =>
      mul(add(mul(x, x), mul(y, y)), sub(mul(px, qy), mul(py, qx)))
    return sign(
      add(add(lifted(ax, ay, bx, by, cx, cy), lifted(bx, by, cx, cy, ax, ay)), lifted(cx, cy, ax, ay, bx, by)),
    )
  })
}
