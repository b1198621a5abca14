// Where a body comes to rest that falls.

import { addBody, addKey, addLabel } from '../marks/picture.ts'
import { quantity, shortName, vectorText } from '../marks/picture-text.ts'
import { along, from, poseOf, unit } from '../marks/pose.ts'
import { addCourse } from '../queries/ghosts.ts'
import { addProbe, ownInvolved, probeBody, probeName, probePicture } from './probe.ts'
import type { SceneDrawing } from './question.ts'
import { middleOf } from './reach.ts'
import { addMeeting } from './told.ts'

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
