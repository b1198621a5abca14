// Names, numbers and values → SVG, each where it covers least.

import type { Vec2 } from '../../../schemas/vector.ts'
import { partsBox } from '../marks/outline.ts'
import { INK, PAPER, SHAPE_LOOKS } from '../marks/palette.ts'
import type { Picture, StrokeMark } from '../marks/picture.ts'
import { lengthBetween } from '../marks/pose.ts'
import { arrowEnds, directionLength } from './draw-marks.ts'
import { namePlace } from './name-place.ts'
import { flattened, visibleLine } from './path-data.ts'
import { lengthFromPicture, type PictureFrame, short, toPicture, turnedToPicture, visibleBox } from './view-box.ts'
import { element, escapeXml, group, labelWidth } from './xml.ts'

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

// Where labels stand: each at the first of some places around what it speaks of that covers the least of the rest.
//
// Greedy, in the order of the labels, after the point-feature labelling of J. Christensen, J. Marks and S. Shieber, "An
// empirical study of algorithms for point-feature label placement", ACM TOG 14 (1995), section 4.1. Frame: picture units.

interface LabelBox {
  /** Centre. */
  x: number
  y: number
  width: number
  height: number
}

interface LabelWish {
  at: Vec2
  text: string
  size: number
  /** Unit vector, where it would rather stand. */
  toward?: Vec2 | undefined
  /** Stands on its place if that is free: names of shapes. */
  centred?: boolean
  /** Left out where it would cover another label. */
  optional?: boolean
}

/** Things not to be covered: small discs along lines, and points. */
interface Ink {
  x: number
  y: number
  weight: number
}

const DIRECTIONS = 16
const GAPS = [8, 20, 34]
const TURN = 2 * Math.PI
/** Costs: of covering a label, per piece of ink, of standing far away or on the wrong side, of leaving the plot. */
const COVERS_LABEL = 60
const FARTHER = 1.5
const WRONG_SIDE = 5
const LEAVES_PLOT = 500

/** The boxes of the labels, in their order; null of those that are left out. `width`, `height`: of the plot, whose centre is the origin. */
function placeLabels(wishes: readonly LabelWish[], inks: readonly Ink[], width: number, height: number) {
  const cells = cellsOf(inks)
  const placed: LabelBox[] = []
  return wishes.map((wish): LabelBox | null => {
    let best: LabelBox | null = null
    let least = Infinity
    for (const { box, cost } of candidates(wish)) {
      if (cost >= least) continue
      const total = cost + costOf(box, cells, placed, width, height)
      if (total >= least) continue
      least = total
      best = box
    }
    if (wish.optional === true && covers(best as LabelBox, placed)) return null
    placed.push(best as LabelBox)
    return best
  })
}

function covers(box: LabelBox, placed: readonly LabelBox[]): boolean {
  return placed.some((other) => areOver(box, other))
}

function areOver(p: LabelBox, q: LabelBox): boolean {
  return Math.abs(p.x - q.x) * 2 < p.width + q.width && Math.abs(p.y - q.y) * 2 < p.height + q.height
}

/** The ink of each cell of a lattice, so that a label looks only at what is near it. */
type InkCells = ReadonlyMap<number, readonly Ink[]>

const CELL = 32
const CELLS_ACROSS = 4096

function cellsOf(inks: readonly Ink[]): InkCells {
  const cells = new Map<number, Ink[]>()
  for (const ink of inks) {
    const key = keyOf(cellOf(ink.x), cellOf(ink.y))
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, [ink])
    else cell.push(ink)
  }
  return cells
}

function cellOf(value: number): number {
  return Math.floor(value / CELL)
}

function keyOf(i: number, j: number): number {
  return i * CELLS_ACROSS + j
}

function candidates({ at, text, size, toward, centred }: LabelWish): { box: LabelBox; cost: number }[] {
  const width = labelWidth(text, size)
  const height = size * 1.1
  const list: { box: LabelBox; cost: number }[] = []
  if (centred === true) list.push({ box: { ...at, width, height }, cost: 0 })
  const start = toward === undefined ? -Math.PI / 4 : Math.atan2(toward.y, toward.x)
  GAPS.forEach((gap, ring) => {
    for (let i = 0; i < DIRECTIONS; i++) {
      // To either side of the wished direction in turn.
      const angle = start + (i % 2 === 0 ? 1 : -1) * Math.ceil(i / 2) * (TURN / DIRECTIONS)
      const cos = Math.cos(angle)
      const sin = Math.sin(angle)
      const x = at.x + cos * (gap + width / 2)
      const y = at.y + sin * (gap + height / 2)
      const strays = toward === undefined ? (0.3 * i) / DIRECTIONS : (WRONG_SIDE * i) / DIRECTIONS
      list.push({ box: { x, y, width, height }, cost: FARTHER * (ring + (centred === true ? 1 : 0)) + strays })
    }
  })
  return list
}

function costOf(box: LabelBox, cells: InkCells, placed: readonly LabelBox[], width: number, height: number) {
  let cost = 0
  const left = box.x - box.width / 2
  const right = box.x + box.width / 2
  const top = box.y - box.height / 2
  const bottom = box.y + box.height / 2
  if (left < -width / 2 || right > width / 2 || top < -height / 2 || bottom > height / 2) cost += LEAVES_PLOT
  for (const other of placed) if (areOver(box, other)) cost += COVERS_LABEL
  for (let i = cellOf(left - 2); i <= cellOf(right + 2); i++) {
    for (let j = cellOf(top - 1); j <= cellOf(bottom + 1); j++) {
      for (const { x, y, weight } of cells.get(keyOf(i, j)) ?? []) {
        if (x > left - 2 && x < right + 2 && y > top - 1 && y < bottom + 1) cost += weight
      }
    }
  }
  return cost
}
