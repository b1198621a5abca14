/**
 * The cut of a plane through triangles: rings where they enclose something, chains where they are only a surface.
 *
 * Method: a triangle with corners on both sides of the plane gives a segment between the cuts of two of its edges. Segments are chained by
 * these edges, never by distance: an edge is the two corners that it joins, corners of equal coordinates being one. Edges between triangles
 * that continue each other in one plane are no corners of the cut, and are passed over. Of a closed surface as many segments begin at an
 * edge as end there, so that walks along them close. Chains end where one segment or more than two meet.
 * Frame: in, corners from a position of the world; out, the plane's. Cost O(n log n) for n triangles that are cut.
 */

import { spend } from '../../containers/budget.ts'
import { sortingSteps } from '../../containers/sorting.ts'
import { joinVertices } from '../mesh/mesh-check.ts'
import type { CuttingPlane } from './cutting-plane.ts'

/** x, y of the points one after the other. */
export interface CutChain {
  points: number[]
  isLoop: boolean
}

/** Triangles that a plane cuts, gathered one by one. */
export class CutTriangles {
  #count = 0
  /** Nine numbers for each triangle. */
  #corners = new Float64Array(9 * 16)
  /** For each triangle, from the lowest bit: whether its corners lie above the plane, and whether its edges 0→1, 1→2, 2→0 are flat. */
  #flags = new Uint8Array(16)
  readonly #plane: CuttingPlane
  readonly #position: ArrayLike<number>

  constructor(plane: CuttingPlane, position: ArrayLike<number>) {
    this.#plane = plane
    this.#position = position
  }

  /** Takes the triangle if the plane cuts it. `flatEdges`: a bit for each edge 0→1, 1→2, 2→0 across which its plane goes on. */
  add(corners: Float64Array, flatEdges: number): void {
    let above = 0
    for (let i = 0; i < 3; i++) if (this.#plane.isAbove(this.#position, corners, 3 * i)) above |= 1 << i
    if (above === 0 || above === 7) return
    const at = 9 * this.#count
    if (at === this.#corners.length) {
      this.#corners = grown(this.#corners, new Float64Array(2 * at))
      this.#flags = grown(this.#flags, new Uint8Array(2 * this.#count))
    }
    this.#corners.set(corners, at)
    this.#flags[this.#count++] = above | (flatEdges << 3)
  }

  /** Closed rings, with what the triangles enclose to the left if they are wound counter-clockwise as seen from outside. */
  rings(): number[][] {
    const { points, isFlat, starts, ends } = this.#segments()
    const count = starts.length
    spend(4 * count)
    const { order, first } = byNode(starts, isFlat.length)
    const next = first.slice()
    const rings: number[][] = []
    for (const start of order) {
      let node = starts[start]
      const ring: number[] = []
      while (next[node] < first[node + 1]) {
        if (isFlat[node] === 0) ring.push(points[2 * node], points[2 * node + 1])
        node = ends[order[next[node]++]]
      }
      if (ring.length >= 6) rings.push(ring)
    }
    return rings
  }

  /** Chains in the order of their points, each from the lesser end; loops from their least point on. */
  chains(): CutChain[] {
    const { points, isFlat, starts, ends } = this.#segments()
    const nodeCount = isFlat.length
    const pairs = distinctPairs(starts, ends, nodeCount)
    const count = pairs.length / 2
    spend(8 * count)
    const { order, first } = byNode(pairs, nodeCount)
    const isUsed = new Uint8Array(count)
    const chains: CutChain[] = []
    const walk = (from: number, start: number): CutChain | null => {
      const nodes = [start]
      let node = start
      for (let end = from; isUsed[end >> 1] === 0; ) {
        isUsed[end >> 1] = 1
        node = pairs[end ^ 1]
        nodes.push(node)
        if (first[node + 1] - first[node] !== 2) break
        end = order[first[node]] === (end ^ 1) ? order[first[node] + 1] : order[first[node]]
      }
      return chainOf(nodes, points, isFlat)
    }
    const keep = (chain: CutChain | null) => {
      if (chain !== null) chains.push(chain)
    }
    for (let node = 0; node < nodeCount; node++) {
      if (first[node + 1] - first[node] === 2) continue
      for (let i = first[node]; i < first[node + 1]; i++) if (isUsed[order[i] >> 1] === 0) keep(walk(order[i], node))
    }
    for (let end = 0; end < 2 * count; end += 2) if (isUsed[end >> 1] === 0) keep(walk(end, pairs[end]))
    spend(sortingSteps(chains.length))
    return chains.sort((a, b) => comparePoints(a.points, b.points))
  }

  /** Nodes are edges that are cut; each triangle leads from one to another. */
  #segments(): { points: number[]; isFlat: number[]; starts: Uint32Array; ends: Uint32Array } {
    const count = this.#count
    spend(16 * count)
    const corners = this.#corners.subarray(0, 9 * count)
    const own = new Uint32Array(3 * count)
    for (let i = 0; i < own.length; i++) own[i] = i
    const joined = joinVertices(corners, own)
    const nodes = new Map<number, number>()
    const points: number[] = []
    const isFlat: number[] = []
    const starts = new Uint32Array(count)
    const ends = new Uint32Array(count)
    for (let i = 0; i < count; i++) {
      const flags = this.#flags[i]
      for (let edge = 0; edge < 3; edge++) {
        const after = (edge + 1) % 3
        const isFromAbove = ((flags >> edge) & 1) === 1
        if (isFromAbove === (((flags >> after) & 1) === 1)) continue
        const above = joined[3 * i + (isFromAbove ? edge : after)]
        const below = joined[3 * i + (isFromAbove ? after : edge)]
        const key = above * own.length + below
        let node = nodes.get(key)
        if (node === undefined) {
          node = isFlat.length
          nodes.set(key, node)
          isFlat.push((flags >> (3 + edge)) & 1)
          this.#plane.cutEdge(this.#position, corners, 3 * above, 3 * below, points, 2 * node)
        }
        if (isFromAbove) starts[i] = node
        else ends[i] = node
      }
    }
    return { points, isFlat, starts, ends }
  }
}

