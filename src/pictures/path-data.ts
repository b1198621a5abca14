/**
 * Parts → the `d` of an SVG path, in picture units.
 *
 * Arcs stay arcs. Parts that extend far beyond the plot are clipped to a window around it, where arcs become chords.
 */

import type { Vec2 } from '../../schemas/vector.ts'
import { arcPoint, boxSize, type DrawnArc, type DrawnBox, type DrawnPart, type DrawnRing } from './outline.ts'
import {
  lengthFromPicture,
  lengthToPicture,
  type PictureFrame,
  short,
  toPicture,
  turnedToPicture,
  visibleBox,
} from './view-box.ts'

// Clipping to a window, for shapes so much larger than the plot that renderers would lose digits.
//
// Methods: I. E. Sutherland and G. W. Hodgman, "Reentrant polygon clipping", CACM 17 (1974), for what is filled; Y.-D. Liang
// and B. A. Barsky, "A new concept and method for line clipping", ACM TOG 3 (1984), for lines. Arcs become chords first,
// fine ones only near the window.

const MAX_DEPTH = 48
/** Maximum number of corners and chords of a ring; doubles may be too coarse for finer chords. */
const MOST_CHORDS = 4000

/** The ring's corners, with arcs as chords that deviate by at most `tolerance` within the window. */
export function flattened(ring: DrawnRing, window: DrawnBox, tolerance: number): Vec2[] {
  const points: Vec2[] = [{ x: ring.x, y: ring.y }]
  const chords = { window, tolerance, points, most: ring.steps.length + MOST_CHORDS }
  for (const { x, y, arc } of ring.steps) {
    if (arc !== null) addChords(chords, arc, 0, arc.turn, 0)
    points.push({ x, y })
  }
  return points
}

interface Chords {
  window: DrawnBox
  tolerance: number
  points: Vec2[]
  most: number
}

/** Points of the arc strictly between t0 and t1. */
function addChords(chords: Chords, arc: DrawnArc, t0: number, t1: number, depth: number): void {
  const { window, tolerance, points, most } = chords
  const middle = t0 + (t1 - t0) / 2
  const point = arcPoint(arc, middle)
  const reach = Math.max(arc.rx, arc.ry)
  const half = Math.abs(t1 - t0) / 2
  // Bounded from the speed at the middle and the maximum change of speed, which is small near the tip of a thin ellipse.
  const t = arc.start + middle
  const farthest = half * (Math.hypot(arc.rx * Math.sin(t), arc.ry * Math.cos(t)) + reach * half)
  const isFine = depth === MAX_DEPTH || points.length >= most || reach * half * half * 0.5 <= tolerance
  if (isFine || misses(point, farthest, window)) return
  addChords(chords, arc, t0, middle, depth + 1)
  points.push(point)
  addChords(chords, arc, middle, t1, depth + 1)
}

function misses({ x, y }: Vec2, radius: number, { minX, minY, maxX, maxY }: DrawnBox): boolean {
  return x + radius < minX || x - radius > maxX || y + radius < minY || y - radius > maxY
}

/** The polygon clipped to the window; the result may have edges along the window. */
function clipPolygon(points: readonly Vec2[], { minX, minY, maxX, maxY }: DrawnBox): Vec2[] {
  let kept = clipAgainst(points, 1, 0, maxX)
  kept = clipAgainst(kept, -1, 0, -minX)
  kept = clipAgainst(kept, 0, 1, maxY)
  return clipAgainst(kept, 0, -1, -minY)
}

/** The part of the polygon with nx·x + ny·y ≤ limit. */
export function clipAgainst(points: readonly Vec2[], nx: number, ny: number, limit: number): Vec2[] {
  const kept: Vec2[] = []
  const heights = points.map(({ x, y }) => nx * x + ny * y - limit)
  points.forEach((p, i) => {
    const j = (i + 1) % points.length
    if (heights[i] <= 0) kept.push(p)
    if (heights[i] < 0 !== heights[j] < 0 && heights[i] !== 0 && heights[j] !== 0) {
      kept.push(between(p, points[j], heights[i] / (heights[i] - heights[j])))
    }
  })
  return kept
}

