/** Pairs of nodes of two trees that wait to be opened, numbered; numbers of opened ones are given to new ones. */
export interface NodePairs {
  /** Numbers given out so far. */
  count: number
  /** Nodes 2·number of A's tree and 2·number + 1 of B's. */
  nodes: Int32Array
  /** The number given back last, whose first node names the one before; −1: none. */
  free: number
}

/** Pairs for which the memory is kept. */
const KEPT_COUNT = 2 ** 12

export function createNodePairs(): NodePairs {
  return { count: 0, nodes: new Int32Array(64), free: -1 }
}

/** Forgets all pairs; what a long search needed is given back. */
export function clearNodePairs(pairs: NodePairs): void {
  if (pairs.nodes.length > 2 * KEPT_COUNT) Object.assign(pairs, createNodePairs())
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
