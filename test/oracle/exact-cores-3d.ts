/**
 * The squared distance of two sets of points with integer coordinates, and their depth, by the definition: the nearest point of the difference lies
 * inside some point, segment or triangle of its points, or the origin lies in a tetrahedron of them; all are tried, in integers.
 * A facet of the difference lies across two vectors between points of the sets.
 */
type Point = readonly [bigint, bigint, bigint]

export interface Fraction {
  over: bigint
  under: bigint
}

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const dot = (a: Point, b: Point): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

export function squaredDistance(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): Fraction {
  const big = (p: readonly number[]): Point => [BigInt(p[0]), BigInt(p[1]), BigInt(p[2])]
  const points = distinct(a.flatMap((p) => b.map((q) => minus(big(p), big(q)))))
  let least: Fraction = { over: dot(points[0], points[0]), under: 1n }
  const include = (over: bigint, under: bigint): void => {
    if (over * least.under < least.over * under) least = { over, under }
  }
  points.forEach((p, i) => {
    include(dot(p, p), 1n)
    points.slice(0, i).forEach((q, j) => {
      includeSegment(p, q, include)
      for (const r of points.slice(0, j)) includeTriangle(p, q, r, include)
    })
  })
  return least.over > 0n && isInTetrahedron(points) ? { over: 0n, under: 1n } : least
}

function distinct(points: readonly Point[]): Point[] {
  return [...new Map(points.map((p) => [p.join(), p])).values()]
}

type Include = (over: bigint, under: bigint) => void

function includeSegment(p: Point, q: Point, include: Include): void {
  const edge = minus(q, p)
  if (dot(p, edge) > 0n || dot(q, edge) < 0n) return
  const normal = cross(p, q)
  include(dot(normal, normal), dot(edge, edge))
}

function includeTriangle(p: Point, q: Point, r: Point, include: Include): void {
  const normal = cross(minus(q, p), minus(r, p))
  const area = dot(normal, normal)
  if (area === 0n) return
  if ([cross(q, r), cross(r, p), cross(p, q)].some((part) => dot(normal, part) < 0n)) return
  include(dot(normal, p) ** 2n, area)
}

function isInTetrahedron(points: readonly Point[]): boolean {
  const volume = (a: Point, b: Point, c: Point): bigint => dot(a, cross(b, c))
  for (let i = 0; i < points.length; i++)
    for (let j = 0; j < i; j++)
      for (let k = 0; k < j; k++) {
        const face = volume(points[i], points[j], points[k])
        for (let l = 0; l < k; l++) {
          const [p, q, r, s] = [points[i], points[j], points[k], points[l]]
          const parts = [volume(q, r, s), -volume(p, r, s), volume(p, q, s), -face]
          if (parts.every((part) => part > 0n) || parts.every((part) => part < 0n)) return true
        }
      }
  return false
}

/** How deep the hulls of the two sets lie in each other, rounded; the difference has a volume, and holds the origin. */
export function depthOf(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number {
  const big = (p: readonly number[]): Point => [BigInt(p[0]), BigInt(p[1]), BigInt(p[2])]
  const points = distinct(a.flatMap((p) => b.map((q) => minus(big(p), big(q)))))
  const edges = distinct([a, b].flatMap((set) => set.flatMap((p) => set.map((q) => minus(big(p), big(q))))))
  let least = Infinity
  for (const u of edges)
    for (const v of edges) {
      const normal = cross(u, v)
      const square = dot(normal, normal)
      if (square === 0n) continue
      let height = dot(normal, points[0])
      for (const p of points) if (dot(normal, p) > height) height = dot(normal, p)
      least = Math.min(least, Number(height) / Math.sqrt(Number(square)))
    }
  return least
}

/** Whether balls of that radius about the second points lie behind every facet of the hull of the first, which has a volume. */
export function isWithinFacets(
  a: readonly (readonly number[])[],
  b: readonly (readonly number[])[],
  radius: number,
): boolean {
  const big = (p: readonly number[]): Point => [BigInt(p[0]), BigInt(p[1]), BigInt(p[2])]
  const points = distinct(a.map(big))
  const guests = b.map(big)
  let hasVolume = false
  for (const p of points)
    for (const q of points)
      for (const r of points) {
        const normal = cross(minus(q, p), minus(r, p))
        const heights = points.map((point) => dot(normal, minus(point, p)))
        if (heights.some((height) => height > 0n) || heights.every((height) => height === 0n)) continue
        hasVolume = true
        const square = dot(normal, normal) * BigInt(radius) ** 2n
        // height + radius·|normal| ≤ 0.
        for (const guest of guests) {
          const height = dot(normal, minus(guest, p))
          if (height > 0n || height * height < square) return false
        }
      }
  return hasVolume
}
