/**
 * The support query: the farthest point of a body along a direction.
 *
 * Method: a walk over all core points; convex bodies and rounded ones in closed form, curves by their kind, composites by their parts.
 * Of core points with the same skin the farthest is told exactly, position + vertex taken exactly; of equally far ones the
 * first in the body's order wins. Where skins differ, or a curve or half-plane takes part, rounded heights decide.
 * Frame: the answer is in world coordinates; heights are counted from the body's position.
 */

import { spend } from '../../containers/budget.ts'
import { createInputRange, exactly, includeInput, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import { edgeFeature, type FeatureCode, NO_FEATURE, SURFACE_FEATURE } from '../feature.ts'
import { orientation } from '../outline/orientation.ts'
import {
  type Body,
  COMPOSITE,
  type Composite,
  isCored,
  isCurved,
  NORMAL_X,
  NORMAL_Y,
  OFFSET,
  RADIUS,
  UNIT_X,
  UNIT_Y,
  verticesOf,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { createBoundaryPoint } from '../shape/ellipse.ts'
import { includePosition, positionX, positionY } from '../shape/exact-points.ts'
import { curveOf } from '../shape/kinds.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'

export interface Support {
  /** False when the body has no farthest point: it reaches to infinity. */
  bounded: boolean
  /** The point, world, its feature, and the part of a composite body whose feature it is (0 for convex bodies). */
  x: number
  y: number
  feature: FeatureCode
  part: number
}

export function createSupport(): Support {
  return { bounded: true, x: 0, y: 0, feature: NO_FEATURE, part: 0 }
}

/** A list of core points with one pose and one skin: what is compared with what. */
interface Points {
  pose: Body
  vertices: Float64Array
  names: Int32Array
  radius: number
}

/** The direction as given, with a greater component of 1, and as a unit vector. */
let dx = 0
let dy = 0
let sx = 0
let sy = 0
let ux = 0
let uy = 0

/** The farthest so far: its height, and, unless that is a matter of rounding, the core point it belongs to. */
let best = -Infinity
let farthest: Points | null = null
let farthestVertex = 0

const rim = createBoundaryPoint()

/** Fills `out` for the direction (directionX, directionY), which has any length but 0. Cost O(points). */
export function support(body: Body, directionX: number, directionY: number, out: Support): void {
  dx = directionX
  dy = directionY
  // Products with very long or short directions would over- or underflow.
  const greater = Math.max(Math.abs(dx), Math.abs(dy))
  sx = dx / greater
  sy = dy / greater
  const length = Math.hypot(sx, sy)
  ux = sx / length
  uy = sy / length
  best = -Infinity
  farthest = null
  out.bounded = true
  if (body.kind === COMPOSITE) {
    const { parts, partCount } = body.composite as Composite
    for (let p = 0; p < partCount && out.bounded; p++) {
      const { body: part, outline } = parts[p]
      if (outline === null) addConvex(part, body, p, out)
      else {
        const { vertices, vertexNames, vertexCount } = outline
        addPoints({ pose: part, vertices, names: vertexNames, radius: 0 }, vertexCount, body, p, out)
      }
    }
  } else addConvex(body, body, 0, out)
  farthest = null
}

function addConvex(part: Body, origin: Body, index: number, out: Support): void {
  if (isCored(part)) {
    const { vertexFeatures, count, numbers } = part
    const points = { pose: part, vertices: verticesOf(part), names: vertexFeatures, radius: numbers[RADIUS] }
    addPoints(points, count, origin, index, out)
  } else if (isCurved(part)) {
    curveOf(part).support(part, ux, uy, rim)
    put(part, rim.x, rim.y, SURFACE_FEATURE, origin, index, out)
  } else addHalfplane(part, origin, index, out)
}

/** Bounded along its own normal alone, where every point of the boundary is as far. */
function addHalfplane(part: Body, origin: Body, index: number, out: Support): void {
  const { numbers } = part
  const normalX = numbers[NORMAL_X]
  const normalY = numbers[NORMAL_Y]
  const unitX = numbers[UNIT_X]
  const unitY = numbers[UNIT_Y]
  const offset = numbers[OFFSET]
  if (orientation(0, 0, normalX, normalY, dx, dy) === 0 && unitX * ux + unitY * uy > 0) {
    put(part, unitX * offset, unitY * offset, edgeFeature(0), origin, index, out)
  } else out.bounded = false
}

/** Takes the point (x, y), relative to the part's position, if it is farther by rounded heights. */
function put(part: Body, x: number, y: number, feature: FeatureCode, origin: Body, index: number, out: Support): void {
  const height = baseHeight(part, origin) + x * ux + y * uy
  if (height <= best) return
  best = height
  farthest = null
  write(part, x, y, feature, index, out)
}

function addPoints(points: Points, count: number, origin: Body, index: number, out: Support): void {
  const { pose, vertices, names, radius } = points
  spend(count)
  let top = 0
  for (let i = 1; i < count; i++) if (isFarther(points, i, points, top)) top = i
  const x = vertices[2 * top] + radius * ux
  const y = vertices[2 * top + 1] + radius * uy
  const height = baseHeight(pose, origin) + (vertices[2 * top] * ux + vertices[2 * top + 1] * uy) + radius
  if (farthest !== null && farthest.radius === radius) {
    if (!isFarther(points, top, farthest, farthestVertex)) return
  } else if (height <= best) return
  best = height
  farthest = points
  farthestVertex = top
  write(pose, x, y, names[top], index, out)
}

function baseHeight(part: Body, origin: Body): number {
  return (
    (part.numbers[X] - origin.numbers[X] + part.numbers[X_LOW]) * ux +
    (part.numbers[Y] - origin.numbers[Y] + part.numbers[Y_LOW]) * uy
  )
}

function write(part: Body, x: number, y: number, feature: FeatureCode, index: number, out: Support): void {
  out.x = part.numbers[X] + (part.numbers[X_LOW] + x)
  out.y = part.numbers[Y] + (part.numbers[Y_LOW] + y)
  out.feature = feature
  out.part = index
}

/** Whether core point i of `a` is farther along the direction than core point j of `b`: exact. */
function isFarther(a: Points, i: number, b: Points, j: number): boolean {
  const p = a.pose
  const q = b.pose
  const ax = a.vertices[2 * i]
  const ay = a.vertices[2 * i + 1]
  const bx = b.vertices[2 * j]
  const by = b.vertices[2 * j + 1]
  const px = p === q ? 0 : p.numbers[X] - q.numbers[X] + (p.numbers[X_LOW] - q.numbers[X_LOW])
  const py = p === q ? 0 : p.numbers[Y] - q.numbers[Y] + (p.numbers[Y_LOW] - q.numbers[Y_LOW])
  const gap = (px + (ax - bx)) * sx + (py + (ay - by)) * sy
  const sizeX = Math.abs(px) + Math.abs(ax - bx)
  const sizeY = Math.abs(py) + Math.abs(ay - by)
  // No component is greater than 1: products underflow by a last place of the least doubles at most.
  const error = SEPARATION_ERROR_RATIO * (sizeX * Math.abs(sx) + sizeY * Math.abs(sy)) + 16 * Number.MIN_VALUE
  if (Math.abs(gap) > error) return gap > 0
  if (p === q && ax === bx && ay === by) return false
  const range = createInputRange()
  for (const value of [ax, ay, bx, by, dx, dy]) includeInput(range, value)
  includePosition(range, p)
  includePosition(range, q)
  return exactly(range, 2, (ring) => exactSide(ring, a, i, b, j)) > 0
}

function exactSide<T>(ring: Ring<T>, a: Points, i: number, b: Points, j: number): Sign {
  const { of, add, sub, mul, sign } = ring
  let x = sub(of(a.vertices[2 * i]), of(b.vertices[2 * j]))
  let y = sub(of(a.vertices[2 * i + 1]), of(b.vertices[2 * j + 1]))
  if (a.pose !== b.pose) {
    x = add(x, sub(positionX(ring, a.pose), positionX(ring, b.pose)))
    y = add(y, sub(positionY(ring, a.pose), positionY(ring, b.pose)))
  }
  return sign(add(mul(x, of(dx)), mul(y, of(dy))))
}
