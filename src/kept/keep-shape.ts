/**
 * Makes a kept shape from the body of a request: a task for a worker.
 *
 * A file becomes a mesh; JSON is a shape of any type. The shape is checked as queries check shapes, its meshes are prepared in shared memory,
 * and its id is the digest of its content. Where there is a directory, the file of the shape is written there before the task ends.
 */

import { existsSync } from 'node:fs'
import { type KeptSummary, MAX_KEPT_FINDINGS } from '../../schemas/queries/kept-shapes.ts'
import { reference } from '../../schemas/reference.ts'
import { type Shape2d, Shape2d as Shape2dSchema } from '../../schemas/shapes2d.ts'
import {
  type HeightfieldShape3d,
  type MeshShape3d,
  type Shape3d,
  Shape3d as Shape3dSchema,
} from '../../schemas/shapes3d.ts'
import { spend } from '../containers/budget.ts'
import type { FarTask } from '../containers/far-call.ts'
import { bounds as bounds2d, createBounds as createBounds2d } from '../core2d/queries/bounds.ts'
import { createMotion } from '../core2d/shape/motion.ts'
import { MESH_BOX, type Mesh } from '../core3d/mesh/mesh.ts'
import { bounds as bounds3d, createBounds as createBounds3d } from '../core3d/queries/bounds.ts'
import { COMPOSITE, type Composite } from '../core3d/shape/body.ts'
import { TooManyOfMesh } from '../import/meshes/mesh-data.ts'
import { type MeshFormat, type MeshFrame, readMeshFile } from '../import/meshes/mesh-file.ts'
import { ImportFault } from '../import/source-files.ts'
import { behindMark, createJsonInput } from '../json/input.ts'
import { compileReader, parseBy } from '../json/reader.ts'
import {
  createSlot as createSlot2d,
  decodeBody as decodeBody2d,
  releaseSlots as releaseSlots2d,
  type ShapeLimits,
} from '../wire/body.ts'
import {
  createSlot as createSlot3d,
  decodeBody as decodeBody3d,
  releaseSlots as releaseSlots3d,
} from '../wire/body-3d.ts'
import { type DecodeProblem, isProblem, problemAt, problemOf } from '../wire/decode-problem.ts'
import { inspectShape as inspectShape2d } from '../wire/findings.ts'
import { listFindings } from '../wire/findings-3d.ts'
import { decodeMesh, preparedMesh, rememberMesh, TRIANGLES_PER_VERTEX } from '../wire/mesh-3d.ts'
import { schemasByName } from '../wire/named-schemas.ts'
import { violationProblem } from '../wire/schema-violation.ts'
import { type Dimension, putShapes, type ShapeSource } from '../wire/shape-source.ts'
import { describeUnreadable } from '../wire/unreadable.ts'
import { bodyCompiler, takeErrors } from '../wire/validators.ts'
import { contentId } from './canonical-content.ts'
import { byteLengthOf, type KeptShape, packShape } from './kept-shape.ts'
import { headOf, type ShapeHead } from './shape-blocks.ts'
import { shapePath, writeShapeFile } from './shape-file.ts'

export interface KeepTask extends FarTask {
  readonly kind: 'keep'
  readonly bytes: Uint8Array
  readonly dimension: Dimension
  readonly format: MeshFormat | 'json'
  readonly solid: boolean
  readonly frame: MeshFrame
  readonly limits: Readonly<ShapeLimits>
  /** Where it is written; null where nothing is. */
  readonly directory: string | null
}

export interface MadeShape {
  readonly kept: KeptShape
  readonly head: ShapeHead
}

export function isKeepTask(task: FarTask): task is KeepTask {
  return task.kind === 'keep'
}

