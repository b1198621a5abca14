/** Bodies and rays moved, turned, scaled, or written the other way round; the originals stay untouched. */

import type { RayDefinition } from '../../../schemas/queries/ray-cast.ts'
import type { Body2d, Shape2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'

export function positionOf(body: Body2d): Vec2 {
  return body.position ?? { x: 0, y: 0 }
}

export function translated(body: Body2d, dx: number, dy: number): Body2d {
  const { x, y } = positionOf(body)
  return { ...body, position: { x: x + dx, y: y + dy } }
}

export function translatedRay(ray: RayDefinition, dx: number, dy: number): RayDefinition {
  return { ...ray, origin: { x: ray.origin.x + dx, y: ray.origin.y + dy } }
}

export function times(v: Vec2, k: number): Vec2 {
  return { x: v.x * k, y: v.y * k }
}

/** All lengths and coordinates times k. */
export function scaled(body: Body2d, k: number): Body2d {
  return { ...body, shape: scaledShape(body.shape, k), position: times(positionOf(body), k) }
}

function scaledShape(shape: Shape2d, k: number): Shape2d {
  switch (shape.type) {
    case 'point':
      return shape
    case 'circle':
      return { ...shape, radius: shape.radius * k }
    case 'segment':
      return { ...shape, a: times(shape.a, k), b: times(shape.b, k) }
    case 'capsule':
      return { ...shape, a: times(shape.a, k), b: times(shape.b, k), radius: shape.radius * k }
    case 'box': {
      const radius = shape.radius === undefined ? {} : { radius: shape.radius * k }
      return { ...shape, width: shape.width * k, height: shape.height * k, ...radius }
    }
    case 'aabb':
      return { ...shape, min: times(shape.min, k), max: times(shape.max, k) }
    case 'polygon': {
      const radius = shape.radius === undefined ? {} : { radius: shape.radius * k }
      return { ...shape, vertices: shape.vertices.map((v) => times(v, k)), ...radius }
    }
    case 'ellipse':
      return { ...shape, rx: shape.rx * k, ry: shape.ry * k }
    case 'halfplane':
      return { ...shape, offset: shape.offset * k }
    case 'chain':
      return { ...shape, vertices: shape.vertices.map((v) => times(v, k)) }
    case 'region':
      return withRings(shape, (ring) => ring.map((v) => times(v, k)))
    case 'compound':
      return { ...shape, children: shape.children.map((child) => scaled(child, k)) }
  }
}

type Region = Extract<Shape2d, { type: 'region' }>

function withRings(region: Region, change: (ring: Vec2[]) => Vec2[]): Region {
  const holes = region.holes === undefined ? {} : { holes: region.holes.map(change) }
  return { ...region, outer: change(region.outer), ...holes }
}

export function scaledRay(ray: RayDefinition, k: number): RayDefinition {
  const limit = ray.maxDistance === undefined ? {} : { maxDistance: ray.maxDistance * k }
  return { ...ray, origin: times(ray.origin, k), ...limit }
}

export function turnedVector(v: Vec2, angle: number): Vec2 {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  return { x: cos * v.x - sin * v.y, y: sin * v.x + cos * v.y }
}

/** Turned about the world's origin. An aabb, which takes no rotation, becomes the polygon of its corners. */
export function turned(body: Body2d, angle: number): Body2d {
  return {
    shape: withoutAabbs(body.shape),
    position: turnedVector(positionOf(body), angle),
    rotation: (body.rotation ?? 0) + angle,
  }
}

export function turnedRay(ray: RayDefinition, angle: number): RayDefinition {
  return {
    ...ray,
    origin: turnedVector(ray.origin, angle),
    direction: turnedVector(ray.direction, angle),
  }
}

export function withoutAabbs(shape: Shape2d): Shape2d {
  if (shape.type === 'aabb') return rectanglePolygon(shape.min, shape.max)
  if (shape.type !== 'compound') return shape
  return { ...shape, children: shape.children.map((child) => ({ ...child, shape: withoutAabbs(child.shape) })) }
}

export function rectanglePolygon(min: Vec2, max: Vec2): Shape2d {
  const vertices = [min, { x: max.x, y: min.y }, max, { x: min.x, y: max.y }]
  return { type: 'polygon', vertices }
}

/**
 * The same set written the other way round: polygons, chains and rings with the other winding, segments with swapped
 * ends, compounds with the last child first.
 */
export function reversed(body: Body2d): Body2d {
  const shape = body.shape
  if (shape.type === 'polygon') return { ...body, shape: { ...shape, vertices: [...shape.vertices].reverse() } }
  if (shape.type === 'segment' || shape.type === 'capsule') {
    return { ...body, shape: { ...shape, a: shape.b, b: shape.a } }
  }
  if (shape.type === 'chain') return { ...body, shape: { ...shape, vertices: [...shape.vertices].reverse() } }
  if (shape.type === 'region') return { ...body, shape: withRings(shape, (ring) => [...ring].reverse()) }
  if (shape.type === 'compound') {
    return { ...body, shape: { ...shape, children: [...shape.children].reverse().map(reversed) } }
  }
  return body
}
