// Operations on a scene: each is checked against the schema, and then for rules that a schema cannot express.

import type { SceneOperation } from '../../schemas/scenes/write.ts'
import type { FarSlices } from '../containers/far-call.ts'
import { Pace, type Slices } from '../containers/pace.ts'
import type { DryRun } from '../scene/queries/dry-run.ts'
import type { BodyPatch, Operation } from '../scene/state/operation.ts'
import type { ShapeLimits } from './body.ts'
import { type DecodeProblem, problemAt, under } from './decode-problem.ts'
import { checkFields, checkFieldsInSlices, checkInSlices } from './scene-body.ts'
import { type ValidatorError, violationProblem } from './schema-violation.ts'

export interface OperationLimits extends ShapeLimits {
  maxOperations: number
}

/** Cost of encoding a change, in points of bodies. */
const ENCODE_POINTS = 4

/** Operations between two pauses. */
const BETWEEN_PAUSES = 64

export function tooManyOperations(actual: number, limit: number): DecodeProblem {
  const detail = `operations must have at most ${limit} items, got ${actual}.`
  return problemAt('/operations', 'too-many-operations', detail, { limit, actual })
}

/** The operations, or the first problem, with pointers into the request. `violation`: the violation of the schema by an operation. */
export function* decodeOperations(
  values: readonly unknown[],
  violation: (value: unknown) => ValidatorError | null,
  limits: OperationLimits,
): FarSlices<Operation[] | DecodeProblem> {
  const { maxOperations: limit } = limits
  const { length: actual } = values
  if (actual > limit) return tooManyOperations(actual, limit)
  for (let index = 0; index < values.length; index++) {
    const error = violation(values[index])
    const where = operationPlace(index)
    const problem =
      error !== null
        ? violationProblem(error, where)
        : yield* checkOperation(values[index] as SceneOperation, limits, where)
    if (problem !== null) return under(where, problem)
    if (index % BETWEEN_PAUSES === BETWEEN_PAUSES - 1) yield
  }
  return values as Operation[]
}

/** Where an operation lies in its request. */
export function operationPlace(index: number): string {
  return `/operations/${index}`
}

/** Where the fields of the body lie that an operation makes. */
export function fieldsPlace(operations: readonly Operation[], index: number): string {
  return operationPlace(index) + (operations[index].op === 'patch' ? '/fields' : '')
}

function* checkOperation(
  operation: SceneOperation,
  limits: ShapeLimits,
  where: string,
): FarSlices<DecodeProblem | null> {
  switch (operation.op) {
    case 'put':
      return under('/body', yield* checkInSlices(operation.body, limits, `${where}/body`))
    case 'move':
      return checkFields(operation)
    case 'patch':
      return under('/fields', yield* checkFieldsInSlices(operation.fields as BodyPatch, limits, `${where}/fields`))
    default:
      return null
  }
}

/** The answer of a dry run: the changed bodies by id, each with the ids that it would newly overlap. */
export function* encodeDryRun({ changed, overlaps, truncated }: DryRun): Slices<EncodedDryRun> {
  const pace = new Pace()
  const changes: EncodedDryRun['changes'] = []
  const listOf = new Map<string, string[]>()
  for (const id of changed) {
    const newOverlaps: string[] = []
    listOf.set(id, newOverlaps)
    changes.push({ id, newOverlaps })
    if (pace.isDue(ENCODE_POINTS)) yield
  }
  for (const { id, other } of overlaps) {
    listOf.get(id)?.push(other)
    if (pace.isDue(ENCODE_POINTS)) yield
  }
  return { changes, truncated }
}

interface EncodedDryRun {
  changes: { id: string; newOverlaps: string[] }[]
  truncated: boolean
}
