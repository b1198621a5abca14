// What can be seen from a point, and what is in the way of the rest.

import type { SceneSight } from '../../../schemas/scenes/line-of-sight.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { addDot, addKey, addLabel, addPolyline, createPictureAt, type Picture } from '../marks/picture.ts'
import { quantity, shortName } from '../marks/picture-text.ts'
import type { SceneDrawing } from './question.ts'
import { idsText, tellTruncated } from './told.ts'

/** Targets that are numbered and written about, and those whose occluders have dots. */
const MOST_TOLD = 30
const MOST_DOTTED = 100

export const lineOfSightDrawing: SceneDrawing<'line-of-sight'> = {
  *involved({ targets, bodyId }, { sights }) {
    for (const { occluders } of sights) for (const { id } of occluders) yield [id, 'met']
    for (const { bodyId: target } of targets) if (target !== undefined) yield [target, 'result']
    if (bodyId !== undefined) yield [bodyId, 'asked']
  },
  draw({ request, answer, tally, probe }) {
    const { point, targets } = request
    const { sights } = answer
    const eye = point ?? probe?.body?.position ?? { x: 0, y: 0 }
    const picture = createPictureAt(eye)
    sights.forEach((sight, i) => {
      addSight(picture, eye, sight, i)
      if (i < MOST_TOLD) tellSight(picture, targets[i].bodyId, sight, i)
    })
    const { count, full } = tally.sights
    picture.heading = count === 0 ? 'Nothing is looked at.' : `Of ${count} targets, ${full} can be seen.`
    if (count === 1) picture.heading = full === 1 ? 'The target can be seen.' : 'The target is hidden.'
    if (count > sights.length) picture.details.push(`The first ${sights.length} of them are drawn.`)
    addDot(picture, eye, 'start')
    addKey(picture, 'start', 'eye')
    if (targets.some(({ bodyId }) => bodyId !== undefined)) addKey(picture, 'result', 'body that is looked at')
    tellTruncated(picture, answer)
    return picture
  },
}

function addSight(picture: Picture, eye: Vec2, { visible, point, occluders }: SceneSight, i: number): void {
  const [first] = occluders
  const turning = visible || first === undefined ? point : first.point
  addPolyline(picture, [eye, turning], 'seen')
  addKey(picture, 'seen', 'free')
  if (visible) addDot(picture, point, 'corner')
  else {
    addPolyline(picture, [turning, point], 'unseen')
    addDot(picture, point, 'refused')
    addKey(picture, 'unseen', 'behind what is in the way')
    addKey(picture, 'met', 'in the way')
  }
  if (i < MOST_DOTTED) for (const { point: crossing } of occluders) addDot(picture, crossing, 'point')
  if (i < MOST_TOLD) addLabel(picture, point, `${i + 1}`)
}

function tellSight(picture: Picture, target: string | undefined, sight: SceneSight, i: number): void {
  const { visible, distance, occluders } = sight
  const what = target === undefined ? 'the point' : shortName(target)
  const how = visible ? 'seen' : `hidden by ${idsText(occluders.map(({ id }) => id))}`
  picture.legend.push(`${i + 1}. ${what}: ${how}, at ${quantity(distance)}`)
}
