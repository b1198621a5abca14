/**
 * A picture → SVG text: one self-contained document without scripts, references, styles or identifiers.
 *
 * Layout, in picture units, 800 across: the answer in words, the plot with its grid and scales, the legend. The plot is a
 * nested `svg`, which clips its content.
 */

import { drawLabels } from './draw-labels.ts'
import { directionLength, drawArrow, drawCrowd, drawDot, drawShapes, drawStroke } from './draw-marks.ts'
import { roundStep, type Scales, scalesOf } from './grid.ts'
import { isEmpty } from './outline.ts'
import {
  ARROW_COLOURS,
  type ArrowRole,
  DOT_LOOKS,
  type DotRole,
  FRAME,
  GRID,
  GRID_AXIS,
  INK,
  type Look,
  MUTED,
  PAPER,
  SHAPE_LOOKS,
  type ShapeRole,
  STROKE_LOOKS,
  type StrokeRole,
} from './palette.ts'
import { type KeyEntry, type Picture, type PictureAxes, quantity } from './picture.ts'
import { createFrame, lengthToPicture, type PictureFrame, PLOT_WIDTH, short, viewBox } from './view-box.ts'
import { type Attributes, element, escapeXml, group, labelWidth, textWidth, wrapped } from './xml.ts'

export interface PictureOptions {
  /** y grows downwards, as in level editors. */
  yDown: boolean
}

const PLANE: PictureAxes = { form: 'plane', across: 'x', up: 'y' }

export const WIDTH = 800
const LEFT = 80
const TOP = 14
const SCALE_HEIGHT = 34
const BOTTOM = 14
const HEADING_SIZE = 25
const DETAIL_SIZE = 20
const TICK_SIZE = 18
const NOTE_HEIGHT = 24
const X_NAME_WIDTH = 40
const LINE = 1.35
/** Relative width of bold text. */
const BOLD_WIDTH = 1.15
const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', Arial, sans-serif"

export function drawPicture(picture: Picture, title: string, options: PictureOptions): string {
  const panel = drawWhole(picture, options)
  return drawDocument(panelElements(panel), { title, description: panel.description, height: panel.height })
}

/** Shows the whole picture. */
export function drawWhole(picture: Picture, { yDown }: PictureOptions): Panel {
  const box = viewBox(picture)
  if (isEmpty(box)) Object.assign(box, { minX: 0, minY: 0, maxX: 0, maxY: 0 })
  return drawPanel(picture, createFrame(box, lonelyReach(picture), yDown))
}

/** The captions, the plot and the legend of one picture, as separate elements. */
export interface Panel {
  /** The captions as one text. */
  readonly description: string
  readonly height: number
  /** Elements before the plot, in it, and after it. */
  readonly above: readonly string[]
  readonly plot: { readonly place: Attributes; readonly under: readonly string[]; readonly over: readonly string[] }
  readonly below: readonly string[]
}

export function drawPanel(picture: Picture, frame: PictureFrame): Panel {
  const above: string[] = []
  let top = TOP
  const write = (text: string, size: number, colour: string, weight?: number) => {
    for (const line of wrapped(text, (WIDTH - 2 * BOTTOM) / (weight === undefined ? 1 : BOLD_WIDTH), size)) {
      top += size * LINE
      const at = { x: BOTTOM + 4, y: Math.round(top - size * 0.35) }
      above.push(element('text', { ...at, 'font-size': size, 'font-weight': weight, fill: colour }, escapeXml(line)))
    }
  }
  write(picture.heading, HEADING_SIZE, INK, 600)
  for (const detail of picture.details) write(detail, DETAIL_SIZE, MUTED)
  top += 10
  const { axes = PLANE } = picture
  const scales = axes.form === 'plane' ? scalesOf(frame, picture.origin, axes) : leaningScales(frame)
  const plotTop = Math.round(top)
  above.push(...drawScales(scales, plotTop, frame, axes))
  const lower = plotTop + frame.height + SCALE_HEIGHT + (scales.note === '' ? 0 : NOTE_HEIGHT)
  const key = drawKey(picture.key, BOTTOM + 4, lower, WIDTH - 2 * BOTTOM)
  const legend = drawLegend(picture.legend, BOTTOM + 4, key.bottom, WIDTH - 2 * BOTTOM)
  const table = drawRows(picture.table, BOTTOM + 4, legend.bottom, WIDTH - 2 * BOTTOM)
  return {
    description: [picture.heading, ...picture.details, ...picture.legend.slice(0, MOST_LINES)].join(' '),
    height: Math.ceil(table.bottom + BOTTOM),
    above,
    plot: drawPlot(picture, scales, plotTop, frame),
    below: [...key.drawn, ...legend.drawn, ...table.drawn],
  }
}

