// The corners of brushes: where three planes of one meet, and no other cuts it off. Everything is decided in whole numbers
// as large as need be, so a corner is the double nearest to where the planes really meet, and a point is behind a plane or is not.

import type { Face, Point } from './quake-map.ts'

type Whole = readonly [bigint, bigint, bigint]

/** All x with normal · x ≤ offset, in units of 2^-scale. */
interface Plane {
  normal: Whole
  offset: bigint
}

export interface Solid {
  planes: Plane[]
  /** How many bits are behind the point. */
  scale: number
}

/** More faces than any editor draws; the time for the corners grows with their number cubed. */
const MOST_FACES = 128

/** The planes of a brush, or why it has none. */
export function solidOf(faces: readonly Face[]): Solid | string {
  if (faces.length < 4) return `it has ${faces.length} faces`
  if (faces.length > MOST_FACES) return `it has ${faces.length} faces, more than ${MOST_FACES}`
  const numbers = faces.flatMap((face) =>
    Array.isArray(face) ? face.flatMap(valuesOf) : [...valuesOf(face.normal), face.offset],
  )
  const scale = Math.max(...numbers.map(bitsBehindPoint))
  const planes: Plane[] = []
  for (const [index, face] of faces.entries()) {
    if (!Array.isArray(face)) {
      const normal = whole(face.normal, scale)
      if (isZero(normal)) return `the normal of its face ${index} is 0`
      // points are in the same units as the normal
      planes.push({ normal, offset: -wholeOf(face.offset, scale) << BigInt(scale) })
      continue
    }
    const [p, q, r] = face.map((point) => whole(point, scale)) as [Whole, Whole, Whole]
    const normal = cross(minus(p, q), minus(r, q))
    if (isZero(normal)) return `the three points of its face ${index} lie on a line`
    planes.push({ normal, offset: dot(normal, p) })
  }
  return { planes, scale }
}

/** The corners, or why the planes bound nothing that has a volume. */
export function cornersOf({ planes, scale }: Solid): Point[] | string {
  if (!isBounded(planes)) return 'its faces do not close'
  const corners = new Map<string, Point>()
  /** Those whose corners are all of one plane, or of none, have no volume. */
  let flat: Plane[] = [...planes]
  for (let i = 0; i < planes.length; i++) {
    for (let j = 0; j < i; j++) {
      const along = cross(planes[i]!.normal, planes[j]!.normal)
      if (isZero(along)) continue
      for (let k = 0; k < j; k++) {
        const corner = meet(planes[i]!, planes[j]!, planes[k]!, along)
        if (corner === null || planes.some((plane) => height(plane, corner) > 0n)) continue
        flat = flat.filter((plane) => height(plane, corner) === 0n)
        const [x, y, z] = corner.at.map((value) => nearest(value, corner.over, scale)) as [number, number, number]
        corners.set(`${x} ${y} ${z}`, { x, y, z })
      }
    }
  }
  if (corners.size === 0) return 'its faces leave nothing between them'
  if (flat.length > 0) return 'it has no volume'
  return [...corners.values()]
}

/** Whether the point lies behind all planes, on them included. */
export function holds({ planes, scale }: Solid, point: Point): boolean {
  const bits = Math.max(scale, bitsBehindPoint(point.x), bitsBehindPoint(point.y), bitsBehindPoint(point.z))
  const at = whole(point, bits)
  const over = 1n << BigInt(bits - scale)
  return planes.every((plane) => height(plane, { at, over }) <= 0n)
}

/** How far the point lies before the plane that it lies farthest before; less than 0 behind all. In doubles. */
export function distanceBefore({ planes, scale }: Solid, point: Point): number {
  const bits = Math.max(scale, ...valuesOf(point).map(bitsBehindPoint))
  const at = whole(point, bits)
  const over = 1n << BigInt(bits - scale)
  return Math.max(
    ...planes.map((plane) => {
      const [above, aboveBits] = rounded(height(plane, { at, over }))
      const [square, squareBits] = rounded(dot(plane.normal, plane.normal))
      return (above / Math.sqrt(square)) * 2 ** (aboveBits - squareBits / 2 - bits)
    }),
  )
}

