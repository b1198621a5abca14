// Vectors of space: within the range that is taken, and in lists as the core has them.

import type { Vec3 } from '../../../schemas/vector.ts'
import { spend } from '../../containers/budget.ts'
import { type DecodeProblem, inRange, outOfRange } from '../problems/decode-problem.ts'

export function isVectorInRange({ x, y, z }: Vec3): boolean {
  return inRange(x) && inRange(y) && inRange(z)
}

/** Of a vector that is not. `what`: the quantities that the sentence speaks of. */
export function vectorOutOfRange(vector: Vec3, pointer: string, what?: string): DecodeProblem {
  const axis = inRange(vector.x) ? (inRange(vector.y) ? 'z' : 'y') : 'x'
  return outOfRange(vector[axis], `${pointer}/${axis}`, what)
}

/** Writes them as x, y, z, …; null when all is well. */
export function decodePoints(points: readonly Vec3[], pointer: string, out: Float64Array): DecodeProblem | null {
  spend(2 * points.length)
  for (let i = 0; i < points.length; i++) {
    const point = points[i]
    if (!isVectorInRange(point)) return vectorOutOfRange(point, `${pointer}/${i}`)
    out[3 * i] = point.x
    out[3 * i + 1] = point.y
    out[3 * i + 2] = point.z
  }
  return null
}
