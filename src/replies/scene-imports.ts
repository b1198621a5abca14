// Imports of editors' files: what is sent, what of it a worker makes, and the write that comes of it.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ImportFormat, SceneImportParameters, SceneImportResponse } from '../../schemas/scenes/import.ts'
import { callFar, type FarSlices } from '../containers/far-call.ts'
import { FEWER_OPERATIONS, type Skipped } from '../import/drawing/drawing.ts'
import { ComparedFile, type ImportDiff, readSkipped } from '../import/import-diff.ts'
import { bodyCount, type ImportedFile, type ImportTask } from '../import/import-file.ts'
import { type ImportProgress, noteStage } from '../import/reading/import-progress.ts'
import { baseName, ownMemoryOf, type SourceFiles } from '../import/reading/source-files.ts'
import { requestKey } from '../plugins/request-keys.ts'
import type { WriteRequest } from '../scene/keeper/pending-write.ts'
import type { RequestKey } from '../scene/keeper/remembered-writes.ts'
import type { Scene } from '../scene/state/scene.ts'
import { closeView, openView, type View } from '../scene/state/view.ts'
import { shownDigest } from '../scene/store/digest.ts'
import type { Operation } from '../scene/table/operation.ts'
import type { ShapeLimits } from '../wire/bodies/body.ts'
import { type DecodeProblem, inRange, isProblem, outOfRange, problemOf } from '../wire/problems/decode-problem.ts'
import type { Stand } from '../wire/scenes/scene-document.ts'
import { runInSlices } from './query-replies.ts'
import { findKeeper } from './scene-reads.ts'
import { replyToOtherVersion, replyToRefusal } from './scene-replies.ts'
import { askedVersions, isAskedFor, tagVersion } from './scene-versions.ts'
import { replyToStoreError } from './store-problems.ts'

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

/** What of the query a schema cannot say. */
export function checkFrame({ scale = 1, offsetX = 0, offsetY = 0 }: SceneImportParameters): DecodeProblem | null {
  if (!inRange(scale)) return outOfRange(scale, '/scale', 'Scales')
  if (!inRange(offsetX)) return outOfRange(offsetX, '/offsetX', 'Offsets')
  return inRange(offsetY) ? null : outOfRange(offsetY, '/offsetY', 'Offsets')
}

/** `mostBodies`: of the file, as more cannot be written at once; `mostPieces`: of cells. `progress`: where the worker notes how far it is. */
export function importTask(
  files: SourceFiles,
  format: ImportFormat,
  asked: SceneImportParameters,
  { mostBodies, mostPieces, ...limits }: ShapeLimits & { mostBodies: number; mostPieces: number },
  progress?: ImportProgress,
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

export async function importInto(
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
    noteStage(task.progress, 'writing')
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
  noteStage(task.progress, 'comparing')
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

function answer(reply: FastifyReply, imported: Imported, stand: Stand): SceneImportResponse {
  tagVersion(reply, stand)
  return { version: stand.version, ...report(imported) }
}

/** As the first time. */
function answerAgain(reply: FastifyReply, stand: Stand, said: string): SceneImportResponse {
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
