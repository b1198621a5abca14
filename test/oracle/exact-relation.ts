/**
 * Exact relation of two unrotated bodies, and their signed separation.
 *
 * Hulls: the separation of two convex sets is the signed distance of the origin to the boundary of their
 * Minkowski difference (negative inside); skins subtract their radii from it. The difference is built from all
 * vertex pairs. Ellipse and hull: by the affine map that makes the ellipse a circle (signs only).
 * Ellipse and ellipse: roots of det(λA + B), after Wang, Wang and Kim, "An algebraic condition for the separation
 * of two ellipsoids" (CAGD 18, 2001).
 */
import type { Body2d } from '../../schemas/shapes2d.ts'
import {
  commonGrid,
  convexHull,
  cross,
  dot,
  type Ellipse,
  type ExactBody,
  exactBody,
  type Halfplane,
  type Point,
  type RoundedHull,
  subtract,
} from './exact-bodies.ts'
import {
  abs,
  leastOf,
  type Ratio,
  ROOT_BITS,
  ratioLess,
  rootOfRatio,
  type Sign,
  signOf,
  signOfRadical,
  toDouble,
} from './exact-numbers.ts'
import { type ExactParts, exactParts, magnified, type Piece, piecesOf, pointInRings } from './exact-parts.ts'

/** Sign of the separation: −1 overlapping, 0 touching, 1 separated; null where this oracle has no exact method. */
export function exactRelation(a: Body2d, b: Body2d): Sign | null {
  const grid = commonGrid([a, b])
  if (!isComposite(a) && !isComposite(b)) return relationOf(exactBody(grid, a), exactBody(grid, b))
  return relateParts(exactParts(grid, a), exactParts(grid, b))
}

function isComposite({ shape: { type } }: Body2d): boolean {
  return type === 'chain' || type === 'region' || type === 'compound'
}

/** The least relation of all pieces, where what crosses the edge of a region only touches it; a point, which may lie on seams both ways, is looked for in the rings. */
export function relateParts(a: ExactParts, b: ExactParts): Sign | null {
  if (pointsWithin(a, b) || pointsWithin(b, a)) return -1
  let least: Sign | null = 1
  for (const p of piecesOf(a)) {
    for (const q of piecesOf(b)) {
      if (areBoxesApart(p, q)) continue
      let relation = relatePieces(p, q)
      if (relation === -1 && (p.isBoundary || q.isBoundary)) relation = 0
      if (relation === -1) return -1
      if (relation === null || least === null) least = null
      else if (relation < least) least = relation
    }
  }
  return least
}

function relatePieces(p: Piece, q: Piece): Sign | null {
  if (p.scale === q.scale) return relationOf(p.body, q.body)
  return relationOf(magnified(p.body, q.scale), magnified(q.body, p.scale))
}

function pointsWithin(a: ExactParts, { regions }: ExactParts): boolean {
  const points = a.leaves.flatMap(({ body }) => (body.kind === 'hull' && body.hull.length === 1 ? body.hull : []))
  return points.some((point) => regions.some((rings) => pointInRings(rings, point) < 0))
}

function areBoxesApart(p: Piece, q: Piece): boolean {
  if (p.body.kind !== 'hull' || q.body.kind !== 'hull') return false
  const [first, second] = [boxOf(p.body), boxOf(q.body)]
  return [0, 1].some(
    (axis) =>
      first.high[axis] * q.scale < second.low[axis] * p.scale ||
      second.high[axis] * p.scale < first.low[axis] * q.scale,
  )
}

function boxOf({ hull, radius }: RoundedHull): { low: bigint[]; high: bigint[] } {
  const axes = [hull.map(({ x }) => x), hull.map(({ y }) => y)]
  const low = axes.map((values) => leastOf(values) - radius)
  const high = axes.map((values) => radius - leastOf(values.map((v) => -v)))
  return { low, high }
}

