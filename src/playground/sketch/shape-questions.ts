// Questions about one shape: mass, support, validate, fit; in space decompose and slice, in the plane decompose and repair; and about
// points: hull.

import type { Shape2d } from '../../../schemas/shapes2d.ts'
import {
  type Answer,
  type Choice,
  chosen,
  type Mark,
  pathOf,
  type Question,
  rest,
  subject,
  vectorHandles,
} from './question.ts'
import { positionOf, type Sketch, type SketchBody } from './sketch.ts'
import {
  digits,
  dot,
  inSpace,
  NO_TURN,
  pair,
  plus,
  product,
  times,
  toWorld,
  unit,
  type Vec,
  type Vec2,
} from './vector.ts'

/** A convex piece: its outline, in space its body. Where it lies in the frame of `body`, if there is one. */
export function hullMark(name: string, points: Vec[], { dimension }: Sketch, radius = 0, body?: SketchBody): Mark {
  if (dimension === '3d') {
    const { position, orientation } = body ?? {}
    const shape = { type: 'hull' as const, points: points.map(inSpace), radius }
    return { kind: 'ghost', name, body: { shape, ...(position && { position }), ...(orientation && { orientation }) } }
  }
  const placed = body === undefined ? points : points.map((point) => toWorld(body, point))
  return { kind: 'line', name, points: placed, closed: true, ...(radius > 0 && { radius }) }
}

const DENSITY: Choice = { key: 'density', label: 'density', initial: 1 }

