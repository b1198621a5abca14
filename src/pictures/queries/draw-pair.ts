// The pair queries, overlap, distance and contact, in the plane and in space.

import type {
  Contact3dRequest,
  Contact3dResponse,
  ContactRequest,
  ContactResponse,
} from '../../../schemas/queries/contact.ts'
import type {
  Distance3dRequest,
  Distance3dResponse,
  DistanceRequest,
  DistanceResponse,
} from '../../../schemas/queries/distance.ts'
import type {
  Overlap3dRequest,
  Overlap3dResponse,
  OverlapRequest,
  OverlapResponse,
} from '../../../schemas/queries/overlap.ts'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Body3d } from '../../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import { boxCentre, greatestHeight, isEmpty, partsBox } from '../outline.ts'
import { addBody, addKey, counted, type Picture, quantity, type ShapeMark } from '../picture.ts'
import { addArrow3d, addBody3d, type PictureOfSpace } from '../picture-of-space.ts'
import { along, midway, poseOf } from '../pose.ts'
import { patchParts } from '../solid-parts.ts'
import { along3d, dot, heightOf, isNowhere, measured, midway3d, seen, standOf, sum, type View, ZERO } from '../stand.ts'
import { type Canvas, planeCanvas, spaceCanvas } from './canvas.ts'

export const pairDrawers = { overlap: drawOverlap, distance: drawDistance, contact: drawContact }
export const pairDrawers3d = { overlap: drawOverlap3d, distance: drawDistance3d, contact: drawContact3d }

interface Pair<Body> {
  a: Body
  b: Body
}

function addPair<Body>(canvas: Canvas<unknown, Body, never>, { a, b }: Pair<Body>): Pair<ShapeMark> {
  return { a: canvas.addBody(a, 'a', { name: 'A' }), b: canvas.addBody(b, 'b', { name: 'B' }) }
}

interface SeparatingAxis<Vector> {
  kind: 'separating-axis'
  normal: Vector
  gap: number
}

type Overlap<Vector> = Omit<OverlapResponse, 'certificate'> & {
  certificate?: SeparatingAxis<Vector> | { kind: 'common-point'; point: Vector }
}

const RELATIONS = {
  separated: 'A and B are apart.',
  touching: 'A and B touch.',
  overlapping: 'A and B overlap.',
}

function drawOverlap(pair: OverlapRequest, answer: OverlapResponse): Picture {
  const canvas = planeCanvas([pair.a, pair.b])
  const marks = addPair(canvas, pair)
  return tellOverlap(canvas, answer, (axis) => drawAxis(canvas.picture, marks, axis))
}

function drawOverlap3d(pair: Overlap3dRequest, answer: Overlap3dResponse, view: View): Picture {
  const canvas = spaceCanvas([pair.a, pair.b], view)
  addPair(canvas, pair)
  return tellOverlap(canvas, answer, (axis) => drawAxis3d(canvas.space, pair, axis))
}

function tellOverlap<Vector>(
  canvas: Canvas<Vector, never, never>,
  { relation, certificate, aContainsB, bContainsA }: Overlap<Vector>,
  drawAxis: (axis: SeparatingAxis<Vector>) => void,
): Picture {
  const { picture } = canvas
  picture.heading = RELATIONS[relation]
  if (aContainsB === true && bContainsA === true) picture.details.push('They are the same set of points.')
  else if (aContainsB === true) picture.details.push('A contains B.')
  else if (bContainsA === true) picture.details.push('B contains A.')
  if (certificate?.kind === 'common-point') {
    canvas.addDot(certificate.point, 'point')
    addKey(picture, 'point', 'common point')
    picture.details.push(`Both hold the point ${canvas.vectorText(certificate.point)}.`)
  }
  if (certificate?.kind === 'separating-axis') {
    const { normal, gap } = certificate
    drawAxis(certificate)
    picture.details.push(`Along ${canvas.vectorText(normal)} there is a gap of ${quantity(gap)} between them.`)
  }
  return canvas.finish()
}

