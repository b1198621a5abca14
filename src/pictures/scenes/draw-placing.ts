// Queries that place a body in a scene: move, separate, place and drop.

import { addKey, counted, quantity, shortName } from '../picture.ts'
import {
  addMeeting,
  addProbe,
  addReach,
  addTranslation,
  idsText,
  openAtProbe,
  ownInvolved,
  probeBody,
  probeName,
  type SceneDrawing,
  tellTruncated,
} from './question.ts'
import type { SceneCanvas, Vector } from './scene-canvas.ts'

const MOST_LABELS = 30
const MOST_GHOSTS = 12

const STATUS = {
  completed: 'gets all the way',
  blocked: 'is stopped',
  'max-slides': 'is stopped: it would have slid along one more surface than maxSlides',
}

export const moveDrawing: SceneDrawing<'move'> = {
  *involved(request, { contacts, separation }) {
    for (const id of separation?.bodies ?? []) yield [id, 'touched']
    for (const { id } of contacts) yield [id, 'met']
    yield* ownInvolved(request)
  },
  draw(question, open) {
    const { request, answer } = question
    const { translation } = request
    const { status, position, path, contacts, remaining, separation } = answer
    const canvas = openAtProbe(question, open)
    const { picture } = canvas
    const body = probeBody(question)
    const at = (place: Vector) => canvas.put(body, { position: place })
    const start = canvas.positionOf(body)
    const wished = canvas.plus(start, translation)
    if (!canvas.isSame(wished, position)) {
      canvas.addBody(at(wished), 'a-ghost')
      canvas.addPolyline([start, wished], 'path-a')
      addKey(picture, 'a-ghost', 'where it wants to go')
    }
    addProbe(canvas, question, 'a-start')
    const ghosts = Math.min(MOST_GHOSTS, canvas.mostGhosts(body))
    for (const corner of path.slice(1, -1).slice(0, ghosts)) canvas.addBody(at(corner), 'a-start')
    if (path.length > 1) canvas.addPolyline(path, 'path')
    canvas.addHeads(path)
    canvas.addBody(at(position), 'a-then', { name: 'end' })
    addKey(picture, 'path', 'way of its position')
    contacts.forEach(({ id, point, normal }, i) => {
      const isTold = i < MOST_LABELS
      const text = isTold && contacts.length > 1 ? `${i + 1}` : ''
      addMeeting(canvas, {
        point,
        normal: isTold ? normal : null,
        text,
        meaning: 'normal of what is met',
      })
      picture.legend.push(`${i + 1}. ${shortName(id)} at ${canvas.vectorText(point)}`)
    })
    if (contacts.length > 0) addKey(picture, 'met', 'in the way')
    picture.heading = `${probeName(request)} ${STATUS[status]}: it goes ${quantity(lengthOf(canvas, path))}.`
    if (contacts.length > 0)
      picture.details.push(`It meets ${counted(question.tally.contacts.count, 'time')} what is in the way.`)
    if (!canvas.isZero(remaining)) picture.details.push(`${canvas.vectorText(remaining)} is left of the motion.`)
    if (separation !== null) {
      addKey(picture, 'touched', 'what it stood in')
      const out = separation.separated
        ? `First it got out by ${canvas.vectorText(separation.translation)}`
        : 'It found no way out'
      picture.details.push(`${out} of ${idsText(separation.bodies)}.`)
    }
    tellTruncated(picture, answer)
    return canvas
  },
}

function lengthOf(canvas: SceneCanvas, way: readonly Vector[]): number {
  const between = (p: Vector, q: Vector) => canvas.length(canvas.plus(q, p, -1))
  return way.slice(1).reduce((sum, corner, i) => sum + between(way[i], corner), 0)
}

export const separateDrawing: SceneDrawing<'separate'> = {
  *involved(request, { bodies }) {
    for (const id of bodies) yield [id, 'met']
    yield* ownInvolved(request)
  },
  draw(question, open) {
    const { request, answer, tally } = question
    const { separated, translation, exact, bodies, position } = answer
    const canvas = openAtProbe(question, open)
    const { picture } = canvas
    const body = probeBody(question)
    addProbe(canvas, question)
    const name = probeName(request)
    const distance = canvas.length(translation)
    if (distance > 0) {
      canvas.addBody(canvas.put(body, { position }), 'b-parted')
      addKey(picture, 'b-parted', 'free of them')
      addTranslation(canvas, canvas.middleOf(body), translation, distance)
    }
    const ids = idsText(bodies, tally.bodies.count)
    if (!separated) picture.heading = `${name} finds no way out.`
    else if (bodies.length === 0) picture.heading = `${name} overlaps nothing.`
    else picture.heading = `${name} gets out by ${canvas.vectorText(translation)}.`
    if (bodies.length > 0) addKey(picture, 'met', 'what it gets out of')
    if (bodies.length > 0) picture.legend.push(`Out of ${ids}`)
    if (separated && !exact) picture.details.push('A shorter way may exist.')
    tellTruncated(picture, answer)
    return canvas
  },
}

