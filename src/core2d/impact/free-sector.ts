/**
 * The sector of directions in which a body may leave everything that it touches at one place, and the walls that bound it.
 *
 * Method: the blocked cones of all contacts together (`contact-cone.ts`) leave open sectors between them. The body is in the one
 * that it came through. Less than half a turn wide it is a corner between two walls; half a turn is one wall, also where several
 * obstacles lie flush; more is a corner that sticks out, whose normals are all that lie between those of its sides.
 * Frame: world axes; angles from −π to π.
 */

import { negateTwofold, type Twofold } from '../../numeric/twofold.ts'
import { ANGLE_TOLERANCE_RATIO } from '../tolerances.ts'
import { type Cone, type ConeContact, type Edge, turnFrom } from './contact-cone.ts'

/** A contact with a part of an obstacle. */
export interface LeafTouch {
  obstacle: number
  leaf: number
  contact: ConeContact
  /** Up to which distance it counts as one. */
  tolerance: number
}

export function isOf(touch: LeafTouch, part: { obstacle: number; leaf: number }): boolean {
  return touch.obstacle === part.obstacle && touch.leaf === part.leaf
}

/** A side of the sector: an edge of a blocked cone, and whose it is. */
export interface Side {
  edge: Edge
  touch: LeafTouch
}

export interface FreeSector {
  /** Counter-clockwise from `start` to `end`; null when nothing is blocked. */
  start: Side | null
  end: Side | null
  /** Angle between them. */
  span: number
}

/** The sector that the direction `angle` lies in; of the two on either side of a line, the left one. Null where it is blocked. */
export function freeSector(touches: readonly LeafTouch[], angle: number): FreeSector | null {
  const free = outOfCones(touches, angle)
  if (free === null) return null
  let start: Side | null = null
  let end: Side | null = null
  let before = Infinity
  let after = Infinity
  for (const touch of touches) {
    for (const { from, to } of touch.contact.cones) {
      const down = turnFrom(to.angle, free)
      const up = turnFrom(free, from.angle)
      // of several at one angle the first
      if (down < before - ANGLE_TOLERANCE_RATIO) {
        before = down
        start = { edge: to, touch }
      }
      if (up < after - ANGLE_TOLERANCE_RATIO) {
        after = up
        end = { edge: from, touch }
      }
    }
  }
  return { start, end, span: before + after }
}

/** The angle, moved out of the edges of cones; null where it is within one. */
function outOfCones(touches: readonly LeafTouch[], angle: number): number | null {
  let free = angle
  for (let moves = 0; moves <= 2 * touches.length; moves++) {
    const cone = coneAround(touches, free)
    if (cone === null) return free
    const past = turnFrom(cone.from.angle, free)
    const left = turnFrom(free, cone.to.angle)
    const width = turnFrom(cone.from.angle, cone.to.angle)
    if (past <= width && past > ANGLE_TOLERANCE_RATIO && left > ANGLE_TOLERANCE_RATIO) return null
    const atEnd = Math.min(left, 2 * Math.PI - left) <= ANGLE_TOLERANCE_RATIO
    free = atEnd ? cone.to.angle + 4 * ANGLE_TOLERANCE_RATIO : cone.from.angle - 4 * ANGLE_TOLERANCE_RATIO
  }
  return null
}

/** A cone that the angle lies in or next to. */
function coneAround(touches: readonly LeafTouch[], angle: number): Cone | null {
  for (const { contact } of touches) {
    for (const cone of contact.cones) {
      const width = turnFrom(cone.from.angle, cone.to.angle)
      const past = turnFrom(cone.from.angle, angle)
      if (past <= width + ANGLE_TOLERANCE_RATIO || past >= 2 * Math.PI - ANGLE_TOLERANCE_RATIO) return cone
    }
  }
  return null
}

/** What reflects: an outward normal of any length, and where it is touched. */
export interface Wall {
  nx: Twofold
  ny: Twofold
  touch: LeafTouch
}

/** Of the sector's two sides, from its start on. */
export function startWall({ edge: { x, y }, touch }: Side): Wall {
  return { nx: negateTwofold(y), ny: x, touch }
}

export function endWall({ edge: { x, y }, touch }: Side): Wall {
  return { nx: y, ny: negateTwofold(x), touch }
}

/**
 * The walls that a body runs into that comes into the sector at velocity (vx, vy). At a corner that sticks out it is the one
 * whose normal is the nearest to the way it came: what a ball would do that is smaller than any other.
 */
export function wallsOf(
  { start, end, span }: FreeSector,
  vx: Twofold,
  vy: Twofold,
  touches: readonly LeafTouch[],
): Wall[] {
  const back = { nx: negateTwofold(vx), ny: negateTwofold(vy) }
  if (start === null || end === null) return [{ ...back, touch: touches[0] }]
  const first = startWall(start)
  const second = endWall(end)
  if (span < Math.PI - ANGLE_TOLERANCE_RATIO) return [first, second]
  const lower = second.touch.obstacle < first.touch.obstacle ? second : first
  if (span <= Math.PI + ANGLE_TOLERANCE_RATIO) return [lower]
  const ahead = Math.atan2(back.ny.high, back.nx.high)
  const low = Math.atan2(first.ny.high, first.nx.high)
  const high = Math.atan2(second.ny.high, second.nx.high)
  // the normals lie from that of the start counter-clockwise to that of the end
  if (turnFrom(low, ahead) <= span - Math.PI) return [{ ...back, touch: lower.touch }]
  return [turnFrom(ahead, low) <= turnFrom(high, ahead) ? first : second]
}

/** Whether a direction leads out of the sector: neither within it nor along its sides. */
export function leavesSector({ start, end, span }: FreeSector, angle: number): boolean {
  if (start === null || end === null) return false
  const past = turnFrom(start.edge.angle, angle)
  return past > span + ANGLE_TOLERANCE_RATIO && past < 2 * Math.PI - ANGLE_TOLERANCE_RATIO
}
