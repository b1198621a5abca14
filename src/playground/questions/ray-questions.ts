// Questions about what lies in the way: ray-cast, shape-cast.

import { positionOf, type SketchBody } from '../sketch/sketch.ts'
import { digits, lengthOf, plus, times } from '../sketch/vector.ts'
import type { Mark } from './mark.ts'
import {
  type Answer,
  type Choice,
  chosen,
  idOf,
  others,
  type Question,
  rayHandles,
  rest,
  subject,
  vectorHandles,
} from './question.ts'

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

export const rayQuestions: readonly Question[] = [rayCast, shapeCast]
