/**
 * How far bodies of any kind reach along a direction, and the gap that leaves between two of them.
 * Frame: world. Cost O(vertices).
 */
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { type Body, COMPOSITE, type Composite } from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'

/** Lower bound on the gap between A and B along the unit vector (nx, ny) from A to B: the gap less its rounding error. */
export function gapAlong(a: Body, b: Body, nx: number, ny: number): number {
  const dx = b.x - a.x
  const dy = b.y - a.y
  const gap = dx * nx + dy * ny - heightAlong(a, nx, ny) - heightAlong(b, -nx, -ny)
  const size = Math.abs(dx) + Math.abs(dy) + a.reach + b.reach + UNIT_ROUNDOFF * (Math.abs(a.x) + Math.abs(b.x))
  return gap - SEPARATION_ERROR_RATIO * size
}

/** Height of the body over its own position along the unit vector (nx, ny); infinite for half-planes, as a rule. */
function heightAlong(body: Body, nx: number, ny: number): number {
  if (body.kind !== COMPOSITE) return convexHeight(body, nx, ny)
  const { parts, partCount } = body.composite as Composite
  let highest = -Infinity
  for (let p = 0; p < partCount; p++) {
    const { body: part, outline } = parts[p]
    const base = (part.x - body.x + part.xLow) * nx + (part.y - body.y + part.yLow) * ny
    const height =
      outline === null ? convexHeight(part, nx, ny) : highestOf(outline.vertices, outline.vertexCount, nx, ny)
    highest = Math.max(highest, base + height)
  }
  return highest
}

function convexHeight(body: Body, nx: number, ny: number): number {
  return kindOf(body).height(body, nx, ny)
}

function highestOf(vertices: Float64Array, count: number, nx: number, ny: number): number {
  let highest = -Infinity
  for (let i = 0; i < count; i++) {
    const height = vertices[2 * i] * nx + vertices[2 * i + 1] * ny
    if (height > highest) highest = height
  }
  return highest
}
