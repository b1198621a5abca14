// Writes of scenes for requests: from the body of the request to the answer or the problem.

import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SceneDocument, SceneRequest } from '../../schemas/scenes/scene.ts'
import { jsonText } from '../json/input.ts'
import { readJson, requestKey } from '../plugins/json-body.ts'
import type { Keeper } from '../scene/keeper/keeper.ts'
import type { WriteDone, WriteOutcome, WriteRequest } from '../scene/keeper/pending-write.ts'
import type { RequestKey } from '../scene/keeper/remembered-writes.ts'
import { answeredSummary } from '../scene/keeper/scene-summary.ts'
import type { Below, WriteRefusal } from '../scene/keeper/write-checks.ts'
import {
  type BodyPatch,
  type CreateOperation,
  changedBody,
  type Operation,
  type SceneBody,
} from '../scene/state/operation.ts'
import { heldContents } from '../scene/state/shape-pool.ts'
import type { ShapeLimits } from '../wire/body.ts'
import { type DecodeProblem, isProblem, under } from '../wire/decode-problem.ts'
import { checkFieldsInSlices, checkInSlices } from '../wire/scene-body.ts'
import { parseBody, parseFields, sceneBodyText } from '../wire/scene-body-text.ts'
import { scenesPath } from '../wire/scene-dimensions.ts'
import {
  type CurrentVersion,
  checkSettings,
  creationOf,
  encodeSceneDocument,
  encodeSceneSummary,
  isNamed,
  newSettings,
  tagOf,
} from '../wire/scene-document.ts'
import { parseAround } from '../wire/unread-shape.ts'
import { runInSlices } from './query-replies.ts'
import {
  absenceOf,
  askedVersions,
  conditionOf,
  damageOf,
  dimensionOf,
  findKeeper,
  findScene,
  isAskedFor,
  lookUpAny,
  lookUpScene,
  ofDimension,
  replyToStoreError,
  tagVersion,
} from './scene-reads.ts'

/** Where operations lie in the body of a request, and the fields of the bodies that they make. */
export interface WritePlaces {
  operation(index: number): string
  fields(index: number): string
}

/** Of a request that is about one body. */
const NO_PLACES: WritePlaces = { operation: () => '', fields: () => '' }

/** Where the scenes are that the request is about. */
function pathOf({ request }: FastifyReply): string {
  return scenesPath(dimensionOf(request))
}

/** Sends the scene as it is now. */
async function sendScene(reply: FastifyReply, sceneId: string, isNew: boolean): Promise<FastifyReply | SceneDocument> {
  const scene = await findScene(reply, sceneId)
  if (scene === null) return reply
  if (isNew) reply.code(201).header('location', `${pathOf(reply)}/${sceneId}`)
  tagVersion(reply, scene)
  return encodeSceneDocument(scene)
}

/** The outcome of a write that is done; null: the problem has been answered. */
export async function finishWrite(
  reply: FastifyReply,
  sceneId: string,
  write: Promise<WriteOutcome>,
  places: WritePlaces = NO_PLACES,
): Promise<WriteDone | null> {
  let outcome: WriteOutcome
  try {
    outcome = await write
  } catch (error) {
    replyToStoreError(reply, error)
    return null
  }
  if ('refusal' in outcome) {
    replyToRefusal(reply, sceneId, outcome, places)
    return null
  }
  tagVersion(reply, outcome)
  return outcome
}

