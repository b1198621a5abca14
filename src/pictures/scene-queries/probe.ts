// What a question about a scene is about: a place, a box, a body of its own, or one of the scene's.

import type { SceneAabb, ScenePose } from '../../../schemas/scenes/probe.ts'
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { findBody, type View } from '../../scene/state/view.ts'
import type { ShapeRole } from '../marks/palette.ts'
import { addBody, addDot, addKey, createPictureAt, type Picture, type ShapeMark } from '../marks/picture.ts'
import { shortName } from '../marks/picture-text.ts'
import type { Pose } from '../marks/pose.ts'
import { type KnownBody, type ToldBody, tellBody, tellOwn } from './told-body.ts'

export interface ProbeFields {
  point?: Vec2
  aabb?: SceneAabb
  body?: MovingBody2d
  bodyId?: string
  pose?: ScenePose
  velocity?: Vec2
}

/** What is to be told of it; null of a place, and of a question that is about no body. */
export function tellProbe(view: View, request: ProbeFields): ToldBody | null {
  const { aabb, body, bodyId, pose, velocity } = request
  if (aabb !== undefined) return tellOwn({ shape: { type: 'aabb', min: aabb.min, max: aabb.max } })
  if (body !== undefined) return tellOwn(body)
  const slot = bodyId === undefined ? -1 : findBody(view, bodyId)
  if (slot < 0) return null
  return tellBody(view, slot, true, { ...pose, ...(velocity !== undefined && { velocity }) })
}

interface Probed {
  readonly request: ProbeFields
  readonly probe: KnownBody | null
}

const ZERO: Vec2 = { x: 0, y: 0 }

/** A picture with its origin at what is asked about. */
export function probePicture({ request: { point, aabb }, probe }: Probed): Picture {
  return createPictureAt(point ?? aabb?.min ?? probe?.body?.position ?? ZERO)
}

/** The body that is asked about, where it is asked about. */
export function probeBody({ probe }: Probed): MovingBody2d {
  return probe?.body ?? { shape: { type: 'point' } }
}

/** As the subject of a sentence. */
export function probeName({ point, aabb, bodyId }: ProbeFields): string {
  if (point !== undefined) return 'The point'
  if (aabb !== undefined) return 'The box'
  return bodyId === undefined ? 'The body' : shortName(bodyId)
}

/** What is written at it. */
function shownName({ aabb, bodyId }: ProbeFields): string {
  if (bodyId !== undefined) return shortName(bodyId)
  return aabb === undefined ? 'body' : 'box'
}

/** The body of the scene that is asked about, as it stands there. */
export function ownInvolved({ bodyId }: ProbeFields): (readonly [string, ShapeRole])[] {
  return bodyId === undefined ? [] : [[bodyId, 'asked']]
}

export interface ProbeOptions {
  role?: ShapeRole
  pose?: Pose
  name?: string
}

/** Draws it; the mark of a body. */
export function addProbe(picture: Picture, asked: Probed, options: ProbeOptions = {}): ShapeMark | null {
  const { request } = asked
  if (request.point !== undefined) {
    addDot(picture, request.point, 'start')
    addKey(picture, 'start', 'the point')
    return null
  }
  const { role = 'a', pose, name = shownName(request) } = options
  return addBody(picture, probeBody(asked), role, { name, ...(pose !== undefined && { pose }) })
}
