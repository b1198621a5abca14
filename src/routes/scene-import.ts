// POST /v1/2d/scenes/{sceneId}/import: a level editor's own file as bodies of a scene. A worker reads the file; its bodies become one
// write. Clients that accept NDJSON get lines with the progress, of which the last is the report or the problem.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answeredInLines, SceneParameters, WriteHeaders } from '../../schemas/scenes/headers.ts'
import {
  type ImportFormat,
  importProgress,
  SceneImportParameters,
  SceneImportResponse,
} from '../../schemas/scenes/import.ts'
import { type Config, queryLimits, sceneLimits } from '../config.ts'
import { callFar, type FarSlices } from '../containers/far-call.ts'
import { createProgress, noteStage, noting, type Progress } from '../containers/progress.ts'
import { FEWER_OPERATIONS, type Skipped } from '../import/drawing.ts'
import { guessedFormat } from '../import/guessed-format.ts'
import { ComparedFile, type ImportDiff, readSkipped } from '../import/import-diff.ts'
import { bodyCount, type ImportedFile, type ImportTask } from '../import/import-file.ts'
import { baseName, ownMemoryOf, type SourceFiles } from '../import/source-files.ts'
import { requestKey } from '../plugins/json-body.ts'
import { readFiles, SENT_FILES, sentFiles } from '../plugins/sent-files.ts'
import { parametersOnly } from '../plugins/validation.ts'
import { jsonPieces } from '../queries/ask/long-answer.ts'
import { sendLines, wantsLines } from '../replies/progress-lines.ts'
import { isWanted, runInSlices, sendOutcome } from '../replies/query-replies.ts'
import {
  askedVersions,
  findKeeper,
  findScene,
  isAskedFor,
  replyToStoreError,
  tagVersion,
} from '../replies/scene-reads.ts'
import { replyToOtherVersion, replyToRefusal } from '../replies/scene-writes.ts'
import type { WriteRequest } from '../scene/keeper/pending-write.ts'
import type { RequestKey } from '../scene/keeper/remembered-writes.ts'
import type { Operation } from '../scene/state/operation.ts'
import { bodyCountOf, type Scene } from '../scene/state/scene.ts'
import { closeView, openView, type View } from '../scene/state/view.ts'
import { shownDigest } from '../scene/store/checksum-frame.ts'
import type { ShapeLimits } from '../wire/body.ts'
import { type DecodeProblem, inRange, isProblem, outOfRange, problemExtras, problemOf } from '../wire/decode-problem.ts'
import { IMPORT_PROBLEMS } from '../wire/problem-lists.ts'
import { problemDetails } from '../wire/problems.ts'
import type { CurrentVersion } from '../wire/scene-document.ts'

/** The report or the problem. Never rejects. */
async function outcomeOf(
  reply: FastifyReply,
  work: (reply: FastifyReply) => Promise<unknown>,
): Promise<SceneImportResponse | object> {
  const { id, method, url, server } = reply.request
  let problem: object | null = null
  // The head of the answer has gone: of what replies are told only problems are still of use.
  const told = Object.create(reply, {
    problem: {
      value: (...[code, detail, extras]: Parameters<FastifyReply['problem']>) => {
        problem = problemDetails(code, detail, id, extras)
      },
    },
    geometryProblem: {
      value: (found: Parameters<FastifyReply['geometryProblem']>[0]) => {
        problem = problemDetails(found.code, found.detail, id, problemExtras(found))
      },
    },
    header: { value: () => told },
    hijack: { value: () => told },
    // awaited, a reply would wait for its own end
    // biome-ignore lint/suspicious/noThenProperty: there is to be none
    then: { value: undefined },
  }) as FastifyReply
  try {
    const report = await work(told)
    if (problem !== null) return problem
    // nobody waits for it any more
    return report === told ? {} : (report as SceneImportResponse)
  } catch (error) {
    server.logger.error({ err: error, reqId: id, method, url }, 'request failed')
    return problemDetails('internal-error', 'The service failed to answer; this is no fault of the request.', id)
  }
}

const ADVICE = 'Send a smaller file, or cells that are joined.'
const DEFAULT_SOURCE = 'import'
/** Of flattened curves, in the file's units. */
const TOLERANCE = 0.05

interface Imported {
  file: ImportedFile
  compared: ComparedFile
  /** To the view, or to what was written to since. */
  diff: ImportDiff
  /** Open. */
  view: View
  skipped: Skipped[]
  repaired: Skipped[]
}

