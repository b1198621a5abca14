// Bodies of a scene: moving bodies with an id, tags and data of their own.

import { type Static, type TProperties, type TUnsafe, Type } from '@sinclair/typebox'
import { plane, space } from '../dimensions.ts'
import { nullableReal } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { MovingBody2d, Shape2d } from '../shapes2d.ts'
import { MovingBody3d, Shape3d } from '../shapes3d.ts'
import { Quaternion, Vec2, Vec3 } from '../vector.ts'

/** Format of the ids of scenes and bodies. `.` and `..` are not ids: most clients resolve them in a path before they send it. */
export const ID_PATTERN = '^([.]{0,2}[A-Za-z0-9_:-]|[.]{3})[A-Za-z0-9._:-]*$'
const MAX_ID_LENGTH = 128
/** Maximum length of a body's data as JSON text, in bytes. */
export const MAX_DATA_BYTES = 4096

export function identifier(description: string) {
  const letters = `1 to ${MAX_ID_LENGTH} of A-Z a-z 0-9 . _ : -, but neither . nor ..`
  return Type.String({ pattern: ID_PATTERN, maxLength: MAX_ID_LENGTH, description: `${description} ${letters}` })
}

export const tagText = { minLength: 1, maxLength: 128 }
export const MAX_TAGS = 64
const TAGS = { items: { type: 'string', ...tagText }, maxItems: MAX_TAGS, uniqueItems: true }
const TAGS_MEANING = `Words to filter by, up to ${MAX_TAGS} of up to 128 characters each.`
const SENSOR_MEANING =
  'Whether the body is only there to be noticed, such as a trigger: filters of queries tell sensors apart.'
const DATA_MEANING = `Any JSON value of at most ${MAX_DATA_BYTES} bytes, handed back as it was sent, byte for byte.`

const marked = {
  tags: Type.Optional(Type.Unsafe<string[]>({ type: 'array', ...TAGS, description: TAGS_MEANING })),
  sensor: Type.Optional(Type.Boolean({ description: `${SENSOR_MEANING} false when absent.` })),
  data: Type.Optional(Type.Unknown({ description: DATA_MEANING })),
}
const FLOOR = { shape: { type: 'box', width: 4, height: 1 }, position: { x: 0, y: -1 }, tags: ['floor'] }
const FLOOR_3D = {
  shape: { type: 'box', size: { x: 4, y: 1, z: 4 } },
  position: { x: 0, y: -1, z: 0 },
  tags: ['floor'],
}

const replaced = <T>(schema: object) => Type.Optional(Type.Unsafe<T | null>(schema) as TUnsafe<T | null>)

/** A body as it is kept, as it is put, and as it is changed. `placed`: fields of a moving body; `replacing`: those of a patch. */
function sceneBodies<Placed extends TProperties, Replacing extends TProperties>(
  { tag, ofSpace }: { tag: string; ofSpace: string },
  placed: Placed,
  replacing: Replacing,
  floor: object,
) {
  const body = Type.Object(
    { id: identifier('The body’s own id, unique in its scene.'), ...placed, ...marked },
    named(
      `SceneBody${tag}`,
      `A body of a scene${ofSpace}. What is absent takes its default, and stays absent when it is read back.`,
    ),
  )
  const request = Type.Object(
    { id: Type.Optional(identifier('May be given, and must be the id in the path then.')), ...placed, ...marked },
    named(`SceneBody${tag}Request`, `A body as it is put into a scene${ofSpace}; its id is in the path.`, { floor }),
  )
  const patch = Type.Object(
    {
      ...replacing,
      tags: replaced<string[]>({ type: ['array', 'null'], ...TAGS, description: `${TAGS_MEANING} null for none.` }),
      sensor: replaced<boolean>({ type: ['boolean', 'null'], description: `${SENSOR_MEANING} null for a plain body.` }),
      data: Type.Optional(Type.Unknown({ description: `${DATA_MEANING} null takes it away.` })),
    },
    named(`SceneBody${tag}Patch`, 'Fields that replace those of a body; what is absent stays as it is.', {
      'moved-and-untagged': { position: tag === '' ? { x: 1, y: -1 } : { x: 1, y: -1, z: 2 }, tags: [] },
    }),
  )
  return { body, request, patch }
}

export const {
  body: SceneBody,
  request: SceneBodyRequest,
  patch: SceneBodyPatch,
} = sceneBodies(
  plane,
  MovingBody2d.properties,
  {
    shape: Type.Optional(reference(Shape2d, 'The new shape.')),
    position: Type.Optional(nullable(Vec2, 'The new position; null for the origin.')),
    rotation: Type.Optional(nullableReal('The new angle in radians; null for 0.')),
    velocity: Type.Optional(nullable(Vec2, 'The new velocity; null for a body at rest.')),
    angularVelocity: Type.Optional(nullableReal('The new angular velocity, radians per second; null for none.')),
  },
  FLOOR,
)
export type SceneBody = Static<typeof SceneBody>
export type SceneBodyRequest = Static<typeof SceneBodyRequest>
export type SceneBodyPatch = Static<typeof SceneBodyPatch>

export const {
  body: SceneBody3d,
  request: SceneBody3dRequest,
  patch: SceneBody3dPatch,
} = sceneBodies(
  space,
  MovingBody3d.properties,
  {
    shape: Type.Optional(reference(Shape3d, 'The new shape.')),
    position: Type.Optional(nullable(Vec3, 'The new position; null for the origin.')),
    orientation: Type.Optional(nullable(Quaternion, 'The new orientation; null for none.')),
    velocity: Type.Optional(nullable(Vec3, 'The new velocity; null for a body at rest.')),
    angularVelocity: Type.Optional(
      nullable(Vec3, 'The new angular velocity, an axis times radians per second; null for none.'),
    ),
  },
  FLOOR_3D,
)
