// Ray casts and lines of sight in a scene.

import type { RayDefinition } from '../../../schemas/queries/ray-cast.ts'
import type { SceneSight } from '../../../schemas/scenes/line-of-sight.ts'
import type { SceneRayHit } from '../../../schemas/scenes/ray-cast.ts'
import { addKey, counted, type Picture, quantity, shortName } from '../picture.ts'
import { addMeeting, idsText, openAtProbe, probeBody, type SceneDrawing, tellTruncated } from './question.ts'
import type { Either, SceneCanvas, Vector } from './scene-canvas.ts'

/** Up to so many rays, each has numbers, normals and a line of text. */
const FEW_RAYS = 6
/** Maximum number of hits of a ray with numbers and normals. */
const MOST_TOLD = 40

export const rayCastDrawing: SceneDrawing<'ray-cast'> = {
  *involved(_request, { hits = [], results = [] }) {
    for (const { id } of hits) yield [id, 'met']
    for (const result of results) for (const { id } of result.hits) yield [id, 'met']
  },
  draw({ request, answer, tally }, open) {
    const { ray, rays = [], mode } = request
    const cast = ray === undefined ? rays : [ray]
    const hits = answer.hits === undefined ? (answer.results ?? []).map((result) => result.hits) : [answer.hits]
    const canvas = open(cast[0]?.origin ?? null)
    const { picture } = canvas
    const isFew = cast.length <= FEW_RAYS
    cast.forEach((each, k) => {
      drawRay(canvas, each, hits[k] ?? [], {
        isWhole: mode === 'all',
        isFew,
        number: cast.length > 1 ? `${k + 1}` : '',
      })
    })
    if (hits.some((each) => each.length > 0)) addKey(picture, 'met', 'hit')
    if (cast.length > 0) addKey(picture, 'start', 'origin of the ray')
    const { count, full } = tally.results ?? { count: 1, full: 0 }
    picture.heading = ray === undefined ? raysHeading(count, full) : rayHeading(hits[0], tally.hits.count)
    if (count > cast.length) picture.details.push(`The first ${cast.length} of them are drawn.`)
    tellTruncated(picture, answer)
    return canvas
  },
}

function raysHeading(count: number, struck: number): string {
  if (count === 0) return 'There are no rays.'
  return `Of ${counted(count, 'ray')}, ${struck} ${struck === 1 ? 'hits' : 'hit'} something.`
}

function rayHeading([first]: readonly Either<SceneRayHit>[], count: number): string {
  if (first === undefined) return 'The ray hits nothing.'
  if (count > 1) return `The ray hits ${counted(count, 'body', 'bodies')}.`
  const id = shortName(first.id)
  if (first.startedInside && first.normal === null) return `The ray starts in ${id}.`
  return `The ray ${first.startedInside ? 'leaves' : 'hits'} ${id} at distance ${quantity(first.distance)}.`
}

interface RayStyle {
  /** Whether the line is bold beyond the first hit. */
  isWhole: boolean
  isFew: boolean
  number: string
}

function drawRay(
  canvas: SceneCanvas,
  { origin, direction: way, maxDistance }: Either<RayDefinition>,
  hits: readonly Either<SceneRayHit>[],
  { isWhole, isFew, number }: RayStyle,
): void {
  const direction = canvas.unit(way) ?? way
  const [first] = hits
  const end = maxDistance === undefined ? null : canvas.plus(origin, direction, maxDistance)
  const turning = first === undefined || isWhole ? null : first.point
  if (turning !== null) canvas.addPolyline([origin, turning], 'ray')
  const role = turning === null ? 'ray' : 'ray-beyond'
  if (isFew || turning === null) addStretch(canvas, turning ?? origin, end, direction, role)
  if (isFew) canvas.addDirection(origin, direction, 'motion')
  for (const [i, hit] of hits.entries()) addHit(canvas, hit, { origin, number, isTold: isFew && i < MOST_TOLD })
  canvas.addDot(origin, 'start')
}

/** A line from a point to the end of the ray, or to the edge of the picture. */
function addStretch(
  canvas: SceneCanvas,
  start: Vector,
  end: Vector | null,
  direction: Vector,
  role: 'ray' | 'ray-beyond',
): void {
  if (end === null) canvas.addRay(start, direction, role)
  else canvas.addPolyline([start, end], role, role === 'ray-beyond')
}

