// Every query about convex bodies of every kind in space, asked again where axes are exchanged and mirrored, with all lengths times a
// power of two, and moved by short numbers: the answer is the same one, seen from there.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Query3dOp, Query3dRequest, Query3dResponse } from '../../schemas/queries/exchanges.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { queries3d } from '../../src/queries/stateless/all.ts'
import type { CaseBody, Triple } from '../support/convex-cases-3d.ts'
import { coredBodies, everyBody, triples } from '../support/families/convex-bodies.ts'
import { moveBody, scaleBody, TURNS, turnBody, turned } from '../support/families/moved-bodies-3d.ts'
import { runs } from '../support/runs.ts'
import { bodyOfCase, movingBodyOfCase, shapeOfCase, vectorOf } from '../support/wire-cases-3d.ts'

const DURATION = 4
/** Normals and times hang on distances like roots of them where bodies are curved, or graze each other. */
const ROOTS = new Set(['distance: normal', 'time-of-impact: time', 'shape-cast: distance', 'shape-cast: fraction'])
const limits = queryLimits(loadConfig({}))

function ask<Op extends Query3dOp>(op: Op, request: Query3dRequest<Op>): Query3dResponse<Op> {
  const query = queries3d.find((each) => each.op === op)
  return query?.answer(request, limits) as Query3dResponse<Op>
}

/** How bodies, points and ways are seen from elsewhere, and how long what was 1 is there. */
interface Frame {
  body: (body: CaseBody) => CaseBody
  point: (point: Triple) => Triple
  way: (way: Triple) => Triple
  factor: number
}

interface Question {
  a: CaseBody
  b: CaseBody
  /** Of B. */
  velocity: Triple
  /** Of a ray, and of what is looked at. */
  from: Triple
  to: Triple
}

/** Something that an answer says, by how it changes with the frame. */
type Fact =
  | { is: unknown }
  | { size: number; power: number }
  | { point: Triple }
  | { way: Triple }
  | { vectors: Triple[] }
  | { box: [Triple, Triple] }
type Facts = Record<string, Fact>

const tripleOf = ({ x, y, z }: Vec3): Triple => [x, y, z]
const length = (size: number | null): Fact => (size === null ? { is: null } : { size, power: 1 })
const pairOf = ({ a, b }: Question) => ({ a: bodyOfCase(a), b: bodyOfCase(b) })

/** What each query says that has one value however it is asked; nearest points and ways out may be several. */
const SAYS = {
  overlap: (question) => {
    const { overlap, relation, aContainsB, bContainsA } = ask('overlap', { ...pairOf(question), explain: true })
    return { all: { is: [overlap, relation, aContainsB, bContainsA] } }
  },
  distance: (question) => {
    const { distance, normal } = ask('distance', pairOf(question))
    return { distance: length(distance), normal: normal === null ? { is: null } : { way: tripleOf(normal) } }
  },
  contact: (question) => {
    const { touching, separation, translation } = ask('contact', pairOf(question))
    return {
      touching: { is: touching },
      separation: length(separation),
      translation: length(translation === null ? null : Math.hypot(...tripleOf(translation))),
    }
  },
  'time-of-impact': ({ a, b, velocity }) => {
    const bodies = { a: movingBodyOfCase(a), b: movingBodyOfCase({ ...b, velocity }) }
    const { hit, time, startedOverlapping } = ask('time-of-impact', { ...bodies, duration: DURATION })
    return { all: { is: [hit, startedOverlapping] }, time: time === null ? { is: null } : { size: time, power: 0 } }
  },
  'shape-cast': (question): Facts => {
    const { a, b } = pairOf(question)
    const translation = vectorOf(question.velocity.map((v) => DURATION * v))
    const [hit] = ask('shape-cast', { body: b, translation, targets: [a] }).hits
    if (hit === undefined) return { all: { is: 'missed' } }
    return {
      all: { is: hit.startedInside },
      distance: length(hit.distance),
      fraction: { size: hit.fraction, power: 0 },
    }
  },
  'ray-cast': ({ a, from, to }): Facts => {
    const ray = { origin: vectorOf(from), direction: vectorOf(to) }
    const [hit] = ask('ray-cast', { ray, targets: [bodyOfCase(a)] }).hits
    if (hit === undefined) return { all: { is: 'missed' } }
    const { distance, point, startedInside, exit } = hit
    return {
      all: { is: startedInside },
      distance: length(distance),
      point: { point: tripleOf(point) },
      exit: length(exit?.distance ?? null),
    }
  },
  support: ({ a, from, to }) => {
    const { point } = ask('support', { body: bodyOfCase(a), direction: vectorOf(to) })
    if (point === null) return { height: { is: null } }
    const height = tripleOf(point).reduce((sum, x, k) => sum + (x - from[k]) * to[k], 0)
    return { height: length(height / Math.hypot(...to)) }
  },
  bounds: ({ a, velocity }) => {
    const { min, max } = ask('bounds', { body: movingBodyOfCase({ ...a, velocity }), duration: DURATION })
    const corner = ({ x, y, z }: typeof min, none: number): Triple => [x ?? none, y ?? none, z ?? none]
    return { box: { box: [corner(min, -Infinity), corner(max, Infinity)] } }
  },
  mass: ({ a: { shape } }): Facts => {
    if (shape.type === 'halfspace') return {}
    const { volume, area, inertia, principal } = ask('mass', { shape: shapeOfCase(shape) })
    const moments = tripleOf(principal.moments).sort((p, q) => p - q)
    return {
      volume: { size: volume, power: 3 },
      area: { size: area, power: 2 },
      trace: { size: inertia.xx + inertia.yy + inertia.zz, power: 5 },
      ...Object.fromEntries(moments.map((size, k) => [`moment ${k}`, { size, power: 5 }])),
    }
  },
} satisfies Partial<Record<Query3dOp, (question: Question) => Facts>>

