// The query `sectors` of scenes.

import type { SceneSectorBody } from '../../../schemas/scenes/sectors.ts'
import { Pace } from '../../containers/budget.ts'
import { querySectors } from '../../scene/queries/sectors.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import type { View } from '../../scene/state/view.ts'
import { SCENE_QUERY_PROBLEMS } from '../../wire/problem-lists.ts'
import { resultLimit, type SceneInBoth, type SceneQueryLimits, type Selection } from '../ask/scene-query.ts'
import { checkGrid, gridOf, tooManyPassages, type WireGrid } from '../stateless/sectors.ts'

/** `alike`: the path of the stateless query; `parts`: what bodies have. */
function query(alike: string, parts: string) {
  return {
    summary: 'Which cells of a grid do bodies of the scene pass through?',
    description: `Lists, for each cell of a grid that anything passes, the bodies in it, and which of their ${parts} pass through it: the answer that ${alike} gives for these bodies. Cells are closed: touching counts. The limit counts cells; the first ones in their order are listed.`,
    advice: 'Ask about a part of the grid or a coarser one, or filter.',
    problems: [...SCENE_QUERY_PROBLEMS, 'too-many-cells' as const, 'coordinate-out-of-range' as const],
    mayBeLong: true,
    *answer(view: View, request: Selection & { grid: WireGrid }, limits: SceneQueryLimits) {
      const grid = gridOf(request.grid)
      const problem = checkGrid(grid)
      if (problem !== null) return problem
      const accepts = compileFilter(view, request.filter)
      const found = yield* querySectors(view, { grid, accepts, most: limits.maxPairs })
      if (found === null) return tooManyPassages(limits.maxPairs, 'Bodies of the scene')
      const { passed, ids } = found
      const encode = (body: number, cover: 'part' | 'full', count: number, parts: number[]): SceneSectorBody => {
        return { id: ids[body], cover, count, parts }
      }
      const { cells, truncated } = yield* passed.list(encode, resultLimit(request, limits), new Pace())
      return { version: view.version, cells, truncated }
    },
  }
}

export const sceneSectorsQuery: SceneInBoth<'sectors'> = {
  2: query('/v1/2d/sectors', 'edges or children'),
  3: query('/v1/3d/sectors', 'triangles or children'),
}
