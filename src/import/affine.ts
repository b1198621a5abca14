/**
 * Plane affine maps, and what they make of shapes: circles become ellipses, boxes parallelograms, where they have to.
 *
 * Frame: that of the file, x to the right, y down or up; columns of the matrix are the images of the two axes.
 */

import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { compoundOf } from './closed-shape.ts'

/** (x, y) goes to (a x + c y + e, b x + d y + f), as SVG writes it. */
export interface Affine {
  a: number
  b: number
  c: number
  d: number
  e: number
  f: number
}

export const IDENTITY: Affine = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }

export function translation(e: number, f: number): Affine {
  return { ...IDENTITY, e, f }
}

/** From +x to +y. Quarter turns are exact. */
export function turn(degrees: number): Affine {
  const quarters = degrees / 90
  if (Number.isInteger(quarters)) {
    const [cos, sin] = QUARTERS[((quarters % 4) + 4) % 4]
    return { a: cos, b: sin, c: 0 - sin, d: cos, e: 0, f: 0 }
  }
  const angle = (degrees / 180) * Math.PI
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  return { a: cos, b: sin, c: -sin, d: cos, e: 0, f: 0 }
}

const QUARTERS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const

/** First `inner`, then `outer`. */
export function after(outer: Affine, inner: Affine): Affine {
  const at = apply(outer, { x: inner.e, y: inner.f })
  return {
    a: outer.a * inner.a + outer.c * inner.b,
    b: outer.b * inner.a + outer.d * inner.b,
    c: outer.a * inner.c + outer.c * inner.d,
    d: outer.b * inner.c + outer.d * inner.d,
    e: at.x,
    f: at.y,
  }
}

export function apply({ a, b, c, d, e, f }: Affine, { x, y }: Vec2): Vec2 {
  return { x: a * x + c * y + e, y: b * x + d * y + f }
}

/** Applies the map to a difference of two points. */
function applyTo(map: Affine, vector: Vec2): Vec2 {
  return apply({ ...map, e: 0, f: 0 }, vector)
}

/** How far from right angles, and from equal lengths, relative to them, rounding may leave a map that has them. */
const SQUARE_ERROR = 1e-12

/**
 * How much longer the map makes lengths along x and y, after it has exchanged the two if `isExchanged`; null where it lays them along
 * neither axis. What is the same after half a turn and in a mirror needs no angle then, which would only be near a quarter turn.
 */
function axisScale({ a, b, c, d }: Affine): { x: number; y: number; isExchanged: boolean } | null {
  if (b === 0 && c === 0) return { x: Math.abs(a), y: Math.abs(d), isExchanged: false }
  if (a === 0 && d === 0) return { x: Math.abs(c), y: Math.abs(b), isExchanged: true }
  return null
}

/** A box about the middle, of this width and height, after the map. */
export function mappedBox(map: Affine, width: number, height: number): Body2d {
  const { a, b, c, d, e, f } = map
  const position = { x: e, y: f }
  const scale = axisScale(map)
  if (scale !== null) {
    const [across, down] = scale.isExchanged ? [height, width] : [width, height]
    return { shape: { type: 'box', width: scale.x * across, height: scale.y * down }, position }
  }
  const along = Math.hypot(a, b)
  const across = Math.hypot(c, d)
  if (Math.abs(a * c + b * d) <= SQUARE_ERROR * along * across) {
    return { shape: { type: 'box', width: along * width, height: across * height }, position, ...angleOf(map) }
  }
  const corners = [
    { x: -width / 2, y: -height / 2 },
    { x: width / 2, y: -height / 2 },
    { x: width / 2, y: height / 2 },
    { x: -width / 2, y: height / 2 },
  ]
  return { shape: { type: 'polygon', vertices: corners.map((corner) => applyTo(map, corner)) }, position }
}

