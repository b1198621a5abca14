// What a place or a body meets.

import type { SceneMetBody } from '../../../schemas/scenes/overlap.ts'
import { addKey } from '../marks/picture.ts'
import { counted, quantity, shortName } from '../marks/picture-text.ts'
import { addProbe, ownInvolved, probeName, probePicture } from './probe.ts'
import type { SceneDrawing } from './question.ts'
import { addMeeting, idsText, tellTruncated } from './told.ts'

/** Bodies whose contacts are drawn. */
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
