/**
 * A level editor's file, whichever it is, as bodies of a scene that have been checked, and a report: what another thread does for an
 * import.
 */

import type { ImportFormat } from '../../schemas/files/scene-import.ts'
import { MAX_TAGS } from '../../schemas/scenes/scene-body.ts'
import type { Body2d } from '../../schemas/shapes/body.ts'
import type { FarTask } from '../containers/far-call.ts'
import { type Bounds, bounds, createBounds } from '../core2d/measures/bounds.ts'
import { type Body, createBody } from '../core2d/shape/body.ts'
import { createMotion } from '../core2d/shape/motion.ts'
import type { FoundBody } from '../scene/table/found-bodies.ts'
import { shapeWeight } from '../scene/table/operation.ts'
import { canonicalText } from '../scene/table/shape-text.ts'
import { decodeMovingBody } from '../wire/decode/decode-body.ts'
import type { ShapeLimits } from '../wire/decode/shape-limits.ts'
import { releaseLarge } from '../wire/decode/slots.ts'
import type { DecodeProblem } from '../wire/problems/decode-problem.ts'
import { findBody } from '../wire/scenes/scene-body.ts'
import { createDrawing, type Drawing, type ImportedBody, type Skipped, tagOf } from './drawing/drawing.ts'
import type { Frame } from './drawing/frame.ts'
import { importGeoJson } from './geojson.ts'
import { importLdtk } from './ldtk.ts'
import { ImportFault } from './reading/import-fault.ts'
import { type ImportProgress, noteCount, noteStage } from './reading/import-progress.ts'
import type { SourceFiles } from './reading/source-files.ts'
import { importSceneJson } from './scene-json.ts'
import { importSvg } from './svg/svg.ts'
import { importTiled } from './tiled/tiled.ts'

export interface ImportOptions {
  format: ImportFormat
  /** What the file is called from one import to the next; null: its bodies are not known again by it. */
  source: string | null
  merge: boolean
  /** How far flattened curves may lie from themselves, in the file's units. */
  tolerance: number
  frame: Frame
}

export interface ImportTask extends FarTask {
  readonly kind: 'import'
  readonly files: SourceFiles
  readonly options: ImportOptions
  readonly limits: ShapeLimits
  /** Of the file: more cannot be written at once. */
  readonly mostBodies: number
  /** Where to note how far it is. */
  readonly progress?: ImportProgress
}

/** A body as the scene keeps it: the shape as its canonical text, data as JSON text. */
export interface ReadyBody extends Omit<ImportedBody, 'shape' | 'data'> {
  form: string
  /** Items of all lists in the shape. */
  items: number
  data?: string
  found: FoundBody
}

export interface ImportedFile {
  bodies: ReadyBody[]
  cells: number
  merged: number
  skipped: Skipped[]
  /** Null of no bodies. */
  bounds: Bounds | null
}

export function isImportTask(task: FarTask): task is ImportTask {
  return task.kind === 'import'
}

/** Tag of all bodies that come from a source. */
export function sourceTag(source: string): string {
  return tagOf(`import:${source}`)
}

/** What the files come to, or why they cannot be taken. */
export function importFile({ files, options, limits, mostBodies, progress }: ImportTask): ImportedFile | DecodeProblem {
  const drawing = createDrawing(options.frame, { mostVertices: limits.maxVertices, mostBodies, progress })
  try {
    if (options.format === 'tiled') importTiled(files, options.merge, drawing)
    else if (options.format === 'ldtk') importLdtk(files, options.merge, drawing)
    else if (options.format === 'svg') importSvg(files, options.tolerance, drawing)
    else if (options.format === 'json') importSceneJson(files, drawing)
    else importGeoJson(files, options.source ?? '', drawing)
  } catch (error) {
    if (error instanceof ImportFault) return problemOf(error)
    throw error
  }
  return readyDrawing(drawing, options.source === null ? null : sourceTag(options.source), limits)
}

function problemOf({ code, where, message }: ImportFault): DecodeProblem {
  return { code, detail: where === '' ? message : `${where}: ${message}`, places: [] }
}

const slot: Body = createBody()
const still = createMotion()
const box = createBounds()

function readyDrawing(drawing: Drawing, source: string | null, limits: ShapeLimits): ImportedFile {
  const { bodies, cells, merged, skipped, progress } = drawing
  noteStage(progress, 'checking')
  const file: ImportedFile = { bodies: [], cells, merged, skipped, bounds: null }
  for (const [k, body] of bodies.entries()) {
    const { shape, data, ...rest } = body
    noteCount(progress, 'checked', k + 1)
    const problem = decodeMovingBody(body as Body2d, slot, still, limits)
    if (problem !== null) {
      skipped.push({ where: body.id, what: shape.type, why: problem.detail })
      continue
    }
    const tags = source === null ? rest.tags : taggedWith(source, rest.tags)
    if (tags !== undefined && tags.length > MAX_TAGS) {
      skipped.push({ where: body.id, what: 'tags', why: `With that of the source it would have ${tags.length} tags.` })
      continue
    }
    bounds(slot, still, 0, box)
    if (Object.values(box).every(Number.isFinite)) {
      if (file.bounds === null) file.bounds = { ...box }
      else extend(file.bounds, box)
    }
    file.bodies.push({
      ...rest,
      ...(tags !== undefined && { tags }),
      form: canonicalText(shape),
      items: shapeWeight(shape, Infinity),
      found: findBody(slot, body.rotation),
      ...(data !== undefined && { data: typeof data === 'string' ? data : JSON.stringify(data) }),
    })
  }
  releaseLarge(slot)
  return file
}

function taggedWith(source: string, tags: readonly string[] = []): string[] {
  return tags.includes(source) ? [...tags] : [...tags, source]
}

function extend(bounds: Bounds, { minX, minY, maxX, maxY }: Bounds): void {
  bounds.minX = Math.min(bounds.minX, minX)
  bounds.minY = Math.min(bounds.minY, minY)
  bounds.maxX = Math.max(bounds.maxX, maxX)
  bounds.maxY = Math.max(bounds.maxY, maxY)
}
