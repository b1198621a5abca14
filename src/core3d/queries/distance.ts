/**
 * The distance query: how far apart two bodies are, and their nearest points; a common point when they meet.
 * Frame: the answer is in world coordinates; the normal points from A to B.
 */

import { scaleNumbers, scaleSigned } from '../../numeric/safe-range.ts'
import { createNearestLeaves, nearestLeaves } from '../narrow-phase/composite-relation.ts'
import { createCompositeFrame, orderComposites } from '../narrow-phase/composite-walk.ts'
import { createSeparation, type PairFrame, pairInRange, type Separation } from '../narrow-phase/pair-frame.ts'
import { separate } from '../narrow-phase/separate.ts'
import { type Body, COMPOSITE } from '../shape/body.ts'

export interface Distance {
  distance: number
  ax: number
  ay: number
  az: number
  bx: number
  by: number
  bz: number
  /** False when the distance is 0: points that coincide have no direction. */
  hasNormal: boolean
  nx: number
  ny: number
  nz: number
}

export function createDistance(): Distance {
  return { distance: 0, ax: 0, ay: 0, az: 0, bx: 0, by: 0, bz: 0, hasNormal: false, nx: 0, ny: 0, nz: 0 }
}

const separation = createSeparation()
const composites = createCompositeFrame()
const nearest = createNearestLeaves()

export function distance(a: Body, b: Body, out: Distance): void {
  if (a.kind === COMPOSITE || b.kind === COMPOSITE) {
    distanceOfComposites(a, b, out)
    return
  }
  const frame = pairInRange(a, b)
  separate(frame, separation)
  setDistance(frame, separation, out)
  scaleBack(frame, out)
}

function scaleBack({ exponent }: Pick<PairFrame, 'exponent'>, out: Distance): void {
  if (exponent === 0) return
  out.distance = out.hasNormal ? scaleSigned(out.distance, exponent) : 0
  scaleNumbers(out, ['ax', 'ay', 'az', 'bx', 'by', 'bz'], exponent)
}

/** That of the nearest leaves, or a point of a piece that a solid holds. */
function distanceOfComposites(a: Body, b: Body, out: Distance): void {
  orderComposites(a, b, composites)
  nearestLeaves(composites, nearest)
  const { leafA, held, exponent, swapped, separation } = nearest
  if (leafA < 0) {
    setHeld(held, out)
    return
  }
  setDistance({ swapped: swapped !== composites.swapped }, separation, out)
  scaleBack({ exponent }, out)
}

function setHeld([x, y, z]: Float64Array, out: Distance): void {
  out.distance = 0
  out.hasNormal = false
  out.nx = 0
  out.ny = 0
  out.nz = 0
  out.ax = x
  out.ay = y
  out.az = z
  out.bx = x
  out.by = y
  out.bz = z
}

/** The separation as the answer to the pair as it was asked about, at the scale of the frame. */
export function setDistance(frame: Pick<PairFrame, 'swapped'>, separation: Separation, out: Distance): void {
  const { normal } = separation
  const from = frame.swapped ? separation.b : separation.a
  const to = frame.swapped ? separation.a : separation.b
  const side = frame.swapped ? -1 : 1
  out.distance = separation.distance
  out.ax = from[0]
  out.ay = from[1]
  out.az = from[2]
  out.bx = to[0]
  out.by = to[1]
  out.bz = to[2]
  out.hasNormal = !separation.meet
  // + 0: no negative zeros.
  out.nx = side * normal[0] + 0
  out.ny = side * normal[1] + 0
  out.nz = side * normal[2] + 0
}
