/**
 * The convex hull of a body as what fits see of it: a convex polygon with a skin, or discs and ellipses.
 *
 * Method: a body of core points with one skin has the hull of its points with that skin (A. M. Andrew's, exactly, as
 * `outline/convex-hull.ts`). Of circles of several radii, and of ellipses, the polygon is that of points on their boundary in many
 * directions: it lies within the hull, so what is least about it is a bound for what is least about the body.
 * Frame: world axes, origin at the body's position.
 */

import { spend } from '../../containers/budget.ts'
import { sortingSteps } from '../../containers/sorting.ts'
import { expansionEstimate, expansionOf, expansionSign, expansionSum } from '../../numeric/expansion.ts'
import { nextAbove } from '../../numeric/nearest-double.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { hullCorners } from '../outline/convex-hull.ts'
import {
  type Body,
  COMPOSITE,
  COS,
  type Composite,
  ELLIPSE,
  HALFPLANE,
  RADIUS,
  RX,
  RY,
  SIN,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { createBoundaryPoint } from '../shape/ellipse.ts'
import { curveOf } from '../shape/kinds.ts'

export interface Span {
  /** World position of the body, to which the rest is relative. */
  x: number
  y: number
  /** Discs as x, y, radius, in an order that hangs on the set of them alone. */
  discs: Float64Array
  discCount: number
  curves: PlacedCurve[]
  /** Corners x0, y0, x1, … counter-clockwise from the leftmost, none collinear. */
  hull: Float64Array
  hullCount: number
  /** Skin around the polygon. */
  skin: number
  /** Whether the polygon with its skin is the hull of the body, and not just within it. */
  isWhole: boolean
}

export interface PlacedCurve {
  x: number
  y: number
  body: Body
}

/** Directions in which bent bodies are followed. */
const DIRECTION_COUNT = 1024

/** The span of a body that has bounds, or null. Cost O(n log n). */
export function spanOf(body: Body): Span | null {
  const discs: number[] = []
  const curves: PlacedCurve[] = []
  if (!collect(body, discs, curves)) return null
  const span: Span = {
    x: body.numbers[X],
    y: body.numbers[Y],
    discs: Float64Array.from(discs),
    discCount: discs.length / 3,
    curves: curves.sort(compareCurves),
    hull: new Float64Array(0),
    hullCount: 0,
    skin: 0,
    isWhole: true,
  }
  keepCorners(span)
  finishHull(span)
  return span
}

function collect(body: Body, discs: number[], curves: PlacedCurve[]): boolean {
  if (body.kind !== COMPOSITE) return collectConvex(body, 0, 0, discs, curves)
  const { parts, partCount } = body.composite as Composite
  for (let p = 0; p < partCount; p++) {
    const { body: part, outline } = parts[p]
    const dx = part.numbers[X] - body.numbers[X] + part.numbers[X_LOW]
    const dy = part.numbers[Y] - body.numbers[Y] + part.numbers[Y_LOW]
    if (outline === null) {
      if (!collectConvex(part, dx, dy, discs, curves)) return false
      continue
    }
    spend(1 + (outline.vertexCount >> 1))
    for (let i = 0; i < 2 * outline.vertexCount; i += 2) {
      discs.push(dx + outline.vertices[i], dy + outline.vertices[i + 1], 0)
    }
  }
  return true
}

function collectConvex(body: Body, dx: number, dy: number, discs: number[], curves: PlacedCurve[]): boolean {
  const { kind, numbers, vertices, count } = body
  spend(1 + (count >> 1))
  if (kind === HALFPLANE) return false
  if (kind === ELLIPSE) {
    if (numbers[RX] === numbers[RY]) discs.push(dx, dy, numbers[RX])
    else curves.push({ x: dx, y: dy, body })
    return true
  }
  for (let i = 0; i < 2 * count; i += 2) {
    discs.push(dx + numbers[vertices + i], dy + numbers[vertices + i + 1], numbers[RADIUS])
  }
  return true
}

function compareCurves(a: PlacedCurve, b: PlacedCurve): number {
  return a.x - b.x || a.y - b.y || curveOf(a.body).compare(a.body, b.body)
}

/** Of discs of a radius keeps the corners of their hull, radius by radius. */
function keepCorners(span: Span): void {
  const { discs, discCount } = span
  spend(sortingSteps(discCount))
  const order = Array.from({ length: discCount }, (_, i) => i).sort((i, j) => discs[3 * i + 2] - discs[3 * j + 2])
  const kept: number[] = []
  for (let from = 0; from < discCount; ) {
    const radius = discs[3 * order[from] + 2]
    let to = from
    while (to < discCount && discs[3 * order[to] + 2] === radius) to++
    const points = new Float64Array(2 * (to - from))
    for (let k = from; k < to; k++) points.set(discs.subarray(3 * order[k], 3 * order[k] + 2), 2 * (k - from))
    const corners = hullCorners(points)
    for (let i = 0; i < corners.length; i += 2) kept.push(corners[i], corners[i + 1], radius)
    from = to
  }
  span.discs = Float64Array.from(kept)
  span.discCount = kept.length / 3
}

function finishHull(span: Span): void {
  const { discs, discCount, curves } = span
  const [, , first] = discs
  // Discs are in the order of their radii.
  if (curves.length === 0 && discs[3 * discCount - 1] === first) {
    span.hull = new Float64Array(2 * discCount)
    span.hullCount = discCount
    span.skin = first
    for (let i = 0; i < discCount; i++) span.hull.set(discs.subarray(3 * i, 3 * i + 2), 2 * i)
    return
  }
  span.isWhole = false
  const points = new Float64Array(2 * DIRECTION_COUNT)
  const farthest: Height = { height: 0, x: 0, y: 0 }
  for (let k = 0; k < DIRECTION_COUNT; k++) {
    const angle = (2 * Math.PI * k) / DIRECTION_COUNT
    heightOf(span, Math.cos(angle), Math.sin(angle), farthest)
    points[2 * k] = farthest.x
    points[2 * k + 1] = farthest.y
  }
  span.hull = hullCorners(points)
  span.hullCount = span.hull.length / 2
}

export interface Height {
  height: number
  /** A point of that height. */
  x: number
  y: number
}

const boundary = createBoundaryPoint()

/** The greatest height along a unit vector. Cost O(corners). */
export function heightOf({ discs, discCount, curves }: Span, nx: number, ny: number, out: Height): void {
  spend(1 + (discCount >> 2) + curves.length)
  out.height = -Infinity
  for (let i = 0; i < 3 * discCount; i += 3) {
    const height = nx * discs[i] + ny * discs[i + 1] + discs[i + 2]
    if (height <= out.height) continue
    out.height = height
    out.x = discs[i] + nx * discs[i + 2]
    out.y = discs[i + 1] + ny * discs[i + 2]
  }
  for (const { x, y, body } of curves) {
    const height = nx * x + ny * y + curveOf(body).support(body, nx, ny, boundary)
    if (height <= out.height) continue
    out.height = height
    out.x = x + boundary.x
    out.y = y + boundary.y
  }
}

// The axis-aligned box of a body, each side rounded outward from the exact one.

/** min x, min y, max x, max y in the world; null for a body without bounds. Cost O(corners). */
export function sidesOf(body: Body): [number, number, number, number] | null {
  const sides: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  if (body.kind !== COMPOSITE) return includeConvex(sides, body) ? sides : null
  const { parts, partCount } = body.composite as Composite
  for (let p = 0; p < partCount; p++) {
    const { body: part, outline } = parts[p]
    if (outline === null) {
      if (!includeConvex(sides, part)) return null
    } else includePoints(sides, part, outline.vertices, 0, outline.vertexCount)
  }
  return sides
}

function includeConvex(sides: number[], body: Body): boolean {
  const { kind, numbers, vertices, count } = body
  if (kind === HALFPLANE) return false
  if (kind !== ELLIPSE) {
    includePoints(sides, body, numbers, vertices, count)
    return true
  }
  curveOf(body).setBox(body, curveBox)
  // Of a turned one what rounding may have cut off is a few roundoffs.
  const isAligned = numbers[COS] === 0 || numbers[SIN] === 0
  const scale = isAligned ? 1 : 1 + 8 * UNIT_ROUNDOFF
  for (let side = 0; side < 4; side++) includeSide(sides, side, body, scale * curveBox[side], 0)
  return true
}

const curveBox = new Float64Array(4)

function includePoints(sides: number[], body: Body, points: ArrayLike<number>, from: number, count: number): void {
  const radius = body.numbers[RADIUS]
  spend(1 + (count >> 1))
  for (let side = 0; side < 4; side++) {
    const sign = side < 2 ? -1 : 1
    let extreme = points[from + (side % 2)]
    for (let i = from + (side % 2); i < from + 2 * count; i += 2) {
      if (sign * points[i] > sign * extreme) extreme = points[i]
    }
    includeSide(sides, side, body, extreme, sign * radius)
  }
}

function includeSide(sides: number[], side: number, { numbers }: Body, extreme: number, skin: number): void {
  const [place, low] = side % 2 === 0 ? [numbers[X], numbers[X_LOW]] : [numbers[Y], numbers[Y_LOW]]
  const sign = side < 2 ? -1 : 1
  const sum = [place, low, extreme, skin].map(expansionOf).reduce(expansionSum)
  let bound = sign * expansionEstimate(sum)
  // The least double that is no less than the exact side, seen outward.
  while (sign * expansionSign(expansionSum(sum, expansionOf(-sign * bound))) > 0) bound = nextAbove(bound)
  if (bound > sign * sides[side]) sides[side] = sign * bound
}
