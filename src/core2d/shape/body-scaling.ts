/**
 * Bodies times a power of two: `inSafeRange` measures pairs too small or too large for products of their coordinates at another
 * scale, and has the answers scaled back (`numeric/safe-range.ts`).
 */

import { spend } from '../../containers/budget.ts'
import { evenExponent, isSafeExtent, LARGEST_EXPONENT, scaleBy } from '../../numeric/safe-range.ts'
import { scaleOutline } from '../outline/outline.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  COMPOSITE,
  COS,
  type Composite,
  copyNames,
  createBody,
  finishPoints,
  HALFPLANE,
  NORMAL_X,
  NORMAL_Y,
  OFFSET,
  type Part,
  RADIUS,
  REACH,
  RX,
  RY,
  reservePoints,
  SIN,
  UNIT_X,
  UNIT_Y,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from './body.ts'
import { createComposite, finishComposite } from './composite.ts'
import { kindOf } from './kinds.ts'

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
  const dx = b.numbers[X] - a.numbers[X] + (b.numbers[X_LOW] - a.numbers[X_LOW])
  const dy = b.numbers[Y] - a.numbers[Y] + (b.numbers[Y_LOW] - a.numbers[Y_LOW])
  return Math.abs(dx) + Math.abs(dy) + sizeOf(a) + sizeOf(b)
}

/** Bound on the distance from the body's position to its points. */
function sizeOf({ kind, composite, numbers }: Body): number {
  const reach = numbers[REACH]
  const anchorX = numbers[ANCHOR_X]
  const anchorY = numbers[ANCHOR_Y]
  const x = numbers[X]
  const y = numbers[Y]
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
    size = Math.max(size, Math.abs(body.numbers[X] - x) + Math.abs(body.numbers[Y] - y) + body.numbers[REACH])
  }
  return size
}

function largestPlace({ numbers }: Body): number {
  const x = numbers[X]
  const y = numbers[Y]
  const anchorX = numbers[ANCHOR_X]
  const anchorY = numbers[ANCHOR_Y]
  const reach = numbers[REACH]
  return Math.max(Math.abs(x), Math.abs(y), Math.abs(anchorX), Math.abs(anchorY), reach < Infinity ? reach : 0)
}

/** Least magnitude of a number other than 0 that says where the body is or what it looks like. */
function smallestInput(body: Body): number {
  const { kind, count, vertices, composite, numbers } = body
  const x = numbers[X]
  const y = numbers[Y]
  const xLow = numbers[X_LOW]
  const yLow = numbers[Y_LOW]
  const radius = numbers[RADIUS]
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
      for (const value of [part.numbers[X], part.numbers[Y], part.numbers[X_LOW], part.numbers[Y_LOW]]) include(value)
    }
    return least
  }
  if (count > 0) {
    include(radius)
    for (let i = 0; i < 2 * count; i++) include(numbers[vertices + i])
  } else for (const value of kindOf(body).lengths(body)) include(value)
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
  out.numbers[X] = scaleBy(body.numbers[X], -exponent)
  out.numbers[Y] = scaleBy(body.numbers[Y], -exponent)
  out.numbers[X_LOW] = scaleBy(body.numbers[X_LOW], -exponent)
  out.numbers[Y_LOW] = scaleBy(body.numbers[Y_LOW], -exponent)
  out.numbers[COS] = body.numbers[COS]
  out.numbers[SIN] = body.numbers[SIN]
}

/** Writes the convex body divided by 2^exponent into `out`. */
export function copyScaled(body: Body, exponent: number, out: Body): void {
  const { count } = body
  spend(4 + count)
  copyPlace(body, exponent, out)
  out.kind = body.kind
  out.numbers[RADIUS] = scaleBy(body.numbers[RADIUS], -exponent)
  out.count = count
  if (count > 0) {
    reservePoints(out, count)
    copyNames(body, out)
    for (let i = 0; i < 2 * count; i++) {
      out.numbers[out.vertices + i] = scaleBy(body.numbers[body.vertices + i], -exponent)
    }
    finishPoints(out)
    return
  }
  out.numbers[RX] = scaleBy(body.numbers[RX], -exponent)
  out.numbers[RY] = scaleBy(body.numbers[RY], -exponent)
  out.numbers[NORMAL_X] = body.numbers[NORMAL_X]
  out.numbers[NORMAL_Y] = body.numbers[NORMAL_Y]
  out.numbers[UNIT_X] = body.numbers[UNIT_X]
  out.numbers[UNIT_Y] = body.numbers[UNIT_Y]
  out.numbers[OFFSET] = scaleBy(body.numbers[OFFSET], -exponent)
  out.numbers[ANCHOR_X] = 0
  out.numbers[ANCHOR_Y] = 0
  out.numbers[REACH] = scaleBy(body.numbers[REACH], -exponent)
}
