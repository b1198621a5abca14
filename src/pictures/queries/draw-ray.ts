// Rays, the targets they hit, and the segments of them that lie inside a target; in the plane and in space.

import type {
  RayCast3dRequest,
  RayCast3dResponse,
  RayCastRequest,
  RayCastResponse,
  RayHit,
} from '../../../schemas/queries/ray-cast.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import { addKey, addPolyline, counted, type Picture, quantity } from '../picture.ts'
import { addDirection3d, addLine3d, addPolyline3d, type PictureOfSpace } from '../picture-of-space.ts'
import { along, from, unit } from '../pose.ts'
import { along3d, unit3d, type View } from '../stand.ts'
import { type Canvas, planeCanvas, spaceCanvas } from './canvas.ts'

/** The first hits have their distance written at them. */
const MOST_LABELS = 40

export function drawRayCast(request: RayCastRequest, { hits }: RayCastResponse): Picture {
  const { origin, direction, maxDistance: reach } = request.ray
  const canvas = planeCanvas([{ shape: { type: 'point' }, position: origin }])
  const ray = { origin, direction: unit(direction) ?? { x: 1, y: 0 }, reach }
  return drawHits(canvas, request, hits, (only) => drawRay(canvas.picture, ray, only?.point))
}

export function drawRayCast3d(request: RayCast3dRequest, { hits }: RayCast3dResponse, view: View): Picture {
  const { origin, direction, maxDistance: reach } = request.ray
  const canvas = spaceCanvas([{ shape: { type: 'point' }, position: origin }], view)
  const ray = { origin, direction: unit3d(direction) ?? { x: 1, y: 0, z: 0 }, reach }
  return drawHits(canvas, request, hits, (only) => drawRay3d(canvas.space, ray, only?.point))
}

type Hit<Vector, Feature> = Pick<RayHit, 'target' | 'distance' | 'startedInside'> & {
  point: Vector
  normal: Vector | null
  feature: Feature | null
  exit: { distance: number; point: Vector; normal: Vector } | null
}

/** `drawRay` draws the ray up to the only hit, where one hit was asked for. */
function drawHits<Vector, Body, Feature>(
  canvas: Canvas<Vector, Body, Feature>,
  { ray, targets, mode }: { ray: { origin: Vector }; targets: readonly Body[]; mode?: string },
  hits: readonly Hit<Vector, Feature>[],
  drawRay: (only: Hit<Vector, Feature> | undefined) => void,
): Picture {
  const { picture } = canvas
  const struck = new Set(hits.map(({ target }) => target))
  targets.forEach((target, i) => {
    canvas.addBody(target, struck.has(i) ? 'target-hit' : 'target', { name: `${i}` })
  })
  drawRay(mode === 'all' ? undefined : hits[0])
  picture.heading = rayHeading(hits, targets.length)
  if (hits.length > 0) addKey(picture, 'target-hit', 'hit')
  for (const [i, hit] of hits.entries()) addHit(canvas, hit, ray.origin, i < MOST_LABELS)
  canvas.addDot(ray.origin, 'start')
  addKey(picture, 'start', 'origin of the ray')
  return canvas.finish()
}

interface Ray<Vector> {
  origin: Vector
  direction: Vector
  reach: number | undefined
}

/** A bold line up to the hit, a thin one beyond it. */
function drawRay(picture: Picture, { origin, direction, reach }: Ray<Vec2>, hit: Vec2 | undefined): void {
  const tail = from(picture.origin, origin)
  const through = from(picture.origin, hit ?? origin)
  const role = hit === undefined ? 'ray' : 'ray-beyond'
  if (hit !== undefined) addPolyline(picture, [origin, hit], 'ray')
  if (reach === undefined) picture.strokes.push({ form: 'ray', through, direction, role })
  else {
    const points = [through, along(tail, direction, reach)]
    picture.strokes.push({ form: 'polyline', points, role, aside: hit !== undefined })
  }
  picture.arrows.push({ form: 'direction', tail, direction, role: 'motion' })
}

function drawRay3d(space: PictureOfSpace, { origin, direction, reach }: Ray<Vec3>, hit: Vec3 | undefined): void {
  const through = hit ?? origin
  const role = hit === undefined ? 'ray' : 'ray-beyond'
  if (hit !== undefined) addPolyline3d(space, [origin, hit], 'ray')
  if (reach === undefined) addLine3d(space, 'ray', through, direction, role)
  else addPolyline3d(space, [through, along3d(origin, direction, reach)], role, hit !== undefined)
  addDirection3d(space, origin, direction, 'motion')
}

function rayHeading(hits: readonly Hit<unknown, unknown>[], targets: number): string {
  const [first] = hits
  if (targets === 0) return 'There is nothing that the ray could hit.'
  if (first === undefined) return `The ray hits none of ${counted(targets, 'target')}.`
  if (hits.length > 1) return `The ray hits ${counted(hits.length, 'target')} of ${targets}.`
  if (first.startedInside && first.normal === null) return `The ray starts in target ${first.target}.`
  const verb = first.startedInside ? 'leaves' : 'hits'
  return `The ray ${verb} target ${first.target} at distance ${quantity(first.distance)}.`
}

function addHit<Vector, Feature>(
  canvas: Canvas<Vector, never, Feature>,
  { target, distance, point, normal, feature, startedInside, exit }: Hit<Vector, Feature>,
  origin: Vector,
  isLabelled: boolean,
): void {
  const { picture } = canvas
  const inside = exit === null ? (startedInside ? [origin, point] : []) : [point, exit.point]
  if (inside.length > 0 && !canvas.isSame(inside[0], inside[1])) {
    canvas.addPolyline(inside, 'inside')
    addKey(picture, 'inside', 'inside')
  }
  canvas.addDirection(point, normal, 'normal')
  if (normal !== null) addKey(picture, 'normal', 'normal')
  if (exit !== null) {
    canvas.addDirection(exit.point, exit.normal, 'exit-normal')
    canvas.addDot(exit.point, 'exit')
    addKey(picture, 'exit', 'exit')
  }
  canvas.addDot(point, 'point')
  if (isLabelled) canvas.addLabel(point, quantity(distance), canvas.isFlat && normal !== null ? normal : undefined)
  const name = `Target ${target}${feature === null ? '' : `, ${canvas.featureText(feature)}`}`
  if (startedInside) {
    const leaves = normal !== null ? distance : exit?.distance
    const out = leaves === undefined ? '' : `, left at distance ${quantity(leaves)}`
    picture.legend.push(`${name}: holds the origin${out}`)
  } else {
    const out = exit === null ? '' : `, left at ${quantity(exit.distance)}`
    picture.legend.push(`${name}: hit at distance ${quantity(distance)}${out}`)
  }
}
