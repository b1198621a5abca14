// POST /v1/2d/scenes/{sceneId}/operations: many changes at once.

import { type Static, Type } from '@sinclair/typebox'
import { index } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { version } from './scene.ts'
import { MAX_SCENE_OPERATIONS, SceneOperation } from './scene-operation.ts'

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

export const SceneChange = Type.Object(
  {
    id: Type.String({ description: 'A body that would be put, moved or patched.' }),
    newOverlaps: Type.Array(Type.String({ description: 'A body.' }), {
      description: 'By id, those it would meet and does not meet now. Touching counts.',
    }),
  },
  named('SceneChange', 'What would become of a body.'),
)
export type SceneChange = Static<typeof SceneChange>

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
