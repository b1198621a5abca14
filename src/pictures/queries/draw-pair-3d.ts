// The pair queries of space: overlap, distance, contact.

import type { Contact3dRequest, Contact3dResponse } from '../../../schemas/queries/contact.ts'
import type { Distance3dRequest, Distance3dResponse } from '../../../schemas/queries/distance.ts'
import type { Overlap3dRequest, Overlap3dResponse, OverlapCertificate3d } from '../../../schemas/queries/overlap.ts'
import type { Body3d } from '../../../schemas/shapes3d.ts'
import type { Vec3 } from '../../../schemas/vector.ts'
import { addKey, counted, featureText3d, type Picture, quantity, vectorText3d } from '../marks/picture.ts'
import {
  addArrow3d,
  addBody3d,
  addDirection3d,
  addDot3d,
  addLabel3d,
  addPolyline3d,
  createPictureOfSpace,
  finished,
  type PictureOfSpace,
} from '../marks/picture-of-space.ts'
import { heightOf, isNowhere, measured } from '../marks/reach.ts'
import { patchParts } from '../marks/solid-parts.ts'
import { along3d, dot, midway3d, seen, standOf, sum, type View, ZERO } from '../marks/stand.ts'
import { contactHeading, RELATIONS } from './draw-pair.ts'

export function drawOverlap3d({ a, b }: Overlap3dRequest, answer: Overlap3dResponse, view: View): Picture {
  const { relation, certificate, aContainsB, bContainsA } = answer
  const space = pairOfSpace(a, b, view)
  const { picture } = space
  picture.heading = RELATIONS[relation]
  if (aContainsB === true && bContainsA === true) picture.details.push('They are the same set of points.')
  else if (aContainsB === true) picture.details.push('A contains B.')
  else if (bContainsA === true) picture.details.push('B contains A.')
  if (certificate?.kind === 'common-point') {
    addDot3d(space, certificate.point, 'point')
    addKey(picture, 'point', 'common point')
    picture.details.push(`Both hold the point ${vectorText3d(certificate.point)}.`)
  }
  if (certificate?.kind === 'separating-axis') {
    const { normal, gap } = certificate
    drawAxis(space, a, b, certificate)
    picture.details.push(`Along ${vectorText3d(normal)} there is a gap of ${quantity(gap)} between them.`)
  }
  return finished(space)
}

export function drawDistance3d({ a, b }: Distance3dRequest, answer: Distance3dResponse, view: View): Picture {
  const { distance, pointA, pointB } = answer
  const space = pairOfSpace(a, b, view)
  const { picture } = space
  addDot3d(space, pointA, 'point')
  if (distance === 0) {
    picture.heading = 'A and B meet: their distance is 0.'
    picture.details.push(`They share the point ${vectorText3d(pointA)}.`)
    return finished(space)
  }
  picture.heading = `A and B are ${quantity(distance)} apart.`
  picture.details.push(`Nearest points: ${vectorText3d(pointA)} of A and ${vectorText3d(pointB)} of B.`)
  addPolyline3d(space, [pointA, pointB], 'measure')
  addDot3d(space, pointB, 'point')
  addLabel3d(space, midway3d(pointA, pointB), quantity(distance))
  return finished(space)
}

export function drawContact3d({ a, b }: Contact3dRequest, answer: Contact3dResponse, view: View): Picture {
  const { touching, separation, normal, points, translation, exact } = answer
  const space = pairOfSpace(a, b, view)
  const { picture } = space
  picture.heading = contactHeading(touching, separation)
  if (translation !== null && (translation.x !== 0 || translation.y !== 0 || translation.z !== 0)) {
    drawTranslation(space, b, translation)
    const least = exact ? 'The shortest translation' : 'A translation, perhaps not the shortest,'
    picture.details.push(`${least} of B that parts them is ${vectorText3d(translation)}.`)
  }
  points.forEach(({ position, separation: own, feature }, i) => {
    const number = points.length > 1 ? `${i + 1}` : ''
    addDirection3d(space, position, normal, 'normal')
    if (normal !== null) addKey(picture, 'normal', 'normal, from A to B')
    if (number !== '') addLabel3d(space, position, number)
    const features = `${featureText3d(feature.a)} of A, ${featureText3d(feature.b)} of B`
    const name = number === '' ? 'Contact point' : `Contact point ${number}`
    picture.legend.push(`${name}: ${features}; separation ${quantity(own)}`)
  })
  for (const { position } of points) addDot3d(space, position, 'point')
  if (points.length === 0) picture.details.push(`There are ${counted(0, 'contact point')}.`)
  return finished(space)
}

function pairOfSpace(a: Body3d, b: Body3d, view: View): PictureOfSpace {
  const space = createPictureOfSpace([a, b], view)
  addBody3d(space, a, 'a', { name: 'A' })
  addBody3d(space, b, 'b', { name: 'B' })
  return space
}

/** Where B stands after the translation, and the arrow that leads there. */
function drawTranslation(space: PictureOfSpace, b: Body3d, translation: Vec3): void {
  const { picture, origin } = space
  const stand = standOf(b, origin)
  addBody3d(space, b, 'b-parted', { stand: { ...stand, at: sum(stand.at, translation) } })
  const tail = b.position ?? ZERO
  if (b.shape.type !== 'halfspace') addArrow3d(space, tail, sum(tail, translation), 'translation')
  addKey(picture, 'b-parted', 'B after the translation')
}

/** Half a side of the squares that stand for the planes, in sizes of all. */
const HALF_SIDE = 0.3

/** The planes that the two bodies lie behind, and the gap between these. */
function drawAxis(
  { picture, view, origin, reach }: PictureOfSpace,
  a: Body3d,
  b: Body3d,
  { normal, gap }: OverlapCertificate3d & { kind: 'separating-axis' },
): void {
  const sides = [a, b].filter(({ shape }) => shape.type !== 'halfspace')
  if (sides.length === 0 || isNowhere(reach)) return
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
