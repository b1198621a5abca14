// What a query of a scene is about, turned by so much more.

import { findBody, sceneBodyAt, type View } from '../../scene/state/view.ts'
import type { ProbeRequest } from './decode-probe.ts'

type Mover = Pick<ProbeRequest, 'body' | 'bodyId' | 'pose'>

/** Of the turns that are added: what is left of them where they come to nothing. */
const NO_TURN_RATIO = 2 ** -48

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
