/**
 * The distance query: how far apart two bodies are, and their nearest points; a common point when they meet.
 * Frame: the answer is in world coordinates; the normal points from A to B.
 */
import type { Body } from './body.ts'
import { commonPoint, createPoint } from './common-point.ts'
import { separate } from './pair.ts'
import { createSeparation } from './separation.ts'

export interface Distance {
  distance: number
  ax: number
  ay: number
  bx: number
  by: number
  /** False when the distance is 0: points that coincide have no direction. */
  hasNormal: boolean
  nx: number
  ny: number
}

export function createDistance(): Distance {
  return { distance: 0, ax: 0, ay: 0, bx: 0, by: 0, hasNormal: false, nx: 0, ny: 0 }
}

const separation = createSeparation()
const shared = createPoint()

export function distance(a: Body, b: Body, out: Distance): void {
  const { dx, dy, error } = separate(a, b, separation)
  const apart = separation.relation > 0
  if (!apart) {
    commonPoint(a, b, dx, dy, error, separation, shared)
    separation.ax = shared.x
    separation.ay = shared.y
    separation.bx = shared.x
    separation.by = shared.y
  }
  out.distance = apart ? separation.value : 0
  out.hasNormal = apart
  out.nx = apart ? separation.nx : 0
  out.ny = apart ? separation.ny : 0
  out.ax = a.x + (a.anchorX + separation.ax)
  out.ay = a.y + (a.anchorY + separation.ay)
  out.bx = a.x + (a.anchorX + separation.bx)
  out.by = a.y + (a.anchorY + separation.by)
}
