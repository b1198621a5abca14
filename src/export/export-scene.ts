/**
 * One version of a scene as a file, in slices: bodies are written to a sheet, and whoever runs the work takes from it, as fast as it
 * is sent. Bodies whose shapes take long to read are written elsewhere, one at a time.
 */

import type { Body2d } from '../../schemas/shapes2d.ts'
import { callFar, type FarSlices } from '../containers/far-call.ts'
import { Pace } from '../containers/pace.ts'
import type { Bounds } from '../core2d/measures/bounds.ts'
import { bodyInFrame } from '../import/drawing/body-in-frame.ts'
import { type Frame, inverseFrame, isPlainFrame } from '../import/drawing/frame.ts'
import { isOfDearShape } from '../scene/state/dear-body.ts'
import { farBodyAt } from '../scene/state/far-body.ts'
import { compileFilter } from '../scene/state/filter.ts'
import { sceneBodyAt, type View } from '../scene/state/view.ts'
import { plainShape } from '../scene/table/shape-text.ts'
import type { AskedExport } from '../wire/scenes/query-strings.ts'
import { chooseBodies } from './chosen-bodies.ts'
import type { ExportedScene, Writing } from './export-format.ts'
import { exportWindow } from './export-window.ts'
import type { ExportBodyTask } from './far-export.ts'
import { FORMATS } from './formats.ts'
import type { Sheet } from './sheet.ts'

/** The view must stay open until the end. It pauses before anything is done. */
export function* exportScene(
  view: View,
  scene: Pick<ExportedScene, 'id' | 'name' | 'margin'>,
  asked: AskedExport,
  sheet: Sheet,
): FarSlices<void> {
  yield
  const { tag, tolerance, source } = asked
  const pace = new Pace()
  const format = FORMATS[asked.format]
  const frame = inverseFrame(asked)
  const isRead = format.readsShapes || !isPlainFrame(frame)
  const accepts = compileFilter(view, tag === null ? undefined : { tags: { all: [tag] } })
  const { slots, bounds, unbounded } = yield* chooseBodies(view, accepts, asked.bounds, pace)
  const planes: Body2d[] = []
  for (const slot of unbounded) {
    const body = sceneBodyAt(view, slot) as Body2d
    if (body.shape.type === 'halfplane') planes.push(bodyInFrame(frame, body))
    yield
  }
  const writing: Writing = { tolerance, source, window: exportWindow(bounds && boxInFrame(frame, bounds), planes) }
  sheet.write(format.begin({ ...scene, version: view.version }, writing))
  for (let k = 0; k < slots.length; k++) {
    const slot = slots[k]
    if (k > 0) sheet.write(format.between)
    const { shape, ...rest } = sceneBodyAt(view, slot)
    if (isRead && isOfDearShape(view, slot)) {
      const { shape: farShape } = farBodyAt(view, slot)
      const task: ExportBodyTask = {
        kind: 'export-body',
        format: asked.format,
        body: rest,
        shape: farShape,
        frame,
        writing,
      }
      sheet.write(yield* callFar<string>(task))
      continue
    }
    const { id, ...others } = rest
    const body = { id, shape: isRead ? plainShape(shape) : shape, ...others }
    yield* format.writeBody(bodyInFrame(frame, body as never), writing, sheet, pace)
  }
  sheet.write(format.end)
}

function boxInFrame(frame: Frame, { minX, minY, maxX, maxY }: Bounds): Bounds {
  const p = pointInFrame(frame, minX, minY)
  const q = pointInFrame(frame, maxX, maxY)
  return { minX: p.x, minY: Math.min(p.y, q.y), maxX: q.x, maxY: Math.max(p.y, q.y) }
}

function pointInFrame(frame: Frame, x: number, y: number) {
  return bodyInFrame(frame, { shape: { type: 'point' }, position: { x, y } } as const).position
}
