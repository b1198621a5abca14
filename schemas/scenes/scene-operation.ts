// What can be done to a scene.

import { type Static, Type } from '@sinclair/typebox'
import { real } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { taggedUnion } from '../tagged-union.ts'
import { Vec2 } from '../vec2.ts'
import { identifier, SceneBody, SceneBodyPatch } from './scene-body.ts'

/** Hard limit of one write; the service is configured with one that is not greater. */
export const MAX_SCENE_OPERATIONS = 1_000_000

const op = <Op extends string>(word: Op, description: string) => Type.Literal(word, { description })
const id = identifier('The body, which must be there.')

export const ScenePutOperation = Type.Object(
  { op: op('put', 'Puts a body, in place of the one that has its id.'), body: reference(SceneBody, 'The body.') },
  named('ScenePutOperation', 'Puts a body into the scene.'),
)

export const SceneMoveOperation = Type.Object(
  {
    op: op('move', 'Gives a body another pose or motion.'),
    id,
    position: Type.Optional(reference(Vec2, 'The new position.')),
    rotation: Type.Optional(real('The new angle in radians.')),
    velocity: Type.Optional(reference(Vec2, 'The new velocity.')),
    angularVelocity: Type.Optional(real('The new angular velocity, radians per second.')),
  },
  named('SceneMoveOperation', 'Moves a body; what is absent stays as it is.'),
)

export const ScenePatchOperation = Type.Object(
  { op: op('patch', 'Replaces fields of a body.'), id, fields: reference(SceneBodyPatch, 'The new fields.') },
  named('ScenePatchOperation', 'Changes a body.'),
)

export const SceneRemoveOperation = Type.Object(
  { op: op('remove', 'Removes a body.'), id },
  named('SceneRemoveOperation', 'Removes a body from the scene.'),
)

export const SceneClearOperation = Type.Object(
  { op: op('clear', 'Removes all bodies.') },
  named('SceneClearOperation', 'Removes every body; the settings of the scene and its version go on.'),
)

export const sceneOperations = [
  ScenePutOperation,
  SceneMoveOperation,
  ScenePatchOperation,
  SceneRemoveOperation,
  SceneClearOperation,
] as const

export const SceneOperation = taggedUnion('op', sceneOperations, {
  $id: 'SceneOperation',
  description: 'One change of a scene; op says which.',
})
export type SceneOperation = Static<typeof SceneOperation>