/** Signed separation rounded to a double, for pairs of hulls and hull against half-plane; else null. */
export function exactSeparation(a: Body2d, b: Body2d): number | null {
  if (isComposite(a) || isComposite(b)) return null
  const grid = commonGrid([a, b])
  const [first, second] = ordered(exactBody(grid, a), exactBody(grid, b))
  if (first.kind === 'hull' && second.kind === 'hull') {
    const core = coreSeparation(first.hull, second.hull)
    const root = rootOfRatio(core.squared) * BigInt(core.sign)
    return toDouble(root - ((first.radius + second.radius) << ROOT_BITS), grid.exponent - Number(ROOT_BITS))
  }
  if (first.kind === 'hull' && second.kind === 'halfplane') {
    const least = leastAlong(first.hull, second)
    const normal2 = dot(second.normal, second.normal)
    const root = rootOfRatio({ num: least * least, den: normal2 }) * BigInt(signOf(least))
    return toDouble(root - ((first.radius + second.offset) << ROOT_BITS), grid.exponent - Number(ROOT_BITS))
  }
  return null
}

function ordered(a: ExactBody, b: ExactBody): [ExactBody, ExactBody] {
  const rank = { hull: 0, ellipse: 1, halfplane: 2 }
  return rank[a.kind] <= rank[b.kind] ? [a, b] : [b, a]
}

export function relationOf(a: ExactBody, b: ExactBody): Sign | null {
  const [first, second] = ordered(a, b)
  if (first.kind === 'hull') {
    if (second.kind === 'hull') return relateHulls(first, second)
    if (second.kind === 'ellipse') return relateHullEllipse(first, second)
    return relateHullHalfplane(first, second)
  }
  if (first.kind === 'ellipse') {
    if (second.kind === 'ellipse') return relateEllipses(first, second)
    if (second.kind === 'halfplane') return relateEllipseHalfplane(first, second)
    return null
  }
  return second.kind === 'halfplane' ? relateHalfplanes(first, second) : null
}

/** Signed separation of two hulls without their skins: sign and square. */
export function coreSeparation(a: readonly Point[], b: readonly Point[]): { sign: Sign; squared: Ratio } {
  const difference = convexHull(b.flatMap((q) => a.map((p) => subtract(q, p))))
  return signedDistanceToOrigin(difference)
}

export function signedDistanceToOrigin(hull: readonly Point[]): { sign: Sign; squared: Ratio } {
  const origin = { x: 0n, y: 0n }
  let least: Ratio | null = null
  let inside = hull.length > 2
  let onBoundary = false
  const edges = hull.length > 2 ? hull.length : 1
  for (let i = 0; i < edges; i++) {
    const p = hull[i]
    const q = hull[(i + 1) % hull.length]
    const squared = squaredDistanceToSegment(origin, p, q)
    if (least === null || ratioLess(squared, least)) least = squared
    if (squared.num === 0n) onBoundary = true
    if (hull.length > 2 && cross(p, q, origin) <= 0n) inside = false
  }
  return { sign: onBoundary ? 0 : inside ? -1 : 1, squared: least as Ratio }
}

export function squaredDistanceToSegment(point: Point, p: Point, q: Point): Ratio {
  const edge = subtract(q, p)
  const toPoint = subtract(point, p)
  const along = dot(edge, toPoint)
  const length2 = dot(edge, edge)
  if (length2 === 0n || along <= 0n) return { num: dot(toPoint, toPoint), den: 1n }
  if (along >= length2) {
    const fromEnd = subtract(point, q)
    return { num: dot(fromEnd, fromEnd), den: 1n }
  }
  const area = cross(p, q, point)
  return { num: area * area, den: length2 }
}

function compareWithRadius(core: { sign: Sign; squared: Ratio }, radius: bigint): Sign {
  if (core.sign <= 0) return radius > 0n ? -1 : core.sign
  return signOf(core.squared.num - radius * radius * core.squared.den)
}

function relateHulls(a: RoundedHull, b: RoundedHull): Sign {
  return compareWithRadius(coreSeparation(a.hull, b.hull), a.radius + b.radius)
}

function relateHullEllipse(a: RoundedHull, b: Ellipse): Sign | null {
  if (a.radius > 0n) {
    if (a.hull.length > 1) return null
    return relateEllipses({ kind: 'ellipse', center: a.hull[0], rx: a.radius, ry: a.radius }, b)
  }
  const mapped = a.hull.map((p) => {
    const relative = subtract(p, b.center)
    return { x: relative.x * b.ry, y: relative.y * b.rx }
  })
  return compareWithRadius(signedDistanceToOrigin(convexHull(mapped)), b.rx * b.ry)
}

