/**
 * Whether a solid outline of one moving body holds a part of the other at an instant when no leaves of the two meet: then
 * one point of the part tells for all of it.
 * Frame: world axes; composites turn about their positions.
 */
import { spend } from '../../containers/budget.ts'
import type { Outline } from '../outline/outline.ts'
import { pointInOutline } from '../outline/point-in-outline.ts'
import { type Body, type Composite, HALFPLANE, type Part } from '../shape/body.ts'
import { isCurved } from '../shape/kinds.ts'
import { offsetX, offsetY } from '../shape/position.ts'

/** A body at that instant: its parts, and by how many radians it has turned. */
export interface TurnedBody {
  body: Body
  view: Composite
  turn: number
}

/**
 * Whether one of the guest's parts lies inside a solid outline of the holder, as `isInside` says of two parts, or of a half-plane is
 * not asked: it is never inside.
 */
export function someHeld(
  holder: Composite,
  guest: Composite,
  isInside: (holder: Part, guest: Part) => boolean,
): boolean {
  for (let p = 0; p < holder.partCount; p++) {
    if (holder.parts[p].outline?.solid !== true) continue
    spend(guest.partCount)
    for (let q = 0; q < guest.partCount; q++) {
      const { outline, body } = guest.parts[q]
      if (outline === null && body.kind === HALFPLANE) continue
      if (isInside(holder.parts[p], guest.parts[q])) return true
    }
  }
  return false
}

/** (x, y): position of the second body from the first one's. */
export function holdsPart(first: TurnedBody, second: TurnedBody, x: number, y: number): boolean {
  return holds(first, second, x, y) || holds(second, first, -x, -y)
}

/** The guest stands at (x, y) from the holder. */
function holds(holder: TurnedBody, guest: TurnedBody, x: number, y: number): boolean {
  const cosG = Math.cos(guest.turn)
  const sinG = Math.sin(guest.turn)
  const cosH = Math.cos(holder.turn)
  const sinH = Math.sin(holder.turn)
  return someHeld(holder.view, guest.view, ({ outline, body: pose }, part) => {
    const gx = offsetX(guest.body, part.body) + firstPoint(part, 0)
    const gy = offsetY(guest.body, part.body) + firstPoint(part, 1)
    const px = x + cosG * gx - sinG * gy
    const py = y + sinG * gx + cosG * gy
    const hx = cosH * px + sinH * py - offsetX(holder.body, pose)
    const hy = cosH * py - sinH * px - offsetY(holder.body, pose)
    return pointInOutline(outline as Outline, hx, hy) < 0
  })
}

/** One coordinate of a point of the part, from its position: of a curve the centre. */
function firstPoint({ body, outline }: Part, axis: 0 | 1): number {
  if (outline !== null) return outline.vertices[axis]
  return isCurved(body) ? 0 : body.vertices[axis]
}