/** Checks of the query string that a schema cannot express. */
function checkFrame({ scale = 1, offsetX = 0, offsetY = 0 }: SceneImportParameters): DecodeProblem | null {
  if (!inRange(scale)) return outOfRange(scale, '/scale', 'Scales')
  if (!inRange(offsetX)) return outOfRange(offsetX, '/offsetX', 'Offsets')
  return inRange(offsetY) ? null : outOfRange(offsetY, '/offsetY', 'Offsets')
}

/** `mostBodies`: of the file, as more cannot be written at once; `mostPieces`: of cells. `progress`: where the worker notes how far it is. */
function importTask(
  files: SourceFiles,
  format: ImportFormat,
  asked: SceneImportParameters,
  { mostBodies, mostPieces, ...limits }: ShapeLimits & { mostBodies: number; mostPieces: number },
  progress?: Progress,
): ImportTask {
  const {
    source,
    merge = true,
    solid = [],
    tolerance = TOLERANCE,
    repair,
    yUp = false,
    scale = 1,
    offsetX = 0,
    offsetY = 0,
  } = asked
  const frame = { yUp, scale, offsetX, offsetY }
  const named = baseName(files.main.name) || DEFAULT_SOURCE
  return {
    kind: 'import',
    given: ownMemoryOf(files),
    files,
    options: {
      format,
      source: source ?? (format === 'json' ? null : named),
      merge,
      solid,
      tolerance,
      frame,
      ...(repair !== undefined && { repair }),
    },
    limits,
    mostBodies,
    mostPieces,
    ...(progress !== undefined && { progress }),
  }
}

async function importInto(
  request: FastifyRequest,
  reply: FastifyReply,
  scene: Scene,
  task: ImportTask,
  { maxOperations, isDryRun }: { maxOperations: number; isDryRun: boolean },
): Promise<unknown> {
  const keeper = findKeeper(reply)
  if (keeper === null) return reply
  const key = isDryRun ? null : requestKey(request)
  const before = key && (await keeper.answered(scene.id, key).catch((error) => replyToStoreError(reply, error)))
  if (before === undefined) return reply
  if (before !== null && 'refusal' in before) {
    replyToRefusal(reply, scene.id, before)
    return reply
  }
  if (before?.answer !== undefined) return answerAgain(reply, before, before.answer)
  if (!isAskedFor(request, scene)) {
    replyToOtherVersion(reply, scene)
    return reply
  }
  const done: { result: Imported | DecodeProblem } | null = await runInSlices(reply, ADVICE, importSlices(scene, task))
  if (done === null) return reply
  const imported: Imported | DecodeProblem = done.result
  if (isProblem(imported)) return reply.geometryProblem(imported)
  try {
    const { operations } = imported.diff
    if (operations.length > maxOperations) throw new TooManyOperations(imported.diff, maxOperations)
    if (isDryRun || (operations.length === 0 && key === null)) return answer(reply, imported, imported.view)
    noting(task.progress, () => noteStage('writing'))
    const asked = writeOf(request, imported, { maxOperations, key, at: keeper.time() })
    const outcome = await keeper.write(scene.id, asked)
    if (!('refusal' in outcome)) {
      return outcome.answer === undefined
        ? answer(reply, imported, outcome)
        : answerAgain(reply, outcome, outcome.answer)
    }
    replyToRefusal(reply, scene.id, outcome)
    return reply
  } catch (error) {
    if (error instanceof TooManyOperations) return reply.geometryProblem(error.problem)
    replyToStoreError(reply, error)
    return reply
  } finally {
    closeView(scene, imported.view)
  }
}

class TooManyOperations extends Error {
  readonly problem: DecodeProblem

  constructor({ operations: { length: actual } }: ImportDiff, limit: number) {
    const detail = `One write makes at most ${limit} operations, and this import would take ${actual}. ${FEWER_OPERATIONS}`
    super(detail)
    this.problem = problemOf('too-many-operations', detail, { limit, actual })
  }
}

/**
 * A write to the version that was asked for by If-Match, or to whatever version the scene has come to: what others write is no conflict.
 * With a key it takes a place in the log in any case: it may be sent again when others have changed the scene.
 */
function writeOf(
  request: FastifyRequest,
  imported: Imported,
  { maxOperations, key, at }: { maxOperations: number; key: RequestKey | null; at: number },
): WriteRequest {
  const { compared, diff, view } = imported
  const written = (operations: readonly Operation[]): readonly Operation[] =>
    operations.length === 0 && key !== null ? [{ op: 'configure', at }] : operations
  const said = () => JSON.stringify(report(imported))
  const write = { operations: written(diff.operations), at, ...(key !== null && { key: { ...key, answer: said } }) }
  if (askedVersions(request) !== null) {
    return { ...write, ifVersion: view.version, ifDigest: shownDigest(view.digest) }
  }
  return {
    ...write,
    revise: function* (scene, ahead) {
      imported.diff = yield* compared.revised(diff, view, scene, ahead)
      if (imported.diff.operations.length > maxOperations) throw new TooManyOperations(imported.diff, maxOperations)
      return written(imported.diff.operations)
    },
  }
}

