// Names, numbers and values → SVG, each where it covers least.

import type { Vec2 } from '../../../schemas/vector.ts'
import { partsBox } from '../marks/outline.ts'
import { INK, PAPER, SHAPE_LOOKS } from '../marks/palette.ts'
import type { Picture, StrokeMark } from '../marks/picture.ts'
import { lengthBetween } from '../marks/pose.ts'
import { flattened } from './clip.ts'
import { arrowEnds, directionLength } from './draw-marks.ts'
import { lengthFromPicture, type PictureFrame, short, toPicture, turnedToPicture, visibleBox } from './frame.ts'
import { type Ink, type LabelWish, placeLabels } from './label-layout.ts'
import { namePlace } from './name-place.ts'
import { visibleLine } from './path-data.ts'
import { element, escapeXml, group } from './xml.ts'

/** Shapes are named only where there are at most so many. */
const MOST_NAMES = 200
/** Up to which names keep out of each other's shapes. */
const FEW = 12
/** Names keep so far from points, if they can. */
const ROOM = 36
const VALUE_SIZE = 21
/** Sizes of names, by how many there are. */
const NAME_SIZES = [
  [12, 25],
  [40, 19],
  [MOST_NAMES, 15],
] as const
const BOLD = 600
/** Picture units between the points that a line counts for, and most points in all. */
const INK_STEP = 9
const MOST_INK = 6000
const OUTLINE_WEIGHT = 1
const STROKE_WEIGHT = 3
const DOT_WEIGHT = 8

interface Label extends LabelWish {
  colour: string
  weight?: number
}

export function drawLabels(picture: Picture, frame: PictureFrame): string[] {
  const labels = [...valueLabels(picture, frame), ...nameLabels(picture, frame)]
  if (labels.length === 0) return []
  const boxes = placeLabels(labels, inksOf(picture, frame), frame.width, frame.height)
  const texts = labels.flatMap(({ text, size, colour, weight }, i) => {
    const box = boxes[i]
    if (box === null) return []
    const { x, y } = box
    const place = { x: short(x), y: short(y + size * 0.35) }
    return element('text', { ...place, 'font-size': size, 'font-weight': weight, fill: colour }, escapeXml(text))
  })
  const halo = { stroke: PAPER, 'stroke-width': 4.5, 'stroke-linejoin': 'round', 'paint-order': 'stroke' }
  return group('g', { 'text-anchor': 'middle', ...halo }, texts)
}

function valueLabels({ labels }: Picture, frame: PictureFrame): Label[] {
  return labels.map(({ at, text, toward }) => ({
    at: toPicture(frame, at),
    text,
    size: VALUE_SIZE,
    toward: toward === undefined ? undefined : turnedToPicture(frame, toward),
    colour: INK,
  }))
}

function nameLabels({ shapes, dots, nameSize }: Picture, frame: PictureFrame): Label[] {
  const named = shapes.filter(({ name }) => name !== undefined)
  const size = nameSize ?? NAME_SIZES.find(([count]) => named.length <= count)?.[1]
  if (size === undefined) return []
  const isFew = named.length <= FEW
  const boxes = isFew ? named.map(({ parts }) => partsBox(parts)) : []
  const room = lengthFromPicture(frame, ROOM)
  const around = dots.slice(0, FEW).map(({ at: { x, y } }) => ({
    minX: x - room,
    minY: y - room,
    maxX: x + room,
    maxY: y + room,
  }))
  return named.flatMap(({ parts, role, name, elsewhere: optional = false }, i) => {
    const others = isFew ? [...boxes.filter((_, j) => j !== i), ...around] : []
    const place = namePlace(parts, others, frame)
    if (place === null) return []
    const { at, inside } = place
    return [
      { at, text: name as string, size, centred: inside, colour: SHAPE_LOOKS[role].stroke, weight: BOLD, optional },
    ]
  })
}

/** What labels should not cover. */
function inksOf(picture: Picture, frame: PictureFrame): Ink[] {
  const inks: Ink[] = []
  for (const { at } of picture.dots) inks.push({ ...toPicture(frame, at), weight: DOT_WEIGHT })
  const reach = directionLength(picture.arrows)
  for (const arrow of picture.arrows) {
    const [tail, head] = arrowEnds(arrow, reach, frame)
    addLine(inks, tail, head, STROKE_WEIGHT, frame)
  }
  for (const stroke of picture.strokes) {
    const points = strokePoints(stroke, frame)
    for (let i = 1; i < points.length; i++) addLine(inks, points[i - 1], points[i], STROKE_WEIGHT, frame)
  }
  const view = visibleBox(frame)
  const tolerance = lengthFromPicture(frame, 1)
  for (const { parts } of picture.shapes) {
    for (const part of parts) {
      if (inks.length > MOST_INK) return inks
      if (part.kind === 'halfplane') {
        const ends = visibleLine(part, { x: -part.ny, y: part.nx }, false, frame)
        if (ends !== null) addLine(inks, toPicture(frame, ends[0]), toPicture(frame, ends[1]), OUTLINE_WEIGHT, frame)
      }
      if (part.kind === 'point') inks.push({ ...toPicture(frame, part), weight: DOT_WEIGHT })
      if (part.kind !== 'path') continue
      for (const ring of part.rings) {
        const points = flattened(ring, view, tolerance).map((point) => toPicture(frame, point))
        if (ring.closed) points.push(points[0])
        for (let i = 1; i < points.length; i++) addLine(inks, points[i - 1], points[i], OUTLINE_WEIGHT, frame)
      }
    }
  }
  return inks
}

function strokePoints(stroke: StrokeMark, frame: PictureFrame): Vec2[] {
  const points =
    stroke.form === 'polyline'
      ? stroke.points
      : (visibleLine(stroke.through, stroke.direction, stroke.form === 'ray', frame) ?? [])
  return points.map((point) => toPicture(frame, point))
}

function addLine(inks: Ink[], p: Vec2, q: Vec2, weight: number, { width, height }: PictureFrame): void {
  const count = Math.min(300, Math.ceil(lengthBetween(p, q) / INK_STEP))
  for (let k = 0; k <= count && inks.length <= MOST_INK; k++) {
    const t = count === 0 ? 0 : k / count
    const x = p.x + (q.x - p.x) * t
    const y = p.y + (q.y - p.y) * t
    if (Math.abs(x) < width && Math.abs(y) < height) inks.push({ x, y, weight })
  }
}
