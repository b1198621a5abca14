// From where space is seen: a camera that goes round a place, or stands there. World to pixels and back. A value that is never written to.

import type { Box } from '../sketch/free-place.ts'
import type { Projection } from '../sketch/projection.ts'
import {
  cross,
  dot,
  inSpace,
  isZero,
  lengthOf,
  middle,
  minus,
  plus,
  times,
  unit,
  type Vec,
  type Vec2,
  type Vec3,
} from '../sketch/vector.ts'

export type Axis = 'x' | 'y' | 'z'

export interface Camera {
  /** What it goes round. */
  target: Vec3
  /** From the eye to the target; 0 of one that stands there, in first person. */
  distance: number
  /** Of the line of sight about `up`, radians. */
  yaw: number
  /** Of the line of sight over the ground, radians; negative looks down. */
  pitch: number
  up: 'y' | 'z'
  /** Nothing nearer is seen, in parts of the distance; a length in first person. */
  near: number
  /** Of the stage, in pixels. */
  width: number
  height: number
}

export const FIRST_CAMERA: Camera = {
  target: { x: 0, y: 0, z: 0 },
  distance: 14,
  yaw: 0.6,
  pitch: -0.45,
  up: 'y',
  near: 0.01,
  width: 0,
  height: 0,
}

/** As links carry it; null where it is no view. */
export function viewOf(view: unknown): Camera | null {
  const { target, distance, yaw, pitch, up, near } = view as Camera
  const numbers = [target?.x, target?.y, target?.z, distance, yaw, pitch, near]
  if (!numbers.every(Number.isFinite) || distance < 0 || near <= 0 || !['y', 'z'].includes(up)) return null
  return { ...FIRST_CAMERA, target: inSpace(target), distance, yaw, pitch, up, near }
}

/** Half of the angle that is seen from top to bottom, radians. */
const HALF_ANGLE = 0.4
const WIDE_HALF_ANGLE = 0.6
/** Just short of straight up or down, where there would be no left and right. */
const MOST_PITCH = Math.PI / 2 - 1e-3
const LEAST_DISTANCE = 1e-6
const MOST_DISTANCE = 1e12
/** Distances that are seen beyond the target. */
const FAR_RATIO = 1e4
/** Of a box that is shown, around it. */
const MARGIN = 1.15

/** `y` for the axis that points up, turned so that the frame stays right-handed. */
const toUp = ({ x, y, z }: Vec3, up: Camera['up']): Vec3 => (up === 'y' ? { x, y, z } : { x, y: -z, z: y })

interface Basis {
  eye: Vec3
  forward: Vec3
  right: Vec3
  above: Vec3
  /** Pixels that a length takes at a distance of one length. */
  focal: number
}

export const upOf = ({ up }: Pick<Camera, 'up'>): Vec3 => toUp({ x: 0, y: 1, z: 0 }, up)
export const isFirstPerson = ({ distance }: Camera): boolean => distance === 0

export function basisOf(camera: Camera): Basis {
  const { target, distance, yaw, pitch, up, height } = camera
  const level = Math.cos(pitch)
  const forward = toUp({ x: -level * Math.sin(yaw), y: Math.sin(pitch), z: -level * Math.cos(yaw) }, up)
  const right = toUp({ x: Math.cos(yaw), y: 0, z: -Math.sin(yaw) }, up)
  const angle = isFirstPerson(camera) ? WIDE_HALF_ANGLE : HALF_ANGLE
  return {
    eye: inSpace(minus(target, times(forward, distance))),
    forward,
    right,
    above: cross(right, forward),
    focal: height / 2 / Math.tan(angle),
  }
}

export const nearOf = ({ near, distance }: Camera): number => (distance === 0 ? near : near * distance)

/** Columns of the matrix from the world, moved by `-base`, to clip space. */
export function clipMatrix(camera: Camera, base: Vec3): Float32Array {
  const { eye, forward: f, right: r, above: u, focal } = basisOf(camera)
  const e = minus(eye, base) as Vec3
  const [sx, sy] = [(2 * focal) / camera.width, (2 * focal) / camera.height]
  const near = nearOf(camera)
  const far = (isFirstPerson(camera) ? near : camera.distance) * FAR_RATIO
  const [a, b] = [(far + near) / (far - near), (-2 * far * near) / (far - near)]
  const [dr, du, df] = [-dot(r, e), -dot(u, e), -dot(f, e)]
  const column = (axis: Axis) => [sx * r[axis], sy * u[axis], a * f[axis], f[axis]]
  return new Float32Array([...column('x'), ...column('y'), ...column('z'), sx * dr, sy * du, a * df + b, df])
}

/** Where a place lies: to the right and above the middle of the screen in pixels times depth, and its depth. */
function seenFrom({ eye, forward, right, above, focal }: Basis, p: Vec): Vec3 {
  const from = minus(p, eye)
  return { x: dot(from, right) * focal, y: dot(from, above) * focal, z: dot(from, forward) }
}

