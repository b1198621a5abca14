/**
 * The trajectory query: a moving body that bounces off obstacles.
 */
import type { Body } from './body.ts'
import type { Motion } from './motion.ts'

export interface Obstacle {
  body: Body
  motion: Motion
}

export interface Bounce {
  time: number
  /** Contact point, world. */
  x: number
  y: number
  /** Unit normal from the obstacle to the mover. */
  nx: number
  ny: number
  obstacle: number
  beforeX: number
  beforeY: number
  afterX: number
  afterY: number
}

export interface Trajectory {
  bounces: Bounce[]
  /** Where it ended: time since the start, position of the body's local origin, velocity. */
  time: number
  x: number
  y: number
  vx: number
  vy: number
  status: 'completed' | 'max-bounces' | 'stuck'
}

/**
 * `restitution` ≥ 0 scales the reflected part of the velocity relative to the obstacle; `maxBounces` ≥ 0.
 * The mover's shape is convex; obstacles may be anything.
 */
export function trajectory(
  body: Body,
  motion: Motion,
  obstacles: readonly Obstacle[],
  duration: number,
  restitution: number,
  maxBounces: number,
): Trajectory {
  throw new Error(`pending ${body.kind} ${motion.spin} ${obstacles.length} ${duration} ${restitution} ${maxBounces}`)
}
