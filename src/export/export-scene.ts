/**
 * One version of a scene as a file, in slices: bodies are written to a sheet, from which the caller takes text as fast as it
 * is sent. Workers write bodies whose shapes take long to read, one at a time.
 */

import type { Body2d } from '../../schemas/shapes2d.ts'
import { finishAtOnce, Pace, type Slices } from '../containers/budget.ts'
import { callFar, type FarSlices, type FarTask } from '../containers/far-call.ts'
import type { Bounds } from '../core2d/queries/bounds.ts'
import { bodyInFrame, type Frame, inverseFrame, isPlainFrame } from '../import/body-in-frame.ts'
import { poseOf } from '../pictures/pose.ts'
import { drawnParts } from '../pictures/shape-parts.ts'
import { type DescribedShape, describeBody, shapeOfDescribed } from '../scene/queries/described-body.ts'
import { hasCostlyShape } from '../scene/queries/scene-tasks.ts'
import { type Accepts, compileFilter, orderById } from '../scene/state/filter.ts'
import { contentsOf, type KeptContent } from '../scene/state/kept-content.ts'
import type { SceneBody } from '../scene/state/operation.ts'
import { plainShape, shownBody, shownShape } from '../scene/state/shape-text.ts'
import { boxAt, hasBody, sceneBodyAt, slotLimit, type View } from '../scene/state/view.ts'
import type { AskedExport } from '../wire/query-strings.ts'
import { sceneBodyText } from '../wire/scene-body-text.ts'
import { type ExportedScene, type ExportFormat, Sheet, type Writing } from './export-format.ts'
import { geoJson } from './geojson.ts'
import { GlbFile } from './gltf.ts'
import { obj } from './obj.ts'
import { svg } from './svg.ts'

// The service's own JSON: every body as it was put, a line each, so that files can be compared, and the kept shapes that bodies name, once
// each. Nothing is lost.

/** Characters of a text that cost as much as a point of a body. */
const CHARACTERS = 64
/** Characters of a long text that are written at a time. */
const PIECE_LENGTH = 2 ** 16

const sceneJson: ExportFormat = {
  mediaType: 'application/json; charset=utf-8',
  extension: 'json',
  readsShapes: false,
  begin: ({ version, name, margin }) => {
    const settings = { version, ...(name !== null && { name }), ...(margin !== 0 && { margin }) }
    return `${JSON.stringify(settings).slice(0, -1)},"bodies":[\n`
  },
  between: ',\n',
  end: '\n]}\n',
  *writeBody(body, _writing, sheet, pace) {
    const text = sceneBodyText(body)
    sheet.write(text)
    if (pace.isDue(1 + text.length / CHARACTERS)) yield
  },
}

// Every format that scenes are exported in, by its name.

type TextFormat = Exclude<AskedExport['format'], 'gltf'>
export const FORMATS: Readonly<Record<TextFormat, ExportFormat>> = { json: sceneJson, geojson: geoJson, svg, obj }
/** Which is gathered before it is written. */
export const GLB = { mediaType: 'model/gltf-binary', extension: 'glb' } as const

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
  if (asked.format === 'gltf') {
    yield* exportGlb(view, scene, tag, sheet, pace)
    return
  }
  const format = FORMATS[asked.format]
  const frame = inverseFrame(asked)
  const isRead = format.readsShapes || !isPlainFrame(frame)
  const accepts = compileFilter(view, tag === null ? undefined : { tags: { all: [tag] } })
  const { slots, bounds, unbounded } = yield* chooseBodies(view, accepts, asked.bounds, pace)
  const planes: Body2d[] = []
  for (const slot of isRead ? unbounded : []) {
    const body = shownBody(sceneBodyAt(view, slot)) as Body2d
    if (body.shape.type === 'halfplane') planes.push(bodyInFrame(frame, body))
    yield
  }
  /** Kept shapes that the bodies name. */
  const named = new Map<string, KeptContent>()
  const writing: Writing = { tolerance, source, window: exportWindow(bounds && boxInFrame(frame, bounds), planes) }
  sheet.write(format.begin({ ...scene, version: view.version }, writing))
  for (let k = 0; k < slots.length; k++) {
    const slot = slots[k]
    if (k > 0) sheet.write(format.between)
    const { shape, ...rest } = sceneBodyAt(view, slot)
    if (isRead && hasCostlyShape(view, slot)) {
      const { shape: farShape } = describeBody(view, slot)
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
    for (const content of isRead ? [] : contentsOf(shape)) named.set(content.id, content)
    const { id, ...others } = rest
    const body = { id, shape: isRead ? plainShape(shownShape(shape)) : shape, ...others }
    yield* format.writeBody(bodyInFrame(frame, body as never), writing, sheet, pace)
  }
  if (named.size === 0) sheet.write(format.end)
  else yield* writeKept([...named.values()], sheet, pace)
}

/** The end of a document of bodies, with the kept shapes that they name. */
function* writeKept(contents: readonly KeptContent[], sheet: Sheet, pace: Pace): Slices<void> {
  sheet.write('\n],"shapes":[\n')
  for (const [k, { id, text }] of contents.entries()) {
    sheet.write(`${k === 0 ? '' : ',\n'}{"id":"${id}","shape":`)
    for (let at = 0; at < text.length; at += PIECE_LENGTH) {
      sheet.write(text.slice(at, at + PIECE_LENGTH))
      if (pace.isDue(PIECE_LENGTH / CHARACTERS)) yield
    }
    sheet.write('}')
  }
  sheet.write('\n]}\n')
}

