/**
 * Whether a solid outline of one moving body holds a part of the other at an instant when no leaves of the two meet: then
 * one point of the part tells for all of it.
 * Frame: world axes; composites turn about their positions.
 */

import { spend } from '../../containers/budget.ts'
import type { Sign } from '../../numeric/exact-ring.ts'
import { type Expansion, expansionOf, expansionSum } from '../../numeric/expansion.ts'
import { type Outline, pointInOutline, sumInOutline } from '../outline/outline.ts'
import {
  type Body,
  type Composite,
  HALFPLANE,
  isCored,
  isCurved,
  type Part,
  RADIUS,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { offsetX, offsetY } from '../shape/position.ts'

/** A body at that instant: its parts, and by how many radians it has turned. */
interface TurnedBody {
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
  return isCurved(body) ? 0 : body.numbers[body.vertices + axis]
}

// Whether a core point of a body lies inside an outline that stands elsewhere, on it, or outside, decided exactly.
//
// Method: that of `pointInOutline`, with the point's coordinates as sums.

/**
 * As `pointInOutline`, for core point `vertex` of `other` (of a curve its centre), of which position + vertex counts as an exact
 * number, against an outline at the position of `pose`.
 */
export function vertexInOutline(outline: Outline, pose: Body, other: Body, vertex: number): Sign {
  const centred = isCurved(other)
  const vx = centred ? 0 : other.numbers[other.vertices + 2 * vertex]
  const vy = centred ? 0 : other.numbers[other.vertices + 2 * vertex + 1]
  if (
    pose.numbers[X] === other.numbers[X] &&
    pose.numbers[Y] === other.numbers[Y] &&
    pose.numbers[X_LOW] === other.numbers[X_LOW] &&
    pose.numbers[Y_LOW] === other.numbers[Y_LOW]
  ) {
    return pointInOutline(outline, vx, vy)
  }
  const x = relative(pose.numbers[X], pose.numbers[X_LOW], other.numbers[X], other.numbers[X_LOW], vx)
  const y = relative(pose.numbers[Y], pose.numbers[Y_LOW], other.numbers[Y], other.numbers[Y_LOW], vy)
  return sumInOutline(outline, x, y)
}

/** vertex + position − origin, exactly. */
function relative(origin: number, originLow: number, position: number, positionLow: number, vertex: number): Expansion {
  const shift = expansionSum(expansionOf(position), expansionOf(-origin))
  const sum = expansionSum(shift, expansionOf(vertex))
  if (positionLow === originLow) return sum
  return expansionSum(sum, expansionSum(expansionOf(positionLow), expansionOf(-originLow)))
}

// On which side of an outline a point lies for certain, of which the place is off by rounding. Frame: the outline's own.

/** −1 inside, 1 outside, each with the corners of the square about the point; else 0. `error` is half of the square's side. */
export function clearSide(outline: Outline, x: number, y: number, error: number): -1 | 0 | 1 {
  const side = pointInOutline(outline, x, y)
  for (let k = 0; k < 4 && side !== 0; k++) {
    const cornerX = x + (k < 2 ? error : -error)
    const cornerY = y + (k % 2 === 0 ? error : -error)
    if (pointInOutline(outline, cornerX, cornerY) !== side) return 0
  }
  return side
}

/** Whether the point lies inside by more than the error. */
export function isClearlyInside(outline: Outline, x: number, y: number, error: number): boolean {
  return clearSide(outline, x, y, error) < 0
}

// Which leaves of composites have no inside of their own.

/** Whether the leaf is a point, a segment or an edge: it can be inside an outline and penetrate none of its edges. */
export function isThinLeaf({ parts, leafPart }: Composite, leaf: number): boolean {
  const { outline, body } = parts[leafPart[leaf]]
  return outline !== null || (isCored(body) && body.count <= 2 && body.numbers[RADIUS] === 0)
}
