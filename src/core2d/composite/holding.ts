/**
 * Whether a solid outline of one moving body holds a part of the other at an instant when no leaves of the two meet: then
 * one point of the part tells for all of it.
 * Frame: world axes; composites turn about their positions.
 */
import { spend } from '../../containers/budget.ts'
import { pointInOutline } from '../outline/point-in-outline.ts'
import { type Body, type Composite, HALFPLANE, type Part } from '../shape/body.ts'
import { isCurved } from '../shape/kinds.ts'

/** A body at that instant: its parts, and by how many radians it has turned. */
export interface TurnedBody {
  body: Body
  view: Composite
  turn: number
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
  for (let p = 0; p < holder.view.partCount; p++) {
    const { outline, body: pose } = holder.view.parts[p]
    if (outline?.solid !== true) continue
    spend(guest.view.partCount)
    const poseX = offsetX(holder.body, pose)
    const poseY = offsetY(holder.body, pose)
    for (let q = 0; q < guest.view.partCount; q++) {
      const part = guest.view.parts[q]
      if (part.outline === null && part.body.kind === HALFPLANE) continue
      const gx = offsetX(guest.body, part.body) + firstPoint(part, 0)
      const gy = offsetY(guest.body, part.body) + firstPoint(part, 1)
      const px = x + cosG * gx - sinG * gy
      const py = y + sinG * gx + cosG * gy
      if (pointInOutline(outline, cosH * px + sinH * py - poseX, cosH * py - sinH * px - poseY) < 0) return true
    }
  }
  return false
}

/** One coordinate of a point of the part, from its position: of a curve the centre. */
function firstPoint({ body, outline }: Part, axis: 0 | 1): number {
  if (outline !== null) return outline.vertices[axis]
  return isCurved(body) ? 0 : body.vertices[axis]
}

function offsetX(from: Body, to: Body): number {
  return to.x - from.x + (to.xLow - from.xLow)
}

function offsetY(from: Body, to: Body): number {
  return to.y - from.y + (to.yLow - from.yLow)
}
