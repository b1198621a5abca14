/**
 * How a body moves: its position at constant velocity, itself turning about its position at constant speed round an axis that stands
 * still.
 * Frame: world axes.
 */

export interface Motion {
  /** Length per second. */
  vx: number
  vy: number
  vz: number
  /** The axis times radians per second, right-handed. */
  wx: number
  wy: number
  wz: number
}

export function createMotion(): Motion {
  return { vx: 0, vy: 0, vz: 0, wx: 0, wy: 0, wz: 0 }
}
