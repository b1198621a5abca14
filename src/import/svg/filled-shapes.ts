/**
 * What the closed rings of a path fill, by its fill rule: outlines with their holes.
 *
 * Rings that do not cross lie in each other or beside each other: how often each is wound about by those around it says whether what
 * is just within it is filled, and it is an outline or a hole where that changes. Of rings that cross each other, all of them wound
 * the same way, the rule `nonzero` fills the union; others are told apart by nobody. Rings that cross themselves are refused by the
 * service where they are used. Cost O(rings · points), and the product of the points of two rings whose boxes meet; bounded.
 */

import type { Body2d } from '../../../schemas/shapes/body.ts'
import type { Vec2 } from '../../../schemas/vec2.ts'
import { orientation } from '../../core2d/points/orientation.ts'
import { closedShape } from '../drawing/closed-shape.ts'

export type FillRule = 'nonzero' | 'evenodd'

interface Ring {
  points: Vec2[]
  box: Box
  /** 1 or −1, the way it is wound; 0 without area. */
  turn: number
  /** Rings around it. */
  around: Ring[]
}

interface Box {
  minX: number
  minY: number
  maxX: number
  maxY: number
}

/** Rings of one path, and sides that are looked at to tell which cross and which lies in which. */
const MOST_RINGS = 4096
const MOST_LOOKS = 5e7

/** What is filled, piece by piece; or a sentence why it cannot be told. */
export function filledShapes(rings: readonly Vec2[][], rule: FillRule): Body2d[] | string {
  if (rings.length === 1) return [{ shape: closedShape(rings[0]) }]
  if (rings.length > MOST_RINGS) return `It has ${rings.length} rings; more than ${MOST_RINGS} are not told apart.`
  const all: Ring[] = rings.map((points) => ({ points, box: boxOf(points), turn: turnOf(points), around: [] }))
  const budget = { looks: MOST_LOOKS }
  const doCross = anyCross(all, budget)
  if (doCross === true) {
    if (rule === 'nonzero' && all.every(({ turn }) => turn === all[0].turn && turn !== 0)) {
      return all.map(({ points }) => ({ shape: closedShape(points) }))
    }
    return 'Its rings cross each other.'
  }
  if (doCross === null || !findAround(all, budget)) return 'It has too many points for its rings to be told apart.'
  const isFilled = (list: readonly Ring[]): boolean => {
    const winding = list.reduce((sum, { turn }) => sum + (rule === 'evenodd' ? 1 : turn), 0)
    return rule === 'evenodd' ? winding % 2 === 1 : winding !== 0
  }
  const within = (ring: Ring): boolean => isFilled([ring, ...ring.around])
  const outlines = all.filter((ring) => within(ring) && !isFilled(ring.around))
  const holes = all.filter((ring) => !within(ring) && isFilled(ring.around))
  const own = holesOf(outlines, holes)
  return outlines.map((outline) => {
    const inside = own.get(outline)
    if (inside === undefined) return { shape: closedShape(outline.points) }
    return { shape: { type: 'region', outer: outline.points, holes: inside.map(({ points }) => points) } }
  })
}

/** Of each outline that has some, the holes that it is the innermost outline around. */
function holesOf(outlines: readonly Ring[], holes: readonly Ring[]): Map<Ring, Ring[]> {
  const all = new Set(outlines)
  const found = new Map<Ring, Ring[]>()
  for (const hole of holes) {
    let nearest: Ring | undefined
    for (const ring of hole.around) {
      if (all.has(ring) && (nearest === undefined || ring.around.length > nearest.around.length)) nearest = ring
    }
    if (nearest === undefined) continue
    const known = found.get(nearest)
    if (known === undefined) found.set(nearest, [hole])
    else known.push(hole)
  }
  return found
}

/** Sides that may still be looked at. */
interface Budget {
  looks: number
}

