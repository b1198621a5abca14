// The two dimensions of scenes as their routes have them: words of paths, and schemas.

import { SceneBody3dPatch, SceneBody3dRequest, SceneBodyPatch, SceneBodyRequest } from '../../schemas/scenes/body.ts'
import {
  SceneBody3dList,
  SceneBody3dListParameters,
  SceneBody3dResponse,
  SceneBodyList,
  SceneBodyListParameters,
  SceneBodyResponse,
  SceneDocument,
  SceneDocument3d,
  SceneList,
  SceneList3d,
} from '../../schemas/scenes/scene.ts'
import {
  SceneOperation,
  SceneOperation3d,
  SceneOperations3dRequest,
  SceneOperationsRequest,
} from '../../schemas/scenes/write.ts'
import { SCENE_BODY_3D_PROBLEMS, SCENE_BODY_PROBLEMS } from './problem-lists.ts'

/** Of the plane or of space: `path` is the word of paths, `tag` the end of names in the OpenAPI document. */
export const SCENE_DIMENSIONS = [
  {
    dimension: 2,
    path: '/v1/2d/scenes',
    name: '',
    tag: '',
    ofSpace: '',
    unbounded: 'half-planes',
    document: SceneDocument,
    list: SceneList,
    body: SceneBodyRequest,
    patch: SceneBodyPatch,
    bodyAnswer: SceneBodyResponse,
    bodies: SceneBodyList,
    bodiesAsked: SceneBodyListParameters,
    operation: SceneOperation,
    write: SceneOperationsRequest,
    bodyProblems: SCENE_BODY_PROBLEMS,
  },
  {
    dimension: 3,
    path: '/v1/3d/scenes',
    name: '3d',
    tag: '-3d',
    ofSpace: ' of space',
    unbounded: 'half-spaces',
    document: SceneDocument3d,
    list: SceneList3d,
    body: SceneBody3dRequest,
    patch: SceneBody3dPatch,
    bodyAnswer: SceneBody3dResponse,
    bodies: SceneBody3dList,
    bodiesAsked: SceneBody3dListParameters,
    operation: SceneOperation3d,
    write: SceneOperations3dRequest,
    bodyProblems: SCENE_BODY_3D_PROBLEMS,
  },
] as const

export type SceneDimensionSchemas = (typeof SCENE_DIMENSIONS)[number]

/** Where the scenes of a dimension are. */
export function scenesPath(dimension: 2 | 3): string {
  return SCENE_DIMENSIONS[dimension - 2].path
}
