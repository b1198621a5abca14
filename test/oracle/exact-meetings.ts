/**
 * Where closed rings of small integers meet themselves and each other, by trying all pairs of edges with BigInts. Slow and
 * obviously right; shares nothing with src/.
 */

export type Point = readonly [number, number]

export interface ExactMeeting {
  kind: 'crossing' | 'overlap' | 'touching'
  /** Edges by their index over all rings, lower one first. */
  edges: [number, number]
  /** The common point, or both ends of the stretch. */
  points: Point[]
}

interface Edge {
  index: number
  ring: number
  a: Point
  b: Point
  /** Neighbours in the ring: what is at their far ends. */
  before: Edge
  after: Edge
}

const equal = (p: Point, q: Point): boolean => p[0] === q[0] && p[1] === q[1]
const less = (p: Point, q: Point): boolean => p[0] < q[0] || (p[0] === q[0] && p[1] < q[1])

function cross(a: Point, b: Point, c: Point): bigint {
  const [ax, ay, bx, by, cx, cy] = [...a, ...b, ...c].map(BigInt)
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

const sign = (x: bigint): number => (x > 0n ? 1 : x < 0n ? -1 : 0)

export function isFlat(ring: readonly Point[]): boolean {
  return ring.every((p) => ring.every((q) => cross(ring[0], p, q) === 0n))
}

/** Edges that have a length, of rings that have an area. */
function edgesOf(rings: readonly (readonly Point[])[]): Edge[] {
  const edges: Edge[] = []
  let start = 0
  rings.forEach((ring, number) => {
    const first = start
    start += ring.length
    if (isFlat(ring)) return
    const own = ring
      .map((a, i) => ({ index: first + i, ring: number, a, b: ring[(i + 1) % ring.length] }) as Edge)
      .filter(({ a, b }) => !equal(a, b))
    own.forEach((edge, k) => {
      edge.after = own[(k + 1) % own.length]
      edge.after.before = edge
    })
    edges.push(...own)
  })
  return edges
}

/** The ends of the path through `at` along `edge`, and the first edge of that path. */
function passage(edge: Edge, at: Point): { ends: [Point, Point]; first: number; last: number } {
  if (equal(edge.a, at)) return passageOver(edge.before, edge)
  if (equal(edge.b, at)) return passageOver(edge, edge.after)
  return { ends: [edge.a, edge.b], first: edge.index, last: edge.index }
}

function passageOver(into: Edge, out: Edge): { ends: [Point, Point]; first: number; last: number } {
  return { ends: [into.a, out.b], first: Math.min(into.index, out.index), last: Math.max(into.index, out.index) }
}

const half = ([x, y]: Point): number => (y > 0 || (y === 0 && x > 0) ? 0 : 1)
const toward = (at: Point, p: Point): Point => [p[0] - at[0], p[1] - at[1]]

function byAngle(u: Point, v: Point): number {
  return half(u) - half(v) || sign(cross([0, 0], v, u))
}

/** How two paths go through one point; null when they have a direction in common. */
function through(at: Point, first: readonly Point[], second: readonly Point[]): 'crossing' | 'touching' | null {
  const around = [...first.map((p) => ({ p, of: 0 })), ...second.map((p) => ({ p, of: 1 }))]
    .map(({ p, of }) => ({ direction: toward(at, p), of }))
    .sort((u, v) => byAngle(u.direction, v.direction))
  for (let k = 1; k < 4; k++) {
    if (byAngle(around[k - 1].direction, around[k].direction) === 0) return null
  }
  return around[0].of === around[2].of ? 'crossing' : 'touching'
}

const within = ({ a, b }: Edge, p: Point): boolean =>
  cross(a, b, p) === 0n && !less(p, less(a, b) ? a : b) && !less(less(a, b) ? b : a, p)

function meeting(e: Edge, f: Edge): ExactMeeting | null {
  const edges: [number, number] = [e.index, f.index]
  const sides = [cross(e.a, e.b, f.a), cross(e.a, e.b, f.b), cross(f.a, f.b, e.a), cross(f.a, f.b, e.b)]
  if (sides.every((side) => side === 0n)) {
    const low = less(e.a, e.b) ? e.a : e.b
    const otherLow = less(f.a, f.b) ? f.a : f.b
    const high = less(e.a, e.b) ? e.b : e.a
    const otherHigh = less(f.a, f.b) ? f.b : f.a
    const from = less(low, otherLow) ? otherLow : low
    const to = less(high, otherHigh) ? high : otherHigh
    if (less(from, to)) return { kind: 'overlap', edges, points: [from, to] }
  } else if (sign(sides[0]) * sign(sides[1]) < 0 && sign(sides[2]) * sign(sides[3]) < 0) {
    const fall = Number(sides[2] - sides[3])
    const place = (axis: 0 | 1): number => (Number(sides[2]) * e.b[axis] - Number(sides[3]) * e.a[axis]) / fall
    return { kind: 'crossing', edges, points: [[place(0), place(1)]] }
  }
  const at = [f.a, f.b].find((p) => within(e, p)) ?? [e.a, e.b].find((p) => within(f, p))
  if (at === undefined) return null
  const one = passage(e, at)
  const other = passage(f, at)
  // One path may have up to two edges at the point; it meets the other path once.
  if (one.first !== e.index || other.first !== f.index) return null
  const kind = through(at, one.ends, other.ends)
  return kind === null ? null : { kind, edges, points: [at] }
}

/** Ordered by the edges. Edges that follow each other do not meet elsewhere, unless they overlap, and are left out. */
export function exactMeetings(rings: readonly (readonly Point[])[]): ExactMeeting[] {
  const edges = edgesOf(rings)
  const found: ExactMeeting[] = []
  for (let i = 0; i < edges.length; i++) {
    for (let j = i + 1; j < edges.length; j++) {
      if (edges[i].after === edges[j] || edges[j].after === edges[i]) continue
      const one = meeting(edges[i], edges[j])
      if (one !== null) found.push(one)
    }
  }
  return found
}
