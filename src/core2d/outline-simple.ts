/** Whether rings bound a region. */
import type { OutlineFault } from './outline.ts'

export interface RingCheck {
  valid: boolean
  /** Of each ring: 1 counter-clockwise, −1 clockwise, 0 without area. */
  windings: Int8Array
}

const check: RingCheck = { valid: true, windings: new Int8Array(8) }

export function checkRings(points: Float64Array, ringStarts: readonly number[], _fault: OutlineFault): RingCheck {
  const rings = ringStarts.length - 1
  if (check.windings.length < rings) check.windings = new Int8Array(2 * rings)
  for (let r = 0; r < rings; r++) {
    let area = 0
    const start = ringStarts[r]
    const end = ringStarts[r + 1]
    for (let i = start; i < end; i++) {
      const j = i + 1 === end ? start : i + 1
      const ax = points[2 * i] - points[2 * start]
      const ay = points[2 * i + 1] - points[2 * start + 1]
      area += ax * (points[2 * j + 1] - points[2 * start + 1]) - ay * (points[2 * j] - points[2 * start])
    }
    check.windings[r] = Math.sign(area)
  }
  return check
}
