/**
 * The edges that a sweep line meets, from bottom to top, in an order that only the caller knows.
 *
 * Method: a list in chunks of at most `CHUNK_SIZE`, with a table of the chunks. Finding, inserting and removing cost a scan
 * of one chunk, a few dozen nanoseconds, and now and then a shift of the table, whatever the input: no balance to keep.
 */
import { spend } from './budget.ts'

export interface ChunkedOrder {
  /** Chunk c holds its edges at edges[CHUNK_SIZE · c …], sizes[c] of them. */
  edges: Int32Array
  sizes: Int32Array
  /** The chunks from bottom to top, and the place of each in this table. None is empty. */
  table: Int32Array
  places: Int32Array
  tableCount: number
  /** Chunks out of use, to be taken up again. */
  spare: number[]
  /** Chunk of each edge that is in the order. */
  chunkOf: Int32Array
}

const CHUNK_SIZE = 32

/** Stands for the edge before the first and the one after the last. */
export const NO_EDGE = -1

export function createChunkedOrder(): ChunkedOrder {
  return {
    edges: new Int32Array(0),
    sizes: new Int32Array(0),
    table: new Int32Array(0),
    places: new Int32Array(0),
    tableCount: 0,
    spare: [],
    chunkOf: new Int32Array(0),
  }
}

/** Empties the order and makes room for the edges 0 … edgeCount − 1. */
export function clearEdgeOrder(order: ChunkedOrder, edgeCount: number): void {
  if (order.chunkOf.length < edgeCount) order.chunkOf = new Int32Array(2 ** Math.ceil(Math.log2(edgeCount)))
  order.tableCount = 0
  order.spare.length = 0
}

function newChunk(order: ChunkedOrder): number {
  const reused = order.spare.pop()
  const chunk = reused ?? order.tableCount
  if (chunk === order.sizes.length) {
    const capacity = Math.max(4, 2 * chunk)
    order.edges = grown(order.edges, CHUNK_SIZE * capacity)
    order.sizes = grown(order.sizes, capacity)
    order.table = grown(order.table, capacity)
    order.places = grown(order.places, capacity)
  }
  order.sizes[chunk] = 0
  return chunk
}

function grown(array: Int32Array, length: number): Int32Array {
  const copy = new Int32Array(length)
  copy.set(array)
  return copy
}

function putInTable(order: ChunkedOrder, chunk: number, place: number): void {
  order.table.copyWithin(place + 1, place, order.tableCount)
  order.table[place] = chunk
  order.tableCount++
  renumber(order, place)
}

function renumber({ table, places, tableCount }: ChunkedOrder, from: number): void {
  // some at a time, as far as the processor is concerned
  spend((tableCount - from) >> 3)
  for (let place = from; place < tableCount; place++) places[table[place]] = place
}

function indexIn(order: ChunkedOrder, chunk: number, edge: number): number {
  const { edges } = order
  let at = CHUNK_SIZE * chunk
  while (edges[at] !== edge) at++
  return at - CHUNK_SIZE * chunk
}

/** The edge above `edge`; above NO_EDGE lies the first of all. */
export function edgeAbove(order: ChunkedOrder, edge: number): number {
  const { edges, sizes, table, places, tableCount, chunkOf } = order
  if (edge === NO_EDGE) return tableCount === 0 ? NO_EDGE : edges[CHUNK_SIZE * table[0]]
  const chunk = chunkOf[edge]
  const index = indexIn(order, chunk, edge) + 1
  if (index < sizes[chunk]) return edges[CHUNK_SIZE * chunk + index]
  const place = places[chunk] + 1
  return place === tableCount ? NO_EDGE : edges[CHUNK_SIZE * table[place]]
}

/** The edge below `edge`, or NO_EDGE. */
export function edgeBelow(order: ChunkedOrder, edge: number): number {
  const { edges, sizes, table, places, chunkOf } = order
  const chunk = chunkOf[edge]
  const index = indexIn(order, chunk, edge)
  if (index > 0) return edges[CHUNK_SIZE * chunk + index - 1]
  if (places[chunk] === 0) return NO_EDGE
  const below = table[places[chunk] - 1]
  return edges[CHUNK_SIZE * below + sizes[below] - 1]
}

