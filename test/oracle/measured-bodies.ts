/**
 * Convex bodies in plain doubles, any rotation, for approximate but independent measuring (about 1e-12 of the extent):
 * support function, signed distance of a point, separation of a pair by sweeping all directions.
 * Positions are taken relative to a reference point first, so that nothing is lost far from the origin.
 */
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'

export interface MeasuredHull {
  kind: 'hull'
  /** Any order, duplicates allowed. */
  points: Vec2[]
  /** Convex position, counter-clockwise, when there are three or more. */
  ring: Vec2[]
  radius: number
}

export interface MeasuredEllipse {
  kind: 'ellipse'
  center: Vec2
  rx: number
  ry: number
  cos: number
  sin: number
}

export interface MeasuredHalfplane {
  kind: 'halfplane'
  normal: Vec2
  /** normal·x ≤ offset in the reference frame. */
  offset: number
}

export type MeasuredBody = MeasuredHull | MeasuredEllipse | MeasuredHalfplane

export function measuredBody(body: Body2d, reference: Vec2 = { x: 0, y: 0 }): MeasuredBody {
  const shape = body.shape
  const rotation = body.rotation ?? 0
  const cos = rotation === 0 ? 1 : Math.cos(rotation)
  const sin = rotation === 0 ? 0 : Math.sin(rotation)
  const center = { x: (body.position?.x ?? 0) - reference.x, y: (body.position?.y ?? 0) - reference.y }
  const turn = (p: Vec2): Vec2 => ({ x: cos * p.x - sin * p.y, y: sin * p.x + cos * p.y })
  const world = (p: Vec2): Vec2 => {
    const turned = turn(p)
    return { x: center.x + turned.x, y: center.y + turned.y }
  }
  const hull = (local: Vec2[], radius: number): MeasuredHull => {
    const points = local.map(world)
    return { kind: 'hull', points, ring: counterClockwise(points), radius }
  }
  switch (shape.type) {
    case 'point':
      return hull([{ x: 0, y: 0 }], 0)
    case 'circle':
      return hull([{ x: 0, y: 0 }], shape.radius)
    case 'segment':
      return hull([shape.a, shape.b], 0)
    case 'capsule':
      return hull([shape.a, shape.b], shape.radius)
    case 'box': {
      const { width, height } = shape
      return hull(rectangle(-width / 2, -height / 2, width / 2, height / 2), shape.radius ?? 0)
    }
    case 'aabb':
      return hull(rectangle(shape.min.x, shape.min.y, shape.max.x, shape.max.y), 0)
    case 'polygon':
      return hull(shape.vertices, shape.radius ?? 0)
    case 'ellipse':
      return { kind: 'ellipse', center, rx: shape.rx, ry: shape.ry, cos, sin }
    case 'halfplane': {
      const length = Math.hypot(shape.normal.x, shape.normal.y)
      const normal = turn({ x: shape.normal.x / length, y: shape.normal.y / length })
      return { kind: 'halfplane', normal, offset: shape.offset + normal.x * center.x + normal.y * center.y }
    }
    default:
      throw new Error(`a ${shape.type} is not one convex set`)
  }
}

function rectangle(minX: number, minY: number, maxX: number, maxY: number): Vec2[] {
  return [
    { x: minX, y: minY },
    { x: maxX, y: minY },
    { x: maxX, y: maxY },
    { x: minX, y: maxY },
  ]
}

function counterClockwise(points: Vec2[]): Vec2[] {
  let area = 0
  points.forEach((p, i) => {
    const q = points[(i + 1) % points.length]
    area += (p.x - points[0].x) * (q.y - points[0].y) - (p.y - points[0].y) * (q.x - points[0].x)
  })
  return area < 0 ? [...points].reverse() : points
}

/** Greatest u·x over the body; u must be a unit vector. Infinite for a half-plane not facing u. */
export function support(body: MeasuredBody, ux: number, uy: number): number {
  if (body.kind === 'hull') {
    let best = Number.NEGATIVE_INFINITY
    for (const p of body.points) best = Math.max(best, ux * p.x + uy * p.y)
    return best + body.radius
  }
  if (body.kind === 'ellipse') {
    const lx = body.cos * ux + body.sin * uy
    const ly = body.cos * uy - body.sin * ux
    return ux * body.center.x + uy * body.center.y + Math.hypot(body.rx * lx, body.ry * ly)
  }
  const facing = ux * body.normal.x + uy * body.normal.y
  const side = Math.abs(ux * body.normal.y - uy * body.normal.x)
  return facing > 0 && side < 1e-12 ? body.offset : Number.POSITIVE_INFINITY
}

/** Gap between the supports of a and b along the unit vector u, from a to b; negative when they overlap along u. */
export function gapAlong(a: MeasuredBody, b: MeasuredBody, ux: number, uy: number): number {
  return -support(b, -ux, -uy) - support(a, ux, uy)
}

const SWEEP_COUNT = 360
const REFINE_STEPS = 60
const GOLDEN = (Math.sqrt(5) - 1) / 2

/** Separation = greatest gap over all directions; negative infinity for half-planes that overlap everywhere. */
export function sweptSeparation(a: MeasuredBody, b: MeasuredBody): number {
  if (a.kind === 'halfplane') return gapAlong(a, b, a.normal.x, a.normal.y)
  if (b.kind === 'halfplane') return gapAlong(a, b, -b.normal.x, -b.normal.y)
  const gap = (angle: number): number => gapAlong(a, b, Math.cos(angle), Math.sin(angle))
  const step = (2 * Math.PI) / SWEEP_COUNT
  const values = Array.from({ length: SWEEP_COUNT }, (_, i) => gap(i * step))
  let best = Number.NEGATIVE_INFINITY
  const spread = Math.max(...values) - Math.min(...values)
  const floor = Math.max(...values) - 0.05 * spread
  values.forEach((value, i) => {
    const before = values[(i + SWEEP_COUNT - 1) % SWEEP_COUNT]
    const after = values[(i + 1) % SWEEP_COUNT]
    if (value >= before && value >= after && value >= floor) {
      best = Math.max(best, greatest(gap, (i - 1) * step, (i + 1) * step))
    }
  })
  for (const [body, sign] of [[a, 1] as const, [b, -1] as const]) {
    if (body.kind !== 'hull') continue
    body.ring.forEach((p, i) => {
      const q = body.ring[(i + 1) % body.ring.length]
      const length = Math.hypot(q.x - p.x, q.y - p.y)
      if (length === 0) return
      const ux = (sign * (q.y - p.y)) / length
      const uy = (sign * (p.x - q.x)) / length
      best = Math.max(best, gapAlong(a, b, ux, uy))
      if (body.ring.length === 2) best = Math.max(best, gapAlong(a, b, -ux, -uy))
    })
  }
  return best
}

/** Golden-section search; f is unimodal on the interval. */
function greatest(f: (x: number) => number, from: number, to: number): number {
  let low = from
  let high = to
  let x1 = high - GOLDEN * (high - low)
  let x2 = low + GOLDEN * (high - low)
  let f1 = f(x1)
  let f2 = f(x2)
  for (let i = 0; i < REFINE_STEPS; i++) {
    if (f1 < f2) {
      low = x1
      x1 = x2
      f1 = f2
      x2 = low + GOLDEN * (high - low)
      f2 = f(x2)
    } else {
      high = x2
      x2 = x1
      f2 = f1
      x1 = high - GOLDEN * (high - low)
      f1 = f(x1)
    }
  }
  return Math.max(f1, f2)
}