function* exportGlb(
  view: View,
  { id, name }: Pick<ExportedScene, 'id' | 'name'>,
  tag: string | null,
  sheet: Sheet,
  pace: Pace,
): Slices<void> {
  const accepts = compileFilter(view, tag === null ? undefined : { tags: { all: [tag] } })
  const { slots } = yield* chooseBodies(view, accepts, null, pace)
  const file = new GlbFile()
  for (const slot of slots) if (pace.isDue(file.add(sceneBodyAt(view, slot)))) yield
  file.writeTo(sheet, name ?? id)
}

function boxInFrame(frame: Frame, { minX, minY, maxX, maxY }: Bounds): Bounds {
  const p = pointInFrame(frame, minX, minY)
  const q = pointInFrame(frame, maxX, maxY)
  return { minX: p.x, minY: Math.min(p.y, q.y), maxX: q.x, maxY: Math.max(p.y, q.y) }
}

function pointInFrame(frame: Frame, x: number, y: number) {
  return bodyInFrame(frame, { shape: { type: 'point' }, position: { x, y } } as const).position
}

// The bodies of a view that are exported, and the box around them. Cost O(slots), some bytes of memory for each body.

interface ChosenBodies {
  /** By id. */
  slots: Int32Array
  /** Around those that have bounds, rounded outward; null without any. */
  bounds: Bounds | null
  /** The first of the others. */
  unbounded: number[]
}

/** Most bodies without bounds that are looked at one by one. */
const MOST_UNBOUNDED = 50

const box = new Float64Array(4)

/** `within`: in the plane, a box that theirs meet, null for all; those without bounds meet every box. */
function* chooseBodies(view: View, accepts: Accepts, within: Bounds | null, pace: Pace): Slices<ChosenBodies> {
  const slots = new Int32Array(view.count)
  const bounds: Bounds = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity }
  const unbounded: number[] = []
  let count = 0
  for (let slot = 0; slot < slotLimit(view); slot++) {
    if (pace.isDue(1)) yield
    if (!hasBody(view, slot) || !accepts(slot)) continue
    if (view.table.geometry.axes === 3) {
      slots[count++] = slot
      continue
    }
    boxAt(view, slot, box)
    const [minX, minY, maxX, maxY] = box
    const isBounded = minX > -Infinity && minY > -Infinity && maxX < Infinity && maxY < Infinity
    if (isBounded && within !== null) {
      if (minX > within.maxX || maxX < within.minX || minY > within.maxY || maxY < within.minY) continue
    }
    slots[count++] = slot
    if (!isBounded) {
      if (unbounded.length < MOST_UNBOUNDED) unbounded.push(slot)
      continue
    }
    bounds.minX = Math.min(bounds.minX, minX)
    bounds.minY = Math.min(bounds.minY, minY)
    bounds.maxX = Math.max(bounds.maxX, maxX)
    bounds.maxY = Math.max(bounds.maxY, maxY)
  }
  const chosen = slots.subarray(0, count)
  yield* orderById(view, chosen, pace)
  return { slots: chosen, bounds: bounds.minX <= bounds.maxX ? bounds : null, unbounded }
}

// The initial window of a drawing: all bodies that have bounds, and the near parts of half-planes.

/** Left free around, of the size of what is shown: little, or so much that half-planes are seen. */
const MARGIN = 0.02
const WIDE_MARGIN = 0.1

/** `box`: around those with bounds, null without any. `planes`: some half-planes. */
function exportWindow(box: Bounds | null, planes: readonly Body2d[]): Bounds {
  const shown: Bounds = { ...(box ?? { minX: 0, minY: 0, maxX: 0, maxY: 0 }) }
  const centre = { x: shown.minX + (shown.maxX - shown.minX) / 2, y: shown.minY + (shown.maxY - shown.minY) / 2 }
  const reach = Math.max(shown.maxX - shown.minX, shown.maxY - shown.minY)
  for (const body of planes) {
    for (const part of drawnParts(body.shape, poseOf(body, centre))) {
      if (part.kind !== 'halfplane') continue
      // the place of the boundary that is nearest to the centre
      const height = part.x * part.nx + part.y * part.ny
      if (box !== null && Math.abs(height) > reach) continue
      const at = { x: centre.x + part.nx * height, y: centre.y + part.ny * height }
      shown.minX = Math.min(shown.minX, at.x)
      shown.minY = Math.min(shown.minY, at.y)
      shown.maxX = Math.max(shown.maxX, at.x)
      shown.maxY = Math.max(shown.maxY, at.y)
    }
  }
  const size = Math.max(shown.maxX - shown.minX, shown.maxY - shown.minY)
  // a single place has no size to go by but how far out it lies
  const far = Math.max(Math.abs(shown.minX), Math.abs(shown.minY)) || 1
  const margin = size > 0 ? (planes.length > 0 ? WIDE_MARGIN : MARGIN) * size : far
  return {
    minX: shown.minX - margin,
    minY: shown.minY - margin,
    maxX: shown.maxX + margin,
    maxY: shown.maxY + margin,
  }
}

// A body whose shape takes long to read, written on another thread.

interface ExportBodyTask extends FarTask {
  readonly kind: 'export-body'
  readonly format: TextFormat
  /** Everything of the body but its shape; `data` is text. */
  readonly body: Omit<SceneBody, 'shape'>
  readonly shape: DescribedShape
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
  const whole = { id, shape: shapeOfDescribed(shape), ...rest }
  finishAtOnce(FORMATS[format].writeBody(bodyInFrame(frame, whole as never), writing, sheet, new Pace()))
  return sheet.take()
}
