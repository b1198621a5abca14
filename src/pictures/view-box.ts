/**
 * The part of the world that a picture shows: all of the answer, and as much of the shapes as leaves the small ones visible.
 *
 * A ground a thousand times larger than the bodies on it is shown only near the bodies.
 */

import type { Vec2 } from '../../schemas/vector.ts'
import {
  addToBox,
  boxCentre,
  boxSize,
  createBox,
  type DrawnBox,
  type DrawnPart,
  isEmpty,
  joinBox,
  partsBox,
} from './outline.ts'
import type { Picture } from './picture.ts'

/** Shapes larger than this many times the median are shown in part. */
const LARGE = 25
/** Visible margin of such shapes around everything else, relative to its size. */
const AROUND = 0.35
/** Half-planes farther away than this, relative to the size of everything else, are not shown. */
const NEAR = 2.5
/** Visible depth of half-planes, relative to the size of everything else. */
const SOLID = 0.12

/** Relative to the picture's origin; empty only for a picture without marks. */
export function viewBox(picture: Picture): DrawnBox {
  const boxes = picture.shapes
    .filter(({ aside }) => aside !== true)
    .map(({ parts }) => partsBox(parts))
    .filter((box) => !isEmpty(box))
  const limit = LARGE * medianSize(boxes)
  const view = markBox(picture)
  const large: DrawnBox[] = []
  for (const box of boxes) {
    if (boxSize(box) > limit) large.push(box)
    else joinBox(view, box)
  }
  const around = grown(view, AROUND * boxSize(view))
  for (const box of large) joinBox(view, overlapOf(box, around) ?? box)
  const alone = isEmpty(view)
  addHalfplanes(picture, view)
  return alone && !isEmpty(view) ? grown(view, boxSize(view) / 2) : view
}

/** The lower median of the sizes that are not 0; 0 if there are none. */
function medianSize(boxes: readonly DrawnBox[]): number {
  const sizes = boxes
    .map(boxSize)
    .filter((size) => size > 0)
    .sort((p, q) => p - q)
  return sizes.length === 0 ? 0 : sizes[(sizes.length - 1) >> 1]
}

function markBox({ strokes, arrows, dots }: Picture): DrawnBox {
  const box = createBox()
  const add = ({ x, y }: Vec2) => addToBox(box, x, y)
  for (const { at } of dots) add(at)
  for (const stroke of strokes) {
    if (stroke.form === 'ray') add(stroke.through)
    if (stroke.form === 'polyline' && stroke.aside !== true) stroke.points.forEach(add)
  }
  for (const arrow of arrows) {
    add(arrow.tail)
    if (arrow.form === 'between') add(arrow.head)
  }
  return box
}

function grown({ minX, minY, maxX, maxY }: DrawnBox, by: number): DrawnBox {
  return { minX: minX - by, minY: minY - by, maxX: maxX + by, maxY: maxY + by }
}

function overlapOf(p: DrawnBox, q: DrawnBox): DrawnBox | null {
  const both = {
    minX: Math.max(p.minX, q.minX),
    minY: Math.max(p.minY, q.minY),
    maxX: Math.min(p.maxX, q.maxX),
    maxY: Math.min(p.maxY, q.maxY),
  }
  return both.minX <= both.maxX && both.minY <= both.maxY && boxSize(both) > 0 ? both : null
}

/** The point of each boundary that is nearest to everything else. */
function addHalfplanes({ shapes }: Picture, view: DrawnBox): void {
  const halfplanes = shapes.flatMap(({ parts, aside }) => (aside === true ? [] : parts)).filter(isHalfplane)
  const alone = isEmpty(view)
  const size = boxSize(view)
  const centre = alone ? { x: 0, y: 0 } : boxCentre(view)
  for (const { x, y, nx, ny } of halfplanes) {
    const height = (x - centre.x) * nx + (y - centre.y) * ny
    if (alone || size === 0 || Math.abs(height) <= NEAR * size) {
      for (const depth of [0, SOLID * size]) {
        addToBox(view, centre.x + nx * (height - depth), centre.y + ny * (height - depth))
      }
    }
  }
}

