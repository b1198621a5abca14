// Several pictures in one document, one below the other.

import { drawDocument, type Panel, panelElements, WIDTH } from './draw-picture.ts'
import { FRAME, INK, MUTED } from './palette.ts'
import { element, escapeXml, group, wrapped } from './xml.ts'

/** Maximum number of pictures in one document. */
export const MOST_STACKED = 16

export interface Block {
  readonly elements: readonly string[]
  readonly height: number
  readonly description: string
}

const MARGIN = 18
const HEADING_SIZE = 25
const DETAIL_SIZE = 20
const LINE = 1.35
/** Relative width of bold text. */
const BOLD_WIDTH = 1.15

export function panelBlock(panel: Panel, backdrop: readonly string[] = [], description = panel.description): Block {
  return { elements: panelElements(panel, backdrop), height: panel.height, description }
}

/** A text in place of a picture. */
export function noticeBlock(heading: string, detail: string): Block {
  const elements: string[] = []
  let top = MARGIN
  const write = (text: string, size: number, colour: string, weight?: number) => {
    for (const line of wrapped(text, (WIDTH - 2 * MARGIN) / (weight === undefined ? 1 : BOLD_WIDTH), size)) {
      top += size * LINE
      const at = { x: MARGIN, y: Math.round(top - size * 0.35) }
      elements.push(element('text', { ...at, 'font-size': size, 'font-weight': weight, fill: colour }, escapeXml(line)))
    }
  }
  write(heading, HEADING_SIZE, INK, 600)
  write(detail, DETAIL_SIZE, MUTED)
  return { elements, height: Math.ceil(top + MARGIN), description: `${heading} ${detail}` }
}

/** The text below the last picture; null if all pictures are drawn. */
export function restBlock(count: number): Block | null {
  const left = count - MOST_STACKED
  if (left <= 0) return null
  return noticeBlock(
    `… and ${left} more ${left === 1 ? 'query' : 'queries'}.`,
    `The first ${MOST_STACKED} queries of a batch are asked and drawn. Ask for application/json for all of them.`,
  )
}

/** SVG text. `width`: in pixels. */
export function drawStack(blocks: readonly Block[], title: string, width = WIDTH): string {
  const shown = blocks.length > 0 ? blocks : [noticeBlock('There are no queries.', '')]
  const drawn: string[] = []
  let top = 0
  for (const { elements, height } of shown) {
    if (top > 0) drawn.push(element('path', { d: `M0 ${top}H${WIDTH}`, stroke: FRAME, 'stroke-width': 2 }))
    const place = { x: 0, y: top, width: WIDTH, height, viewBox: `0 0 ${WIDTH} ${height}` }
    drawn.push(...group('svg', place, elements))
    top += height
  }
  const description = shown.map((block) => block.description).join(' ')
  return drawDocument(drawn, { title, description, height: top, width })
}