interface HitStyle {
  origin: Vector
  number: string
  isTold: boolean
}

function addHit(canvas: SceneCanvas, hit: Either<SceneRayHit>, { origin, number, isTold }: HitStyle): void {
  const { picture } = canvas
  const { id, distance, point, normal, feature, startedInside, exit } = hit
  const inside = exit === null ? (startedInside ? [origin, point] : []) : [point, exit.point]
  if (isTold && inside.length > 0 && !canvas.isSame(inside[0], inside[1])) {
    canvas.addPolyline(inside, 'inside')
    addKey(picture, 'inside', 'inside')
  }
  if (isTold && exit !== null) {
    canvas.addDot(exit.point, 'exit')
    addKey(picture, 'exit', 'exit')
  }
  const text = isTold ? `${number === '' ? '' : `${number}: `}${quantity(distance)}` : ''
  addMeeting(canvas, { point, normal: isTold ? normal : null, text, meaning: 'normal' })
  if (!isTold) return
  const who = number === '' ? shortName(id) : `Ray ${number}: ${shortName(id)}`
  const what = feature === null ? '' : `, ${canvas.featureText(feature)}`
  const leaves = exit === null ? '' : `, left at ${quantity(exit.distance)}`
  const how = startedInside ? ': holds the origin' : `: hit at distance ${quantity(distance)}`
  picture.legend.push(`${who}${what}${how}${leaves}`)
}

/** Maximum number of targets in the legend, and of occluders with dots. */
const MOST_SIGHTS = 30
const MOST_DOTTED = 100

export const lineOfSightDrawing: SceneDrawing<'line-of-sight'> = {
  *involved({ targets, bodyId }, { sights }) {
    for (const { occluders } of sights) for (const { id } of occluders) yield [id, 'met']
    for (const { bodyId: target } of targets) if (target !== undefined) yield [target, 'result']
    if (bodyId !== undefined) yield [bodyId, 'asked']
  },
  draw({ request, answer, tally, probe }, open) {
    const { point, targets } = request
    const { sights } = answer
    const canvas = openAtProbe({ request, probe }, open)
    const { picture } = canvas
    const eye = point ?? canvas.positionOf(probeBody({ request, probe }))
    sights.forEach((sight, i) => {
      addSight(canvas, eye, sight, i)
      if (i < MOST_SIGHTS) tellSight(picture, targets[i].bodyId, sight, i)
    })
    const { count, full } = tally.sights
    picture.heading = count === 0 ? 'Nothing is looked at.' : `Of ${count} targets, ${full} can be seen.`
    if (count === 1) picture.heading = full === 1 ? 'The target can be seen.' : 'The target is hidden.'
    if (count > sights.length) picture.details.push(`The first ${sights.length} of them are drawn.`)
    canvas.addDot(eye, 'start')
    addKey(picture, 'start', 'eye')
    if (targets.some(({ bodyId }) => bodyId !== undefined)) addKey(picture, 'result', 'body that is looked at')
    tellTruncated(picture, answer)
    return canvas
  },
}

function addSight(
  canvas: SceneCanvas,
  eye: Vector,
  { visible, point, occluders }: Either<SceneSight>,
  i: number,
): void {
  const { picture } = canvas
  const [first] = occluders
  const turning = visible || first === undefined ? point : first.point
  canvas.addPolyline([eye, turning], 'seen')
  addKey(picture, 'seen', 'free')
  if (visible) canvas.addDot(point, 'corner')
  else {
    canvas.addPolyline([turning, point], 'unseen')
    canvas.addDot(point, 'refused')
    addKey(picture, 'unseen', 'behind what is in the way')
    addKey(picture, 'met', 'in the way')
  }
  if (i < MOST_DOTTED) for (const { point: crossing } of occluders) canvas.addDot(crossing, 'point')
  if (i < MOST_SIGHTS) canvas.addLabel(point, `${i + 1}`)
}

function tellSight(picture: Picture, target: string | undefined, sight: Either<SceneSight>, i: number): void {
  const { visible, distance, occluders } = sight
  const what = target === undefined ? 'the point' : shortName(target)
  const how = visible ? 'seen' : `hidden by ${idsText(occluders.map(({ id }) => id))}`
  picture.legend.push(`${i + 1}. ${what}: ${how}, at ${quantity(distance)}`)
}
