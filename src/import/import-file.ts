/**
 * A level editor's file, whichever it is, as bodies of a scene that have been checked, and a report: what another thread does for an
 * import.
 */

import { MAX_TAGS } from '../../schemas/scenes/body.ts'
import type { Import3dFormat, ImportFormat } from '../../schemas/scenes/import.ts'
import type { MovingBody2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { MeshShape3d, MovingBody3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { FarTask } from '../containers/far-call.ts'
import { noteCount, noteStage, noting, type Progress } from '../containers/progress.ts'
import { openMeshes, type PackedMeshes, packMeshes } from '../kept/kept-shape.ts'
import type { SceneDimension } from '../scene/state/geometry.ts'
import { contentsOf, type KeptContent } from '../scene/state/kept-content.ts'
import { type SceneBody, shapeWeight } from '../scene/state/operation.ts'
import type { FoundBody } from '../scene/state/shape-pool.ts'
import { canonicalText, shownBody } from '../scene/state/shape-text.ts'
import type { ShapeLimits } from '../wire/body.ts'
import { type DecodeProblem, isProblem, problemOf } from '../wire/decode-problem.ts'
import { preparedMesh } from '../wire/mesh-3d.ts'
import { examineBody } from '../wire/scene-body.ts'
import { type Frame, framingOf, hasLostNumbers } from './body-in-frame.ts'
import { type Frame3d, framingOf3d } from './body-in-frame-3d.ts'
import { TooManyPieces } from './cell-layer.ts'
import { repairedShape } from './closed-shape.ts'
import {
  createDrawing,
  type Drawing,
  type Drawing3d,
  type Framing,
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
import { importGltf } from './gltf.ts'
import { importGodot } from './godot.ts'
import { GODOT_PLANE } from './godot-plane.ts'
import { godotSpace } from './godot-space.ts'
import { importLdtk } from './ldtk.ts'
import { importObj, importStl } from './mesh-parts.ts'
import { TooManyOfMesh } from './meshes/mesh-data.ts'
import { importQuake } from './quake.ts'
import { importSceneJson } from './scene-json.ts'
import { ImportFault, type SourceFiles } from './source-files.ts'
import { importSvg } from './svg.ts'
import { importTiled } from './tiled.ts'

/** Of whatever dimension. */
interface CommonOptions {
  /** Name of the file that stays from one import to the next; null: a later import does not recognise its bodies. */
  source: string | null
  /** How far flattened curves may lie from themselves, in the file's units. */
  tolerance: number
}

export interface ImportOptions extends CommonOptions {
  dimension: 2
  format: ImportFormat
  merge: boolean
  /** Which cells of Tiled are solid though their tiles have no shapes: `layer:<name>`, `property:<name>`. */
  solid?: readonly string[]
  /** Whether outlines that cross are repaired; when absent those of SVG are. */
  repair?: boolean
  frame: Frame
}

export interface Import3dOptions extends CommonOptions {
  dimension: 3
  format: Import3dFormat
  /** Whether closed meshes have an inside. */
  solid: boolean
  /** Of point entities of a Quake map; when absent those of Quake itself. */
  sizes?: readonly string[]
  frame: Frame3d
}

export interface ImportTask extends FarTask {
  readonly kind: 'import'
  readonly files: SourceFiles
  readonly options: ImportOptions | Import3dOptions
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
  /** Ids and canonical texts of the kept shapes that the bodies name. */
  kept: [id: string, text: string][]
  cells: number
  merged: number
  /** Each as JSON text. */
  skipped: Texts
  /** Each as JSON text. */
  repaired: Texts
  /** Low sides, then high ones; null of no bodies. */
  bounds: number[] | null
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
      if (error instanceof TooManyOfMesh) return tooManyOfMesh(error)
      if (!(error instanceof ImportFault)) throw error
      problem = faultProblem(error)
      if (!(error instanceof TooManyPieces)) break
    }
  }
  return problem as DecodeProblem
}

function drawFile(task: ImportTask, groupSide: number): ImportedFile {
  const { files, options } = task
  if (options.dimension === 3) {
    return drawWith<MovingBody3d>(task, groupSide, framingOf3d(options.frame), false, (drawing) =>
      readInSpace(files, options, task.limits, drawing),
    )
  }
  const repair = options.repair ?? options.format === 'svg'
  return drawWith<MovingBody2d>(task, groupSide, framingOf(options.frame), repair, (drawing) =>
    readInPlane(files, options, repair, drawing),
  )
}

function readInPlane(files: SourceFiles, options: ImportOptions, repair: boolean, drawing: Drawing): void {
  const { format, merge, tolerance, source } = options
  if (format === 'tiled' || format === 'world') importTiled(files, options, drawing)
  else if (format === 'ldtk') importLdtk(files, merge, drawing)
  else if (format === 'svg') importSvg(files, tolerance, repair, drawing)
  else if (format === 'godot') importGodot(files, GODOT_PLANE, merge, drawing)
  else if (format === 'json') importSceneJson(files, 2, drawing)
  else importGeoJson(files, source ?? '', drawing)
}

function readInSpace(files: SourceFiles, options: Import3dOptions, limits: ShapeLimits, drawing: Drawing3d): void {
  const { format, source, solid: isSolid } = options
  const name = (source ?? '').replace(/\.\w+$/, '')
  switch (format) {
    case 'map':
      importQuake(files, options, drawing)
      break
    case 'godot':
      importGodot(files, godotSpace(isSolid, limits), false, drawing)
      break
    case 'json':
      importSceneJson(files, 3, drawing)
      break
    case 'gltf':
      importGltf(files, isSolid, limits, drawing)
      break
    case 'obj':
      importObj(files, { name, isSolid }, limits, drawing)
      break
    case 'stl':
      importStl(files, { name, isSolid }, limits, drawing)
      break
  }
}

function drawWith<Moving extends MovingBody2d | MovingBody3d>(
  { options, limits, mostBodies, mostPieces }: ImportTask,
  groupSide: number,
  framing: Framing<Moving>,
  repair: boolean,
  read: (drawing: Drawing<Moving>) => void,
): ImportedFile {
  const { dimension, source } = options
  const bodies = new BodyPacker(dimension)
  const check = new BodyCheck(dimension, source === null ? null : sourceTag(source), limits)
  const drawing = createDrawing<Moving>({
    framing,
    mostVertices: limits.maxVertices,
    mostBodies,
    mostPieces,
    groupSide,
    take: (body, before) => {
      const ready = check.ready(body, before, framing, repair ? drawing : null)
      if (ready.ok) bodies.add(ready.body, ready.shape)
      else skip(drawing, body.id, ready.what, ready.why)
      noteCount('checked', drawing.bodyCount)
    },
  })
  read(drawing)
  noteStage('checking')
  const { cells, merged, skipped, repaired } = drawing
  return {
    bodies: bodies.finish(),
    kept: Array.from(check.kept, ([id, { text }]) => [id, text]),
    cells,
    merged,
    skipped: skipped.finish(),
    repaired: repaired.finish(),
    bounds: check.bounds,
  }
}

function tooManyOfMesh({ what, limit }: TooManyOfMesh): DecodeProblem {
  return problemOf('import-malformed', `A mesh of the file has more than ${limit} ${what}, which is more than is read.`)
}

function faultProblem({ code, where, message }: ImportFault): DecodeProblem {
  return problemOf(code, where === '' ? message : `${where}: ${message}`)
}

/** Problems that a repair fixes. */
const REPAIRED: ReadonlySet<string> = new Set(['region-self-intersecting', 'region-hole-misplaced'])

type Checked = { ok: true; body: ReadyBody; shape: object } | ({ ok: false } & Omit<Skipped, 'where'>)

/** Checks bodies one by one, as they are drawn: all but the current one are kept only as text and a few numbers. */
class BodyCheck {
  readonly #dimension: SceneDimension
  readonly #source: string | null
  readonly #limits: ShapeLimits
  /** Of shapes that several bodies share. */
  readonly #forms = new WeakMap<object, { form: string; items: number }>()
  /** Of all that were found to be bodies. */
  bounds: number[] | null = null
  /** That they name, by id. */
  readonly kept = new Map<string, KeptContent>()

  constructor(dimension: SceneDimension, source: string | null, limits: ShapeLimits) {
    this.#dimension = dimension
    this.#source = source
    this.#limits = limits
  }

  /**
   * The body as it is written, or the part of it that keeps it out of the scene, and why. `repairs`: takes the reports of repaired
   * outlines; null: nothing is repaired. Throws where the frame of the import is at fault.
   */
  ready<Moving extends MovingBody2d | MovingBody3d>(
    body: ImportedBody<Moving>,
    before: Moving,
    framing: Framing<Moving>,
    repairs: Pick<Drawing, 'repaired'> | null,
  ): Checked {
    const { shape, ...rest } = body
    if (hasLostNumbers(framing, before.shape, shape)) {
      const message = `Scaled by ${framing.scale}, some of its lengths are too small for a number: take a larger scale.`
      throw new ImportFault('coordinate-out-of-range', body.id, message)
    }
    if (hasFlatEllipse(shape))
      return { ok: false, what: shape.type, why: 'Its half axes are too small to be told from 0.' }
    const examined = examineBody(this.#dimension, shownBody(body as SceneBody), this.#limits)
    const problem = isProblem(examined) ? examined : null
    if (problem?.code === 'coordinate-out-of-range' && !framing.isPlain) {
      const plain = examineBody(this.#dimension, before, this.#limits)
      if (!isProblem(plain) || plain.code !== problem.code) {
        throw new ImportFault(problem.code, body.id, `With this scale and offset: ${problem.detail}`)
      }
    }
    if (problem !== null && repairs !== null && REPAIRED.has(problem.code)) {
      const repaired = repairedShape(shape as Shape2d)
      if (typeof repaired === 'string') {
        return { ok: false, what: shape.type, why: `${problem.detail} Repairing: ${repaired}` }
      }
      const what = `${problem.detail} What the rule evenodd fills is taken.`
      noteRepaired(repairs, body.id, shape.type, what)
      const taken = { ...body, shape: repaired } as unknown as ImportedBody<Moving>
      return this.ready(taken, { ...before, shape: repaired }, framing, null)
    }
    if (isProblem(examined)) return { ok: false, what: shape.type, why: examined.detail }
    const tags = this.#source === null ? rest.tags : taggedWith(this.#source, rest.tags)
    if (tags !== undefined && tags.length > MAX_TAGS) {
      return { ok: false, what: 'tags', why: `With that of the source it would have ${tags.length} tags.` }
    }
    if (examined.bounds !== null) {
      this.bounds = this.bounds === null ? [...examined.bounds] : extended(this.bounds, examined.bounds)
    }
    for (const content of contentsOf(shape)) this.kept.set(content.id, content)
    const form = this.#forms.get(shape) ?? { form: canonicalText(shape), items: shapeWeight(shape, Infinity) }
    this.#forms.set(shape, form)
    const ready = { ...rest, ...(tags !== undefined && { tags }), ...form, found: examined.found } as ReadyBody
    return { ok: true, body: ready, shape }
  }
}

/** Ellipses and ellipsoids that schemas forbid, but transforms of a file can make. */
function hasFlatEllipse(shape: Shape2d | Shape3d): boolean {
  switch (shape.type) {
    case 'compound':
      return shape.children.some((child) => hasFlatEllipse(child.shape))
    case 'ellipse':
      return !(shape.rx > 0 && shape.ry > 0)
    case 'ellipsoid':
      return !(shape.radii.x > 0 && shape.radii.y > 0 && shape.radii.z > 0)
    default:
      return false
  }
}

function taggedWith(source: string, tags: readonly string[] = []): string[] {
  return tags.includes(source) ? [...tags] : [...tags, source]
}

function extended(a: readonly number[], b: readonly number[]): number[] {
  return a.map((side, k) => (2 * k < a.length ? Math.min(side, b[k]) : Math.max(side, b[k])))
}

// Bodies on their way from the thread that reads a file to the one that writes them: texts and numbers in a few pieces of memory. As
// 100,000 records they would keep the other thread from everything else for half a second.

/** A body as the scene keeps it: the shape as its canonical text. */
export interface ReadyBody extends Omit<SceneBody, 'shape' | 'data'> {
  data?: string
  form: string
  /** Items of all lists in the shape. */
  items: number
  found: FoundBody
}

export interface PackedBodies {
  /** All but the shapes, and those, what bodies share once. */
  heads: Texts
  forms: Texts
  /** By the indices of their forms: long shapes whose meshes are prepared. */
  prepared: Map<number, PackedMeshes>
  dimension: SceneDimension
  /** See below. */
  numbers: Float64Array<ArrayBuffer>
}

/** Numbers of a pose, and sides of a box. */
const POSE_COUNTS = { 2: 3, 3: 7 } as const

/** Of each body: its form, items, whether it is plain, then what was found about it: pose and box. */
function numberCount(dimension: SceneDimension): number {
  return 3 + POSE_COUNTS[dimension] + 2 * dimension
}

class BodyPacker {
  readonly #dimension: SceneDimension
  #heads = new TextPages()
  #forms = new TextPages()
  /** Of shapes that several bodies share. */
  readonly #formIndices = new WeakMap<object, number>()
  readonly #prepared: PackedBodies['prepared'] = new Map()
  #numbers: Float64Array<ArrayBuffer>

  constructor(dimension: SceneDimension) {
    this.#dimension = dimension
    this.#numbers = new Float64Array(numberCount(dimension) * 64)
  }

  add({ form, items, found, ...head }: ReadyBody, shape: object): void {
    const at = numberCount(this.#dimension) * this.#heads.count
    if (at === this.#numbers.length) {
      const larger = new Float64Array(2 * at)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    const { pose, box, isPlain } = found
    const known = this.#formIndices.get(shape)
    const index = known ?? this.#forms.count
    if (known === undefined) {
      this.#forms.add(form)
      if (form.length >= LONG_FORM && isSharedMesh(shape)) this.#prepared.set(index, packMeshes(shape))
    }
    this.#formIndices.set(shape, index)
    this.#numbers.set([index, items, isPlain ? 1 : 0, ...Array.from(pose), ...box], at)
    this.#heads.add(JSON.stringify(head))
  }

  finish(): PackedBodies {
    const numbers = this.#numbers.subarray(0, numberCount(this.#dimension) * this.#heads.count)
    const [heads, forms] = [this.#heads.finish(), this.#forms.finish()]
    return { heads, forms, prepared: this.#prepared, dimension: this.#dimension, numbers }
  }
}

export function bodyCount({ heads }: PackedBodies): number {
  return textCount(heads)
}

function isSharedMesh(shape: object): shape is MeshShape3d {
  const { type } = shape as Shape3d
  return type === 'mesh' && preparedMesh(shape as MeshShape3d)?.buffer instanceof SharedArrayBuffer
}

/** Made on demand. */
export function bodyAt({ heads, forms, prepared, dimension, numbers }: PackedBodies, index: number): ReadyBody {
  const count = numberCount(dimension)
  const [form, items, isPlain, ...rest] = numbers.subarray(count * index, count * (index + 1))
  const pose = rest.slice(0, POSE_COUNTS[dimension])
  const mesh = prepared.get(form)
  const found = {
    pose,
    box: Float64Array.from(rest.slice(pose.length)),
    isPlain: isPlain === 1,
    core: null,
    ...(mesh !== undefined && { open: () => openMeshes(mesh) }),
  }
  return { ...JSON.parse(textAt(heads, index)), form: formAt(forms, form), items, found }
}

/**
 * Characters from which on a form stays text, with its meshes as they were prepared, and is worth remembering: bodies that share it then
 * share its text.
 */
export const LONG_FORM = 2 ** 12
const longForms = new WeakMap<Texts, Map<number, string>>()

function formAt(forms: Texts, index: number): string {
  const known = longForms.get(forms)?.get(index)
  if (known !== undefined) return known
  const form = textAt(forms, index)
  if (form.length < LONG_FORM) return form
  const long = longForms.get(forms) ?? new Map<number, string>()
  longForms.set(forms, long.set(index, form))
  return form
}
