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
  type Question,
  rayHandles,
  rest,
  subject,
  vectorHandles,
} from './question.ts'
import { positionOf, type Sketch, type SketchBody } from './sketch.ts'
import { digits, lengthOf, middle, pair, plus, times, toWorld, type Vec2 } from './vector.ts'

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

// Questions about what lies in the way: ray-cast, shape-cast.

const MODE: Choice = { key: 'mode', label: 'mode', among: ['closest', 'any', 'all'], initial: 'all' }
const START: Choice = { key: 'startInside', label: 'start inside', among: ['hit', 'ignore', 'exit'], initial: 'hit' }

/** The ray as it was asked for, its hits with normals, and where it leaves. `idIn`: which body a hit is of. */
export function rayMarks(hits: Answer[], ray: { origin: Vec; direction: Vec }, idIn: (hit: Answer) => string): Mark[] {
  const marks: Mark[] = [{ kind: 'arrow', name: 'ray', from: ray.origin, to: plus(ray.origin, ray.direction) }]
  for (const hit of hits) {
    marks.push({ kind: 'highlight', id: idIn(hit) })
    marks.push({ kind: 'point', at: hit.point, label: `${idIn(hit)} ${digits(hit.distance)}` })
    if (hit.normal) marks.push({ kind: 'normal', at: hit.point, along: hit.normal })
    if (hit.exit?.point) marks.push({ kind: 'line', name: 'inside', points: [hit.point, hit.exit.point] })
  }
  return marks
}
type Vec = { x: number; y: number }

/** Ghosts where the body meets what it hits. */
export function castMarks(
  hits: Answer[],
  body: SketchBody,
  way: { translation: Vec; rotation: number },
  idIn: (hit: Answer) => string,
): Mark[] {
  const from = positionOf(body)
  const at = (fraction: number): SketchBody => ({
    ...body,
    position: plus(from, times(way.translation, fraction)),
    rotation: (body.rotation ?? 0) + way.rotation * fraction,
  })
  const marks: Mark[] = [{ kind: 'arrow', name: 'translation', from, to: plus(from, way.translation) }]
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
      path: '/v1/2d/ray-cast',
      body: { ray, targets: sketch.bodies.map(rest), ...chosen(sketch, [MODE, START]) },
    }
  },
  says: ({ hits }, { bodies }) => saysHits(hits, ({ target }) => idOf(bodies, target)),
  marks: ({ hits }, { bodies, ray }) => rayMarks(hits, ray, ({ target }) => idOf(bodies, target)),
  handles: rayHandles,
}

const ROTATION: Choice = { key: 'rotation', label: 'rotation', initial: 0 }