/** The view of a scene that the file was compared with is open. */
function* importSlices(scene: Scene, task: ImportTask): FarSlices<Imported | DecodeProblem> {
  const file = yield* callFar<ImportedFile | DecodeProblem>(task)
  if (isProblem(file)) return file
  noting(task.progress, () => noteStage('comparing'))
  const skipped = yield* readSkipped(file.skipped)
  const repaired = yield* readSkipped(file.repaired)
  const compared = new ComparedFile(file.bodies, task.options.source)
  const view = openView(scene)
  let imported: Imported | null = null
  try {
    imported = { file, compared, diff: yield* compared.diff(view), view, skipped, repaired }
    return imported
  } finally {
    if (imported === null) closeView(scene, view)
  }
}

function answer(reply: FastifyReply, imported: Imported, stand: CurrentVersion): SceneImportResponse {
  tagVersion(reply, stand)
  return { version: stand.version, ...report(imported) }
}

/** As the first time. */
function answerAgain(reply: FastifyReply, stand: CurrentVersion, said: string): SceneImportResponse {
  tagVersion(reply, stand)
  return { version: stand.version, ...(JSON.parse(said) as ReturnType<typeof report>) }
}

function report({ file, diff, skipped, repaired }: Imported): Omit<SceneImportResponse, 'version'> {
  const { cells, merged, bounds } = file
  const { added, updated, removed, taken } = diff
  return {
    bodies: bodyCount(file.bodies),
    added,
    updated,
    removed,
    cells,
    merged,
    skipped: [...skipped, ...taken],
    repaired,
    bounds: bounds && { min: { x: bounds.minX, y: bounds.minY }, max: { x: bounds.maxX, y: bounds.maxY } },
  }
}

export const sceneImportRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const { OPERATIONS_BODY_LIMIT: bodyLimit } = config
  const limits = { ...queryLimits(config), ...sceneLimits(config) }
  await readFiles(app)
  app.post('/v1/2d/scenes/:sceneId/import', {
    bodyLimit,
    validatorCompiler: parametersOnly,
    schema: {
      operationId: 'importScene',
      tags: ['scene-bodies'],
      summary: 'Put a level editor’s file into a scene',
      description:
        'The file is the body of the request, or the first part of multipart/form-data when it names other files, which are sent along. Everything in it that has an extent becomes a body whose id comes from the file; importing the file again changes only what has changed in it. All of it is written at once, or none. As application/x-ndjson the answer says how far the import is, a SceneImportProgress a line; the last line is the report, or a problem with the status 200.',
      params: SceneParameters,
      querystring: SceneImportParameters,
      headers: WriteHeaders,
      body: SENT_FILES,
      response: { 200: answeredInLines(SceneImportResponse, importProgress.line, 'What became of the file.') },
    },
    config: { problems: IMPORT_PROBLEMS },
    handler: async (request, reply) => {
      const scene = await findScene(reply, request.params.sceneId)
      if (scene === null) return reply
      const problem = checkFrame(request.query)
      if (problem !== null) return reply.geometryProblem(problem)
      const files = await sentFiles(request, reply, bodyLimit)
      if (files === null) return reply
      const format = request.query.format ?? guessedFormat(files.main)
      if (typeof format !== 'string') return reply.geometryProblem(format)
      const options = { maxOperations: limits.maxOperations, isDryRun: request.query.dryRun === true }
      const progress = wantsLines(request) ? createProgress(importProgress) : undefined
      // each body that is not there yet is an operation
      const mostBodies = limits.maxOperations + bodyCountOf(scene)
      const task = importTask(
        files,
        format,
        request.query,
        { ...limits, mostBodies, mostPieces: limits.maxOperations },
        progress,
      )
      const work = (answer: FastifyReply) => importInto(request, answer, scene, task, options)
      if (progress !== undefined) {
        // the list of what was skipped may be long
        const pieces = outcomeOf(reply, work).then((outcome) => jsonPieces(outcome, isWanted(reply)))
        return sendLines(reply, progress, pieces)
      }
      const report = await work(reply)
      return report === reply ? reply : sendOutcome(reply, { mayBeLong: true }, report as object)
    },
  })
}
