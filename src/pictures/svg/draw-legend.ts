// What stands below a plot: lines of text, or a small table.

import { GRID, INK, MUTED } from '../marks/palette.ts'
import { labelWidth, wrapped } from './text-lines.ts'
import { element, escapeXml, group } from './xml.ts'

interface Drawn {
  drawn: string[]
  bottom: number
}

const SIZE = 20
const LINE = 27
/** Lines of a legend; the rest is counted. */
export const MOST_LINES = 12
const TABLE_SIZE = 18
const SMALLEST = 9
const ROW = 30
const HEADING_WIDTH = 56
const WIDEST_COLUMN = 110

export function drawLegend(legend: readonly string[], left: number, top: number, width: number): Drawn {
  if (legend.length === 0) return { drawn: [], bottom: top }
  const shown = legend.length > MOST_LINES ? legend.slice(0, MOST_LINES - 1) : legend
  const lines = shown.flatMap((line) => wrapped(line, width, SIZE))
  if (shown.length < legend.length) lines.push(`… and ${legend.length - shown.length} more`)
  const texts = lines.map((line, i) => element('text', { x: left, y: top + 30 + i * LINE }, escapeXml(line)))
  return { drawn: group('g', { 'font-size': SIZE, fill: INK }, texts), bottom: top + 10 + lines.length * LINE }
}

/** First row and first column are headings. */
export function drawRows(table: readonly (readonly string[])[], left: number, top: number, width: number): Drawn {
  if (table.length === 0) return { drawn: [], bottom: top }
  const columns = table[0].length - 1
  const column = Math.min(WIDEST_COLUMN, Math.floor((width - HEADING_WIDTH) / Math.max(1, columns)))
  const right = (j: number) => left + HEADING_WIDTH + j * column - 8
  const texts: string[] = []
  const rules: string[] = []
  table.forEach((row, i) => {
    const y = top + 30 + i * ROW
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
    bottom: top + 14 + table.length * ROW,
  }
}