const shapeCast: Question = {
  name: 'shape-cast',
  title: 'Shape cast',
  hint: 'The selected body goes along the arrow: what does it meet? Ghosts stand where it does.',
  choices: [MODE, ROTATION],
  ask(sketch) {
    const body = subject(sketch)
    if (body === undefined) return null
    const { rotation, mode } = chosen(sketch, [MODE, ROTATION])
    const way = { translation: sketch.translation, ...(rotation !== 0 && { rotation }), mode }
    return { path: '/v1/2d/shape-cast', body: { body: rest(body), ...way, targets: others(sketch).map(rest) } }
  },
  says: ({ hits }, sketch) => saysHits(hits, ({ target }) => idOf(others(sketch), target)),
  marks(answer, sketch) {
    const rotation = Number(chosen(sketch, [ROTATION]).rotation)
    const targets = others(sketch)
    const way = { translation: sketch.translation, rotation }
    return castMarks(answer.hits, subject(sketch)!, way, ({ target }) => idOf(targets, target))
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
  let velocity = body.velocity ?? { x: 0, y: 0 }
  const way = [at]
  const marks: Mark[] = []
  for (const bounce of bounces) {
    const passed = bounce.time - time
    at = { x: at.x + velocity.x * passed, y: at.y + velocity.y * passed }
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
  hint: 'Drag the tips of the velocities: when do the first two bodies touch? Ghosts stand where they do.',
  choices: [DURATION],
  moves: true,
  ask(sketch) {
    const bodies = couple(sketch)
    if (bodies === null) return null
    const [a, b] = bodies
    return { path: '/v1/2d/time-of-impact', body: { a: moving(a), b: moving(b), duration: durationOf(sketch) } }
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
    return { path: '/v1/2d/trajectory', body: { body: moving(body), obstacles, duration, restitution, maxBounces } }
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
      : { path: '/v1/2d/bounds', body: { body: moving(body), duration: durationOf(sketch) } }
  },
  says: ({ min, max }) => `x ${digits(min.x)} to ${digits(max.x)}, y ${digits(min.y)} to ${digits(max.y)}`,
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
    path: '/v1/2d/pairs',
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

// Questions about one shape: mass, support, validate, decompose; about rings: repair; and about points: hull.

const DENSITY: Choice = { key: 'density', label: 'density', initial: 1 }

const mass: Question = {
  name: 'mass',
  title: 'Mass',
  hint: 'Area, mass, centroid and inertia of the selected shape.',
  choices: [DENSITY],
  ask(sketch) {
    const body = subject(sketch)
    return body === undefined
      ? null
      : { path: '/v1/2d/mass', body: { shape: body.shape, ...chosen(sketch, [DENSITY]) } }
  },
  says: ({ area, mass, inertia }) => `area ${digits(area)}, mass ${digits(mass)}, inertia ${digits(inertia)}`,
  marks: ({ centroid }, sketch) => [
    { kind: 'point', at: toWorld(subject(sketch)!, centroid), label: `centroid ${pair(centroid)}` },
  ],
}

const support: Question = {
  name: 'support',
  title: 'Support',
  hint: 'Drag the direction: which point of the selected body lies farthest along it?',
  choices: [],
  ask(sketch) {
    const body = subject(sketch)
    return body === undefined
      ? null
      : { path: '/v1/2d/support', body: { body: rest(body), direction: sketch.direction } }
  },
  says: ({ point, feature }) => (point ? `${feature.kind} ${feature.index} at ${pair(point)}` : 'no end that way'),
  marks({ point }, sketch) {
    const { direction } = sketch
    const from = positionOf(subject(sketch)!)
    const to = { x: from.x + direction.x, y: from.y + direction.y }
    if (!point) return [{ kind: 'arrow', name: 'direction', from, to }]
    return [
      { kind: 'arrow', name: 'direction', from, to },
      { kind: 'axis', at: point, along: { x: -direction.y, y: direction.x } },
      { kind: 'point', at: point, label: pair(point) },
    ]
  },
  handles: (sketch) => vectorHandles(sketch, 'direction'),
}

const validate: Question = {
  name: 'validate',
  title: 'Validate',
  hint: 'Would queries take the selected shape, and as what? Drag its corners across each other.',
  choices: [],
  ask(sketch) {
    const body = subject(sketch)
    return body === undefined ? null : { path: '/v1/2d/validate', body: { shape: body.shape } }
  },
  says: ({ valid, findings }) =>
    `${valid ? 'valid' : 'refused'}${findings.map(({ kind }: Answer) => `, ${kind}`).join('')}`,
  marks({ findings }, sketch) {
    const body = subject(sketch)!
    return findings.flatMap(({ kind, points }: Answer) =>
      points.map((point: Vec2) => ({ kind: 'point', at: toWorld(body, point), label: kind })),
    )
  },
}

const PIECES_METHOD: Choice = {
  key: 'method',
  label: 'method',
  among: ['exact', 'triangles', 'approximate'],
  initial: 'exact',
}
const PIECES: Choice = { key: 'maxPieces', label: 'max pieces', initial: 16 }
const regionOf = (sketch: Sketch) => [subject(sketch), ...sketch.bodies].find((body) => body?.shape.type === 'region')

const decompose: Question = {
  name: 'decompose',
  title: 'Decompose',
  hint: 'A region as convex pieces. Add a region and drag its corners.',
  choices: [PIECES_METHOD, PIECES],
  ask(sketch) {
    const body = regionOf(sketch)
    return body === undefined
      ? null
      : { path: '/v1/2d/decompose', body: { region: body.shape, ...chosen(sketch, [PIECES_METHOD, PIECES]) } }
  },
  says: ({ pieces, area, error }) => `${pieces.length} pieces, area ${digits(area)}, error ${digits(error)}`,
  marks({ pieces }, sketch) {
    const body = regionOf(sketch)!
    return pieces.map((piece: Vec2[]) => ({
      kind: 'line',
      name: 'piece',
      closed: true,
      points: piece.map((point) => toWorld(body, point)),
    }))
  },
}

/** Even-odd at first: holes of regions may run either way. */
const RULE: Choice = { key: 'rule', label: 'rule', among: ['nonzero', 'evenodd'], initial: 'evenodd' }

/** The closed outlines of a body, where it stands. */
function ringsOf(body: SketchBody): Vec2[][] {
  const { shape } = body
  const rings: readonly (readonly Vec2[])[] =
    shape.type === 'region'
      ? [shape.outer, ...(shape.holes ?? [])]
      : shape.type === 'polygon' || (shape.type === 'chain' && shape.loop === true)
        ? [shape.vertices]
        : []
  return rings.map((ring) => ring.map((point) => toWorld(body, point)))
}

const repair: Question = {
  name: 'repair',
  title: 'Repair',
  hint: 'What do the outlines of all regions, polygons and closed chains fill? Drag their corners across each other.',
  choices: [RULE],
  ask(sketch) {
    const rings = sketch.bodies.flatMap(ringsOf)
    return rings.length === 0 ? null : { path: '/v1/2d/repair', body: { rings, ...chosen(sketch, [RULE]) } }
  },
  says({ regions, changes }) {
    const counts = new Map<string, number>()
    for (const { kind } of changes) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    const done = [...counts].map(([kind, count]) => `, ${count} × ${kind}`).join('')
    return `${regions.length} ${regions.length === 1 ? 'region' : 'regions'}${done}`
  },
  marks: ({ regions, changes }) => [
    ...regions.flatMap(({ outer, holes }: Answer) => [
      { kind: 'line', name: 'filled', points: outer, closed: true },
      ...holes.map((points: Vec2[]) => ({ kind: 'line', name: 'hole', points, closed: true })),
    ]),
    ...changes.flatMap(({ kind, points }: Answer) => points.map((at: Vec2) => ({ kind: 'point', at, label: kind }))),
  ],
}

const hull: Question = {
  name: 'hull',
  title: 'Hull',
  hint: 'The convex hull of the positions of all bodies. Points can be added above.',
  choices: [],
  ask({ bodies }) {
    return bodies.length === 0 ? null : { path: '/v1/2d/hull', body: { points: bodies.map(positionOf) } }
  },
  says: ({ vertices }) => `${vertices.length} vertices`,
  marks: ({ vertices }) => [
    { kind: 'line', name: 'hull', points: vertices, closed: true },
    ...vertices.map((at: Vec2, i: number) => ({ kind: 'point', at, label: String(i) })),
  ],
}

export const statelessQuestions: readonly Question[] = [
  ...[contact, overlap, distance, minkowski],
  ...[rayCast, shapeCast],
  ...[timeOfImpact, trajectory, bounds],
  ...[mass, support, validate, decompose, repair, hull],
  ...[pairs, table, batch],
]
