/**
 * The convex hull of small integer points in space by its definition, over all triples, in BigInt: slow and obviously right; shares
 * nothing with src/.
 */

export type IntegerPoint = readonly [number, number, number]

export interface ExactHull {
  /** Of the distinct points the corners, as texts "x,y,z". */
  corners: string[]
  /** Of the planes that hold the points on one side and touch them in more than a line: the corners in each, sorted. */
  faces: string[][]
}

type Vector = readonly [bigint, bigint, bigint]

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const dot = (a: Vector, b: Vector): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const isZero = (a: Vector): boolean => a.every((x) => x === 0n)
const textOf = (p: Vector): string => p.join()

export function exactHull(given: readonly IntegerPoint[]): ExactHull {
  const distinct = [...new Map(given.map((p) => [p.join(), p.map(BigInt) as unknown as Vector])).values()]
  const planes = new Map<string, Vector[]>()
  for (const a of distinct) {
    for (const b of distinct) {
      for (const c of distinct) {
        const normal = cross(minus(b, a), minus(c, a))
        if (isZero(normal)) continue
        const heights = distinct.map((p) => dot(normal, minus(p, a)))
        if (heights.some((h) => h > 0n)) continue
        const inPlane = distinct.filter((_, k) => heights[k] === 0n)
        planes.set(`${inPlane.map(textOf).sort().join(' ')} ${primitive(normal)}`, inPlane)
      }
    }
  }
  const corners = distinct.filter((p) => isCorner(p, distinct)).map(textOf)
  const faces = [...planes.values()].map((inPlane) =>
    inPlane
      .map(textOf)
      .filter((p) => corners.includes(p))
      .sort(),
  )
  return { corners: corners.sort(), faces: faces.sort() }
}

function primitive(a: Vector): string {
  const divide = (x: bigint, y: bigint): bigint => (y === 0n ? (x < 0n ? -x : x) : divide(y, x % y))
  const divisor = a.reduce((gcd, x) => divide(gcd, x), 0n)
  return a.map((x) => x / divisor).join()
}

/** Whether no other points have it between them, in a triangle or in a tetrahedron. */
function isCorner(p: Vector, distinct: readonly Vector[]): boolean {
  const others = distinct.filter((q) => textOf(q) !== textOf(p)).map((q) => minus(q, p))
  // C. Carathéodory: in the hull of the others exactly if in that of four of them.
  return !others.some((a, i) =>
    others.some((b, j) => {
      if (j <= i) return false
      const ab = cross(a, b)
      if (isZero(ab)) return dot(a, b) < 0n
      return others.some((c, k) => {
        if (k <= j) return false
        const height = dot(ab, c)
        if (height === 0n) return surroundsInPlane(a, b, c, ab)
        return others.some((d, l) => l > k && surrounds(a, b, c, d))
      })
    }),
  )
}

function surroundsInPlane(a: Vector, b: Vector, c: Vector, normal: Vector): boolean {
  const turns = [dot(cross(a, b), normal), dot(cross(b, c), normal), dot(cross(c, a), normal)]
  return turns.every((t) => t > 0n) || turns.every((t) => t < 0n)
}

/** Whether the origin lies strictly inside the tetrahedron. */
function surrounds(a: Vector, b: Vector, c: Vector, d: Vector): boolean {
  const sides = [dot(cross(b, c), d), -dot(cross(a, c), d), dot(cross(a, b), d), -dot(cross(a, b), c)]
  return sides.every((s) => s > 0n) || sides.every((s) => s < 0n)
}
