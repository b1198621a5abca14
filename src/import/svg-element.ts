/**
 * The shape that a single element of SVG draws, as a body where it is shown.
 * Source: SVG 2, basic shapes and paths (https://www.w3.org/TR/SVG2/shapes.html). Frame: after the map that is given.
 */

import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { createEdgeIntersection, edgesConflict } from '../core2d/outline/edge-intersection.ts'
import type { FillRule } from '../core2d/outline/noded-edges.ts'
import { createOutline, setRings } from '../core2d/outline/outline.ts'
import { releaseSweep, type SweepLine, sweepRings } from '../core2d/outline/sweep-line.ts'
import { shownPoint } from '../wire/body.ts'
import { type Affine, after, evenScale, mappedBox, mappedEllipse, mappedPoints, translation } from './affine.ts'
import { closedShape, compoundOf, countedOutlines, endsAtStart, filledBodies } from './closed-shape.ts'
import { flattenPath, type Precision, type Subpath } from './svg-path.ts'
import { type Direction, eachNumber, lengthOf, styleOf, type Viewport } from './svg-style.ts'
import type { XmlElement } from './xml.ts'

interface Where {
  map: Affine
  rule: FillRule
  viewport: Viewport
  precision: Precision
  /** Whether rings that cross are repaired. */
  repair: boolean
}

/** A body, and what was repaired for it, as a sentence. */
interface Shown {
  body: Body2d
  repaired: string | null
}

const UNREADABLE = 'One of its lengths is none, or a share of something else.'
const SIZELESS = 'It has no size, and is not shown.'

/** A sentence of what has no shape. */
export function elementShape(element: XmlElement, place: Where): Shown | string {
  const shown = shownShape(element, place)
  return typeof shown === 'string' || 'body' in shown ? shown : { body: shown, repaired: null }
}

function shownShape(element: XmlElement, place: Where): Body2d | Shown | string {
  const { name, attributes } = element
  const { map, rule, precision, viewport, repair } = place
  if (map.a * map.d === map.b * map.c) return 'Its transforms leave nothing of it to be shown.'
  const length = (field: string, direction: Direction): number =>
    lengthOf(styleOf(element, field), 0, viewport, direction) ?? Number.NaN
  switch (name) {
    case 'rect': {
      const [x, y] = [length('x', 'across'), length('y', 'down')]
      const [width, height] = [length('width', 'across'), length('height', 'down')]
      if (Number.isNaN(x + y + width + height)) return UNREADABLE
      if (!(width > 0 && height > 0)) return SIZELESS
      const radii = radiiOf(element, viewport)
      if (radii === null) return UNREADABLE
      return rectangle(after(map, translation(x + width / 2, y + height / 2)), width, height, radii, precision)
    }
    case 'circle':
    case 'ellipse': {
      const radius = length('r', 'any')
      const radii = name === 'circle' ? { x: radius, y: radius } : radiiOf(element, viewport)
      const middle = after(map, translation(length('cx', 'across'), length('cy', 'down')))
      if (radii === null || Number.isNaN(radii.x + middle.e + middle.f)) return UNREADABLE
      return radii.x > 0 && radii.y > 0 ? mappedEllipse(middle, radii.x, radii.y) : SIZELESS
    }
    case 'line':
      return line(
        [
          { x: length('x1', 'across'), y: length('y1', 'down') },
          { x: length('x2', 'across'), y: length('y2', 'down') },
        ],
        map,
      )
    case 'polyline':
    case 'polygon': {
      const points = pairsOf(attributes.points ?? '', precision.mostPoints)
      if (points === null) return `It has more than ${precision.mostPoints} points, which no shape has.`
      if (points.length < 2) return 'It has fewer than two points.'
      if (name === 'polyline') return line(points, map)
      return atOrigin(filledShapes([mappedPoints(map, points)], rule, repair, { x: map.e, y: map.f }), map)
    }
    case 'path':
      return pathBody(attributes.d ?? '', map, rule, precision, repair)
    default:
      return 'It is no shape of SVG.'
  }
}

