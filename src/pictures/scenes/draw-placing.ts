// Queries that place a body in a scene: move, separate, place and drop.

import { addBody, addKey, addLabel, counted, quantity, shortName, vectorText } from '../picture.ts'
import { along, from, lengthBetween, midway, poseOf, unit } from '../pose.ts'
import { addHeads } from '../queries/draw-trajectory.ts'
import { addCourse, mostGhosts } from '../queries/ghosts.ts'
import {
  addMeeting,
  addProbe,
  addReach,
  idsText,
  middleOf,
  ownInvolved,
  probeBody,
  probeName,
  probePicture,
  type SceneDrawing,
  tellTruncated,
} from './question.ts'

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
  draw(question) {
    const { request, answer } = question
    const { translation } = request
    const { status, position, path, contacts, remaining, separation } = answer
    const picture = probePicture(question)
    const { origin } = picture
    const body = probeBody(question)
    const start = poseOf(body, origin)
    const at = (place: { x: number; y: number }) => ({ ...start, ...from(origin, place) })
    const wished = { x: start.x + translation.x, y: start.y + translation.y, angle: start.angle }
    const end = at(position)
    const isThere = lengthBetween(wished, end) === 0
    if (!isThere) {
      addBody(picture, body, 'a-ghost', { pose: wished })
      picture.strokes.push({ form: 'polyline', points: [start, wished], role: 'path-a' })
      addKey(picture, 'a-ghost', 'where it wants to go')
    }
    addProbe(picture, question, { role: 'a-start' })
    const ghosts = Math.min(MOST_GHOSTS, mostGhosts(body.shape))
    for (const corner of path.slice(1, -1).slice(0, ghosts)) addBody(picture, body, 'a-start', { pose: at(corner) })
    const way = path.map((corner) => from(origin, corner))
    if (way.length > 1) picture.strokes.push({ form: 'polyline', points: way, role: 'path' })
    addHeads(picture, way)
    addBody(picture, body, 'a-then', { pose: end, name: 'end' })
    addKey(picture, 'path', 'way of its position')
    contacts.forEach(({ id, point, normal }, i) => {
      const isTold = i < MOST_LABELS
      const text = isTold && contacts.length > 1 ? `${i + 1}` : ''
      addMeeting(picture, {
        point,
        normal: isTold ? normal : null,
        text,
        meaning: 'normal of what is met',
      })
      picture.legend.push(`${i + 1}. ${shortName(id)} at ${vectorText(point)}`)
    })
    if (contacts.length > 0) addKey(picture, 'met', 'in the way')
    picture.heading = `${probeName(request)} ${STATUS[status]}: it goes ${quantity(lengthOf(way))}.`
    if (contacts.length > 0)
      picture.details.push(`It meets ${counted(question.tally.contacts.count, 'time')} what is in the way.`)
    if (remaining.x !== 0 || remaining.y !== 0) picture.details.push(`${vectorText(remaining)} is left of the motion.`)
    if (separation !== null) {
      addKey(picture, 'touched', 'what it stood in')
      const out = separation.separated
        ? `First it got out by ${vectorText(separation.translation)}`
        : 'It found no way out'
      picture.details.push(`${out} of ${idsText(separation.bodies)}.`)
    }
    tellTruncated(picture, answer)
    return picture
  },
}

function lengthOf(way: readonly { x: number; y: number }[]): number {
  return way.slice(1).reduce((sum, corner, i) => sum + lengthBetween(way[i], corner), 0)
}

export const separateDrawing: SceneDrawing<'separate'> = {
  *involved(request, { bodies }) {
    for (const id of bodies) yield [id, 'met']
    yield* ownInvolved(request)
  },
  draw(question) {
    const { request, answer, tally } = question
    const { separated, translation, exact, bodies } = answer
    const picture = probePicture(question)
    const { origin } = picture
    const body = probeBody(question)
    const { x, y } = translation
    addProbe(picture, question)
    const name = probeName(request)
    const distance = Math.hypot(x, y)
    if (distance > 0) {
      const start = poseOf(body, origin)
      addBody(picture, body, 'b-parted', { pose: { ...start, x: start.x + x, y: start.y + y } })
      addKey(picture, 'b-parted', 'free of them')
      const tail = middleOf(body, origin)
      const head = { x: tail.x + x, y: tail.y + y }
      picture.arrows.push({ form: 'between', tail, head, role: 'translation' })
      const middle = midway(tail, head)
      addLabel(picture, { x: middle.x + origin.x, y: middle.y + origin.y }, quantity(distance))
    }
    const ids = idsText(bodies, tally.bodies.count)
    if (!separated) picture.heading = `${name} finds no way out.`
    else if (bodies.length === 0) picture.heading = `${name} overlaps nothing.`
    else picture.heading = `${name} gets out by ${vectorText(translation)}.`
    if (bodies.length > 0) addKey(picture, 'met', 'what it gets out of')
    if (bodies.length > 0) picture.legend.push(`Out of ${ids}`)
    if (separated && !exact) picture.details.push('A shorter way may exist.')
    tellTruncated(picture, answer)
    return picture
  },
}