/** Notes which rings lie in which, of rings that do not cross; false where that would take too long. */
function findAround(all: readonly Ring[], budget: Budget): boolean {
  for (const ring of all) {
    for (const other of all) {
      if (other === ring || !boxHolds(other.box, ring.box)) continue
      if (firstSide(other, ring.points, budget) > 0) ring.around.push(other)
      if (budget.looks <= 0) return false
    }
  }
  return true
}

/** Whether any two rings cross; null where that would take too long. */
function anyCross(all: readonly Ring[], budget: Budget): boolean | null {
  for (const [k, ring] of all.entries()) {
    for (let j = 0; j < k; j++) {
      if (!doMeet(all[j].box, ring.box)) continue
      if (cross(ring, all[j], budget)) return true
      if (budget.looks <= 0) return null
    }
  }
  return false
}

/** Sides that cross in a point within both, or corners of one within the other and beyond it. Rings may touch. */
function cross(ring: Ring, other: Ring, budget: Budget): boolean {
  const sides = sidesWithin(other.points, ring.box)
  budget.looks -= ring.points.length + other.points.length
  for (const [p, q] of sidesWithin(ring.points, other.box)) {
    budget.looks -= sides.length
    if (budget.looks <= 0) return false
    for (const [r, s] of sides) {
      if (Math.max(p.x, q.x) < Math.min(r.x, s.x) || Math.max(r.x, s.x) < Math.min(p.x, q.x)) continue
      if (sideOfLine(p, q, r) * sideOfLine(p, q, s) < 0 && sideOfLine(r, s, p) * sideOfLine(r, s, q) < 0) return true
    }
  }
  return isOnBothSides(ring, other, budget) || isOnBothSides(other, ring, budget)
}

/** Sides of a ring whose boxes meet a box. */
function sidesWithin(points: readonly Vec2[], box: Box): [Vec2, Vec2][] {
  return points
    .map((p, k): [Vec2, Vec2] => [p, points[(k + 1) % points.length]])
    .filter((side) => doMeet(boxOf(side), box))
}

function sideOfLine(p: Vec2, q: Vec2, r: Vec2): number {
  return Math.sign(orientation(p.x, p.y, q.x, q.y, r.x, r.y))
}

function isOnBothSides({ points }: Ring, ring: Ring, budget: Budget): boolean {
  let seen = 0
  for (const point of points) {
    const side = firstSide(ring, [point], budget)
    if (budget.looks <= 0) return false
    if (side !== 0 && seen !== 0 && side !== seen) return true
    if (side !== 0) seen = side
  }
  return false
}

function doMeet(a: Box, b: Box): boolean {
  return a.minX <= b.maxX && b.minX <= a.maxX && a.minY <= b.maxY && b.minY <= a.maxY
}

function turnOf(points: readonly Vec2[]): number {
  const area = points.reduce((sum, p, k) => {
    const q = points[(k + 1) % points.length]
    return sum + (p.x - points[0].x) * (q.y - points[0].y) - (p.y - points[0].y) * (q.x - points[0].x)
  }, 0)
  return Math.sign(area)
}

/** On which side of a ring the first of the points lies that is not on it; 0 without one, or where the budget ends. */
function firstSide({ points: ring, box }: Ring, points: readonly Vec2[], budget: Budget): -1 | 0 | 1 {
  for (const point of points) {
    const { x, y } = point
    budget.looks--
    if (x < box.minX || x > box.maxX || y < box.minY || y > box.maxY) return -1
    budget.looks -= ring.length
    if (budget.looks <= 0) return 0
    const side = sideOf(ring, point)
    if (side !== 0) return side
  }
  return 0
}

function boxOf(points: readonly Vec2[]): Box {
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity }
  for (const { x, y } of points) {
    box.minX = Math.min(box.minX, x)
    box.minY = Math.min(box.minY, y)
    box.maxX = Math.max(box.maxX, x)
    box.maxY = Math.max(box.maxY, y)
  }
  return box
}

function boxHolds(outer: Box, inner: Box): boolean {
  return outer.minX <= inner.minX && outer.minY <= inner.minY && outer.maxX >= inner.maxX && outer.maxY >= inner.maxY
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