/** Both radii of an ellipse or of corners: each is the other where it is absent or negative. Null where one is no length. */
function radiiOf(element: XmlElement, viewport: Viewport): Vec2 | null {
  const radius = (field: 'rx' | 'ry'): number | null => {
    const text = styleOf(element, field)
    if (text === undefined || text === 'auto') return Number.NaN
    const length = lengthOf(text, Number.NaN, viewport, field === 'rx' ? 'across' : 'down')
    // A negative radius is no radius, and reads as auto.
    return length !== null && length < 0 ? Number.NaN : length
  }
  const [x, y] = [radius('rx'), radius('ry')]
  if (x === null || y === null) return null
  return { x: (Number.isNaN(x) ? y : x) || 0, y: (Number.isNaN(y) ? x : y) || 0 }
}

function rectangle(
  middle: Affine,
  width: number,
  height: number,
  corner: Vec2,
  precision: Precision,
): Body2d | Shown | string {
  const rx = Math.min(corner.x, width / 2)
  const ry = Math.min(corner.y, height / 2)
  if (!(rx > 0 && ry > 0)) return mappedBox(middle, width, height)
  const scale = evenScale(middle)
  if (rx === ry && scale !== null) {
    const body = mappedBox(middle, width - 2 * rx, height - 2 * ry)
    if (body.shape.type === 'box') return { ...body, shape: { ...body.shape, radius: scale * rx } }
  }
  const [x, y] = [width / 2, height / 2]
  const d = `M${rx - x},${-y}H${x - rx}A${rx} ${ry} 0 0 1 ${x} ${ry - y}V${y - ry}A${rx} ${ry} 0 0 1 ${x - rx} ${y}H${rx - x}A${rx} ${ry} 0 0 1 ${-x} ${y - ry}V${ry - y}A${rx} ${ry} 0 0 1 ${rx - x} ${-y}Z`
  return pathBody(d, middle, 'nonzero', precision, true)
}

function pathBody(
  d: string,
  map: Affine,
  rule: FillRule,
  precision: Precision,
  repair: boolean,
): Body2d | Shown | string {
  const subpaths = flattenPath(d, { ...map, e: 0, f: 0 }, precision)
  if (typeof subpaths === 'string') return subpaths
  const isRing = ({ isClosed, points }: Subpath): boolean => isClosed && points.length > 2
  const rings = subpaths.filter(isRing).map(({ points }) => points)
  const open = subpaths.filter((subpath) => !isRing(subpath))
  const filled: Filled | string =
    rings.length === 0 ? { parts: [], repaired: null } : filledShapes(rings, rule, repair, { x: map.e, y: map.f })
  if (typeof filled === 'string') return filled
  const lines = open.map(({ points }): Body2d => ({ shape: { type: 'chain', vertices: points } }))
  return atOrigin({ ...filled, parts: [...filled.parts, ...lines] }, map)
}

/** A shape about the origin, placed where the map takes the origin. */
function atOrigin(filled: Filled | string, { e, f }: Affine): Shown | string {
  if (typeof filled === 'string') return filled
  if (filled.parts.length === 0) return SIZELESS
  return { body: { ...compoundOf(filled.parts), position: { x: e, y: f } }, repaired: filled.repaired }
}

function line(points: readonly Vec2[], map: Affine): Body2d | string {
  if (points.some(({ x, y }) => Number.isNaN(x + y))) return UNREADABLE
  const vertices = mappedPoints(map, points)
  const isClosed = vertices.length > 3 && endsAtStart(vertices)
  const shape = isClosed
    ? ({ type: 'chain', vertices: vertices.slice(0, -1), loop: true } as const)
    : ({ type: 'chain', vertices } as const)
  return { shape, position: { x: map.e, y: map.f } }
}

/** Null where there are more than `mostPoints`. */
function pairsOf(text: string, mostPoints: number): Vec2[] | null {
  const points: Vec2[] = []
  let x: number | null = null
  for (const number of eachNumber(text)) {
    if (x === null) {
      x = number
      continue
    }
    if (points.length === mostPoints) return null
    points.push({ x, y: number })
    x = null
  }
  return points
}

