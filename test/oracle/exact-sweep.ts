/**
 * Exact linear motion of two unrotated bodies: do they meet within the duration, from when to when.
 *
 * Only the relative motion counts: A moves by s·W, s from 0 to 1, W = (vA − vB)·duration as an exact number. Hit or miss
 * is the exact relation of B to the convex hull of A's start and end. The times come from the ray s·W against the
 * Minkowski difference B − A, in fixed point with ROOT_BITS fractional bits: of a rounded hull the first (last) meeting
 * with a disc around a vertex or an edge moved out by the radius.
 */
import type { Body2d, MovingBody2d } from '../../schemas/shapes2d.ts'
import {
  commonGrid,
  convexHull,
  dot,
  type ExactBody,
  type Halfplane,
  type Point,
  type RoundedHull,
  subtract,
} from './exact-bodies.ts'
import { decomposeDouble, type Grid, integerSqrt, ROOT_BITS, signOf, toDouble } from './exact-numbers.ts'
import { type ExactParts, exactParts, magnified, type Piece, piecesOf } from './exact-parts.ts'
import { leastAlong, relateParts, relationOf } from './exact-relation.ts'

export interface ExactSweep {
  hit: boolean
  /** Relation at the start. */
  relation: -1 | 0 | 1
  /** First meeting and the parting after it, as fractions of the duration; null without a hit, or beyond it. */
  entry: number | null
  exit: number | null
}

interface Motions {
  a: MovingBody2d
  b: MovingBody2d
  duration: number
}

const NEVER: ExactSweep = { hit: false, relation: 1, entry: null, exit: null }
const ONE = 1n << ROOT_BITS

/** Null where a pair of pieces has no exact method: ellipses, pairs of half-planes. */
export function exactSweep({ a, b, duration }: Motions): ExactSweep | null {
  const fine = finestStep([a, b], duration)
  const grid = { exponent: Math.min(commonGrid([a, b]).exponent, fine) }
  const w = displacement(grid, a, b, duration)
  const first = exactParts(grid, a)
  const second = exactParts(grid, b)
  if (hasEllipse(first) || hasEllipse(second)) return null
  const relation = relateParts(first, second)
  if (relation === null) return null
  const still = w.x === 0n && w.y === 0n
  if (relation > 0 && !(meets(first, second, w) as boolean)) return NEVER
  if (still) return { hit: true, relation, entry: 0, exit: null }
  const spans = spansOf(first, second, w)
  if (spans === null) return null
  // Near the limits of doubles a span can be narrower than the fixed point is fine.
  if (spans.length === 0) return { hit: true, relation, entry: null, exit: null }
  const begin = relation <= 0 ? 0n : spans[0].enter
  return { hit: true, relation, entry: fraction(begin), exit: partingAfter(spans, begin) }
}

/** Exponent of a grid that holds every velocity times the duration. */
function finestStep(bodies: readonly MovingBody2d[], duration: number): number {
  const speeds = bodies.flatMap(({ velocity }) => [velocity?.x ?? 0, velocity?.y ?? 0]).filter((v) => v !== 0)
  const exponents = speeds.map((v) => decomposeDouble(v).exponent + decomposeDouble(duration).exponent)
  return Math.min(0, ...exponents)
}

function displacement(grid: Grid, a: MovingBody2d, b: MovingBody2d, duration: number): Point {
  const t = decomposeDouble(duration)
  const along = (v: number): bigint => {
    const { mantissa, exponent } = decomposeDouble(v)
    return mantissa === 0n || t.mantissa === 0n
      ? 0n
      : (mantissa * t.mantissa) << BigInt(exponent + t.exponent - grid.exponent)
  }
  return {
    x: along(a.velocity?.x ?? 0) - along(b.velocity?.x ?? 0),
    y: along(a.velocity?.y ?? 0) - along(b.velocity?.y ?? 0),
  }
}

function hasEllipse(parts: ExactParts): boolean {
  return parts.leaves.some(({ body }) => body.kind === 'ellipse')
}

/** Apart at the start, so that the first contact is one of leaves. */
function meets(a: ExactParts, b: ExactParts, w: Point): boolean | null {
  let open = false
  for (const p of a.leaves) {
    for (const q of b.leaves) {
      const swept = onCommonScale(p, q, w, (first, second, way) => sweptRelation(first, second, way))
      if (swept === null) open = true
      else if (swept <= 0) return true
    }
  }
  return open ? null : false
}

function onCommonScale<T>(p: Piece, q: Piece, w: Point, run: (a: ExactBody, b: ExactBody, w: Point) => T): T {
  const k = p.scale * q.scale
  return run(magnified(p.body, q.scale), magnified(q.body, p.scale), { x: w.x * k, y: w.y * k })
}

