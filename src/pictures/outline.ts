/**
 * Outlines of shapes, made of points, lines, true arcs and half-planes.
 *
 * Frame: that of `pose.ts`, y up; counter-clockwise turns are positive.
 */
import type { Vec2 } from '../../schemas/vector.ts'

/** Part of an ellipse: centre + R(axis)·(rx·cos t, ry·sin t) for t from `start` to `start + turn`. */
export interface DrawnArc {
  cx: number
  cy: number
  rx: number
  ry: number
  axis: number
  start: number
  turn: number
}

/** A line or an arc to (x, y). */
interface Step {
  x: number
  y: number
  arc: DrawnArc | null
}

export interface DrawnRing {
  x: number
  y: number
  steps: Step[]
  closed: boolean
}

export type DrawnPart =
  | { kind: 'point'; x: number; y: number }
  /** `line`: an edge inside the outline, in front of the body or hidden behind it. */
  | { kind: 'path'; filled: boolean; rings: DrawnRing[]; line?: 'inner' | 'hidden' }
  /** (x, y) lies on the boundary; the unit normal points out of the solid side. */
  | { kind: 'halfplane'; x: number; y: number; nx: number; ny: number }

export interface DrawnBox {
  minX: number
  minY: number
  maxX: number
  maxY: number
}

/** Longest piece of an arc: the direction of an SVG arc of half a turn would depend on the rounding of its ends. */
const MAX_ARC_TURN = 1.8

export function arcPoint({ cx, cy, rx, ry, axis, start }: DrawnArc, t: number): Vec2 {
  const u = rx * Math.cos(start + t)
  const v = ry * Math.sin(start + t)
  const cos = Math.cos(axis)
  const sin = Math.sin(axis)
  return { x: cx + cos * u - sin * v, y: cy + sin * u + cos * v }
}

/** The steps along an arc, from its start point. */
export function arcSteps(arc: DrawnArc): Step[] {
  const count = Math.ceil(Math.abs(arc.turn) / MAX_ARC_TURN)
  const turn = arc.turn / count
  return Array.from({ length: count }, (_, i) => {
    const piece = { ...arc, start: arc.start + i * turn, turn }
    return { ...arcPoint(piece, turn), arc: piece }
  })
}

export function polyRing(points: readonly Vec2[], closed: boolean): DrawnRing {
  const [{ x, y }] = points
  return { x, y, closed, steps: points.slice(1).map((p) => ({ x: p.x, y: p.y, arc: null })) }
}

export function createBox(): DrawnBox {
  return { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity }
}

/** Beyond this magnitude the width of a box would overflow. */
const FARTHEST = 1e300

/** Clamps a number to that magnitude. */
export function within(value: number): number {
  return Math.min(FARTHEST, Math.max(-FARTHEST, value))
}

export function addToBox(box: DrawnBox, farX: number, farY: number): void {
  const x = within(farX)
  const y = within(farY)
  if (x < box.minX) box.minX = x
  if (x > box.maxX) box.maxX = x
  if (y < box.minY) box.minY = y
  if (y > box.maxY) box.maxY = y
}

export function joinBox(box: DrawnBox, other: DrawnBox): void {
  if (isEmpty(other)) return
  addToBox(box, other.minX, other.minY)
  addToBox(box, other.maxX, other.maxY)
}

export function isEmpty({ minX, maxX }: DrawnBox): boolean {
  return !(minX <= maxX)
}

/** The longer side; 0 of an empty box. */
export function boxSize({ minX, minY, maxX, maxY }: DrawnBox): number {
  return Math.max(0, maxX - minX, maxY - minY)
}

export function boxCentre({ minX, minY, maxX, maxY }: DrawnBox): Vec2 {
  return { x: minX + (maxX - minX) / 2, y: minY + (maxY - minY) / 2 }
}

/** Half-planes have no box and add nothing. An arc counts as its whole ellipse, which lies within the shape for every arc that is drawn. */
export function partsBox(parts: readonly DrawnPart[]): DrawnBox {
  const box = createBox()
  for (const part of parts) {
    if (part.kind === 'point') addToBox(box, part.x, part.y)
    if (part.kind !== 'path') continue
    for (const ring of part.rings) addRing(box, ring)
  }
  return box
}

function addRing(box: DrawnBox, { x, y, steps }: DrawnRing): void {
  addToBox(box, x, y)
  for (const step of steps) {
    addToBox(box, step.x, step.y)
    if (step.arc === null) continue
    const { cx, cy } = step.arc
    const halfWidth = arcReach(step.arc, 1, 0)
    const halfHeight = arcReach(step.arc, 0, 1)
    addToBox(box, cx - halfWidth, cy - halfHeight)
    addToBox(box, cx + halfWidth, cy + halfHeight)
  }
}

/** Extent of the arc's ellipse from its centre along a unit vector. */
function arcReach({ rx, ry, axis }: DrawnArc, nx: number, ny: number): number {
  const cos = Math.cos(axis)
  const sin = Math.sin(axis)
  return Math.hypot(rx * (cos * nx + sin * ny), ry * (cos * ny - sin * nx))
}

/** Greatest height of the parts along a unit vector; a half-plane counts with its boundary. */
export function greatestHeight(parts: readonly DrawnPart[], { x: nx, y: ny }: Vec2): number {
  let height = -Infinity
  const lift = (h: number) => {
    if (h > height) height = h
  }
  for (const part of parts) {
    if (part.kind !== 'path') {
      lift(part.x * nx + part.y * ny)
      continue
    }
    for (const ring of part.rings) {
      lift(ring.x * nx + ring.y * ny)
      for (const { x, y, arc } of ring.steps) {
        lift(x * nx + y * ny)
        if (arc !== null) lift(arc.cx * nx + arc.cy * ny + arcReach(arc, nx, ny))
      }
    }
  }
  return height
}
