// Strokes, arrows and points → SVG.

import type { Vec2 } from '../../schemas/vector.ts'
import { boxCentre, boxSize, type DrawnBox, type DrawnPart, partsBox } from './outline.ts'
import { ARROW_COLOURS, DOT_LOOKS, type Look, PAPER, SHAPE_LOOKS, type ShapeRole, STROKE_LOOKS } from './palette.ts'
import { halfplaneData, pathData, pointText, polylineData, visibleLine } from './path-data.ts'
import type { ArrowMark, DotMark, ShapeMark, StrokeMark } from './picture.ts'
import { along, lengthBetween, unit } from './pose.ts'
import { lengthToPicture, type PictureFrame, short, toPicture, turnedToPicture } from './view-box.ts'
import { type Attributes, element, group } from './xml.ts'

/** Sizes of marks, in picture units. */
const DIRECTION_LENGTH = 62
/** Smaller dots if there are many, which would cover each other. */
const FEW = 5
const SHORT_DIRECTION_LENGTH = 38
const HEAD_LENGTH = 15
const HEAD_WIDTH = 11
const ARROW_WIDTH = 3
/** Shorter arrows consist of a head only. */
const LEAST_SHAFT = 4
/** Shorter lines have no head. */
const LEAST_LINE = 50

export function drawStroke(stroke: StrokeMark, frame: PictureFrame): string {
  const look: { stroke: string; width: number; dash?: string } = STROKE_LOOKS[stroke.role]
  const d = strokeData(stroke, frame)
  if (d === '') return ''
  const style: Attributes = {
    stroke: look.stroke,
    'stroke-width': look.width,
    'stroke-dasharray': look.dash,
    'stroke-linecap': look.dash === undefined ? 'round' : undefined,
    'stroke-linejoin': 'round',
  }
  return element('path', { d, fill: 'none', ...style })
}

function strokeData(stroke: StrokeMark, frame: PictureFrame): string {
  if (stroke.form === 'polyline') return polylineData(stroke.points, frame)
  const ends = visibleLine(stroke.through, stroke.direction, stroke.form === 'ray', frame)
  if (ends === null) return ''
  return `M${pointText(toPicture(frame, ends[0]))}L${pointText(toPicture(frame, ends[1]))}`
}

/** Length of arrows that show a direction only. */
export function directionLength(arrows: readonly ArrowMark[]): number {
  const count = arrows.reduce((sum, { form }) => sum + (form === 'direction' ? 1 : 0), 0)
  return count > FEW ? SHORT_DIRECTION_LENGTH : DIRECTION_LENGTH
}

/** Tail and head in picture units. `reach`: length of arrows that show a direction only. */
export function arrowEnds(arrow: ArrowMark, reach: number, frame: PictureFrame): [Vec2, Vec2] {
  const tail = toPicture(frame, arrow.tail)
  if (arrow.form === 'between') return [tail, toPicture(frame, arrow.head)]
  const length = arrow.form === 'head' ? HEAD_LENGTH : reach
  return [tail, along(tail, turnedToPicture(frame, arrow.direction), length)]
}

export function drawArrow(arrow: ArrowMark, reach: number, frame: PictureFrame): string {
  if (arrow.form === 'head' && lengthToPicture(frame, arrow.length) < LEAST_LINE) return ''
  const [tail, head] = arrowEnds(arrow, reach, frame)
  const direction = unit({ x: head.x - tail.x, y: head.y - tail.y })
  if (direction === null) return ''
  const length = lengthBetween(tail, head)
  const headLength = Math.min(HEAD_LENGTH, Math.max(length, HEAD_LENGTH / 2))
  const neck = along(head, direction, -headLength)
  const side = { x: -direction.y, y: direction.x }
  const half = ((headLength / HEAD_LENGTH) * HEAD_WIDTH) / 2
  const colour = ARROW_COLOURS[arrow.role]
  const tip = `M${pointText(head)}L${pointText(along(neck, side, half))}L${pointText(along(neck, side, -half))}Z`
  const point = element('path', { d: tip, fill: colour })
  if (length - headLength < LEAST_SHAFT) return point
  const shaft = `M${pointText(tail)}L${pointText(along(neck, direction, 1))}`
  return element('path', { d: shaft, stroke: colour, 'stroke-width': ARROW_WIDTH, fill: 'none' }) + point
}

/** Many points as one path; coinciding points are drawn once. */
export function drawCrowd(dots: readonly DotMark[], frame: PictureFrame): string[] {
  const { colour, size } = DOT_LOOKS.input
  const places = new Set<string>()
  for (const { at, role } of dots) if (role === 'input') places.add(`M${pointText(toPicture(frame, at))}h0`)
  if (places.size === 0) return []
  const style = { stroke: colour, 'stroke-width': 2 * size, 'stroke-linecap': 'round', fill: 'none' }
  return [element('path', { d: [...places].join(''), ...style })]
}

