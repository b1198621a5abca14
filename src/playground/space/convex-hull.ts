// The convex hull of points, to be drawn: triangles, counter-clockwise seen from outside. Incremental, with a tolerance: what is drawn may
// be off by less than a pixel, and the service answers about the true hull.

import { cross, dot, inSpace, lengthOf, minus, type Vec3 } from '../sketch/vector.ts'

/** Of the extent: points nearer to a plane count as in it. */
const FLAT_RATIO = 1e-7

type Triangle = [number, number, number]

interface Side {
  corners: Triangle
  normal: Vec3
  offset: number
}

/** A solid by its triangles; or, of points in one plane, the corners of the polygon in order: two of a segment, one of a point. */
export type DrawnHull = { triangles: Triangle[] } | { outline: number[] }

const farthest = (points: readonly Vec3[], measure: (p: Vec3) => number): number =>
  points.reduce((best, p, i) => (measure(p) > measure(points[best]!) ? i : best), 0)

export function convexHull(points: readonly Vec3[]): DrawnHull {
  const from = (i: number) => (p: Vec3) => lengthOf(minus(p, points[i]!))
  const a = farthest(points, from(0))
  const b = farthest(points, from(a))
  const extent = from(a)(points[b]!)
  const least = extent * FLAT_RATIO
  if (extent === 0) return { outline: [a] }
  const along = inSpace(minus(points[b]!, points[a]!))
  const fromLine = (p: Vec3) => lengthOf(cross(along, inSpace(minus(p, points[a]!)))) / extent
  const c = farthest(points, fromLine)
  if (fromLine(points[c]!) <= least) return { outline: [a, b] }
  const base = sideOf(points, [a, b, c])
  const fromPlane = (p: Vec3) => Math.abs(dot(base.normal, p) - base.offset)
  const d = farthest(points, fromPlane)
  if (fromPlane(points[d]!) <= least) return { outline: flatHull(points, base.normal) }
  return { triangles: solidHull(points, [a, b, c, d], least) }
}

function sideOf(points: readonly Vec3[], corners: Triangle): Side {
  const [p, q, r] = corners.map((i) => points[i]!) as [Vec3, Vec3, Vec3]
  const raw = cross(inSpace(minus(q, p)), inSpace(minus(r, p)))
  const size = lengthOf(raw) || 1
  const normal = { x: raw.x / size, y: raw.y / size, z: raw.z / size }
  return { corners, normal, offset: dot(normal, p) }
}

/** From a tetrahedron, point by point: what a point sees is replaced by triangles from the rim of that to the point. */
function solidHull(points: readonly Vec3[], [a, b, c, d]: [number, number, number, number], least: number): Triangle[] {
  const first = sideOf(points, [a, b, c])
  const isBelow = dot(first.normal, points[d]!) < first.offset
  const [p, q] = isBelow ? [b, c] : [c, b]
  const start: Triangle[] = [
    [a, p, q],
    [p, a, d],
    [q, p, d],
    [a, q, d],
  ]
  let sides = start.map((corners) => sideOf(points, corners))
  for (const [i, point] of points.entries()) {
    const sees = ({ normal, offset }: Side) => dot(normal, point) > offset + least
    const seen = sides.filter(sees)
    if (seen.length === 0) continue
    const edges = new Set(seen.flatMap(({ corners: [u, v, w] }) => [`${u} ${v}`, `${v} ${w}`, `${w} ${u}`]))
    const rim = [...edges].map((edge) => edge.split(' ').map(Number) as [number, number])
    const fresh = rim.filter(([u, v]) => !edges.has(`${v} ${u}`)).map(([u, v]) => sideOf(points, [u, v, i]))
    sides = [...sides.filter((side) => !sees(side)), ...fresh]
  }
  return sides.map(({ corners }) => corners)
}

/** Round a plane by the angle of the gift that is wrapped: the lower and the upper chain, by x and then y of the plane. */
function flatHull(points: readonly Vec3[], normal: Vec3): number[] {
  const least = Math.min(Math.abs(normal.x), Math.abs(normal.y), Math.abs(normal.z))
  const axis =
    least === Math.abs(normal.x)
      ? { x: 1, y: 0, z: 0 }
      : least === Math.abs(normal.y)
        ? { x: 0, y: 1, z: 0 }
        : { x: 0, y: 0, z: 1 }
  const u = cross(normal, axis)
  const v = cross(normal, u)
  const flat = points.map((p, i) => ({ i, x: dot(p, u), y: dot(p, v) })).sort((p, q) => p.x - q.x || p.y - q.y)
  const chain = (list: typeof flat): typeof flat => {
    const kept: typeof flat = []
    for (const p of list) {
      while (kept.length > 1) {
        const [q, r] = [kept.at(-2)!, kept.at(-1)!]
        if ((r.x - q.x) * (p.y - q.y) - (r.y - q.y) * (p.x - q.x) > 0) break
        kept.pop()
      }
      kept.push(p)
    }
    return kept.slice(0, -1)
  }
  return [...chain(flat), ...chain(flat.toReversed())].map(({ i }) => i)
}
