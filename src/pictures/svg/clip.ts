/**
 * Cutting outlines to a window, for shapes so much larger than the plot that renderers would lose their digits.
 *
 * Methods: I. E. Sutherland and G. W. Hodgman, "Reentrant polygon clipping", CACM 17 (1974), for what is filled; Y.-D. Liang
 * and B. A. Barsky, "A new concept and method for line clipping", ACM TOG 3 (1984), for lines. Arcs are cut into chords first,
 * finely only where they come near the window.
 */
import type { Vec2 } from '../../../schemas/vector.ts'
import { arcPoint, type DrawnArc, type DrawnBox, type DrawnRing } from '../marks/outline.ts'

const MAX_DEPTH = 48
/** Corners and chords of a ring after which arcs stay as they are: where doubles are too coarse to cut them any finer. */
const MOST_CHORDS = 4000

/** The ring's corners, its arcs as chords that stray at most `tolerance` within the window. */
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

/** The inner points of the arc from t0 to t1, both of them left out. */
function addChords(chords: Chords, arc: DrawnArc, t0: number, t1: number, depth: number): void {
  const { window, tolerance, points, most } = chords
  const middle = t0 + (t1 - t0) / 2
  const point = arcPoint(arc, middle)
  const reach = Math.max(arc.rx, arc.ry)
  const half = Math.abs(t1 - t0) / 2
  // From the middle, at its speed there and the greatest change of speed: near the tip of a thin ellipse that is little.
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

/** The polygon within the window; edges along the window may appear. */
export function clipPolygon(points: readonly Vec2[], { minX, minY, maxX, maxY }: DrawnBox): Vec2[] {
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
export function clipLine(p: Vec2, d: Vec2, window: DrawnBox, t0 = 0, t1 = 1): [Vec2, Vec2] | null {
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