/** `shapes`: kept ones that the new one may refer to. */
export function keepShape(task: KeepTask, shapes: ShapeSource): MadeShape | DecodeProblem {
  const { dimension, directory, limits } = task
  const shape = task.format === 'json' ? readShape(task) : readFile(task)
  if (isProblem(shape)) return shape
  if ('type' in shape && shape.type === 'ref') {
    const detail = 'A reference is not kept: send the shape that it names, or a compound with the reference as a child.'
    return problemAt('/type', 'schema-violation', detail)
  }
  const id = contentId(dimension, shape)
  // pointers of problems begin at the shape
  const problem = putShapes(shape, dimension, shapes)
  if (problem !== null) return problem
  const checked = dimension === '2d' ? check2d(shape as Shape2d, limits) : check3d(shape as Shape3d, limits)
  if (isProblem(checked)) return checked
  const kept = packShape(id, dimension, shape)
  const head = headOf(kept, { id, ...checked, bytes: byteLengthOf(kept) } as KeptSummary)
  if (directory !== null && !existsSync(shapePath(directory, kept))) {
    try {
      writeShapeFile(directory, kept, head)
    } catch (error) {
      return unwritten(error as NodeJS.ErrnoException)
    }
  }
  return { kept, head }
}

const FULL_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG']

function unwritten({ code = 'an unknown error' }: NodeJS.ErrnoException): DecodeProblem {
  return FULL_CODES.includes(code)
    ? problemOf('storage-full', 'There is no room left in the data directory: the shape is not kept.')
    : problemOf('storage-failed', `The storage failed: ${code} at the writing of the shape, which is not kept.`)
}

const SHAPES = { '2d': reference(Shape2dSchema), '3d': reference(Shape3dSchema) }
const readers = {
  '2d': compileReader(SHAPES['2d'], schemasByName),
  '3d': compileReader(SHAPES['3d'], schemasByName),
}
const compile = bodyCompiler(schemasByName)
const validators = { '2d': compile(SHAPES['2d']), '3d': compile(SHAPES['3d']) }

function readShape({ bytes: sent, dimension }: KeepTask): object | DecodeProblem {
  const bytes = Buffer.from(sent.buffer, sent.byteOffset, sent.length)
  let shape: unknown
  try {
    shape = parseBy(readers[dimension], createJsonInput(bytes))
  } catch (error) {
    return describeUnreadable(bytes.toString('utf8', behindMark(bytes)), error)
  }
  spend(bytes.length / BYTES_PER_STEP)
  const validate = validators[dimension]
  return validate(shape) ? (shape as object) : violationProblem(takeErrors(validate)[0], '')
}

const BYTES_PER_STEP = 64

function readFile({ bytes: sent, format, solid, frame, limits }: KeepTask): object | DecodeProblem {
  const bytes = Buffer.from(sent.buffer, sent.byteOffset, sent.length)
  const { maxVertices } = limits
  try {
    const meshLimits = { maxVertices, maxTriangles: TRIANGLES_PER_VERTEX * maxVertices }
    const { groups, ...mesh } = readMeshFile(format as MeshFormat, bytes, frame, meshLimits)
    return { type: 'mesh', ...mesh, ...(groups !== null && { groups }), ...(solid && { solid }) }
  } catch (error) {
    if (error instanceof ImportFault) {
      return problemOf(error.code, error.where === '' ? error.message : `${error.where}: ${error.message}`)
    }
    if (!(error instanceof TooManyOfMesh)) throw error
    const { what, limit } = error
    return problemOf(`too-many-${what}`, `A mesh may have at most ${limit} ${what}, and the file has more.`, { limit })
  }
}

type Checked = Omit<KeptSummary, 'id' | 'bytes'>

const still = createMotion()
const slot2d = createSlot2d()
const box2d = createBounds2d()

function check2d(shape: Shape2d, limits: ShapeLimits): Checked | DecodeProblem {
  try {
    const problem = inShape(decodeBody2d({ shape }, slot2d, limits))
    if (problem !== null) return problem
    bounds2d(slot2d, still, 0, box2d)
    const { minX, minY, maxX, maxY } = box2d
    const isBounded = [minX, minY, maxX, maxY].every(Number.isFinite)
    return {
      type: shape.type,
      triangles: 0,
      vertices: verticesIn(shape),
      bounds: isBounded ? { min: { x: minX, y: minY }, max: { x: maxX, y: maxY } } : null,
      solid: null,
      findings: inspectShape2d({ shape }, limits).findings.slice(0, MAX_KEPT_FINDINGS),
    }
  } finally {
    releaseSlots2d()
  }
}

