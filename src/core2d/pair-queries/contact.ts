/**
 * The contact query: signed separation, normal, contact points and the translation that just separates the pair.
 * Frame: the answer is in world coordinates; the normal points from A to B.
 */

import { isSafeExtent, scaleLimit, scaleNumbers, scaleSigned } from '../../numeric/safe-range.ts'
import { isComposite } from '../composite/leaf-pairs.ts'
import { type PairFrame, separate, toWorld } from '../narrow-phase/dispatch.ts'
import { type ContactPoint, contactManifold } from '../narrow-phase/manifold.ts'
import { refine } from '../narrow-phase/refine-separation.ts'
import { createSeparation, type Relation } from '../narrow-phase/separation.ts'
import type { Body } from '../shape/body.ts'
import { extentOf, inSafeRange } from '../shape/body-scaling.ts'
import { contactComposites } from './composite-contact.ts'
import type { Contact } from './contact-record.ts'

export type { ContactPoint, Relation }

const separation = createSeparation()

/** `maxDistance` ≥ 0: a pair farther apart gets no points, and no point's own separation exceeds it. */
export function contact(a: Body, b: Body, maxDistance: number, out: Contact): void {
  const frame = isComposite(a) || isComposite(b) ? null : separate(a, b, separation)
  if (frame !== null && isSafeExtent(frame.extent)) contactConvex(frame, maxDistance, out)
  else contactInSafeRange(a, b, frame === null ? extentOf(a, b) : frame.extent, maxDistance, out)
}

function contactInSafeRange(a: Body, b: Body, extent: number, maxDistance: number, out: Contact): void {
  const measure = (first: Body, second: Body, _: Contact, exponent: number): void => {
    const limit = exponent === 0 ? maxDistance : scaleLimit(maxDistance, exponent)
    if (isComposite(first) || isComposite(second)) contactComposites(first, second, limit, out)
    else contactConvex(separate(first, second, separation), limit, out)
  }
  inSafeRange(a, b, extent, out, measure, scaleBack)
}

function scaleBack(out: Contact, exponent: number): void {
  out.separation = scaleSigned(out.separation, exponent)
  scaleNumbers(out, ['tx', 'ty'], exponent)
  for (let i = 0; i < out.count; i++) scaleNumbers(out.points[i], ['x', 'y', 'separation'], exponent)
}

/** The pair in `separation`. */
function contactConvex(frame: PairFrame, maxDistance: number, out: Contact): void {
  const { first, second, swapped, error } = frame
  refine(frame, separation)
  const { relation, value } = separation
  const side = swapped ? -1 : 1
  out.exact = true
  out.relation = relation
  out.separation = value
  out.nx = side * separation.nx
  out.ny = side * separation.ny
  out.hasNormal = out.nx !== 0 || out.ny !== 0
  const pushed = value < 0 && out.hasNormal
  out.tx = pushed ? -value * out.nx : 0
  out.ty = pushed ? -value * out.ny : 0
  out.count = 0
  if (value > maxDistance || !out.hasNormal) return
  // A touching pair's points may come out a rounding error apart.
  out.count = contactManifold(first, second, frame, separation, maxDistance + error, out.points)
  for (let i = 0; i < out.count; i++) {
    const point = out.points[i]
    point.x = toWorld(first.x, first.anchorX, point.x)
    point.y = toWorld(first.y, first.anchorY, point.y)
    if (!swapped) continue
    const { featureA } = point
    point.featureA = point.featureB
    point.featureB = featureA
  }
}
