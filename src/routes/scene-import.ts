// POST /v1/2d/scenes/{sceneId}/import, and the same in /v1/3d: an editor's own file as bodies of a scene. A worker reads the file; its
// bodies become one write. Clients that accept NDJSON get lines with the progress, of which the last is the report or the problem.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answeredInLines, SceneParameters, WriteHeaders } from '../../schemas/scenes/headers.ts'
import {
  importProgress,
  SceneImport3dParameters,
  SceneImport3dResponse,
  SceneImportParameters,
  SceneImportResponse,
} from '../../schemas/scenes/import.ts'
import { type Config, queryLimits, sceneLimits } from '../config.ts'
import { callFar, type FarSlices } from '../containers/far-call.ts'
import { createProgress, noteStage, noting, type Progress } from '../containers/progress.ts'
import { FEWER_OPERATIONS, type Skipped } from '../import/drawing.ts'
import { guessedFormat, PLANE_MARKS, SPACE_MARKS } from '../import/guessed-format.ts'
import { ComparedFile, type ImportDiff, readSkipped } from '../import/import-diff.ts'
import {
  bodyCount,
  type Import3dOptions,
  type ImportedFile,
  type ImportOptions,
  type ImportTask,
} from '../import/import-file.ts'
import { baseName, ownMemoryOf, type SourceFiles } from '../import/source-files.ts'
import { requestKey } from '../plugins/json-body.ts'
import { readFiles, SENT_FILES, sentFiles } from '../plugins/sent-files.ts'
import { parametersOnly } from '../plugins/validation.ts'
import { jsonPieces } from '../queries/ask/long-answer.ts'
import { outcomeOf, sendLines, wantsLines } from '../replies/progress-lines.ts'
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
import { type DecodeProblem, inRange, isProblem, outOfRange, problemOf } from '../wire/decode-problem.ts'
import { IMPORT_PROBLEMS } from '../wire/problem-lists.ts'
import { SCENE_DIMENSIONS } from '../wire/scene-dimensions.ts'
import type { CurrentVersion } from '../wire/scene-document.ts'

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

type Asked = SceneImportParameters | SceneImport3dParameters
type Report = SceneImportResponse | SceneImport3dResponse
type Unversioned = Omit<SceneImportResponse, 'version'> | Omit<SceneImport3dResponse, 'version'>

/** Checks of the query string that a schema cannot express. */
function checkFrame({ scale = 1, ...asked }: Asked): DecodeProblem | null {
  if (!inRange(scale)) return outOfRange(scale, '/scale', 'Scales')
  for (const name of ['offsetX', 'offsetY', 'offsetZ'] as const) {
    const offset = (asked as SceneImport3dParameters)[name] ?? 0
    if (!inRange(offset)) return outOfRange(offset, `/${name}`, 'Offsets')
  }
  return null
}

/** Which axis points up in files of a format of space. */
const FILE_UP: Readonly<Record<Import3dOptions['format'], 'y' | 'z'>> = {
  gltf: 'y',
  obj: 'y',
  stl: 'z',
  map: 'z',
  godot: 'y',
  json: 'y',
}

function optionsOf(files: SourceFiles, asked: SceneImportParameters): ImportOptions | DecodeProblem {
  const { merge = true, solid = [], tolerance = TOLERANCE, repair, yUp = false, scale = 1 } = asked
  const { offsetX = 0, offsetY = 0 } = asked
  const format = asked.format ?? guessedFormat(files.main, PLANE_MARKS)
  if (typeof format !== 'string') return format
  const source = sourceOf(files, format, asked)
  const frame = { yUp, scale, offsetX, offsetY }
  return { dimension: 2, format, source, merge, solid, tolerance, frame, ...(repair !== undefined && { repair }) }
}

function optionsOf3d(files: SourceFiles, asked: SceneImport3dParameters): Import3dOptions | DecodeProblem {
  const { up, solid = false, tolerance = TOLERANCE, sizes, scale = 1 } = asked
  const { offsetX = 0, offsetY = 0, offsetZ = 0 } = asked
  const format = asked.format ?? guessedFormat(files.main, SPACE_MARKS)
  if (typeof format !== 'string') return format
  const source = sourceOf(files, format, asked)
  const turn = up === undefined || up === FILE_UP[format] ? null : up
  const frame = { up: turn, scale, offset: { x: offsetX, y: offsetY, z: offsetZ } }
  return { dimension: 3, format, source, solid, tolerance, frame, ...(sizes !== undefined && { sizes }) }
}

/** Bodies of the service's own JSON belong to no source unless one is given. */
function sourceOf({ main }: SourceFiles, format: string, { source }: Asked): string | null {
  return source ?? (format === 'json' ? null : baseName(main.name) || DEFAULT_SOURCE)
}

