// The way of a body out of everything that it overlaps.

import { addBody, addKey, addLabel } from '../marks/picture.ts'
import { quantity, vectorText } from '../marks/picture-text.ts'
import { midway, poseOf } from '../marks/pose.ts'
import { addProbe, ownInvolved, probeBody, probeName, probePicture } from './probe.ts'
import type { SceneDrawing } from './question.ts'
import { middleOf } from './reach.ts'
import { idsText, tellTruncated } from './told.ts'

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
