// POST /v1/2d/scenes/{sceneId}/lint and /v1/3d/…: the rules of a level, and the write that mends what breaks them. Clients that accept NDJSON get lines
// with the progress, of which the last is the answer or the problem.

import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { reference } from '../../schemas/reference.ts'
import { ScenePicture3dParameters, ScenePictureParameters } from '../../schemas/scenes/export.ts'
import { answeredInPictures, MendHeaders, SceneParameters } from '../../schemas/scenes/headers.ts'
import { lintProgress, SceneLintParameters, type SceneLintResponse } from '../../schemas/scenes/lint.ts'
import { type Config, sceneLimits, sceneQueryLimits } from '../config.ts'
import type { FarSlices } from '../containers/far-call.ts'
import { createProgress, noteStage, noting, notingSlices, type Progress } from '../containers/progress.ts'
import { LINES } from '../plugins/json-body.ts'
import { inCohort } from '../plugins/workers.ts'
import { jsonPieces } from '../queries/ask/long-answer.ts'
import { operationName } from '../queries/ask/query.ts'
import type { SceneQuery, SceneQueryLimits } from '../queries/ask/scene-query.ts'
import { sceneQueries, sceneQueries3d } from '../queries/scenes/all.ts'
import { PICTURE_TYPE } from '../queries/stateless/picture.ts'
import { outcomeOf, sendLines, wantsLines } from '../replies/progress-lines.ts'
import { isWanted, offering, runInSlices, sendOutcome, wantsPicture } from '../replies/query-replies.ts'
import { sendQuestion } from '../replies/scene-pictures.ts'
import { findKeeper, isAskedFor, readScene, replyToStoreError, tagVersion } from '../replies/scene-reads.ts'
import { replyToOtherVersion, replyToRefusal } from '../replies/scene-writes.ts'
import type { Operation } from '../scene/state/operation.ts'
import type { Scene } from '../scene/state/scene.ts'
import { onView } from '../scene/state/view.ts'
import { shownDigest } from '../scene/store/checksum-frame.ts'
import { type DecodeProblem, isProblem } from '../wire/decode-problem.ts'
import { PICTURE_PROBLEMS, VIEW_PROBLEMS } from '../wire/problem-lists.ts'
import { readScenePicture } from '../wire/query-strings.ts'
import { SCENE_DIMENSIONS } from '../wire/scene-dimensions.ts'
import type { CurrentVersion } from '../wire/scene-document.ts'

interface Mending {
  maxOperations: number
  isDryRun: boolean
}

interface Checked {
  stand: CurrentVersion
  answer: SceneLintResponse
}

/** The fixes that go together, the first first: none is about a body that another changes, as both would give way then. */
function mendingOf({ findings }: SceneLintResponse, maxOperations: number): { operations: Operation[]; fixed: number } {
  const operations: Operation[] = []
  const changed = new Set<string>()
  const named = new Set<string>()
  let fixed = 0
  for (const { fix, bodies } of findings) {
    const changes = (fix?.operations ?? []) as { id: string }[]
    if (changes.length === 0 || bodies.some((id) => changed.has(id))) continue
    if (changes.some(({ id }) => changed.has(id) || named.has(id))) continue
    // of more copies than a write may remove some now and the others when asked again; what falls as one is not divided
    const room = maxOperations - operations.length
    const now = fix?.kind === 'remove' ? changes.slice(0, room) : changes
    if (now.length === 0 || now.length > room) break
    for (const { id } of now) changed.add(id)
    for (const id of bodies) named.add(id)
    operations.push(...(now as unknown as Operation[]))
    fixed++
  }
  return { operations, fixed }
}

function* check(
  scene: Scene,
  query: SceneQuery,
  request: object,
  limits: SceneQueryLimits,
): FarSlices<Checked | DecodeProblem> {
  return yield* onView(scene, function* (view) {
    const answer = yield* query.answer(view, request, limits)
    if (isProblem(answer)) return answer
    const { version, digest } = view
    return { stand: { version, digest }, answer: answer as SceneLintResponse }
  })
}

type Asked = FastifyRequest & { body: object }

