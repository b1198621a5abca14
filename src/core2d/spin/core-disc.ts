/**
 * The disc inside a body that its spin does not move: two bodies meet for certain while these discs do.
 *
 * Frame: relative to the mover's pivot; about it if the body spins, else about the mean of the vertices.
 */
import { vectorLength } from '../../numeric/vector-length.ts'
import { kindOf } from '../shape/kinds.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import type { Mover, SpinSweep } from './moving-pair.ts'

export interface CoreDisc {
  x: number
  y: number
  /** Negative when the pivot lies outside the body. */
  radius: number
}

export function createCoreDisc(): CoreDisc {
  return { x: 0, y: 0, radius: 0 }
}

/** Cost O(vertices). */
export function setCoreDisc({ body, omega, armX, armY }: Mover, out: CoreDisc): void {
  const { count } = body
  const spins = omega !== 0
  out.x = spins || count === 0 ? 0 : body.centerX
  out.y = spins || count === 0 ? 0 : body.centerY
  out.radius = kindOf(body).innerRadius(body, out.x - armX, out.y - armY)
}

/** How long after the clock's moment the discs certainly meet; 0 when they do not, Infinity when they always will. */
export function discsMeetFor(sweep: SpinSweep, a: CoreDisc, b: CoreDisc, clock: number): number {
  const x = sweep.dx + b.x - a.x
  const y = sweep.dy + b.y - a.y
  const { vx, vy, speed } = sweep
  const doubt = SEPARATION_ERROR_RATIO * (Math.abs(x) + Math.abs(y) + a.radius + b.radius)
  const radius = a.radius + b.radius - doubt - sweep.doubt - sweep.doubtRate * clock
  const distance = vectorLength(x, y)
  if (!(a.radius >= 0 && b.radius >= 0 && distance < radius)) return 0
  if (speed === 0) return Infinity
  const along = (x * vx + y * vy) / speed
  const across = Math.min(radius, Math.abs((x * vy - y * vx) / speed))
  return Math.max(0, Math.sqrt(radius - across) * Math.sqrt(radius + across) - along) / speed
}
