// POST /v1/2d/scenes/{sceneId}/operations: many changes of a scene in one write, or a dry run that reports their effects.

import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify'
import { reference } from '../../schemas/reference.ts'
import { answered, SceneParameters, WriteHeaders } from '../../schemas/scenes/headers.ts'
import { type SceneOperation, SceneOperationsResponse } from '../../schemas/scenes/write.ts'
import { type Config, queryLimits, sceneLimits } from '../config.ts'
import { Pace, type Slices } from '../containers/budget.ts'
import type { FarSlices } from '../containers/far-call.ts'
import { jsonText } from '../json/input.ts'
import { isKnownValid, noteBytes, readJsonList, requestKey } from '../plugins/json-body.ts'
import { runInSlices, sendOutcome } from '../replies/query-replies.ts'
import { conditionOf, findKeeper, findScene, isAskedFor, tagVersion } from '../replies/scene-reads.ts'
import { finishWrite, replyToOtherVersion, replyToRefusal, type WritePlaces } from '../replies/scene-writes.ts'
import type { Keeper } from '../scene/keeper/keeper.ts'
import type { WriteRefusal } from '../scene/keeper/write-checks.ts'
import { type DryRun, dryRun } from '../scene/queries/dry-run.ts'
import type { SceneDimension } from '../scene/state/geometry.ts'
import type { BodyPatch, Operation } from '../scene/state/operation.ts'
import type { Scene } from '../scene/state/scene.ts'
import { heldContents } from '../scene/state/shape-pool.ts'
import { onView } from '../scene/state/view.ts'
import type { ShapeLimits } from '../wire/body.ts'
import { type DecodeProblem, isProblem, problemAt, under } from '../wire/decode-problem.ts'
import { schemasByName } from '../wire/named-schemas.ts'
import { checkFields, checkFieldsInSlices, checkInSlices } from '../wire/scene-body.ts'
import { parseOperationItems, parseOperations } from '../wire/scene-body-text.ts'
import { SCENE_DIMENSIONS, type SceneDimensionSchemas } from '../wire/scene-dimensions.ts'
import type { CurrentVersion } from '../wire/scene-document.ts'
import type { HeldContents } from '../wire/scene-references.ts'
import { type ValidatorError, violationProblem } from '../wire/schema-violation.ts'
import { parseAround } from '../wire/unread-shape.ts'
import { bodyCompiler, parameterCompiler, takeErrors } from '../wire/validators.ts'

// Operations on a scene: each is checked against the schema, and then for rules that a schema cannot express.

interface OperationLimits extends ShapeLimits {
  maxOperations: number
}

/** Cost of encoding a change, in points of bodies. */
const ENCODE_POINTS = 4

/** What operations are decoded for: a scene, and the kept shapes that it holds. */
interface DecodedFor {
  dimension: SceneDimension
  held: HeldContents
}

const NO_SCENE: DecodedFor = { dimension: 2, held: new Map() }

/** Operations between two pauses. */
const BETWEEN_PAUSES = 64

function tooManyOperations(actual: number, limit: number): DecodeProblem {
  const detail = `operations must have at most ${limit} items, got ${actual}.`
  return problemAt('/operations', 'too-many-operations', detail, { limit, actual })
}

/** The operations, or the first problem, with pointers into the request. `violation`: the violation of the schema by an operation. */
export function* decodeOperations(
  values: readonly unknown[],
  violation: (value: unknown) => ValidatorError | null,
  limits: OperationLimits,
  scene: DecodedFor = NO_SCENE,
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
        : yield* checkOperation(values[index] as SceneOperation, limits, where, scene)
    if (problem !== null) return under(where, problem)
    if (index % BETWEEN_PAUSES === BETWEEN_PAUSES - 1) yield
  }
  return values as Operation[]
}

/** Where an operation lies in its request. */
function operationPlace(index: number): string {
  return `/operations/${index}`
}

/** Where the fields of the body lie that an operation makes. */
function fieldsPlace(operations: readonly Operation[], index: number): string {
  return operationPlace(index) + (operations[index].op === 'patch' ? '/fields' : '')
}

function* checkOperation(
  operation: SceneOperation,
  limits: ShapeLimits,
  where: string,
  { dimension, held }: DecodedFor,
): FarSlices<DecodeProblem | null> {
  switch (operation.op) {
    case 'put':
      return under('/body', yield* checkInSlices(dimension, operation.body, limits, `${where}/body`, held))
    case 'move':
      return checkFields(operation)
    case 'patch':
      return under(
        '/fields',
        yield* checkFieldsInSlices(dimension, operation.fields as BodyPatch, limits, `${where}/fields`, held),
      )
    default:
      return null
  }
}