function sweptRelation(a: ExactBody, b: ExactBody, w: Point): number | null {
  if (a.kind === 'hull') {
    const moved = a.hull.map((p) => ({ x: p.x + w.x, y: p.y + w.y }))
    return relationOf({ ...a, hull: convexHull([...a.hull, ...moved]) }, b)
  }
  if (a.kind !== 'halfplane') return null
  // It moves along its normal: nearest at the start or at the end.
  const origin = { x: a.origin.x + w.x, y: a.origin.y + w.y }
  const [start, end] = [relationOf(a, b), relationOf({ ...a, origin }, b)]
  return start === null || end === null ? null : Math.min(start, end)
}

/** In fixed point, not limited to the duration. */
interface Span {
  enter: bigint
  leave: bigint
}

const FOREVER = 1n << (4n * ROOT_BITS)

function spansOf(a: ExactParts, b: ExactParts, w: Point): Span[] | null {
  const spans: Span[] = []
  for (const p of piecesOf(a)) {
    for (const q of piecesOf(b)) {
      const span = onCommonScale(p, q, w, pieceSpan)
      if (span === undefined) return null
      if (span !== null && span.leave >= 0n && span.enter <= ONE) spans.push(span)
    }
  }
  return spans.sort((s, t) => signOf(s.enter - t.enter))
}

/** A few units of the fixed point: where one piece's span ends and the next begins is the same instant. */
const SEAM = 1n << 16n

function partingAfter(spans: readonly Span[], begin: bigint): number | null {
  let end = begin
  for (const { enter, leave } of spans) if (enter <= end + SEAM && leave > end) end = leave
  return end > ONE + SEAM ? null : fraction(end)
}

function fraction(fixed: bigint): number {
  return toDouble(fixed, -Number(ROOT_BITS))
}

/** Null: they never meet; undefined: no method. */
function pieceSpan(a: ExactBody, b: ExactBody, w: Point): Span | null | undefined {
  if (a.kind === 'hull' && b.kind === 'hull') return hullSpan(a, b, w)
  if (a.kind === 'hull' && b.kind === 'halfplane') return planeSpan(a, b, w)
  if (a.kind === 'halfplane' && b.kind === 'hull') return planeSpan(b, a, { x: -w.x, y: -w.y })
  return undefined
}

function hullSpan(a: RoundedHull, b: RoundedHull, w: Point): Span | null {
  const difference = convexHull(b.hull.flatMap((q) => a.hull.map((p) => subtract(q, p))))
  const radius = a.radius + b.radius
  let span: Span | null = null
  const include = (t: bigint): void => {
    if (span === null) span = { enter: t, leave: t }
    else span = { enter: t < span.enter ? t : span.enter, leave: t > span.leave ? t : span.leave }
  }
  const w2 = dot(w, w)
  for (const v of difference) {
    const along = dot(w, v)
    const discriminant = along * along - w2 * (dot(v, v) - radius * radius)
    if (discriminant < 0n) continue
    const root = integerSqrt(discriminant << (2n * ROOT_BITS))
    include(((along << ROOT_BITS) - root) / w2)
    include(((along << ROOT_BITS) + root) / w2)
  }
  const edges = difference.length > 1 ? difference.length : 0
  for (let i = 0; i < edges; i++) {
    const p = difference[i]
    const edge = subtract(difference[(i + 1) % difference.length], p)
    const rate = edge.y * w.x - edge.x * w.y
    if (rate === 0n) continue
    const edge2 = dot(edge, edge)
    const height = (edge.y * p.x - edge.x * p.y) << ROOT_BITS
    const t = (height + radius * integerSqrt(edge2 << (2n * ROOT_BITS))) / rate
    const place = dot(edge, w) * t - (dot(edge, p) << ROOT_BITS)
    if (place >= 0n && place <= edge2 << ROOT_BITS) include(t)
  }
  return span
}

function planeSpan(a: RoundedHull, plane: Halfplane, w: Point): Span | null {
  const length = integerSqrt(dot(plane.normal, plane.normal) << (2n * ROOT_BITS))
  const height = (leastAlong(a.hull, plane) << ROOT_BITS) - (plane.offset + a.radius) * length
  const rate = dot(plane.normal, w)
  if (rate === 0n) return height <= 0n ? { enter: -FOREVER, leave: FOREVER } : null
  const t = -height / rate
  return rate < 0n ? { enter: t, leave: FOREVER } : { enter: -FOREVER, leave: t }
}

/** Whether the oracle knows both bodies: no rotation, no spin. */
export function isStraight({ a, b }: Motions): boolean {
  return [a, b].every((body) => isUnrotated(body) && (body.angularVelocity ?? 0) === 0)
}

export function isUnrotated({ shape, rotation }: Body2d): boolean {
  return (rotation ?? 0) === 0 && (shape.type !== 'compound' || shape.children.every(isUnrotated))
}