/** A double and a power of two that are the value, rounded. */
function rounded(value: bigint): [double: number, bits: number] {
  const bits = Math.max(0, bitLength(value < 0n ? -value : value) - 64)
  return [Number(value >> BigInt(bits)), bits]
}

/** A point at / over, over > 0. */
interface Corner {
  at: Whole
  over: bigint
}

/** Where three planes meet in one point, else null; `along` is the direction that the first two share. */
function meet(p: Plane, q: Plane, r: Plane, along: Whole): Corner | null {
  const determinant = dot(along, r.normal)
  if (determinant === 0n) return null
  const sign = determinant < 0n ? -1n : 1n
  const qr = cross(q.normal, r.normal)
  const rp = cross(r.normal, p.normal)
  const at = [0, 1, 2].map((k) => sign * (p.offset * qr[k]! + q.offset * rp[k]! + r.offset * along[k]!))
  return { at: at as unknown as Whole, over: sign * determinant }
}

/** How far the point lies before the plane: of the right sign. */
const height = ({ normal, offset }: Plane, { at, over }: Corner): bigint => dot(normal, at) - offset * over

/** Whether there is no direction that stays behind all planes for ever. */
function isBounded(planes: readonly Plane[]): boolean {
  let spans = false
  for (let i = 0; i < planes.length; i++) {
    for (let j = 0; j < i; j++) {
      const along = cross(planes[i]!.normal, planes[j]!.normal)
      if (isZero(along)) continue
      const heights = planes.map(({ normal }) => dot(normal, along))
      if (heights.every((value) => value <= 0n) || heights.every((value) => value >= 0n)) return false
      spans = true
    }
  }
  return spans
}

const isZero = (v: Whole) => v[0] === 0n && v[1] === 0n && v[2] === 0n
const dot = (v: Whole, w: Whole) => v[0] * w[0] + v[1] * w[1] + v[2] * w[2]
const minus = (v: Whole, w: Whole): Whole => [v[0] - w[0], v[1] - w[1], v[2] - w[2]]
const cross = (v: Whole, w: Whole): Whole => [
  v[1] * w[2] - v[2] * w[1],
  v[2] * w[0] - v[0] * w[2],
  v[0] * w[1] - v[1] * w[0],
]

const valuesOf = ({ x, y, z }: Point) => [x, y, z]

/** How many binary places after the point a number has. */
function bitsBehindPoint(value: number): number {
  let bits = 0
  for (let scaled = value; !Number.isInteger(scaled); scaled *= 2) bits++
  return bits
}

const whole = ({ x, y, z }: Point, scale: number): Whole => [wholeOf(x, scale), wholeOf(y, scale), wholeOf(z, scale)]

function wholeOf(value: number, scale: number): bigint {
  const bits = bitsBehindPoint(value)
  // in two steps: 2^1074 is no double
  const half = bits >> 1
  return BigInt(value * 2 ** half * 2 ** (bits - half)) << BigInt(scale - bits)
}

/** The double nearest to above / (below · 2^scale), below > 0. */
function nearest(above: bigint, below: bigint, scale: number): number {
  if (above === 0n) return 0
  const magnitude = above < 0n ? -above : above
  const shift = Math.max(0, 64 + bitLength(below) - bitLength(magnitude))
  const quotient = (magnitude << BigInt(shift)) / below
  // one more bit tells halves from what is a little more, so that the conversion, which rounds, rounds once
  const exact = quotient * below === magnitude << BigInt(shift)
  const rounded = Number(2n * quotient + (exact ? 0n : 1n))
  return (above < 0n ? -rounded : rounded) * 2 ** -(shift + 1) * 2 ** -scale
}

const bitLength = (value: bigint) => value.toString(16).length * 4
