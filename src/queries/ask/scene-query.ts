// The definition of a scene query: its request, its answer, and how it is answered from one version of the scene. A query has its own
// path, and its `op` in batches.

import type { Exchange } from '../../../schemas/exchange.ts'
import type { ProblemCode } from '../../../schemas/problem.ts'
import type {
  SceneQuery3dOp,
  SceneQuery3dRequest,
  SceneQuery3dResponse,
  SceneQueryOp,
  SceneQueryRequest,
  SceneQueryResponse,
} from '../../../schemas/scenes/exchanges.ts'
import { Pace, type Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import type { BodyFilter } from '../../scene/state/filter.ts'
import type { Kinds, Plane, Space } from '../../scene/state/geometry.ts'
import { closeView, onViewAtOnce, openView, type View, type Viewed } from '../../scene/state/view.ts'
import type { DecodeProblem } from '../../wire/decode-problem.ts'
import { type Asker, askList } from './ask.ts'
import type { QueryLimits } from './query.ts'
import { atOnce } from './slices.ts'

export interface SceneQueryLimits extends QueryLimits {
  readonly maxRays: number
  readonly maxResults: number
}

/** The definition of a query, except for its `op` and its schemas, which are in `schemas/scenes/exchanges.ts`. */
interface Answering<K extends Kinds, Request, Response> {
  /** The question, as a sentence. */
  readonly summary: string
  readonly description: string
  /** Advice for a request that takes too long, as a sentence. */
  readonly advice: string
  readonly problems: readonly ProblemCode[]
  /** Whether a list of the answer may have very many items. */
  readonly mayBeLong?: boolean
  /** Takes requests that fit the schema. The view must stay open until the end. */
  answer(view: View<K>, request: Request, limits: SceneQueryLimits): FarSlices<Response | DecodeProblem>
}

export type SceneQueryOf<Op extends SceneQueryOp> = Answering<Plane, SceneQueryRequest<Op>, SceneQueryResponse<Op>>
export type SceneQuery3dOf<Op extends SceneQuery3dOp> = Answering<
  Space,
  SceneQuery3dRequest<Op>,
  SceneQuery3dResponse<Op>
>

/** A query of scenes of the plane and of space. */
export interface SceneInBoth<Op extends SceneQueryOp & SceneQuery3dOp> {
  readonly 2: SceneQueryOf<Op>
  readonly 3: SceneQuery3dOf<Op>
}

export interface SceneQuery extends Exchange, Omit<Answering<Kinds, never, never>, 'answer'> {
  answer(view: View, request: object, limits: SceneQueryLimits): FarSlices<object>
}

/** What queries select, and how many results they want. */
export interface Selection {
  filter?: BodyFilter
  limit?: number
}

/** Most results in the answer. */
export function resultLimit({ limit }: Selection, { maxResults }: SceneQueryLimits): number {
  return limit === undefined ? maxResults : Math.min(limit, maxResults)
}

/** Cost of encoding an item, in points of bodies. */
const ITEM_POINTS = 4

/** `map` of each item, with pauses. `weigh`: what it costs, in points of bodies, and more than the average item does. */
export function* mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
  weigh: (item: Item) => number = () => 0,
): Slices<Result[]> {
  const pace = new Pace()
  const results: Result[] = []
  for (const item of items) {
    results.push(map(item))
    if (pace.isDue(ITEM_POINTS + weigh(item))) yield
  }
  return results
}

/** Answers a query from the current version of a scene, however long it takes and whatever is written meanwhile. */
export function askScene(
  scene: Viewed,
  query: SceneQuery,
  request: Record<string, unknown>,
  limits: SceneQueryLimits,
): object | FarSlices<object> {
  return onViewAtOnce(scene, (view) => query.answer(view, request, limits))
}

/** Answers a batch from the version at which it begins. */
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
