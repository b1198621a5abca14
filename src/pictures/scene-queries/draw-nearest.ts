// The bodies that are nearest to a place or a body.

import { addDot, addKey, addLabel, addPolyline } from '../marks/picture.ts'
import { counted, quantity, shortName } from '../marks/picture-text.ts'
import { midway } from '../marks/pose.ts'
import { addProbe, ownInvolved, probeBody, probeName, probePicture } from './probe.ts'
import type { SceneDrawing } from './question.ts'
import { addReach } from './reach.ts'

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
