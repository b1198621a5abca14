// Vectors of the plane and of space, world frame unless a name says otherwise; and bodies' frames.

import type { Quaternion, Vec2, Vec3 } from '../../../schemas/vector.ts'

export type { Quaternion, Vec2, Vec3 }

/** Of the plane where there is no z. */
export interface Vec {
  x: number
  y: number
  z?: number
}

export const ORIGIN: Vec = { x: 0, y: 0 }

const vec = (x: number, y: number, z: number | undefined): Vec => (z === undefined ? { x, y } : { x, y, z })
/** In space, where 0 stands for a z that is not given. */
export const inSpace = ({ x, y, z = 0 }: Vec): Vec3 => ({ x, y, z })

/** One of the two may leave out its z. */
function both(p: Vec, q: Vec, combine: (p: number, q: number) => number): Vec {
  const isPlane = p.z === undefined && q.z === undefined
  return vec(combine(p.x, q.x), combine(p.y, q.y), isPlane ? undefined : combine(p.z ?? 0, q.z ?? 0))
}
const each = ({ x, y, z }: Vec, change: (value: number) => number): Vec =>
  vec(change(x), change(y), z === undefined ? undefined : change(z))

export const plus = (p: Vec, q: Vec): Vec => both(p, q, (a, b) => a + b)
export const minus = (p: Vec, q: Vec): Vec => both(p, q, (a, b) => a - b)
export const times = (p: Vec, factor: number): Vec => each(p, (value) => value * factor)
export const lengthOf = ({ x, y, z = 0 }: Vec): number => Math.hypot(x, y, z)
export const middle = (p: Vec, q: Vec): Vec => both(p, q, (a, b) => a / 2 + b / 2)
export const dot = (p: Vec, q: Vec): number => p.x * q.x + p.y * q.y + (p.z ?? 0) * (q.z ?? 0)
export const isZero = (p: Vec): boolean => p.x === 0 && p.y === 0 && (p.z ?? 0) === 0

export const cross = (p: Vec3, q: Vec3): Vec3 => ({
  x: p.y * q.z - p.z * q.y,
  y: p.z * q.x - p.x * q.z,
  z: p.x * q.y - p.y * q.x,
})

/** Along x for the zero vector, which has no direction. */
export function unit(p: Vec): Vec {
  const size = lengthOf(p)
  return size > 0 ? each(p, (value) => value / size) : vec(1, 0, p.z)
}

/** Counter-clockwise with y up, radians. */
export function turned(p: Vec, angle: number): Vec2 {
  if (angle === 0) return p
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  return { x: p.x * cos - p.y * sin, y: p.x * sin + p.y * cos }
}

// Turns of space, as unit quaternions.

export const NO_TURN: Quaternion = { x: 0, y: 0, z: 0, w: 1 }

/** The turn `p` after the turn `q`, of length 1 up to rounding. */
export function product(p: Quaternion, q: Quaternion): Quaternion {
  const x = p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y
  const y = p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x
  const z = p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w
  const w = p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z
  const size = Math.hypot(x, y, z, w) || 1
  return { x: x / size, y: y / size, z: z / size, w: w / size }
}

export const inverse = ({ x, y, z, w }: Quaternion): Quaternion => ({ x: -x, y: -y, z: -z, w })

/** The turn about `axis` times radians, right-handed. */
export function turnBy(axis: Vec3): Quaternion {
  const angle = lengthOf(axis)
  const factor = angle === 0 ? 0 : Math.sin(angle / 2) / angle
  return { x: axis.x * factor, y: axis.y * factor, z: axis.z * factor, w: Math.cos(angle / 2) }
}

export function turnedBy(q: Quaternion, p: Vec3): Vec3 {
  const t = times(cross(q, p), 2) as Vec3
  return inSpace(plus(plus(p, times(t, q.w)), cross(q, t)))
}

interface Pose {
  position?: Vec
  /** Of the plane. */
  rotation?: number
  /** Of space. */
  orientation?: Quaternion
}

export const toWorld = ({ position = ORIGIN, rotation = 0, orientation }: Pose, local: Vec): Vec =>
  plus(
    position,
    orientation ? turnedBy(orientation, inSpace(local)) : local.z === undefined ? turned(local, rotation) : local,
  )
export function toLocal({ position = ORIGIN, rotation = 0, orientation }: Pose, world: Vec): Vec {
  const from = minus(world, position)
  if (orientation) return turnedBy(inverse(orientation), inSpace(from))
  return from.z === undefined ? turned(from, -rotation) : from
}

/** To the nearest multiple of `step`; as it is where `step` is 0. */
export const snapped = (p: Vec, step: number): Vec =>
  step > 0 ? each(p, (value) => Math.round(value / step) * step) : p

/** Four digits, as people read numbers. */
export function digits(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e6 || size < 1e-3)) return value.toExponential(2)
  return String(Number(value.toFixed(size >= 100 ? 1 : 3)))
}
export const pair = (p: Vec | null | undefined): string =>
  p ? `(${[p.x, p.y, ...(p.z === undefined ? [] : [p.z])].map(digits).join(', ')})` : '–'