/** The lines that bound the two bodies along the axis, and the gap between them. */
function drawAxis(picture: Picture, marks: Pair<ShapeMark>, { normal, gap }: SeparatingAxis<Vec2>): void {
  const height = greatestHeight(marks.a.parts, normal)
  const boxes = [marks.a, marks.b].map(({ parts }) => partsBox(parts)).filter((box) => !isEmpty(box))
  if (!Number.isFinite(height) || boxes.length === 0) return
  const centres = boxes.map(boxCentre)
  const across = { x: -normal.y, y: normal.x }
  const side = (p: Vec2) => p.x * across.x + p.y * across.y
  const middle = centres.reduce((sum, centre) => sum + side(centre) / centres.length, 0)
  const tail = along({ x: normal.x * height, y: normal.y * height }, across, middle)
  const head = along(tail, normal, gap)
  picture.strokes.push({ role: 'support', form: 'line', through: tail, direction: across })
  picture.strokes.push({ role: 'support', form: 'line', through: head, direction: across })
  picture.arrows.push({ role: 'normal', form: 'between', tail, head })
  addKey(picture, 'support', 'lines that A and B lie behind')
  addKey(picture, 'normal', 'separating axis, from A to B')
  picture.labels.push({ at: midway(tail, head), text: quantity(gap), toward: across })
}

/** Squares stand for the planes; half their side, relative to the size of all bodies. */
const HALF_SIDE = 0.3

/** The planes that bound the two bodies along the axis, and the gap between them. */
function drawAxis3d(
  { picture, view, origin, reach }: PictureOfSpace,
  { a, b }: Pair<Body3d>,
  { normal, gap }: SeparatingAxis<Vec3>,
): void {
  if ((a.shape.type === 'halfspace' && b.shape.type === 'halfspace') || isNowhere(reach)) return
  const back = { x: -normal.x, y: -normal.y, z: -normal.z }
  const height =
    a.shape.type === 'halfspace'
      ? -heightOf(b.shape, standOf(b, origin), back) - gap
      : heightOf(a.shape, standOf(a, origin), normal)
  const { centre, size } = measured(reach)
  const tail = along3d(centre, normal, height - dot(centre, normal))
  const head = along3d(tail, normal, gap)
  for (const middle of [tail, head]) {
    picture.shapes.push({ parts: patchParts(middle, normal, HALF_SIDE * size, view, 0), role: 'result' })
  }
  const [from, to] = [seen(view, tail), seen(view, head)]
  picture.arrows.push({ role: 'normal', form: 'between', tail: from, head: to })
  picture.labels.push({ at: seen(view, midway3d(tail, head)), text: quantity(gap) })
  addKey(picture, 'result', 'planes that A and B lie behind')
  addKey(picture, 'normal', 'separating axis, from A to B')
}

function drawDistance(pair: DistanceRequest, answer: DistanceResponse): Picture {
  return tellDistance(planeCanvas([pair.a, pair.b]), pair, answer)
}

function drawDistance3d(pair: Distance3dRequest, answer: Distance3dResponse, view: View): Picture {
  return tellDistance(spaceCanvas([pair.a, pair.b], view), pair, answer)
}

function tellDistance<Vector, Body>(
  canvas: Canvas<Vector, Body, never>,
  pair: Pair<Body>,
  { distance, pointA, pointB }: { distance: number; pointA: Vector; pointB: Vector },
): Picture {
  const { picture } = canvas
  addPair(canvas, pair)
  canvas.addDot(pointA, 'point')
  if (distance === 0) {
    picture.heading = 'A and B meet: their distance is 0.'
    picture.details.push(`They share the point ${canvas.vectorText(pointA)}.`)
    return canvas.finish()
  }
  picture.heading = `A and B are ${quantity(distance)} apart.`
  picture.details.push(`Nearest points: ${canvas.vectorText(pointA)} of A and ${canvas.vectorText(pointB)} of B.`)
  canvas.addPolyline([pointA, pointB], 'measure')
  canvas.addDot(pointB, 'point')
  canvas.addLabel(canvas.midway(pointA, pointB), quantity(distance))
  return canvas.finish()
}

