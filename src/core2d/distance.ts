/**
 * The distance query: how far apart two bodies are, and their nearest points; a common point when they meet.
 * Frame: the answer is in world coordinates; the normal points from A to B.
 */
import type { Body } from './body.ts'
import { commonPoint, createPoint } from './common-point.ts'
import { separate, toWorld } from './pair.ts'
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
  const { first, second, swapped, dx, dy, error } = separate(a, b, separation)
  const apart = separation.relation > 0
  if (!apart) {
    commonPoint(first, second, dx, dy, error, separation, shared)
    separation.ax = shared.x
    separation.ay = shared.y
    separation.bx = shared.x
    separation.by = shared.y
  }
  const side = swapped ? -1 : 1
  out.distance = apart ? separation.value : 0
  out.hasNormal = apart
  out.nx = apart ? side * separation.nx : 0
  out.ny = apart ? side * separation.ny : 0
  out.ax = toWorld(first.x, first.anchorX, swapped ? separation.bx : separation.ax)
  out.ay = toWorld(first.y, first.anchorY, swapped ? separation.by : separation.ay)
  out.bx = toWorld(first.x, first.anchorX, swapped ? separation.ax : separation.bx)
  out.by = toWorld(first.y, first.anchorY, swapped ? separation.ay : separation.by)
}
