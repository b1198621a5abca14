/**
 * A shape of a request and a pose → the parts that are drawn.
 *
 * Circles, ellipses and rounded corners become arcs; shapes without width become lines and points. Corners are rounded in the
 * shape's own frame, on its exact hull, and then placed.
 */

import type { Shape2d } from '../../schemas/shapes2d.ts'
import type { Shape3d } from '../../schemas/shapes3d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { convexHull } from '../core2d/outline/convex-hull.ts'
import { arcSteps, type DrawnArc, type DrawnPart, type DrawnRing, polyRing } from './outline.ts'
import { childPose, type Pose, placed, unit } from './pose.ts'

const TURN = 2 * Math.PI

export function drawnParts(shape: Shape2d, pose: Pose): DrawnPart[] {
  const parts: DrawnPart[] = []
  addParts(shape, pose, parts)
  return parts
}

function addParts(shape: Shape2d, pose: Pose, parts: DrawnPart[]): void {
  switch (shape.type) {
    case 'compound':
      for (const child of shape.children) addParts(child.shape, childPose(pose, child), parts)
      break
    case 'halfplane': {
      const normal = unit(shape.normal)
      // Occurs only in pictures of `validate`.
      if (normal === null) break
      const { x: nx, y: ny } = placed({ x: 0, y: 0, angle: pose.angle }, normal)
      parts.push({ kind: 'halfplane', x: pose.x + nx * shape.offset, y: pose.y + ny * shape.offset, nx, ny })
      break
    }
    case 'ellipse':
      parts.push(area(ellipseRing(shape.rx, shape.ry), pose))
      break
    case 'region':
      parts.push(pathOf([shape.outer, ...(shape.holes ?? [])], true, true, pose))
      break
    case 'chain':
      parts.push(pathOf([shape.vertices], shape.loop === true, false, pose))
      break
    default: {
      const { points, radius } = corePoints(shape)
      parts.push(radius === 0 ? pathOf([points], true, true, pose) : area(roundedRing(points, radius), pose))
    }
  }
}

type Convex = Exclude<Shape2d, { type: 'compound' | 'halfplane' | 'ellipse' | 'region' | 'chain' }>

/** The shape is all within `radius` of the hull of the points; local frame, in the order of features. */
export function corePoints(shape: Convex): { points: readonly Vec2[]; radius: number } {
  switch (shape.type) {
    case 'point':
      return { points: [{ x: 0, y: 0 }], radius: 0 }
    case 'circle':
      return { points: [{ x: 0, y: 0 }], radius: shape.radius }
    case 'segment':
      return { points: [shape.a, shape.b], radius: 0 }
    case 'capsule':
      return { points: [shape.a, shape.b], radius: shape.radius }
    case 'box': {
      const x = shape.width / 2
      const y = shape.height / 2
      return { points: corners(-x, -y, x, y), radius: shape.radius ?? 0 }
    }
    case 'aabb':
      return { points: corners(shape.min.x, shape.min.y, shape.max.x, shape.max.y), radius: 0 }
    case 'polygon':
      return { points: shape.vertices, radius: shape.radius ?? 0 }
  }
}

function corners(minX: number, minY: number, maxX: number, maxY: number): Vec2[] {
  return [
    { x: minX, y: minY },
    { x: maxX, y: minY },
    { x: maxX, y: maxY },
    { x: minX, y: maxY },
  ]
}

/** Straight lines through the points of each ring; of two points an open line, of one a point. */
function pathOf(rings: readonly (readonly Vec2[])[], closed: boolean, filled: boolean, pose: Pose): DrawnPart {
  const [first] = rings
  if (rings.length === 1 && first.every(({ x, y }) => x === first[0].x && y === first[0].y)) {
    return { kind: 'point', ...placed(pose, first[0]) }
  }
  const drawn = rings.map((points) =>
    polyRing(
      points.map((point) => placed(pose, point)),
      closed && points.length > 2,
    ),
  )
  return { kind: 'path', filled: filled && first.length > 2, rings: drawn }
}

function area({ x, y, steps, closed }: DrawnRing, pose: Pose): DrawnPart {
  const moved = steps.map(({ arc, ...end }) => ({
    ...placed(pose, end),
    arc: arc === null ? null : placeArc(arc, pose),
  }))
  return { kind: 'path', filled: true, rings: [{ ...placed(pose, { x, y }), steps: moved, closed }] }
}

function placeArc(arc: DrawnArc, pose: Pose): DrawnArc {
  const { x: cx, y: cy } = placed(pose, { x: arc.cx, y: arc.cy })
  return { ...arc, cx, cy, axis: arc.axis + pose.angle }
}

