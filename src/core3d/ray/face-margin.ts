/**
 * How far a point of a ray's line stands beyond the edges of a face, seen along the face's normal.
 * Frame: as in `ray-line.ts`.
 */

import { spend } from '../../containers/budget.ts'
import type { Body, CoreSurface } from '../shape/body.ts'
import { PLANE_SIZE, planesOf } from '../shape/core-surface.ts'
import type { RayLine } from './ray-line.ts'

/** The greatest signed distance from the edges of face `f`, negative between them, of the line's point at τ = `at`. */
export function marginIn(line: RayLine, body: Body, surface: CoreSurface, f: number, at: number): number {
  const { numbers, local } = body
  const { starts, corners } = surface
  const planes = planesOf(body, surface)
  const plane = PLANE_SIZE * f
  const nx = planes[plane]
  const ny = planes[plane + 1]
  const nz = planes[plane + 2]
  const x = line.qx + at * line.ux
  const y = line.qy + at * line.uy
  const z = line.qz + at * line.uz
  const end = starts[f + 1]
  spend((end - starts[f]) >> 3)
  let margin = -Infinity
  let from = local + 3 * corners[end - 1]
  for (let c = starts[f]; c < end; c++) {
    const to = local + 3 * corners[c]
    const ex = numbers[to] - numbers[from]
    const ey = numbers[to + 1] - numbers[from + 1]
    const ez = numbers[to + 2] - numbers[from + 2]
    // Outward in the face's plane: edge × normal.
    const mx = ey * nz - ez * ny
    const my = ez * nx - ex * nz
    const mz = ex * ny - ey * nx
    const height = mx * (x - numbers[from]) + my * (y - numbers[from + 1]) + mz * (z - numbers[from + 2])
    const beyond = height / Math.sqrt(ex * ex + ey * ey + ez * ez)
    if (beyond > margin) margin = beyond
    from = to
  }
  return margin
}
