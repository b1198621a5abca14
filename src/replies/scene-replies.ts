// What answers to writes of scenes have in common: what became of them, and why they were refused.

import type { FastifyReply } from 'fastify'
import type { SceneDocument } from '../../schemas/scenes/scene.ts'
import type { WriteDone, WriteOutcome } from '../scene/keeper/pending-write.ts'
import type { WriteRefusal } from '../scene/keeper/write-checks.ts'
import { type DecodeProblem, under } from '../wire/problems/decode-problem.ts'
import { encodeSceneDocument, isNamed, type Stand, tagOf } from '../wire/scenes/scene-document.ts'
import { absenceOf, damageOf, findScene } from './scene-reads.ts'
import { askedVersions, tagVersion } from './scene-versions.ts'
import { replyToStoreError } from './store-problems.ts'

/** Where operations lie in the body of a request, and the fields of the bodies that they make. */
export interface WritePlaces {
  operation(index: number): string
  fields(index: number): string
}

/** Of a request that is about one body. */
const NO_PLACES: WritePlaces = { operation: () => '', fields: () => '' }

/** Sends the scene as it is now. */
export async function sendScene(
  reply: FastifyReply,
  sceneId: string,
  isNew: boolean,
): Promise<FastifyReply | SceneDocument> {
  const scene = await findScene(reply, sceneId)
  if (scene === null) return reply
  if (isNew) reply.code(201).header('location', `/v1/2d/scenes/${sceneId}`)
  tagVersion(reply, scene)
  return encodeSceneDocument(scene)
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
export function replyToOtherVersion(reply: FastifyReply, stand: Stand): undefined {
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
