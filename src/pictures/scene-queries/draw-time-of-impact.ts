// The moving bodies of a scene, and when they first touch others.

import type { SceneImpact } from '../../../schemas/scenes/time-of-impact.ts'
import { addBody, addKey, createPictureAt, type Picture } from '../marks/picture.ts'
import { counted, quantity, shortName } from '../marks/picture-text.ts'
import { poseAt } from '../marks/pose.ts'
import { addCourse, isMoving } from '../queries/ghosts.ts'
import type { SceneDrawing } from './question.ts'
import { addMeeting, tellTruncated } from './told.ts'
import type { KnownBody } from './told-body.ts'

/** Impacts that are drawn with the ways to them, and with numbers. */
const MOST_WAYS = 20
const MOST_LABELS = 40

export const timeOfImpactDrawing: SceneDrawing<'time-of-impact'> = {
  *involved(_request, { impacts }) {
    for (const { a, b } of impacts) {
      yield [a, 'met']
      yield [b, 'met']
    }
  },
  draw({ request, answer, tally, bodies }) {
    const { impacts } = answer
    const picture = createPictureAt(impacts[0]?.pointA ?? { x: 0, y: 0 })
    const drawn = impacts.slice(0, MOST_WAYS)
    for (const [id, until] of latest(drawn)) addWay(picture, bodies.get(id), until)
    for (const { a, b, time } of drawn) for (const id of [a, b]) addAt(picture, bodies.get(id), time)
    impacts.forEach(({ a, b, time, normal, pointA, exitTime }, i) => {
      const isTold = i < MOST_LABELS
      const text = isTold ? `t = ${quantity(time)}` : ''
      addMeeting(picture, {
        point: pointA,
        normal: isTold ? normal : null,
        text,
        meaning: 'normal, from the first to the second',
      })
      const parts = exitTime === null ? '' : `, they part at ${quantity(exitTime)}`
      picture.legend.push(`${shortName(a)} and ${shortName(b)}: t = ${quantity(time)}${parts}`)
    })
    const { count } = tally.impacts
    const within = `within ${quantity(request.duration)} s`
    picture.heading =
      count === 0 ? `Nothing meets anything on its way ${within}.` : `${counted(count, 'impact')} ${within}.`
    if (count > 0) addKey(picture, 'met', 'meets another')
    if (count > drawn.length) picture.details.push(`The ways to the first ${drawn.length} of them are drawn.`)
    tellTruncated(picture, answer)
    return picture
  },
}

/** Until when each body is followed. */
function latest(impacts: readonly SceneImpact[]): Map<string, number> {
  const until = new Map<string, number>()
  for (const { a, b, time } of impacts) {
    for (const id of [a, b]) until.set(id, Math.max(until.get(id) ?? 0, time))
  }
  return until
}

function addWay(picture: Picture, known: KnownBody | undefined, until: number): void {
  const body = known?.body ?? null
  if (body === null || !isMoving(body) || !(until > 0)) return
  addCourse(picture, { body, until, ghost: 'a-ghost', path: 'path' })
  addKey(picture, 'a-ghost', 'on the way')
}

function addAt(picture: Picture, known: KnownBody | undefined, time: number): void {
  const body = known?.body ?? null
  if (body === null || !isMoving(body) || !(time > 0)) return
  addBody(picture, body, 'a-then', { pose: poseAt(body, picture.origin, time) })
  addKey(picture, 'a-then', 'at the impact')
}
