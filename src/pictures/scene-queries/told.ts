// What pictures of questions about scenes say in the same words.

import type { Vec2 } from '../../../schemas/vector.ts'
import type { ArrowRole } from '../marks/palette.ts'
import { addDirection, addDot, addKey, addLabel, type Picture } from '../marks/picture.ts'
import { shortName } from '../marks/picture-text.ts'

/** Ids that are written into one line. */
const MOST_IDS = 8

export function tellTruncated(picture: Picture, { truncated }: { truncated: boolean }): void {
  if (truncated) picture.details.push('The answer is cut short by the limit: there are more.')
}

/** `a, b, c and 4 more`. `count`: of all of them. */
export function idsText(ids: readonly string[], count = ids.length): string {
  const shown = ids.slice(0, MOST_IDS).map((id) => shortName(id))
  const more = count - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

export interface Meeting {
  point: Vec2
  normal: Vec2 | null
  /** Written beside it; nothing when empty. */
  text: string
  /** Of the normal, and what that is. */
  role?: ArrowRole
  meaning?: string
}

/** A place where two bodies touch. */
export function addMeeting(picture: Picture, { point, normal, text, role = 'normal', meaning }: Meeting): void {
  addDirection(picture, point, normal, role)
  if (normal !== null && meaning !== undefined) addKey(picture, role, meaning)
  addDot(picture, point, 'point')
  if (text !== '') addLabel(picture, point, text, normal ?? undefined)
}
