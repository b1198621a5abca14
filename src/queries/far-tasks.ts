// Tasks that queries of scenes and writes to them put to another thread: what it runs.

import type { FarTask } from '../containers/far-call.ts'
import { answerSceneTask, isSceneTask } from '../scene/far-tasks.ts'
import { doCheckTask, isCheckTask } from '../wire/check-scene-body.ts'
import { prepareShape } from '../wire/scene-body.ts'

/**
 * The result of a task, a plain record that structured cloning keeps exactly. Nothing but the task is needed. Throws
 * `OutOfBudget` within a grant that it does not fit into.
 */
export function doFarTask(task: FarTask): unknown {
  if (isCheckTask(task)) return doCheckTask(task)
  if (!isSceneTask(task)) throw new Error(`There is no task ${task.kind}`)
  return answerSceneTask(prepareShape, task)
}