function isHalfplane(part: DrawnPart): part is DrawnPart & { kind: 'halfplane' } {
  return part.kind === 'halfplane'
}

// From the caller's lengths to picture units.
//
// Frame: picture units, with the origin at the centre of the plot, x to the right and y down, as in SVG. Differences are
// taken in the caller's unit and divided by the span before anything is multiplied, so neither 1e90 nor 1e-300 overflows.

export interface PictureFrame {
  /** Centre of the plot, relative to the picture's origin. */
  centre: Vec2
  /** Length across the plot, in the caller's unit. */
  span: number
  /** Size of the plot, in picture units. */
  width: number
  height: number
  yDown: boolean
}

export const PLOT_WIDTH = 700
const LEAST_HEIGHT = 300
const GREATEST_HEIGHT = 700
/** Margin on each side, relative to the plot. */
const MARGIN = 0.1
/** Below this span, steps of a grid would underflow. */
const LEAST_SPAN = 1e-300
/** Nothing is drawn beyond this coordinate, where SVG renderers would lose digits. */
const FARTHEST = 1e6

/** The plot that shows the whole box, or `reach` around a box without size. `margin`: on each side, relative to the plot. */
export function createFrame(box: DrawnBox, reach: number, yDown: boolean, margin = MARGIN): PictureFrame {
  const free = 1 - 2 * margin
  const size = boxSize(box)
  const width = size === 0 ? reach : (box.maxX - box.minX) / free
  const height = size === 0 ? reach / 2 : (box.maxY - box.minY) / free
  const ratio = height / width
  const plotHeight = Math.round(Math.min(GREATEST_HEIGHT, Math.max(LEAST_HEIGHT, PLOT_WIDTH * ratio)))
  const span = Math.max(LEAST_SPAN, width, (height / plotHeight) * PLOT_WIDTH)
  return { centre: boxCentre(box), span, width: PLOT_WIDTH, height: plotHeight, yDown }
}

/** A plot of a given size, in picture units, that shows the whole box and as little else as its aspect ratio allows. */
export function fittedFrame(box: DrawnBox, width: number, height: number, yDown: boolean): PictureFrame {
  const span = Math.max(LEAST_SPAN, box.maxX - box.minX, ((box.maxY - box.minY) / height) * width)
  return { centre: boxCentre(box), span, width, height, yDown }
}

export function toPicture({ centre, span, width, yDown }: PictureFrame, { x, y }: Vec2): Vec2 {
  const across = clamped(((x - centre.x) / span) * width)
  const up = clamped(((y - centre.y) / span) * width)
  return { x: across, y: yDown ? up : -up }
}

/** A unit vector. */
export function turnedToPicture({ yDown }: PictureFrame, { x, y }: Vec2): Vec2 {
  return { x, y: yDown ? y : -y }
}

export function lengthToPicture({ span, width }: PictureFrame, length: number): number {
  return clamped((length / span) * width)
}

export function lengthFromPicture({ span, width }: PictureFrame, length: number): number {
  return (length / width) * span
}

function clamped(value: number): number {
  if (Number.isNaN(value)) return 0
  return Math.min(FARTHEST, Math.max(-FARTHEST, value))
}

/** The plot in the caller's unit, `margin` plots wider on every side. */
export function visibleBox({ centre, span, width, height }: PictureFrame, margin = 0): DrawnBox {
  const halfWidth = span * (0.5 + margin)
  const halfHeight = ((span * height) / width) * (0.5 + margin)
  const { x, y } = centre
  return { minX: x - halfWidth, minY: y - halfHeight, maxX: x + halfWidth, maxY: y + halfHeight }
}

/** A picture coordinate as text: two decimals are finer than any screen shows. */
export function short(value: number): string {
  const rounded = Math.round(value * 100) / 100
  return rounded === 0 ? '0' : String(rounded)
}
