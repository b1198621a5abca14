// Vectors of the plane, world frame unless a name says otherwise; and bodies' frames.

import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'

export type { Vec2 }

export const ORIGIN: Vec2 = { x: 0, y: 0 }

export const plus = (p: Vec2, q: Vec2): Vec2 => ({ x: p.x + q.x, y: p.y + q.y })
export const minus = (p: Vec2, q: Vec2): Vec2 => ({ x: p.x - q.x, y: p.y - q.y })
export const times = (p: Vec2, factor: number): Vec2 => ({ x: p.x * factor, y: p.y * factor })
export const lengthOf = (p: Vec2): number => Math.hypot(p.x, p.y)
export const middle = (p: Vec2, q: Vec2): Vec2 => ({ x: p.x / 2 + q.x / 2, y: p.y / 2 + q.y / 2 })

/** (1, 0) for the zero vector, which has no direction. */
export function unit(p: Vec2): Vec2 {
  const size = lengthOf(p)
  return size > 0 ? { x: p.x / size, y: p.y / size } : { x: 1, y: 0 }
}

/** Counter-clockwise with y up, radians. */
export function turned(p: Vec2, angle: number): Vec2 {
  if (angle === 0) return p
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  return { x: p.x * cos - p.y * sin, y: p.x * sin + p.y * cos }
}

type Pose = Pick<Body2d, 'position' | 'rotation'>

export const toWorld = ({ position = ORIGIN, rotation = 0 }: Pose, local: Vec2): Vec2 =>
  plus(position, turned(local, rotation))
export const toLocal = ({ position = ORIGIN, rotation = 0 }: Pose, world: Vec2): Vec2 =>
  turned(minus(world, position), -rotation)

/** To the nearest multiple of `step`; as it is where `step` is 0. */
export const snapped = (p: Vec2, step: number): Vec2 =>
  step > 0 ? { x: Math.round(p.x / step) * step, y: Math.round(p.y / step) * step } : p

/** Four digits, as people read numbers. */
export function digits(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e6 || size < 1e-3)) return value.toExponential(2)
  return String(Number(value.toFixed(size >= 100 ? 1 : 3)))
}
export const pair = (p: Vec2 | null | undefined): string => (p ? `(${digits(p.x)}, ${digits(p.y)})` : '–')
