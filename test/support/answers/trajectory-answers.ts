/** The core's trajectory of a body among obstacles, as a plain record. */
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { trajectory } from '../../../src/core2d/motion/trajectory.ts'
import { motionOf } from './impact-answers.ts'
import { prepare } from './slots.ts'

export interface Flight {
  body: MovingBody2d
  obstacles: readonly MovingBody2d[]
  duration: number
  restitution?: number
  maxBounces?: number
}

export interface BounceAnswer {
  time: number
  point: Vec2
  normal: Vec2
  obstacle: number
  before: Vec2
  after: Vec2
}

export interface FlightAnswer {
  bounces: BounceAnswer[]
  end: { time: number; position: Vec2; velocity: Vec2 }
  status: 'completed' | 'max-bounces' | 'stuck'
}

export function flightAnswer({ body, obstacles, duration, restitution = 1, maxBounces = 100 }: Flight): FlightAnswer {
  const around = obstacles.map((obstacle) => ({ body: prepare(obstacle), motion: motionOf(obstacle) }))
  const found = trajectory(prepare(body), motionOf(body), around, duration, restitution, maxBounces)
  return {
    bounces: found.bounces.map((bounce) => ({
      time: bounce.time,
      point: { x: bounce.x, y: bounce.y },
      normal: { x: bounce.nx, y: bounce.ny },
      obstacle: bounce.obstacle,
      before: { x: bounce.beforeX, y: bounce.beforeY },
      after: { x: bounce.afterX, y: bounce.afterY },
    })),
    end: { time: found.time, position: { x: found.x, y: found.y }, velocity: { x: found.vx, y: found.vy } },
    status: found.status,
  }
}
