/** The core's answer about the impact of two moving bodies, as a plain record; null for none. */

import type { Body2d, MovingBody2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { featureIndex, featureKind } from '../../../src/core2d/feature.ts'
import { createTimeOfImpact, timeOfImpact } from '../../../src/core2d/motion/time-of-impact.ts'
import type { Motion } from '../../../src/core2d/shape/motion.ts'
import { positionOf, scaled, times, translated, turned, turnedVector } from '../families/transform.ts'
import { pathOf } from './answers.ts'
import { prepare } from './slots.ts'

export interface MovingPair {
  a: MovingBody2d
  b: MovingBody2d
  duration: number
}

export interface ImpactAnswer {
  time: number
  normal: Vec2 | null
  pointA: Vec2
  pointB: Vec2
  exitTime: number | null
  a: string
  b: string
  pathA: readonly number[]
  pathB: readonly number[]
  startedOverlapping: boolean
  converged: boolean
}

export const AT_REST: Vec2 = { x: 0, y: 0 }

export function motionOf({ velocity = AT_REST, angularVelocity = 0 }: MovingBody2d): Motion {
  return { vx: velocity.x, vy: velocity.y, spin: angularVelocity }
}

export function impactAnswer({ a, b, duration }: MovingPair, ignoreSeparating = false): ImpactAnswer | null {
  const out = createTimeOfImpact()
  const slotA = prepare(a)
  const slotB = prepare(b)
  timeOfImpact(slotA, motionOf(a), slotB, motionOf(b), duration, ignoreSeparating, 'exit', out)
  if (!out.hit) return null
  return {
    time: out.time,
    normal: out.hasNormal ? { x: out.nx, y: out.ny } : null,
    pointA: { x: out.ax, y: out.ay },
    pointB: { x: out.bx, y: out.by },
    exitTime: out.hasExit ? out.exitTime : null,
    a: `${featureKind(out.featureA)} ${featureIndex(out.featureA)}`,
    b: `${featureKind(out.featureB)} ${featureIndex(out.featureB)}`,
    pathA: pathOf(slotA, out.partA),
    pathB: pathOf(slotB, out.partB),
    startedOverlapping: out.startedOverlapping,
    converged: out.converged,
  }
}

/** The body where it stands at time t. */
export function advanced(body: MovingBody2d, t: number): Body2d {
  const { shape, rotation = 0, velocity = AT_REST, angularVelocity = 0 } = body
  const { x, y } = positionOf(body)
  const placed = { shape, position: { x: x + velocity.x * t, y: y + velocity.y * t } }
  return angularVelocity === 0 && rotation === 0 ? placed : { ...placed, rotation: rotation + angularVelocity * t }
}

export function advancedPair({ a, b }: MovingPair, t: number): { a: Body2d; b: Body2d } {
  return { a: advanced(a, t), b: advanced(b, t) }
}

function withMotion(body: Body2d, { velocity, angularVelocity }: MovingBody2d): MovingBody2d {
  return {
    ...body,
    ...(velocity === undefined ? {} : { velocity }),
    ...(angularVelocity === undefined ? {} : { angularVelocity }),
  }
}

export function swappedPair({ a, b, duration }: MovingPair): MovingPair {
  return { a: b, b: a, duration }
}

/** Another velocity for both, seen from a frame that moves. */
export function boosted(body: MovingBody2d, { x, y }: Vec2): MovingBody2d {
  const { velocity = AT_REST } = body
  return { ...body, velocity: { x: velocity.x + x, y: velocity.y + y } }
}

export function scaledMotion(body: MovingBody2d, k: number): MovingBody2d {
  const moved = withMotion(scaled(body, k), body)
  return body.velocity === undefined ? moved : { ...moved, velocity: times(body.velocity, k) }
}

export function translatedMotion(body: MovingBody2d, dx: number, dy: number): MovingBody2d {
  return withMotion(translated(body, dx, dy), body)
}

export function turnedMotion(body: MovingBody2d, angle: number): MovingBody2d {
  const moved = withMotion(turned(body, angle), body)
  return body.velocity === undefined ? moved : { ...moved, velocity: turnedVector(body.velocity, angle) }
}
