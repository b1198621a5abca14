// The query `separate` of scenes.

import type { SceneSeparation } from '../../../schemas/scenes/separate.ts'
import { X, Y } from '../../core2d/shape/body.ts'
import { querySeparate, type Separated } from '../../scene/queries/separate.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { checkBounded, decodeMover, giveBack } from '../../wire/decode-probe.ts'
import { isProblem } from '../../wire/decode-problem.ts'
import { encodeVec2 } from '../../wire/encode.ts'
import { PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import { resultLimit, type SceneQueryOf } from '../ask/scene-query.ts'

export const sceneSeparateQuery: SceneQueryOf<'separate'> = {
  summary: 'How does a body get out of everything that it overlaps?',
  description:
    'Gives the least translation of the body, or of one of the scene’s, after which it overlaps nothing; what it would be pushed into counts too. Nothing is moved by asking.',
  advice: 'Filter, so that fewer bodies are in the way.',
  problems: [...PROBE_PROBLEMS, 'shape-unbounded'],
  mayBeLong: true,
  *answer(view, request, limits) {
    const decoded = yield* decodeMover(view, request, limits)
    if (isProblem(decoded)) return decoded
    const { body, slot, describe } = decoded
    const unbounded = checkBounded(request, decoded)
    if (unbounded !== null) return unbounded
    const found = yield* querySeparate(view, body, compileFilter(view, request.filter, slot), describe)
    const position = encodeVec2(body.numbers[X], body.numbers[Y])
    giveBack(decoded)
    const limit = resultLimit(request, limits)
    const { bodies, ...way } = encodeSeparation(found)
    const truncated = bodies.length > limit
    return { version: view.version, ...way, bodies: bodies.slice(0, limit), position, truncated }
  },
}

/** The way out of what a body overlaps; `found` is null where it overlaps nothing. */
export function encodeSeparation(found: Separated | null): SceneSeparation {
  return encodeSeparationAs(found, ([x, y]) => encodeVec2(x, y))
}

/** The same in either dimension. */
export function encodeSeparationAs<V>(found: Separated | null, vector: (way: readonly number[]) => V) {
  if (found === null) return { separated: true, translation: vector([0, 0, 0]), exact: true, bodies: [] }
  const { separated, dx, dy, dz = 0, exact, ids } = found
  return { separated, translation: vector([dx, dy, dz]), exact, bodies: ids }
}
