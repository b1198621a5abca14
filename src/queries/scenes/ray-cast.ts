// The query `ray-cast` of scenes.

import type { RayDefinition, RayDefinition3d } from '../../../schemas/queries/ray-cast.ts'
import { Pace, type Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import type { StartInside } from '../../core2d/ray/ray-cast.ts'
import {
  type CastAnswer,
  castRay,
  castRayInSlices,
  type HitBody,
  type RayCastQuery,
} from '../../scene/queries/ray-cast.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { GEOMETRIES, type Geometry, type Kinds, type Plane, type Space } from '../../scene/state/geometry.ts'
import { bodyAt, type View, weightAt } from '../../scene/state/view.ts'
import { checkOneOf } from '../../wire/decode-probe.ts'
import { checkLength, type DecodeProblem, under } from '../../wire/decode-problem.ts'
import { SCENE_QUERY_PROBLEMS } from '../../wire/problem-lists.ts'
import {
  mapInSlices,
  resultLimit,
  type SceneInBoth,
  type SceneQueryLimits,
  type Selection,
} from '../ask/scene-query.ts'
import { decodeRay, decodeRay3d, encodeRayHit, encodeRayHit3d } from '../stateless/ray-cast.ts'

/** Rays that are cast before their hits are encoded, where each has one at most. */
const RAYS_AT_A_TIME = 64
/** Cost of encoding a hit, in points of bodies. */
const HIT_POINTS = 8

interface Request<Ray> extends Selection {
  ray?: Ray
  rays?: readonly Ray[]
  mode?: 'closest' | 'any' | 'all'
  startInside?: StartInside
}

/** What differs between the dimensions. */
interface Core<K extends Kinds, Ray, Hit> {
  /** The ray that is cast next. */
  readonly line: K['ray']
  decodeRay(wire: Ray, out: K['ray']): DecodeProblem | null
  encode(name: { id: string }, hit: K['hit'], body: K['body']): Hit
}

function query<K extends Kinds, Ray, Hit>(
  geometry: Geometry<K>,
  decode: Core<K, Ray, Hit>['decodeRay'],
  encode: Core<K, Ray, Hit>['encode'],
) {
  const core: Core<K, Ray, Hit> = { line: geometry.createRay(), decodeRay: decode, encode }
  const { line } = core
  return {
    summary: 'What do rays hit in the scene?',
    description:
      'One ray, or many at once, which is cheaper than asking for each. Bodies are closed sets: a ray through a vertex or along an edge hits.',
    advice: 'Ask with fewer or shorter rays, filter, or ask for the closest hits only.',
    problems: [
      ...SCENE_QUERY_PROBLEMS,
      'too-many-rays' as const,
      'coordinate-out-of-range' as const,
      'ray-direction-zero' as const,
    ],
    mayBeLong: true,
    *answer(view: View<K>, request: Request<Ray>, limits: SceneQueryLimits) {
      const { ray, rays = [], mode = 'closest', startInside = 'hit', filter } = request
      const problem = checkOneOf(request, ['ray', 'rays']) ?? checkLength('rays', rays, 'too-many-rays', limits.maxRays)
      if (problem !== null) return problem
      const accepts = compileFilter(view, filter)
      const limit = resultLimit(request, limits)
      if (ray !== undefined) {
        const wrong = decode(ray, line)
        if (wrong !== null) return under('/ray', wrong)
        const query = { mode, startInside, accepts, limit }
        const atOnce = castRay(view, line, query)
        if (atOnce !== null) {
          const hits = atOnce.hits.map((hit) => encodeHit(core, view, hit))
          return { version: view.version, hits, truncated: false }
        }
        const { hits, truncated } = yield* castRayInSlices(view, { ...line }, query)
        return { version: view.version, hits: yield* encodeHits(core, view, hits), truncated }
      }
      const results = yield* castRays(core, view, rays, { mode, startInside, accepts, limit }, limits.maxResults)
      if (!Array.isArray(results)) return results
      return { version: view.version, results, truncated: results.some(({ truncated }) => truncated) }
    },
  }
}

export const sceneRayCastQuery: SceneInBoth<'ray-cast'> = {
  2: query<Plane, RayDefinition, ReturnType<typeof encodeRayHit<{ id: string }>>>(
    GEOMETRIES[2],
    decodeRay,
    encodeRayHit,
  ),
  3: query<Space, RayDefinition3d, ReturnType<typeof encodeRayHit3d<{ id: string }>>>(
    GEOMETRIES[3],
    decodeRay3d,
    encodeRayHit3d,
  ),
}

interface RayResult<Hit> {
  hits: Hit[]
  truncated: boolean
}

/** `maxResults`: hits of all rays together. */
function* castRays<K extends Kinds, Ray, Hit>(
  core: Core<K, Ray, Hit>,
  view: View<K>,
  rays: readonly Ray[],
  query: RayCastQuery,
  maxResults: number,
): FarSlices<RayResult<Hit>[] | DecodeProblem> {
  const { line } = core
  const pace = new Pace()
  const results: RayResult<Hit>[] = []
  let left = maxResults
  let pending: CastAnswer<K['hit']>[] = []
  for (const [k, ray] of rays.entries()) {
    const wrong = core.decodeRay(ray, line)
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
      const encoded =
        hits.length <= 1 ? hits.map((hit) => encodeHit(core, view, hit)) : yield* encodeHits(core, view, hits)
      results.push({ hits: encoded, truncated })
    }
    pending = []
    if (isDue) yield
  }
  return results
}

function encodeHits<K extends Kinds, Ray, Hit>(
  core: Core<K, Ray, Hit>,
  view: View<K>,
  hits: readonly HitBody<K['hit']>[],
): Slices<Hit[]> {
  return mapInSlices(
    hits,
    (hit) => encodeHit(core, view, hit),
    ({ slot }) => weightAt(view, slot),
  )
}

function encodeHit<K extends Kinds, Ray, Hit>(
  { encode }: Core<K, Ray, Hit>,
  view: View<K>,
  { id, slot, hit }: HitBody<K['hit']>,
): Hit {
  return encode({ id }, hit, bodyAt(view, slot))
}
