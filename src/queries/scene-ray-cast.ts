// The query `ray-cast` of scenes.

import type { RayDefinition } from '../../schemas/ray-cast.ts'
import {
  SceneRayCastRequest,
  SceneRayCastResponse,
  type SceneRayHit,
  type SceneRayResult,
} from '../../schemas/scene-ray-cast.ts'
import type { Slices } from '../containers/pace.ts'
import { Pace } from '../containers/pace.ts'
import { createRay, type Ray, type RayHit } from '../core2d/ray-cast.ts'
import { compileFilter } from '../scene/filter.ts'
import { type HitBody, queryRayCast, type RayCastQuery } from '../scene/query-ray-cast.ts'
import { bodyAt, type View } from '../scene/view.ts'
import { checkOneOf } from '../wire/decode-probe.ts'
import { type DecodeProblem, problemAt, under } from '../wire/decode-problem.ts'
import { decodeRay } from '../wire/decode-ray.ts'
import { encodeSceneRayHit } from '../wire/encode-ray-cast.ts'
import { SCENE_QUERY_PROBLEMS } from '../wire/problems.ts'
import { resultLimit, type SceneQuery } from './scene-query.ts'

/** Rays that are cast before their hits are encoded, where each has one at most. */
const RAYS_AT_A_TIME = 64
/** What it costs to encode a hit, in points of bodies. */
const HIT_POINTS = 8

export const sceneRayCastQuery: SceneQuery<typeof SceneRayCastRequest, typeof SceneRayCastResponse> = {
  op: 'ray-cast',
  summary: 'What do rays hit in the scene?',
  description:
    'One ray, or many at once, which is cheaper than asking for each. Bodies are closed sets: a ray through a vertex or along an edge hits.',
  request: SceneRayCastRequest,
  response: SceneRayCastResponse,
  problems: [
    ...SCENE_QUERY_PROBLEMS,
    'too-many-rays',
    'coordinate-out-of-range',
    'ray-direction-zero',
    'ray-direction-out-of-range',
  ],
  mayBeLong: true,
  *answer(view, request, limits) {
    const { ray, rays = [], mode = 'closest', startInside = 'hit', filter } = request
    const problem = checkOneOf(request, ['ray', 'rays']) ?? checkRays(rays, limits.maxRays)
    if (problem !== null) return problem
    const accepts = compileFilter(view, filter)
    const limit = resultLimit(request, limits)
    if (ray !== undefined) {
      const line = createRay()
      const wrong = decodeRay(ray, line)
      if (wrong !== null) return under('/ray', wrong) as DecodeProblem
      const [{ hits, truncated }] = yield* queryRayCast(view, { rays: [line], mode, startInside, accepts, limit })
      return { version: view.version, hits: encodeHits(view, hits), truncated }
    }
    const results = yield* castRays(view, rays, { mode, startInside, accepts, limit }, limits.maxResults)
    if (!Array.isArray(results)) return results
    return { version: view.version, results, truncated: results.some(({ truncated }) => truncated) }
  },
}

function checkRays(rays: readonly RayDefinition[], limit: number): DecodeProblem | null {
  const actual = rays.length
  if (actual <= limit) return null
  return problemAt('/rays', 'too-many-rays', `rays must have at most ${limit} items, got ${actual}.`, { limit, actual })
}

/** `maxResults`: hits of all rays together. */
function* castRays(
  view: View,
  rays: readonly RayDefinition[],
  query: Omit<RayCastQuery, 'rays'>,
  maxResults: number,
): Slices<SceneRayResult[] | DecodeProblem> {
  const pace = new Pace()
  const results: SceneRayResult[] = []
  const step = query.mode === 'all' ? 1 : RAYS_AT_A_TIME
  const slots: Ray[] = Array.from({ length: Math.min(step, rays.length) }, createRay)
  let left = maxResults
  for (let first = 0; first < rays.length; first += step) {
    const lines = slots.slice(0, rays.length - first)
    for (let k = 0; k < lines.length; k++) {
      const wrong = decodeRay(rays[first + k], lines[k])
      if (wrong !== null) return under(`/rays/${first + k}`, wrong) as DecodeProblem
    }
    const answers = yield* queryRayCast(view, { ...query, rays: lines, limit: Math.min(query.limit, left) })
    for (const answer of answers) {
      left -= answer.hits.length
      results.push({ hits: encodeHits(view, answer.hits), truncated: answer.truncated })
      if (pace.isDue(1 + HIT_POINTS * answer.hits.length)) yield
    }
  }
  return results
}

function encodeHits(view: View, hits: readonly HitBody<RayHit>[]): SceneRayHit[] {
  const encoded: SceneRayHit[] = []
  for (const { id, slot, hit } of hits) encoded.push(encodeSceneRayHit(id, hit, bodyAt(view, slot)))
  return encoded
}
