/**
 * The minimum translation of two sets given as convex pieces, by brute force: every foot on every edge of every Minkowski
 * difference, every crossing of two edges, and of those that no difference covers the nearest.
 *
 * Slow and obviously right, for pieces that have an inside; lengths are good to about 1e-12 of the extent.
 */
import type { Vec2 } from '../../schemas/vector.ts'

export type Piece = readonly Vec2[]

interface Edge {
  p: Vec2
  q: Vec2
  nx: number
  ny: number
}

/** Depth below which a translation counts as not covered, relative to the extent. */
const SHALLOW = 1e-11

function differenceHull(a: Piece, b: Piece): Vec2[] {
  const points = a.flatMap((p) => b.map((q) => ({ x: p.x - q.x, y: p.y - q.y })))
  points.sort((p, q) => p.x - q.x || p.y - q.y)
  const half = (list: Vec2[]): Vec2[] => {
    const chain: Vec2[] = []
    for (const p of list) {
      while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) chain.pop()
      chain.push(p)
    }
    return chain.slice(0, -1)
  }
  return [...half(points), ...half(points.reverse())]
}

function turn(o: Vec2, p: Vec2, q: Vec2): number {
  return (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x)
}

function edgesOf(hull: readonly Vec2[]): Edge[] {
  return hull.map((p, i) => {
    const q = hull[(i + 1) % hull.length]
    const length = Math.hypot(q.x - p.x, q.y - p.y)
    return { p, q, nx: (q.y - p.y) / length, ny: (p.x - q.x) / length }
  })
}

function crossing(e: Edge, f: Edge): Vec2 | null {
  const ex = e.q.x - e.p.x
  const ey = e.q.y - e.p.y
  const fx = f.q.x - f.p.x
  const fy = f.q.y - f.p.y
  const det = ex * fy - ey * fx
  if (Math.abs(det) < 1e-12 * Math.hypot(ex, ey) * Math.hypot(fx, fy)) return null
  const s = ((f.p.x - e.p.x) * fy - (f.p.y - e.p.y) * fx) / det
  const t = ((f.p.x - e.p.x) * ey - (f.p.y - e.p.y) * ex) / det
  if (s < -1e-12 || s > 1 + 1e-12 || t < -1e-12 || t > 1 + 1e-12) return null
  return { x: e.p.x + s * ex, y: e.p.y + s * ey }
}

/** Length of the shortest translation of B that leaves no pieces of A and B penetrating each other. */
export function shortestTranslation(
  a: readonly Piece[],
  b: readonly Piece[],
): { length: number; x: number; y: number } {
  const hulls = a.flatMap((p) => b.map((q) => edgesOf(differenceHull(p, q))))
  const extent = Math.max(...[...a, ...b].flat().map(({ x, y }) => Math.abs(x) + Math.abs(y)))
  const isFree = (x: number, y: number): boolean =>
    hulls.every((edges) => edges.some(({ p, nx, ny }) => nx * (x - p.x) + ny * (y - p.y) > -SHALLOW * extent))
  let best = { length: Infinity, x: 0, y: 0 }
  const attempt = (x: number, y: number): void => {
    const length = Math.hypot(x, y)
    if (length < best.length && isFree(x, y)) best = { length, x, y }
  }
  if (isFree(0, 0)) return { length: 0, x: 0, y: 0 }
  const edges = hulls.flat()
  for (const { p, q, nx, ny } of edges) {
    const height = nx * p.x + ny * p.y
    attempt(nx * height, ny * height)
    attempt(p.x, p.y)
    attempt(q.x, q.y)
  }
  for (let i = 0; i < edges.length; i++) {
    for (let j = 0; j < i; j++) {
      const at = crossing(edges[i], edges[j])
      if (at !== null) attempt(at.x, at.y)
    }
  }
  return best
}
