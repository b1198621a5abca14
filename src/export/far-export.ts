// A body whose shape takes long to read, written on another thread.

import type { ExportFormatName } from '../../schemas/scenes/export.ts'
import type { FarTask } from '../containers/far-call.ts'
import { finishAtOnce, Pace } from '../containers/pace.ts'
import { bodyInFrame } from '../import/drawing/body-in-frame.ts'
import type { Frame } from '../import/drawing/frame.ts'
import { type FarShape, farShapeValue } from '../scene/state/far-body.ts'
import type { SceneBody } from '../scene/table/operation.ts'
import type { Writing } from './export-format.ts'
import { FORMATS } from './formats.ts'
import { Sheet } from './sheet.ts'

export interface ExportBodyTask extends FarTask {
  readonly kind: 'export-body'
  readonly format: ExportFormatName
  /** Everything of the body but its shape; `data` is text. */
  readonly body: Omit<SceneBody, 'shape'>
  readonly shape: FarShape
  readonly frame: Frame
  readonly writing: Writing
}

export function isExportTask(task: FarTask): task is ExportBodyTask {
  return task.kind === 'export-body'
}

/** The text of the body. */
export function writeFarBody({ format, body, shape, frame, writing }: ExportBodyTask): string {
  const sheet = new Sheet()
  const { id, ...rest } = body
  const whole = { id, shape: farShapeValue(shape), ...rest }
  finishAtOnce(FORMATS[format].writeBody(bodyInFrame(frame, whole as never), writing, sheet, new Pace()))
  return sheet.take()
}
