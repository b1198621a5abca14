// GET /v1/2d/scenes/{sceneId}/tree, and /v1/3d/…: the boxes of the tree that queries go through.

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { plane, space } from '../dimensions.ts'
import { index } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { atLeast } from './headers.ts'
import { version } from './scene.ts'

export const MAX_TREE_BOXES = 5000
export const DEFAULT_TREE_BOXES = 1000

export const SceneTreeParameters = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      format: 'int32',
      minimum: 1,
      maximum: MAX_TREE_BOXES,
      description: `Most boxes of the answer; those nearest to the root are in it. ${DEFAULT_TREE_BOXES} when absent.`,
    }),
  ),
  atLeast,
})
export type SceneTreeParameters = Static<typeof SceneTreeParameters>

function sceneTree<V extends TSchema>(
  { tag, vector, axes }: { tag: string; vector: V; axes: string },
  example: object,
) {
  const box = Type.Object(
    {
      depth: index('Boxes around it: 0 of the root, which holds all others.'),
      min: reference(vector, `Least ${axes}.`),
      max: reference(vector, `Greatest ${axes}.`),
    },
    named(
      `SceneTreeBox${tag}`,
      'A box of the tree of a scene, rounded outward and widened by the margin of the scene.',
    ),
  )
  return Type.Object(
    {
      version: version('The version of the scene.'),
      boxCount: index('Boxes of the whole tree: each holds two others, or one body.'),
      boxes: Type.Array(reference(box), { description: 'By depth.' }),
    },
    named(`SceneTree${tag}`, 'The tree of a scene, from its root on.', [example]),
  )
}

const EXAMPLE = { depth: 0, min: { x: -10, y: -1 }, max: { x: 10, y: 4.5 } }
const EXAMPLE_3D = { depth: 0, min: { x: -10, y: -1, z: -5 }, max: { x: 10, y: 4.5, z: 5 } }

export const SceneTree = sceneTree(plane, { version: 2, boxCount: 7, boxes: [EXAMPLE] })
export type SceneTree = Static<typeof SceneTree>
export const SceneTree3d = sceneTree(space, { version: 2, boxCount: 7, boxes: [EXAMPLE_3D] })
export type SceneTree3d = Static<typeof SceneTree3d>