export const placeDrawing: SceneDrawing<'place'> = {
  involved: (request) => ownInvolved(request),
  draw(question) {
    const { request, answer } = question
    const { maxDistance } = request
    const { position, translation, distance, exact } = answer
    const picture = probePicture(question)
    const { origin } = picture
    const body = probeBody(question)
    const name = probeName(request)
    if (maxDistance !== undefined) addReach(picture, body, maxDistance)
    if (position === null || translation === null || distance === null) {
      addProbe(picture, question, { role: 'target-hit' })
      const within = maxDistance === undefined ? '' : ` within ${quantity(maxDistance)}`
      picture.heading = exact ? `There is no free place${within}.` : `No free place was found${within}.`
      addKey(picture, 'target-hit', 'where it was wished')
      return picture
    }
    const isFree = distance === 0
    addProbe(picture, question, { role: isFree ? 'result' : 'a-ghost' })
    addKey(picture, isFree ? 'result' : 'a-ghost', isFree ? 'free where it was wished' : 'where it was wished')
    if (isFree) picture.heading = `${name} is free where it was wished.`
    else {
      addBody(picture, body, 'result', { pose: { ...poseOf(body, origin), ...from(origin, position) } })
      addKey(picture, 'result', 'the nearest free place')
      const tail = middleOf(body, origin)
      const head = { x: tail.x + translation.x, y: tail.y + translation.y }
      picture.arrows.push({ form: 'between', tail, head, role: 'translation' })
      const middle = midway(tail, head)
      addLabel(picture, { x: middle.x + origin.x, y: middle.y + origin.y }, quantity(distance))
      picture.heading = `The nearest free place is ${quantity(distance)} away.`
      picture.details.push(`Its position is ${vectorText(position)} there.`)
    }
    if (maxDistance !== undefined && !isFree) picture.details.push(`Looked for within ${quantity(maxDistance)}.`)
    if (!exact) picture.details.push('A nearer one may exist.')
    return picture
  },
}

export const dropDrawing: SceneDrawing<'drop'> = {
  *involved(request, { contact }) {
    if (contact !== null) yield [contact.id, 'met']
    yield* ownInvolved(request)
  },
  draw(question) {
    const { request, answer } = question
    const { direction: way, maxDistance, align } = request
    const { status, position, rotation, distance, aligned, contact } = answer
    const picture = probePicture(question)
    const { origin } = picture
    const body = probeBody(question)
    const name = probeName(request)
    const direction = unit(way) ?? { x: 0, y: -1 }
    if (status === 'started-overlapping') {
      addProbe(picture, question, { role: 'target-hit' })
      picture.heading = `${name} stands in something and does not fall.`
      return picture
    }
    const middle = middleOf(body, origin)
    if (status === 'nothing-below' || position === null || distance === null) {
      addProbe(picture, question)
      const end = maxDistance === undefined ? null : along(middle, direction, maxDistance)
      if (end === null) picture.strokes.push({ form: 'ray', through: middle, direction, role: 'ray-beyond' })
      else picture.strokes.push({ form: 'polyline', points: [middle, end], role: 'ray-beyond' })
      picture.arrows.push({ form: 'direction', tail: middle, direction, role: 'motion' })
      const within = maxDistance === undefined ? '' : ` within ${quantity(maxDistance)}`
      picture.heading = `There is nothing below ${name.replace(/^The/, 'the')}${within}.`
      return picture
    }
    const { shape, position: from0, rotation: turned } = body
    const velocity = { x: direction.x * distance, y: direction.y * distance }
    const faller = {
      shape,
      velocity,
      ...(from0 && { position: from0 }),
      ...(turned !== undefined && { rotation: turned }),
    }
    addCourse(picture, { body: faller, until: 1, ghost: 'a-ghost', path: 'path' })
    addProbe(picture, question, { role: 'a-start' })
    const angle = rotation ?? poseOf(body, origin).angle
    addBody(picture, body, 'result', { pose: { ...from(origin, position), angle } })
    addKey(picture, 'result', 'where it comes to rest')
    const half = along(middle, direction, distance / 2)
    if (distance > 0) addLabel(picture, { x: half.x + origin.x, y: half.y + origin.y }, quantity(distance))
    if (contact !== null) {
      addMeeting(picture, {
        point: contact.point,
        normal: contact.normal,
        text: '',
        meaning: 'normal of what it lands on',
      })
      addKey(picture, 'met', 'what it lands on')
      picture.heading = `${name} lands on ${shortName(contact.id)} after ${quantity(distance)}.`
    } else picture.heading = `${name} lands after ${quantity(distance)}.`
    picture.details.push(`Its position is ${vectorText(position)} then, its rotation ${quantity(angle)}.`)
    if (align !== undefined)
      picture.details.push(aligned ? `It is turned as ${align} asks.` : `It could not be turned as ${align} asks.`)
    return picture
  },
}
