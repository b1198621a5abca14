// The pair queries: overlap, distance, contact.

import type { ContactRequest, ContactResponse } from '../../../schemas/queries/contact.ts'
import type { DistanceRequest, DistanceResponse } from '../../../schemas/queries/distance.ts'
import type { OverlapRequest, OverlapResponse, SeparatingAxisCertificate } from '../../../schemas/queries/overlap.ts'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { boxCentre, greatestHeight, isEmpty, partsBox } from '../marks/outline.ts'
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
  type ShapeMark,
  vectorText,
} from '../marks/picture.ts'
import { along, midway, poseOf } from '../marks/pose.ts'

export const RELATIONS = {
  separated: 'A and B are apart.',
  touching: 'A and B touch.',
  overlapping: 'A and B overlap.',
}

export function drawOverlap({ a, b }: OverlapRequest, answer: OverlapResponse): Picture {
  const { relation, certificate, aContainsB, bContainsA } = answer
  const { picture, markA, markB } = pairPicture(a, b)
  picture.heading = RELATIONS[relation]
  if (aContainsB === true && bContainsA === true) picture.details.push('They are the same set of points.')
  else if (aContainsB === true) picture.details.push('A contains B.')
  else if (bContainsA === true) picture.details.push('B contains A.')
  if (certificate?.kind === 'common-point') {
    addDot(picture, certificate.point, 'point')
    addKey(picture, 'point', 'common point')
    picture.details.push(`Both hold the point ${vectorText(certificate.point)}.`)
  }
  if (certificate?.kind === 'separating-axis') {
    drawAxis(picture, markA, markB, certificate)
    picture.details.push(
      `Along ${vectorText(certificate.normal)} there is a gap of ${quantity(certificate.gap)} between them.`,
    )
  }
  return picture
}

export function drawDistance({ a, b }: DistanceRequest, answer: DistanceResponse): Picture {
  const { distance, pointA, pointB } = answer
  const { picture } = pairPicture(a, b)
  if (distance === 0) {
    picture.heading = 'A and B meet: their distance is 0.'
    picture.details.push(`They share the point ${vectorText(pointA)}.`)
    addDot(picture, pointA, 'point')
    return picture
  }
  picture.heading = `A and B are ${quantity(distance)} apart.`
  picture.details.push(`Nearest points: ${vectorText(pointA)} of A and ${vectorText(pointB)} of B.`)
  addPolyline(picture, [pointA, pointB], 'measure')
  addDot(picture, pointA, 'point')
  addDot(picture, pointB, 'point')
  addLabel(picture, midway(pointA, pointB), quantity(distance))
  return picture
}

export function drawContact({ a, b }: ContactRequest, answer: ContactResponse): Picture {
  const { touching, separation, normal, points, translation, exact } = answer
  const { picture } = pairPicture(a, b)
  picture.heading = contactHeading(touching, separation)
  if (translation !== null && (translation.x !== 0 || translation.y !== 0)) {
    drawTranslation(picture, b, translation)
    const least = exact ? 'The shortest translation' : 'A translation, perhaps not the shortest,'
    picture.details.push(`${least} of B that parts them is ${vectorText(translation)}.`)
  }
  points.forEach(({ position, separation: own, feature }, i) => {
    const number = points.length > 1 ? `${i + 1}` : ''
    addDirection(picture, position, normal, 'normal')
    if (normal !== null) addKey(picture, 'normal', 'normal, from A to B')
    if (number !== '') addLabel(picture, position, number)
    const features = `${featureText(feature.a)} of A, ${featureText(feature.b)} of B`
    const name = number === '' ? 'Contact point' : `Contact point ${number}`
    picture.legend.push(`${name}: ${features}; separation ${quantity(own)}`)
  })
  for (const { position } of points) addDot(picture, position, 'point')
  if (points.length === 0) picture.details.push(`There are ${counted(0, 'contact point')}.`)
  return picture
}

export function contactHeading(touching: boolean, separation: number | null): string {
  if (separation === null) return 'A and B overlap, and no translation parts them.'
  if (!touching) return `A and B are ${quantity(separation)} apart.`
  return separation === 0 ? 'A and B touch.' : `A and B overlap by ${quantity(-separation)}.`
}

function pairPicture(a: Body2d, b: Body2d) {
  const picture = createPicture([a, b])
  return { picture, markA: addBody(picture, a, 'a', { name: 'A' }), markB: addBody(picture, b, 'b', { name: 'B' }) }
}

/** Where B stands after the translation, and the arrow that leads there. */
function drawTranslation(picture: Picture, b: Body2d, translation: Vec2): void {
  const pose = poseOf(b, picture.origin)
  const moved = { ...pose, x: pose.x + translation.x, y: pose.y + translation.y }
  addBody(picture, b, 'b-parted', { pose: moved })
  const [mark] = picture.shapes.slice(-2)
  const box = partsBox(mark.parts)
  const tail = isEmpty(box) ? pose : boxCentre(box)
  const head = { x: tail.x + translation.x, y: tail.y + translation.y }
  picture.arrows.push({ form: 'between', tail, head, role: 'translation' })
  addKey(picture, 'b-parted', 'B after the translation')
}

/** The lines that the two bodies lie behind, and the gap between these. */
function drawAxis(picture: Picture, a: ShapeMark, b: ShapeMark, { normal, gap }: SeparatingAxisCertificate): void {
  const height = greatestHeight(a.parts, normal)
  const boxes = [a, b].map(({ parts }) => partsBox(parts)).filter((box) => !isEmpty(box))
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