type Contact<Vector, Feature> = Pick<ContactResponse, 'touching' | 'separation' | 'exact'> & {
  normal: Vector | null
  translation: Vector | null
  points: readonly { position: Vector; separation: number; feature: Pair<Feature> }[]
}

function drawContact(pair: ContactRequest, answer: ContactResponse): Picture {
  const canvas = planeCanvas([pair.a, pair.b])
  return tellContact(canvas, pair, answer, (translation) => drawTranslation(canvas.picture, pair.b, translation))
}

function drawContact3d(pair: Contact3dRequest, answer: Contact3dResponse, view: View): Picture {
  const canvas = spaceCanvas([pair.a, pair.b], view)
  return tellContact(canvas, pair, answer, (translation) => drawTranslation3d(canvas.space, pair.b, translation))
}

function tellContact<Vector, Body, Feature>(
  canvas: Canvas<Vector, Body, Feature>,
  pair: Pair<Body>,
  { touching, separation, normal, points, translation, exact }: Contact<Vector, Feature>,
  drawTranslation: (translation: Vector) => void,
): Picture {
  const { picture } = canvas
  addPair(canvas, pair)
  picture.heading = contactHeading(touching, separation)
  if (translation !== null && !canvas.isZero(translation)) {
    drawTranslation(translation)
    addKey(picture, 'b-parted', 'B after the translation')
    const least = exact ? 'The shortest translation' : 'A translation, perhaps not the shortest,'
    picture.details.push(`${least} of B that parts them is ${canvas.vectorText(translation)}.`)
  }
  points.forEach(({ position, separation: own, feature }, i) => {
    const number = points.length > 1 ? `${i + 1}` : ''
    canvas.addDirection(position, normal, 'normal')
    if (normal !== null) addKey(picture, 'normal', 'normal, from A to B')
    if (number !== '') canvas.addLabel(position, number)
    const features = `${canvas.featureText(feature.a)} of A, ${canvas.featureText(feature.b)} of B`
    const name = number === '' ? 'Contact point' : `Contact point ${number}`
    picture.legend.push(`${name}: ${features}; separation ${quantity(own)}`)
  })
  for (const { position } of points) canvas.addDot(position, 'point')
  if (points.length === 0) picture.details.push(`There are ${counted(0, 'contact point')}.`)
  return canvas.finish()
}

function contactHeading(touching: boolean, separation: number | null): string {
  if (separation === null) return 'A and B overlap, and no translation parts them.'
  if (!touching) return `A and B are ${quantity(separation)} apart.`
  return separation === 0 ? 'A and B touch.' : `A and B overlap by ${quantity(-separation)}.`
}

/** B after the translation, and an arrow that leads there. */
function drawTranslation(picture: Picture, b: Body2d, translation: Vec2): void {
  const pose = poseOf(b, picture.origin)
  const moved = { ...pose, x: pose.x + translation.x, y: pose.y + translation.y }
  addBody(picture, b, 'b-parted', { pose: moved })
  // The mark of B where it is placed.
  const [mark] = picture.shapes.slice(-2)
  const box = partsBox(mark.parts)
  const tail = isEmpty(box) ? pose : boxCentre(box)
  const head = { x: tail.x + translation.x, y: tail.y + translation.y }
  picture.arrows.push({ form: 'between', tail, head, role: 'translation' })
}

function drawTranslation3d(space: PictureOfSpace, b: Body3d, translation: Vec3): void {
  const stand = standOf(b, space.origin)
  addBody3d(space, b, 'b-parted', { stand: { ...stand, at: sum(stand.at, translation) } })
  const tail = b.position ?? ZERO
  if (b.shape.type !== 'halfspace') addArrow3d(space, tail, sum(tail, translation), 'translation')
}
