// Questions about one shape: mass, support, validate, decompose; about rings: repair; and about points: hull.

import { positionOf, type Sketch, type SketchBody } from '../sketch/sketch.ts'
import { digits, pair, toWorld, type Vec2 } from '../sketch/vector.ts'
import { type Answer, type Choice, chosen, type Question, rest, subject, vectorHandles } from './question.ts'

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

const METHOD: Choice = {
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
  choices: [METHOD, PIECES],
  ask(sketch) {
    const body = regionOf(sketch)
    return body === undefined
      ? null
      : { path: '/v1/2d/decompose', body: { region: body.shape, ...chosen(sketch, [METHOD, PIECES]) } }
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

export const shapeQuestions: readonly Question[] = [mass, support, validate, decompose, repair, hull]