/** An ellipse about the middle, by its half axes: its image is one again, by the singular values of the matrix. */
export function mappedEllipse(map: Affine, rx: number, ry: number): Body2d {
  const position = { x: map.e, y: map.f }
  const scale = axisScale(map)
  if (scale !== null) {
    const [alongX, alongY] = scale.isExchanged ? [scale.x * ry, scale.y * rx] : [scale.x * rx, scale.y * ry]
    if (Math.abs(alongX - alongY) <= SQUARE_ERROR * alongX) {
      return { shape: { type: 'circle', radius: alongX }, position }
    }
    return { shape: { type: 'ellipse', rx: alongX, ry: alongY }, position }
  }
  const a = map.a * rx
  const b = map.b * rx
  const c = map.c * ry
  const d = map.d * ry
  if (Math.abs(a * c + b * d) <= SQUARE_ERROR * Math.hypot(a, b) * Math.hypot(c, d)) {
    const along = Math.hypot(a, b)
    const across = Math.hypot(c, d)
    if (Math.abs(along - across) <= SQUARE_ERROR * along) return { shape: { type: 'circle', radius: along }, position }
    return { shape: { type: 'ellipse', rx: along, ry: across }, position, ...angleOf(map) }
  }
  const sum = Math.hypot((a + d) / 2, (b - c) / 2)
  const difference = Math.hypot((a - d) / 2, (b + c) / 2)
  const rotation = (Math.atan2((b - c) / 2, (a + d) / 2) + Math.atan2((b + c) / 2, (a - d) / 2)) / 2
  const least = Math.abs(sum - difference)
  if (least <= SQUARE_ERROR * sum) {
    const end = { x: (sum + difference) * Math.cos(rotation), y: (sum + difference) * Math.sin(rotation) }
    return { shape: { type: 'segment', a: { x: -end.x, y: -end.y }, b: end }, position }
  }
  return { shape: { type: 'ellipse', rx: sum + difference, ry: least }, position, rotation }
}

/**
 * A box about the middle whose shorter sides are half circles. Where the map makes some lengths longer than others, it is the union
 * of the box between them and two ellipses.
 */
export function mappedCapsule(map: Affine, width: number, height: number): Body2d {
  const radius = Math.min(width, height) / 2
  const end = { x: width / 2 - radius, y: height / 2 - radius }
  if (!(radius > 0)) return mappedBox(map, width, height)
  if (end.x === 0 && end.y === 0) return mappedEllipse(map, radius, radius)
  const scale = evenScale(map)
  if (scale !== null) {
    const [a, b] = mappedPoints(map, [{ x: -end.x, y: -end.y }, end])
    return { shape: { type: 'capsule', a, b, radius: scale * radius }, position: { x: map.e, y: map.f } }
  }
  const ends = [translation(-end.x, -end.y), translation(end.x, end.y)]
  const between = end.x > 0 ? mappedBox(map, 2 * end.x, height) : mappedBox(map, width, 2 * end.y)
  return compoundOf([between, ...ends.map((at) => mappedEllipse(after(map, at), radius, radius))])
}

/** How much longer the map makes all lengths; null where it makes some longer than others. */
export function evenScale({ a, b, c, d }: Affine): number | null {
  const along = Math.hypot(a, b)
  const isEven =
    Math.abs(along - Math.hypot(c, d)) <= SQUARE_ERROR * along &&
    Math.abs(a * c + b * d) <= SQUARE_ERROR * along * along
  return isEven ? along : null
}

/** Points counted from the image of the origin, where a body of them is to stand. */
export function mappedPoints(map: Affine, points: readonly Vec2[]): Vec2[] {
  return points.map((point) => {
    const { x, y } = applyTo(map, point)
    return { x: x + 0, y: y + 0 }
  })
}

/** Of what is the same after half a turn: a map that turns things over makes no more than a quarter of one. */
function angleOf({ a, b, c, d }: Affine): { rotation?: number } {
  const angle = Math.atan2(b, a)
  const isFar = a * d - b * c < 0 && Math.abs(angle) > Math.PI / 2
  const rotation = isFar ? angle - Math.sign(angle) * Math.PI : angle
  return rotation === 0 ? {} : { rotation }
}