/** Of bodies with core points alone. */
const SAYS_OF_CORES = {
  minkowski: (question) => {
    const { vertices, faces, radius } = ask('minkowski', { ...pairOf(question), operation: 'difference' })
    const sides = faces.map((face) => face.length).sort((p, q) => p - q)
    return { vertices: { vectors: vertices.map(tripleOf) }, sides: { is: sides }, radius: length(radius) }
  },
  hull: ({ a: { shape } }): Facts => {
    if (shape.points === undefined) return {}
    const { vertices, volume, area } = ask('hull', { points: shape.points.map(vectorOf) })
    return {
      vertices: { vectors: vertices.map(tripleOf) },
      volume: { size: volume, power: 3 },
      area: { size: area, power: 2 },
    }
  },
} satisfies Partial<Record<Query3dOp, (question: Question) => Facts>>

/** Without volumes and the like, which are beyond doubles before lengths are. */
const { mass: _mass, ...LENGTHS } = SAYS

const longer = (vector: Triple, factor: number): Triple => vector.map((x) => x * factor) as Triple
const sorted = (vectors: readonly Triple[]): Triple[] =>
  vectors.map((v): Triple => [v[0] + 0, v[1] + 0, v[2] + 0]).sort((p, q) => p[0] - q[0] || p[1] - q[1] || p[2] - q[2])

/** The same fact as it is in the frame. */
function factIn({ point, way, factor }: Frame, fact: Fact): Fact {
  if ('size' in fact) return { ...fact, size: fact.size * factor ** fact.power }
  if ('point' in fact) return { point: point(fact.point) }
  if ('way' in fact) return { way: way(fact.way) }
  if ('vectors' in fact) return { vectors: sorted(fact.vectors.map((v) => longer(way(v), factor))) }
  if ('box' in fact) {
    const [p, q] = fact.box.map(point)
    return { box: [p.map((x, k) => Math.min(x, q[k])) as Triple, p.map((x, k) => Math.max(x, q[k])) as Triple] }
  }
  return fact
}

/** What of a fact is numbers that may be rounded. */
function numbersOf(fact: Fact): number[] {
  if ('size' in fact) return [fact.size]
  if ('point' in fact) return fact.point
  if ('way' in fact) return fact.way
  if ('box' in fact) return fact.box.flat()
  return []
}

/** What was 1 in the fact's units. */
function unitOf({ factor }: Frame, fact: Fact): number {
  if ('size' in fact) return factor ** fact.power
  return 'way' in fact ? 1 : factor
}

