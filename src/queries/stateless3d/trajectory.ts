// The query `trajectory`: a moving body among obstacles: decoded, followed, and its way encoded.

import type { Trajectory3dRequest, Trajectory3dResponse } from '../../../schemas/queries/trajectory.ts'
import type { MovingBody3d } from '../../../schemas/shapes3d.ts'
import { type Obstacle, trajectory } from '../../core3d/impact/trajectory.ts'
import { createBody } from '../../core3d/shape/body.ts'
import { createMotion } from '../../core3d/shape/motion.ts'
import { checkDuration } from '../../wire/bodies/body.ts'
import { decodeMovingBody } from '../../wire/bodies/body-3d.ts'
import { encodeTrajectory } from '../../wire/encode3d/encode-trajectory.ts'
import { type DecodeProblem, problemAt, under } from '../../wire/problems/decode-problem.ts'
import { QUERY_3D_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query3dOf, QueryLimits } from '../ask/query.ts'
import { checkWork, DEFAULT_MAX_BOUNCES, DEFAULT_RESTITUTION } from '../stateless/bounce.ts'

export const trajectory3dQuery: Query3dOf<'trajectory'> = {
  tag: 'motion',
  summary: 'Which way does a body take that bounces off obstacles?',
  description:
    'At each impact the velocity, relative to the obstacle, is reflected about the contact normal, and the rest of the time goes on from the exact instant of the impact. Nothing pulls on the body in between.',
  advice: 'Ask for fewer bounces, or a shorter time, among fewer obstacles.',
  problems: [...QUERY_3D_PROBLEMS, 'too-many-obstacles', 'too-many-impacts', 'trajectory-spinning'],
  answer: bounce,
}

const body = createBody()
const motion = createMotion()

/** The answer, or the first problem, with pointers into the request. */
function bounce(request: Trajectory3dRequest, limits: QueryLimits): Trajectory3dResponse | DecodeProblem {
  const { duration, restitution = DEFAULT_RESTITUTION, maxBounces = DEFAULT_MAX_BOUNCES } = request
  const problem =
    checkDuration(duration) ??
    checkWork(request.obstacles.length, maxBounces, limits) ??
    under('/body', decodeMovingBody(request.body, body, motion, limits) ?? checkSpin(request.body))
  if (problem !== null) return problem
  // Not slots that stay: there may be thousands, each of which would keep the largest body that it ever held.
  const obstacles: Obstacle[] = []
  for (let i = 0; i < request.obstacles.length; i++) {
    const obstacle = { body: createBody(), motion: createMotion() }
    const wrong =
      decodeMovingBody(request.obstacles[i], obstacle.body, obstacle.motion, limits) ?? checkSpin(request.obstacles[i])
    if (wrong !== null) return under(`/obstacles/${i}`, wrong)
    obstacles.push(obstacle)
  }
  return encodeTrajectory(trajectory(body, motion, obstacles, duration, restitution, maxBounces))
}

/** Impacts are found without spin; of what is round about its position it changes nothing. */
function checkSpin({ shape: { type }, angularVelocity }: MovingBody3d): DecodeProblem | null {
  if (angularVelocity === undefined || type === 'sphere' || type === 'point') return null
  const { x, y, z } = angularVelocity
  if (x === 0 && y === 0 && z === 0) return null
  const detail = `The bodies of a trajectory do not spin, but this ${type} has an angularVelocity of (${x}, ${y}, ${z}).`
  return problemAt('/angularVelocity', 'trajectory-spinning', detail)
}
