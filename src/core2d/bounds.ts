/**
 * The bounds query: the axis-aligned box of a body, or of everything it covers while it moves.
 */
import type { Body } from './body.ts'
import type { Motion } from './motion.ts'

/** Infinite where a half-plane reaches to infinity. */
export interface Bounds {
  minX: number
  minY: number
  maxX: number
  maxY: number
}

export function createBounds(): Bounds {
  return { minX: 0, minY: 0, maxX: 0, maxY: 0 }
}

/** Fills `out` with the tight box of the body over [0, duration]; `duration` 0 for the body as it stands. */
export function bounds(body: Body, motion: Motion, duration: number, out: Bounds): void {
  throw new Error(`pending ${body.kind} ${motion.spin} ${duration} ${out.minX}`)
}
