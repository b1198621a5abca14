/**
 * A level editor's file, whichever it is, as bodies of a scene that have been checked, and a report: what another thread does for an
 * import.
 */

import { MAX_TAGS } from '../../schemas/scenes/body.ts'
import type { ImportFormat } from '../../schemas/scenes/import.ts'
import type { Body2d, MovingBody2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { FarTask } from '../containers/far-call.ts'
import { noteCount, noteStage, noting, type Progress } from '../containers/progress.ts'
import { type Bounds, bounds, createBounds } from '../core2d/queries/bounds.ts'
import { type Body, createBody } from '../core2d/shape/body.ts'
import { createMotion } from '../core2d/shape/motion.ts'
import { shapeWeight } from '../scene/state/operation.ts'
import type { FoundBody } from '../scene/state/shape-pool.ts'
import { canonicalText } from '../scene/state/shape-text.ts'
import { decodeMovingBody, releaseLarge, type ShapeLimits } from '../wire/body.ts'
import { type DecodeProblem, problemOf } from '../wire/decode-problem.ts'
import { findPlaneBody } from '../wire/scene-body.ts'
import { type Frame, hasLostNumbers, isPlainFrame } from './body-in-frame.ts'
import { TooManyPieces } from './cell-layer.ts'
import { repairedShape } from './closed-shape.ts'
import {
  createDrawing,
  type Drawing,
  type ImportedBody,
  noteRepaired,
  type Skipped,
  skip,
  TextPages,
  type Texts,
  tagOf,
  textAt,
  textCount,
} from './drawing.ts'
import { importGeoJson } from './geojson.ts'
import { importLdtk } from './ldtk.ts'
import { importSceneJson } from './scene-json.ts'
import { ImportFault, type SourceFiles } from './source-files.ts'
import { importSvg } from './svg.ts'
import { importTiled } from './tiled.ts'

export interface ImportOptions {
  format: ImportFormat
  /** Name of the file that stays from one import to the next; null: a later import does not recognise its bodies. */
  source: string | null
  merge: boolean
  /** Which cells of Tiled are solid though their tiles have no shapes: `layer:<name>`, `property:<name>`. */
  solid?: readonly string[]
  /** How far flattened curves may lie from themselves, in the file's units. */
  tolerance: number
  /** Whether outlines that cross are repaired; when absent those of SVG are. */
  repair?: boolean
  frame: Frame
}

export interface ImportTask extends FarTask {
  readonly kind: 'import'
  readonly files: SourceFiles
  readonly options: ImportOptions
  readonly limits: ShapeLimits
  /** Of the file: more cannot be written at once. */
  readonly mostBodies: number
  /** Of pieces of joined cells: where there are more, small ones are taken together. The same for every import of a file. */
  readonly mostPieces: number
  /** Where to note how far it is. */
  readonly progress?: Progress
}

export interface ImportedFile {
  bodies: PackedBodies
  cells: number
  merged: number
  /** Each as JSON text. */
  skipped: Texts
  /** Each as JSON text. */
  repaired: Texts
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

/** Cells on a side of blocks whose small pieces are drawn together, where each as a body are too many. */
const GROUP_SIDES = [0, 16, 64, 256]

/** Reads the files into bodies, or tells the problem that keeps it from that. */
export function importFile(task: ImportTask): ImportedFile | DecodeProblem {
  let problem: DecodeProblem | null = null
  for (const side of GROUP_SIDES) {
    try {
      return noting(task.progress, () => drawFile(task, side))
    } catch (error) {
      if (!(error instanceof ImportFault)) throw error
      problem = faultProblem(error)
      if (!(error instanceof TooManyPieces)) break
    } finally {
      releaseLarge(slot)
    }
  }
  return problem as DecodeProblem
}

function drawFile(task: ImportTask, groupSide: number): ImportedFile {
  const { files, options, limits, mostBodies, mostPieces } = task
  const bodies = new BodyPacker()
  const repair = options.repair ?? options.format === 'svg'
  const check = new BodyCheck(options.source === null ? null : sourceTag(options.source), limits)
  const drawing: Drawing = createDrawing(options.frame, {
    mostVertices: limits.maxVertices,
    mostBodies,
    mostPieces,
    groupSide,
    take: (body, before) => {
      const ready = check.ready(body, before, options.frame, repair ? drawing : null)
      if (ready.ok) bodies.add(ready.body)
      else skip(drawing, body.id, ready.what, ready.why)
      noteCount('checked', drawing.bodyCount)
    },
  })
  if (options.format === 'tiled' || options.format === 'world') importTiled(files, options, drawing)
  else if (options.format === 'ldtk') importLdtk(files, options.merge, drawing)
  else if (options.format === 'svg') importSvg(files, options.tolerance, repair, drawing)
  else if (options.format === 'json') importSceneJson(files, drawing)
  else importGeoJson(files, options.source ?? '', drawing)
  noteStage('checking')
  const { cells, merged, skipped, repaired } = drawing
  return {
    bodies: bodies.finish(),
    cells,
    merged,
    skipped: skipped.finish(),
    repaired: repaired.finish(),
    bounds: check.bounds,
  }
}

function faultProblem({ code, where, message }: ImportFault): DecodeProblem {
  return problemOf(code, where === '' ? message : `${where}: ${message}`)
}

/** Problems that a repair fixes. */
const REPAIRED: ReadonlySet<string> = new Set(['region-self-intersecting', 'region-hole-misplaced'])

const slot: Body = createBody()
const still = createMotion()
const box = createBounds()

type Checked = { ok: true; body: ReadyBody } | ({ ok: false } & Omit<Skipped, 'where'>)

/** Checks bodies one by one, as they are drawn: all but the current one are kept only as text and a few numbers. */
class BodyCheck {
  readonly #source: string | null
  readonly #limits: ShapeLimits
  /** Of all that were found to be bodies. */
  bounds: Bounds | null = null

  constructor(source: string | null, limits: ShapeLimits) {
    this.#source = source
    this.#limits = limits
  }

  /**
   * The body as it is written, or the part of it that keeps it out of the scene, and why. `repairs`: takes the reports of repaired
   * outlines; null: nothing is repaired. Throws where the frame of the import is at fault.
   */
  ready(body: ImportedBody, before: MovingBody2d, frame: Frame, repairs: Drawing | null): Checked {
    const { shape, ...rest } = body
    if (hasLostNumbers(frame, before.shape, shape)) {
      const message = `Scaled by ${frame.scale}, some of its lengths are too small for a number: take a larger scale.`
      throw new ImportFault('coordinate-out-of-range', body.id, message)
    }
    if (hasFlatEllipse(shape))
      return { ok: false, what: shape.type, why: 'Its half axes are too small to be told from 0.' }
    const problem = decodeMovingBody(body as Body2d, slot, still, this.#limits)
    if (problem?.code === 'coordinate-out-of-range' && !isPlainFrame(frame)) {
      if (decodeMovingBody(before, slot, still, this.#limits)?.code !== problem.code) {
        throw new ImportFault(problem.code, body.id, `With this scale and offset: ${problem.detail}`)
      }
    }
    if (problem !== null && repairs !== null && REPAIRED.has(problem.code)) {
      const repaired = repairedShape(shape)
      if (typeof repaired === 'string') {
        return { ok: false, what: shape.type, why: `${problem.detail} Repairing: ${repaired}` }
      }
      const what = `${problem.detail} What the rule evenodd fills is taken.`
      noteRepaired(repairs, body.id, shape.type, what)
      return this.ready({ ...body, shape: repaired }, { ...before, shape: repaired }, frame, null)
    }
    if (problem !== null) return { ok: false, what: shape.type, why: problem.detail }
    const tags = this.#source === null ? rest.tags : taggedWith(this.#source, rest.tags)
    if (tags !== undefined && tags.length > MAX_TAGS) {
      return { ok: false, what: 'tags', why: `With that of the source it would have ${tags.length} tags.` }
    }
    bounds(slot, still, 0, box)
    if (Object.values(box).every(Number.isFinite)) {
      if (this.bounds === null) this.bounds = { ...box }
      else extend(this.bounds, box)
    }
    const form = canonicalText(shape)
    const items = shapeWeight(shape, Infinity)
    return {
      ok: true,
      body: {
        ...rest,
        ...(tags !== undefined && { tags }),
        form,
        items,
        found: findPlaneBody(slot, body.rotation ?? 0),
      },
    }
  }
}

/** Ellipses that schemas forbid, but transforms of a file can make. */
function hasFlatEllipse(shape: Shape2d): boolean {
  if (shape.type === 'compound') return shape.children.some((child) => hasFlatEllipse(child.shape))
  return shape.type === 'ellipse' && !(shape.rx > 0 && shape.ry > 0)
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

// Bodies on their way from the thread that reads a file to the one that writes them: texts and numbers in a few pieces of memory. As
// 100,000 records they would keep the other thread from everything else for half a second.

/** A body as the scene keeps it: the shape as its canonical text. */
export interface ReadyBody extends Omit<ImportedBody, 'shape'> {
  form: string
  /** Items of all lists in the shape. */
  items: number
  found: FoundBody
}

export interface PackedBodies {
  /** All but the shapes, and those. */
  heads: Texts
  forms: Texts
  /** See below. */
  numbers: Float64Array<ArrayBuffer>
}

/** Of each body: items, then what was found about it: position and rotation, box, and whether it is plain. */
const NUMBER_COUNT = 9

class BodyPacker {
  #heads = new TextPages()
  #forms = new TextPages()
  #numbers = new Float64Array(NUMBER_COUNT * 64)

  add({ form, items, found, ...head }: ReadyBody): void {
    const at = NUMBER_COUNT * this.#heads.count
    if (at === this.#numbers.length) {
      const larger = new Float64Array(2 * at)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    const { pose, box, isPlain } = found
    this.#numbers.set([items, ...Array.from(pose), ...box, isPlain ? 1 : 0], at)
    this.#heads.add(JSON.stringify(head))
    this.#forms.add(form)
  }

  finish(): PackedBodies {
    const numbers = this.#numbers.subarray(0, NUMBER_COUNT * this.#heads.count)
    return { heads: this.#heads.finish(), forms: this.#forms.finish(), numbers }
  }
}

export function bodyCount({ heads }: PackedBodies): number {
  return textCount(heads)
}

/** Made on demand. */
export function bodyAt({ heads, forms, numbers }: PackedBodies, index: number): ReadyBody {
  const start = NUMBER_COUNT * index
  const [items, x, y, rotation, minX, minY, maxX, maxY, isPlain] = numbers.subarray(start, start + NUMBER_COUNT)
  const box = Float64Array.of(minX, minY, maxX, maxY)
  const found = { pose: [x, y, rotation], box, isPlain: isPlain === 1, core: null }
  return { ...JSON.parse(textAt(heads, index)), form: textAt(forms, index), items, found }
}
