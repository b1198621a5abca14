// How far a character gets, and what stands in its way.

import { addBody, addKey } from '../marks/picture.ts'
import { counted, quantity, shortName, vectorText } from '../marks/picture-text.ts'
import { from, lengthBetween, poseOf } from '../marks/pose.ts'
import { addHeads } from '../queries/draw-trajectory.ts'
import { mostGhosts } from '../queries/ghosts.ts'
import { addProbe, ownInvolved, probeBody, probeName, probePicture } from './probe.ts'
import type { SceneDrawing } from './question.ts'
import { addMeeting, idsText, tellTruncated } from './told.ts'

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