/** The part of p + t·d, for t from t0 to t1, within the window; null when there is none. */
function clipLine(p: Vec2, d: Vec2, window: DrawnBox, t0 = 0, t1 = 1): [Vec2, Vec2] | null {
  let first = t0
  let last = t1
  const sides = [
    [-d.x, p.x - window.minX],
    [d.x, window.maxX - p.x],
    [-d.y, p.y - window.minY],
    [d.y, window.maxY - p.y],
  ]
  for (const [rise, room] of sides) {
    if (rise === 0) {
      if (room < 0) return null
    } else if (rise < 0) first = Math.max(first, room / rise)
    else last = Math.min(last, room / rise)
  }
  if (!(first <= last) || !Number.isFinite(first) || !Number.isFinite(last)) return null
  return [stepped(p, d, first), stepped(p, d, last)]
}

function stepped(p: Vec2, d: Vec2, t: number): Vec2 {
  return { x: p.x + d.x * t, y: p.y + d.y * t }
}

function between(p: Vec2, q: Vec2, t: number): Vec2 {
  return { x: p.x + (q.x - p.x) * t, y: p.y + (q.y - p.y) * t }
}

/** Paths within this many picture units are not clipped; beyond it, single precision would show. */
const FAR = 20_000
/** Margin of the window, relative to the plot, so that no clipped edge is visible. */
const AROUND = 1
/** Greatest error of a chord, in picture units. */
const CHORD_ERROR = 0.05
const DEGREES = 180 / Math.PI
/** Length of the strokes on the solid side of a half-plane, in picture units. */
const HATCH_STEP = 14
const HATCH_LENGTH = 13

/** `box`: the `partsBox` of the path. */
export function pathData(part: DrawnPart & { kind: 'path' }, box: DrawnBox, frame: PictureFrame): string {
  if (!isFar(box, frame)) return part.rings.map((ring) => ringData(ring, frame)).join('')
  const window = visibleBox(frame, AROUND)
  const tolerance = lengthFromPicture(frame, CHORD_ERROR)
  return part.rings
    .map((ring) => {
      const points = flattened(ring, window, tolerance)
      return part.filled ? polygonData(clipPolygon(points, window), frame) : clippedLines(ring, points, window, frame)
    })
    .join('')
}

function isFar({ minX, minY, maxX, maxY }: DrawnBox, frame: PictureFrame): boolean {
  const low = toPicture(frame, { x: minX, y: minY })
  const high = toPicture(frame, { x: maxX, y: maxY })
  return Math.max(Math.abs(low.x), Math.abs(low.y), Math.abs(high.x), Math.abs(high.y)) > FAR
}

function ringData({ x, y, steps, closed }: DrawnRing, frame: PictureFrame): string {
  let last = pointText(toPicture(frame, { x, y }))
  let data = `M${last}`
  for (const step of steps) {
    const end = pointText(toPicture(frame, step))
    // Points that fall on each other at two decimals are drawn once.
    if (end === last) continue
    data += step.arc === null ? `L${end}` : `${arcData(step.arc, frame)}${end}`
    last = end
  }
  return closed ? `${data}Z` : data
}

function arcData(arc: DrawnArc, frame: PictureFrame): string {
  const rx = short(lengthToPicture(frame, arc.rx))
  const ry = short(lengthToPicture(frame, arc.ry))
  const axis = rx === ry ? 0 : (arc.axis * DEGREES * (frame.yDown ? 1 : -1)) % 180
  const sweep = arc.turn > 0 === frame.yDown ? 1 : 0
  return `A${rx} ${ry} ${short(axis)} 0 ${sweep} `
}

function clippedLines({ closed }: DrawnRing, points: readonly Vec2[], window: DrawnBox, frame: PictureFrame): string {
  const ends = closed ? [...points, points[0]] : points
  let data = ''
  for (let i = 1; i < ends.length; i++) {
    const p = ends[i - 1]
    const piece = clipLine(p, { x: ends[i].x - p.x, y: ends[i].y - p.y }, window)
    if (piece !== null) data += lineData(piece, frame)
  }
  return data
}

