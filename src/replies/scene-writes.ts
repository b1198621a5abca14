// Writes to scenes in the name of a request: from what was sent to the answer, or to the problem.

import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SceneRequest } from '../../schemas/scenes/scene.ts'
import { assertShallow } from '../json/brackets.ts'
import { readJson } from '../plugins/json-body.ts'
import type { Below } from '../scene/keeper/pending-bodies.ts'
import { changedBody } from '../scene/table/effects.ts'
import type { BodyPatch, Operation, SceneBody } from '../scene/table/operation.ts'
import type { ShapeLimits } from '../wire/decode/shape-limits.ts'
import { checkFieldsInSlices, checkInSlices } from '../wire/scenes/check-scene-body.ts'
import { parseBody, parseFields, sceneBodyText } from '../wire/scenes/scene-data.ts'
import { checkSettings, creationOf, newSettings } from '../wire/scenes/scene-settings.ts'
import { parseAround } from '../wire/scenes/unread-shape.ts'
import { runInSlices } from './query-replies.ts'
import {
  askedVersion,
  findKeeper,
  findScene,
  finishWrite,
  replyToOtherVersion,
  replyToStoreError,
  sendScene,
} from './scene-replies.ts'

const SHAPE_ADVICE = 'Send a shape with fewer vertices or parts.'
const JSON_TYPE = 'application/json; charset=utf-8'

/** Reads the bodies of a scope as those of scenes, or as new fields of them. */
export function readBodies(app: FastifyInstance): void {
  readJson(app, (bytes, { method }) => {
    const parse = method === 'PATCH' ? parseFields : parseBody
    return parseAround(bytes, (text) => {
      assertShallow(text)
      return parse(text.toString())
    })
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
  const { ifVersion } = askedVersion(request)
  const ahead = keeper.ahead(sceneId)
  if (ahead === null) {
    if (request.headers['if-match'] !== undefined) return replyToOtherVersion(reply, 0)
    const creation = keeper.create(creationOf(sceneId, settings, defaultTtl, Date.now()))
    const outcome = await creation.catch((error) => replyToStoreError(reply, error))
    if (outcome === undefined) return reply
    // made by another one meanwhile
    if ('refusal' in outcome && outcome.refusal === 'scene-exists') {
      return putScene(request, reply, sceneId, settings, defaultTtl)
    }
    return (await finishWrite(reply, sceneId, Promise.resolve(outcome))) && sendScene(reply, sceneId, true)
  }
  if (ifVersion !== undefined && ifVersion !== ahead.version) return replyToOtherVersion(reply, ahead.version)
  const scene = findScene(reply, sceneId)
  const changed = scene && newSettings(scene, settings)
  if (scene !== null && changed !== null) {
    const at = Date.now()
    const write = keeper.write(sceneId, {
      operations: [{ op: 'configure', ...changed, at }],
      at,
      ...askedVersion(request),
    })
    if ((await finishWrite(reply, sceneId, write)) === null) return reply
  }
  return scene === null ? reply : sendScene(reply, sceneId, false)
}

export async function dropScene(request: FastifyRequest, reply: FastifyReply, sceneId: string): Promise<unknown> {
  const keeper = findKeeper(reply)
  if (keeper === null) return reply
  const found = keeper.find(sceneId)
  if (found === null) return reply.problem('scene-not-found', `There is no scene ${sceneId}.`)
  const { ifVersion } = askedVersion(request)
  const version = keeper.ahead(sceneId)?.version ?? 0
  if (ifVersion !== undefined && ifVersion !== version) return replyToOtherVersion(reply, version)
  try {
    if (await keeper.drop(sceneId)) return reply.code(204).send()
  } catch (error) {
    return replyToStoreError(reply, error)
  }
  return reply.problem('scene-not-found', `There is no scene ${sceneId}.`)
}

export async function putBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { sceneId, bodyId }: { sceneId: string; bodyId: string },
  sent: Omit<SceneBody, 'id'> & { id?: string },
  limits: ShapeLimits,
): Promise<unknown> {
  if (findScene(reply, sceneId) === null) return reply
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
  if (findScene(reply, sceneId) === null) return reply
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
  if (findScene(reply, sceneId) === null) return reply
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
  const asked = { operations: [operation], at: Date.now(), inspect, ...askedVersion(request) }
  return finishWrite(reply, sceneId, keeper.write(sceneId, asked))
}
