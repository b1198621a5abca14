/**
 * Edges of a polygon core: who follows whom, and where a point lies along one.
 * Edge i runs from vertex i to the one after it, counter-clockwise.
 */

import { CLEAR_COSINE_RATIO } from '../tolerances.ts'
import type { Body } from './body.ts'

/** The vertex or edge after `i`. */
export function following(body: Body, i: number): number {
  return i + 1 === body.count ? 0 : i + 1
}

/** The vertex or edge before `i`. */
export function preceding(body: Body, i: number): number {
  return i === 0 ? body.count - 1 : i - 1
}

/** −1 when the point (relative to the anchor) lies before the start of the edge, 1 beyond its end, 0 beside it. */
export function sideOfEdge(body: Body, edge: number, px: number, py: number): -1 | 0 | 1 {
  const { normals, local } = body
  const next = following(body, edge)
  const ux = -normals[2 * edge + 1]
  const uy = normals[2 * edge]
  if ((px - local[2 * edge]) * ux + (py - local[2 * edge + 1]) * uy < 0) return -1
  return (px - local[2 * next]) * ux + (py - local[2 * next + 1]) * uy > 0 ? 1 : 0
}

export interface Direction {
  nx: number
  ny: number
}

/** Whether both edges at vertex i lead away in the given direction (side −1: against it), or along an axis across it. */
export function isBehind(body: Body, i: number, direction: Direction, side: 1 | -1): boolean {
  const { count } = body
  if (count === 1) return true
  const nx = side * direction.nx
  const ny = side * direction.ny
  const next = i + 1 === count ? 0 : i + 1
  const previous = i === 0 ? count - 1 : i - 1
  return leadsAway(body, i, next, nx, ny) && leadsAway(body, i, previous, nx, ny)
}

function leadsAway({ vertices }: Body, i: number, j: number, nx: number, ny: number): boolean {
  const ex = vertices[2 * j] - vertices[2 * i]
  const ey = vertices[2 * j + 1] - vertices[2 * i + 1]
  const rise = nx * ex + ny * ey
  if (rise === 0) return ex === 0 || ey === 0
  return rise > CLEAR_COSINE_RATIO * (Math.abs(ex) + Math.abs(ey))
}