export function projectionOf(camera: Camera): Projection {
  const { width, height } = camera
  const basis = basisOf(camera)
  const near = nearOf(camera)
  const onScreen = ({ x, y, z }: Vec3): Vec2 => ({ x: width / 2 + x / z, y: height / 2 - y / z })
  const cut = (p: Vec3, q: Vec3): Vec3 => {
    const part = (near - p.z) / (q.z - p.z)
    return inSpace(plus(p, times(minus(q, p), part)))
  }
  return {
    width,
    height,
    at(p) {
      const seen = seenFrom(basis, p)
      return seen.z < near ? null : onScreen(seen)
    },
    scaleAt: (p) => basis.focal / Math.max(near, seenFrom(basis, p).z),
    lines(points, closed) {
      const seen = points.map((p) => seenFrom(basis, p))
      if (closed && seen.length > 0) seen.push(seen[0]!)
      const lines: Vec2[][] = []
      for (const [i, q] of seen.entries()) {
        const p = seen[i - 1]
        if (p === undefined || (p.z < near && q.z < near)) continue
        const [from, to] = [p.z < near ? cut(p, q) : p, q.z < near ? cut(p, q) : q].map(onScreen) as [Vec2, Vec2]
        // it goes on from where the one before has ended
        if (i > 1 && p.z >= near && lines.length > 0) lines.at(-1)!.push(to)
        else lines.push([from, to])
      }
      return lines
    },
  }
}

export interface Line {
  origin: Vec3
  /** Of any length. */
  direction: Vec3
}

/** The line of sight through a place of the screen; its direction is as long as one length of depth. */
export function sightThrough(camera: Camera, at: Vec2): Line {
  const { eye, forward, right, above, focal } = basisOf(camera)
  const across = times(right, (at.x - camera.width / 2) / focal)
  const up = times(above, (camera.height / 2 - at.y) / focal)
  return { origin: eye, direction: inSpace(plus(forward, plus(across, up))) }
}

/** Where a line meets a plane; null where it does not, or behind its origin. */
export function onPlane({ origin, direction }: Line, through: Vec, normal: Vec): Vec3 | null {
  const part = dot(minus(through, origin), normal) / dot(direction, normal)
  return Number.isFinite(part) && part > 0 ? inSpace(plus(origin, times(direction, part))) : null
}

/** The place of the axis through `through` that is nearest to a line. */
export function onAxis({ origin, direction }: Line, through: Vec, along: Vec): Vec3 {
  const [u, v] = [inSpace(unit(along)), inSpace(unit(direction))]
  const between = minus(origin, through)
  const b = dot(u, v)
  const part = 1 - b * b < 1e-9 ? 0 : (dot(between, u) - b * dot(between, v)) / (1 - b * b)
  return inSpace(plus(through, times(u, part)))
}

/** What is at a place of the screen, as deep as `depth`. */
export function atDepthOf(camera: Camera, at: Vec2, depth: Vec): Vec3 {
  const line = sightThrough(camera, at)
  return onPlane(line, depth, basisOf(camera).forward) ?? camera.target
}

/** `by`: pixels that the mouse has moved. */
export const orbited = (camera: Camera, by: Vec2): Camera => {
  const sense = isFirstPerson(camera) ? 0.5 : 1
  const pitch = camera.pitch - by.y * 0.008 * sense
  return {
    ...camera,
    yaw: camera.yaw - by.x * 0.008 * sense,
    pitch: Math.max(-MOST_PITCH, Math.min(MOST_PITCH, pitch)),
  }
}

export function panned(camera: Camera, by: Vec2): Camera {
  const { right, above, focal } = basisOf(camera)
  const length = camera.distance / focal
  const way = plus(times(right, -by.x * length), times(above, by.y * length))
  return { ...camera, target: inSpace(plus(camera.target, way)) }
}

/** What is at `fixed` stays where it is on the screen. */
export function zoomed(camera: Camera, factor: number, fixed: Vec): Camera {
  if (isFirstPerson(camera)) return camera
  const distance = Math.min(MOST_DISTANCE, Math.max(LEAST_DISTANCE, camera.distance / factor))
  const target = plus(fixed, times(minus(camera.target, fixed), distance / camera.distance))
  return { ...camera, distance, target: inSpace(target) }
}

export function fitted(camera: Camera, { min, max }: Box): Camera {
  const radius = Math.max(1e-6, lengthOf(minus(max, min)) / 2)
  const narrow = Math.min(1, camera.width / Math.max(1, camera.height)) || 1
  const distance = (radius * MARGIN) / Math.sin(Math.atan(Math.tan(HALF_ANGLE) * narrow))
  return { ...camera, target: inSpace(middle(min, max)), distance, near: FIRST_CAMERA.near }
}

/** The axis of the world nearest to a direction, with its sign. */
export function nearestAxis(direction: Vec3): Vec3 {
  const axes = (['x', 'y', 'z'] as const).toSorted((p, q) => Math.abs(direction[q]) - Math.abs(direction[p]))
  const axis = axes[0]!
  return { x: 0, y: 0, z: 0, [axis]: Math.sign(direction[axis]) || 1 }
}

/** Along the ground, the way that is ahead on the screen; null where the ground is seen from straight above. */
export function aheadOf(camera: Camera): Vec3 {
  const { right } = basisOf(camera)
  const ahead = cross(upOf(camera), right)
  return inSpace(isZero(ahead) ? right : unit(ahead))
}
