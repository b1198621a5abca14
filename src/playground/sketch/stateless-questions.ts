// The stateless queries as questions: how the page asks each, what it says about the answer, and what it draws.

import {
  type Answer,
  after,
  type Choice,
  chosen,
  couple,
  idOf,
  type Mark,
  moving,
  others,
  pathOf,
  type Question,
  rayHandles,
  rest,
  subject,
  turnedOn,
  vectorHandles,
} from './question.ts'
import { hullMark, shapeQuestions } from './shape-questions.ts'
import { positionOf, type Sketch, type SketchBody } from './sketch.ts'
import { digits, lengthOf, middle, ORIGIN, pair, plus, times, type Vec, type Vec3 } from './vector.ts'

// Questions about two bodies at rest: overlap, distance, contact, minkowski.

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
  hint: 'Do the two bodies that you selected last share a point? The certificate is drawn: what lies between them, or a common point.',
  choices: [EXPLAIN],
  ask(sketch) {
    const bodies = couple(sketch)
    if (bodies === null) return null
    const [a, b] = bodies
    return { path: pathOf(sketch, 'overlap'), body: { a: rest(a), b: rest(b), ...chosen(sketch, [EXPLAIN]) } }
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
      marks.push({ kind: 'border', at, normal })
    }
    return marks
  },
}

const distance: Question = {
  name: 'distance',
  title: 'Distance',
  hint: 'How far apart are the two bodies that you selected last, and where are they nearest?',
  choices: [],
  ask(sketch) {
    const bodies = couple(sketch)
    return bodies && { path: pathOf(sketch, 'distance'), body: { a: rest(bodies[0]), b: rest(bodies[1]) } }
  },
  says: (answer) => `distance ${digits(answer.distance)}, normal ${pair(answer.normal)}`,
  marks: (answer) => gapMarks(answer, true),
}

const FAR: Choice = { key: 'maxDistance', label: 'max distance', initial: 1 }

const contact: Question = {
  name: 'contact',
  title: 'Contact',
  hint: 'Where do the two bodies that you selected last meet, how deep, and what parts them? The ghost shows b after the translation.',
  choices: [FAR],
  ask(sketch) {
    const bodies = couple(sketch)
    if (bodies === null) return null
    const [a, b] = bodies
    return { path: pathOf(sketch, 'contact'), body: { a: rest(a), b: rest(b), ...chosen(sketch, [FAR]) } }
  },
  says: ({ touching, separation, normal }) =>
    `${touching ? 'touching' : 'apart'}, separation ${digits(separation)}, normal ${pair(normal)}`,
  marks: (answer, sketch) => contactMarks(answer, couple(sketch)![1]),
}

const OPERATION: Choice = { key: 'operation', label: 'operation', among: ['sum', 'difference'], initial: 'difference' }

const minkowski: Question = {
  name: 'minkowski',
  title: 'Minkowski',
  hint: 'The sum or difference of the two bodies that you selected last, which must be convex. They meet where the difference holds the origin.',
  choices: [OPERATION],
  ask(sketch) {
    const bodies = couple(sketch)
    if (bodies === null) return null
    const [a, b] = bodies
    return { path: pathOf(sketch, 'minkowski'), body: { a: rest(a), b: rest(b), ...chosen(sketch, [OPERATION]) } }
  },
  says: ({ vertices, radius }) => `${vertices.length} vertices, radius ${digits(radius)}`,
  marks: ({ vertices, radius }, sketch) => [
    hullMark('minkowski', vertices, sketch, radius),
    { kind: 'point', at: times(vertices[0], 0), label: 'origin' },
  ],
}

// Questions about what lies in the way: ray-cast, shape-cast.

const MODE: Choice = { key: 'mode', label: 'mode', among: ['closest', 'any', 'all'], initial: 'all' }
const START: Choice = { key: 'startInside', label: 'start inside', among: ['hit', 'ignore', 'exit'], initial: 'hit' }

/** The ray as it was asked for, its hits with normals, and where it leaves. `idIn`: which body a hit is of. */
export function rayMarks(hits: Answer[], ray: Sketch['ray'], idIn: (hit: Answer) => string): Mark[] {
  const marks: Mark[] = [{ kind: 'arrow', name: 'ray', from: ray.origin, to: plus(ray.origin, ray.direction) }]
  for (const hit of hits) {
    marks.push({ kind: 'highlight', id: idIn(hit) })
    marks.push({ kind: 'point', at: hit.point, label: `${idIn(hit)} ${digits(hit.distance)}` })
    if (hit.normal) marks.push({ kind: 'normal', at: hit.point, along: hit.normal })
    if (hit.exit?.point) marks.push({ kind: 'line', name: 'inside', points: [hit.point, hit.exit.point] })
  }
  return marks
}

/** Places on the way at which the swept body is drawn. */
const MOST_SWEPT = 4