const seenFrom = (frame: Frame, { a, b, velocity, from, to }: Question): Question => ({
  a: frame.body(a),
  b: frame.body(b),
  velocity: longer(frame.way(velocity), frame.factor),
  from: frame.point(from),
  to: frame.way(to),
})

/** Holds every answer in the frame against those at home; `tolerance` 0: to the last bit. */
function hold(frame: Frame, question: Question, says: Record<string, (q: Question) => Facts>, tolerance: number): void {
  for (const [op, facts] of Object.entries(says)) {
    const here = facts(question)
    const there = facts(seenFrom(frame, question))
    expect(Object.keys(there), op).toEqual(Object.keys(here))
    for (const [name, fact] of Object.entries(here)) {
      const expected = factIn(frame, fact)
      const found = there[name]
      const label = `${op}: ${name}`
      if ('is' in expected || 'is' in found) expect(found, label).toEqual(expected)
      else if ('vectors' in expected && 'vectors' in found) {
        expect(sorted(found.vectors), label).toEqual(expected.vectors)
      } else {
        const numbers = numbersOf(expected)
        const most = ROOTS.has(label) ? Math.sqrt(tolerance) : tolerance
        numbersOf(found).forEach((x, k) => {
          if (most === 0 || !Number.isFinite(x)) expect(x + 0, label).toBe(numbers[k] + 0)
          else expect(Math.abs(x - numbers[k]) / (unitOf(frame, expected) + Math.abs(x)), label).toBeLessThan(most)
        })
      }
    }
  }
}

const squareTurns = fc.constantFrom<CaseBody['orientation']>(undefined, [1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5])
const anyTurns = fc.constantFrom<CaseBody['orientation']>(
  undefined,
  [0.6, 0, 0.8, 0],
  [0.48, 0.6, 0, 0.64],
  [0, 0, 1, 0],
)

function questions(
  bodies: fc.Arbitrary<CaseBody>,
  turns: fc.Arbitrary<CaseBody['orientation']>,
): fc.Arbitrary<Question> {
  const body = fc
    .tuple(bodies, turns)
    .map(([one, orientation]): CaseBody => (one.shape.type === 'aabb' ? one : { ...one, orientation }))
  return fc.record({
    a: body,
    b: body,
    velocity: triples,
    from: triples,
    to: triples.filter((w) => w.some((x) => x !== 0)),
  })
}

const turns = fc.constantFrom(...TURNS).map(
  (turn): Frame => ({
    body: (body) => turnBody(turn, body),
    point: (point) => turned(turn, point),
    way: (way) => turned(turn, way),
    factor: 1,
  }),
)
const same = <Value>(value: Value): Value => value
const scales = (...exponents: number[]) =>
  fc.constantFrom(...exponents).map((exponent): Frame => {
    const factor = 2 ** exponent
    return { body: (body) => scaleBody(body, factor), point: (point) => longer(point, factor), way: same, factor }
  })
const steps = fc.tuple(triples, fc.constantFrom(1, 1000, 2 ** 20)).map(([way, times]): Frame => {
  const by = longer(way, times)
  const point = (p: Triple): Triple => [p[0] + by[0], p[1] + by[1], p[2] + by[2]]
  return { body: (body) => moveBody(body, by) as CaseBody, point, way: same, factor: 1 }
})

describe('answers about space', () => {
  it.each([
    ['turn and are mirrored with the axes', turns, squareTurns, 1e-9, 400],
    ['grow with all lengths, to the last bit', scales(1, -1, 7, -40, 60, -60), anyTurns, 0, 400],
    ['move with what is asked about', steps, squareTurns, 1e-9, 300],
  ])('%s', (_name, frames, orientations, tolerance, count) => {
    fc.assert(
      fc.property(frames, questions(everyBody, orientations), (frame, question) => {
        hold(frame, question, SAYS, tolerance)
      }),
      runs(count),
    )
    fc.assert(
      fc.property(frames, questions(coredBodies, orientations), (frame, question) => {
        hold(frame, question, SAYS_OF_CORES, tolerance)
      }),
      runs(count / 4),
    )
  })

  it('grow with all lengths as far as these go', () => {
    fc.assert(
      fc.property(scales(300, -300, 320, -900), questions(everyBody, anyTurns), (frame, question) => {
        hold(frame, question, LENGTHS, 1e-14)
      }),
      runs(200),
    )
  })
})
