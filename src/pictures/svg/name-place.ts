// Where the name of a shape stands: well inside of it, as far as it is in sight.

import type { Vec2 } from '../../../schemas/vector.ts'
import { boxCentre, type DrawnBox, type DrawnPart, isEmpty, partsBox } from '../marks/outline.ts'
import { along, midway } from '../marks/pose.ts'
import { flattened, visibleLine } from './path-data.ts'
import { lengthFromPicture, type PictureFrame, toPicture, visibleBox } from './view-box.ts'

export interface NamePlace {
  /** In picture units. */
  at: Vec2
  /** The name stands on the place, not beside it. */
  inside: boolean
}

/** Corners up to which inner places are sought; of larger shapes the middle of the box is taken. */
const MANY = 3000
const SAMPLES = 11
/** Another place must be so much better than the middle. */
const BETTER = 1.3
/** Deeper inside is no better, in picture units. */
const ENOUGH = 45
/** How deep in the solid side of a half-plane, and where along its boundary. */
const DEPTH = 34
const ALONG = [0.15, 0.85, 0.5]
const CHORD_ERROR = 0.5

/** `others`: boxes of other shapes, which the name should not stand in. null when no part of the shape is in sight. */
export function namePlace(
  parts: readonly DrawnPart[],
  others: readonly DrawnBox[],
  frame: PictureFrame,
): NamePlace | null {
  const first = parts.find((part) => part.kind === 'path' && part.filled) ?? parts[0]
  if (first === undefined) return null
  if (first.kind === 'halfplane') return halfplanePlace(first, others, frame)
  if (first.kind === 'point') return seen({ x: first.x, y: first.y }, frame, false)
  if (!first.filled) {
    const { steps, x, y } = first.rings[0]
    const middle = steps.length >> 1
    return seen(midway(middle === 0 ? { x, y } : steps[middle - 1], steps[middle]), frame, false)
  }
  const box = intersection(partsBox([first]), visibleBox(frame))
  if (isEmpty(box) || !(box.minY <= box.maxY)) return null
  return seen(deepest(first, box, others, frame), frame, true)
}

function seen(point: Vec2, frame: PictureFrame, inside: boolean): NamePlace | null {
  const at = toPicture(frame, point)
  const isSeen = Math.abs(at.x) <= frame.width / 2 && Math.abs(at.y) <= frame.height / 2
  return isSeen ? { at, inside } : null
}

function halfplanePlace(
  { x, y, nx, ny }: DrawnPart & { kind: 'halfplane' },
  others: readonly DrawnBox[],
  frame: PictureFrame,
): NamePlace | null {
  const height = (x - frame.centre.x) * nx + (y - frame.centre.y) * ny
  const foot = along(frame.centre, { x: nx, y: ny }, height)
  const ends = visibleLine(foot, { x: -ny, y: nx }, false, frame)
  const inward = { x: -nx, y: -ny }
  const depth = lengthFromPicture(frame, DEPTH)
  if (ends === null) return height > 0 ? seen(frame.centre, frame, true) : null
  // From the left.
  const [p, q] = ends[0].x <= ends[1].x ? ends : [ends[1], ends[0]]
  const places = ALONG.map((t) => along({ x: p.x + (q.x - p.x) * t, y: p.y + (q.y - p.y) * t }, inward, depth))
  const inSight = places.filter((place) => seen(place, frame, true) !== null)
  const free = inSight.find((place) => !others.some((box) => holds(box, place))) ?? inSight[0]
  return free === undefined ? null : seen(free, frame, true)
}

function holds({ minX, minY, maxX, maxY }: DrawnBox, { x, y }: Vec2): boolean {
  return minX <= x && x <= maxX && minY <= y && y <= maxY
}

function intersection(p: DrawnBox, q: DrawnBox): DrawnBox {
  return {
    minX: Math.max(p.minX, q.minX),
    minY: Math.max(p.minY, q.minY),
    maxX: Math.min(p.maxX, q.maxX),
    maxY: Math.min(p.maxY, q.maxY),
  }
}

/** Of a lattice of points over the box, one inside and far from all edges; the middle if it is as good as any. */
function deepest(
  { rings }: DrawnPart & { kind: 'path' },
  box: DrawnBox,
  others: readonly DrawnBox[],
  frame: PictureFrame,
): Vec2 {
  const middle = boxCentre(box)
  const corners = rings.reduce((sum, { steps }) => sum + steps.length, 0)
  if (corners > MANY) return middle
  const tolerance = lengthFromPicture(frame, CHORD_ERROR)
  // In picture units, where squares neither overflow nor vanish.
  const outlines = rings.map((ring) => flattened(ring, box, tolerance).map((point) => toPicture(frame, point)))
  let best = middle
  const worth = (point: Vec2) => {
    const here = Math.min(ENOUGH, depthAt(toPicture(frame, point), outlines))
    return others.some((other) => holds(other, point)) ? here / BETTER / BETTER : here
  }
  let depth = Math.max(0, worth(middle)) * BETTER
  for (let i = 1; i < SAMPLES; i++) {
    for (let j = 1; j < SAMPLES; j++) {
      const point = {
        x: box.minX + ((box.maxX - box.minX) * i) / SAMPLES,
        y: box.minY + ((box.maxY - box.minY) * j) / SAMPLES,
      }
      const here = worth(point)
      if (here > depth) {
        depth = here
        best = point
      }
    }
  }
  return best
}

/** Distance to the nearest edge; negative outside, by the even-odd rule. */
function depthAt(p: Vec2, outlines: readonly (readonly Vec2[])[]): number {
  let nearest = Infinity
  let isInside = false
  for (const points of outlines) {
    for (let i = 0; i < points.length; i++) {
      const a = points[i]
      const b = points[(i + 1) % points.length]
      nearest = Math.min(nearest, distanceToEdge(p, a, b))
      if (a.y > p.y !== b.y > p.y && p.x < a.x + ((p.y - a.y) / (b.y - a.y)) * (b.x - a.x)) isInside = !isInside
    }
  }
  return isInside ? nearest : -nearest
}

function distanceToEdge(p: Vec2, a: Vec2, b: Vec2): number {
  const dx = b.x - a.x
  const dy = b.y - a.y
  const square = dx * dx + dy * dy
  const t = square === 0 ? 0 : Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / square))
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy)
}