/** Answers with why a write was not taken. `version-mismatch` carries the version that the scene is at. */
export function replyToRefusal(
  reply: FastifyReply,
  sceneId: string,
  refusal: WriteRefusal,
  places: WritePlaces = NO_PLACES,
): undefined {
  const { limits } = reply.server.scenes
  switch (refusal.refusal) {
    case 'unknown-scene':
      return reply.geometryProblem(absenceOf(sceneId))
    case 'scene-damaged':
      return reply.geometryProblem(damageOf(sceneId, refusal.damage))
    case 'too-many-scenes': {
      const { maxScenes: limit } = limits
      return reply.problem('too-many-scenes', `The service keeps at most ${limit} scenes.`, { limit })
    }
    case 'too-many-bodies': {
      const { count: actual } = refusal
      const { maxSceneBodies: limit } = limits
      const detail = `A scene may have at most ${limit} bodies, there would be ${actual}.`
      return reply.problem('too-many-scene-bodies', detail, { limit, actual })
    }
    case 'other-version':
      return replyToOtherVersion(reply, refusal)
    case 'key-reused':
      return reply.problem(
        'idempotency-key-reused',
        'The Idempotency-Key was sent with another request before; nothing was changed.',
      )
    case 'unknown-body': {
      const { index, id } = refusal.fault
      const detail = `Scene ${sceneId} has no body ${id}.`
      const pointer = `#${places.operation(index)}/id`
      return reply.problem('body-not-found', detail, places === NO_PLACES ? {} : { errors: [{ pointer, detail }] })
    }
    case 'unacceptable-body': {
      const problem = refusal.fault as DecodeProblem
      return reply.geometryProblem(under(places.fields(refusal.index), problem))
    }
    case 'scene-exists':
      throw new Error(`scene ${sceneId} is there`)
  }
}

/** `stand`: where the scene is. */
export function replyToOtherVersion(reply: FastifyReply, stand: CurrentVersion): undefined {
  const { request } = reply
  const { version: actual } = stand
  const asked = request.headers['if-match']
  tagVersion(reply, stand)
  const isOtherHistory = askedVersions(request)?.some((tag) => tag.version === actual && !isNamed(stand, tag))
  const detail = isOtherHistory
    ? `The scene is at ${tagOf(stand)}, of another history than the ${asked} that If-Match asked for.`
    : `The scene is at version ${actual}, If-Match asked for ${asked}.`
  return reply.problem('version-mismatch', detail, { actual })
}

const SHAPE_ADVICE = 'Send a shape with fewer vertices or parts.'
/** Of a scene that is not there. */
const NOWHERE = { version: 0, digest: null }
const ID_BYTE_COUNT = 12
/** Of one key, when scenes of earlier days are there still. */
const MOST_IDS = 100
/** Memory of bodies that were put. */
const CREATED = 'created'
const REPLACED = 'replaced'
const JSON_TYPE = 'application/json; charset=utf-8'

/** Reads the bodies of a scope as those of scenes, or as new fields of them. */
export function readBodies(app: FastifyInstance): void {
  readJson(
    app,
    (bytes, { method }) => {
      const parse = method === 'PATCH' ? parseFields : parseBody
      return parseAround(bytes, (text) => parse(jsonText(text)))
    },
    ({ method }) => (method === 'PATCH' ? 'fields' : 'body'),
  )
}

/** Makes a scene with a new id. */
export async function beginScene(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: SceneRequest,
  defaultTtl: number,
): Promise<unknown> {
  const keeper = findKeeper(reply)
  if (keeper === null) return reply
  const problem = checkSettings(settings)
  if (problem !== null) return reply.geometryProblem(problem)
  const key = requestKey(request)
  const creation = (id: string) => creationOf(dimensionOf(request), id, settings, defaultTtl, keeper.time())
  if (key !== null) return beginOnce(reply, keeper, creation, key)
  const id = randomBytes(ID_BYTE_COUNT).toString('base64url')
  const done = await finishWrite(reply, id, keeper.create(creation(id)))
  return done === null ? reply : sendScene(reply, id, true)
}

/** The id is made of the key: whichever instance is asked, and however often, it is the same scene. */
async function beginOnce(
  reply: FastifyReply,
  keeper: Keeper,
  creation: (id: string) => CreateOperation,
  key: RequestKey,
): Promise<unknown> {
  for (let nth = 0; ; nth++) {
    const id = createHash('sha256')
      .update(`${nth} ${key.key}`)
      .digest()
      .subarray(0, ID_BYTE_COUNT)
      .toString('base64url')
    const begin = async (): Promise<WriteOutcome | null> => {
      const outcome = await keeper.create(creation(id), key)
      const isThere = 'refusal' in outcome && outcome.refusal === 'scene-exists'
      return isThere ? keeper.answered(id, key) : outcome
    }
    let outcome: WriteOutcome | null
    try {
      outcome = await begin()
    } catch (error) {
      return replyToStoreError(reply, error) ?? reply
    }
    // one that was begun with this key so long ago that it is not remembered
    if (outcome === null && nth < MOST_IDS) continue
    const done = await finishWrite(reply, id, Promise.resolve(outcome ?? { refusal: 'key-reused' }))
    return done === null ? reply : sendWrittenScene(reply, id, done, true)
  }
}

