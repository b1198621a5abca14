/**
 * What the closed rings of a path fill, by its fill rule: outlines with their holes.
 *
 * Rings that do not cross lie in each other or beside each other: how often each is wound about by those around it says whether what
 * is just within it is filled, and it is an outline or a hole where that changes. Rings that cross are nobody's: the service refuses
 * them where they are used. Cost O(rings · points), bounded.
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

/** Rings of one path, and sides that are looked at to tell which lies in which. */
const MOST_RINGS = 4096
const MOST_LOOKS = 5e7

/** What is filled, piece by piece; or a sentence why it cannot be told. */
export function filledShapes(rings: readonly Vec2[][], rule: FillRule): Body2d[] | string {
  if (rings.length === 1) return [{ shape: closedShape(rings[0]) }]
  if (rings.length > MOST_RINGS) return `It has ${rings.length} rings; more than ${MOST_RINGS} are not told apart.`
  const all: Ring[] = rings.map((points) => ({ points, box: boxOf(points), turn: turnOf(points), around: [] }))
  let looks = 0
  for (const ring of all) {
    for (const other of all) {
      if (other === ring || !boxHolds(other.box, ring.box)) continue
      const found = holds(other.points, ring.points, MOST_LOOKS - looks)
      looks += found.looks
      if (looks >= MOST_LOOKS) return 'Its rings lie in each other, or along each other, too often to be told apart.'
      if (found.isWithin) ring.around.push(other)
    }
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

/** Whether a ring lies within another: by its first point that is not on it. Ends after so many looks. */
function holds(outer: readonly Vec2[], inner: readonly Vec2[], most: number): { isWithin: boolean; looks: number } {
  let looks = 0
  for (const point of inner) {
    const side = sideOf(outer, point)
    looks += outer.length
    if (side !== 0) return { isWithin: side > 0, looks }
    if (looks >= most) break
  }
  return { isWithin: false, looks }
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
