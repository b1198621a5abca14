// References to kept shapes in requests: each is replaced by the shape before the request is decoded, so that nothing else knows of them.

import { MAX_COMPOUND_DEPTH } from '../../schemas/shapes2d.ts'
import { spend } from '../containers/budget.ts'
import type { FarTask } from '../containers/far-call.ts'
import { type DecodeProblem, problemAt, under } from './decode-problem.ts'

export type Dimension = '2d' | '3d'

/** A shape that was checked when it was sent. */
export interface SourceShape {
  readonly dimension: Dimension
  /** As it is on the wire. Not to be changed: all that refer to it share it. */
  readonly shape: object
  /** How many compounds lie in each other in it. */
  readonly depth: number
}

/** Where kept shapes are found. */
export interface ShapeSource {
  find(id: string): SourceShape | undefined
}

/** Where none are kept. */
export const NO_SHAPES: ShapeSource = { find: () => undefined }

/** Ids of kept shapes begin with it. */
export const ID_MARK = 'sha256-'
const MARK_BYTES = Buffer.from(ID_MARK)

/** How JSON may write a character of an id that is not written as it is. */
export const ESCAPE_MARK = '\\u00'
const BACKSLASH = 92

/** Whether a document may have the beginning of an id: one without it has no references. */
export function mayHaveReferences(bytes: Buffer): boolean {
  return bytes.includes(MARK_BYTES) || bytes.includes(BACKSLASH)
}

/** Asks whoever keeps shapes for some of them: a `ShapeSource`, or null where they are too long for the main thread. */
export interface ShapesTask extends FarTask {
  readonly kind: 'kept-shapes'
  /** One for each reference. */
  readonly ids: readonly string[]
}

export function isShapesTask(task: FarTask): task is ShapesTask {
  return task.kind === 'kept-shapes'
}

/** Puts the shapes in place of the references in a value; gives the problem of the first that is not there. */
export function putShapes(value: object, dimension: Dimension, source: ShapeSource): DecodeProblem | null {
  return putInto(value as Fields, { dimension, source }, 0)
}

type Fields = Record<string, unknown>

interface Wanted {
  readonly dimension: Dimension
  readonly source: ShapeSource
}

/** `depth`: compounds around the value. */
function putInto(value: Fields | unknown[], wanted: Wanted, depth: number): DecodeProblem | null {
  spend(1)
  // lists of numbers are long, and a name for each of them is longer
  if (ArrayBuffer.isView(value)) return null
  if (Array.isArray(value)) {
    if (typeof value[0] !== 'object') return null
    for (let i = 0; i < value.length; i++) {
      const problem = putField(value as unknown as Fields, i as unknown as string, wanted, depth)
      if (problem !== null) return under(`/${i}`, problem)
    }
    return null
  }
  const inside = value.type === 'compound' ? depth + 1 : depth
  for (const name in value) {
    const problem = putField(value, name, wanted, inside)
    if (problem !== null) return under(`/${name}`, problem)
  }
  return null
}

function putField(holder: Fields, name: string, wanted: Wanted, depth: number): DecodeProblem | null {
  const field = holder[name]
  if (typeof field !== 'object' || field === null) return null
  const { type, id } = field as Fields
  if (type !== 'ref' || typeof id !== 'string') return putInto(field as Fields, wanted, depth)
  const { dimension, source } = wanted
  const found = source.find(id)
  if (found === undefined || found.dimension !== dimension) return unknownShape(id, dimension, found)
  if (depth + found.depth > MAX_COMPOUND_DEPTH) {
    const detail = `Compounds may be nested ${MAX_COMPOUND_DEPTH} deep, not deeper, those of kept shapes included.`
    return problemAt('', 'compound-too-deep', detail, { limit: MAX_COMPOUND_DEPTH, actual: depth + found.depth })
  }
  holder[name] = found.shape
  return null
}

/** `other`: the shape with this id, which is of the other dimension. */
export function unknownShape(id: string, dimension: Dimension, other?: SourceShape): DecodeProblem {
  const detail =
    other === undefined
      ? `The shape ${id} is not kept here: send it to /v1/${dimension}/shapes and ask again.`
      : `The shape ${id} is of ${other.dimension}, and a ${dimension} query takes shapes of ${dimension} only.`
  return { ...problemAt('/id', 'shape-unknown', detail), shape: id }
}

/** The problem of a reference that no shape has taken the place of; for the `default` of a switch that has a case for each type of shape. */
export function unputShape(shape: never, dimension: Dimension): DecodeProblem {
  return unknownShape((shape as { id: string }).id, dimension)
}
