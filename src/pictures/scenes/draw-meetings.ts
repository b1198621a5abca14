// Overlap, nearest and pairs queries of a scene: bodies that overlap or touch something, or are near it.

import type { SceneMetBody } from '../../../schemas/scenes/overlap.ts'
import type { SceneMetPair } from '../../../schemas/scenes/pairs.ts'
import { addKey, counted, quantity, shortName } from '../picture.ts'
import {
  addMeeting,
  addProbe,
  addReach,
  idsText,
  type KnownBody,
  openAtProbe,
  ownInvolved,
  probeBody,
  probeName,
  type SceneDrawing,
  tellTruncated,
} from './question.ts'
import type { Either, SceneCanvas, Sides } from './scene-canvas.ts'

/** Maximum number of bodies whose contacts are drawn. */
const MOST_CONTACTS = 60
const VERBS = { touching: 'touches', overlapping: 'overlaps' }

export const overlapDrawing: SceneDrawing<'overlap'> = {
  *involved(request, { bodies }) {
    for (const { id, relation } of bodies) yield [id, relation === 'touching' ? 'touched' : 'met']
    yield* ownInvolved(request)
  },
  draw(question, open) {
    const { request, answer, tally } = question
    const { bodies } = answer
    const canvas = openAtProbe(question, open)
    const { picture } = canvas
    addProbe(canvas, question)
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
    for (const body of bodies.slice(0, MOST_CONTACTS)) addContact(canvas, body)
    tellTruncated(picture, answer)
    return canvas
  },
}

function addContact(canvas: SceneCanvas, { id, contact }: Either<SceneMetBody>): void {
  if (contact === undefined) return
  const { points, normal, separation } = contact
  for (const { position } of points) {
    addMeeting(canvas, { point: position, normal, text: '', meaning: 'contact normal, into the body that is met' })
  }
  const depth = separation === null ? 'no translation parts them' : `depth ${quantity(-separation)}`
  canvas.picture.legend.push(`${shortName(id)}: ${depth}, ${counted(points.length, 'contact point')}`)
}

const MOST_LABELS = 40

export const nearestDrawing: SceneDrawing<'nearest'> = {
  *involved(request, { bodies }) {
    for (const { id } of bodies) yield [id, 'met']
    yield* ownInvolved(request)
  },
  draw(question, open) {
    const { request, answer, tally } = question
    const { maxDistance } = request
    const { bodies } = answer
    const canvas = openAtProbe(question, open)
    const { picture } = canvas
    addProbe(canvas, question)
    if (maxDistance !== undefined) {
      const { point } = request
      addReach(canvas, { ...(point !== undefined && { point }), body: probeBody(question) }, maxDistance)
    }
    bodies.forEach(({ id, distance, pointA, pointB }, i) => {
      if (distance > 0) canvas.addPolyline([pointA, pointB], 'measure')
      for (const point of [pointA, pointB]) canvas.addDot(point, 'point')
      if (i < MOST_LABELS && distance > 0) canvas.addLabel(canvas.midway(pointA, pointB), quantity(distance))
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
    return canvas
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
  draw({ answer, tally, bodies }, open) {
    const { pairs } = answer
    const first = pairs.length === 0 ? null : (bodies.get(pairs[0].a)?.box ?? bodies.get(pairs[0].b)?.box ?? null)
    const canvas = open(first === null ? null : centreOf(first))
    const { picture } = canvas
    for (const [i, pair] of pairs.entries()) {
      if (pair.contact === undefined) addLink(canvas, pair, bodies)
      else addPairContact(canvas, pair.contact, i < MOST_NORMALS)
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
    return canvas
  },
}

function addPairContact(
  canvas: SceneCanvas,
  { points, normal }: NonNullable<Either<SceneMetPair>['contact']>,
  isTold: boolean,
): void {
  for (const { position } of points) {
    if (isTold) canvas.addDirection(position, normal, 'normal')
    canvas.addDot(position, 'point')
  }
  if (isTold && normal !== null && points.length > 0)
    addKey(canvas.picture, 'normal', 'contact normal, from the first to the second')
}

/** A line from the middle of the smaller body to the middle of the intersection of the two boxes. */
function addLink(canvas: SceneCanvas, { a, b }: Either<SceneMetPair>, bodies: ReadonlyMap<string, KnownBody>): void {
  const boxes = [a, b].map((id) => bodies.get(id)?.box ?? null)
  // half-spaces fill any box: the link to one is the dot alone
  const [p, q] = canvas.isFlat ? boxes : [boxes[0] ?? boxes[1], boxes[1] ?? boxes[0]]
  if (p === null || q === null) return
  const middle = canvas.vector(middleOfBoth(p, q))
  canvas.addPolyline([canvas.vector(centreOf(sizeOf(p) <= sizeOf(q) ? p : q)), middle], 'path-to')
  canvas.addDot(middle, 'input')
  addKey(canvas.picture, 'input', 'where the boxes of two that meet do')
}

// Boxes, whose low sides come first

function middleOfBoth(p: Sides, q: Sides): number[] {
  const axes = p.length / 2
  return p.slice(0, axes).map((low, k) => (Math.max(low, q[k]) + Math.min(p[k + axes], q[k + axes])) / 2)
}

function centreOf(box: Sides): number[] {
  const axes = box.length / 2
  return box.slice(0, axes).map((low, k) => low + (box[k + axes] - low) / 2)
}

function sizeOf(box: Sides): number {
  const axes = box.length / 2
  return Math.max(...box.slice(0, axes).map((low, k) => box[k + axes] - low))
}