const slot3d = createSlot3d()
const box3d = createBounds3d()

function check3d(shape: Shape3d, limits: ShapeLimits): Checked | DecodeProblem {
  try {
    const problem = prepareMeshes(shape, limits.maxVertices) ?? inShape(decodeBody3d({ shape }, slot3d, limits))
    if (problem !== null) return problem
    const { kind, composite } = slot3d
    if (kind === COMPOSITE) {
      // about each mesh, and about the parts of a compound rounded outward
      const numbers = shape.type === 'compound' ? (composite as Composite).tree.boxes : boxOfMesh(shape as MeshShape3d)
      for (let k = 0; k < 3; k++) {
        box3d.min[k] = numbers[k]
        box3d.max[k] = numbers[k + 3]
      }
    } else bounds3d(slot3d, box3d)
    const { min, max } = box3d
    const isBounded = [...min, ...max].every(Number.isFinite)
    const vector = ([x, y, z]: readonly number[]) => ({ x, y, z })
    return {
      type: shape.type,
      triangles: trianglesIn(shape),
      vertices: verticesIn(shape),
      bounds: isBounded ? { min: vector(min), max: vector(max) } : null,
      solid: shape.type === 'mesh' ? shape.solid === true : null,
      findings: listFindings(shape, limits).slice(0, MAX_KEPT_FINDINGS),
    }
  } finally {
    releaseSlots3d()
  }
}

/** Pointers that begin at the shape and not at its body. */
function inShape(problem: DecodeProblem | null): DecodeProblem | null {
  if (problem === null) return null
  const places = problem.places.map((place) => ({ ...place, pointer: place.pointer.replace(/^\/shape/, '') }))
  return { ...problem, places }
}

/** Those of kept shapes are prepared already. */
function prepareMeshes(shape: Shape3d, maxVertices: number): DecodeProblem | null {
  if (shape.type === 'mesh' || shape.type === 'heightfield') {
    const mesh = decodeMesh(shape, maxVertices, true)
    if (isProblem(mesh)) return mesh
    rememberMesh(shape, mesh)
    return null
  }
  if (shape.type !== 'compound') return null
  spend(shape.children.length)
  for (const [i, child] of shape.children.entries()) {
    const problem = prepareMeshes(child.shape, maxVertices)
    if (problem !== null) {
      const places = problem.places.map((place) => ({ ...place, pointer: `/children/${i}/shape${place.pointer}` }))
      return { ...problem, places }
    }
  }
  return null
}

function boxOfMesh(shape: MeshShape3d | HeightfieldShape3d): Float64Array {
  return (preparedMesh(shape) as Mesh).header.subarray(MESH_BOX, MESH_BOX + 6)
}

function trianglesIn(shape: Shape3d): number {
  if (shape.type === 'compound') return shape.children.reduce((sum, child) => sum + trianglesIn(child.shape), 0)
  return shape.type === 'mesh' || shape.type === 'heightfield' ? (preparedMesh(shape)?.triangleCount ?? 0) : 0
}

/** Coordinates of a vertex in flat lists. */
const FLAT = 3

function verticesIn(shape: Shape2d | Shape3d): number {
  switch (shape.type) {
    case 'compound':
      return shape.children.reduce((sum, child) => sum + verticesIn(child.shape), 0)
    case 'mesh':
      return shape.vertices.length / FLAT
    case 'heightfield':
      return shape.heights.length
    case 'hull':
      return shape.points.length
    case 'polygon':
    case 'chain':
      return shape.vertices.length
    case 'region':
      return (shape.holes ?? []).reduce((sum, hole) => sum + hole.length, shape.outer.length)
    default:
      return 0
  }
}
