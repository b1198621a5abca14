/**
 * Bodies times a power of two: `inSafeRange` measures pairs too small or too large for products of their coordinates at another
 * scale, and has the answers scaled back (`numeric/safe-range.ts`).
 */

import { spend } from '../../containers/budget.ts'
import { evenExponent, isSafeExtent, LARGEST_EXPONENT, scaleBy } from '../../numeric/safe-range.ts'
import { scaleOutline } from '../outline/outline.ts'
import {
  type Body,
  COMPOSITE,
  type Composite,
  createBody,
  finishPoints,
  HALFPLANE,
  type Part,
  reservePoints,
} from './body.ts'
import { createComposite, finishComposite } from './composite.ts'
import { copyLengths, kindOf } from './kinds.ts'

/** Smallest binary exponent of a number with all its digits. */
const SMALLEST_EXPONENT = -1022

/** Steps of copying a leaf and sorting it into a tree. */
const LEAF_STEPS = 8

/**
 * Fills `out` by `measure`, in a range where products of the pair's lengths neither over- nor underflow: where the extent is not
 * safe, `measure` gets both bodies divided by 2^exponent, as new ones, and `scaleBack` multiplies the lengths of the answer by it.
 * A query that knows the extent at once tests `isSafeExtent` itself first, and gets here only in the rare case.
 */
export function inSafeRange<Out>(
  a: Body,
  b: Body,
  extent: number,
  out: Out,
  measure: (a: Body, b: Body, out: Out, exponent: number) => void,
  scaleBack: (out: Out, exponent: number) => void,
): void {
  const exponent = exponentFor(extent, a, b)
  if (exponent === 0) {
    measure(a, b, out, 0)
    return
  }
  measure(scaleBody(a, exponent), scaleBody(b, exponent), out, exponent)
  scaleBack(out, exponent)
}

/** The exponent of the power of two that the pair is to be divided by, even; 0 where it may stay as it is. Cost O(1) then. */
export function pairExponent(a: Body, b: Body): number {
  return exponentFor(extentOf(a, b), a, b)
}

/** As `pairExponent`, where you know the extent of the pair. */
export function exponentFor(extent: number, a: Body, b: Body): number {
  if (isSafeExtent(extent) || extent === 0) return 0
  const exponent = evenExponent(extent)
  if (exponent < 0)
    return Math.max(exponent, evenExponent(Math.max(largestPlace(a), largestPlace(b))) - LARGEST_EXPONENT)
  const smallest = Math.min(smallestInput(a), smallestInput(b))
  return Math.max(Math.min(exponent, evenExponent(smallest) - SMALLEST_EXPONENT), 0)
}

/** Even exponent of the pair's extent; 0 for two points that coincide. */
export function sizeExponent(a: Body, b: Body): number {
  const extent = extentOf(a, b)
  return extent === 0 ? 0 : evenExponent(extent)
}

/** How far apart two points of the pair may be, half-planes counted up to their boundary. */
export function extentOf(a: Body, b: Body): number {
  const dx = b.x - a.x + (b.xLow - a.xLow)
  const dy = b.y - a.y + (b.yLow - a.yLow)
  return Math.abs(dx) + Math.abs(dy) + sizeOf(a) + sizeOf(b)
}

/** Bound on the distance from the body's position to its points. */
function sizeOf({ kind, reach, anchorX, anchorY, composite, x, y }: Body): number {
  if (kind !== COMPOSITE) return reach + Math.abs(anchorX) + Math.abs(anchorY)
  return reach < Infinity ? reach : boundedSize(composite as Composite, x, y)
}

/** Bound on the distance from a composite's position to its points, half-planes counted up to their boundary: their boxes have no bounds. */
function boundedSize({ parts, partCount, leafCount, boxes }: Composite, x: number, y: number): number {
  let size = 0
  for (let i = 0; i < 4 * leafCount; i++) {
    const side = Math.abs(boxes[i])
    if (side < Infinity && side > size) size = side
  }
  for (let p = 0; p < partCount; p++) {
    const { body, outline } = parts[p]
    if (outline !== null || body.kind !== HALFPLANE) continue
    size = Math.max(size, Math.abs(body.x - x) + Math.abs(body.y - y) + body.reach)
  }
  return size
}

