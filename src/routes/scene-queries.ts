// POST /v1/2d/scenes/{sceneId}/…, /v1/3d/…: queries of a scene, each at a path of its own. POST …/batch: many of them in one request, as a list or as
// lines, answered in slices on the main thread; workers do the parts that take long.

import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify'
import { reference } from '../../schemas/reference.ts'
import {
  SceneBatch3dQuery,
  SceneBatch3dRequest,
  SceneBatch3dResponse,
  SceneBatch3dResult,
  SceneBatchQuery,
  SceneBatchRequest,
  SceneBatchResponse,
  SceneBatchResult,
} from '../../schemas/scenes/batch.ts'
import { ScenePicture3dParameters, ScenePictureParameters } from '../../schemas/scenes/export.ts'
import { answeredInPictures, QuestionHeaders, read, SceneParameters } from '../../schemas/scenes/headers.ts'
import { type Config, sceneQueryLimits } from '../config.ts'
import { callFar, type FarSlices, type FarTask } from '../containers/far-call.ts'
import { LIST } from '../plugins/json-body.ts'
import { farWork, inCohort, sendWorkProblem, workProblem } from '../plugins/workers.ts'
import { type Asker, type Asking, asking, type Pausing } from '../queries/ask/ask.ts'
import { operationName } from '../queries/ask/query.ts'
import { askScene, askSceneList, type SceneQuery, type SceneQueryLimits } from '../queries/ask/scene-query.ts'
import { type Far, isSlices, LINE_ADVICE, LIST_ADVICE } from '../queries/ask/slices.ts'
import { sceneQueries, sceneQueries3d } from '../queries/scenes/all.ts'
import { PICTURE_TYPE } from '../queries/stateless/picture.ts'
import {
  answerMedia,
  batchChecks,
  batchMedia,
  isLines,
  isTooMany,
  readBatch,
  sendLines,
} from '../replies/batch-replies.ts'
import { isWanted, offering, sendInSlices, sendOutcome, sendPieces, wantsPicture } from '../replies/query-replies.ts'
import { sendQuestion, sendQuestions } from '../replies/scene-pictures.ts'
import { lookUpScene, readScene, staleness, tagVersion } from '../replies/scene-reads.ts'
import type { SceneDimension } from '../scene/state/geometry.ts'
import type { Scene } from '../scene/state/scene.ts'
import { type DecodeProblem, isProblem } from '../wire/decode-problem.ts'
import { schemasByName } from '../wire/named-schemas.ts'
import { PICTURE_PROBLEMS, SCENE_QUERY_PROBLEMS, VIEW_PROBLEMS } from '../wire/problem-lists.ts'
import { readScenePicture } from '../wire/query-strings.ts'
import { scenesPath } from '../wire/scene-dimensions.ts'

/** How often asking a scene counts as using it, in milliseconds. */
const USE_MS = 250

/** A scene as it is each time that it is asked; where it is not in memory, it is sought while the question waits. */
class PresentScene {
  readonly #app: FastifyInstance
  readonly #sceneId: string
  readonly #dimension: SceneDimension
  readonly #seek: FarTask = { kind: 'scene' }
  #usedAt = 0

  constructor(app: FastifyInstance, sceneId: string, dimension: SceneDimension) {
    this.#app = app
    this.#sceneId = sceneId
    this.#dimension = dimension
  }

