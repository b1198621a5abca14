/** Where and how bodies touch that meet at the start of their motion. Frame: world; the normal points from A to B. */

import { contact } from '../pair-queries/contact.ts'
import { createContact } from '../pair-queries/contact-record.ts'
import { createOverlap, overlap } from '../pair-queries/overlap.ts'
import type { Body } from '../shape/body.ts'
import type { TimeOfImpact } from './impact.ts'

const contactFound = createContact()
const overlapFound = createOverlap()

/** Normal, features and points of bodies that meet at the start, from their contact. */
export function setStart(a: Body, b: Body, out: TimeOfImpact): void {
  contact(a, b, 0, contactFound)
  const { hasNormal, nx, ny, count, points } = contactFound
  out.hasNormal = hasNormal
  out.nx = nx
  out.ny = ny
  if (count === 0) {
    overlap(a, b, overlapFound)
    out.ax = overlapFound.px
    out.ay = overlapFound.py
    out.bx = out.ax
    out.by = out.ay
    return
  }
  // The deeper one; the point lies midway between the surfaces.
  const point = count === 2 && points[1].separation < points[0].separation ? points[1] : points[0]
  const half = point.separation / 2
  out.ax = point.x - nx * half
  out.ay = point.y - ny * half
  out.bx = point.x + nx * half
  out.by = point.y + ny * half
  out.featureA = point.featureA
  out.featureB = point.featureB
  out.partA = point.partA
  out.partB = point.partB
}