/** Puts `edge` right above `below`, or at the bottom for NO_EDGE. */
export function insertAbove(order: ChunkedOrder, below: number, edge: number): void {
  if (order.tableCount === 0) putInTable(order, newChunk(order), 0)
  let chunk = below === NO_EDGE ? order.table[0] : order.chunkOf[below]
  if (order.sizes[chunk] === CHUNK_SIZE) {
    halve(order, chunk)
    chunk = below === NO_EDGE ? order.table[0] : order.chunkOf[below]
  }
  const { edges, sizes, chunkOf } = order
  const at = CHUNK_SIZE * chunk + (below === NO_EDGE ? 0 : indexIn(order, chunk, below) + 1)
  edges.copyWithin(at + 1, at, CHUNK_SIZE * chunk + sizes[chunk])
  edges[at] = edge
  sizes[chunk]++
  chunkOf[edge] = chunk
}

/** Moves the upper half of a full chunk into a new one above it. */
function halve(order: ChunkedOrder, chunk: number): void {
  const upper = newChunk(order)
  const { edges, sizes, chunkOf } = order
  const half = CHUNK_SIZE / 2
  edges.copyWithin(CHUNK_SIZE * upper, CHUNK_SIZE * chunk + half, CHUNK_SIZE * (chunk + 1))
  sizes[chunk] = half
  sizes[upper] = half
  for (let i = 0; i < half; i++) chunkOf[edges[CHUNK_SIZE * upper + i]] = upper
  putInTable(order, upper, order.places[chunk] + 1)
}

export function removeEdge(order: ChunkedOrder, edge: number): void {
  const { edges, sizes, table, places, chunkOf } = order
  const chunk = chunkOf[edge]
  const at = CHUNK_SIZE * chunk + indexIn(order, chunk, edge)
  edges.copyWithin(at, at + 1, CHUNK_SIZE * chunk + sizes[chunk])
  if (--sizes[chunk] > 0) return
  const place = places[chunk]
  table.copyWithin(place, place + 1, order.tableCount--)
  renumber(order, place)
  order.spare.push(chunk)
}

/** Puts `edge` where `old` was. */
export function replaceEdge(order: ChunkedOrder, old: number, edge: number): void {
  const chunk = order.chunkOf[old]
  order.edges[CHUNK_SIZE * chunk + indexIn(order, chunk, old)] = edge
  order.chunkOf[edge] = chunk
}

/**
 * The highest edge for which `isAbove` does not hold, or NO_EDGE; it must hold for all edges above some place and for none
 * below. Cost O(log n) calls.
 */
export function highestNotAbove(order: ChunkedOrder, isAbove: (edge: number) => boolean): number {
  const { edges, sizes, table, tableCount } = order
  let low = 0
  let high = tableCount
  while (low < high) {
    const middle = (low + high) >> 1
    if (isAbove(edges[CHUNK_SIZE * table[middle]])) high = middle
    else low = middle + 1
  }
  if (low === 0) return NO_EDGE
  const chunk = table[low - 1]
  const base = CHUNK_SIZE * chunk
  // The first edge of the chunk is not above.
  low = 1
  high = sizes[chunk]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isAbove(edges[base + middle])) high = middle
    else low = middle + 1
  }
  return edges[base + low - 1]
}

/** Checks the order's bookkeeping, for tests: returns the first fault, or null. */
export function validateEdgeOrder({ edges, sizes, table, places, tableCount, chunkOf }: ChunkedOrder): string | null {
  for (let place = 0; place < tableCount; place++) {
    const chunk = table[place]
    if (places[chunk] !== place) return `chunk ${chunk} is at ${place}, not ${places[chunk]}`
    if (sizes[chunk] < 1 || sizes[chunk] > CHUNK_SIZE) return `chunk ${chunk} holds ${sizes[chunk]}`
    for (let i = 0; i < sizes[chunk]; i++) {
      const edge = edges[CHUNK_SIZE * chunk + i]
      if (chunkOf[edge] !== chunk) return `edge ${edge} is in chunk ${chunk}, not ${chunkOf[edge]}`
    }
  }
  return new Set(table.subarray(0, tableCount)).size === tableCount ? null : 'a chunk is in the table twice'
}
