// Runs the tasks that queries of scenes and writes to them hand to a worker.

import type { FarTask } from '../../containers/far-call.ts'
import { isExportTask, writeFarBody } from '../../export/export-scene.ts'
import { type ImportedFile, importFile, isImportTask } from '../../import/import-file.ts'
import { loadMeshopt } from '../../import/meshes/meshopt.ts'
import { isKeepTask, keepShape } from '../../kept/keep-shape.ts'
import { doDrawingTask, isDrawingTask } from '../../pictures/scenes/draw-bodies.ts'
import { drawQuestion, isQuestionTask } from '../../pictures/scenes/draw-question.ts'
import { answerSceneTask, type SceneTask } from '../../scene/queries/scene-tasks.ts'
import { doBodyTask, isBodyTask, prepareShape, type ReadShape } from '../../wire/scene-body.ts'
import { doContentTextTask, isContentTextTask } from '../../wire/scene-references.ts'
import { doLookTask, isLookTask } from '../../wire/shape-looks.ts'
import { NO_SHAPES } from '../../wire/shape-source.ts'
import { isDocumentTask, readDocument } from './read-document.ts'

/** Resolves when a thread has loaded what only few tasks need; null where it has all for this one. */
export function loadFor(task: FarTask): Promise<void> | null {
  const isGltf = isKeepTask(task)
    ? task.format === 'glb'
    : isImportTask(task) && /^(gltf|godot)$/.test(task.options.format)
  return isGltf ? loadMeshopt() : null
}

/**
 * The result of a task: a plain record that structured cloning keeps exactly. It depends on the task alone. Throws `OutOfBudget` if it
 * takes more steps than are granted. `shapes`: kept ones that it may refer to.
 */
export function doFarTask(task: FarTask, shapes = NO_SHAPES): unknown {
  if (isKeepTask(task)) return keepShape(task, shapes)
  if (isContentTextTask(task)) return doContentTextTask(task, shapes)
  if (isBodyTask(task)) return doBodyTask(task, shapes)
  if (isDocumentTask(task)) return readDocument(task)
  if (isImportTask(task)) return importFile(task)
  if (isExportTask(task)) return writeFarBody(task)
  if (isDrawingTask(task)) return doDrawingTask(task)
  if (isQuestionTask(task)) return drawQuestion(task)
  if (isLookTask(task)) return doLookTask(task)
  return answerSceneTask(prepareShape, task as SceneTask)
}

export { forgetPrepared } from '../../scene/queries/scene-tasks.ts'

/** Bytes from which on arrays are transferred and not copied. */
const GIVEN_LENGTH = 2 ** 12

/** The buffers of a result that can be transferred: those of bodies that were made for it, and of the texts of a file's bodies. */
export function ownMemory({ kind }: FarTask, result: unknown): ArrayBuffer[] {
  if (kind !== 'read' && kind !== 'prepare' && kind !== 'import') return []
  const body = kind === 'read' ? (result as Partial<ReadShape>).found?.core : (result as object | ImportedFile)
  const found = new Set<ArrayBuffer>()
  if (body) gather(body, found)
  return [...found]
}

function gather(value: object, found: Set<ArrayBuffer>): void {
  for (const field of Object.values(value)) {
    if (ArrayBuffer.isView(field)) {
      if (field.byteLength >= GIVEN_LENGTH && field.buffer instanceof ArrayBuffer) found.add(field.buffer)
    } else if (typeof field === 'object' && field !== null) gather(field, found)
  }
}