async function answerCheck(
  request: Asked,
  reply: FastifyReply,
  scene: Scene,
  {
    query,
    limits,
    mending,
    progress,
  }: { query: SceneQuery; limits: SceneQueryLimits; mending: Mending | null; progress: Progress | undefined },
): Promise<unknown> {
  if (!isAskedFor(request, scene)) return replyToOtherVersion(reply, scene)
  const work = notingSlices(progress, check(scene, query, request.body, limits))
  const done = await runInSlices(reply, query.advice, work)
  if (done === null) return reply
  const { result } = done
  if (isProblem(result)) return reply.geometryProblem(result)
  const { stand, answer } = result
  if (mending === null) {
    tagVersion(reply, stand)
    return answer
  }
  const { operations, fixed } = mendingOf(answer, mending.maxOperations)
  if (mending.isDryRun || operations.length === 0) {
    tagVersion(reply, stand)
    return { ...answer, fixed }
  }
  noting(progress, () => noteStage('writing'))
  const keeper = findKeeper(reply)
  if (keeper === null) return reply
  try {
    const condition = { ifVersion: stand.version, ifDigest: shownDigest(stand.digest as Uint8Array) }
    const outcome = await keeper.write(scene.id, { operations, at: keeper.time(), ...condition })
    if (!('refusal' in outcome)) {
      tagVersion(reply, outcome)
      return { ...answer, version: outcome.version, fixed }
    }
    if (outcome.refusal !== 'other-version') return replyToRefusal(reply, scene.id, outcome)
    const { version: actual } = outcome
    const detail = `The scene was written to while version ${stand.version} was checked; nothing was mended. Ask again.`
    return tagVersion(reply, outcome).problem('version-mismatch', detail, { actual })
  } catch (error) {
    return replyToStoreError(reply, error)
  }
}

const ROUTES = [
  { queries: sceneQueries, parameters: ScenePictureParameters, pictureProblems: PICTURE_PROBLEMS },
  { queries: sceneQueries3d, parameters: ScenePicture3dParameters, pictureProblems: VIEW_PROBLEMS },
] as const

export const sceneLintRoutes: FastifyPluginAsync<Config> = async (app, config) => {
  for (const [k, route] of ROUTES.entries()) addLint(app, config, SCENE_DIMENSIONS[k], route)
}

function addLint(
  app: FastifyInstance,
  config: Config,
  { dimension, path, bodyProblems }: (typeof SCENE_DIMENSIONS)[number],
  { queries, parameters, pictureProblems }: (typeof ROUTES)[number],
): void {
  const query = queries.find(({ op }) => op === 'lint') as SceneQuery
  const limits = sceneQueryLimits(config)
  const { maxOperations } = sceneLimits(config)
  const { summary, description, problems } = query
  const asked = Type.Object({ ...(parameters as TObject).properties, ...SceneLintParameters })
  const answered = answeredInPictures(query.response, 'What was found')
  app.post(`${path}/:sceneId/lint`, {
    schema: {
      operationId: operationName('scene-lint', `${dimension}d`),
      tags: [`scene-queries${dimension === 3 ? '-3d' : ''}`],
      summary,
      description: `${description} With fix=true what would mend the findings is written as well, all at once, unless the scene has been written to meanwhile. As application/x-ndjson the answer says how far the check is, a SceneLintProgress a line; the last line is the answer, or a problem with the status 200.`,
      params: SceneParameters,
      headers: MendHeaders,
      body: reference(query.request),
      querystring: asked,
      response: {
        200: { ...answered, content: { ...answered.content, [LINES]: { schema: reference(lintProgress.line) } } },
      },
    },
    config: {
      problems: [...new Set([...problems, ...pictureProblems, ...bodyProblems, 'version-mismatch' as const])],
      // as the parameter is sent: it has not been read yet
      isQuery: ({ query: sent }) => ((sent as { fix?: unknown }).fix ?? 'false') === 'false',
    },
    preParsing: offering('application/json', PICTURE_TYPE, LINES),
    preHandler: inCohort,
    handler: async (request, reply) => {
      const { sceneId } = request.params as SceneParameters
      const {
        fix = false,
        dryRun = false,
        ...pictured
      } = request.query as Static<typeof asked> & {
        fix?: boolean
        dryRun?: boolean
      }
      const scene = await readScene(request, reply, sceneId)
      if (scene === null) return reply
      const picture = readScenePicture(pictured as ScenePictureParameters)
      if (isProblem(picture)) return reply.geometryProblem(picture)
      // problems are of a version as well
      tagVersion(reply, scene)
      if (wantsPicture(request)) {
        return sendQuestion(reply, scene, sceneId, { query, request: request.body as object, limits, picture })
      }
      const mending = fix ? { maxOperations, isDryRun: dryRun } : null
      const progress = wantsLines(request) ? createProgress(lintProgress) : undefined
      const work = (told: FastifyReply) =>
        answerCheck(request as Asked, told, scene, { query, limits, mending, progress })
      if (progress !== undefined) {
        const pieces = outcomeOf(reply, work).then((outcome) => jsonPieces(outcome, isWanted(reply)))
        return sendLines(reply, progress, pieces)
      }
      const answer = await work(reply)
      return answer === reply || answer === undefined ? reply : sendOutcome(reply, query, answer as object)
    },
  })
}
