/**
 * Motion of a body: constant velocity of its position, constant angular velocity about its position (its local origin).
 * Units: length per second, radians per second, counter-clockwise positive. Frame: world.
 */
export interface Motion {
  vx: number
  vy: number
  spin: number
}

export function createMotion(): Motion {
  return { vx: 0, vy: 0, spin: 0 }
}
