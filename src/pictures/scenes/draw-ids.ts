// Ids written into the shapes of a rendered scene, as many as there is room for.

import { INK, PAPER } from '../marks/palette.ts'
import type { ShapeMark } from '../marks/picture.ts'
import { shortName } from '../marks/picture-text.ts'
import { type PictureFrame, short } from '../svg/frame.ts'
import { namePlace } from '../svg/name-place.ts'
import { labelWidth } from '../svg/text-lines.ts'
import { element, escapeXml, group } from '../svg/xml.ts'

const SIZE = 12
/** Between a point and its id, and between two ids, in pixels. */
const GAP = 8
const SPACE = 2
const HALO = { stroke: PAPER, 'stroke-width': 3, 'stroke-linejoin': 'round', 'paint-order': 'stroke' }

interface Place {
  x: number
  y: number
  halfWidth: number
}

/** Those that come first have their place first; what would cover them is left out. */
export function drawIds(shapes: readonly ShapeMark[], frame: PictureFrame): string[] {
  const taken: Place[] = []
  const texts: string[] = []
  for (const { parts, name = '' } of shapes) {
    const place = namePlace(parts, [], frame)
    if (place === null) continue
    const text = shortName(name)
    const halfWidth = labelWidth(text, SIZE) / 2
    const most = frame.width / 2 - halfWidth
    const x = Math.min(most, Math.max(-most, place.at.x + (place.inside ? 0 : GAP + halfWidth)))
    const own = { x, y: place.at.y, halfWidth }
    if (most < 0 || taken.some((other) => covers(own, other))) continue
    taken.push(own)
    texts.push(element('text', { x: short(x), y: short(place.at.y + SIZE * 0.35) }, escapeXml(text)))
  }
  return group('g', { 'font-size': SIZE, fill: INK, 'text-anchor': 'middle', ...HALO }, texts)
}

function covers(p: Place, q: Place): boolean {
  return Math.abs(p.x - q.x) < p.halfWidth + q.halfWidth + SPACE && Math.abs(p.y - q.y) < SIZE + SPACE
}