export function drawDot({ at, role }: DotMark, frame: PictureFrame): string {
  const { form, colour, size } = DOT_LOOKS[role]
  const { x, y } = toPicture(frame, at)
  if (form === 'cross') {
    const d = crossData(x, y, size, role === 'refused')
    const wide = element('path', { d, stroke: PAPER, 'stroke-width': 7, fill: 'none', 'stroke-linecap': 'round' })
    return wide + element('path', { d, stroke: colour, 'stroke-width': 3, fill: 'none', 'stroke-linecap': 'round' })
  }
  const isRing = form === 'ring'
  return element('circle', {
    cx: short(x),
    cy: short(y),
    r: size,
    fill: isRing ? PAPER : colour,
    stroke: isRing ? colour : PAPER,
    'stroke-width': isRing ? 2.5 : 1.5,
  })
}

/** An upright or a diagonal cross. */
function crossData(x: number, y: number, size: number, leans: boolean): string {
  const s = leans ? size * Math.SQRT1_2 : size
  const ends = leans ? [-s, -s, s, s, -s, s, s, -s] : [-s, 0, s, 0, 0, -s, 0, s]
  const [a, b, c, d, e, f, g, h] = ends
  const at = (dx: number, dy: number) => pointText({ x: x + dx, y: y + dy })
  return `M${at(a, b)}L${at(c, d)}M${at(e, f)}L${at(g, h)}`
}

// Shapes → SVG: fill, outline, and discs for parts that would be too small to see.

/** Parts smaller than this, in picture units, are drawn as a disc. */
const TOO_SMALL = 3
const POINT_RADIUS = 4.5
/** Stroke width of edges inside an outline, relative to the outline. */
const INNER_WIDTH = 1.5
const HIDDEN_WIDTH = 1.1
const HIDDEN_DASH = '3 5'

/** One group for each run of shapes that look the same. */
export function drawShapes(shapes: readonly ShapeMark[], frame: PictureFrame): string[] {
  const drawn: string[] = []
  let run: string[] = []
  const own = shapes.filter(({ elsewhere }) => elsewhere !== true)
  own.forEach(({ parts, role }, i) => {
    run.push(...drawParts(parts, role, frame))
    if (i + 1 < own.length && own[i + 1].role === role) return
    drawn.push(...drawRun(role, run))
    run = []
  })
  return drawn
}

/** A group around shapes that look the same. */
export function drawRun(role: ShapeRole, drawn: readonly string[]): string[] {
  return group('g', styleOf(SHAPE_LOOKS[role]), drawn)
}

/** Elements for a group of this role. */
export function drawParts(parts: readonly DrawnPart[], role: ShapeRole, frame: PictureFrame): string[] {
  return parts.flatMap((part) => drawPart(part, SHAPE_LOOKS[role], frame))
}

function styleOf({ stroke, width, fill, opacity, dash }: Look) {
  return {
    stroke,
    'stroke-width': width,
    'stroke-dasharray': dash,
    'stroke-linejoin': 'round',
    'stroke-linecap': 'round',
    fill,
    'fill-opacity': fill === 'none' ? undefined : opacity,
    'fill-rule': 'evenodd',
  }
}

function drawPart(part: DrawnPart, look: Look, frame: PictureFrame): string[] {
  if (part.kind === 'halfplane') return drawHalfplane(part, frame)
  if (part.kind === 'point') return [disc(part, look, frame)]
  const box = partsBox([part])
  if (part.line !== undefined) return drawEdges(part, box, look, frame)
  if (lengthToPicture(frame, boxSize(box)) < TOO_SMALL) return [disc(boxCentre(box), look, frame)]
  const d = pathData(part, box, frame)
  if (d === '') return []
  return [element('path', { d, fill: part.filled ? undefined : 'none' })]
}

/** Edges inside the outline of a body, thinner than the outline. */
function drawEdges(part: DrawnPart & { kind: 'path' }, box: DrawnBox, look: Look, frame: PictureFrame): string[] {
  const d = pathData(part, box, frame)
  if (d === '') return []
  const isHidden = part.line === 'hidden'
  const width = Math.min(look.width, isHidden ? HIDDEN_WIDTH : INNER_WIDTH)
  return [
    element('path', { d, fill: 'none', 'stroke-width': width, 'stroke-dasharray': isHidden ? HIDDEN_DASH : undefined }),
  ]
}

function disc(at: { x: number; y: number }, { stroke, dash }: Look, frame: PictureFrame): string {
  const { x, y } = toPicture(frame, at)
  const isGhost = dash !== undefined
  return element('circle', {
    cx: short(x),
    cy: short(y),
    r: isGhost ? POINT_RADIUS - 1 : POINT_RADIUS,
    fill: isGhost ? undefined : stroke,
    'fill-opacity': isGhost ? undefined : 1,
    'stroke-dasharray': isGhost ? 'none' : undefined,
  })
}

function drawHalfplane(part: DrawnPart & { kind: 'halfplane' }, frame: PictureFrame): string[] {
  const { solid, boundary, hatch } = halfplaneData(part, frame)
  const drawn: string[] = []
  if (solid !== '') drawn.push(element('path', { d: solid, stroke: 'none' }))
  if (boundary !== '') drawn.push(element('path', { d: boundary, fill: 'none' }))
  if (hatch !== '') drawn.push(element('path', { d: hatch, fill: 'none', 'stroke-width': 1.4 }))
  return drawn
}
