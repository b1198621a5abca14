/**
 * Regions that touch themselves: their rings, cut and linked anew so that they say no more than the set does.
 *
 * What: a ring may pass through a point that another passage of the outline goes through too, within an edge even. Such an edge is
 * split there. Then every passage is linked so that it bounds one wedge of the inside: from the edge that arrives last before
 * the wedge, seen clockwise, on along the one that leaves. So what is an outer side at the point is told by two edges that follow
 * each other, as anywhere else, and nothing hangs on the way in which the user drew the rings.
 * Frame: as `outline.ts`. All decisions are made before turning, on exact signs.
 */
import { spend } from '../../containers/budget.ts'
import { sortingSteps } from '../../containers/sorting-steps.ts'
import { featureIndex } from '../feature.ts'
import { compareVertices } from './edge-intersection.ts'
import type { Outline, Round, SplitRings } from './outline.ts'
import type { TouchingPoint } from './sweep-line.ts'

/** A point within an edge. */
interface Split {
  edge: number
  point: number
}

/** `rings`: all edges of ring r, those with ringOf[e] = r, lie together. Cost O(n + k log k), k edges that meet at touching points. */
export function splitRings(
  rings: Outline,
  ringOf: Int32Array,
  ringCount: number,
  touching: readonly TouchingPoint[],
): SplitRings {
  const { vertices, vertexNames, edgeNames, edgeCount } = rings
  const splits = findSplits(rings, touching)
  const count = edgeCount + splits.length
  spend(2 * count + ringCount)
  const split: SplitRings = {
    points: new Float64Array(2 * count),
    ringStarts: [],
    vertexIndices: new Int32Array(count),
    edgeIndices: new Int32Array(count),
    slots: new Int32Array(count),
    rounds: [],
  }
  /** Where each vertex has come to, and each split, by its edge and its point. */
  const placeOf = new Int32Array(edgeCount)
  const placeOfSplit = new Map<number, number>()
  let place = 0
  let next = 0
  const put = (vertex: number, edge: number): void => {
    split.points[2 * place] = vertices[2 * vertex]
    split.points[2 * place + 1] = vertices[2 * vertex + 1]
    split.vertexIndices[place] = featureIndex(vertexNames[vertex])
    split.edgeIndices[place++] = featureIndex(edgeNames[edge])
  }
  for (let edge = 0; edge < edgeCount; edge++) {
    while (split.ringStarts.length <= ringOf[edge]) split.ringStarts.push(place)
    placeOf[edge] = place
    put(edge, edge)
    for (; next < splits.length && splits[next].edge === edge; next++) {
      placeOfSplit.set(edge * edgeCount + splits[next].point, place)
      put(splits[next].point, edge)
    }
  }
  while (split.ringStarts.length <= ringCount) split.ringStarts.push(place)
  for (const each of touching) split.rounds.push(roundOf(rings, each, placeOf, placeOfSplit))
  return split
}

/** Where edges pass through points that are not theirs, by the edge and along it. */
function findSplits({ vertices, edgeEnd }: Outline, touching: readonly TouchingPoint[]): Split[] {
  const splits: Split[] = []
  for (const { point, edges, rightCount } of touching) {
    spend(edges.length)
    for (let k = 0; k < rightCount; k++) {
      const edge = edges[k]
      const isEnd = isAt(vertices, edge, point) || isAt(vertices, edgeEnd[edge], point)
      if (!isEnd) splits.push({ edge, point })
    }
  }
  spend(2 * sortingSteps(splits.length))
  return splits.sort((p, q) => {
    if (p.edge !== q.edge) return p.edge - q.edge
    return compareVertices(vertices, p.point, q.point) * -compareVertices(vertices, p.edge, edgeEnd[p.edge])
  })
}

function isAt(vertices: Float64Array, vertex: number, point: number): boolean {
  return compareVertices(vertices, vertex, point) === 0
}

function roundOf(
  { vertices, edgeEnd, edgeCount }: Outline,
  { point, edges, rightCount }: TouchingPoint,
  placeOf: Int32Array,
  placeOfSplit: ReadonlyMap<number, number>,
): Round {
  const round: Round = { vertices: new Int32Array(edges.length), leaves: new Uint8Array(edges.length) }
  spend(edges.length)
  for (let k = 0; k < edges.length; k++) {
    const edge = edges[k]
    const end = edgeEnd[edge]
    if (isAt(vertices, edge, point)) round.vertices[k] = placeOf[edge]
    else if (isAt(vertices, end, point)) round.vertices[k] = placeOf[end]
    else round.vertices[k] = placeOfSplit.get(edge * edgeCount + point) as number
    const runsRight = compareVertices(vertices, edge, end) < 0
    round.leaves[k] = runsRight === k < rightCount ? 1 : 0
  }
  return round
}

/**
 * Links the passages of `outline` through the touching points anew, and sets its loops. It has been set from `split`, ring r in the
 * user's order where isForward[r]. Where turning has made vertices of one point one, the passages through it stay as they are.
 */
export function linkWedges(outline: Outline, { rounds, slots, ringStarts }: SplitRings, isForward: boolean[]): void {
  const { edgeEnd, edgeBefore, edgeCount } = outline
  const isMerged = edgeCount < slots.length
  spend(slots.length)
  const touched: number[] = []
  const keepsOrder = new Uint8Array(slots.length)
  for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
    if (isForward[ring]) keepsOrder.fill(1, ringStarts[ring], ringStarts[ring + 1])
  }
  for (const { vertices, leaves } of rounds) {
    const count = vertices.length
    spend(2 * count)
    const own = Array.from(vertices, (vertex) => slots[vertex])
    const isLeaving = (k: number): boolean => (leaves[k] === 1) === (keepsOrder[vertices[k]] === 1)
    const arriving = own.map((vertex) => edgeBefore[vertex])
    // Each vertex is there twice, once with the edge that arrives and once with the one that leaves.
    if (isMerged && 2 * new Set(own).size !== count) continue
    for (let k = 0; k < count; k++) {
      if (!isLeaving(k)) continue
      // The inside lies to the left of all edges, so the wedge after one that leaves ends with one that arrives.
      const before = arriving[k + 1 === count ? 0 : k + 1]
      edgeBefore[own[k]] = before
      edgeEnd[before] = own[k]
      touched.push(own[k])
    }
  }
  outline.loops = loopsOf(outline, touched)
}

/** The first edge, and one of each other loop of edges through these vertices. */
function loopsOf({ edgeEnd, edgeCount }: Outline, touched: readonly number[]): number[] {
  const isSeen = new Uint8Array(edgeCount)
  const loops: number[] = []
  spend(edgeCount)
  for (const first of [0, ...touched]) {
    if (isSeen[first] === 1) continue
    loops.push(first)
    for (let edge = first; isSeen[edge] === 0; edge = edgeEnd[edge]) isSeen[edge] = 1
  }
  return loops
}
