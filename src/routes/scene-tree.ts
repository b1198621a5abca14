// GET /v1/2d/scenes/{sceneId}/tree, and /v1/3d/…: the boxes of the tree that queries go through.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ReadHeaders, read, SceneParameters, unchanged } from '../../schemas/scenes/headers.ts'
import { DEFAULT_TREE_BOXES, SceneTree, SceneTree3d, SceneTreeParameters } from '../../schemas/scenes/tree.ts'
import { isKnown, readScene } from '../replies/scene-reads.ts'
import { boxCount, type TreeBox, treeBoxes } from '../scene/queries/tree-boxes.ts'
import { presentView } from '../scene/state/view.ts'
import { READ_PROBLEMS } from '../wire/problem-lists.ts'
import { SCENE_DIMENSIONS } from '../wire/scene-dimensions.ts'

const ANSWERS = { 2: read(SceneTree, 'The boxes.'), 3: read(SceneTree3d, 'The boxes.') } as const

export const sceneTreeRoute: FastifyPluginAsyncTypebox = async (app) => {
  for (const { dimension, path, name, tag, ofSpace, unbounded } of SCENE_DIMENSIONS) {
    app.get(`${path}/:sceneId/tree`, {
      schema: {
        operationId: `getSceneTree${name}`,
        tags: [`scene-bodies${tag}`],
        summary: `How are the bodies of the scene${ofSpace} nested?`,
        description: `The boxes of the dynamic tree that queries go through, from its root on: where a scene is slow, they show bodies whose boxes are large or lie in each other. Bodies without bounds, such as ${unbounded}, are in no box. The tree is another one after a restart, or on another instance; no answer depends on it.`,
        params: SceneParameters,
        querystring: SceneTreeParameters,
        headers: ReadHeaders,
        response: { 200: ANSWERS[dimension], 304: unchanged },
      },
      config: { problems: READ_PROBLEMS },
      handler: async (request, reply) => {
        const scene = await readScene(request, reply, request.params.sceneId)
        if (scene === null) return reply
        if (isKnown(request, reply, scene)) return reply
        const { version, table } = presentView(scene)
        const { limit = DEFAULT_TREE_BOXES } = request.query
        const boxes = treeBoxes(table.tree, limit).map(dimension === 2 ? boxOfPlane : boxOfSpace)
        return { version, boxCount: boxCount(table.tree), boxes } as never
      },
    })
  }
}

function boxOfPlane({ depth, sides: [minX, minY, maxX, maxY] }: TreeBox): SceneTree['boxes'][number] {
  return { depth, min: { x: minX, y: minY }, max: { x: maxX, y: maxY } }
}

function boxOfSpace({ depth, sides }: TreeBox): SceneTree3d['boxes'][number] {
  const [minX, minY, minZ, maxX, maxY, maxZ] = sides
  return { depth, min: { x: minX, y: minY, z: minZ }, max: { x: maxX, y: maxY, z: maxZ } }
}
