// Questions about two bodies at rest: overlap, distance, contact, minkowski.

import { positionOf, type SketchBody } from '../sketch/sketch.ts'
import { digits, lengthOf, middle, pair, plus, times } from '../sketch/vector.ts'
import type { Mark } from './mark.ts'
import { type Answer, type Choice, chosen, couple, type Question, rest } from './question.ts'

/** The nearest points of two bodies, and what lies between; numbers of the normal only where there is one gap. */
export function gapMarks({ pointA, pointB, normal, distance }: Answer, isOnly: boolean): Mark[] {
  const marks: Mark[] = [
    { kind: 'line', name: 'distance', points: [pointA, pointB], label: digits(distance) },
    { kind: 'point', at: pointA },
    { kind: 'point', at: pointB },
  ]
  if (normal && isOnly) marks.push({ kind: 'normal', at: pointA, along: normal, label: `normal ${pair(normal)}` })
  else if (normal) marks.push({ kind: 'normal', at: pointA, along: normal })
  return marks
}

/** Points of a contact, its normal, and the way out, drawn from the position of `b`. */
export function contactMarks({ points, normal, translation, separation, touching }: Answer, b?: SketchBody): Mark[] {
  const marks: Mark[] = points.map(({ position, separation: depth }: Answer) => ({
    kind: 'point',
    at: position,
    label: digits(depth),
  }))
  const [first] = points
  if (normal && first) {
    const last = points.at(-1)
    marks.push({ kind: 'normal', at: middle(first.position, last.position), along: normal, label: digits(separation) })
  }
  if (b && touching && translation && lengthOf(translation) > 0) {
    const from = positionOf(b)
    const to = plus(from, translation)
    marks.push({ kind: 'arrow', name: 'translation', from, to, label: digits(lengthOf(translation)) })
    marks.push({ kind: 'ghost', name: 'separated', body: { ...b, position: to } })
  }
  return marks
}

const EXPLAIN: Choice = { key: 'explain', label: 'explain', initial: true }

const overlap: Question = {
  name: 'overlap',
  title: 'Overlap',
  hint: 'Do the first two bodies share a point? The certificate is drawn: a line between them, or a common point.',
  choices: [EXPLAIN],
  ask(sketch) {
    const bodies = couple(sketch)
    if (bodies === null) return null
    const [a, b] = bodies
    return { path: '/v1/2d/overlap', body: { a: rest(a), b: rest(b), ...chosen(sketch, [EXPLAIN]) } }
  },
  says: ({ relation, aContainsB, bContainsA }) =>
    `${relation}${aContainsB ? ', a contains b' : ''}${bContainsA ? ', b contains a' : ''}`,
  marks({ certificate, overlap: meet }, sketch) {
    const bodies = couple(sketch)!
    const marks: Mark[] = meet ? bodies.map(({ id }) => ({ kind: 'highlight', id })) : []
    if (certificate?.kind === 'common-point')
      marks.push({ kind: 'point', at: certificate.point, label: 'common point' })
    if (certificate?.kind === 'separating-axis') {
      const { normal, gap } = certificate
      const at = middle(positionOf(bodies[0]), positionOf(bodies[1]))
      marks.push({ kind: 'normal', at, along: normal, label: `gap ${digits(gap)}` })
      marks.push({ kind: 'axis', at, along: { x: -normal.y, y: normal.x } })
    }
    return marks
  },
}

const distance: Question = {
  name: 'distance',
  title: 'Distance',
  hint: 'How far apart are the first two bodies, and where are they nearest?',
  choices: [],
  ask(sketch) {
    const bodies = couple(sketch)
    return bodies && { path: '/v1/2d/distance', body: { a: rest(bodies[0]), b: rest(bodies[1]) } }
  },
  says: (answer) => `distance ${digits(answer.distance)}, normal ${pair(answer.normal)}`,
  marks: (answer) => gapMarks(answer, true),
}

const FAR: Choice = { key: 'maxDistance', label: 'max distance', initial: 1 }

const contact: Question = {
  name: 'contact',
  title: 'Contact',
  hint: 'Where do the first two bodies meet, how deep, and what parts them? The ghost shows b after the translation.',
  choices: [FAR],
  ask(sketch) {
    const bodies = couple(sketch)
    if (bodies === null) return null
    const [a, b] = bodies
    return { path: '/v1/2d/contact', body: { a: rest(a), b: rest(b), ...chosen(sketch, [FAR]) } }
  },
  says: ({ touching, separation, normal }) =>
    `${touching ? 'touching' : 'apart'}, separation ${digits(separation)}, normal ${pair(normal)}`,
  marks: (answer, sketch) => contactMarks(answer, couple(sketch)![1]),
}

const OPERATION: Choice = { key: 'operation', label: 'operation', among: ['sum', 'difference'], initial: 'difference' }

const minkowski: Question = {
  name: 'minkowski',
  title: 'Minkowski',
  hint: 'The sum or difference of the first two bodies, which must be convex. They meet where the difference holds the origin.',
  choices: [OPERATION],
  ask(sketch) {
    const bodies = couple(sketch)
    if (bodies === null) return null
    const [a, b] = bodies
    return { path: '/v1/2d/minkowski', body: { a: rest(a), b: rest(b), ...chosen(sketch, [OPERATION]) } }
  },
  says: ({ vertices, radius }) => `${vertices.length} vertices, radius ${digits(radius)}`,
  marks: ({ vertices, radius }) => [
    { kind: 'line', name: 'minkowski', points: vertices, closed: true, radius },
    { kind: 'point', at: times(vertices[0], 0), label: 'origin' },
  ],
}

export const pairQuestions: readonly Question[] = [contact, overlap, distance, minkowski]
