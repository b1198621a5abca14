/**
 * From the caller's lengths to picture units.
 *
 * Frame: picture units are counted from the centre of the plot, x to the right and y down, as SVG has it. Differences are
 * taken in the caller's unit and divided by the span before anything is multiplied, so neither 1e90 nor 1e-300 overflows.
 */
import type { Vec2 } from '../../../schemas/vector.ts'
import { boxCentre, boxSize, type DrawnBox } from '../marks/outline.ts'

export interface PictureFrame {
  /** Of the plot, counted from the picture's origin. */
  centre: Vec2
  /** Length across the plot, in the caller's unit. */
  span: number
  /** Of the plot, in picture units. */
  width: number
  height: number
  yDown: boolean
}

export const PLOT_WIDTH = 700
const LEAST_HEIGHT = 300
const GREATEST_HEIGHT = 700
/** Left free on each side, of the plot. */
const MARGIN = 0.1
/** Below it, steps of a grid would underflow. */
const LEAST_SPAN = 1e-300
/** Beyond this nothing is drawn, and SVG renderers would lose digits. */
const FARTHEST = 1e6

/** The plot that shows the whole box; `reach` is its size when the box has none. `margin`: left free on each side, of the plot. */
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

/** A plot of a given size, in picture units, that shows the whole box and nothing more than its form asks for. */
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
