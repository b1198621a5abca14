// Writes to scenes in the name of a request: from what was sent to the answer, or to the problem.

import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SceneRequest } from '../../schemas/scenes/scene.ts'
import { jsonText } from '../json/utf8.ts'
import { readJson } from '../plugins/json-body.ts'
import type { Below } from '../scene/keeper/pending-bodies.ts'
import { changedBody } from '../scene/table/effects.ts'
import type { BodyPatch, Operation, SceneBody } from '../scene/table/operation.ts'
import type { ShapeLimits } from '../wire/decode/shape-limits.ts'
import { isProblem } from '../wire/problems/decode-problem.ts'
import { checkFieldsInSlices, checkInSlices } from '../wire/scenes/check-scene-body.ts'
import { parseBody, parseFields, sceneBodyText } from '../wire/scenes/scene-data.ts'
import { checkSettings, creationOf, newSettings } from '../wire/scenes/scene-settings.ts'
import { parseAround } from '../wire/scenes/unread-shape.ts'
import { runInSlices } from './query-replies.ts'
import { findKeeper, findScene, lookUpScene } from './scene-reads.ts'
import { finishWrite, replyToOtherVersion, replyToRefusal, sendScene } from './scene-replies.ts'
import { conditionOf, isAskedFor } from './scene-versions.ts'
import { replyToStoreError } from './store-problems.ts'

const SHAPE_ADVICE = 'Send a shape with fewer vertices or parts.'
/** Of a scene that is not there. */
const NOWHERE = { version: 0, digest: null }
const JSON_TYPE = 'application/json; charset=utf-8'

/** Reads the bodies of a scope as those of scenes, or as new fields of them. */
export function readBodies(app: FastifyInstance): void {
  readJson(app, (bytes, { method }) => {
    const parse = method === 'PATCH' ? parseFields : parseBody
    return parseAround(bytes, (text) => parse(jsonText(text)))
  })
}

/** Makes a scene with a new id. */
export async function beginScene(reply: FastifyReply, settings: SceneRequest, defaultTtl: number): Promise<unknown> {
  const keeper = findKeeper(reply)
  if (keeper === null) return reply
  const problem = checkSettings(settings)
  if (problem !== null) return reply.geometryProblem(problem)
  const id = randomBytes(12).toString('base64url')
  const done = await finishWrite(reply, id, keeper.create(creationOf(id, settings, defaultTtl, Date.now())))
  return done === null ? reply : sendScene(reply, id, true)
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
  // another instance may have deleted it
  const found = await lookUpScene(reply.server, sceneId, true)
  if (isProblem(found)) {
    if (found.code !== 'scene-not-found') return reply.geometryProblem(found)
    if (request.headers['if-match'] !== undefined) return replyToOtherVersion(reply, NOWHERE)
    const creation = keeper.create(creationOf(sceneId, settings, defaultTtl, Date.now()))
    const outcome = await creation.catch((error) => replyToStoreError(reply, error))
    if (outcome === undefined) return reply
    // made by another one meanwhile
    if ('refusal' in outcome && outcome.refusal === 'scene-exists') {
      return putScene(request, reply, sceneId, settings, defaultTtl)
    }
    return (await finishWrite(reply, sceneId, Promise.resolve(outcome))) && sendScene(reply, sceneId, true)
  }
  const changed = newSettings(found, settings)
  if (changed !== null) {
    const at = Date.now()
    const condition = conditionOf(request, keeper.ahead(sceneId) ?? found)
    const write = keeper.write(sceneId, { operations: [{ op: 'configure', ...changed, at }], at, ...condition })
    if ((await finishWrite(reply, sceneId, write)) === null) return reply
  } else if (!isAskedFor(request, found)) return replyToOtherVersion(reply, found)
  return sendScene(reply, sceneId, false)
}

export async function dropScene(request: FastifyRequest, reply: FastifyReply, sceneId: string): Promise<unknown> {
  const keeper = findKeeper(reply)
  if (keeper === null) return reply
  const found = await lookUpScene(reply.server, sceneId)
  const isDamaged = isProblem(found) && found.code === 'scene-damaged'
  if (isProblem(found) && !isDamaged) return reply.geometryProblem(found)
  if (isDamaged && !isAskedFor(request, NOWHERE)) return replyToOtherVersion(reply, NOWHERE)
  const scene = isDamaged ? NOWHERE : await findScene(reply, sceneId)
  if (scene === null) return reply
  try {
    const outcome = await keeper.drop(sceneId, conditionOf(request, keeper.ahead(sceneId) ?? scene))
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
  if ((await findScene(reply, sceneId)) === null) return reply
  if (sent.id !== undefined && sent.id !== bodyId) {
    const detail = `id must be the one in the path, ${JSON.stringify(bodyId)}, or be left out, got ${JSON.stringify(sent.id)}.`
    return reply.problem('schema-violation', detail, { errors: [{ pointer: '#/id', detail }] })
  }
  const checked = await runInSlices(reply, SHAPE_ADVICE, checkInSlices(sent, limits, ''))
  if (checked === null) return reply
  if (checked.result !== null) return reply.geometryProblem(checked.result)
  let created = false
  const inspect = (ahead: Below) => {
    created = !ahead.has(bodyId)
  }
  const body: SceneBody = { ...sent, id: bodyId }
  const done = await write(request, reply, sceneId, { op: 'put', body }, inspect)
  if (done === null) return reply
  if (created) reply.code(201).header('location', `/v1/2d/scenes/${sceneId}/bodies/${bodyId}`)
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
  if ((await findScene(reply, sceneId)) === null) return reply
  const checked = await runInSlices(reply, SHAPE_ADVICE, checkFieldsInSlices(fields, limits, ''))
  if (checked === null) return reply
  if (checked.result !== null) return reply.geometryProblem(checked.result)
  let before: SceneBody | undefined
  const inspect = (ahead: Below) => {
    before = ahead.body(bodyId)
  }
  const done = await write(request, reply, sceneId, { op: 'patch', id: bodyId, fields }, inspect)
  if (done === null || before === undefined) return reply
  return sendBody(reply, done.version, changedBody(before, fields))
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
  return sendText(reply, `{"version":${version},"body":${sceneBodyText(body)}}`)
}

export function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type(JSON_TYPE).send(text)
}

function write(
  request: FastifyRequest,
  reply: FastifyReply,
  sceneId: string,
  operation: Operation,
  inspect: (ahead: Below) => void = () => undefined,
) {
  const keeper = findKeeper(reply)
  if (keeper === null) return Promise.resolve(null)
  const condition = conditionOf(request, keeper.ahead(sceneId) ?? NOWHERE)
  const asked = { operations: [operation], at: Date.now(), inspect, ...condition }
  return finishWrite(reply, sceneId, keeper.write(sceneId, asked))
}
