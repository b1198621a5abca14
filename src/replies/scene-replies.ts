// What answers about scenes have in common: the scene that the path names, its version as an ETag, and refused writes.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SceneDocument } from '../../schemas/scenes/scene.ts'
import type { Keeper } from '../scene/keeper/keeper.ts'
import type { WriteDone, WriteOutcome } from '../scene/keeper/scene-writer.ts'
import type { WriteRefusal } from '../scene/keeper/write-checks.ts'
import type { Scene } from '../scene/state/scene.ts'
import { StoreClosed, StoreError, StoreFull } from '../scene/store/store.ts'
import { type DecodeProblem, isProblem, under } from '../wire/problems/decode-problem.ts'
import { encodeSceneDocument } from '../wire/scenes/scene-settings.ts'

const STARTING = 'The scenes are being brought back; try again in a moment.'

/** Where operations lie in the body of a request, and the fields of the bodies that they make. */
export interface WritePlaces {
  operation(index: number): string
  fields(index: number): string
}

/** Of a request that is about one body. */
const NO_PLACES: WritePlaces = { operation: () => '', fields: () => '' }

/** The keeper, or null: the problem is answered then. */
export function findKeeper(reply: FastifyReply): Keeper | null {
  const { keeper } = reply.server.scenes
  if (keeper === null) reply.problem('starting', STARTING)
  return keeper
}

/** The scene, or null: the problem is answered then. Counts as using it. */
export function findScene(reply: FastifyReply, sceneId: string): Scene | null {
  const found = lookUpScene(reply.server, sceneId)
  if (!isProblem(found)) return found
  reply.geometryProblem(found)
  return null
}

/** The scene, or the problem that there is none. Counts as using it. */
export function lookUpScene({ scenes: { keeper } }: FastifyInstance, sceneId: string): Scene | DecodeProblem {
  if (keeper === null) return { code: 'starting', detail: STARTING, places: [] }
  const found = keeper.find(sceneId)
  if (found?.scene !== undefined) return found.scene
  return found === null ? absenceOf(sceneId) : damageOf(sceneId, found.damage)
}

function absenceOf(sceneId: string): DecodeProblem {
  return { code: 'scene-not-found', detail: `There is no scene ${sceneId}.`, places: [] }
}

function damageOf(sceneId: string, damage: string): DecodeProblem {
  return { code: 'scene-damaged', detail: `Scene ${sceneId} cannot be read: ${damage}.`, places: [] }
}

/** Sends the scene as it is now. */
export function sendScene(reply: FastifyReply, sceneId: string, isNew: boolean): FastifyReply | SceneDocument {
  const scene = findScene(reply, sceneId)
  if (scene === null) return reply
  if (isNew) reply.code(201).header('location', `/v1/2d/scenes/${sceneId}`)
  tagVersion(reply, scene.version)
  return encodeSceneDocument(scene)
}

/** Says which version of a scene the answer is about. */
export function tagVersion(reply: FastifyReply, version: number): FastifyReply {
  return reply.header('etag', `"${version}"`)
}

/** Whether the client has this version already; 304 is answered then. */
export function isKnown(request: FastifyRequest, reply: FastifyReply, version: number): boolean {
  const known = request.headers['if-none-match']
  tagVersion(reply, version)
  if (known === undefined) return false
  const tags = known.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!tags.includes('*') && !tags.includes(`"${version}"`)) return false
  reply.code(304).send()
  return true
}

/** The version that If-Match asks for. */
export function askedVersion({ headers }: FastifyRequest): { ifVersion?: number } {
  const tag = headers['if-match']
  return tag === undefined || tag === '*' ? {} : { ifVersion: Number(tag.slice(1, -1)) }
}

/** What a write came to when it is done, or null: the problem is answered then.  */
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
  tagVersion(reply, outcome.version)
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
      return replyToOtherVersion(reply, refusal.version)
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
      return reply.geometryProblem(under(places.fields(refusal.index), problem) as DecodeProblem)
    }
    case 'scene-exists':
      throw new Error(`scene ${sceneId} is there`)
  }
}

export function replyToOtherVersion(reply: FastifyReply, actual: number): undefined {
  const asked = reply.request.headers['if-match']
  tagVersion(reply, actual)
  return reply.problem('version-mismatch', `The scene is at version ${actual}, If-Match asked for ${asked}.`, {
    actual,
  })
}

export function replyToStoreError(reply: FastifyReply, error: unknown): undefined {
  if (!(error instanceof StoreError)) throw error
  if (error instanceof StoreFull) return reply.problem('storage-full', `Nothing was changed. ${error.message}.`)
  if (error instanceof StoreClosed) return reply.problem('draining', 'The service is shutting down.')
  const { code, message } = error
  reply.server.logger.error(
    { ...(code !== undefined && { code }), reason: message, reqId: reply.request.id },
    'storage failed',
  )
  return reply.problem('storage-failed', `The write could not be made durable. ${message}.`)
}
