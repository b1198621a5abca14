// The query `trajectory`: a moving body among obstacles, followed from bounce to bounce.

import type { Trajectory3dResponse, TrajectoryResponse } from '../../../schemas/queries/trajectory.ts'
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import type { MovingBody3d } from '../../../schemas/shapes3d.ts'
import {
  type Bounce,
  type Trajectory as Trajectory2d,
  trajectory as trajectory2d,
} from '../../core2d/motion/trajectory.ts'
import { type Body as Body2d, COMPOSITE } from '../../core2d/shape/body.ts'
import {
  type Bounce as Bounce3d,
  type Trajectory as Trajectory3d,
  trajectory as trajectory3d,
} from '../../core3d/motion/trajectory.ts'
import { type Body as Body3d, COMPOSITE as COMPOSITE_3D } from '../../core3d/shape/body.ts'
import { checkDuration } from '../../wire/body.ts'
import { checkLength, type DecodeProblem, problemAt, under } from '../../wire/decode-problem.ts'
import { encodeVec2, encodeVec3, finite } from '../../wire/encode.ts'
import type { QueryLimits } from '../ask/query.ts'
import { type Geometry, type InBoth, type Kinds, PLANE, SPACE } from './geometry.ts'

export const DEFAULT_RESTITUTION = 1
export const DEFAULT_MAX_BOUNCES = 100

interface Request<Moving> {
  body: Moving
  obstacles: readonly Moving[]
  duration: number
  restitution?: number
  maxBounces?: number
}

interface Core<Moving, Body, Motion, Found, Answer> {
  checkSpin(wire: Moving): DecodeProblem | null
  checkConvex(body: Body, wire: Moving): DecodeProblem | null
  trajectory(
    body: Body,
    motion: Motion,
    obstacles: { body: Body; motion: Motion }[],
    duration: number,
    restitution: number,
    maxBounces: number,
  ): Found
  encode(found: Found): Answer
}

function query<K extends Kinds, Found, Answer>(
  { createSlot, createBody, createMotion, decodeMovingBody, problems }: Geometry<K>,
  core: Core<K['moving'], K['body'], K['motion'], Found, Answer>,
) {
  const { checkSpin, checkConvex, trajectory, encode } = core
  const body = createSlot()
  const motion = createMotion()
  return {
    tag: 'motion' as const,
    summary: 'Which way does a body take that bounces off obstacles?',
    description:
      'At each impact the velocity, relative to the obstacle, is reflected about the contact normal, and the rest of the time goes on from the exact instant of the impact. Nothing pulls on the body in between.',
    advice: 'Ask for fewer bounces, or a shorter time, among fewer obstacles.',
    problems: [...problems, 'too-many-obstacles' as const, 'too-many-impacts' as const],
    answer(request: Request<K['moving']>, limits: QueryLimits) {
      const { duration, restitution = DEFAULT_RESTITUTION, maxBounces = DEFAULT_MAX_BOUNCES } = request
      const problem =
        checkDuration(duration) ??
        checkWork(request.obstacles.length, maxBounces, limits) ??
        under('/body', decodeMovingBody(request.body, body, motion, limits) ?? checkSpin(request.body)) ??
        checkConvex(body, request.body)
      if (problem !== null) return problem
      // no slots: there may be thousands, and each would keep the largest body that it ever held
      const obstacles: { body: K['body']; motion: K['motion'] }[] = []
      for (let i = 0; i < request.obstacles.length; i++) {
        const obstacle = { body: createBody(), motion: createMotion() }
        const wrong =
          decodeMovingBody(request.obstacles[i], obstacle.body, obstacle.motion, limits) ??
          checkSpin(request.obstacles[i])
        if (wrong !== null) return under(`/obstacles/${i}`, wrong)
        obstacles.push(obstacle)
      }
      return encode(trajectory(body, motion, obstacles, duration, restitution, maxBounces))
    },
  }
}

const plane = query(PLANE, {
  checkSpin,
  checkConvex,
  trajectory: trajectory2d,
  encode: encodeTrajectory,
})
const space = query(SPACE, {
  checkSpin: checkSpin3d,
  checkConvex: checkConvex3d,
  trajectory: trajectory3d,
  encode: encodeTrajectory3d,
})

