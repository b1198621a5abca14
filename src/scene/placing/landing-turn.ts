/**
 * How a body turns to lie on what it has landed on.
 *
 * Method: it rolls about its lowest corner, the one that looks farthest against the normal, to whichever side another corner comes
 * down to the ground first. Corners with a skin are discs: two discs of radii r and s rest on a line together where the line of
 * their centres is steeper by asin((s − r) / d). Ellipses lie on their long side.
 * Frame: angles in radians, counter-clockwise, in world axes.
 */

import { spend } from '../../containers/budget.ts'
import { type Body, COMPOSITE, type Composite, ELLIPSE } from '../../core2d/shape/body.ts'

/** From against the direction (ux, uy) to the unit normal (nx, ny), by the shorter way. */
export function turnToNormal(ux: number, uy: number, nx: number, ny: number): number {
  // Adding 0 turns −0 into 0.
  return Math.atan2(uy * nx - ux * ny, -(ux * nx + uy * ny)) + 0
}

/**
 * The least turn after which a side of the body, or of the hull around it, lies on a plane with the unit normal (nx, ny); 0 where it
 * has none. Curved parts of compounds count for nothing. Cost O(points).
 */
export function turnToFace(body: Body, nx: number, ny: number): number {
  if (body.kind === ELLIPSE) return turnOfEllipse(body, nx, ny)
  lowest.height = Infinity
  visitDiscs(body, (x, y, radius) => {
    const height = x * nx + y * ny - radius
    if (height < lowest.height) Object.assign(lowest, { height, x, y, radius })
  })
  let least = Infinity
  visitDiscs(body, (x, y, radius) => {
    const dx = x - lowest.x
    const dy = y - lowest.y
    const apart = Math.hypot(dx, dy)
    const rise = radius - lowest.radius
    if (!(apart > Math.abs(rise))) return
    // Along the ground and up from it; the tangent is (ny, −nx).
    const along = dx * ny - dy * nx
    const up = dx * nx + dy * ny
    const tilt = Math.asin(rise / apart)
    const angle = Math.atan2(up, along)
    for (const turn of [tilt - angle, Math.PI - tilt - angle]) {
      const around = wrapped(turn)
      if (Math.abs(around) < Math.abs(least)) least = around
    }
  })
  return least === Infinity ? 0 : least
}

const lowest = { height: Infinity, x: 0, y: 0, radius: 0 }

/** By the shorter axis to the normal. */
function turnOfEllipse({ cos, sin, rx, ry }: Body, nx: number, ny: number): number {
  if (rx === ry) return 0
  const ax = rx < ry ? cos : -sin
  const ay = rx < ry ? sin : cos
  const side = ax * nx + ay * ny < 0 ? -1 : 1
  return Math.atan2(side * (ax * ny - ay * nx), side * (ax * nx + ay * ny)) + 0
}

function wrapped(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI)) + 0
}

/** Calls `visit` with each core point, counted from the body's position, and its skin. */
function visitDiscs(body: Body, visit: (x: number, y: number, radius: number) => void): void {
  if (body.kind !== COMPOSITE) {
    visitPoints(body.vertices, body.count, 0, 0, body.radius, visit)
    return
  }
  const { parts, partCount } = body.composite as Composite
  for (let p = 0; p < partCount; p++) {
    const { body: part, outline } = parts[p]
    const dx = part.x - body.x + part.xLow
    const dy = part.y - body.y + part.yLow
    if (outline !== null) visitPoints(outline.vertices, outline.vertexCount, dx, dy, 0, visit)
    else if (part.kind !== ELLIPSE) visitPoints(part.vertices, part.count, dx, dy, part.radius, visit)
  }
}

function visitPoints(
  vertices: Float64Array,
  count: number,
  dx: number,
  dy: number,
  radius: number,
  visit: (x: number, y: number, radius: number) => void,
): void {
  spend(count)
  for (let i = 0; i < count; i++) visit(vertices[2 * i] + dx, vertices[2 * i + 1] + dy, radius)
}
