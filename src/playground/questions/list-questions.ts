// Questions about many bodies: pairs, table, and a batch of questions in one request.

import { positionOf } from '../sketch/sketch.ts'
import { digits, middle } from '../sketch/vector.ts'
import type { Mark } from './mark.ts'
import { type Answer, type Choice, chosen, idOf, moving, type Question, rest, subject } from './question.ts'

const METHOD: Choice = {
  key: 'method',
  label: 'method',
  among: ['auto', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree', 'brute-force'],
  initial: 'auto',
}
const PHASE: Choice = { key: 'phase', label: 'phase', among: ['narrow', 'broad'], initial: 'narrow' }

const pairs: Question = {
  name: 'pairs',
  title: 'Pairs',
  hint: 'Which of all bodies meet?',
  choices: [METHOD, PHASE],
  ask: (sketch) => ({
    path: '/v1/2d/pairs',
    body: { bodies: sketch.bodies.map(rest), ...chosen(sketch, [METHOD, PHASE]) },
  }),
  says: ({ pairs: found, stats }) =>
    `${found.length} ${found.length === 1 ? 'pair' : 'pairs'} by ${stats.method}, ${stats.boxTests} box tests`,
  marks: ({ pairs: found }, { bodies }) =>
    found.flatMap(([i, j]: [number, number]): Mark[] => [
      { kind: 'highlight', id: idOf(bodies, i) },
      { kind: 'highlight', id: idOf(bodies, j) },
      { kind: 'line', name: 'pair', points: [positionOf(bodies[i]!), positionOf(bodies[j]!)] },
    ]),
}

const MEASURE: Choice = {
  key: 'measure',
  label: 'measure',
  among: ['distance', 'separation', 'overlap', 'time-of-impact'],
  initial: 'distance',
}
const DURATION: Choice = { key: 'duration', label: 'duration', initial: 2 }

const table: Question = {
  name: 'table',
  title: 'Table',
  hint: 'One measure of the selected body against every other, in one request.',
  choices: [MEASURE, DURATION],
  moves: true,
  ask(sketch) {
    const body = subject(sketch)
    if (body === undefined) return null
    const { measure, duration } = chosen(sketch, [MEASURE, DURATION])
    const b = sketch.bodies.filter((other) => other !== body).map(moving)
    return {
      path: '/v1/2d/table',
      body: { a: [moving(body)], b, measure, ...(measure === 'time-of-impact' && { duration }) },
    }
  },
  says: ({ measure, values }) => `${measure} of ${values[0]?.length ?? 0} pairs`,
  marks({ values }, sketch) {
    const body = subject(sketch)!
    return sketch.bodies
      .filter((other) => other !== body)
      .map((other, i) => {
        const value = values[0][i]
        const label = typeof value === 'boolean' ? String(value) : digits(value)
        return { kind: 'line', name: 'measure', points: [positionOf(body), positionOf(other)], label }
      })
  },
}

const batch: Question = {
  name: 'batch',
  title: 'Batch',
  hint: 'The distance of every two neighbours in the list of bodies: many questions, one request.',
  choices: [],
  ask({ bodies }) {
    const queries = bodies.slice(1).map((b, i) => ({ op: 'distance', a: rest(bodies[i]!), b: rest(b) }))
    return queries.length === 0 ? null : { path: '/v1/2d/batch', body: { queries } }
  },
  says: ({ results }) => `${results.length} answers`,
  marks: ({ results }, { bodies }) =>
    results.flatMap((result: Answer, i: number): Mark[] => {
      if (!result.pointA) return []
      const { pointA, pointB } = result
      const line: Mark = { kind: 'line', name: 'distance', points: [pointA, pointB], label: digits(result.distance) }
      const ends = `${idOf(bodies, i)}–${idOf(bodies, i + 1)}`
      return [line, { kind: 'point', at: middle(pointA, pointB), label: ends }]
    }),
}

export const listQuestions: readonly Question[] = [pairs, table, batch]