  ask(answer: (scene: Scene) => object | FarSlices<object>): object | FarSlices<object> {
    const stale = staleness(this.#app)
    if (stale !== null) return stale
    const scene = this.#app.scenes.keeper?.loaded(this.#sceneId) ?? null
    if (scene === null) return this.#sought(answer)
    const now = performance.now()
    if (now - this.#usedAt > USE_MS) {
      this.#usedAt = now
      void this.#lookUp()
    }
    return answer(scene)
  }

  /** Does what `ask` calls for, and by `far` what else is called for. */
  seeking(far: Far): Far {
    return (task, deadline) => (task === this.#seek ? this.#lookUp() : far(task, deadline))
  }

  *#sought(answer: (scene: Scene) => object | FarSlices<object>): FarSlices<object> {
    const found = yield* callFar<Scene | DecodeProblem>(this.#seek)
    if (isProblem(found)) return found
    const outcome = answer(found)
    return isSlices(outcome) ? yield* outcome : outcome
  }

  #lookUp(): Promise<Scene | DecodeProblem> {
    return lookUpScene(this.#app, this.#sceneId, this.#dimension)
  }
}

/** Asks the queries of a batch; `answer`: of each of its lines. */
function sceneAsker(
  reply: FastifyReply,
  batch: Asking<SceneQuery>,
  answer: Asker<SceneQuery>['answer'],
  seeking: (far: Far) => Far,
): Asker<SceneQuery> {
  const { server, request } = reply
  const onFault = (err: unknown) => server.logger.error({ err, reqId: request.id }, 'query failed')
  const pausing: Pausing = {
    time: server.workers.options.deadline,
    far: seeking(farWork(reply)),
    problemOf: (error) => workProblem(error, LINE_ADVICE, server),
  }
  return batch.asker({ requestId: request.id, answer, onFault, pausing })
}

/** Sends what comes in pieces, or the problem that it ends with before the first. */
async function sendWork(
  reply: FastifyReply,
  pieces: AsyncGenerator<Buffer, void, undefined>,
): Promise<FastifyReply | undefined> {
  try {
    return await sendPieces(reply, pieces)
  } catch (error) {
    return sendWorkProblem(reply, error, LIST_ADVICE)
  }
}

/** The queries of each dimension. */
const QUERIES = [
  {
    dimension: 2,
    tag: 'scene-queries',
    queries: sceneQueries,
    parameters: ScenePictureParameters,
    pictureProblems: PICTURE_PROBLEMS,
  },
  {
    dimension: 3,
    tag: 'scene-queries-3d',
    queries: sceneQueries3d,
    parameters: ScenePicture3dParameters,
    pictureProblems: VIEW_PROBLEMS,
  },
] as const

export const sceneQueryRoutes: FastifyPluginAsync<Config> = async (app, config) => {
  const limits = sceneQueryLimits(config)
  for (const each of QUERIES) {
    // lint may write as well: it has a route of its own
    for (const query of each.queries) if (query.op !== 'lint') addQuery(app, each, query, limits)
  }
}

function addQuery(
  app: FastifyInstance,
  { dimension, tag, parameters, pictureProblems }: (typeof QUERIES)[number],
  query: SceneQuery,
  limits: SceneQueryLimits,
): void {
  const { op, summary, description, problems } = query
  app.post(`${scenesPath(dimension)}/:sceneId/${op}`, {
    schema: {
      operationId: operationName(`scene-${op}`, `${dimension}d`),
      tags: [tag],
      summary,
      description,
      params: SceneParameters,
      headers: QuestionHeaders,
      body: reference(query.request),
      querystring: parameters,
      response: { 200: answeredInPictures(query.response, 'The answer') },
    },
    config: { problems: [...new Set([...problems, ...pictureProblems])], isQuery: true },
    preParsing: offering('application/json', PICTURE_TYPE),
    preHandler: inCohort,
    handler: async (request, reply) => {
      const { sceneId } = request.params as SceneParameters
      const scene = await readScene(request, reply, sceneId)
      if (scene === null) return reply
      const picture = readScenePicture(request.query as ScenePictureParameters)
      if (isProblem(picture)) return reply.geometryProblem(picture)
      tagVersion(reply, scene)
      if (wantsPicture(request)) {
        const asked = { query, request: request.body as object, limits, picture }
        return sendQuestion(reply, scene, sceneId, asked)
      }
      const outcome = askScene(scene, query, request.body as Record<string, unknown>, limits)
      return isSlices(outcome) ? sendInSlices(reply, query, outcome) : sendOutcome(reply, query, outcome)
    },
  })
}

const LISTED =
  'The results, in the order of the queries. Answers as lines have no ETag. With `Accept: image/svg+xml` a drawing of each of the first 16 queries of a list and of its answer instead, one below the other.'

/** Batches of each dimension. */
const BATCHES = [
  {
    dimension: 2,
    id: 'sceneBatch',
    tag: 'scene-queries',
    queries: sceneQueries,
    query: SceneBatchQuery,
    request: SceneBatchRequest,
    response: SceneBatchResponse,
    result: SceneBatchResult,
    parameters: ScenePictureParameters,
    pictureProblems: PICTURE_PROBLEMS,
  },
  {
    dimension: 3,
    id: 'sceneBatch3d',
    tag: 'scene-queries-3d',
    queries: sceneQueries3d,
    query: SceneBatch3dQuery,
    request: SceneBatch3dRequest,
    response: SceneBatch3dResponse,
    result: SceneBatch3dResult,
    parameters: ScenePicture3dParameters,
    pictureProblems: VIEW_PROBLEMS,
  },
] as const

export const sceneBatchRoute: FastifyPluginAsync<Config> = async (app, config) => {
  // each reads its bodies in its own way
  for (const batch of BATCHES) await app.register(async (scope) => addBatch(scope, batch, config))
}

function addBatch(app: FastifyInstance, each: (typeof BATCHES)[number], config: Config): void {
  const {
    dimension,
    queries: known,
    query: anyQuery,
    request: asked,
    response: answered,
    parameters,
    pictureProblems,
  } = each
  const limits = sceneQueryLimits(config)
  const batch = asking(schemasByName, known, anyQuery)
  readBatch(app, batch, config.MAX_BATCH)
  app.post(`${scenesPath(dimension)}/:sceneId/batch`, {
    schema: {
      operationId: each.id,
      tags: [each.tag],
      summary: 'Many queries of one scene at once, of any kind',
      description:
        'Each query gets what its own path would have answered, with op before it, or a problem, with op problem, where that would have been one; the status is 200 all the same. A list is answered from one version of the scene, whatever is written meanwhile. As application/x-ndjson the body is a stream of any length, one query a line, one result a line, and each line is answered from the scene as it is then.',
      params: SceneParameters,
      headers: QuestionHeaders,
      querystring: parameters,
      body: batchMedia(reference(asked), reference(anyQuery)),
      response: {
        200: {
          ...read(answered, LISTED),
          ...answerMedia(reference(answered), reference(each.result)),
        },
      },
    },
    config: {
      problems: [...new Set([...SCENE_QUERY_PROBLEMS, ...pictureProblems]), 'too-many-queries'],
      isQuery: true,
    },
    ...batchChecks(batch, schemasByName),
    handler: async (request, reply) => {
      const { sceneId } = request.params as SceneParameters
      const scene = await readScene(request, reply, sceneId)
      if (scene === null) return reply
      const present = new PresentScene(app, sceneId, dimension)
      const answer = (query: SceneQuery, body: Record<string, unknown>) =>
        present.ask((now) => askScene(now, query, body, limits))
      const asker = sceneAsker(reply, batch, answer, (far) => present.seeking(far))
      const picture = readScenePicture(request.query as ScenePictureParameters)
      if (isProblem(picture)) return reply.geometryProblem(picture)
      if (isLines(request.body)) return sendLines(reply, asker, request.body, config)
      const { queries } = request.body as { queries: unknown[] }
      if (isTooMany(reply, queries, config.MAX_BATCH)) return
      if (wantsPicture(request)) {
        return sendQuestions(tagVersion(reply, scene), scene, sceneId, { asker, queries, limits, picture })
      }
      const results = askSceneList(scene, asker, queries, limits, isWanted(reply))
      return sendWork(tagVersion(reply, scene).type(LIST), results)
    },
  })
}
