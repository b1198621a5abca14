// A body that is to bounce about in a scene, and the stretches of the path that it then took.

import type { SceneTrajectoryRequest } from '../../../schemas/scenes/trajectory.ts'
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import type { Trajectory } from '../../core2d/impact/trajectory.ts'
import { measureOuterBox } from '../../core2d/measures/outer-box.ts'
import { type Body, COMPOSITE } from '../../core2d/shape/body.ts'
import { createMotion, type Motion } from '../../core2d/shape/motion.ts'
import type { Stretch } from '../../scene/queries/spinning-bodies.ts'
import { motionAt, sceneBodyAt, type View } from '../../scene/state/view.ts'
import { decodeMotion } from '../../wire/decode/decode-body.ts'
import type { ShapeLimits } from '../../wire/decode/shape-limits.ts'
import {
  type DecodeProblem,
  inRange,
  isProblem,
  problemAt,
  under,
  vectorOutOfRange,
} from '../../wire/problems/decode-problem.ts'
import { decodeMover, type Probe } from '../../wire/scenes/decode-probe.ts'
import { checkSpin } from '../stateless/bounce.ts'

export interface Bouncer extends Probe {
  motion: Motion
}

/** The first problem has pointers into the request. */
export function* decodeBouncer(
  view: View,
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
  const { type } = (request.body ?? (sceneBodyAt(view, decoded.slot) as MovingBody2d)).shape
  return problemAt(pointer, 'body-not-convex', `The body of a trajectory must be convex, but its shape is a ${type}.`)
}

function decodeOwnMotion(
  view: View,
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

const box = new Float64Array(4)

/** The body stands at the end of its path, which began at (x, y). */
export function stretchesOf(
  body: Body,
  { vx, vy }: Motion,
  { bounces, time }: Trajectory,
  x: number,
  y: number,
): Stretch[] {
  measureOuterBox(body, box, 0)
  const [left, bottom, right, top] = [box[0] - body.x, box[1] - body.y, box[2] - body.x, box[3] - body.y]
  const stretches: Stretch[] = []
  let from = { time: 0, x, y, vx, vy }
  const add = (until: number) => {
    const dx = (until - from.time) * from.vx
    const dy = (until - from.time) * from.vy
    stretches.push({
      minX: from.x + Math.min(0, dx) + left,
      minY: from.y + Math.min(0, dy) + bottom,
      maxX: from.x + Math.max(0, dx) + right,
      maxY: from.y + Math.max(0, dy) + top,
    })
  }
  for (const bounce of bounces) {
    add(bounce.time)
    from = { time: bounce.time, x: bounce.leavesX, y: bounce.leavesY, vx: bounce.afterX, vy: bounce.afterY }
  }
  add(time)
  return stretches
}