/** A path through points in the caller's unit, clipped if they are far away. */
export function polylineData(points: readonly Vec2[], frame: PictureFrame): string {
  const [{ x, y }, ...others] = points
  const ring: DrawnRing = { x, y, steps: others.map((end) => ({ ...end, arc: null })), closed: false }
  const isInside = points.every((point) => {
    const { x, y } = toPicture(frame, point)
    return Math.max(Math.abs(x), Math.abs(y)) <= FAR
  })
  return isInside ? ringData(ring, frame) : clippedLines(ring, points, visibleBox(frame, AROUND), frame)
}

/** A ray or line through `through` up to the edge of the plot; null if it is not visible. */
export function visibleLine(through: Vec2, direction: Vec2, isRay: boolean, frame: PictureFrame, margin = 0) {
  // Steps of the size of the plot keep the quotients of the clipping well scaled.
  const step = { x: direction.x * frame.span, y: direction.y * frame.span }
  return clipLine(through, step, visibleBox(frame, margin), isRay ? 0 : -Infinity, Infinity)
}

/** The solid side, its boundary, and short strokes on the solid side; empty strings if not visible. */
export function halfplaneData({ x, y, nx, ny }: DrawnPart & { kind: 'halfplane' }, frame: PictureFrame) {
  const { minX, minY, maxX, maxY } = visibleBox(frame, AROUND)
  const window = [
    { x: minX, y: minY },
    { x: maxX, y: minY },
    { x: maxX, y: maxY },
    { x: minX, y: maxY },
  ]
  // Heights are relative to the centre of the plot: the boundary may be far away.
  const { centre } = frame
  const limit = (x - centre.x) * nx + (y - centre.y) * ny
  const local = window.map((corner) => ({ x: corner.x - centre.x, y: corner.y - centre.y }))
  const solid = clipAgainst(local, nx, ny, limit).map((p) => ({ x: p.x + centre.x, y: p.y + centre.y }))
  const foot = { x: centre.x + nx * limit, y: centre.y + ny * limit }
  const boundary = visibleLine(foot, { x: -ny, y: nx }, false, frame, AROUND / 4)
  if (boundary === null || boxSize(visibleBox(frame)) * 2 < Math.abs(limit)) {
    return { solid: polygonData(solid, frame), boundary: '', hatch: '' }
  }
  return {
    solid: polygonData(solid, frame),
    boundary: lineData(boundary, frame),
    hatch: hatchData(foot, nx, ny, frame),
  }
}

function hatchData(foot: Vec2, nx: number, ny: number, frame: PictureFrame): string {
  const from = toPicture(frame, foot)
  const out = turnedToPicture(frame, { x: nx, y: ny })
  const way = { x: -out.y, y: out.x }
  const leanX = ((-out.x - way.x) * HATCH_LENGTH) / Math.SQRT2
  const leanY = ((-out.y - way.y) * HATCH_LENGTH) / Math.SQRT2
  const count = Math.ceil((frame.width + frame.height) / HATCH_STEP / 2) + 1
  let data = ''
  for (let k = -count; k <= count; k++) {
    const x = from.x + way.x * HATCH_STEP * k
    const y = from.y + way.y * HATCH_STEP * k
    const seen = Math.abs(x) < frame.width / 2 + HATCH_STEP && Math.abs(y) < frame.height / 2 + HATCH_STEP
    if (seen) data += `M${pointText({ x, y })}l${pointText({ x: leanX, y: leanY })}`
  }
  return data
}

function polygonData(points: readonly Vec2[], frame: PictureFrame): string {
  if (points.length === 0) return ''
  return `M${points.map((point) => pointText(toPicture(frame, point))).join('L')}Z`
}

function lineData([p, q]: readonly [Vec2, Vec2], frame: PictureFrame): string {
  return `M${pointText(toPicture(frame, p))}L${pointText(toPicture(frame, q))}`
}

export function pointText({ x, y }: Vec2): string {
  return `${short(x)} ${short(y)}`
}
