// Imports of editors' files: what is sent, what of it a worker makes, and the write that comes of it.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SceneImportParameters, SceneImportResponse } from '../../schemas/files/scene-import.ts'
import { callFar, type FarSlices } from '../containers/far-call.ts'
import { FEWER_OPERATIONS, type Skipped } from '../import/drawing/drawing.ts'
import { diffImport, type ImportDiff, readSkipped } from '../import/import-diff.ts'
import type { ImportedFile, ImportTask } from '../import/import-file.ts'
import { bodyCount } from '../import/packed-bodies.ts'
import { type ImportProgress, noteStage } from '../import/reading/import-progress.ts'
import { baseName, ownMemoryOf, type SourceFiles } from '../import/reading/source-files.ts'
import type { WriteOutcome } from '../scene/keeper/flying-write.ts'
import type { Keeper } from '../scene/keeper/keeper.ts'
import type { Scene } from '../scene/state/scene.ts'
import { onView } from '../scene/state/view.ts'
import { shownDigest } from '../scene/store/digest.ts'
import type { ShapeLimits } from '../wire/decode/shape-limits.ts'
import { type DecodeProblem, inRange, isProblem, outOfRange } from '../wire/problems/decode-problem.ts'
import type { Stand } from '../wire/scenes/version-tag.ts'
import { runInSlices } from './query-replies.ts'
import { findKeeper } from './scene-reads.ts'
import { replyToOtherVersion, replyToRefusal } from './scene-replies.ts'
import { askedVersions, isAskedFor, tagVersion } from './scene-versions.ts'
import { replyToStoreError } from './store-problems.ts'

const ADVICE = 'Send a smaller file, or cells that are joined.'
const DEFAULT_SOURCE = 'import'
/** Of flattened curves, in the file's units. */
const TOLERANCE = 0.05
/** Times that the difference to a scene is made anew because others have written meanwhile. */
const MOST_TRIES = 8

interface Imported {
  file: ImportedFile
  diff: ImportDiff
  skipped: Skipped[]
  /** Where the scene was that the difference is to. */
  stand: { version: number; digest: Uint8Array }
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
  asked: SceneImportParameters,
  { mostBodies, mostPieces, ...limits }: ShapeLimits & { mostBodies: number; mostPieces: number },
  progress?: ImportProgress,
): ImportTask {
  const {
    format,
    source,
    merge = true,
    tolerance = TOLERANCE,
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
    options: { format, source: source ?? (format === 'json' ? null : named), merge, tolerance, frame },
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
  let file: ImportedFile | null = null
  for (let tries = 0; ; tries++) {
    if (!isAskedFor(request, scene)) return replyToOtherVersion(reply, scene)
    const done: { result: Imported | DecodeProblem } | null = await runInSlices(
      reply,
      ADVICE,
      importSlices(scene, task, file),
    )
    if (done === null) return reply
    const imported: Imported | DecodeProblem = done.result
    if (isProblem(imported)) return reply.geometryProblem(imported)
    file = imported.file
    const { operations } = imported.diff
    if (operations.length > maxOperations) return reply.geometryProblem(tooMany(operations.length, maxOperations))
    if (isDryRun || operations.length === 0) return answer(reply, imported, imported.stand)
    noteStage(task.progress, 'writing')
    const outcome = await write(keeper, scene.id, imported).catch((error) => replyToStoreError(reply, error))
    if (outcome === undefined) return reply
    if (!('refusal' in outcome)) return answer(reply, imported, outcome)
    if (outcome.refusal !== 'other-version' || askedVersions(request) !== null || tries === MOST_TRIES) {
      return replyToRefusal(reply, scene.id, outcome)
    }
  }
}

function tooMany(actual: number, limit: number): DecodeProblem {
  const detail = `One write makes at most ${limit} operations, and this import would take ${actual}. ${FEWER_OPERATIONS}`
  return { code: 'too-many-operations', detail, places: [], limit, actual }
}

function write(keeper: Keeper, sceneId: string, { diff, stand }: Imported): Promise<WriteOutcome> {
  const condition = { ifVersion: stand.version, ifDigest: shownDigest(stand.digest) }
  return keeper.write(sceneId, { operations: diff.operations, at: Date.now(), ...condition })
}

/** `known`: what the files came to already. */
function* importSlices(
  scene: Scene,
  task: ImportTask,
  known: ImportedFile | null,
): FarSlices<Imported | DecodeProblem> {
  const file = known ?? (yield* callFar<ImportedFile | DecodeProblem>(task))
  if (isProblem(file)) return file
  noteStage(task.progress, 'comparing')
  const skipped = yield* readSkipped(file.skipped)
  return yield* onView(scene, function* (view) {
    const { version, digest } = view
    return {
      file,
      diff: yield* diffImport(view, file.bodies, task.options.source),
      skipped,
      stand: { version, digest },
    }
  })
}

function answer(reply: FastifyReply, { file, diff, skipped }: Imported, stand: Stand): SceneImportResponse {
  const { cells, merged, bounds } = file
  const { added, updated, removed, taken } = diff
  tagVersion(reply, stand)
  return {
    version: stand.version,
    bodies: bodyCount(file.bodies),
    added,
    updated,
    removed,
    cells,
    merged,
    skipped: [...skipped, ...taken],
    bounds: bounds && { min: { x: bounds.minX, y: bounds.minY }, max: { x: bounds.maxX, y: bounds.maxY } },
  }
}
