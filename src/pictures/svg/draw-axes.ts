// The axes of space in a view along none of them: three lines beside the plot, each of a round length.

import { MUTED } from '../marks/palette.ts'
import type { PictureAxes } from '../marks/picture.ts'
import { quantity } from '../marks/picture-text.ts'
import { lengthToPicture, type PictureFrame, short } from './frame.ts'
import { roundStep, type Scales } from './grid.ts'
import { element, escapeXml } from './xml.ts'

/** Of an axis across the view, in picture units; a round length is up to twice and a half that. */
const LEAST_LENGTH = 14
const NAME_GAP = 9

/** No grid, but how long the axes are drawn. */
export function leaningScales(frame: PictureFrame): Scales {
  const length = axisLength(frame)
  return { x: [], y: [], note: length === null ? '' : `Each axis is drawn ${quantity(length)} long.` }
}

function axisLength({ span, width }: PictureFrame): number | null {
  const { size } = roundStep((span / width) * LEAST_LENGTH)
  return size > 0 && Number.isFinite(size) ? size : null
}

/** From (x, y) on, in picture units. */
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
