// GET /v1/2d/scenes/{sceneId}/export: the bodies of a scene as a file.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SvgPicture } from '../../schemas/picture.ts'
import { reference } from '../../schemas/reference.ts'
import { GeoJsonFeatures, SceneExport, SceneExportParameters } from '../../schemas/scenes/export.ts'
import { READ_HEADERS, ReadHeaders, SceneParameters, unchanged } from '../../schemas/scenes/headers.ts'
import { PICTURE_TYPE } from '../queries/answers/picture.ts'
import { sendExport } from '../replies/scene-exports.ts'
import { readScene } from '../replies/scene-reads.ts'
import { isKnown } from '../replies/scene-versions.ts'
import { isProblem } from '../wire/problems/decode-problem.ts'
import { READ_PROBLEMS, WORK_PROBLEMS } from '../wire/problems/problem-lists.ts'
import { readExport } from '../wire/scenes/query-strings.ts'

const FILE_HEADER = {
  'Content-Disposition': {
    type: 'string',
    description: 'A name for the file, such as attachment; filename="cellar.svg".',
  },
}

export const sceneExportRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/v1/2d/scenes/:sceneId/export', {
    schema: {
      operationId: 'exportScene',
      tags: ['scene-bodies'],
      summary: 'The scene as a file',
      description:
        'All bodies of one version, by id, however many. The service’s own JSON loses nothing, and is imported with format=json. GeoJSON and SVG are for other programs; with the same yUp, scale and offset an import takes them back.',
      params: SceneParameters,
      querystring: SceneExportParameters,
      headers: ReadHeaders,
      response: {
        200: {
          description:
            'The file: the service’s own JSON, GeoJSON as `application/geo+json`, or a drawing as `image/svg+xml`, as format says.',
          headers: { ...READ_HEADERS, ...FILE_HEADER },
          content: {
            'application/json': { schema: reference(SceneExport) },
            'application/geo+json': { schema: reference(GeoJsonFeatures) },
            [PICTURE_TYPE]: { schema: SvgPicture },
          },
        },
        304: unchanged,
      },
    },
    config: { problems: [...READ_PROBLEMS, ...WORK_PROBLEMS, 'aabb-inverted', 'coordinate-out-of-range'] },
    handler: async (request, reply) => {
      const scene = await readScene(request, reply, request.params.sceneId)
      if (scene === null) return reply
      const asked = readExport(request.query)
      if (isProblem(asked)) return reply.geometryProblem(asked)
      if (isKnown(request, reply, scene)) return reply
      return sendExport(request, reply, scene, asked)
    },
  })
}
