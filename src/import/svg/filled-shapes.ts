/**
 * What the closed rings of a path fill, by its fill rule: outlines with their holes.
 *
 * Rings that do not cross lie in each other or beside each other: how often each is wound about by those around it says whether what
 * is just within it is filled, and it is an outline or a hole where that changes. Of rings that cross each other, all of them wound
 * the same way, the rule `nonzero` fills the union; others are told apart by nobody. Rings that cross themselves are refused by the
 * service where they are used. Cost O(rings · points), and the product of the points of two rings whose boxes meet.
 */

import type { Body2d } from '../../../schemas/shapes/body.ts'
import type { Vec2 } from '../../../schemas/vec2.ts'
import { orientation } from '../../core2d/points/orientation.ts'
import { closedShape } from '../drawing/closed-shape.ts'

export type FillRule = 'nonzero' | 'evenodd'

interface Ring {
  points: Vec2[]
  /** 1 or −1, the way it is wound; 0 without area. */
  turn: number
  /** Rings around it. */
  around: Ring[]
}

/** Rings of one path. */
const MOST_RINGS = 4096

/** What is filled, piece by piece; or a sentence why it cannot be told. */
export function filledShapes(rings: readonly Vec2[][], rule: FillRule): Body2d[] | string {
  if (rings.length === 1) return [{ shape: closedShape(rings[0]) }]
  if (rings.length > MOST_RINGS) return `It has ${rings.length} rings; more than ${MOST_RINGS} are not told apart.`
  const all: Ring[] = rings.map((points) => ({ points, turn: turnOf(points), around: [] }))
  for (const ring of all) ring.around = all.filter((other) => other !== ring && holds(other.points, ring.points))
  const doCross = anyCross(rings)
  if (doCross === null) return 'It has too many points for its rings to be told apart.'
  if (doCross) {
    if (rule === 'nonzero' && all.every(({ turn }) => turn === all[0].turn && turn !== 0)) {
      return all.map(({ points }) => ({ shape: closedShape(points) }))
    }
    return 'Its rings cross each other.'
  }
  const isFilled = (list: readonly Ring[]): boolean => {
    const winding = list.reduce((sum, { turn }) => sum + (rule === 'evenodd' ? 1 : turn), 0)
    return rule === 'evenodd' ? winding % 2 === 1 : winding !== 0
  }
  const within = (ring: Ring): boolean => isFilled([ring, ...ring.around])
  const outlines = all.filter((ring) => within(ring) && !isFilled(ring.around))
  const holes = all.filter((ring) => !within(ring) && isFilled(ring.around))
  return outlines.map((outline) => {
    const own = holes.filter((hole) => nearest(hole.around, outlines) === outline)
    if (own.length === 0) return { shape: closedShape(outline.points) }
    return { shape: { type: 'region', outer: outline.points, holes: own.map(({ points }) => points) } }
  })
}

/** Comparisons of a point of one ring with a side of another. */
const MOST_STEPS = 2 ** 27

/** Whether any two rings cross; null where that would take too long. */
function anyCross(rings: readonly Vec2[][]): boolean | null {
  const boxes = rings.map(boxOf)
  let steps = 0
  for (const [k, ring] of rings.entries()) {
    for (let j = 0; j < k; j++) {
      if (!doMeet(boxes[j], boxes[k])) continue
      steps += ring.length * rings[j].length
      if (steps > MOST_STEPS) return null
      if (cross(ring, rings[j])) return true
    }
  }
  return false
}

/** Sides that cross in a point within both, or corners of one within the other and beyond it. Rings may touch. */
function cross(ring: readonly Vec2[], other: readonly Vec2[]): boolean {
  for (const [k, p] of ring.entries()) {
    const q = ring[(k + 1) % ring.length]
    for (const [j, r] of other.entries()) {
      const s = other[(j + 1) % other.length]
      if (Math.max(p.x, q.x) < Math.min(r.x, s.x) || Math.max(r.x, s.x) < Math.min(p.x, q.x)) continue
      if (sideOfLine(p, q, r) * sideOfLine(p, q, s) < 0 && sideOfLine(r, s, p) * sideOfLine(r, s, q) < 0) return true
    }
  }
  return isOnBothSides(ring, other) || isOnBothSides(other, ring)
}

function sideOfLine(p: Vec2, q: Vec2, r: Vec2): number {
  return Math.sign(orientation(p.x, p.y, q.x, q.y, r.x, r.y))
}

function isOnBothSides(points: readonly Vec2[], ring: readonly Vec2[]): boolean {
  let seen = 0
  for (const point of points) {
    const side = sideOf(ring, point)
    if (side !== 0 && seen !== 0 && side !== seen) return true
    if (side !== 0) seen = side
  }
  return false
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

function boxOf(points: readonly Vec2[]): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x)
    box.top = Math.min(box.top, y)
    box.right = Math.max(box.right, x)
    box.bottom = Math.max(box.bottom, y)
  }
  return box
}

function doMeet(a: Box, b: Box): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom
}

/** The innermost of the outlines among some rings. */
function nearest(around: readonly Ring[], outlines: readonly Ring[]): Ring | undefined {
  return around.filter((ring) => outlines.includes(ring)).sort((p, q) => q.around.length - p.around.length)[0]
}

function turnOf(points: readonly Vec2[]): number {
  const area = points.reduce((sum, p, k) => {
    const q = points[(k + 1) % points.length]
    return sum + (p.x - points[0].x) * (q.y - points[0].y) - (p.y - points[0].y) * (q.x - points[0].x)
  }, 0)
  return Math.sign(area)
}

/** Whether a ring lies within another: by its first point that is not on it. */
function holds(outer: readonly Vec2[], inner: readonly Vec2[]): boolean {
  for (const point of inner) {
    const side = sideOf(outer, point)
    if (side !== 0) return side > 0
  }
  return false
}

/** 1 within, 0 on, −1 outside a ring; exact. */
function sideOf(ring: readonly Vec2[], { x, y }: Vec2): -1 | 0 | 1 {
  let isWithin = false
  for (let k = 0; k < ring.length; k++) {
    const p = ring[k]
    const q = ring[(k + 1) % ring.length]
    const side = orientation(p.x, p.y, q.x, q.y, x, y)
    const isBeside =
      Math.min(p.x, q.x) <= x && x <= Math.max(p.x, q.x) && Math.min(p.y, q.y) <= y && y <= Math.max(p.y, q.y)
    if (side === 0 && isBeside) return 0
    if (p.y > y !== q.y > y && (q.y > p.y ? side > 0 : side < 0)) isWithin = !isWithin
  }
  return isWithin ? 1 : -1
}
