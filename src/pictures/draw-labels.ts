// Names, numbers and values → SVG, each at the place where it covers least.

import type { Vec2 } from '../../schemas/vector.ts'
import { arrowEnds, directionLength } from './draw-marks.ts'
import { boxCentre, type DrawnBox, type DrawnPart, isEmpty, partsBox } from './outline.ts'
import { INK, PAPER, SHAPE_LOOKS } from './palette.ts'
import { flattened, visibleLine } from './path-data.ts'
import type { Picture, StrokeMark } from './picture.ts'
import { along, lengthBetween, midway } from './pose.ts'
import { lengthFromPicture, type PictureFrame, short, toPicture, turnedToPicture, visibleBox } from './view-box.ts'
import { element, escapeXml, group, labelWidth } from './xml.ts'

/** Shapes are named only if there are at most so many. */
const MOST_NAMES = 200
/** Up to so many names avoid each other's shapes. */
const FEW = 12
/** Preferred distance between names and points. */
const ROOM = 36
const VALUE_SIZE = 21
/** Font size by the number of names. */
const NAME_SIZES = [
  [12, 25],
  [40, 19],
  [MOST_NAMES, 15],
] as const
const BOLD = 600
/** Picture units between the points that represent a line, and the maximum number of points. */
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

/** Marks that labels should not cover. */
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

// Label placement: each label takes the first of some candidate places around its mark that covers the least of everything else.
//
// Method: greedy, in the order of the labels, after the point-feature labelling of J. Christensen, J. Marks and S. Shieber, "An
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
  /** Unit vector towards the preferred side. */
  toward?: Vec2 | undefined
  /** May stand on the place itself: names of shapes. */
  centred?: boolean
  /** Omitted if it would cover another label. */
  optional?: boolean
}

/** Marks to avoid: small discs along lines, and points. */
interface Ink {
  x: number
  y: number
  weight: number
}

const DIRECTIONS = 16
const GAPS = [8, 20, 34]
const TURN = 2 * Math.PI
/** Costs of covering a label, of each piece of ink covered, of standing far away or on the wrong side, of leaving the plot. */
const COVERS_LABEL = 60
const FARTHER = 1.5
const WRONG_SIDE = 5
const LEAVES_PLOT = 500

/** The boxes of the labels, in their order; null for omitted ones. `width`, `height`: size of the plot, whose centre is the origin. */
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

/** The ink in each cell of a lattice, so that a label examines only its neighbourhood. */
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
      // Alternately to either side of the preferred direction.
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

// The place of a shape's name: well inside the visible part of the shape.

interface NamePlace {
  /** In picture units. */
  at: Vec2
  /** The name is centred on the place instead of next to it. */
  inside: boolean
}

/** Maximum number of corners of a shape that is searched for an inner place; larger shapes use the middle of their box. */
const MANY = 3000
const SAMPLES = 11
/** Factor by which a place must be better than the middle. */
const BETTER = 1.3
/** Depth beyond which a place gets no better, in picture units. */
const ENOUGH = 45
/** Depth within a half-plane, and positions along its boundary. */
const DEPTH = 34
const ALONG = [0.15, 0.85, 0.5]
const CHORD_ERROR = 0.5

/** `others`: boxes of other shapes, which the name should avoid. null if no part of the shape is visible. */
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
  // from left to right
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

/** The point of a lattice over the box that lies inside and farthest from all edges; the middle if it is as good. */
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
