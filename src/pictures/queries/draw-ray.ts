// Rays, what they hit, and the stretches of them that lie inside.

import type { RayCastRequest, RayCastResponse, RayHit } from '../../../schemas/queries/ray-cast.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import {
  addBody,
  addDirection,
  addDot,
  addKey,
  addLabel,
  addPolyline,
  counted,
  createPicture,
  featureText,
  type Picture,
  quantity,
} from '../marks/picture.ts'
import { along, from, unit } from '../marks/pose.ts'

/** Numbers beside the hits, up to so many of them. */
const MOST_LABELS = 40

export function drawRayCast({ ray, targets, mode }: RayCastRequest, { hits }: RayCastResponse): Picture {
  const picture = createPicture([{ shape: { type: 'point' }, position: ray.origin }])
  const direction = unit(ray.direction) ?? { x: 1, y: 0 }
  const struck = new Set(hits.map(({ target }) => target))
  targets.forEach((target, i) => {
    addBody(picture, target, struck.has(i) ? 'target-hit' : 'target', { name: `${i}` })
  })
  drawRay(picture, ray.origin, direction, ray.maxDistance, mode === 'all' ? [] : hits)
  picture.heading = rayHeading(hits, targets.length)
  if (hits.length > 0) addKey(picture, 'target-hit', 'hit')
  for (const [i, hit] of hits.entries()) addRayHit(picture, hit, ray.origin, i < MOST_LABELS)
  addDot(picture, ray.origin, 'start')
  addKey(picture, 'start', 'origin of the ray')
  return picture
}

/** Solid up to the one hit that was asked for, thin beyond it. */
function drawRay(
  picture: Picture,
  start: Vec2,
  direction: Vec2,
  reach: number | undefined,
  hits: readonly RayHit[],
): void {
  const [first] = hits
  const through = from(picture.origin, start)
  if (first !== undefined) {
    addPolyline(picture, [start, first.point], 'ray')
    const beyond = from(picture.origin, first.point)
    if (reach === undefined) picture.strokes.push({ form: 'ray', through: beyond, direction, role: 'ray-beyond' })
  } else if (reach === undefined) picture.strokes.push({ form: 'ray', through, direction, role: 'ray' })
  if (reach !== undefined) {
    const end = along(through, direction, reach)
    const points = first === undefined ? [through, end] : [from(picture.origin, first.point), end]
    const role = first === undefined ? 'ray' : 'ray-beyond'
    picture.strokes.push({ form: 'polyline', points, role, aside: first !== undefined })
  }
  picture.arrows.push({ form: 'direction', tail: through, direction, role: 'motion' })
}

/** Of hits in the plane or in space. */
export function rayHeading(
  hits: readonly Pick<RayHit, 'target' | 'distance' | 'normal' | 'startedInside'>[],
  targets: number,
): string {
  const [first] = hits
  if (targets === 0) return 'There is nothing that the ray could hit.'
  if (first === undefined) return `The ray hits none of ${counted(targets, 'target')}.`
  if (hits.length > 1) return `The ray hits ${counted(hits.length, 'target')} of ${targets}.`
  if (first.startedInside && first.normal === null) return `The ray starts in target ${first.target}.`
  const verb = first.startedInside ? 'leaves' : 'hits'
  return `The ray ${verb} target ${first.target} at distance ${quantity(first.distance)}.`
}

function addRayHit(picture: Picture, hit: RayHit, origin: Vec2, isLabelled: boolean): void {
  const { target, distance, point, normal, feature, startedInside, exit } = hit
  const inside = exit === null ? (startedInside ? [origin, point] : []) : [point, exit.point]
  if (inside.length > 0 && (inside[0].x !== inside[1].x || inside[0].y !== inside[1].y)) {
    addPolyline(picture, inside, 'inside')
    addKey(picture, 'inside', 'inside')
  }
  addDirection(picture, point, normal, 'normal')
  if (normal !== null) addKey(picture, 'normal', 'normal')
  if (exit !== null) {
    addDirection(picture, exit.point, exit.normal, 'exit-normal')
    addDot(picture, exit.point, 'exit')
    addKey(picture, 'exit', 'exit')
  }
  addDot(picture, point, 'point')
  if (isLabelled) addLabel(picture, point, quantity(distance), normal ?? undefined)
  const what = feature === null ? '' : `, ${featureText(feature)}`
  const name = `Target ${target}${what}`
  if (startedInside) {
    const leaves = normal !== null ? distance : exit?.distance
    const out = leaves === undefined ? '' : `, left at distance ${quantity(leaves)}`
    picture.legend.push(`${name}: holds the origin${out}`)
    return
  }
  const leaves = exit === null ? '' : `, left at ${quantity(exit.distance)}`
  picture.legend.push(`${name}: hit at distance ${quantity(distance)}${leaves}`)
}