/** Along the way, faintly. */
const sweptMarks = (at: (fraction: number) => SketchBody): Mark[] =>
  Array.from({ length: MOST_SWEPT }, (_, i) => ({ kind: 'ghost', name: 'swept', body: at((i + 1) / (MOST_SWEPT + 1)) }))

/** Ghosts on the way, as far as it was asked about, and where the body meets what it hits. */
export function castMarks(
  hits: Answer[],
  sketch: Sketch,
  rotation: number | Vec,
  idIn: (hit: Answer) => string,
): Mark[] {
  const body = subject(sketch)!
  const { translation } = sketch
  const from = positionOf(body)
  const isAll = chosen(sketch, [MODE]).mode === 'all'
  const end = isAll || hits.length === 0 ? 1 : hits[0].fraction
  const at = (fraction: number): SketchBody => ({
    ...turnedOn(body, typeof rotation === 'number' ? rotation * fraction : times(rotation, fraction)),
    position: plus(from, times(translation, fraction)),
  })
  const marks: Mark[] = [
    ...sweptMarks((fraction) => at(end * fraction)),
    { kind: 'arrow', name: 'translation', from, to: plus(from, translation) },
  ]
  if (hits.length === 0) marks.push({ kind: 'ghost', name: 'end', body: at(1), label: 'end' })
  for (const hit of hits) {
    marks.push({ kind: 'highlight', id: idIn(hit) })
    marks.push({ kind: 'ghost', name: 'impact', body: at(hit.fraction) })
    marks.push({ kind: 'point', at: hit.point, label: `${idIn(hit)} ${digits(hit.distance)}` })
    if (hit.normal) marks.push({ kind: 'normal', at: hit.point, along: hit.normal })
  }
  return marks
}

export const saysHits = (hits: Answer[], idIn: (hit: Answer) => string): string =>
  hits.length === 0 ? 'no hit' : hits.map((hit) => `${idIn(hit)} at ${digits(hit.distance)}`).join(', ')

const rayCast: Question = {
  name: 'ray-cast',
  title: 'Ray cast',
  hint: 'Drag the tail and the tip of the ray: what does it hit, and where does it leave?',
  choices: [MODE, START],
  ask(sketch) {
    const { origin, direction } = sketch.ray
    const ray = { origin, direction, maxDistance: lengthOf(direction) }
    return {
      path: pathOf(sketch, 'ray-cast'),
      body: { ray, targets: sketch.bodies.map(rest), ...chosen(sketch, [MODE, START]) },
    }
  },
  says: ({ hits }, { bodies }) => saysHits(hits, ({ target }) => idOf(bodies, target)),
  marks: ({ hits }, { bodies, ray }) => rayMarks(hits, ray, ({ target }) => idOf(bodies, target)),
  handles: rayHandles,
}

const ROTATION: Choice = { key: 'rotation', label: 'rotation', initial: 0 }
const ABOUT: Choice = { key: 'about', label: 'about', among: ['x', 'y', 'z'], initial: 'y', only: '3d' }

/** As the request takes it: an angle, in space an axis times radians. */
function rotationOf(sketch: Sketch): number | Vec3 {
  const { rotation, about } = chosen(sketch, [ROTATION, ABOUT])
  const angle = Number(rotation)
  return sketch.dimension === '2d' ? angle : { x: 0, y: 0, z: 0, [String(about)]: angle }
}

const shapeCast: Question = {
  name: 'shape-cast',
  title: 'Shape cast',
  hint: 'The selected body goes along the arrow: what does it meet? Ghosts stand where it does.',
  choices: [MODE, ROTATION, ABOUT],
  ask(sketch) {
    const body = subject(sketch)
    if (body === undefined) return null
    const { mode } = chosen(sketch, [MODE])
    const rotation = rotationOf(sketch)
    const way = { translation: sketch.translation, ...(rotation !== 0 && { rotation }), mode }
    return { path: pathOf(sketch, 'shape-cast'), body: { body: rest(body), ...way, targets: others(sketch).map(rest) } }
  },
  says: ({ hits }, sketch) => saysHits(hits, ({ target }) => idOf(others(sketch), target)),
  marks(answer, sketch) {
    const targets = others(sketch)
    return castMarks(answer.hits, sketch, rotationOf(sketch), ({ target }) => idOf(targets, target))
  },
  handles: (sketch) => vectorHandles(sketch, 'translation'),
}

// Questions about bodies that move: time-of-impact, trajectory, bounds.

const DURATION: Choice = { key: 'duration', label: 'duration', initial: 2 }
const durationOf = (sketch: Sketch) => Number(chosen(sketch, [DURATION]).duration)

