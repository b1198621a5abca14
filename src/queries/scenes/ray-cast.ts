// The query `ray-cast` of scenes.

import type { RayDefinition } from '../../../schemas/queries/ray-cast.ts'
import type { SceneRayHit, SceneRayResult } from '../../../schemas/scenes/ray-cast.ts'
import { Pace, type Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createRay, type RayHit } from '../../core2d/ray/ray-cast.ts'
import {
  type CastAnswer,
  castRay,
  castRayInSlices,
  type HitBody,
  type RayCastQuery,
} from '../../scene/queries/ray-cast.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { bodyAt, type PlaneView, weightAt } from '../../scene/state/view.ts'
import { checkOneOf } from '../../wire/decode-probe.ts'
import { checkLength, type DecodeProblem, under } from '../../wire/decode-problem.ts'
import { SCENE_QUERY_PROBLEMS } from '../../wire/problem-lists.ts'
import { mapInSlices, resultLimit, type SceneQueryOf } from '../ask/scene-query.ts'
import { decodeRay, encodeRayHit } from '../stateless/ray-cast.ts'

/** Rays that are cast before their hits are encoded, where each has one at most. */
const RAYS_AT_A_TIME = 64
/** Cost of encoding a hit, in points of bodies. */
const HIT_POINTS = 8

const line = createRay()

export const sceneRayCastQuery: SceneQueryOf<'ray-cast'> = {
  summary: 'What do rays hit in the scene?',
  description:
    'One ray, or many at once, which is cheaper than asking for each. Bodies are closed sets: a ray through a vertex or along an edge hits.',
  advice: 'Ask with fewer or shorter rays, filter, or ask for the closest hits only.',
  problems: [...SCENE_QUERY_PROBLEMS, 'too-many-rays', 'coordinate-out-of-range', 'ray-direction-zero'],
  mayBeLong: true,
  *answer(view, request, limits) {
    const { ray, rays = [], mode = 'closest', startInside = 'hit', filter } = request
    const problem = checkOneOf(request, ['ray', 'rays']) ?? checkLength('rays', rays, 'too-many-rays', limits.maxRays)
    if (problem !== null) return problem
    const accepts = compileFilter(view, filter)
    const limit = resultLimit(request, limits)
    if (ray !== undefined) {
      const wrong = decodeRay(ray, line)
      if (wrong !== null) return under('/ray', wrong)
      const query = { mode, startInside, accepts, limit }
      const atOnce = castRay(view, line, query)
      if (atOnce !== null) {
        const hits = atOnce.hits.map((hit) => encodeHit(view, hit))
        return { version: view.version, hits, truncated: false }
      }
      const { hits, truncated } = yield* castRayInSlices(view, { ...line }, query)
      return { version: view.version, hits: yield* encodeHits(view, hits), truncated }
    }
    const results = yield* castRays(view, rays, { mode, startInside, accepts, limit }, limits.maxResults)
    if (!Array.isArray(results)) return results
    return { version: view.version, results, truncated: results.some(({ truncated }) => truncated) }
  },
}

/** `maxResults`: hits of all rays together. */
function* castRays(
  view: PlaneView,
  rays: readonly RayDefinition[],
  query: RayCastQuery,
  maxResults: number,
): FarSlices<SceneRayResult[] | DecodeProblem> {
  const pace = new Pace()
  const results: SceneRayResult[] = []
  let left = maxResults
  let pending: CastAnswer<RayHit>[] = []
  for (const [k, ray] of rays.entries()) {
    const wrong = decodeRay(ray, line)
    if (wrong !== null) return under(`/rays/${k}`, wrong)
    const own = { ...query, limit: Math.min(query.limit, left) }
    const atOnce = castRay(view, line, own)
    const answer = atOnce ?? (yield* castRayInSlices(view, { ...line }, own))
    left -= answer.hits.length
    pending.push(answer)
    const isDue = pace.isDue(atOnce === null ? 1 : atOnce.points + HIT_POINTS)
    if (!isDue && pending.length < RAYS_AT_A_TIME && k + 1 < rays.length) continue
    for (const { hits, truncated } of pending) {
      // one hit at most, or what has been cast in slices
      const encoded = hits.length <= 1 ? hits.map((hit) => encodeHit(view, hit)) : yield* encodeHits(view, hits)
      results.push({ hits: encoded, truncated })
    }
    pending = []
    if (isDue) yield
  }
  return results
}

function encodeHits(view: PlaneView, hits: readonly HitBody<RayHit>[]): Slices<SceneRayHit[]> {
  return mapInSlices(
    hits,
    (hit) => encodeHit(view, hit),
    ({ slot }) => weightAt(view, slot),
  )
}

function encodeHit(view: PlaneView, { id, slot, hit }: HitBody<RayHit>): SceneRayHit {
  return encodeRayHit({ id }, hit, bodyAt(view, slot))
}
