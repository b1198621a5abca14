/**
 * A point joined to a hull: the triangles that it sees fall, and a fan of new ones goes from it to the edge of the hole.
 *
 * Method: a walk over neighbours from one triangle that is seen; the edges between seen and unseen triangles, put in order by where
 * they start. The fan is the mantle of a convex cone. Which of its triangles another point sees is found, where they are many, by
 * halving: the point stands in one of the wedges between the half-planes from the line of one mantle edge through the others, and
 * is outside the cone exactly if it is outside that wedge's triangle, or outside a triangle at that line.
 */

import { WIDE_FAN_COUNT } from '../tolerances.ts'
import {
  addTriangle,
  type HullTriangles,
  joinEdges,
  nextEdge,
  removeTriangle,
  reserveTriangles,
  sideOf,
  sideOfThree,
} from './hull-triangles.ts'
import type { ScaledPoints } from './scaled-points.ts'

export interface HullFan {
  /** The new triangles in order, counter-clockwise seen from the point; triangle k joins foot k and the next with the point. */
  triangles: Int32Array
  count: number
  feet: Int32Array
  /** The point that all meet in. */
  tip: number
  /** Whether they are so many that `coneTriangleSeen` is the quicker way. */
  isWide: boolean
  /** The first ones of the lists of points that saw what has fallen. */
  orphans: Int32Array
  orphanCount: number
  /** Of each foot, the edge of the hole that starts there. */
  edgeFrom: Int32Array
  /** The triangles that the point sees. */
  found: Int32Array
  stamp: number
}

/** A fan for so many points. */
export function resetFan(points: number, fan: HullFan = {} as HullFan): HullFan {
  fan.count = 0
  fan.orphanCount = 0
  fan.tip = -1
  fan.isWide = false
  fan.stamp = 0
  if (fan.edgeFrom !== undefined && fan.edgeFrom.length >= points && fan.edgeFrom.length <= 8 * points + 256) return fan
  fan.edgeFrom = new Int32Array(2 * points)
  fan.triangles = new Int32Array(32)
  fan.feet = new Int32Array(32)
  fan.orphans = new Int32Array(32)
  fan.found = new Int32Array(32)
  return fan
}

/** Joins point p, which sees triangle `first`, and sets `fan`; returns how many triangles were looked at or made. */
export function addFan(t: HullTriangles, points: ScaledPoints, p: number, first: number, fan: HullFan): number {
  if (fan.found.length < t.end) fan.found = new Int32Array(2 * t.end)
  const looks = findSeen(t, points, p, first, fan)
  return looks + 4 * fillHole(t, points, p, fan)
}

/** Takes off the triangles that p sees, keeps their lists, and sets the feet. */
function findSeen(t: HullTriangles, points: ScaledPoints, p: number, first: number, fan: HullFan): number {
  const { found, edgeFrom } = fan
  const { mark, twin, origin, firstSeer } = t
  // An even number says seen, the odd one after it unseen.
  fan.stamp += 2
  const { stamp } = fan
  let size = 0
  let looks = 0
  found[size++] = first
  mark[first] = stamp
  let feet = 0
  let foot = -1
  for (let i = 0; i < size; i++) {
    const end = 3 * found[i] + 3
    for (let edge = end - 3; edge < end; edge++) {
      const neighbour = (twin[edge] / 3) | 0
      if (mark[neighbour] === stamp) continue
      if (mark[neighbour] !== stamp + 1) {
        looks++
        if (sideOf(t, points, neighbour, p) > 0) {
          mark[neighbour] = stamp
          found[size++] = neighbour
          continue
        }
        mark[neighbour] = stamp + 1
      }
      foot = origin[edge]
      edgeFrom[foot] = edge
      feet++
    }
  }
  makeRoom(fan, Math.max(feet, size))
  fan.orphanCount = 0
  for (let i = 0; i < size; i++) {
    const seer = firstSeer[found[i]]
    if (seer >= 0) fan.orphans[fan.orphanCount++] = seer
  }
  fan.count = feet
  fan.feet[0] = foot
  walkHole(t, fan)
  for (let i = 0; i < size; i++) removeTriangle(t, found[i])
  return looks + size
}

/** Puts the feet in order, from the first on, each with the half-edge outside the hole that ends there. */
function walkHole({ twin, origin }: HullTriangles, { feet, count, edgeFrom, triangles }: HullFan): void {
  let foot = feet[0]
  for (let k = 0; k < count; k++) {
    const edge = edgeFrom[foot]
    feet[k] = foot
    // The neighbour stands here until its triangle is made.
    triangles[k] = twin[edge]
    foot = origin[nextEdge(edge)]
  }
}

function makeRoom(fan: HullFan, size: number): void {
  if (fan.feet.length >= size && fan.orphans.length >= size) return
  fan.triangles = new Int32Array(2 * size)
  fan.feet = new Int32Array(2 * size)
  fan.orphans = new Int32Array(2 * size)
}

function fillHole(t: HullTriangles, points: ScaledPoints, p: number, fan: HullFan): number {
  const { feet, triangles, count } = fan
  reserveTriangles(t, count)
  for (let k = 0; k < count; k++) {
    const f = addTriangle(t, points, feet[k], feet[k + 1 === count ? 0 : k + 1], p)
    joinEdges(t, 3 * f, triangles[k])
    triangles[k] = f
    if (k > 0) joinEdges(t, 3 * triangles[k - 1] + 1, 3 * f + 2)
  }
  joinEdges(t, 3 * triangles[count - 1] + 1, 3 * triangles[0] + 2)
  fan.tip = p
  fan.isWide = count > WIDE_FAN_COUNT
  return count
}

/** The place of a triangle of a wide fan that point q sees, −1 for none: then it sees no triangle of the hull. */
export function coneTriangleSeen(t: HullTriangles, points: ScaledPoints, fan: HullFan, q: number): number {
  const found = triangleSeenFrom(t, points, fan, q, 0)
  // A point on the line of one mantle edge is not on that of another, unless it is the tip.
  return found === UNDECIDED ? Math.max(-1, triangleSeenFrom(t, points, fan, q, fan.count >> 1)) : found
}

const UNDECIDED = -2

/** The same by the wedges about the line from foot `base` to the tip; undecided on that line. */
function triangleSeenFrom(t: HullTriangles, points: ScaledPoints, fan: HullFan, q: number, base: number): number {
  const { feet, triangles, count, tip } = fan
  const before = base === 0 ? count - 1 : base - 1
  if (sideOf(t, points, triangles[base], q) > 0) return base
  if (sideOf(t, points, triangles[before], q) > 0) return before
  let low = 1
  let high = count - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    const side = sideOfThree(points, feet[base], feet[(base + middle) % count], tip, q)
    if (side === 0 && sideOf(t, points, triangles[base], q) === 0) return UNDECIDED
    if (side > 0) high = middle
    else low = middle
  }
  const place = (base + low) % count
  return sideOf(t, points, triangles[place], q) > 0 ? place : -1
}