/** `backdrop`: elements in picture units, drawn directly above the grid. */
export function panelElements({ above, plot, below }: Panel, backdrop: readonly string[] = []): string[] {
  return [...above, ...group('svg', plot.place, [...plot.under, ...backdrop, ...plot.over]), ...below]
}

/** `width`: width of the whole picture, in pixels. */
export function drawDocument(
  elements: readonly string[],
  { title, description, height, width = WIDTH }: { title: string; description: string; height: number; width?: number },
): string {
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${WIDTH} ${height}`,
      width,
      height: Math.round((height / WIDTH) * width),
      role: 'img',
      'font-family': FONTS,
    },
    `\n${[
      element('title', {}, escapeXml(title)),
      element('desc', {}, escapeXml(description)),
      element('rect', { width: WIDTH, height, fill: PAPER }),
      ...elements,
    ].join('\n')}\n`,
  )}\n`
}

/** Width of a picture of a single point. */
function lonelyReach({ origin }: Picture): number {
  return 2 * Math.max(Math.abs(origin.x), Math.abs(origin.y)) || 4
}

function drawPlot(picture: Picture, { x, y }: Scales, top: number, frame: PictureFrame): Panel['plot'] {
  const { width, height } = frame
  const left = -width / 2
  const up = -height / 2
  const lines = [
    ...x.map(({ at, isZero }) => ({ d: `M${round(at)} ${up}V${-up}`, isZero })),
    ...y.map(({ at, isZero }) => ({ d: `M${left} ${round(at)}H${-left}`, isZero })),
  ]
  const dataOf = (zero: boolean) =>
    lines
      .filter(({ isZero }) => isZero === zero)
      .map(({ d }) => d)
      .join('')
  const grid = [
    element('path', { d: dataOf(false), stroke: GRID, 'stroke-width': 1.5, fill: 'none' }),
    element('path', { d: dataOf(true), stroke: GRID_AXIS, 'stroke-width': 2, fill: 'none' }),
  ].filter((line) => !line.includes(' d=""'))
  const reach = directionLength(picture.arrows)
  const marks = [
    ...picture.strokes.map((stroke) => drawStroke(stroke, frame)),
    ...picture.arrows.map((arrow) => drawArrow(arrow, reach, frame)),
    ...drawCrowd(picture.dots, frame),
    ...picture.dots.map((dot) => (dot.role === 'input' ? '' : drawDot(dot, frame))),
  ].filter((mark) => mark !== '')
  const place = { x: LEFT, y: top, width, height, viewBox: `${left} ${up} ${width} ${height}`, 'aria-hidden': 'true' }
  return { place, under: grid, over: [...drawShapes(picture.shapes, frame), ...marks, ...drawLabels(picture, frame)] }
}