function ellipseRing(rx: number, ry: number): DrawnRing {
  const steps = arcSteps({ cx: 0, cy: 0, rx, ry, axis: 0, start: 0, turn: TURN })
  return { x: rx, y: 0, steps, closed: true }
}

/** Everything within `radius` of the hull of the points. */
export function roundedRing(points: readonly Vec2[], radius: number): DrawnRing {
  const hull = hullOf(points)
  const count = hull.length
  if (count === 1) {
    const [{ x, y }] = hull
    const steps = arcSteps({ cx: x, cy: y, rx: radius, ry: radius, axis: 0, start: 0, turn: TURN })
    return { x: x + radius, y, steps, closed: true }
  }
  // The outward normal of edge i is its direction turned clockwise.
  const angles = hull.map((p, i) => {
    const q = hull[(i + 1) % count]
    return Math.atan2(p.x - q.x, q.y - p.y)
  })
  const beside = ({ x, y }: Vec2, angle: number) => ({
    x: x + radius * Math.cos(angle),
    y: y + radius * Math.sin(angle),
  })
  const ring: DrawnRing = { ...beside(hull[0], angles[0]), steps: [], closed: true }
  for (let i = 0; i < count; i++) {
    const corner = hull[(i + 1) % count]
    const start = angles[i]
    const turn = (angles[(i + 1) % count] - start + 2 * TURN) % TURN
    ring.steps.push({ ...beside(corner, start), arc: null })
    // By rounding, the angle may be slightly negative, which would be drawn as a full turn.
    if (turn > (3 / 4) * TURN) continue
    ring.steps.push(...arcSteps({ cx: corner.x, cy: corner.y, rx: radius, ry: radius, axis: 0, start, turn }))
  }
  return ring
}

/** The corners of the points' hull, counter-clockwise. */
export function hullOf(points: readonly Vec2[]): Vec2[] {
  const coordinates = new Float64Array(2 * points.length)
  points.forEach(({ x, y }, i) => {
    coordinates[2 * i] = x
    coordinates[2 * i + 1] = y
  })
  const indices = new Int32Array(points.length)
  const size = convexHull(coordinates, points.length, indices)
  return Array.from(indices.subarray(0, size), (i) => points[i])
}

// Size of the picture of a query, estimated from the request alone, before any work.

interface PictureSize {
  /** Number of bodies; parts of compounds count separately. */
  shapes: number
  /** Number of vertices and points. */
  vertices: number
}

/** Larger pictures would be illegible; they are not drawn. */
export const PICTURE_LIMITS: Readonly<PictureSize> = { shapes: 2000, vertices: 50_000 }

type Shape = Shape2d | Shape3d

/** A body in the plane or in space. */
interface AnyBody {
  shape: Shape
}

/** The fields with bodies or points of all requests that have pictures. */
interface Drawable {
  a?: AnyBody | readonly AnyBody[]
  b?: AnyBody | readonly AnyBody[]
  body?: AnyBody
  bodies?: readonly AnyBody[]
  targets?: readonly AnyBody[]
  obstacles?: readonly AnyBody[]
  shape?: Shape
  region?: Shape
  points?: readonly unknown[]
}

/** `request` may be of any query that has a picture. Cost O(shapes). */
export function pictureSize(request: object): PictureSize {
  const {
    a = [],
    b = [],
    body = [],
    bodies = [],
    targets = [],
    obstacles = [],
    shape,
    region,
    points,
  } = request as Drawable
  const size = { shapes: 0, vertices: points?.length ?? 0 }
  for (const some of [a, b, body, bodies, targets, obstacles]) {
    if (Array.isArray(some)) for (const one of some) addShape(size, one.shape)
    else addShape(size, (some as AnyBody).shape)
  }
  if (shape !== undefined) addShape(size, shape)
  if (region !== undefined) addShape(size, region)
  return size
}

/** Number of corners that a shape is drawn with; a round shape counts as four. */
export function shapeCorners(shape: Shape): number {
  const size = { shapes: 0, vertices: 0 }
  addShape(size, shape)
  return size.vertices
}

function addShape(size: PictureSize, shape: Shape): void {
  if (shape.type === 'compound') {
    for (const child of shape.children) addShape(size, child.shape)
    return
  }
  size.shapes++
  size.vertices += cornersOf(shape)
}

function cornersOf(shape: Exclude<Shape, { type: 'compound' }>): number {
  switch (shape.type) {
    case 'polygon':
    case 'chain':
      return shape.vertices.length
    case 'region':
      return (shape.holes ?? []).reduce((sum, hole) => sum + hole.length, shape.outer.length)
    case 'hull':
      return shape.points.length
    case 'mesh':
      return shape.triangles.length
    case 'heightfield':
      return 6 * shape.heights.length
    case 'point':
      return 1
    default:
      return 4
  }
}
