/**
 * The chains in which the triangles of a sweep end on the right, one between each two neighbouring edges with the inside
 * between them.
 *
 * A chain goes from the left end of the lower edge, its floor, to that of the upper one, with the triangles so far to its
 * left; it nowhere turns right, or a triangle would still fit in. It is kept under the name of its floor.
 * Frame: the outline's own.
 */
import { spend } from '../../containers/budget.ts'
import { turnAt } from '../points/orientation.ts'
import { addTriangle, joinTwins, type Mesh } from './triangle-mesh.ts'

export interface SweepChains {
  mesh: Mesh
  /** Of each floor: first, rightmost and last node of its chain. */
  low: Int32Array
  right: Int32Array
  high: Int32Array
  /** Of each node: its vertex, and the nodes before and after it; NO_NODE at the ends. */
  vertex: number[]
  down: number[]
  up: number[]
  /** What lies to the left of the way from a node up to the next: a half-edge, BOUNDARY, or a diagonal ≤ FIRST_DIAGONAL. */
  link: number[]
  /** Of diagonals that had no triangle when they were drawn, the half-edge of the first one, or −1. */
  diagonals: number[]
}

const NO_NODE = -1
const BOUNDARY = -1
const FIRST_DIAGONAL = -2

export function createChains(mesh: Mesh, edgeCount: number): SweepChains {
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
export function startChain(chains: SweepChains, floor: number, point: number): void {
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
export function descendChain(chains: SweepChains, floor: number, point: number): void {
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
export function climbChain(chains: SweepChains, floor: number, newFloor: number, point: number): void {
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
export function splitChain(chains: SweepChains, floor: number, newFloor: number, point: number): void {
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
export function joinChains(chains: SweepChains, floor: number, upperFloor: number): void {
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