/** The answer of a dry run: the changed bodies by id, each with the ids that it would newly overlap. */
function* encodeDryRun({ changed, overlaps, truncated }: DryRun): Slices<EncodedDryRun> {
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

const OPERATIONS_ADVICE = 'Send fewer operations at a time.'

/** Most new overlaps that a dry run names. */
const MAX_NEW_OVERLAPS = 100_000
/** Most pairs of bodies near each other that it looks at. */
const MAX_NEAR_PAIRS = 1_000_000

/** Its answer lists every body that would be changed. */
const DRY_RUN = { op: 'operations', mayBeLong: true }

const LIST = Type.Object({ operations: Type.Array(Type.Unknown(), { minItems: 1 }) }, { additionalProperties: false })

/** Reads the bodies of a scope as operations. */
function readOperations(
  app: FastifyInstance,
  limit: number,
  violation: ReturnType<typeof operationChecks>['violation'],
  schema: string,
): void {
  readJsonList(app, {
    name: 'operations',
    limit,
    tooMany: (actual) => tooManyOperations(actual, limit),
    parse: (bytes) => parseOperations(jsonText(bytes)),
    far: { items: 'items', whole: 'operations', schema },
    parseItems: (bytes) => parseAround(bytes, (text) => parseOperationItems(jsonText(text)), true),
    isValid: (operation) => violation(operation) === null,
    // the body alone, as earlier releases have it in their logs
    look: (request, chunk) => noteBytes(request, chunk, ''),
  })
}

/** The list is validated at once, but what is in it one by one, with pauses. */
function operationChecks(operation: TSchema) {
  const compile = bodyCompiler(schemasByName)
  const parameters = parameterCompiler(schemasByName)
  const validateList = compile(LIST)
  const validate = compile(reference(operation))
  const validatorCompiler = (({ schema, httpPart }) =>
    httpPart === 'body' ? validateList : parameters(schema)) as FastifySchemaCompiler<object>
  const violation = (value: unknown) => (validate(value) ? null : takeErrors(validate)[0])
  return { validatorCompiler, violation }
}

/** The operations that were sent, or null: why not is answered then. */
async function decodeSent(
  { body }: FastifyRequest,
  reply: FastifyReply,
  violation: ReturnType<typeof operationChecks>['violation'],
  limits: OperationLimits,
  scene: Scene,
): Promise<Operation[] | null> {
  const { operations } = body as { operations: unknown[] }
  const left = isKnownValid(operations) ? () => null : violation
  const decodedFor = { dimension: scene.dimension, held: heldContents(scene.table.shapes) }
  const done = await runInSlices(reply, OPERATIONS_ADVICE, decodeOperations(operations, left, limits, decodedFor))
  if (done === null) return null
  if (!isProblem(done.result)) return done.result
  reply.geometryProblem(done.result)
  return null
}

async function writeOperations(
  request: FastifyRequest,
  reply: FastifyReply,
  scene: Scene,
  operations: Operation[],
): Promise<unknown> {
  const keeper = findKeeper(reply)
  if (keeper === null) return reply
  const key = requestKey(request)
  const { id } = scene
  const write = keeper.write(id, {
    operations,
    at: keeper.time(),
    ...conditionOf(request, keeper.ahead(id) ?? scene),
    ...(key !== null && { key }),
  })
  const done = await finishWrite(reply, id, write, placesOf(operations))
  return done === null ? reply : { version: done.version, applied: operations.length }
}

async function tryOperations(
  request: FastifyRequest,
  reply: FastifyReply,
  scene: Scene,
  operations: Operation[],
): Promise<unknown> {
  const keeper = findKeeper(reply)
  if (keeper === null) return reply
  if (!isAskedFor(request, scene)) return replyToOtherVersion(reply, scene)
  const done = await runInSlices(reply, OPERATIONS_ADVICE, dryRunAnswer(keeper, scene, operations))
  if (done === null) return reply
  const { result } = done
  if ('refusal' in result) return replyToRefusal(reply, scene.id, result, placesOf(operations))
  return sendOutcome(tagVersion(reply, result.stand), DRY_RUN, result.answer)
}

function dryRunAnswer(
  keeper: Keeper,
  scene: Scene,
  operations: Operation[],
): FarSlices<{ stand: CurrentVersion; answer: object } | WriteRefusal> {
  return onView(scene, function* (view) {
    const refusal = yield* keeper.check(view, operations)
    if (refusal !== null) return refusal
    const found = yield* dryRun(view, operations, MAX_NEW_OVERLAPS, MAX_NEAR_PAIRS)
    const { version, digest } = view
    return { stand: { version, digest }, answer: { version, applied: 0, ...(yield* encodeDryRun(found)) } }
  })
}

function placesOf(operations: readonly Operation[]): WritePlaces {
  return { operation: operationPlace, fields: (index) => fieldsPlace(operations, index) }
}

const MEANING =
  'true: nothing is changed, and the answer says which bodies each changed body would newly overlap. false when absent.'
const DryRunParameters = Type.Object({ dryRun: Type.Optional(Type.Boolean({ description: MEANING })) })

type TypedApp = Parameters<FastifyPluginAsyncTypebox>[0]

export const sceneOperationsRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  // each in a scope of its own, because bodies are read by their own schema
  for (const dimension of SCENE_DIMENSIONS) await app.register(async (scope) => addWrite(scope, config, dimension))
}

function addWrite(app: TypedApp, config: Config, schemas: SceneDimensionSchemas): void {
  const { path, name, tag, ofSpace, operation, write, bodyProblems } = schemas
  const limits = { ...queryLimits(config), ...sceneLimits(config) }
  const { validatorCompiler, violation } = operationChecks(operation)
  readOperations(app, limits.maxOperations, violation, operation.$id as string)
  app.post(`${path}/:sceneId/operations`, {
    bodyLimit: config.OPERATIONS_BODY_LIMIT,
    validatorCompiler,
    schema: {
      operationId: `writeScene${name}`,
      tags: [`scene-bodies${tag}`],
      summary: `Change a scene${ofSpace}`,
      description:
        'All operations are applied, in their order and at once, or none: a problem names the first that cannot be. The answer comes when the write is durable.',
      params: SceneParameters,
      querystring: DryRunParameters,
      headers: WriteHeaders,
      body: reference(write),
      response: { 200: answered(SceneOperationsResponse, 'The write is durable; or what it would do.') },
    },
    config: { problems: [...bodyProblems, 'body-not-found', 'too-many-operations'] },
    handler: async (request, reply) => {
      const scene = await findScene(reply, request.params.sceneId)
      if (scene === null) return reply
      const decoded = await decodeSent(request, reply, violation, limits, scene)
      if (decoded === null) return reply
      const act = request.query.dryRun === true ? tryOperations : writeOperations
      return act(request, reply, scene, decoded)
    },
  })
}
