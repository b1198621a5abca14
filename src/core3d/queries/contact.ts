/**
 * The contact query: signed separation, normal, one contact point and the translation that just separates the pair.
 * Frame: the answer is in world coordinates; the normal points from A to B.
 */

import { midway, scaleBy, scaleSigned } from '../../numeric/safe-range.ts'
import { createNearestLeaves, nearestLeaves, relateComposites } from '../narrow-phase/composite-relation.ts'
import {
  type CompositeTranslation,
  orderSecondMoved,
  partComposites,
  partingWay,
} from '../narrow-phase/composite-translation.ts'
import { createCompositeFrame, orderComposites } from '../narrow-phase/composite-walk.ts'
import { createDepth, setExactDepth } from '../narrow-phase/depth.ts'
import { createSeparation, type PairFrame, pairInRange, type Separation } from '../narrow-phase/pair-frame.ts'
import { measure, relate, separate } from '../narrow-phase/separate.ts'
import { type Body, COMPOSITE } from '../shape/body.ts'
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
  /** False where the depth of a concave pair is only the least that was found: its translation parts the two for certain. */
  exact: boolean
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
    exact: true,
  }
}

const apart = createSeparation()
const depth = createDepth()

export function contact(a: Body, b: Body, out: Contact): void {
  if (a.kind === COMPOSITE || b.kind === COMPOSITE) contactOfComposites(a, b, out)
  else contactOfConvex(a, b, out)
}

function contactOfConvex(a: Body, b: Body, out: Contact): void {
  out.exact = true
  const frame = pairInRange(a, b)
  out.touching = measure(frame, apart, depth)
  if (out.touching && isTrifle(frame)) settleTrifle(frame)
  if (out.touching) setMeeting(frame, out)
  else setApart(frame, apart, out)
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

function setApart(
  { swapped, exponent }: Pick<PairFrame, 'swapped' | 'exponent'>,
  apart: Separation,
  out: Contact,
): void {
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

// Concave bodies: the nearest leaves where they are apart, the shortest way out that is found where they overlap, and a normal along which
// they part at once where they touch.

const composites = createCompositeFrame()
const moved = createCompositeFrame()
const nearest = createNearestLeaves()
const translation: CompositeTranslation = { found: false, way: [0, 0, 0], length: 0 }

function contactOfComposites(a: Body, b: Body, out: Contact): void {
  orderComposites(a, b, composites)
  const relation = relateComposites(composites)
  out.touching = relation <= 0
  out.exact = relation >= 0
  if (relation > 0) setNearest(out)
  else if (relation === 0) setTouching(out)
  else setOverlapping(out)
}

function setNearest(out: Contact): void {
  nearestLeaves(composites, nearest, true)
  const { swapped, exponent, separation } = nearest
  setApart({ swapped: swapped !== composites.swapped, exponent }, separation, out)
}

function setTouching(out: Contact): void {
  const [x, y, z] = partingWay(composites)
  nearestLeaves(composites, nearest)
  setWay(x, y, z, 0, out)
}

function setOverlapping(out: Contact): void {
  partComposites(composites, translation)
  const { found, way, length } = translation
  if (!found) {
    setWay(0, 0, 0, 0, out)
    out.separation = -Infinity
    return
  }
  orderSecondMoved(composites, way, length, moved)
  nearestLeaves(moved, nearest)
  setWay(way[0], way[1], way[2], length, out)
}

/** The way of the second body, after which the pair touches as `nearest` tells. */
function setWay(x: number, y: number, z: number, length: number, out: Contact): void {
  const side = composites.swapped ? -1 : 1
  out.hasNormal = x !== 0 || y !== 0 || z !== 0
  // + 0, 0 −: no negative zeros.
  out.nx = side * x + 0
  out.ny = side * y + 0
  out.nz = side * z + 0
  out.separation = 0 - length
  out.tx = length * out.nx + 0
  out.ty = length * out.ny + 0
  out.tz = length * out.nz + 0
  const { leafA, separation, exponent, held } = nearest
  const { a, b } = separation
  const middle = (k: number): number => (leafA < 0 ? held[k] : midway(scaleBy(a[k], exponent), scaleBy(b[k], exponent)))
  // Where they touch then, half of the way back: the middle between both surfaces as they lie.
  out.px = middle(0) - (x * length) / 2
  out.py = middle(1) - (y * length) / 2
  out.pz = middle(2) - (z * length) / 2
}
