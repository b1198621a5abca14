// Many bodies, and which of them meet.

import type { PairsRequest, PairsResponse } from '../../../schemas/queries/pairs.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { boxCentre, type DrawnBox, type DrawnPart, isEmpty, partsBox } from '../marks/outline.ts'
import { addBody, addKey, createPicture, type Picture, type ShapeMark } from '../marks/picture.ts'
import { counted } from '../marks/picture-text.ts'
import { along } from '../marks/pose.ts'

/** Pairs that are joined by lines, and that are written out. */
export const MOST_LINKS = 3000
const MOST_WRITTEN = 40

export function drawPairs({ bodies, phase }: PairsRequest, answer: PairsResponse): Picture {
  const picture = createPicture(bodies)
  const meeting = new Set(answer.pairs.flat())
  const marks = bodies.map((body, i) => addBody(picture, body, meeting.has(i) ? 'meeting' : 'body', { name: `${i}` }))
  tellPairs(picture, marks, phase, answer)
  return picture
}

/** Links, heading and legend, in the plane or in space. */
export function tellPairs(
  picture: Picture,
  marks: readonly ShapeMark[],
  phase: PairsRequest['phase'],
  { pairs, stats, truncated }: PairsResponse,
): void {
  linkPairs(picture, marks, pairs, 'meet')
  const boxes = phase === 'broad' ? 'Of the boxes of' : 'Of'
  const meet = pairs.length === 1 ? 'meets' : 'meet'
  picture.heading = `${boxes} ${counted(marks.length, 'body', 'bodies')}, ${counted(pairs.length, 'pair')} ${meet}.`
  if (truncated) picture.details.push('There are more pairs than were looked at.')
  picture.details.push(`Found by ${stats.method}: ${stats.reason}.`)
  if (pairs.length > 0) picture.legend.push(pairsText(pairs))
}

/** Lines from middle to middle; `meaning`: what joins the two. */
export function linkPairs(
  picture: Picture,
  marks: readonly ShapeMark[],
  pairs: readonly (readonly number[])[],
  meaning: string,
): void {
  const boxes = new Map<number, DrawnBox>()
  const boxOf = (index: number) => {
    const known = boxes.get(index) ?? partsBox(marks[index].parts)
    boxes.set(index, known)
    return known
  }
  for (const [i, j] of pairs.slice(0, MOST_LINKS)) {
    const p = middleOf(marks[i].parts, boxOf(i), boxOf(j))
    const q = middleOf(marks[j].parts, boxOf(j), boxOf(i))
    if (p !== null && q !== null) picture.strokes.push({ form: 'polyline', points: [p, q], role: 'link' })
  }
  if (pairs.length > 0) addKey(picture, 'link', meaning)
  if (pairs.length > MOST_LINKS) picture.details.push(`The first ${MOST_LINKS} pairs are joined by lines.`)
}

/** Of a half-plane the place that is nearest to the middle of the other; null where there is none. */
function middleOf(parts: readonly DrawnPart[], box: DrawnBox, other: DrawnBox): Vec2 | null {
  if (!isEmpty(box)) return boxCentre(box)
  const [part] = parts
  if (part?.kind !== 'halfplane' || isEmpty(other)) return null
  const { x, y, nx, ny } = part
  const centre = boxCentre(other)
  return along(centre, { x: nx, y: ny }, (x - centre.x) * nx + (y - centre.y) * ny)
}

export function pairsText(pairs: readonly (readonly number[])[]): string {
  const written = pairs.slice(0, MOST_WRITTEN).map(([i, j]) => `${i}–${j}`)
  const more = pairs.length > MOST_WRITTEN ? `, … and ${pairs.length - MOST_WRITTEN} more` : ''
  return `Pairs: ${written.join(', ')}${more}`
}