function drawScales({ x, y, note }: Scales, top: number, frame: PictureFrame, axes: PictureAxes): string[] {
  const { width, height, yDown } = frame
  const drawn: string[] = [
    element('rect', { x: LEFT, y: top, width, height, fill: 'none', stroke: FRAME, 'stroke-width': 1.5 }),
  ]
  const bottom = top + height
  const middle = LEFT + PLOT_WIDTH / 2
  const write = (text: string, px: number, py: number, anchor?: string, weight?: number) =>
    drawn.push(
      element('text', { x: round(px), y: round(py), 'text-anchor': anchor, 'font-weight': weight }, escapeXml(text)),
    )
  for (const { at, text } of x) {
    if (at > 20 - width / 2 && at < width / 2 - X_NAME_WIDTH - text.length * 5)
      write(text, middle + at, bottom + 22, 'middle')
  }
  for (const { at, text } of y) {
    const toY = yDown ? at : -at
    if (toY < height / 2 - 30 && toY > 8 - height / 2) write(text, LEFT - 8, top + height / 2 + at + 6, 'end')
  }
  if (axes.form === 'plane') {
    write(`${axes.across} →`, LEFT + width, bottom + 22, 'end', 600)
    write(`${yDown ? '↓' : '↑'} ${axes.up}`, LEFT - 8, yDown ? bottom - 4 : top + 16, 'end', 600)
  } else drawn.push(...drawAxes(axes, LEFT / 2, bottom - LEFT / 2, frame))
  if (note !== '') write(note, LEFT + width, bottom + 22 + NOTE_HEIGHT, 'end')
  return group('g', { 'font-size': TICK_SIZE, fill: MUTED }, drawn)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

// Below the plot: lines of text, or a small table

interface Drawn {
  drawn: string[]
  bottom: number
}

const LEGEND_SIZE = 20
const LEGEND_LINE = 27
/** Maximum number of lines in a legend; further ones are counted. */
const MOST_LINES = 12
const TABLE_SIZE = 18
const SMALLEST = 9
const TABLE_ROW = 30
const HEADING_WIDTH = 56
const WIDEST_COLUMN = 110

function drawLegend(legend: readonly string[], left: number, top: number, width: number): Drawn {
  if (legend.length === 0) return { drawn: [], bottom: top }
  const shown = legend.length > MOST_LINES ? legend.slice(0, MOST_LINES - 1) : legend
  const lines = shown.flatMap((line) => wrapped(line, width, LEGEND_SIZE))
  if (shown.length < legend.length) lines.push(`… and ${legend.length - shown.length} more`)
  const texts = lines.map((line, i) => element('text', { x: left, y: top + 30 + i * LEGEND_LINE }, escapeXml(line)))
  return {
    drawn: group('g', { 'font-size': LEGEND_SIZE, fill: INK }, texts),
    bottom: top + 10 + lines.length * LEGEND_LINE,
  }
}

/** The first row and the first column are headings. */
function drawRows(table: readonly (readonly string[])[], left: number, top: number, width: number): Drawn {
  if (table.length === 0) return { drawn: [], bottom: top }
  const columns = table[0].length - 1
  const column = Math.min(WIDEST_COLUMN, Math.floor((width - HEADING_WIDTH) / Math.max(1, columns)))
  const right = (j: number) => left + HEADING_WIDTH + j * column - 8
  const texts: string[] = []
  const rules: string[] = []
  table.forEach((row, i) => {
    const y = top + 30 + i * TABLE_ROW
    row.forEach((text, j) => {
      if (text === '') return
      const isHeading = i === 0 || j === 0
      const style = { 'font-weight': isHeading ? 600 : undefined, fill: isHeading ? MUTED : undefined }
      texts.push(element('text', { x: j === 0 ? left + HEADING_WIDTH - 20 : right(j), y, ...style }, escapeXml(text)))
    })
    rules.push(`M${left} ${y + 9}H${right(columns) + 8}`)
  })
  const longest = Math.max(...table.flat().map((text) => labelWidth(text, 1)))
  const size = Math.min(TABLE_SIZE, Math.max(SMALLEST, (column - 10) / longest))
  return {
    drawn: [
      element('path', { d: rules.join(''), stroke: GRID, 'stroke-width': 1.5, fill: 'none' }),
      ...group('g', { 'font-size': Math.round(size), fill: INK, 'text-anchor': 'end' }, texts),
    ],
    bottom: top + 14 + table.length * TABLE_ROW,
  }
}

// The key below a plot: a sample of each kind of mark, and its meaning

const KEY_SIZE = 18
const KEY_ROW = 28
const SAMPLE_WIDTH = 40
const SAMPLE_HEIGHT = 16
const GAP = 26

/** Entries in rows, left to right. */
function drawKey(key: readonly KeyEntry[], left: number, top: number, width: number) {
  const drawn: string[] = []
  let x = left
  let y = top + 24
  for (const { sample, text } of key) {
    const entryWidth = SAMPLE_WIDTH + 10 + textWidth(text, KEY_SIZE)
    if (x > left && x + entryWidth > left + width) {
      x = left
      y += KEY_ROW
    }
    drawn.push(element('g', { transform: `translate(${Math.round(x)} ${y - 6})` }, sampleOf(sample)))
    drawn.push(element('text', { x: Math.round(x + SAMPLE_WIDTH + 10), y }, escapeXml(text)))
    x += entryWidth + GAP
  }
  const bottom = key.length === 0 ? top : y + 10
  return { drawn: group('g', { 'font-size': KEY_SIZE, fill: MUTED }, drawn), bottom }
}

function sampleOf(sample: KeyEntry['sample']): string {
  const middle = { x: SAMPLE_WIDTH / 2, y: 0 }
  if (sample in DOT_LOOKS) return drawDot({ at: middle, role: sample as DotRole }, SAMPLES)
  if (sample in ARROW_COLOURS) {
    const ends = { tail: { x: 0, y: 0 }, head: { x: SAMPLE_WIDTH, y: 0 } }
    return drawArrow({ form: 'between', ...ends, role: sample as ArrowRole }, SAMPLE_WIDTH, SAMPLES)
  }
  const look: { stroke: string; width: number; dash?: string } & Partial<Look> =
    sample in STROKE_LOOKS ? STROKE_LOOKS[sample as StrokeRole] : SHAPE_LOOKS[sample as ShapeRole]
  const style = { stroke: look.stroke, 'stroke-width': look.width, 'stroke-dasharray': look.dash }
  if (sample in STROKE_LOOKS) return element('path', { d: `M0 0H${SAMPLE_WIDTH}`, fill: 'none', ...style })
  const box = { y: -SAMPLE_HEIGHT / 2, width: SAMPLE_WIDTH, height: SAMPLE_HEIGHT, rx: 3 }
  return element('rect', { ...box, fill: look.fill ?? 'none', 'fill-opacity': look.opacity, ...style })
}

/** Samples are given in picture units already. */
const SAMPLES: PictureFrame = { centre: { x: 0, y: 0 }, span: 1, width: 1, height: 1, yDown: true }

// The axes of space in an isometric view: three lines next to the plot, each of a round length

/** Minimum length of an axis across the view, in picture units; a round length is up to 2.5 times that. */
const LEAST_LENGTH = 14
const NAME_GAP = 9

/** The length of the axes takes the place of a grid. */
export function leaningScales(frame: PictureFrame): Scales {
  const length = axisLength(frame)
  return { x: [], y: [], note: length === null ? '' : `Each axis is drawn ${quantity(length)} long.` }
}

function axisLength({ span, width }: PictureFrame): number | null {
  const { size } = roundStep((span / width) * LEAST_LENGTH)
  return size > 0 && Number.isFinite(size) ? size : null
}

/** Drawn at (x, y), in picture units. */
export function drawAxes(
  { axes }: PictureAxes & { form: 'leaning' },
  x: number,
  y: number,
  frame: PictureFrame,
): string[] {
  const length = lengthToPicture(frame, axisLength(frame) ?? 0) || LEAST_LENGTH
  return axes.flatMap(({ name, along }) => {
    const at = (reach: number) => ({ x: short(x + along.x * reach), y: short(y - along.y * reach) })
    const [end, text] = [at(length), at(length + NAME_GAP)]
    const d = `M${short(x)} ${short(y)}L${end.x} ${end.y}`
    return [
      element('path', { d, stroke: MUTED, 'stroke-width': 2, fill: 'none' }),
      element('text', { x: text.x, y: short(Number(text.y) + 5), 'text-anchor': 'middle' }, escapeXml(name)),
    ]
  })
}
