// The bodies of a scene that meet each other.

import type { SceneMetPair } from '../../../schemas/scenes/pairs.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { boxCentre, boxSize, type DrawnBox } from '../marks/outline.ts'
import { addDirection, addDot, addKey, addPolyline, createPictureAt, type Picture } from '../marks/picture.ts'
import { counted, shortName } from '../marks/picture-text.ts'
import type { SceneDrawing } from './question.ts'
import { tellTruncated } from './told.ts'
import type { KnownBody } from './told-body.ts'

/** Pairs that are written out, and whose contacts have normals. */
const MOST_WRITTEN = 11
const MOST_NORMALS = 60

export const pairsDrawing: SceneDrawing<'pairs'> = {
  *involved(_request, { pairs }) {
    for (const { a, b } of pairs) {
      yield [a, 'met']
      yield [b, 'met']
    }
  },
  draw({ answer, tally, bodies }) {
    const { pairs } = answer
    const first = pairs.length === 0 ? null : (bodies.get(pairs[0].a)?.box ?? bodies.get(pairs[0].b)?.box ?? null)
    const picture = createPictureAt(first === null ? { x: 0, y: 0 } : boxCentre(first))
    for (const [i, pair] of pairs.entries()) {
      if (pair.contact === undefined) addLink(picture, pair, bodies)
      else addContact(picture, pair.contact, i < MOST_NORMALS)
    }
    const { count } = tally.pairs
    picture.heading =
      count === 0
        ? 'No bodies meet each other.'
        : `${counted(count, 'pair')} of bodies ${count === 1 ? 'meets' : 'meet'}.`
    if (count > 0) addKey(picture, 'met', 'meets another')
    for (const { a, b } of pairs.slice(0, MOST_WRITTEN)) picture.legend.push(`${shortName(a)} – ${shortName(b)}`)
    if (count > MOST_WRITTEN) picture.legend.push(`… and ${count - MOST_WRITTEN} more`)
    tellTruncated(picture, answer)
    return picture
  },
}

function addContact(picture: Picture, { points, normal }: NonNullable<SceneMetPair['contact']>, isTold: boolean): void {
  for (const { position } of points) {
    if (isTold) addDirection(picture, position, normal, 'normal')
    addDot(picture, position, 'point')
  }
  if (isTold && normal !== null && points.length > 0)
    addKey(picture, 'normal', 'contact normal, from the first to the second')
}

/** From the middle of the smaller body to the middle of where the boxes of the two lie over each other. */
function addLink(picture: Picture, { a, b }: SceneMetPair, bodies: ReadonlyMap<string, KnownBody>): void {
  const [p, q] = [a, b].map((id) => bodies.get(id)?.box ?? null)
  if (p === null || q === null) return
  const middle = middleOfBoth(p, q)
  addPolyline(picture, [boxCentre(boxSize(p) <= boxSize(q) ? p : q), middle], 'path-to')
  addDot(picture, middle, 'input')
  addKey(picture, 'input', 'where the boxes of two that meet do')
}

function middleOfBoth(p: DrawnBox, q: DrawnBox): Vec2 {
  return {
    x: (Math.max(p.minX, q.minX) + Math.min(p.maxX, q.maxX)) / 2,
    y: (Math.max(p.minY, q.minY) + Math.min(p.maxY, q.maxY)) / 2,
  }
}
