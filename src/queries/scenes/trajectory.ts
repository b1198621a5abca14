// The query `trajectory` of scenes.

import type { SceneTrajectoryRequest, SceneTrajectoryResponse } from '../../../schemas/scenes/trajectory.ts'
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import { Pace, type Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { COMPOSITE, X, Y } from '../../core2d/shape/body.ts'
import { createMotion, type Motion } from '../../core2d/shape/motion.ts'
import { findSpinner, queryTrajectory, type TrajectoryAnswer } from '../../scene/queries/trajectory.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { motionAt, type PlaneView, sceneBodyAt, shapeAt } from '../../scene/state/view.ts'
import { checkDuration, decodeMotion, type ShapeLimits } from '../../wire/body.ts'
import { decodeMover, type Probe } from '../../wire/decode-probe.ts'
import {
  type DecodeProblem,
  inRange,
  isProblem,
  problemAt,
  problemOf,
  under,
  vectorOutOfRange,
} from '../../wire/decode-problem.ts'
import { PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import { resultLimit, type SceneQueryLimits, type SceneQueryOf } from '../ask/scene-query.ts'
import {
  checkSpin,
  DEFAULT_MAX_BOUNCES,
  DEFAULT_RESTITUTION,
  encodeBounce,
  encodeEnd,
} from '../stateless/trajectory.ts'

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
    const { body, describe, motion, slot } = decoded
    const { numbers } = body
    const x = numbers[X]
    const y = numbers[Y]
    const accepts = compileFilter(view, filter, slot)
    const maxObstacles = obstacleLimit(maxBounces, limits)
    const query = { body, describe, motion, duration, restitution, maxBounces, accepts, maxObstacles }
    const answer = yield* queryTrajectory(view, query)
    if (answer === null) return tooManyObstacles(maxObstacles)
    const spinner = yield* findSpinner(view, query, answer.path, { x, y })
    if (spinner !== null) return spinning(spinner)
    return { version: view.version, ...(yield* encodeTrajectory(answer, resultLimit(request, limits))) }
  },
}

/** Steps to encode a bounce, in points of bodies. */
const ENCODE_POINTS = 8

/** The first `limit` bounces, with the ids of the obstacles. */
function* encodeTrajectory(
  { path, ids }: TrajectoryAnswer,
  limit: number,
): Slices<Omit<SceneTrajectoryResponse, 'version'>> {
  const pace = new Pace()
  const bounces: SceneTrajectoryResponse['bounces'] = []
  for (let k = 0; k < path.bounces.length && k < limit; k++) {
    const bounce = path.bounces[k]
    bounces.push({ ...encodeBounce(bounce), id: ids[bounce.obstacle] })
    if (pace.isDue(ENCODE_POINTS)) yield
  }
  return { bounces, ...encodeEnd(path), truncated: path.bounces.length > limit }
}

/** Most obstacles; it bounds the time of the request. */
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

interface Bouncer extends Probe {
  motion: Motion
}

/** The first problem has pointers into the request. */
function* decodeBouncer(
  view: PlaneView,
  request: SceneTrajectoryRequest,
  limits: ShapeLimits,
): FarSlices<Bouncer | DecodeProblem> {
  const decoded = yield* decodeMover(view, request, limits)
  if (isProblem(decoded)) return decoded
  const motion = createMotion()
  const problem = decodeOwnMotion(view, request, decoded.slot, motion)
  if (problem !== null) return problem
  if (decoded.body.kind !== COMPOSITE) return { ...decoded, motion }
  const pointer = request.body === undefined ? '/bodyId' : '/body/shape/type'
  const { type } = request.body?.shape ?? (shapeAt(view, decoded.slot) as MovingBody2d['shape'])
  return problemAt(pointer, 'body-not-convex', `The body of a trajectory must be convex, but its shape is a ${type}.`)
}

function decodeOwnMotion(
  view: PlaneView,
  { body: wire, velocity }: SceneTrajectoryRequest,
  slot: number,
  out: Motion,
): DecodeProblem | null {
  if (wire !== undefined) {
    if (velocity !== undefined) {
      return problemAt('/velocity', 'schema-violation', 'velocity is for a bodyId: other bodies have their own.')
    }
    return under('/body', decodeMotion(wire, out) ?? checkSpin(wire))
  }
  motionAt(view, slot, out)
  if (velocity !== undefined) {
    if (!inRange(velocity.x) || !inRange(velocity.y)) return vectorOutOfRange(velocity, '/velocity', 'Velocities')
    out.vx = velocity.x
    out.vy = velocity.y
  }
  return under('/bodyId', spinOf(sceneBodyAt(view, slot) as MovingBody2d))
}

function spinOf(body: MovingBody2d): DecodeProblem | null {
  const problem = checkSpin(body)
  return problem === null ? null : { ...problem, places: [{ pointer: '' }] }
}