export const placeDrawing: SceneDrawing<'place'> = {
  involved: (request) => ownInvolved(request),
  draw(question, open) {
    const { request, answer } = question
    const { maxDistance } = request
    const { position, translation, distance, exact } = answer
    const canvas = openAtProbe(question, open)
    const { picture } = canvas
    const body = probeBody(question)
    const name = probeName(request)
    if (maxDistance !== undefined) addReach(canvas, { body }, maxDistance)
    if (position === null || translation === null || distance === null) {
      addProbe(canvas, question, 'target-hit')
      const within = maxDistance === undefined ? '' : ` within ${quantity(maxDistance)}`
      picture.heading = exact ? `There is no free place${within}.` : `No free place was found${within}.`
      addKey(picture, 'target-hit', 'where it was wished')
      return canvas
    }
    const isFree = distance === 0
    addProbe(canvas, question, isFree ? 'result' : 'a-ghost')
    addKey(picture, isFree ? 'result' : 'a-ghost', isFree ? 'free where it was wished' : 'where it was wished')
    if (isFree) picture.heading = `${name} is free where it was wished.`
    else {
      canvas.addBody(canvas.put(body, { position }), 'result')
      addKey(picture, 'result', 'the nearest free place')
      addTranslation(canvas, canvas.middleOf(body), translation, distance)
      picture.heading = `The nearest free place is ${quantity(distance)} away.`
      picture.details.push(`Its position is ${canvas.vectorText(position)} there.`)
    }
    if (maxDistance !== undefined && !isFree) picture.details.push(`Looked for within ${quantity(maxDistance)}.`)
    if (!exact) picture.details.push('A nearer one may exist.')
    return canvas
  },
}

export const dropDrawing: SceneDrawing<'drop'> = {
  *involved(request, { contact }) {
    if (contact !== null) yield [contact.id, 'met']
    yield* ownInvolved(request)
  },
  draw(question, open) {
    const { request, answer } = question
    const { direction: way, maxDistance, align } = request
    const { status, position, distance, aligned, contact } = answer
    const canvas = openAtProbe(question, open)
    const { picture } = canvas
    const body = probeBody(question)
    const name = probeName(request)
    const direction = canvas.unit(way) ?? way
    if (status === 'started-overlapping') {
      addProbe(canvas, question, 'target-hit')
      picture.heading = `${name} stands in something and does not fall.`
      return canvas
    }
    const middle = canvas.middleOf(body)
    if (status === 'nothing-below' || position === null || distance === null) {
      addProbe(canvas, question)
      if (maxDistance === undefined) canvas.addRay(middle, direction, 'ray-beyond')
      else canvas.addPolyline([middle, canvas.plus(middle, direction, maxDistance)], 'ray-beyond')
      canvas.addDirection(middle, direction, 'motion')
      const within = maxDistance === undefined ? '' : ` within ${quantity(maxDistance)}`
      picture.heading = `There is nothing below ${name.replace(/^The/, 'the')}${within}.`
      return canvas
    }
    const fall = canvas.vector(canvas.numbers(direction).map((along) => along * distance))
    canvas.addCourse({ body: canvas.moving(body, fall), until: 1, ghost: 'a-ghost', path: 'path' })
    addProbe(canvas, question, 'a-start')
    const rest = canvas.put(body, { ...answer, position })
    canvas.addBody(rest, 'result')
    addKey(picture, 'result', 'where it comes to rest')
    if (distance > 0) canvas.addLabel(canvas.plus(middle, direction, distance / 2), quantity(distance))
    if (contact !== null) {
      addMeeting(canvas, {
        point: contact.point,
        normal: contact.normal,
        text: '',
        meaning: 'normal of what it lands on',
      })
      addKey(picture, 'met', 'what it lands on')
      picture.heading = `${name} lands on ${shortName(contact.id)} after ${quantity(distance)}.`
    } else picture.heading = `${name} lands after ${quantity(distance)}.`
    picture.details.push(`Its position is ${canvas.vectorText(position)} then, its ${canvas.turnText(rest)}.`)
    if (align !== undefined)
      picture.details.push(aligned ? `It is turned as ${align} asks.` : `It could not be turned as ${align} asks.`)
    return canvas
  },
}
