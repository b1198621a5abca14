// The query `lint` of scenes.

import type { ProblemCode } from '../../../schemas/problem.ts'
import type { SceneLint3dRequest, SceneLintRequest } from '../../../schemas/scenes/lint.ts'
import type { Kinds } from '../../scene/state/geometry.ts'
import type { View } from '../../scene/state/view.ts'
import { isProblem } from '../../wire/decode-problem.ts'
import { PROBE_3D_PROBLEMS, PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import { resultLimit, type SceneInBoth, type SceneQueryLimits } from '../ask/scene-query.ts'
import { lintView } from '../lint/lint.ts'

function query(problems: readonly ProblemCode[]) {
  return {
    summary: 'Which rules of a level are broken, where, and what would mend it?',
    description:
      'Holds the bodies of the scene against rules: what overlaps, floats, has sunk, stands in a wall, is there twice, is thin, open, off the grid or out of bounds, cannot be seen or reached. Each finding has its bodies, a place, a measure, a sentence, and what would mend it, as operations. Whether there is a finding is decided as exactly as the queries decide that it stands on.',
    advice: 'Give fewer rules, filters, or fixes: false.',
    problems: [...problems, 'shape-unbounded', 'direction-zero', 'aabb-inverted'] as const,
    mayBeLong: true,
    *answer<K extends Kinds>(view: View<K>, request: SceneLintRequest | SceneLint3dRequest, limits: SceneQueryLimits) {
      const found = yield* lintView(view, request as never, resultLimit(request, limits), limits)
      return isProblem(found) ? found : { version: view.version, ...found }
    },
  }
}

export const sceneLintQuery = {
  2: query(PROBE_PROBLEMS),
  3: query(PROBE_3D_PROBLEMS),
} as unknown as SceneInBoth<'lint'>
