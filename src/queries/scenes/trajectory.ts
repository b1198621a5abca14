// The query `trajectory` of scenes.

import type { ProblemCode } from '../../../schemas/problem.ts'
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import type { MovingBody3d } from '../../../schemas/shapes3d.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { findSpinner, queryTrajectory } from '../../scene/queries/trajectory.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import type { Kinds, Plane, Space } from '../../scene/state/geometry.ts'
import { motionAt, sceneBodyAt, shapeAt, type View } from '../../scene/state/view.ts'
import { checkDuration, decodeMotion, type ShapeLimits } from '../../wire/body.ts'
import { decodeMotion as decodeMotion3d } from '../../wire/body-3d.ts'
import { decodeMover, type Probe, type ProbeRequest } from '../../wire/decode-probe.ts'
import { type DecodeProblem, isProblem, problemAt, problemOf, under } from '../../wire/decode-problem.ts'
import { PROBE_3D_PROBLEMS, PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import {
  mapInSlices,
  resultLimit,
  type SceneInBoth,
  type SceneQueryLimits,
  type Selection,
} from '../ask/scene-query.ts'
import {
  checkSpin,
  checkSpin3d,
  DEFAULT_MAX_BOUNCES,
  DEFAULT_RESTITUTION,
  encodeBounce,
  encodeBounce3d,
  encodeEnd,
  encodeEnd3d,
} from '../stateless/trajectory.ts'

/** A body of a request that moves. */
interface Moving {
  shape: { type: string }
  velocity?: { x: number; y: number; z?: number }
}

interface Request<M extends Moving> extends Pick<ProbeRequest, 'bodyId' | 'pose'>, Selection {
  body?: M
  velocity?: NonNullable<M['velocity']>
  duration: number
  restitution?: number
  maxBounces?: number
}

interface Core<K extends Kinds, M extends Moving, Bounce extends object, End extends object> {
  decodeMotion(wire: Pick<M, 'velocity'>, out: K['motion']): DecodeProblem | null
  checkSpin(wire: M): DecodeProblem | null
  encodeBounce(bounce: K['path']['bounces'][number]): Bounce
  encodeEnd(path: K['path']): End
}

function query<K extends Kinds, M extends Moving, Bounce extends object, End extends object>(
  problems: readonly ProblemCode[],
  core: Core<K, M, Bounce, End>,
) {
  return {
    summary: 'Which way does a body take that bounces off the bodies of the scene?',
    description:
      'At each impact the velocity, relative to the body that was hit, is reflected about the contact normal, and the rest of the time goes on from the exact instant of the impact. Bodies of the scene that move do so at constant speed, through each other.',
    advice: 'Ask for a shorter duration or fewer bounces, or filter.',
    problems: [...problems, 'too-many-obstacles' as const, 'body-not-convex' as const, 'trajectory-spinning' as const],
    mayBeLong: true,
    *answer(view: View<K>, request: Request<M>, limits: SceneQueryLimits) {
      const { duration, restitution = DEFAULT_RESTITUTION, maxBounces = DEFAULT_MAX_BOUNCES, filter } = request
      const decoded = checkDuration(duration) ?? (yield* decodeBouncer(view, request, limits, core))
      if (isProblem(decoded)) return decoded
      const { body, describe, motion, slot } = decoded
      const start = view.table.geometry.positionOf(body)
      const accepts = compileFilter(view, filter, slot)
      const maxObstacles = obstacleLimit(maxBounces, limits)
      const query = { body, describe, motion, duration, restitution, maxBounces, accepts, maxObstacles }
      const answer = yield* queryTrajectory(view, query)
      if (answer === null) return tooManyObstacles(maxObstacles)
      const { path, ids } = answer
      const spinner = yield* findSpinner(view, query, path, start)
      if (spinner !== null) return spinning(spinner)
      const limit = resultLimit(request, limits)
      const bounces = yield* mapInSlices(path.bounces.slice(0, limit), (bounce) => ({
        ...core.encodeBounce(bounce),
        id: ids[bounce.obstacle],
      }))
      return { version: view.version, bounces, ...core.encodeEnd(path), truncated: path.bounces.length > limit }
    },
  }
}

export const sceneTrajectoryQuery: SceneInBoth<'trajectory'> = {
  2: query<Plane, MovingBody2d, ReturnType<typeof encodeBounce>, ReturnType<typeof encodeEnd>>(PROBE_PROBLEMS, {
    decodeMotion,
    checkSpin,
    encodeBounce,
    encodeEnd,
  }),
  3: query<Space, MovingBody3d, ReturnType<typeof encodeBounce3d>, ReturnType<typeof encodeEnd3d>>(PROBE_3D_PROBLEMS, {
    decodeMotion: decodeMotion3d,
    checkSpin: checkSpin3d,
    encodeBounce: encodeBounce3d,
    encodeEnd: encodeEnd3d,
  }),
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

interface Bouncer<K extends Kinds> extends Probe<K> {
  motion: K['motion']
}

/** The first problem has pointers into the request. */
function* decodeBouncer<K extends Kinds, M extends Moving>(
  view: View<K>,
  request: Request<M>,
  limits: ShapeLimits,
  core: Pick<Core<K, M, object, object>, 'decodeMotion' | 'checkSpin'>,
): FarSlices<Bouncer<K> | DecodeProblem> {
  const { geometry } = view.table
  const decoded = yield* decodeMover<K>(view, request, limits)
  if (isProblem(decoded)) return decoded
  const motion: K['motion'] = geometry.createMotion()
  const problem = decodeOwnMotion(view, request, decoded.slot, core, motion)
  if (problem !== null) return problem
  if (decoded.body.kind !== geometry.compositeKind) return { ...decoded, motion }
  const pointer = request.body === undefined ? '/bodyId' : '/body/shape/type'
  const { type } = (request.body ?? sentBody<M>(view, decoded.slot)).shape
  return problemAt(pointer, 'body-not-convex', `The body of a trajectory must be convex, but its shape is a ${type}.`)
}

/** A body of the scene, as it was sent, with its shape where it names a kept one. */
function sentBody<M extends Moving>(view: View, slot: number): M {
  return { ...sceneBodyAt(view, slot), shape: shapeAt(view, slot) } as object as M
}

function decodeOwnMotion<K extends Kinds, M extends Moving>(
  view: View<K>,
  { body: wire, velocity }: Request<M>,
  slot: number,
  { decodeMotion: decode, checkSpin: check }: Pick<Core<K, M, object, object>, 'decodeMotion' | 'checkSpin'>,
  out: K['motion'],
): DecodeProblem | null {
  if (wire !== undefined) {
    if (velocity !== undefined) {
      return problemAt('/velocity', 'schema-violation', 'velocity is for a bodyId: other bodies have their own.')
    }
    return under('/body', decode(wire, out) ?? check(wire))
  }
  const own = sentBody<M>(view, slot)
  if (velocity === undefined) motionAt(view, slot, out)
  else {
    const problem = decode({ velocity } as Pick<M, 'velocity'>, out)
    if (problem !== null) return problem
  }
  const problem = check(own)
  return problem === null ? null : under('/bodyId', { ...problem, places: [{ pointer: '' }] })
}
