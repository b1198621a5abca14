// Tasks about bodies that come into scenes, as another thread does them: shapes read, checked and prepared.

import { reference } from '../../../schemas/reference.ts'
import { type Body2d, Shape2d } from '../../../schemas/shapes2d.ts'
import type { FarTask } from '../../containers/far-call.ts'
import { type Body, createBody } from '../../core2d/shape/body.ts'
import { createMotion } from '../../core2d/shape/motion.ts'
import { TooMuchToRead } from '../../json/brackets.ts'
import { assertReadable } from '../../json/readable.ts'
import { type FoundBody, foundOf } from '../../scene/table/found-bodies.ts'
import { type SceneBody, shapeWeight } from '../../scene/table/operation.ts'
import { canonicalText } from '../../scene/table/shape-text.ts'
import { decodeMovingBody } from '../decode/decode-body.ts'
import type { ShapeLimits } from '../decode/shape-limits.ts'
import { type DecodeProblem, problemAt, problemOf, under } from '../problems/decode-problem.ts'
import { violationProblem } from '../problems/schema-violation.ts'
import { schemasByName } from '../validation/named-schemas.ts'
import { bodyCompiler, takeErrors } from '../validation/validators.ts'
import { checkSceneBody, findBody } from './scene-body.ts'
import { parseKept } from './scene-data.ts'

/** What is wrong with a body? */
export interface CheckTask extends FarTask {
  readonly kind: 'check'
  /** JSON text of the body, without its id and its data. */
  readonly text: string
  readonly limits: ShapeLimits
}

/** Nothing is; what was found about it. */
export interface CheckedShape {
  readonly found: FoundBody | null
}

/** What is this shape, and is it one? */
export interface ReadTask extends FarTask {
  readonly kind: 'read'
  /** JSON text of the shape, perhaps. */
  readonly bytes: Uint8Array
  /** Of the body. */
  readonly pose: {
    readonly [Field in 'position' | 'rotation' | 'velocity' | 'angularVelocity']: SceneBody[Field] | undefined
  }
  readonly limits: ShapeLimits
  /** Pointer to the body. */
  readonly where: string
  /** Whether a scene is to keep it, which does not know −0. */
  readonly isKept: boolean
}

/** See `PackedShape`. */
export interface ReadShape {
  readonly form: string
  readonly items: number
  readonly found: FoundBody
}

let validate: ReturnType<ReturnType<typeof bodyCompiler>> | undefined

export function isBodyTask(task: FarTask): task is CheckTask | ReadTask {
  return task.kind === 'check' || task.kind === 'read'
}

export function doBodyTask(task: CheckTask | ReadTask): ReadShape | CheckedShape | DecodeProblem {
  if (task.kind === 'read') return readShape(task)
  const body = JSON.parse(task.text)
  return checkSceneBody(body, task.limits) ?? { found: foundOf(body.shape) }
}

/** The problem has pointers relative to the body. */
function readShape({ bytes, pose, limits, where, isKept }: ReadTask): ReadShape | DecodeProblem {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let shape: object
  try {
    assertReadable(buffer)
    shape = isKept ? parseKept(buffer.toString()) : JSON.parse(buffer.toString())
  } catch (error) {
    if (error instanceof TooMuchToRead) {
      return error.pointer === null
        ? problemOf('schema-violation', error.message)
        : problemAt(`/shape${error.pointer}`, 'schema-violation', error.message)
    }
    return problemOf('malformed-json', `The body is not JSON: ${(error as Error).message}.`)
  }
  const violation = violationOf(shape, where)
  if (violation !== null) return violation
  // not a kept one: it may be given away
  const core = createBody()
  const problem = decodeMovingBody({ shape, ...pose } as Body2d, core, createMotion(), limits)
  if (problem !== null) return problem
  const found = findBody(core, pose.rotation, isCheapToHandOn(core))
  return { form: canonicalText(shape), items: shapeWeight(shape, Infinity), found }
}

function violationOf(shape: object, where: string): DecodeProblem | null {
  validate ??= bodyCompiler(schemasByName)(reference(Shape2d))
  if (validate(shape)) return null
  return under('/shape', violationProblem(takeErrors(validate)[0], `${where}/shape`))
}

/** A few large arrays, and not many small ones. */
function isCheapToHandOn({ composite }: Body): boolean {
  return composite !== null && composite.partCount === 1 && composite.parts[0].outline !== null
}
