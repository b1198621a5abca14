/**
 * The convex rings that an approximation cuts up, by the ten thousand, as numbers in a row: a ring has its points side by side,
 * and rings that are cut give back their places.
 * Frame: the outline's own; scaled places are relative to an origin, in units of a power of two near the size of the outline.
 */
import type { ConvexRing } from './approximation-cut.ts'

export interface Scale {
  originX: number
  originY: number
  unit: number
}

export interface RingPool {
  scale: Scale
  /** Of each point: where it is, scaled and not. */
  pointCount: number
  x: Float64Array
  y: Float64Array
  scaledX: Float64Array
  scaledY: Float64Array
  /** Of each ring: its first point, how many it has, and its area in square units. */
  ringCount: number
  start: Int32Array
  size: Int32Array
  area: Float64Array
  /** Rings that are no more, by their number of points. */
  spare: Map<number, number[]>
}

export function createRingPool(scale: Scale, pointCount: number, ringCount: number): RingPool {
  return {
    scale,
    pointCount: 0,
    x: new Float64Array(pointCount),
    y: new Float64Array(pointCount),
    scaledX: new Float64Array(pointCount),
    scaledY: new Float64Array(pointCount),
    ringCount: 0,
    start: new Int32Array(ringCount),
    size: new Int32Array(ringCount),
    area: new Float64Array(ringCount),
    spare: new Map(),
  }
}

/** Takes over a ring and returns its number. */
export function addRing(pool: RingPool, ring: ConvexRing): number {
  const { originX, originY, unit } = pool.scale
  const count = ring.length / 2
  const name = pool.spare.get(count)?.pop() ?? newRing(pool, count)
  const start = pool.start[name]
  for (let k = 0; k < count; k++) {
    const x = ring[2 * k]
    const y = ring[2 * k + 1]
    pool.x[start + k] = x
    pool.y[start + k] = y
    pool.scaledX[start + k] = (x - originX) / unit
    pool.scaledY[start + k] = (y - originY) / unit
  }
  pool.area[name] = ringArea(ring, unit)
  return name
}

function newRing(pool: RingPool, count: number): number {
  if (pool.ringCount === pool.start.length) growRings(pool)
  if (pool.pointCount + count > pool.x.length) growPoints(pool, pool.pointCount + count)
  const name = pool.ringCount++
  const start = pool.pointCount
  pool.start[name] = start
  pool.size[name] = count
  pool.pointCount += count
  return name
}

/** Gives back the place of a ring that is no more. */
export function dropRing({ spare, size }: RingPool, name: number): void {
  const others = spare.get(size[name])
  if (others === undefined) spare.set(size[name], [name])
  else others.push(name)
}

/** The vertices of a ring, for those who change them. */
export function copyRing({ x, y, start, size }: RingPool, name: number): ConvexRing {
  const ring = new Float64Array(2 * size[name])
  for (let k = 0; k < size[name]; k++) {
    ring[2 * k] = x[start[name] + k]
    ring[2 * k + 1] = y[start[name] + k]
  }
  return ring
}

/** In square units. */
export function ringArea(ring: ConvexRing, unit: number): number {
  let doubled = 0
  for (let i = 4; i < ring.length; i += 2) {
    const ax = (ring[i - 2] - ring[0]) / unit
    const ay = (ring[i - 1] - ring[1]) / unit
    const bx = (ring[i] - ring[0]) / unit
    const by = (ring[i + 1] - ring[1]) / unit
    doubled += ax * by - ay * bx
  }
  return doubled / 2
}

function growRings(pool: RingPool): void {
  const capacity = Math.max(16, 2 * pool.start.length)
  pool.start = grownInts(pool.start, capacity)
  pool.size = grownInts(pool.size, capacity)
  pool.area = grown(pool.area, capacity)
}

function growPoints(pool: RingPool, least: number): void {
  const capacity = Math.max(least, 2 * pool.x.length)
  pool.x = grown(pool.x, capacity)
  pool.y = grown(pool.y, capacity)
  pool.scaledX = grown(pool.scaledX, capacity)
  pool.scaledY = grown(pool.scaledY, capacity)
}

function grown(array: Float64Array, length: number): Float64Array {
  const larger = new Float64Array(length)
  larger.set(array)
  return larger
}

function grownInts(array: Int32Array, length: number): Int32Array {
  const larger = new Int32Array(length)
  larger.set(array)
  return larger
}