// The area that the closed rings of a path fill, by its fill rule: outlines with their holes.
//
// Rings that do not cross lie in each other or beside each other: how often each is wound about by those around it says whether what
// is just within it is filled, and it is an outline or a hole where that changes. They stay as they are drawn. Rings that cross themselves
// or each other are repaired: they are cut into the simple regions that the rule fills. Cost O(n log n), and that of the crossings.

/** A filled area, piece by piece. */
interface Filled {
  parts: Body2d[]
  /** Where the rings cross, and what was done about it, as a sentence; null where they do not. */
  repaired: string | null
}

/** Or a sentence why nothing is. `offset`: where the rings stand, for sentences. */
export function filledShapes(
  rings: readonly Vec2[][],
  rule: FillRule,
  repair: boolean,
  offset: Vec2 = { x: 0, y: 0 },
): Filled | string {
  const starts = [0]
  for (const ring of rings) starts.push(starts[starts.length - 1] + ring.length)
  const points = Float64Array.from(rings.flat().flatMap(({ x, y }) => [x, y]))
  const outline = createOutline()
  const ringOf = new Int32Array(Math.max(8, points.length / 2))
  setRings(outline, ringOf, points, starts)
  try {
    const sweep = sweepRings(outline, ringOf, rings.length)
    if (sweep.edge < 0) return { parts: nestedShapes(rings, rule, sweep), repaired: null }
    const place = createEdgeIntersection()
    edgesConflict(outline, sweep.edge, sweep.other, place)
    const where = shownPoint({ x: place.x + offset.x, y: place.y + offset.y })
    const fault = `${rings.length === 1 ? 'Its outline crosses itself' : 'Its rings cross or overlap'}, as at ${where}`
    if (!repair) return `${fault}.`
    const parts = filledBodies(points, starts, rule)
    if (typeof parts === 'string') return `${fault}: ${parts}`
    return { parts, repaired: `${fault}. What the rule ${rule} fills is taken: ${countedOutlines(parts.length)}.` }
  } finally {
    releaseSweep()
  }
}

/** Facts about a ring: the winding number just inside it, the number of rings around that place, and the outline that it belongs to. */
interface Within {
  winding: number
  depth: number
  isFilled: boolean
  outline: number
}

const OUTSIDE: Within = { winding: 0, depth: 0, isFilled: false, outline: -1 }

/** Of rings that do not cross. */
function nestedShapes(rings: readonly Vec2[][], rule: FillRule, { windings, parents }: SweepLine): Body2d[] {
  if (rings.length === 1) return [{ shape: closedShape(rings[0]) }]
  const known: (Within | undefined)[] = []
  const within = (ring: number): Within => (ring < 0 ? OUTSIDE : (known[ring] as Within))
  const parts = new Map<number, { outer: Vec2[]; holes: Vec2[][] }>()
  rings.forEach((_, ring) => {
    // From the outside in, as far as it is not known yet.
    const path: number[] = []
    for (let at = ring; at >= 0 && windings[at] !== 0 && known[at] === undefined; at = parents[at]) path.push(at)
    for (let at = path.pop(); at !== undefined; at = path.pop()) {
      const around = within(parents[at])
      const winding = around.winding + windings[at]
      const depth = around.depth + 1
      const isFilled = rule === 'evenodd' ? depth % 2 === 1 : winding !== 0
      const begins = isFilled && !around.isFilled
      known[at] = { winding, depth, isFilled, outline: begins ? at : around.outline }
    }
  })
  rings.forEach((outer, ring) => {
    if (known[ring]?.outline === ring) parts.set(ring, { outer, holes: [] })
  })
  rings.forEach((hole, ring) => {
    const { isFilled, outline } = known[ring] ?? OUTSIDE
    if (known[ring] !== undefined && !isFilled && within(parents[ring]).isFilled) parts.get(outline)?.holes.push(hole)
  })
  return [...parts.values()].map(({ outer, holes }) => {
    return { shape: holes.length === 0 ? closedShape(outer) : { type: 'region', outer, holes } }
  })
}