/** `mostBodies`: of the file, as more cannot be written at once; `mostPieces`: of cells. `progress`: where the worker notes how far it is. */
function importTask(
  files: SourceFiles,
  options: ImportTask['options'],
  { mostBodies, mostPieces, ...limits }: ShapeLimits & { mostBodies: number; mostPieces: number },
  progress?: Progress,
): ImportTask {
  return {
    kind: 'import',
    given: ownMemoryOf(files),
    files,
    options,
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
  const compared = new ComparedFile(file, task.options.source)
  const view = openView(scene)
  let imported: Imported | null = null
  try {
    imported = { file, compared, diff: yield* compared.diff(view), view, skipped, repaired }
    return imported
  } finally {
    if (imported === null) closeView(scene, view)
  }
}

function answer(reply: FastifyReply, imported: Imported, stand: CurrentVersion): Report {
  tagVersion(reply, stand)
  return { version: stand.version, ...report(imported) }
}

/** As the first time. */
function answerAgain(reply: FastifyReply, stand: CurrentVersion, said: string): Report {
  tagVersion(reply, stand)
  return { version: stand.version, ...(JSON.parse(said) as Unversioned) }
}

function report({ file, diff, skipped, repaired }: Imported): Unversioned {
  const { bodies, cells, merged, bounds } = file
  const { added, updated, removed, taken } = diff
  const counts = { bodies: bodyCount(bodies), added, updated, removed }
  const lists = { skipped: [...skipped, ...taken], repaired }
  if (bodies.dimension === 2) return { ...counts, cells, merged, ...lists, bounds: bounds && planeBox(bounds) }
  return { ...counts, ...lists, bounds: bounds && spaceBox(bounds) }
}

const planeBox = ([minX, minY, maxX, maxY]: readonly number[]) => ({
  min: { x: minX, y: minY },
  max: { x: maxX, y: maxY },
})
const spaceBox = ([minX, minY, minZ, maxX, maxY, maxZ]: readonly number[]) => ({
  min: { x: minX, y: minY, z: minZ },
  max: { x: maxX, y: maxY, z: maxZ },
})

const ROUTES = [
  {
    ...SCENE_DIMENSIONS[0],
    asked: SceneImportParameters,
    report: SceneImportResponse,
    options: optionsOf,
    summary: 'Put a level editor’s file into a scene',
  },
  {
    ...SCENE_DIMENSIONS[1],
    asked: SceneImport3dParameters,
    report: SceneImport3dResponse,
    options: optionsOf3d,
    summary: 'Put an editor’s file into a scene of space',
  },
] as const

export const sceneImportRoutes: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const { OPERATIONS_BODY_LIMIT: bodyLimit } = config
  const limits = { ...queryLimits(config), ...sceneLimits(config) }
  await readFiles(app)
  for (const { path, name, tag, asked, report, options: optionsOf, summary } of ROUTES) {
    app.post(`${path}/:sceneId/import`, {
      bodyLimit,
      validatorCompiler: parametersOnly,
      schema: {
        operationId: `importScene${name}`,
        tags: [`scene-bodies${tag}`],
        summary,
        description:
          'The file is the body of the request, or the first part of multipart/form-data when it names other files, which are sent along. Everything in it that has an extent becomes a body whose id comes from the file; importing the file again changes only what has changed in it. All of it is written at once, or none. As application/x-ndjson the answer says how far the import is, a SceneImportProgress a line; the last line is the report, or a problem with the status 200.',
        params: SceneParameters,
        querystring: asked,
        headers: WriteHeaders,
        body: SENT_FILES,
        response: { 200: answeredInLines(report, importProgress.line, 'What became of the file.') },
      },
      config: { problems: IMPORT_PROBLEMS },
      handler: async (request, reply) => {
        const scene = await findScene(reply, request.params.sceneId)
        if (scene === null) return reply
        const problem = checkFrame(request.query)
        if (problem !== null) return reply.geometryProblem(problem)
        const files = await sentFiles(request, reply, bodyLimit)
        if (files === null) return reply
        const options = optionsOf(files, request.query as never)
        if ('ok' in options) return reply.geometryProblem(options)
        const { maxOperations } = limits
        const write = { maxOperations, isDryRun: request.query.dryRun === true }
        const progress = wantsLines(request) ? createProgress(importProgress) : undefined
        // each body that is not there yet is an operation
        const most = { mostBodies: maxOperations + bodyCountOf(scene), mostPieces: maxOperations }
        const task = importTask(files, options, { ...limits, ...most }, progress)
        const work = (answer: FastifyReply) => importInto(request, answer, scene, task, write)
        if (progress !== undefined) {
          // the list of what was skipped may be long
          const pieces = outcomeOf(reply, work).then((outcome) => jsonPieces(outcome, isWanted(reply)))
          return sendLines(reply, progress, pieces)
        }
        const answer = await work(reply)
        return answer === reply ? reply : sendOutcome(reply, { mayBeLong: true }, answer as object)
      },
    })
  }
}
