// The free place that is nearest to the one wished.

import { addBody, addKey, addLabel } from '../marks/picture.ts'
import { quantity, vectorText } from '../marks/picture-text.ts'
import { from, midway, poseOf } from '../marks/pose.ts'
import { addProbe, ownInvolved, probeBody, probeName, probePicture } from './probe.ts'
import type { SceneDrawing } from './question.ts'
import { addReach, middleOf } from './reach.ts'

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
