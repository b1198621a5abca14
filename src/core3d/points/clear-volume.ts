/**
 * Whether points clearly span a volume, far above rounding: a quick look, before anything exact is asked.
 *
 * Method: the point farthest from the first, the one farthest from their line, the one highest over the plane of these three.
 * Cost O(points).
 */

import { spend } from '../../containers/budget.ts'
import { CLEAR_VOLUME_RATIO } from '../tolerances.ts'

/** Of so many points x0, y0, z0, x1, …; at least one. False where products leave the range of doubles. */
export function spansVolume(points: Float64Array, count: number): boolean {
  spend(count)
  const [x, y, z] = points
  const end = 3 * count
  let square = 0
  let far = 0
  for (let i = 3; i < end; i += 3) {
    const dx = points[i] - x
    const dy = points[i + 1] - y
    const dz = points[i + 2] - z
    const distance = dx * dx + dy * dy + dz * dz
    if (distance <= square) continue
    square = distance
    far = i
  }
  const ux = points[far] - x
  const uy = points[far + 1] - y
  const uz = points[far + 2] - z
  let area = 0
  let nx = 0
  let ny = 0
  let nz = 0
  for (let i = 3; i < end; i += 3) {
    const dx = points[i] - x
    const dy = points[i + 1] - y
    const dz = points[i + 2] - z
    const cx = uy * dz - uz * dy
    const cy = uz * dx - ux * dz
    const cz = ux * dy - uy * dx
    const size = cx * cx + cy * cy + cz * cz
    if (size <= area) continue
    area = size
    nx = cx
    ny = cy
    nz = cz
  }
  const least = CLEAR_VOLUME_RATIO * square * Math.sqrt(square)
  for (let i = 3; i < end; i += 3) {
    const volume = nx * (points[i] - x) + ny * (points[i + 1] - y) + nz * (points[i + 2] - z)
    if (Math.abs(volume) > least) return least > 0
  }
  return false
}