/** The way of a body that bounces; `body` gives the ghost at the end. */
export function bounceMarks({ bounces, end }: Answer, body: SketchBody): Mark[] {
  let at = positionOf(body)
  let time = 0
  let velocity: Vec = body.velocity ?? ORIGIN
  const way = [at]
  const marks: Mark[] = []
  for (const bounce of bounces) {
    const passed = bounce.time - time
    at = plus(at, times(velocity, passed))
    way.push(at)
    marks.push({ kind: 'point', at: bounce.point, label: `${digits(bounce.time)} s` })
    marks.push({ kind: 'normal', at: bounce.point, along: bounce.normal })
    marks.push({ kind: 'ghost', name: 'bounce', body: { ...body, position: at } })
    time = bounce.time
    velocity = bounce.velocityAfter
  }
  marks.unshift({ kind: 'line', name: 'path', points: [...way, end.position] })
  marks.push({ kind: 'ghost', name: 'end', body: { ...body, position: end.position }, label: `${digits(end.time)} s` })
  return marks
}

/** Two moving bodies at the instant of their impact. */
function impactMarks({ time, normal, pointA }: Answer, bodies: readonly SketchBody[]): Mark[] {
  const marks: Mark[] = bodies
    .filter(({ velocity, angularVelocity }) => velocity || angularVelocity)
    .map((body) => ({ kind: 'ghost', name: 'impact', body: after(body, time) }))
  if (pointA) marks.push({ kind: 'point', at: pointA, label: `${digits(time)} s` })
  if (pointA && normal) marks.push({ kind: 'normal', at: pointA, along: normal })
  return marks
}

const timeOfImpact: Question = {
  name: 'time-of-impact',
  title: 'Time of impact',
  hint: 'Drag the tips of the velocities: when do the two bodies that you selected last touch? Ghosts stand where they do.',
  choices: [DURATION],
  moves: true,
  ask(sketch) {
    const bodies = couple(sketch)
    if (bodies === null) return null
    const [a, b] = bodies
    return {
      path: pathOf(sketch, 'time-of-impact'),
      body: { a: moving(a), b: moving(b), duration: durationOf(sketch) },
    }
  },
  says: ({ hit, time, exitTime }) =>
    hit ? `impact after ${digits(time)} s, apart again after ${digits(exitTime)} s` : 'no impact',
  marks(answer, sketch) {
    const bodies = couple(sketch)!
    if (answer.hit) return impactMarks(answer, bodies)
    return bodies.map((body) => ({ kind: 'ghost', name: 'end', body: after(body, durationOf(sketch)) }))
  },
}

const RESTITUTION: Choice = { key: 'restitution', label: 'restitution', initial: 1 }
const BOUNCES: Choice = { key: 'maxBounces', label: 'max bounces', initial: 20 }

const trajectory: Question = {
  name: 'trajectory',
  title: 'Trajectory',
  hint: 'Drag the velocity of the selected body: which way does it take as it bounces off the others?',
  choices: [DURATION, RESTITUTION, BOUNCES],
  moves: true,
  ask(sketch) {
    const body = subject(sketch)
    if (body === undefined) return null
    const obstacles = others(sketch).map(moving)
    const { duration, restitution, maxBounces } = chosen(sketch, [DURATION, RESTITUTION, BOUNCES])
    return {
      path: pathOf(sketch, 'trajectory'),
      body: { body: moving(body), obstacles, duration, restitution, maxBounces },
    }
  },
  says: ({ bounces, end, status }) => `${bounces.length} bounces, ${status} after ${digits(end.time)} s`,
  marks: (answer, sketch) => bounceMarks(answer, subject(sketch)!),
}

const bounds: Question = {
  name: 'bounds',
  title: 'Bounds',
  hint: 'The box of the selected body, or of all it covers while it moves.',
  choices: [DURATION],
  moves: true,
  ask(sketch) {
    const body = subject(sketch)
    return body === undefined
      ? null
      : { path: pathOf(sketch, 'bounds'), body: { body: moving(body), duration: durationOf(sketch) } }
  },
  says: ({ min, max }) =>
    Object.keys(min)
      .map((axis) => `${axis} ${digits(min[axis])} to ${digits(max[axis])}`)
      .join(', '),
  marks({ min, max }, sketch) {
    const body = subject(sketch)!
    return [
      { kind: 'box', min, max },
      { kind: 'ghost', name: 'end', body: after(body, durationOf(sketch)) },
    ]
  },
}

// Questions about many bodies: pairs, table, and a batch of questions in one request.

const PAIRS_METHOD: Choice = {
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
  choices: [PAIRS_METHOD, PHASE],
  ask: (sketch) => ({
    path: pathOf(sketch, 'pairs'),
    body: { bodies: sketch.bodies.map(rest), ...chosen(sketch, [PAIRS_METHOD, PHASE]) },
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
      path: pathOf(sketch, 'table'),
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
  ask(sketch) {
    const { bodies } = sketch
    const queries = bodies.slice(1).map((b, i) => ({ op: 'distance', a: rest(bodies[i]!), b: rest(b) }))
    return queries.length === 0 ? null : { path: pathOf(sketch, 'batch'), body: { queries } }
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

export const statelessQuestions: readonly Question[] = [
  ...[contact, overlap, distance, minkowski],
  ...[rayCast, shapeCast],
  ...[timeOfImpact, trajectory, bounds],
  ...shapeQuestions,
  ...[pairs, table, batch],
]