function largestPlace({ x, y, anchorX, anchorY, reach }: Body): number {
  return Math.max(Math.abs(x), Math.abs(y), Math.abs(anchorX), Math.abs(anchorY), reach < Infinity ? reach : 0)
}

/** Least magnitude of a number other than 0 that says where the body is or what it looks like. */
function smallestInput(body: Body): number {
  const { x, y, xLow, yLow, radius, kind, count, vertices, composite } = body
  let least = Infinity
  const include = (value: number): void => {
    const magnitude = Math.abs(value)
    if (magnitude > 0 && magnitude < least) least = magnitude
  }
  for (const value of [x, y, xLow, yLow]) include(value)
  if (kind === COMPOSITE) {
    const { parts, partCount } = composite as Composite
    for (let p = 0; p < partCount; p++) {
      const { body: part, outline } = parts[p]
      if (outline === null) include(smallestInput(part))
      else for (let i = 0; i < 2 * outline.vertexCount; i++) include(outline.vertices[i])
      for (const value of [part.x, part.y, part.xLow, part.yLow]) include(value)
    }
    return least
  }
  if (count > 0) for (const value of [radius, ...vertices.subarray(0, 2 * count)]) include(value)
  else for (const value of kindOf(body).lengths(body)) include(value)
  return least
}

/** The body divided by 2^exponent, as a new one; half-planes keep their normal as it was given. Cost O(vertices log vertices). */
export function scaleBody(body: Body, exponent: number): Body {
  const out = createBody()
  if (body.kind !== COMPOSITE) {
    copyScaled(body, exponent, out)
    return out
  }
  copyPlace(body, exponent, out)
  const composite = createComposite()
  spend(LEAF_STEPS * (body.composite as Composite).leafCount)
  const { parts, partCount } = body.composite as Composite
  for (let p = 0; p < partCount; p++) composite.parts.push(scalePart(parts[p], exponent))
  composite.partCount = partCount
  out.composite = composite
  finishComposite(out)
  return out
}

function scalePart({ body, outline, path, firstLeaf }: Part, exponent: number): Part {
  const part: Part = { body: createBody(), outline: null, path, firstLeaf }
  if (outline === null) copyScaled(body, exponent, part.body)
  else {
    copyPlace(body, exponent, part.body)
    part.outline = scaleOutline(outline, (coordinate) => scaleBy(coordinate, -exponent))
  }
  return part
}

function copyPlace(body: Body, exponent: number, out: Body): void {
  out.x = scaleBy(body.x, -exponent)
  out.y = scaleBy(body.y, -exponent)
  out.xLow = scaleBy(body.xLow, -exponent)
  out.yLow = scaleBy(body.yLow, -exponent)
  out.cos = body.cos
  out.sin = body.sin
}

/** Writes the convex body divided by 2^exponent into `out`. */
export function copyScaled(body: Body, exponent: number, out: Body): void {
  const { count } = body
  spend(4 + count)
  copyPlace(body, exponent, out)
  out.kind = body.kind
  out.radius = scaleBy(body.radius, -exponent)
  out.count = count
  reservePoints(out, count)
  for (let i = 0; i < 2 * count; i++) out.vertices[i] = scaleBy(body.vertices[i], -exponent)
  out.vertexFeatures.set(body.vertexFeatures.subarray(0, count))
  out.edgeFeatures.set(body.edgeFeatures.subarray(0, count))
  out.namedInOrder = 0
  if (count > 0) finishPoints(out)
  copyLengths(body, out)
  out.rx = scaleBy(body.rx, -exponent)
  out.ry = scaleBy(body.ry, -exponent)
  out.normalX = body.normalX
  out.normalY = body.normalY
  out.unitX = body.unitX
  out.unitY = body.unitY
  out.offset = scaleBy(body.offset, -exponent)
  if (count > 0) return
  out.anchorX = 0
  out.anchorY = 0
  out.reach = scaleBy(body.reach, -exponent)
}