/** Sends the scene as the write has left it; `isNew`: where the write was not one that is repeated. */
function sendWrittenScene(
  reply: FastifyReply,
  id: string,
  done: WriteDone,
  isNew: boolean,
): Promise<unknown> | unknown {
  if (!done.isRepeated) return sendScene(reply, id, isNew)
  const { version, answer = null } = done
  if (version === 1) reply.code(201).header('location', `${pathOf(reply)}/${id}`)
  return answer === null ? sendScene(reply, id, version === 1) : encodeSceneSummary(answeredSummary(answer))
}

/** Makes the scene, or changes the settings of the one that is there. `defaultTtl`: see `creationOf`. */
export async function putScene(
  request: FastifyRequest,
  reply: FastifyReply,
  sceneId: string,
  settings: SceneRequest,
  defaultTtl: number,
): Promise<unknown> {
  const keeper = findKeeper(reply)
  if (keeper === null) return reply
  const problem = checkSettings(settings)
  if (problem !== null) return reply.geometryProblem(problem)
  const key = requestKey(request)
  // another instance may have deleted it
  const dimension = dimensionOf(request)
  const known = await lookUpAny(reply.server, sceneId, true)
  const found = ofDimension(known, sceneId, dimension)
  if (isProblem(found)) {
    if (found.code !== 'scene-not-found' || found !== known) return reply.geometryProblem(found)
    if (request.headers['if-match'] !== undefined) return replyToOtherVersion(reply, NOWHERE)
    const creation = keeper.create(
      creationOf(dimension, sceneId, settings, defaultTtl, keeper.time()),
      key ?? undefined,
    )
    const outcome = await creation.catch((error) => replyToStoreError(reply, error))
    if (outcome === undefined) return reply
    // made by another one meanwhile
    if ('refusal' in outcome && outcome.refusal === 'scene-exists') {
      return putScene(request, reply, sceneId, settings, defaultTtl)
    }
    return (await finishWrite(reply, sceneId, Promise.resolve(outcome))) && sendScene(reply, sceneId, true)
  }
  const changed = newSettings(found, settings)
  // with a key it takes a place in the log in any case: it may be sent again when others have changed the scene
  if (changed !== null || key !== null) {
    const at = keeper.time()
    const condition = conditionOf(request, keeper.ahead(sceneId) ?? found)
    const operations: Operation[] = [{ op: 'configure', ...changed, at }]
    const asked = { operations, at, ...condition, ...(key !== null && { key: { ...key, answer: true as const } }) }
    const done = await finishWrite(reply, sceneId, keeper.write(sceneId, asked))
    return done === null ? reply : sendWrittenScene(reply, sceneId, done, false)
  } else if (!isAskedFor(request, found)) return replyToOtherVersion(reply, found)
  return sendScene(reply, sceneId, false)
}

export async function dropScene(request: FastifyRequest, reply: FastifyReply, sceneId: string): Promise<unknown> {
  const keeper = findKeeper(reply)
  if (keeper === null) return reply
  const key = requestKey(request)
  const found = await lookUpScene(reply.server, sceneId, dimensionOf(request))
  const isDamaged = isProblem(found) && found.code === 'scene-damaged'
  const isGone = isProblem(found) && found.code === 'scene-not-found' && key !== null
  if (isProblem(found) && !isDamaged && !isGone) return reply.geometryProblem(found)
  if (isDamaged && !isAskedFor(request, NOWHERE)) return replyToOtherVersion(reply, NOWHERE)
  const scene = isDamaged || isGone ? NOWHERE : await findScene(reply, sceneId)
  if (scene === null) return reply
  try {
    const condition = conditionOf(request, keeper.ahead(sceneId) ?? scene)
    const outcome = await keeper.drop(sceneId, condition, 'deleted', key ?? undefined)
    return 'refusal' in outcome ? replyToRefusal(reply, sceneId, outcome) : reply.code(204).send()
  } catch (error) {
    return replyToStoreError(reply, error)
  }
}

