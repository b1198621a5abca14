/**
 * The contact query: signed separation, normal, one contact point and the translation that just separates the pair.
 * Frame: the answer is in world coordinates; the normal points from A to B.
 */

import { scaleBy, scaleSigned } from '../../numeric/safe-range.ts'
import { createDepth, setExactDepth } from '../narrow-phase/depth.ts'
import { createSeparation, type PairFrame, pairInRange } from '../narrow-phase/pair-frame.ts'
import { measure, relate, separate } from '../narrow-phase/separate.ts'
import type { Body } from '../shape/body.ts'
import { CLEAR_DEPTH_RATIO, LEAST_GAP_RATIO } from '../tolerances.ts'

export interface Contact {
  /** Whether the closed sets meet. */
  touching: boolean
  /** Distance of the surfaces, negative for a depth, 0 for what only touches; −Infinity when no translation separates the pair. */
  separation: number
  /** Where nothing separates the pair there is none. */
  hasNormal: boolean
  nx: number
  ny: number
  nz: number
  /** Midway between the surfaces along the normal; of no meaning without one. */
  px: number
  py: number
  pz: number
  /** Shortest vector that, added to B, leaves the pair touching; zero when apart, and where nothing separates it. */
  tx: number
  ty: number
  tz: number
}

export function createContact(): Contact {
  return {
    touching: false,
    separation: 0,
    hasNormal: false,
    nx: 0,
    ny: 0,
    nz: 0,
    px: 0,
    py: 0,
    pz: 0,
    tx: 0,
    ty: 0,
    tz: 0,
  }
}

const apart = createSeparation()
const depth = createDepth()

export function contact(a: Body, b: Body, out: Contact): void {
  const frame = pairInRange(a, b)
  out.touching = measure(frame, apart, depth)
  if (out.touching && isTrifle(frame)) settleTrifle(frame)
  if (out.touching) setMeeting(frame, out)
  else setApart(frame, out)
}

/** Whether the depth may be one that rounding has made. */
function isTrifle({ extent }: PairFrame): boolean {
  return depth.depth <= CLEAR_DEPTH_RATIO * extent
}

/** Has the depth agree with the relation: none of what only touches, where they have but that place in common, and some of what overlaps. */
function settleTrifle(frame: PairFrame): void {
  if (relate(frame) < 0) {
    if (!setExactDepth(frame, depth)) depth.depth = Math.max(depth.depth, LEAST_GAP_RATIO * frame.extent)
    return
  }
  depth.depth = 0
  separate(frame, apart)
  depth.px = apart.a[0]
  depth.py = apart.a[1]
  depth.pz = apart.a[2]
}

function setApart({ swapped, exponent }: PairFrame, out: Contact): void {
  const { a, b, normal } = apart
  const side = swapped ? -1 : 1
  out.separation = exponent === 0 ? apart.distance : scaleSigned(apart.distance, exponent)
  out.hasNormal = true
  // + 0: no negative zeros.
  out.nx = side * normal[0] + 0
  out.ny = side * normal[1] + 0
  out.nz = side * normal[2] + 0
  out.px = midway(scaleBy(a[0], exponent), scaleBy(b[0], exponent))
  out.py = midway(scaleBy(a[1], exponent), scaleBy(b[1], exponent))
  out.pz = midway(scaleBy(a[2], exponent), scaleBy(b[2], exponent))
  out.tx = 0
  out.ty = 0
  out.tz = 0
}

function midway(a: number, b: number): number {
  return a / 2 + b / 2
}

function setMeeting({ swapped, exponent }: PairFrame, out: Contact): void {
  const { nx, ny, nz } = depth
  const side = swapped ? -1 : 1
  out.hasNormal = depth.depth < Infinity
  const length = out.hasNormal ? scaleSigned(depth.depth, exponent) : 0
  // 0 −, + 0: no negative zeros.
  out.separation = out.hasNormal ? 0 - length : -Infinity
  out.nx = side * nx + 0
  out.ny = side * ny + 0
  out.nz = side * nz + 0
  out.tx = length * out.nx + 0
  out.ty = length * out.ny + 0
  out.tz = length * out.nz + 0
  const half = out.hasNormal ? depth.depth / 2 : 0
  out.px = scaleBy(depth.px - half * nx, exponent)
  out.py = scaleBy(depth.py - half * ny, exponent)
  out.pz = scaleBy(depth.pz - half * nz, exponent)
}