function grown<List extends Float64Array | Uint8Array>(from: List, to: List): List {
  to.set(from)
  return to
}

/** Places in a list of nodes by the node: those of node k are order[first[k]] … order[first[k + 1] − 1], ascending. */
function byNode(nodes: Uint32Array, nodeCount: number): { order: Uint32Array; first: Uint32Array } {
  const first = new Uint32Array(nodeCount + 1)
  for (const node of nodes) first[node + 1]++
  for (let node = 0; node < nodeCount; node++) first[node + 1] += first[node]
  const next = first.slice()
  const order = new Uint32Array(nodes.length)
  for (let i = 0; i < nodes.length; i++) order[next[nodes[i]]++] = i
  return { order, first }
}

/** The two nodes of each segment, in either order; repeated segments once, and none from a node to itself. */
function distinctPairs(starts: Uint32Array, ends: Uint32Array, nodeCount: number): Uint32Array {
  const known = new Set<number>()
  const pairs: number[] = []
  for (let i = 0; i < starts.length; i++) {
    const key = Math.min(starts[i], ends[i]) * nodeCount + Math.max(starts[i], ends[i])
    if (starts[i] === ends[i] || known.has(key)) continue
    known.add(key)
    pairs.push(starts[i], ends[i])
  }
  return Uint32Array.from(pairs)
}

/** null where all points are one. */
function chainOf(nodes: readonly number[], points: readonly number[], isFlat: readonly number[]): CutChain | null {
  const last = nodes.length - 1
  const isClosed = nodes[0] === nodes[last]
  const way: number[] = []
  for (let i = 0; i < nodes.length - (isClosed ? 1 : 0); i++) {
    const node = nodes[i]
    const [x, y] = [points[2 * node], points[2 * node + 1]]
    if (isFlat[node] === 1 || (x === way[way.length - 2] && y === way[way.length - 1])) continue
    way.push(x, y)
  }
  if (isClosed) while (way.length > 2 && way[0] === way.at(-2) && way[1] === way.at(-1)) way.length -= 2
  if (way.length < 4) return null
  const isLoop = isClosed && way.length > 4
  return { points: isLoop ? fromLeast(way) : lesser(way, reversed(way)), isLoop }
}

/** The loop from its least point on, the way that comes first; where it comes through that point again, from the time that comes first. */
function fromLeast(way: number[]): number[] {
  let least = 0
  for (let i = 2; i < way.length; i += 2) if ((way[i] - way[least] || way[i + 1] - way[least + 1]) < 0) least = i
  let best: number[] | null = null
  for (let i = least; i < way.length; i += 2) {
    if (way[i] !== way[least] || way[i + 1] !== way[least + 1]) continue
    spend(way.length)
    const forward = [...way.slice(i), ...way.slice(0, i)]
    const first = lesser(forward, reversed([...forward.slice(2), ...forward.slice(0, 2)]))
    best = best === null ? first : lesser(best, first)
  }
  return best ?? way
}

function reversed(way: readonly number[]): number[] {
  const back: number[] = []
  for (let i = way.length - 2; i >= 0; i -= 2) back.push(way[i], way[i + 1])
  return back
}

function lesser(a: number[], b: number[]): number[] {
  return comparePoints(a, b) <= 0 ? a : b
}

function comparePoints(a: readonly number[], b: readonly number[]): number {
  const count = Math.min(a.length, b.length)
  for (let i = 0; i < count; i++) if (a[i] !== b[i]) return a[i] - b[i]
  return a.length - b.length
}
