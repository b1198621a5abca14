// The outline of a shape as path data of SVG, in the shape's local frame. Curves stay curves.

import type { Shape2d } from '../../../schemas/shapes2d.ts'
import type { PlacedBody } from './sketch.ts'
import { minus, plus, times, toWorld, turned, unit, type Vec2 } from './vector.ts'

/** How far half-planes are drawn, in lengths of the sketch; further than pages reach at any zoom that shows other bodies. */
const FAR = 1e5

const text = ({ x, y }: Vec2) => `${x} ${y}`

/** Points of lines and rings. */
export function linePath(points: readonly Vec2[], closed: boolean): string {
  return points.length === 0 ? '' : `M${points.map(text).join('L')}${closed ? 'Z' : ''}`
}

/** Positive where the outline runs counter-clockwise with y up. */
export function areaOf(points: readonly Vec2[]): number {
  let sum = 0
  points.forEach((p, i) => {
    const q = points[(i + 1) % points.length]!
    sum += p.x * q.y - q.x * p.y
  })
  return sum / 2
}

/**
 * Outlines run counter-clockwise and holes clockwise, so that what overlaps in a compound is filled all the same: by `nonzero`, which
 * is how SVG fills by itself.
 */
const wound = (points: readonly Vec2[], isOuter: boolean): readonly Vec2[] =>
  areaOf(points) < 0 === isOuter ? points.toReversed() : points

/** There and back: line work has no inside to be filled. */
const lineWork = (points: readonly Vec2[]): string => linePath([...points, ...points.toReversed()], false)

/** Everything within `radius` of the convex outline; one point is a circle, two a capsule. */
export function roundedPath(points: readonly Vec2[], radius: number): string {
  const ring = points.filter((p, i) => i === 0 || p.x !== points[i - 1]!.x || p.y !== points[i - 1]!.y)
  if (ring.length === 0) return ''
  if (ring.length === 1) return ellipsePath(radius, radius, ring[0]!)
  const around = wound(ring, true)
  if (radius === 0) return linePath(around, true)
  let path = ''
  around.forEach((p, i) => {
    const q = around[(i + 1) % around.length]!
    const { x, y } = unit(minus(q, p))
    const out = times({ x: y, y: -x }, radius)
    const start = text(plus(p, out))
    // arcs of at most half a turn, with the winding of the outline
    path += i === 0 ? `M${start}` : `A${radius} ${radius} 0 0 1 ${start}`
    path += `L${text(plus(q, out))}`
  })
  const [p, q] = [around[0]!, around[1]!]
  const { x, y } = unit(minus(q, p))
  return `${path}A${radius} ${radius} 0 0 1 ${text(plus(p, times({ x: y, y: -x }, radius)))}Z`
}

export function ellipsePath(rx: number, ry: number, { x, y }: Vec2): string {
  if (rx === 0 || ry === 0) return `M${x - rx} ${y - ry}L${x + rx} ${y + ry}`
  return `M${x - rx} ${y}A${rx} ${ry} 0 1 1 ${x + rx} ${y}A${rx} ${ry} 0 1 1 ${x - rx} ${y}Z`
}

export const rectangle = (min: Vec2, max: Vec2): Vec2[] => [min, { x: max.x, y: min.y }, max, { x: min.x, y: max.y }]

/** Corners of a box about the local origin. */
export const boxCorners = (width: number, height: number): Vec2[] =>
  rectangle({ x: -width / 2, y: -height / 2 }, { x: width / 2, y: height / 2 })

/** A parallel translation of corners, so that children of compounds need no group of their own. */
type Place = (p: Vec2) => Vec2

/** Path data of a shape, each of its points taken through `place` (a rigid motion by `angle`). */
function placedPath(shape: Shape2d, place: Place, angle: number): string {
  switch (shape.type) {
    case 'point': {
      const { x, y } = place({ x: 0, y: 0 })
      return `M${x} ${y}h0`
    }
    case 'circle':
      return ellipsePath(shape.radius, shape.radius, place({ x: 0, y: 0 }))
    case 'ellipse':
      return turnedEllipse(shape.rx, shape.ry, place, angle)
    case 'segment':
      return lineWork([place(shape.a), place(shape.b)])
    case 'capsule':
      return roundedPath([place(shape.a), place(shape.b)], shape.radius)
    case 'box':
      return roundedPath(boxCorners(shape.width, shape.height).map(place), shape.radius ?? 0)
    case 'aabb':
      return linePath(wound(rectangle(shape.min, shape.max).map(place), true), true)
    case 'polygon':
      return roundedPath(shape.vertices.map(place), shape.radius ?? 0)
    case 'halfplane':
      return linePath(wound(halfplaneCorners(shape.normal, shape.offset).map(place), true), true)
    case 'chain':
      return lineWork([...shape.vertices, ...(shape.loop === true ? [shape.vertices[0]!] : [])].map(place))
    case 'region':
      return [shape.outer, ...(shape.holes ?? [])]
        .map((ring, i) => linePath(wound(ring.map(place), i === 0), true))
        .join('')
    case 'compound':
      return shape.children
        .map((child) => placedPath(child.shape, (p) => place(toWorld(child, p)), angle + (child.rotation ?? 0)))
        .join('')
  }
}

function turnedEllipse(rx: number, ry: number, place: Place, angle: number): string {
  const degrees = (angle * 180) / Math.PI
  const [start, end] = [place({ x: -rx, y: 0 }), place({ x: rx, y: 0 })]
  return `M${text(start)}A${rx} ${ry} ${degrees} 1 1 ${text(end)}A${rx} ${ry} ${degrees} 1 1 ${text(start)}Z`
}

function halfplaneCorners(normal: Vec2, offset: number): Vec2[] {
  const out = unit(normal)
  const along = times(turned(out, Math.PI / 2), FAR)
  const on = times(out, offset)
  const back = times(out, -FAR)
  return [plus(on, along), minus(on, along), plus(minus(on, along), back), plus(plus(on, along), back)]
}

/** `shape`: of the plane. */
export const shapePath = (shape: PlacedBody['shape']): string => placedPath(shape as Shape2d, (p) => p, 0)

/** Whether a value from a form or a link has all parts that the drawing of a shape needs; the service decides whether it is valid. */
export function isDrawable(shape: unknown): boolean {
  try {
    const path = shapePath(shape as Shape2d)
    return typeof path === 'string' && !/undefined|NaN|Infinity|null/.test(path)
  } catch {
    return false
  }
}

/** Shapes without an inside are drawn as lines alone. */
export function isLine(shape: PlacedBody['shape']): boolean {
  return shape.type === 'point' || shape.type === 'segment' || shape.type === 'chain'
}
