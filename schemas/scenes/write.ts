// POST /v1/2d/scenes/{sceneId}/operations: many changes at once, and the changes there are.

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { plane, space } from '../dimensions.ts'
import { index, real } from '../quantity.ts'
import { named, reference, taggedUnion } from '../reference.ts'
import { Quaternion, Vec2, Vec3 } from '../vector.ts'
import { identifier, SceneBody, SceneBody3d, SceneBody3dPatch, SceneBodyPatch } from './body.ts'
import { version } from './scene.ts'

/** Hard limit of one write; the service is configured with one that is not greater. */
export const MAX_SCENE_OPERATIONS = 1_000_000

const op = <Op extends string>(word: Op, description: string) => Type.Literal(word, { description })
const id = identifier('The body, which must be there.')

const SceneRemoveOperation = Type.Object(
  { op: op('remove', 'Removes a body.'), id },
  named('SceneRemoveOperation', 'Removes a body from the scene.'),
)

const SceneClearOperation = Type.Object(
  { op: op('clear', 'Removes all bodies.') },
  named('SceneClearOperation', 'Removes every body; the settings of the scene and its version go on.'),
)

/** The changes that bodies have a part in. `placement`: fields of a move. */
function changes<B extends TSchema, F extends TSchema, Placement extends TProperties>(
  { tag, ofSpace }: { tag: string; ofSpace: string },
  body: B,
  fields: F,
  placement: Placement,
) {
  const put = Type.Object(
    { op: op('put', 'Puts a body, in place of the one that has its id.'), body: reference(body, 'The body.') },
    named(`ScenePut${tag}Operation`, `Puts a body into the scene${ofSpace}.`),
  )
  const move = Type.Object(
    { op: op('move', 'Gives a body another pose or motion.'), id, ...placement },
    named(`SceneMove${tag}Operation`, `Moves a body${ofSpace}; what is absent stays as it is.`),
  )
  const patch = Type.Object(
    { op: op('patch', 'Replaces fields of a body.'), id, fields: reference(fields, 'The new fields.') },
    named(`ScenePatch${tag}Operation`, `Changes a body${ofSpace}.`),
  )
  return { put, move, patch }
}

function writeOf<Operation extends TSchema>(
  { tag, ofSpace }: { tag: string; ofSpace: string },
  operation: Operation,
  operations: readonly object[],
) {
  return Type.Object(
    {
      operations: Type.Array(reference(operation), {
        maxItems: MAX_SCENE_OPERATIONS,
        minItems: 1,
        description: 'The changes, in order; each sees those before it. All are made, or none.',
      }),
    },
    named(`SceneOperations${tag}Request`, `One write to a scene${ofSpace}.`, { 'put-and-move': { operations } }),
  )
}

const inPlane = changes(plane, SceneBody, SceneBodyPatch, {
  position: Type.Optional(reference(Vec2, 'The new position.')),
  rotation: Type.Optional(real('The new angle in radians.')),
  velocity: Type.Optional(reference(Vec2, 'The new velocity.')),
  angularVelocity: Type.Optional(real('The new angular velocity, radians per second.')),
})

export const sceneOperations = [
  inPlane.put,
  inPlane.move,
  inPlane.patch,
  SceneRemoveOperation,
  SceneClearOperation,
] as const

export const SceneOperation = taggedUnion('op', sceneOperations, {
  $id: 'SceneOperation',
  description: 'One change of a scene; op says which.',
})
export type SceneOperation = Static<typeof SceneOperation>

export const SceneOperationsRequest = writeOf(plane, SceneOperation, [
  { op: 'put', body: { id: 'crate-7', shape: { type: 'box', width: 1, height: 1 }, tags: ['crate'] } },
  { op: 'move', id: 'crate-7', position: { x: 3, y: 0.5 } },
])
export type SceneOperationsRequest = Static<typeof SceneOperationsRequest>

const inSpace = changes(space, SceneBody3d, SceneBody3dPatch, {
  position: Type.Optional(reference(Vec3, 'The new position.')),
  orientation: Type.Optional(reference(Quaternion, 'The new orientation.')),
  velocity: Type.Optional(reference(Vec3, 'The new velocity.')),
  angularVelocity: Type.Optional(reference(Vec3, 'The new angular velocity, an axis times radians per second.')),
})

export const SceneOperation3d = taggedUnion(
  'op',
  [inSpace.put, inSpace.move, inSpace.patch, SceneRemoveOperation, SceneClearOperation] as const,
  { $id: 'SceneOperation3d', description: 'One change of a scene of space; op says which.' },
)

export const SceneOperations3dRequest = writeOf(space, SceneOperation3d, [
  { op: 'put', body: { id: 'crate-7', shape: { type: 'box', size: { x: 1, y: 1, z: 1 } }, tags: ['crate'] } },
  { op: 'move', id: 'crate-7', position: { x: 3, y: 0.5, z: -2 } },
])

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
