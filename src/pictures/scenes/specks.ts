// Bodies that are smaller than a screen shows: which cells of a lattice over the plot hold any, as the `d` of one path.

import type { Vec2 } from '../../../schemas/vector.ts'
import { type PictureFrame, short, toPicture } from '../svg/frame.ts'

/** Of a cell, in picture units: as many as fit make the largest path there is. */
const CELL = 3

export interface Specks {
  readonly columns: number
  readonly rows: number
  readonly marks: Uint8Array
}

export function createSpecks({ width, height }: PictureFrame): Specks {
  const columns = Math.ceil(width / CELL)
  const rows = Math.ceil(height / CELL)
  return { columns, rows, marks: new Uint8Array(columns * rows) }
}

/** `at`: counted from the picture's origin. */
export function addSpeck({ columns, rows, marks }: Specks, at: Vec2, frame: PictureFrame): void {
  const { x, y } = toPicture(frame, at)
  const column = Math.min(columns - 1, Math.max(0, Math.floor((x + frame.width / 2) / CELL)))
  const row = Math.min(rows - 1, Math.max(0, Math.floor((y + frame.height / 2) / CELL)))
  marks[row * columns + column] = 1
}

/** Neighbours in a row are one rectangle. */
export function specksData({ columns, rows, marks }: Specks, { width, height }: PictureFrame): string {
  let data = ''
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (marks[row * columns + column] === 0) continue
      const start = column
      while (column + 1 < columns && marks[row * columns + column + 1] === 1) column++
      const along = (column + 1 - start) * CELL
      data += `M${short(start * CELL - width / 2)} ${short(row * CELL - height / 2)}h${along}v${CELL}h${-along}z`
    }
  }
  return data
}
