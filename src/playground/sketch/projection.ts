// From the world to the screen, of the plane and of space.

import type { Vec, Vec2 } from './vector.ts'

/** How a picture lies on the screen. */
export interface Projection {
  width: number
  height: number
  /** In pixels; null where it is not before the eye. */
  at(p: Vec): Vec2 | null
  /** Pixels a length there, across the line of sight. */
  scaleAt(p: Vec): number
  /** The parts of a line that can be seen, in pixels. */
  lines(points: readonly Vec[], closed: boolean): (readonly Vec2[])[]
}
