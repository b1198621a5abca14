// What a query of a scene is about, turned by so much more.

import { findBody, sceneBodyAt, type View } from '../../scene/state/view.ts'
import { type DecodeProblem, problemAt } from '../problems/decode-problem.ts'
import type { ProbeRequest } from './decode-probe.ts'

type Mover = Pick<ProbeRequest, 'body' | 'bodyId' | 'pose'>

/** Of the turns that are added: what is left of them where they come to nothing. */
const NO_TURN_RATIO = 2 ** -48

/**
 * What is wrong with turning a body that cannot be turned, in words about the member of the request that asks for it; other problems
 * stay as they are.
 */
export function cannotTurn(problem: DecodeProblem, member: 'align' | 'rotate'): DecodeProblem {
  if (problem.code !== 'aabb-rotated') return problem
  const detail = `${member} turns the body, and an aabb does not turn: leave ${member} out, or use a box or a polygon.`
  return problemAt(`/${member}`, 'aabb-rotated', detail)
}

/** The same body, or body of the scene, at the same position. `turn`: radians, counter-clockwise. */
export function turnedMover(view: View, request: Mover, turn: number): Mover {
  if (turn === 0) return request
  const { body, bodyId, pose } = request
  const rotation = turnedRotation(view, request, turn)
  if (body !== undefined) return { body: { ...body, rotation } }
  return { ...(bodyId !== undefined && { bodyId }), pose: { ...pose, rotation } }
}

/** Its rotation then, in radians. */
export function turnedRotation(view: View, { body, bodyId, pose }: Mover, turn: number): number {
  const own = body?.rotation ?? pose?.rotation ?? ownRotation(view, bodyId)
  const turned = own + turn
  return Math.abs(turned) <= NO_TURN_RATIO * (Math.abs(own) + Math.abs(turn)) ? 0 : turned
}

function ownRotation(view: View, id: string | undefined): number {
  const slot = id === undefined ? -1 : findBody(view, id)
  return slot < 0 ? 0 : (sceneBodyAt(view, slot).rotation ?? 0)
}
