// Queries asked of a scene: each is answered from one version of it, however long it takes and whatever is written meanwhile.

import type { FarSlices } from '../../containers/far-call.ts'
import { closeView, onViewAtOnce, openView, type Viewed } from '../../scene/state/view.ts'
import type { Asker } from './ask.ts'
import { askList } from './ask-many.ts'
import type { SceneQuery, SceneQueryLimits } from './scene-query.ts'
import { atOnce } from './slices.ts'

/** One query of the scene as it is now. */
export function askScene(
  scene: Viewed,
  query: SceneQuery,
  request: Record<string, unknown>,
  limits: SceneQueryLimits,
): object | FarSlices<object> {
  return onViewAtOnce(scene, (view) => query.answer(view, request, limits))
}

/** The answer to a batch, all of it about the version at which it is begun. */
export async function* askSceneList(
  scene: Viewed,
  asker: Omit<Asker<SceneQuery>, 'answer'>,
  queries: unknown[],
  limits: SceneQueryLimits,
  isWanted: () => boolean,
): AsyncGenerator<Buffer, void, undefined> {
  const view = openView(scene)
  const answer: Asker<SceneQuery>['answer'] = (query, request) => atOnce(query.answer(view, request, limits))
  try {
    yield* askList({ ...asker, answer }, queries, isWanted, `"version":${view.version},`)
  } finally {
    closeView(scene, view)
  }
}