export async function putBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { sceneId, bodyId }: { sceneId: string; bodyId: string },
  sent: Omit<SceneBody, 'id'> & { id?: string },
  limits: ShapeLimits,
): Promise<unknown> {
  const scene = await findScene(reply, sceneId)
  if (scene === null) return reply
  if (sent.id !== undefined && sent.id !== bodyId) {
    const detail = `id must be the one in the path, ${JSON.stringify(bodyId)}, or be left out, got ${JSON.stringify(sent.id)}.`
    return reply.problem('schema-violation', detail, { errors: [{ pointer: '#/id', detail }] })
  }
  const checked = await runInSlices(
    reply,
    SHAPE_ADVICE,
    checkInSlices(scene.dimension, sent, limits, '', heldContents(scene.table.shapes)),
  )
  if (checked === null) return reply
  if (checked.result !== null) return reply.geometryProblem(checked.result)
  let created = false
  const inspect = (ahead: Below) => {
    created = !ahead.has(bodyId)
  }
  const body: SceneBody = { ...sent, id: bodyId }
  const answer = () => (created ? CREATED : REPLACED)
  const done = await write(request, reply, sceneId, { op: 'put', body }, inspect, answer)
  if (done === null) return reply
  if (done.isRepeated) created = done.answer === CREATED
  if (created) reply.code(201).header('location', `${pathOf(reply)}/${sceneId}/bodies/${bodyId}`)
  return { version: done.version, created }
}

/** Answers with the body as this write leaves it. */
export async function patchBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { sceneId, bodyId }: { sceneId: string; bodyId: string },
  fields: BodyPatch,
  limits: ShapeLimits,
): Promise<unknown> {
  const scene = await findScene(reply, sceneId)
  if (scene === null) return reply
  const checked = await runInSlices(
    reply,
    SHAPE_ADVICE,
    checkFieldsInSlices(scene.dimension, fields, limits, '', heldContents(scene.table.shapes)),
  )
  if (checked === null) return reply
  if (checked.result !== null) return reply.geometryProblem(checked.result)
  let before: SceneBody | undefined
  const inspect = (ahead: Below) => {
    before = ahead.body(bodyId)
  }
  const answer = () => sceneBodyText(changedBody(before as SceneBody, fields))
  const done = await write(request, reply, sceneId, { op: 'patch', id: bodyId, fields }, inspect, answer)
  if (done === null) return reply
  if (!done.isRepeated) return sendBodyText(reply, done.version, answer())
  if (done.answer) return sendBodyText(reply, done.version, done.answer)
  // too long to be remembered, or too long ago: as it is now
  const now = findKeeper(reply)?.ahead(sceneId)?.bodies.body(bodyId)
  return now === undefined
    ? reply.problem('body-not-found', `Scene ${sceneId} has no body ${bodyId} any more.`)
    : sendBody(reply, done.version, now)
}

export async function removeBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { sceneId, bodyId }: { sceneId: string; bodyId: string },
): Promise<unknown> {
  if ((await findScene(reply, sceneId)) === null) return reply
  const done = await write(request, reply, sceneId, { op: 'remove', id: bodyId })
  return done === null ? reply : { version: done.version }
}

/** Sent as text: the data of a body are not to be written anew. */
export function sendBody(reply: FastifyReply, version: number, body: SceneBody): FastifyReply {
  return sendBodyText(reply, version, sceneBodyText(body))
}

function sendBodyText(reply: FastifyReply, version: number, text: string): FastifyReply {
  return sendText(reply, `{"version":${version},"body":${text}}`)
}

export function sendText(reply: FastifyReply, text: string | Buffer): FastifyReply {
  return reply.type(JSON_TYPE).send(text)
}

function write(
  request: FastifyRequest,
  reply: FastifyReply,
  sceneId: string,
  operation: Operation,
  inspect: (ahead: Below) => void = () => undefined,
  answer?: () => string,
) {
  const keeper = findKeeper(reply)
  if (keeper === null) return Promise.resolve(null)
  const condition = conditionOf(request, keeper.ahead(sceneId) ?? NOWHERE)
  const key = requestKey(request)
  const asked: WriteRequest = {
    operations: [operation],
    at: keeper.time(),
    inspect,
    ...condition,
    ...(key !== null && { key: { ...key, ...(answer !== undefined && { answer }) } }),
  }
  return finishWrite(reply, sceneId, keeper.write(sceneId, asked))
}
