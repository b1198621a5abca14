/**
 * The features of a body that can be brought onto those of another: corners, sides, their middles, and the middle of its box.
 *
 * Positions are sums of two doubles, so that what is brought from one place to another is rounded once.
 * Frame: world.
 */

import type { Pace, Slices } from '../../containers/budget.ts'
import { edgeFeature, type FeatureCode, NO_FEATURE } from '../../core2d/feature.ts'
import type { Outline } from '../../core2d/outline/outline.ts'
import { bounds, createBounds } from '../../core2d/queries/bounds.ts'
import {
  type Body,
  COMPOSITE,
  type Composite,
  ELLIPSE,
  HALFPLANE,
  OFFSET,
  POLYGON,
  RADIUS,
  UNIT_X,
  UNIT_Y,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../../core2d/shape/body.ts'
import { kindOf, setBoxOfPoints } from '../../core2d/shape/kinds.ts'
import { createMotion } from '../../core2d/shape/motion.ts'
import { sumError } from '../../numeric/expansion.ts'

export type SnapKind = 'vertex' | 'edge' | 'midpoint' | 'center'

/** A place: x + xLow, y + yLow. */
export interface SnapPlace {
  x: number
  xLow: number
  y: number
  yLow: number
}

export interface SnapPoint extends SnapPlace {
  kind: Exclude<SnapKind, 'edge'> | 'corner'
  /** The corner, or the side whose middle it is; none for the middle of the whole; of a corner of the box 0 to 3, counter-clockwise. */
  feature: FeatureCode
  part: number
}

/** A straight side, from its place by (ex, ey) to its end; the line of a half-plane is infinitely long. */
export interface SnapEdge extends SnapPlace {
  feature: FeatureCode
  part: number
  ex: number
  ey: number
  isEndless: boolean
  /** Outward unit normal, and the skin beyond. */
  nx: number
  ny: number
  radius: number
}

export interface SnapFeatures {
  points: SnapPoint[]
  edges: SnapEdge[]
  /** Whether its boundary is curved anywhere. */
  isRound: boolean
}

/** Where features are wanted: min x, min y, max x, max y. */
export type Window = readonly [number, number, number, number]

const EVERYWHERE: Window = [-Infinity, -Infinity, Infinity, Infinity]
const STILL = createMotion()
const box = new Float64Array(4)
const outer = createBounds()

/** Those of the kinds that lie in the window, all where there is none. Cost O(points). */
export function* featuresOf(
  body: Body,
  kinds: ReadonlySet<SnapKind>,
  within: Window | null,
  pace: Pace,
): Slices<SnapFeatures> {
  const window = within ?? EVERYWHERE
  const found: SnapFeatures = { points: [], edges: [], isRound: false }
  if (body.kind !== COMPOSITE) addConvex(found, body, 0, kinds, window)
  else {
    const { parts, partCount } = body.composite as Composite
    for (let p = 0; p < partCount; p++) {
      const { body: part, outline } = parts[p]
      if (outline === null) addConvex(found, part, p, kinds, window)
      else yield* addOutline(found, outline, part, p, kinds, window, pace)
      if (pace.isDue(1 + part.count)) yield
    }
  }
  if (kinds.has('center') && body.kind !== HALFPLANE) {
    const center: SnapPoint = { kind: 'center', feature: NO_FEATURE, part: 0, ...middleOf(body) }
    if (isWithin(center, window)) found.points.push(center)
  }
  return found
}

/** The middle of the box around a body. */
function middleOf(body: Body): SnapPlace {
  if (body.kind === ELLIPSE) return placeOf(body, 0, 0)
  if (body.kind !== COMPOSITE) {
    setBoxOfPoints(body, box)
    return placeOf(body, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
  }
  bounds(body, STILL, 0, outer)
  const { minX, minY, maxX, maxY } = outer
  return { x: minX + (maxX - minX) / 2, xLow: 0, y: minY + (maxY - minY) / 2, yLow: 0 }
}

/** The corners of the box around a bounded body, from (min, min) on. */
export function boxCornersOf(body: Body): SnapPoint[] {
  const corners = [
    [0, 1],
    [2, 1],
    [2, 3],
    [0, 3],
  ] as const
  const isPlain = body.kind !== COMPOSITE
  if (isPlain) kindOf(body).setBox(body, box)
  else {
    bounds(body, STILL, 0, outer)
    box[0] = outer.minX
    box[1] = outer.minY
    box[2] = outer.maxX
    box[3] = outer.maxY
  }
  return corners.map(([i, j], feature) => {
    const place = isPlain ? placeOf(body, box[i], box[j]) : { x: box[i], xLow: 0, y: box[j], yLow: 0 }
    return { kind: 'corner', feature, part: 0, ...place }
  })
}

/** Of a point that is counted from the position of a body. */
function placeOf({ numbers }: Body, dx: number, dy: number): SnapPlace {
  const x = numbers[X]
  const y = numbers[Y]
  const xLow = numbers[X_LOW]
  const yLow = numbers[Y_LOW]
  const atX = x + dx
  const atY = y + dy
  return { x: atX, xLow: sumError(x, dx, atX) + xLow, y: atY, yLow: sumError(y, dy, atY) + yLow }
}

function isWithin({ x, y }: SnapPlace, [minX, minY, maxX, maxY]: Window): boolean {
  return x >= minX && x <= maxX && y >= minY && y <= maxY
}

function addConvex(found: SnapFeatures, body: Body, part: number, kinds: ReadonlySet<SnapKind>, window: Window): void {
  const { kind, count, vertices, normals, vertexFeatures, edgeFeatures, numbers } = body
  const radius = numbers[RADIUS]
  if (kind === HALFPLANE) {
    addHalfplane(found, body, part, kinds)
    return
  }
  if (radius > 0 || kind === ELLIPSE) found.isRound = true
  if (kind === ELLIPSE) return
  for (let i = 0; i < count; i++) {
    const j = i + 1 < count ? i + 1 : 0
    const x = numbers[vertices + 2 * i]
    const y = numbers[vertices + 2 * i + 1]
    if (radius === 0) addPoint(found, 'vertex', vertexFeatures[i], part, placeOf(body, x, y), kinds, window)
    if (kind !== POLYGON) continue
    const [ex, ey] = [numbers[vertices + 2 * j] - x, numbers[vertices + 2 * j + 1] - y]
    const [nx, ny] = [numbers[normals + 2 * i], numbers[normals + 2 * i + 1]]
    const edge = { feature: edgeFeatures[i], part, ex, ey, isEndless: false, nx, ny, radius, ...placeOf(body, x, y) }
    addEdge(found, edge, body, x, y, kinds, window)
  }
}

function addHalfplane(found: SnapFeatures, body: Body, part: number, kinds: ReadonlySet<SnapKind>): void {
  if (!kinds.has('edge')) return
  const { numbers } = body
  const nx = numbers[UNIT_X]
  const ny = numbers[UNIT_Y]
  const offset = numbers[OFFSET]
  const place = placeOf(body, offset * nx, offset * ny)
  found.edges.push({ feature: edgeFeature(0), part, ex: -ny, ey: nx, isEndless: true, nx, ny, radius: 0, ...place })
}

/** Lines have a side on either hand, solid outlines the one to the right. */
function* addOutline(
  found: SnapFeatures,
  { vertices, vertexCount, edgeCount, edgeEnd, vertexNames, edgeNames, solid }: Outline,
  body: Body,
  part: number,
  kinds: ReadonlySet<SnapKind>,
  window: Window,
  pace: Pace,
): Slices<void> {
  for (let i = 0; i < vertexCount; i++) {
    const x = vertices[2 * i]
    const y = vertices[2 * i + 1]
    addPoint(found, 'vertex', vertexNames[i], part, placeOf(body, x, y), kinds, window)
    if (i < edgeCount && edgeEnd[i] !== i) {
      const ex = vertices[2 * edgeEnd[i]] - x
      const ey = vertices[2 * edgeEnd[i] + 1] - y
      const length = Math.hypot(ex, ey)
      const edge = { feature: edgeNames[i], part, isEndless: false, radius: 0, ...placeOf(body, x, y) }
      const right = { ...edge, ex, ey, nx: ey / length, ny: -ex / length }
      addEdge(found, right, body, x, y, kinds, window)
      if (!solid && kinds.has('edge') && meets(right, window))
        found.edges.push({ ...right, nx: -right.nx, ny: -right.ny })
    }
    if (pace.isDue(1)) yield
  }
}

function addPoint(
  found: SnapFeatures,
  kind: Exclude<SnapKind, 'edge'>,
  feature: FeatureCode,
  part: number,
  place: SnapPlace,
  kinds: ReadonlySet<SnapKind>,
  window: Window,
): void {
  if (kinds.has(kind) && isWithin(place, window)) found.points.push({ kind, feature, part, ...place })
}

/** The side, and its middle. (x, y): where it starts, from the position of its body. */
function addEdge(
  found: SnapFeatures,
  edge: SnapEdge,
  body: Body,
  x: number,
  y: number,
  kinds: ReadonlySet<SnapKind>,
  window: Window,
): void {
  const { feature, part, ex, ey, nx, ny, radius } = edge
  if (kinds.has('midpoint')) {
    const middle = placeOf(body, x + ex / 2 + radius * nx, y + ey / 2 + radius * ny)
    addPoint(found, 'midpoint', feature, part, middle, kinds, window)
  }
  if (kinds.has('edge') && meets(edge, window)) found.edges.push(edge)
}

function meets({ x, y, ex, ey, radius }: SnapEdge, [minX, minY, maxX, maxY]: Window): boolean {
  return (
    Math.max(x, x + ex) + radius >= minX &&
    Math.min(x, x + ex) - radius <= maxX &&
    Math.max(y, y + ey) + radius >= minY &&
    Math.min(y, y + ey) - radius <= maxY
  )
}