export const trajectoryQuery: InBoth<'trajectory'> = {
  '2d': { ...plane, problems: [...plane.problems, 'body-not-convex', 'trajectory-spinning'] },
  '3d': { ...space, problems: [...space.problems, 'body-not-convex', 'trajectory-spinning'] },
}

/** Bounces times obstacles bound the time that a request takes. */
function checkWork(
  obstacles: number,
  bounces: number,
  { maxTargets, maxImpacts }: Pick<QueryLimits, 'maxTargets' | 'maxImpacts'>,
): DecodeProblem | null {
  const problem = checkLength('obstacles', { length: obstacles }, 'too-many-obstacles', maxTargets)
  if (problem !== null) return problem
  const actual = bounces * obstacles
  if (actual <= maxImpacts) return null
  const detail = `maxBounces times the number of obstacles may reach ${maxImpacts}, got ${bounces} times ${obstacles}.`
  return problemAt('/maxBounces', 'too-many-impacts', detail, { limit: maxImpacts, actual })
}

/** The core finds impacts without spin, which does not change a body that is round about its position. */
export function checkSpin({ shape: { type }, angularVelocity = 0 }: MovingBody2d): DecodeProblem | null {
  if (angularVelocity === 0 || type === 'circle' || type === 'point') return null
  return spinning(type, String(angularVelocity))
}

export function checkSpin3d({ shape: { type }, angularVelocity }: MovingBody3d): DecodeProblem | null {
  if (angularVelocity === undefined || type === 'sphere' || type === 'point') return null
  const { x, y, z } = angularVelocity
  return x === 0 && y === 0 && z === 0 ? null : spinning(type, `(${x}, ${y}, ${z})`)
}

function spinning(type: string, angularVelocity: string): DecodeProblem {
  const detail = `The bodies of a trajectory do not spin, but this ${type} has an angularVelocity of ${angularVelocity}.`
  return problemAt('/angularVelocity', 'trajectory-spinning', detail)
}

function checkConvex({ kind }: Body2d, { shape: { type } }: MovingBody2d): DecodeProblem | null {
  return kind === COMPOSITE ? notConvex(type) : null
}

function checkConvex3d({ kind }: Body3d, { shape: { type } }: MovingBody3d): DecodeProblem | null {
  return kind === COMPOSITE_3D ? notConvex(type) : null
}

function notConvex(type: string): DecodeProblem {
  const detail = `The body of a trajectory must be convex, but its shape is a ${type}.`
  return problemAt('/body/shape/type', 'body-not-convex', detail)
}

function encodeTrajectory(path: Trajectory2d): TrajectoryResponse {
  const bounces = path.bounces.map((bounce) => ({ ...encodeBounce(bounce), obstacle: bounce.obstacle }))
  return { bounces, ...encodeEnd(path) }
}

export function encodeEnd({ time, x, y, vx, vy, status }: Trajectory2d) {
  return { end: { time: finite(time), position: encodeVec2(x, y), velocity: encodeVec2(vx, vy) }, status }
}

/** A bounce without the name of its obstacle. */
export function encodeBounce(bounce: Bounce) {
  return {
    time: finite(bounce.time),
    point: encodeVec2(bounce.x, bounce.y),
    normal: encodeVec2(bounce.nx, bounce.ny),
    velocityBefore: encodeVec2(bounce.beforeX, bounce.beforeY),
    velocityAfter: encodeVec2(bounce.afterX, bounce.afterY),
  }
}

function encodeTrajectory3d(path: Trajectory3d): Trajectory3dResponse {
  const bounces = path.bounces.map((bounce) => ({ ...encodeBounce3d(bounce), obstacle: bounce.obstacle }))
  return { bounces, ...encodeEnd3d(path) }
}

export function encodeEnd3d({ time, position, velocity, status }: Trajectory3d) {
  return { end: { time: finite(time), position: encodeVec3(...position), velocity: encodeVec3(...velocity) }, status }
}

/** A bounce without the name of its obstacle. */
export function encodeBounce3d({ time, point, normal, before, after }: Bounce3d) {
  return {
    time: finite(time),
    point: encodeVec3(...point),
    normal: encodeVec3(...normal),
    velocityBefore: encodeVec3(...before),
    velocityAfter: encodeVec3(...after),
  }
}
