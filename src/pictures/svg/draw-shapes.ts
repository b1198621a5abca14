// Shapes → SVG: insides, outlines, and discs for what would be too small to see.

import { boxCentre, boxSize, type DrawnBox, type DrawnPart, partsBox } from '../marks/outline.ts'
import { type Look, SHAPE_LOOKS, type ShapeRole } from '../marks/palette.ts'
import type { ShapeMark } from '../marks/picture.ts'
import { halfplaneData, pathData } from './path-data.ts'
import { lengthToPicture, type PictureFrame, short, toPicture } from './view-box.ts'
import { element, group } from './xml.ts'

/** Parts smaller than this, in picture units, are drawn as a disc. */
const TOO_SMALL = 3
const POINT_RADIUS = 4.5
/** Of edges within an outline. */
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

/** To stand in a run of its role. */
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

/** Edges within the outline of a body, thinner than that. */
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
