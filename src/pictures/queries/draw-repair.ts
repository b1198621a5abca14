// Rings and the regions that they fill, with what had to be done to the rings.

import type { RepairRequest, RepairResponse } from '../../../schemas/queries/repair.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import {
  addBody,
  addDot,
  addKey,
  addLabel,
  addPolyline,
  counted,
  createPicture,
  type Picture,
} from '../marks/picture.ts'

const TINTS = ['piece-0', 'piece-1', 'piece-2', 'piece-3', 'piece-4', 'piece-5'] as const
/** Changes whose number is written at them. */
const MOST_NUMBERS = 60

export function drawRepair({ rings }: RepairRequest, { regions, changes, truncated }: RepairResponse): Picture {
  const picture = createPicture([
    { shape: { type: 'chain', vertices: rings[0].length > 1 ? rings[0] : twice(rings[0]) } },
  ])
  regions.forEach((region, i) => {
    addBody(picture, { shape: { type: 'region', ...region } }, TINTS[i % TINTS.length], { name: `${i}` })
  })
  for (const ring of rings) addPolyline(picture, [...ring, ring[0]], 'path-to')
  picture.heading = `The rings fill ${counted(regions.length, 'region')}.`
  const done = `${counted(changes.length, 'change')}${truncated ? ', and perhaps more' : ''}`
  picture.details.push(`There ${changes.length === 1 ? 'was' : 'were'} ${done}.`)
  changes.forEach(({ detail, action, points }, i) => {
    picture.legend.push(`${i + 1}: ${detail} ${action}`)
    for (const point of points) addDot(picture, point, 'exit')
    if (points.length > 0 && i < MOST_NUMBERS) addLabel(picture, points[0], `${i + 1}`)
  })
  addKey(picture, 'path-to', 'rings as they were sent')
  if (changes.length > 0) addKey(picture, 'exit', 'changed')
  return picture
}

function twice([point]: readonly Vec2[]): Vec2[] {
  return [point, point]
}