export function leastAlong(hull: readonly Point[], plane: Halfplane): bigint {
  return leastOf(hull.map((p) => dot(plane.normal, subtract(p, plane.origin))))
}

function relateHullHalfplane(a: RoundedHull, plane: Halfplane): Sign {
  return signOfRadical(leastAlong(a.hull, plane), -(plane.offset + a.radius), dot(plane.normal, plane.normal))
}

/** The ellipse's extent along the plane's normal is √((rx nx)² + (ry ny)²). */
function relateEllipseHalfplane(a: Ellipse, plane: Halfplane): Sign {
  const along = dot(plane.normal, subtract(a.center, plane.origin))
  const reach2 = (a.rx * plane.normal.x) ** 2n + (a.ry * plane.normal.y) ** 2n
  // along − offset·√(n·n) − √reach2
  const n2 = dot(plane.normal, plane.normal)
  const first = signOfRadical(along, -plane.offset, n2)
  if (first <= 0) return -1
  return signOfRadical(along * along + plane.offset * plane.offset * n2 - reach2, -2n * along * plane.offset, n2)
}

function relateHalfplanes(a: Halfplane, b: Halfplane): Sign {
  const turn = a.normal.x * b.normal.y - a.normal.y * b.normal.x
  if (turn !== 0n || dot(a.normal, b.normal) > 0n) return -1
  const between = dot(a.normal, subtract(b.origin, a.origin))
  return signOfRadical(between, -(a.offset + b.offset), dot(a.normal, a.normal))
}

/** Conic matrix of an axis-parallel ellipse, negative inside, as six integers of the symmetric 3×3 matrix. */
function conic(e: Ellipse, center: Point): { xx: bigint; yy: bigint; xw: bigint; yw: bigint; ww: bigint } {
  const xx = e.ry * e.ry
  const yy = e.rx * e.rx
  const { x, y } = center
  return { xx, yy, xw: -xx * x, yw: -yy * y, ww: xx * x * x + yy * y * y - xx * yy }
}

function relateEllipses(a: Ellipse, b: Ellipse): Sign | null {
  if (a.rx === 0n || a.ry === 0n || b.rx === 0n || b.ry === 0n) return null
  const p = conic(a, { x: 0n, y: 0n })
  const q = conic(b, subtract(b.center, a.center))
  // det(λP + Q) with P = diag(p.xx, p.yy, p.ww); the product of polynomials in λ, lowest degree first.
  const xx = [q.xx, p.xx]
  const yy = [q.yy, p.yy]
  const ww = [q.ww, p.ww]
  const [c0, c1, c2, c3] = addPolynomials(
    multiply(multiply(xx, yy), ww),
    scale(xx, -(q.yw * q.yw)),
    scale(yy, -(q.xw * q.xw)),
  )
  const changes = signChanges([c3, c2, c1, c0])
  if (changes < 2) return -1
  const discriminant =
    18n * c3 * c2 * c1 * c0 - 4n * c2 ** 3n * c0 + c2 * c2 * c1 * c1 - 4n * c3 * c1 ** 3n - 27n * c3 * c3 * c0 * c0
  return signOf(discriminant)
}

function multiply(a: readonly bigint[], b: readonly bigint[]): bigint[] {
  const product = new Array<bigint>(a.length + b.length - 1).fill(0n)
  a.forEach((x, i) => {
    b.forEach((y, j) => {
      product[i + j] += x * y
    })
  })
  return product
}

function scale(a: readonly bigint[], k: bigint): bigint[] {
  return a.map((x) => x * k)
}

function addPolynomials(...terms: readonly bigint[][]): [bigint, bigint, bigint, bigint] {
  const at = (degree: number): bigint => terms.reduce((sum, term) => sum + (term[degree] ?? 0n), 0n)
  return [at(0), at(1), at(2), at(3)]
}

function signChanges(coefficients: readonly bigint[]): number {
  const nonZero = coefficients.filter((c) => c !== 0n)
  return nonZero.filter((c, i) => i > 0 && abs(c + nonZero[i - 1]) !== abs(c) + abs(nonZero[i - 1])).length
}
