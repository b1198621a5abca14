// Rays in space, what they hit, and the stretches of them that lie inside.

import type { RayCast3dRequest, RayCast3dResponse, RayHit3d } from '../../../schemas/queries/ray-cast.ts'
import type { Vec3 } from '../../../schemas/vector.ts'
import { addKey, featureText3d, type Picture, quantity } from '../marks/picture.ts'
import {
  addBody3d,
  addDirection3d,
  addDot3d,
  addLabel3d,
  addLine3d,
  addPolyline3d,
  createPictureOfSpace,
  finished,
  type PictureOfSpace,
} from '../marks/picture-of-space.ts'
import { along3d, unit3d, type View } from '../marks/stand.ts'
import { rayHeading } from './draw-ray.ts'

/** Numbers beside the hits, up to so many of them. */
const MOST_LABELS = 40

export function drawRayCast3d(request: RayCast3dRequest, { hits }: RayCast3dResponse, view: View): Picture {
  const { ray, targets, mode } = request
  const space = createPictureOfSpace([{ shape: { type: 'point' }, position: ray.origin }], view)
  const { picture } = space
  const struck = new Set(hits.map(({ target }) => target))
  targets.forEach((target, i) => {
    addBody3d(space, target, struck.has(i) ? 'target-hit' : 'target', { name: `${i}` })
  })
  const direction = unit3d(ray.direction) ?? { x: 1, y: 0, z: 0 }
  drawRay(space, { origin: ray.origin, direction, reach: ray.maxDistance }, mode === 'all' ? undefined : hits[0])
  picture.heading = rayHeading(hits, targets.length)
  if (hits.length > 0) addKey(picture, 'target-hit', 'hit')
  for (const [i, hit] of hits.entries()) addHit(space, hit, ray.origin, i < MOST_LABELS)
  addDot3d(space, ray.origin, 'start')
  addKey(picture, 'start', 'origin of the ray')
  return finished(space)
}

interface Ray {
  origin: Vec3
  direction: Vec3
  reach: number | undefined
}

/** Solid up to the one hit that was asked for, thin beyond it. */
function drawRay(space: PictureOfSpace, { origin, direction, reach }: Ray, only: RayHit3d | undefined): void {
  const end = reach === undefined ? null : along3d(origin, direction, reach)
  if (only !== undefined) addPolyline3d(space, [origin, only.point], 'ray')
  const role = only === undefined ? 'ray' : 'ray-beyond'
  const from = only?.point ?? origin
  if (end === null) addLine3d(space, 'ray', from, direction, role)
  else addPolyline3d(space, [from, end], role, only !== undefined)
  addDirection3d(space, origin, direction, 'motion')
}

function addHit(space: PictureOfSpace, hit: RayHit3d, origin: Vec3, isLabelled: boolean): void {
  const { picture } = space
  const { target, distance, point, normal, feature, startedInside, exit } = hit
  const inside = exit === null ? (startedInside ? [origin, point] : []) : [point, exit.point]
  if (inside.length > 0 && (['x', 'y', 'z'] as const).some((axis) => inside[0][axis] !== inside[1][axis])) {
    addPolyline3d(space, inside, 'inside')
    addKey(picture, 'inside', 'inside')
  }
  addDirection3d(space, point, normal, 'normal')
  if (normal !== null) addKey(picture, 'normal', 'normal')
  if (exit !== null) {
    addDirection3d(space, exit.point, exit.normal, 'exit-normal')
    addDot3d(space, exit.point, 'exit')
    addKey(picture, 'exit', 'exit')
  }
  addDot3d(space, point, 'point')
  if (isLabelled) addLabel3d(space, point, quantity(distance))
  const what = feature === null ? '' : `, ${featureText3d(feature)}`
  const name = `Target ${target}${what}`
  if (startedInside) {
    const leaves = normal !== null ? distance : exit?.distance
    picture.legend.push(
      `${name}: holds the origin${leaves === undefined ? '' : `, left at distance ${quantity(leaves)}`}`,
    )
  } else {
    const leaves = exit === null ? '' : `, left at ${quantity(exit.distance)}`
    picture.legend.push(`${name}: hit at distance ${quantity(distance)}${leaves}`)
  }
}
