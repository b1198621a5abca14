/**
 * Whether one closed convex body contains another.
 *
 * Method: by the kind of the holder: a half-space by the highest point of the guest (`in-halfspace.ts`); core points with a skin by the
 * distances of the guest's points, or by its planes (`in-points.ts`, `within-faces.ts`, `in-rounded.ts`); a curved body by the
 * points, discs and ellipsoids that span the guest (`in-quadric.ts`). Exact for core points with skins in each other and in
 * half-spaces, and for curved bodies in line with the axes in planes; of the others see those files.
 * Frame: world.
 */

import { isSafeExtent } from '../../numeric/safe-range.ts'
import { orderPair, type PairFrame } from '../narrow-phase/pair-frame.ts'
import type { Relation } from '../narrow-phase/separation.ts'
import { type Body, HALFSPACE, OFFSET, POINTS, POSITION, RADIUS } from '../shape/body.ts'
import { pairExponent, scaleBody } from '../shape/body-scaling.ts'
import { kindOf } from '../shape/kinds.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { halfspaceHolds, halfspaceHoldsHalfspace } from './in-halfspace.ts'
import { pointsHold } from './in-points.ts'
import { quadricHolds } from './in-quadric.ts'
import { roundedHolds } from './in-rounded.ts'
import type { Lie } from './lie.ts'
import { isWithinFaces } from './within-faces.ts'

export interface Containment {
  aContainsB: boolean
  bContainsA: boolean
}

/** Both ways; `relation` is that of the pair. No body is empty, so what is apart does not contain. */
export function containment(a: Body, b: Body, relation: Relation): Containment {
  if (relation > 0) return { aContainsB: false, bContainsA: false }
  return { aContainsB: contains(a, b), bContainsA: contains(b, a) }
}

/** Whether all points of the guest are points of the holder. */
export function contains(holder: Body, guest: Body): boolean {
  if (areSame(holder, guest)) return true
  const frame = orderPair(holder, guest)
  const exponent = isSafeExtent(frame.extent) ? 0 : pairExponent(frame)
  if (exponent === 0) return holds(holder, guest, frame)
  const [one, other] = [scaleBody(holder, exponent), scaleBody(guest, exponent)]
  return holds(one, other, orderPair(one, other))
}

function areSame(a: Body, b: Body): boolean {
  if (a.kind !== b.kind || a.count !== b.count) return false
  const end = a.kind === HALFSPACE ? OFFSET + 1 : a.local
  for (let i = 0; i < end; i++) if (a.numbers[i] !== b.numbers[i]) return false
  return true
}

function holds(holder: Body, guest: Body, { first, dx, dy, dz, error, extent }: PairFrame): boolean {
  if (guest.kind === HALFSPACE) return holder.kind === HALFSPACE && halfspaceHoldsHalfspace(holder, guest)
  const side = first === holder ? 1 : -1
  const lie: Lie = { offset: [side * dx, side * dy, side * dz], error, extent }
  if (holder.kind === HALFSPACE) return halfspaceHolds(holder, guest, lie)
  if (sticksOut(holder, guest, error)) return false
  if (holder.kind !== POINTS) return quadricHolds(holder, guest, lie)
  if (guest.kind !== POINTS) {
    return holder.numbers[RADIUS] > 0 ? roundedHolds(holder, guest, lie) : isWithinFaces(holder, guest, lie)
  }
  return guest.numbers[RADIUS] <= holder.numbers[RADIUS] ? pointsHold(holder, guest) : isWithinFaces(holder, guest, lie)
}

const holderBox = new Float64Array(6)
const guestBox = new Float64Array(6)

/** Whether the box of the guest is for certain not in that of the holder. */
function sticksOut(holder: Body, guest: Body, error: number): boolean {
  kindOf(holder).setBox(holder, holderBox)
  kindOf(guest).setBox(guest, guestBox)
  for (let k = 0; k < 3; k++) {
    const way = guest.numbers[POSITION + k] - holder.numbers[POSITION + k]
    // Boxes count from positions, which may be far away.
    const far = Math.abs(way) + Math.abs(guestBox[k]) + Math.abs(guestBox[k + 3])
    const slack = error + SEPARATION_ERROR_RATIO * far
    if (way + guestBox[k] < holderBox[k] - slack || way + guestBox[k + 3] > holderBox[k + 3] + slack) return true
  }
  return false
}