const mass: Question = {
  name: 'mass',
  title: 'Mass',
  hint: 'Area, in space volume, mass, centroid and inertia of the selected shape.',
  choices: [DENSITY],
  ask(sketch) {
    const body = subject(sketch)
    return body === undefined
      ? null
      : { path: pathOf(sketch, 'mass'), body: { shape: body.shape, ...chosen(sketch, [DENSITY]) } }
  },
  says({ area, volume, mass, inertia, principal }) {
    const size = volume === undefined ? '' : `volume ${digits(volume)}, `
    const moments: number[] = principal === undefined ? [inertia] : Object.values(principal.moments)
    return `${size}area ${digits(area)}, mass ${digits(mass)}, inertia ${moments.map(digits).join(', ')}`
  },
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
      : { path: pathOf(sketch, 'support'), body: { body: rest(body), direction: sketch.direction } }
  },
  says: ({ point, feature }) => (point ? `${feature.kind} ${feature.index} at ${pair(point)}` : 'no end that way'),
  marks({ point }, sketch) {
    const { direction } = sketch
    const from = positionOf(subject(sketch)!)
    const to = plus(from, direction)
    if (!point) return [{ kind: 'arrow', name: 'direction', from, to }]
    return [
      { kind: 'arrow', name: 'direction', from, to },
      { kind: 'border', at: point, normal: direction },
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
    return body === undefined ? null : { path: pathOf(sketch, 'validate'), body: { shape: body.shape } }
  },
  says: ({ valid, findings }) =>
    `${valid ? 'valid' : 'refused'}${findings.map(({ kind }: Answer) => `, ${kind}`).join('')}`,
  marks({ findings }, sketch) {
    const body = subject(sketch)!
    return findings.flatMap(({ kind, points }: Answer) =>
      (points ?? []).map((point: Vec) => ({ kind: 'point', at: toWorld(body, point), label: kind })),
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
  only: '2d',
  title: 'Decompose',
  hint: 'A region as convex pieces. Add a region and drag its corners.',
  choices: [PIECES_METHOD, PIECES],
  ask(sketch) {
    const body = regionOf(sketch)
    return body === undefined
      ? null
      : { path: pathOf(sketch, 'decompose'), body: { region: body.shape, ...chosen(sketch, [PIECES_METHOD, PIECES]) } }
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

const PIECES_METHOD_3D: Choice = {
  key: 'method',
  label: 'method',
  among: ['exact', 'approximate', 'primitives'],
  initial: 'exact',
}
const meshOf = (sketch: Sketch) =>
  [subject(sketch), ...sketch.bodies].find((body) => body?.shape.type === 'mesh' && body.shape.solid === true)

const decompose3d: Question = {
  name: 'decompose',
  title: 'Decompose',
  only: '3d',
  hint: 'A solid mesh as convex pieces. Add a solid mesh and choose how.',
  choices: [PIECES_METHOD_3D, PIECES],
  ask(sketch) {
    const body = meshOf(sketch)
    if (body === undefined) return null
    const { method, maxPieces } = chosen(sketch, [PIECES_METHOD_3D, PIECES])
    const most = method === 'exact' ? {} : { maxPieces }
    return { path: pathOf(sketch, 'decompose'), body: { mesh: body.shape, method, ...most } }
  },
  says: ({ pieces, volume, addedVolume }) =>
    `${pieces.length} pieces, volume ${digits(volume)}, added ${digits(addedVolume)}`,
  marks({ pieces }, sketch) {
    const whole = meshOf(sketch)!
    return pieces.map(({ vertices, body }: Answer): Mark => {
      if (body === undefined) return hullMark('piece', vertices, sketch, 0, whole)
      const position = toWorld(whole, positionOf(body))
      const orientation = product(whole.orientation ?? NO_TURN, body.orientation ?? NO_TURN)
      return { kind: 'ghost', name: 'piece', body: { ...body, position, orientation } }
    })
  },
}

/** Its offset is the distance of the plane from the subject's position. */
const CUT: Choice = { key: 'cut', label: 'distance of the plane', initial: 0 }

const slice: Question = {
  name: 'slice',
  title: 'Slice',
  only: '3d',
  hint: 'Drag the direction: what does the plane across it cut out of the selected body?',
  choices: [CUT],
  ask(sketch) {
    const body = subject(sketch)
    if (body === undefined) return null
    const normal = unit(sketch.direction)
    const offset = dot(positionOf(body), normal) + Number(chosen(sketch, [CUT]).cut)
    return { path: pathOf(sketch, 'slice'), body: { body: rest(body), plane: { normal, offset } } }
  },
  says: ({ bodies }) =>
    bodies.length === 0
      ? 'the plane misses it'
      : `${bodies.length} ${bodies.length === 1 ? 'piece' : 'pieces'} of the plane`,
  marks({ frame, bodies }, sketch) {
    const { origin, x, y } = frame
    const placed = (p: Vec) => plus(origin, plus(times(x, p.x), times(y, p.y)))
    const from = positionOf(subject(sketch)!)
    return [
      { kind: 'arrow', name: 'direction', from, to: plus(from, sketch.direction) },
      {
        kind: 'border',
        at: plus(from, times(unit(sketch.direction), Number(chosen(sketch, [CUT]).cut))),
        normal: frame.normal,
      },
      ...bodies.flatMap((body: SketchBody) =>
        outlinesOf(body).map((ring): Mark => ({ kind: 'line', name: 'cut', points: ring.map(placed) })),
      ),
    ]
  },
  handles: (sketch) => vectorHandles(sketch, 'direction'),
}

/** Sides by which a curve is drawn. */
const SIDES = 48
const arc = (from: number, to: number, at: (angle: number) => Vec2): Vec2[] =>
  Array.from({ length: SIDES + 1 }, (_, i) => at(from + ((to - from) * i) / SIDES))

/** Outlines of a body of the plane as lines; closed ones come back to where they start. */
function outlinesOf(body: SketchBody): Vec[][] {
  const shape = body.shape as Shape2d
  const closed = (ring: readonly Vec2[]) => [...ring, ...ring.slice(0, 1)]
  const round = (rx: number, ry: number) => arc(0, 2 * Math.PI, (t) => ({ x: rx * Math.cos(t), y: ry * Math.sin(t) }))
  const local = (): Vec2[][] => {
    switch (shape.type) {
      case 'region':
        return [shape.outer, ...(shape.holes ?? [])].map(closed)
      case 'polygon':
        return [closed(shape.vertices)]
      case 'chain':
        return [shape.loop === true ? closed(shape.vertices) : [...shape.vertices]]
      case 'circle':
        return [round(shape.radius, shape.radius)]
      case 'ellipse':
        return [round(shape.rx, shape.ry)]
      case 'capsule': {
        const { a, b, radius } = shape
        const angle = Math.atan2(b.y - a.y, b.x - a.x)
        const cap = (end: Vec2, from: number) =>
          arc(from, from + Math.PI, (t) => ({ x: end.x + radius * Math.cos(t), y: end.y + radius * Math.sin(t) }))
        return [closed([...cap(b, angle - Math.PI / 2), ...cap(a, angle + Math.PI / 2)])]
      }
      default:
        return []
    }
  }
  return local().map((ring) => ring.map((point) => toWorld(body, point)))
}

const ENCLOSE: Choice = {
  key: 'enclose',
  label: 'shape',
  among: ['aabb', 'box', 'circle', 'capsule'],
  initial: 'box',
  only: '2d',
}
const ENCLOSE_3D: Choice = {
  key: 'enclose3d',
  label: 'shape',
  among: ['aabb', 'box', 'sphere', 'capsule', 'cylinder'],
  initial: 'box',
  only: '3d',
}

const fit: Question = {
  name: 'fit',
  title: 'Fit',
  hint: 'The least shape of a kind that encloses the selected body.',
  choices: [ENCLOSE, ENCLOSE_3D],
  ask(sketch) {
    const body = subject(sketch)
    if (body === undefined) return null
    const { enclose, enclose3d } = chosen(sketch, [ENCLOSE, ENCLOSE_3D])
    const shape = sketch.dimension === '2d' ? enclose : enclose3d
    return { path: pathOf(sketch, 'fit'), body: { body: rest(body), shape } }
  },
  says: ({ measure, lower }, { dimension }) =>
    `${dimension === '2d' ? 'area' : 'volume'} ${digits(measure)}, none below ${digits(lower)}`,
  marks: ({ body }) => [{ kind: 'ghost', name: 'fit', body }],
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
  only: '2d',
  title: 'Repair',
  hint: 'What do the outlines of all regions, polygons and closed chains fill? Drag their corners across each other.',
  choices: [RULE],
  ask(sketch) {
    const rings = sketch.bodies.flatMap(ringsOf)
    return rings.length === 0 ? null : { path: pathOf(sketch, 'repair'), body: { rings, ...chosen(sketch, [RULE]) } }
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
  ask(sketch) {
    const { bodies } = sketch
    return bodies.length === 0 ? null : { path: pathOf(sketch, 'hull'), body: { points: bodies.map(positionOf) } }
  },
  says: ({ vertices }) => `${vertices.length} vertices`,
  marks: ({ vertices }, sketch) => [
    hullMark('hull', vertices, sketch),
    ...vertices.map((at: Vec, i: number) => ({ kind: 'point', at, label: String(i) })),
  ],
}

export const shapeQuestions: readonly Question[] = [
  mass,
  support,
  validate,
  decompose,
  decompose3d,
  slice,
  repair,
  hull,
  fit,
]
