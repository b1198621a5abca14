// The key below a plot: a sample of each kind of mark, and what it means.

import {
  ARROW_COLOURS,
  type ArrowRole,
  DOT_LOOKS,
  type DotRole,
  type Look,
  MUTED,
  SHAPE_LOOKS,
  type ShapeRole,
  STROKE_LOOKS,
  type StrokeRole,
} from '../marks/palette.ts'
import type { KeyEntry } from '../marks/picture.ts'
import { drawArrow, drawDot } from './draw-marks.ts'
import type { PictureFrame } from './frame.ts'
import { textWidth } from './text-lines.ts'
import { element, escapeXml, group } from './xml.ts'

const SIZE = 18
const ROW = 28
const SAMPLE_WIDTH = 40
const SAMPLE_HEIGHT = 16
const GAP = 26

/** Entries in rows, left to right. */
export function drawKey(key: readonly KeyEntry[], left: number, top: number, width: number) {
  const drawn: string[] = []
  let x = left
  let y = top + 24
  for (const { sample, text } of key) {
    const entryWidth = SAMPLE_WIDTH + 10 + textWidth(text, SIZE)
    if (x > left && x + entryWidth > left + width) {
      x = left
      y += ROW
    }
    drawn.push(element('g', { transform: `translate(${Math.round(x)} ${y - 6})` }, sampleOf(sample)))
    drawn.push(element('text', { x: Math.round(x + SAMPLE_WIDTH + 10), y }, escapeXml(text)))
    x += entryWidth + GAP
  }
  const bottom = key.length === 0 ? top : y + 10
  return { drawn: group('g', { 'font-size': SIZE, fill: MUTED }, drawn), bottom }
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
