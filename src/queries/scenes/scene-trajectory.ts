// The query `trajectory` of scenes.

import { findSpinner } from '../../scene/queries/spinning-bodies.ts'
import { queryTrajectory } from '../../scene/queries/trajectory.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { checkDuration } from '../../wire/decode/decode-duration.ts'
import { encodeSceneTrajectory } from '../../wire/encode/encode-trajectory.ts'
import { type DecodeProblem, isProblem, problemAt, problemOf } from '../../wire/problems/decode-problem.ts'
import { PROBE_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import { resultLimit, type SceneQueryLimits, type SceneQueryOf } from '../ask/scene-query.ts'
import { DEFAULT_MAX_BOUNCES, DEFAULT_RESTITUTION } from '../stateless/bounce.ts'
import { decodeBouncer, stretchesOf } from './decode-bouncer.ts'

export const sceneTrajectoryQuery: SceneQueryOf<'trajectory'> = {
  summary: 'Which way does a body take that bounces off the bodies of the scene?',
  description:
    'At each impact the velocity, relative to the body that was hit, is reflected about the contact normal, and the rest of the time goes on from the exact instant of the impact. Bodies of the scene that move do so at constant speed, through each other.',
  advice: 'Ask for a shorter duration or fewer bounces, or filter.',
  problems: [...PROBE_PROBLEMS, 'too-many-obstacles', 'body-not-convex', 'trajectory-spinning'],
  mayBeLong: true,
  *answer(view, request, limits) {
    const { duration, restitution = DEFAULT_RESTITUTION, maxBounces = DEFAULT_MAX_BOUNCES, filter } = request
    const decoded = checkDuration(duration) ?? (yield* decodeBouncer(view, request, limits))
    if (isProblem(decoded)) return decoded
    const { body, far, motion, slot } = decoded
    const { x, y } = body
    const accepts = compileFilter(view, filter, slot)
    const maxObstacles = obstacleLimit(maxBounces, limits)
    const query = { body, far, motion, duration, restitution, maxBounces, accepts, maxObstacles }
    const answer = yield* queryTrajectory(view, query)
    if (answer === null) return tooManyObstacles(maxObstacles)
    const stretches = stretchesOf(body, motion, answer.path, x, y)
    const spinner = yield* findSpinner(view, accepts, stretches, duration)
    if (spinner !== null) return spinning(spinner)
    return { version: view.version, ...(yield* encodeSceneTrajectory(answer, resultLimit(request, limits))) }
  },
}

/** What bounds the time that a request takes. */
function obstacleLimit(maxBounces: number, { maxTargets, maxImpacts }: SceneQueryLimits): number {
  return Math.min(maxTargets, Math.floor(maxImpacts / Math.max(1, maxBounces)))
}

function tooManyObstacles(limit: number): DecodeProblem {
  const detail = `The path comes near more than ${limit} bodies: ask for a shorter one, fewer bounces, or filter.`
  return problemOf('too-many-obstacles', detail, { limit })
}

function spinning(id: string): DecodeProblem {
  const detail = `The bodies of a trajectory do not spin, but ${JSON.stringify(id)}, which the path may come near, does: leave it out by filter.`
  return problemAt('/filter', 'trajectory-spinning', detail)
}
