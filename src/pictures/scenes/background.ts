// Behind and beside the bodies of a rendered scene: paper, grid, and the numbers of the grid along two sides.

import type { Vec2 } from '../../../schemas/vector.ts'
import { GRID, GRID_AXIS, MUTED, PAPER } from '../marks/palette.ts'
import type { PictureFrame } from '../svg/frame.ts'
import { scalesOf, type Tick } from '../svg/grid.ts'
import { element, escapeXml, group } from '../svg/xml.ts'

const NAMES = { across: 'x', up: 'y' }
const TICK_SIZE = 12
/** Between numbers and the sides, in pixels. */
const GAP = 5
const HALO = { stroke: PAPER, 'stroke-width': 3, 'stroke-linejoin': 'round', 'paint-order': 'stroke' }

export function drawBackground(frame: PictureFrame, origin: Vec2): string[] {
  const { width, height } = frame
  const { x, y } = scalesOf(frame, origin, NAMES)
  const across = (tick: Tick) => `M${round(tick.at)} ${-height / 2}v${height}`
  const along = (tick: Tick) => `M${-width / 2} ${round(tick.at)}h${width}`
  const lines = [...x.map((tick) => ({ tick, d: across(tick) })), ...y.map((tick) => ({ tick, d: along(tick) }))]
  const path = (isZero: boolean, stroke: string) => {
    const d = lines.filter(({ tick }) => tick.isZero === isZero).map((line) => line.d)
    return d.length === 0 ? [] : [element('path', { d: d.join(''), stroke, fill: 'none' })]
  }
  const paper = element('rect', { x: -width / 2, y: -height / 2, width, height, fill: PAPER })
  return [paper, ...path(false, GRID), ...path(true, GRID_AXIS)]
}

/** Numbers at the lower and the left side, what they leave out at the upper. */
export function drawScales(frame: PictureFrame, origin: Vec2): string[] {
  const { width, height } = frame
  const { x, y, note } = scalesOf(frame, origin, NAMES)
  const texts: string[] = []
  const write = (text: string, px: number, py: number, anchor: string) =>
    texts.push(element('text', { x: round(px), y: round(py), 'text-anchor': anchor }, escapeXml(text)))
  for (const { at, text } of x) if (at > 4 * TICK_SIZE - width / 2) write(text, at, height / 2 - GAP, 'middle')
  for (const { at, text } of y) {
    if (at < height / 2 - 2 * TICK_SIZE) write(text, GAP - width / 2, at + TICK_SIZE / 3, 'start')
  }
  if (note !== '') write(note, width / 2 - GAP, TICK_SIZE + GAP - height / 2, 'end')
  return group('g', { 'font-size': TICK_SIZE, fill: MUTED, ...HALO }, texts)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
