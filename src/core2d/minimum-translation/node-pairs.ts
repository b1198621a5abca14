/**
 * Pairs of nodes of two trees that wait to be opened, numbered; numbers of opened ones are given to new ones.
 *
 * Those of a long search wait in bins by their distance from the origin: they need no finer order, and there are many.
 */
export interface NodePairs {
  /** Numbers given out so far. */
  count: number
  /** Nodes 2·number of A's tree and 2·number + 1 of B's. */
  nodes: Int32Array
  /** The number given back last, whose first node names the one before; −1: none. */
  free: number
  /** Of each bin the pair that came last, −1: none; of each pair the one that came before it. */
  bins: Int32Array
  next: Int32Array
  binSize: number
  /** No bin before this one has any. */
  bin: number
}

const BIN_COUNT = 2 ** 12

/** Pairs for which the memory is kept. */
const KEPT_COUNT = 2 ** 12

const NO_BINS = new Int32Array(0)

export function createNodePairs(): NodePairs {
  return { count: 0, nodes: new Int32Array(64), free: -1, bins: NO_BINS, next: NO_BINS, binSize: 0, bin: 0 }
}

/** Forgets all pairs; what a long search needed is given back. */
export function clearNodePairs(pairs: NodePairs): void {
  if (pairs.nodes.length > 2 * KEPT_COUNT || pairs.bins.length > 0) Object.assign(pairs, createNodePairs())
  pairs.count = 0
  pairs.free = -1
}

/** A number for the pair. */
export function addNodePair(pairs: NodePairs, i: number, j: number): number {
  let number = pairs.free
  if (number >= 0) pairs.free = pairs.nodes[2 * number]
  else {
    number = pairs.count++
    if (2 * pairs.count > pairs.nodes.length) {
      const grown = new Int32Array(2 * pairs.nodes.length)
      grown.set(pairs.nodes)
      pairs.nodes = grown
    }
  }
  pairs.nodes[2 * number] = i
  pairs.nodes[2 * number + 1] = j
  return number
}

/** Gives the pair's number to the next one. */
export function endNodePair(pairs: NodePairs, number: number): void {
  pairs.nodes[2 * number] = pairs.free
  pairs.free = number
}

/** Makes bins for distances up to `reach`. */
export function makeBins(pairs: NodePairs, reach: number): void {
  pairs.bins = new Int32Array(BIN_COUNT).fill(-1)
  pairs.next = new Int32Array(pairs.nodes.length)
  pairs.binSize = reach / BIN_COUNT
  pairs.bin = 0
}

/** Puts a pair into its bin; nothing comes before what has been taken out. */
export function addToBin(pairs: NodePairs, number: number, distance: number): void {
  const bin = Math.min(Math.max(Math.floor(distance / pairs.binSize), pairs.bin), BIN_COUNT - 1)
  if (pairs.next.length <= number) {
    const grown = new Int32Array(pairs.nodes.length)
    grown.set(pairs.next)
    pairs.next = grown
  }
  pairs.next[number] = pairs.bins[bin]
  pairs.bins[bin] = number
}

/** A bound on the distances of all pairs in bins, no greater than any of them; Infinity when there are none. */
export function leastBinned(pairs: NodePairs): number {
  const { bins } = pairs
  while (pairs.bin < bins.length && bins[pairs.bin] < 0) pairs.bin++
  return pairs.bin < bins.length ? pairs.bin * pairs.binSize : Infinity
}

/** Takes a pair out of the first bin that has any. */
export function takeBinned(pairs: NodePairs): number {
  const number = pairs.bins[pairs.bin]
  pairs.bins[pairs.bin] = pairs.next[number]
  return number
}
