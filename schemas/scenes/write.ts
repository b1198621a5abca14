// POST /v1/2d/scenes/{sceneId}/operations: many changes at once, and the changes there are.

import { type Static, Type } from '@sinclair/typebox'
import { index, real } from '../quantity.ts'
import { named, reference, taggedUnion } from '../reference.ts'
import { Vec2 } from '../vector.ts'
import { identifier, SceneBody, SceneBodyPatch } from './body.ts'
import { version } from './scene.ts'

/** Hard limit of one write; the service is configured with one that is not greater. */
export const MAX_SCENE_OPERATIONS = 1_000_000

const op = <Op extends string>(word: Op, description: string) => Type.Literal(word, { description })
const id = identifier('The body, which must be there.')

const ScenePutOperation = Type.Object(
  { op: op('put', 'Puts a body, in place of the one that has its id.'), body: reference(SceneBody, 'The body.') },
  named('ScenePutOperation', 'Puts a body into the scene.'),
)

const SceneMoveOperation = Type.Object(
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

const ScenePatchOperation = Type.Object(
  { op: op('patch', 'Replaces fields of a body.'), id, fields: reference(SceneBodyPatch, 'The new fields.') },
  named('ScenePatchOperation', 'Changes a body.'),
)

const SceneRemoveOperation = Type.Object(
  { op: op('remove', 'Removes a body.'), id },
  named('SceneRemoveOperation', 'Removes a body from the scene.'),
)

const SceneClearOperation = Type.Object(
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

export const SceneOperationsRequest = Type.Object(
  {
    operations: Type.Array(reference(SceneOperation), {
      maxItems: MAX_SCENE_OPERATIONS,
      minItems: 1,
      description: 'The changes, in order; each sees those before it. All are made, or none.',
    }),
  },
  named('SceneOperationsRequest', 'One write to a scene.', {
    'put-and-move': {
      operations: [
        { op: 'put', body: { id: 'crate-7', shape: { type: 'box', width: 1, height: 1 }, tags: ['crate'] } },
        { op: 'move', id: 'crate-7', position: { x: 3, y: 0.5 } },
      ],
    },
  }),
)
export type SceneOperationsRequest = Static<typeof SceneOperationsRequest>

const SceneChange = Type.Object(
  {
    id: Type.String({ description: 'A body that would be put, moved or patched.' }),
    newOverlaps: Type.Array(Type.String({ description: 'A body.' }), {
      description: 'By id, those it would meet and does not meet now. Touching counts.',
    }),
  },
  named('SceneChange', 'What would become of a body.'),
)

export const SceneOperationsResponse = Type.Object(
  {
    version: version('The number of this write; of a dry run, the version that it was tried on.'),
    applied: index('How many operations were applied: all of them, or, in a dry run, 0.'),
    changes: Type.Optional(
      Type.Array(reference(SceneChange), { description: 'Of a dry run only: the changed bodies, by id.' }),
    ),
    truncated: Type.Optional(
      Type.Boolean({ description: 'Of a dry run only: true when there are more new overlaps than are given.' }),
    ),
  },
  named('SceneOperationsResponse', 'The write is durable; or what it would do.', [{ version: 2, applied: 2 }]),
)
export type SceneOperationsResponse = Static<typeof SceneOperationsResponse>
