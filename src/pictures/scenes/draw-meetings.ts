// Overlap, nearest and pairs queries of a scene: bodies that overlap or touch something, or are near it.

import type { SceneMetBody } from '../../../schemas/scenes/overlap.ts'
import type { SceneMetPair } from '../../../schemas/scenes/pairs.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { boxCentre, boxSize, type DrawnBox } from '../outline.ts'
import {
  addDirection,
  addDot,
  addKey,
  addLabel,
  addPolyline,
  counted,
  createPictureAt,
  type Picture,
  quantity,
  shortName,
} from '../picture.ts'
import { midway } from '../pose.ts'
import {
  addMeeting,
  addProbe,
  addReach,
  idsText,
  type KnownBody,
  ownInvolved,
  probeBody,
  probeName,
  probePicture,
  type SceneDrawing,
  tellTruncated,
} from './question.ts'

/** Maximum number of bodies whose contacts are drawn. */
const MOST_CONTACTS = 60
const VERBS = { touching: 'touches', overlapping: 'overlaps' }

export const overlapDrawing: SceneDrawing<'overlap'> = {
  *involved(request, { bodies }) {
    for (const { id, relation } of bodies) yield [id, relation === 'touching' ? 'touched' : 'met']
    yield* ownInvolved(request)
  },
  draw(question) {
    const { request, answer, tally } = question
    const { bodies } = answer
    const picture = probePicture(question)
    addProbe(picture, question)
    const { count } = tally.bodies
    const [first] = bodies
    const name = probeName(request)
    if (first === undefined) picture.heading = `${name} meets nothing.`
    else if (count > 1) picture.heading = `${name} meets ${counted(count, 'body', 'bodies')}.`
    else picture.heading = `${name} ${VERBS[first.relation]} ${shortName(first.id)}.`
    for (const relation of ['overlapping', 'touching'] as const) {
      const ids = bodies.filter((body) => body.relation === relation).map(({ id }) => id)
      if (ids.length === 0) continue
      addKey(picture, relation === 'touching' ? 'touched' : 'met', relation)
      const all = ids.length === bodies.length ? count : ids.length
      if (count > 1)
        picture.legend.push(`${relation === 'touching' ? 'Touching' : 'Overlapping'}: ${idsText(ids, all)}`)
    }
    for (const body of bodies.slice(0, MOST_CONTACTS)) addContact(picture, body)
    tellTruncated(picture, answer)
    return picture
  },
}

function addContact(picture: ReturnType<typeof probePicture>, { id, contact }: SceneMetBody): void {
  if (contact === undefined) return
  const { points, normal, separation } = contact
  for (const { position } of points) {
    addMeeting(picture, { point: position, normal, text: '', meaning: 'contact normal, into the body that is met' })
  }
  const depth = separation === null ? 'no translation parts them' : `depth ${quantity(-separation)}`
  picture.legend.push(`${shortName(id)}: ${depth}, ${counted(points.length, 'contact point')}`)
}

const MOST_LABELS = 40

export const nearestDrawing: SceneDrawing<'nearest'> = {
  *involved(request, { bodies }) {
    for (const { id } of bodies) yield [id, 'met']
    yield* ownInvolved(request)
  },
  draw(question) {
    const { request, answer, tally } = question
    const { maxDistance } = request
    const { bodies } = answer
    const picture = probePicture(question)
    addProbe(picture, question)
    if (maxDistance !== undefined) addReach(picture, request.point ?? probeBody(question), maxDistance)
    bodies.forEach(({ id, distance, pointA, pointB }, i) => {
      if (distance > 0) addPolyline(picture, [pointA, pointB], 'measure')
      for (const point of [pointA, pointB]) addDot(picture, point, 'point')
      if (i < MOST_LABELS && distance > 0) addLabel(picture, midway(pointA, pointB), quantity(distance))
      picture.legend.push(`${i + 1}. ${shortName(id)}: ${distance === 0 ? 'meets it' : `at ${quantity(distance)}`}`)
    })
    const { count } = tally.bodies
    const [first] = bodies
    const name = probeName(request)
    const within = maxDistance === undefined ? '' : ` within ${quantity(maxDistance)}`
    if (first === undefined) picture.heading = `There is nothing near${within}.`
    else if (count > 1)
      picture.heading = `The ${counted(count, 'body', 'bodies')} nearest to ${name.replace(/^The/, 'the')}.`
    else if (first.distance === 0) picture.heading = `${name} meets ${shortName(first.id)}.`
    else picture.heading = `Nearest is ${shortName(first.id)}, at ${quantity(first.distance)}.`
    if (bodies.length > 0) addKey(picture, 'met', 'near')
    if (answer.truncated) picture.details.push('The limit left out some that count asked for.')
    return picture
  },
}

/** Maximum number of pairs in the legend, and of contacts with normals. */
const MOST_PAIRS = 11
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
      else addPairContact(picture, pair.contact, i < MOST_NORMALS)
    }
    const { count } = tally.pairs
    picture.heading =
      count === 0
        ? 'No bodies meet each other.'
        : `${counted(count, 'pair')} of bodies ${count === 1 ? 'meets' : 'meet'}.`
    if (count > 0) addKey(picture, 'met', 'meets another')
    for (const { a, b } of pairs.slice(0, MOST_PAIRS)) picture.legend.push(`${shortName(a)} – ${shortName(b)}`)
    if (count > MOST_PAIRS) picture.legend.push(`… and ${count - MOST_PAIRS} more`)
    tellTruncated(picture, answer)
    return picture
  },
}

function addPairContact(
  picture: Picture,
  { points, normal }: NonNullable<SceneMetPair['contact']>,
  isTold: boolean,
): void {
  for (const { position } of points) {
    if (isTold) addDirection(picture, position, normal, 'normal')
    addDot(picture, position, 'point')
  }
  if (isTold && normal !== null && points.length > 0)
    addKey(picture, 'normal', 'contact normal, from the first to the second')
}

/** A line from the middle of the smaller body to the middle of the intersection of the two boxes. */
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
