// Where a feature of a shape lies, as answers name it: the place of a corner, the ends of a side. Local frame of the shape.

import type { ShapeFeature } from '../../../schemas/feature.ts'
import type { SnapFeature } from '../../../schemas/scenes/snap.ts'
import type { Shape2d } from '../../../schemas/shapes2d.ts'
import { areaOf, boxCorners, rectangle } from './shape-outline.ts'
import { middle, minus, plus, times, toWorld, turned, unit, type Vec2 } from './vector.ts'

type Feature = SnapFeature | ShapeFeature

interface Rings {
  rings: readonly (readonly Vec2[])[]
  closed: boolean
  /** Sides lie so far outside of their corners. */
  radius: number
}

/** In the order in which features are counted; null for shapes without corners. */
function ringsOf(shape: Shape2d): Rings | null {
  switch (shape.type) {
    case 'segment':
      return { rings: [[shape.a, shape.b]], closed: true, radius: 0 }
    case 'capsule':
      return { rings: [[shape.a, shape.b]], closed: true, radius: shape.radius }
    case 'box':
      return { rings: [boxCorners(shape.width, shape.height)], closed: true, radius: shape.radius ?? 0 }
    case 'aabb':
      return { rings: [rectangle(shape.min, shape.max)], closed: true, radius: 0 }
    case 'polygon':
      return { rings: [shape.vertices], closed: true, radius: shape.radius ?? 0 }
    case 'chain':
      return { rings: [shape.vertices], closed: shape.loop === true, radius: 0 }
    case 'region':
      return { rings: [shape.outer, ...(shape.holes ?? [])], closed: true, radius: 0 }
    default:
      return null
  }
}

/** One point, or the two ends of a side; empty where it is no single place, as the surface of a circle. */
export function featurePoints(shape: Shape2d, { kind, index, path = [] }: Feature): Vec2[] {
  if (shape.type === 'compound') {
    const [first, ...rest] = path
    const child = first === undefined ? undefined : shape.children[first]
    if (child === undefined) return []
    return featurePoints(child.shape, { kind, index, path: rest } as Feature).map((point) => toWorld(child, point))
  }
  if (shape.type === 'point') return [{ x: 0, y: 0 }]
  const found = ringsOf(shape)
  if (found === null) return []
  let at = index
  for (const ring of found.rings) {
    if (at >= ring.length) {
      at -= ring.length
      continue
    }
    if (kind === 'vertex') return [ring[at]!]
    if (kind !== 'edge' && kind !== 'midpoint') return []
    const next = at + 1 < ring.length ? ring[at + 1] : found.closed ? ring[0] : undefined
    if (next === undefined) return []
    const side = outside(ring, [ring[at]!, next], found.radius)
    return kind === 'edge' ? side : [middle(side[0]!, side[1]!)]
  }
  return []
}

/** A side of a rounded outline lies outside of its corners. */
function outside(ring: readonly Vec2[], side: [p: Vec2, q: Vec2], radius: number): Vec2[] {
  if (radius === 0) return side
  const along = unit(minus(side[1], side[0]))
  const out = times(turned(along, areaOf(ring) < 0 ? Math.PI / 2 : -Math.PI / 2), radius)
  return side.map((point) => plus(point, out))
}
