/**
 * How far bodies of any kind reach along a direction, and the gap that leaves between two of them.
 * Frame: world. Cost O(leaves · vertices).
 */
import { type Body, createBody, ELLIPSE, HALFPLANE } from './body.ts'
import { type Composite, createComposite, leafBody, viewAsComposite } from './composite.ts'
import { SEPARATION_ERROR_RATIO, UNIT_ROUNDOFF } from './tolerances.ts'

const slot = createBody()
const view = createComposite()

/**
 * Lower bound on the gap between A and B along the unit vector (nx, ny) from A to B; the gap itself, less the rounding
 * error, where it is positive.
 */
export function gapAlong(a: Body, b: Body, nx: number, ny: number): number {
  const dx = b.x - a.x
  const dy = b.y - a.y
  const gap = dx * nx + dy * ny - heightAlong(a, nx, ny) - heightAlong(b, -nx, -ny)
  const size = Math.abs(dx) + Math.abs(dy) + a.reach + b.reach + UNIT_ROUNDOFF * (Math.abs(a.x) + Math.abs(b.x))
  return gap - SEPARATION_ERROR_RATIO * size
}

/** Height of the body over its own position along the unit vector (nx, ny); infinite for half-planes, as a rule. */
export function heightAlong(body: Body, nx: number, ny: number): number {
  const composite: Composite = viewAsComposite(body, view)
  let highest = -Infinity
  for (let leaf = 0; leaf < composite.leafCount; leaf++) {
    const part = leafBody(composite, leaf, slot)
    const base = (part.x - body.x + part.xLow) * nx + (part.y - body.y + part.yLow) * ny
    highest = Math.max(highest, base + leafHeight(part, nx, ny))
  }
  return highest
}

function leafHeight(body: Body, nx: number, ny: number): number {
  if (body.kind === HALFPLANE) return body.unitX === nx && body.unitY === ny ? body.offset : Infinity
  if (body.kind === ELLIPSE) {
    return Math.hypot(body.rx * (body.cos * nx + body.sin * ny), body.ry * (body.cos * ny - body.sin * nx))
  }
  const { vertices, count, radius } = body
  let highest = -Infinity
  for (let i = 0; i < count; i++) highest = Math.max(highest, vertices[2 * i] * nx + vertices[2 * i + 1] * ny)
  return highest + radius
}
