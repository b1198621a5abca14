// Finds the scene of a request, at the version that it wants and no staler than allowed; its version in headers; and problems of the
// store.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Found, Keeper, WriteCondition } from '../scene/keeper/keeper.ts'
import type { SceneDimension } from '../scene/state/geometry.ts'
import type { Scene } from '../scene/state/scene.ts'
import {
  OutcomeUnknown,
  StoreBusy,
  StoreClosed,
  StoreError,
  StoreFull,
  StoreUnavailable,
} from '../scene/store/store.ts'
import { type DecodeProblem, isProblem, problemOf } from '../wire/decode-problem.ts'
import { scenesPath } from '../wire/scene-dimensions.ts'
import {
  type CurrentVersion,
  isNamed,
  type NamedVersion,
  nameOf,
  parseName,
  parseTags,
  tagOf,
} from '../wire/scene-document.ts'

/** Sets the ETag to the version of the scene that the answer is about. */
export function tagVersion(reply: FastifyReply, stand: CurrentVersion): FastifyReply {
  return reply.header('etag', tagOf(stand))
}

/** Whether the client has this version already; 304 is answered then. */
export function isKnown({ headers }: FastifyRequest, reply: FastifyReply, stand: CurrentVersion): boolean {
  const known = headers['if-none-match']
  tagVersion(reply, stand)
  if (known === undefined) return false
  if (known.trim() !== '*' && !parseTags(known).some((tag) => isNamed(stand, tag))) return false
  reply.code(304).send()
  return true
}

/** The versions of which If-Match wants one; null: any. */
export function askedVersions({ headers }: FastifyRequest): readonly NamedVersion[] | null {
  const tags = headers['if-match']
  return tags === undefined || tags.trim() === '*' ? null : parseTags(tags)
}

/** Whether If-Match takes a scene that stands like this. */
export function isAskedFor(request: FastifyRequest, stand: CurrentVersion): boolean {
  return askedVersions(request)?.some((tag) => isNamed(stand, tag)) ?? true
}

/** The condition that If-Match puts on a write to a scene at this version, or soon at it; of several versions the one that may match. */
export function conditionOf(request: FastifyRequest, stand: CurrentVersion): WriteCondition {
  const asked = askedVersions(request)
  if (asked === null) return {}
  const { version, digest } =
    asked.find((tag) => isNamed(stand, tag)) ?? asked.find((tag) => tag.version === stand.version) ?? asked[0]
  return digest === undefined ? { ifVersion: version } : { ifVersion: version, ifDigest: digest }
}

const STARTING = 'The scenes are being brought back; try again in a moment.'
/** Time for which a version is waited for that a request wants at least, unless it says otherwise. */
const WAIT_MS = 5000

/** The keeper, or null: the problem is answered then. */
export function findKeeper(reply: FastifyReply): Keeper | null {
  const { keeper } = reply.server.scenes
  if (keeper === null) reply.problem('starting', STARTING)
  return keeper
}

/**
 * The scene to be written to, or null: the problem is answered then. Counts as using it. Where If-Match names later versions than it has,
 * it is as the store has it: who has written to another instance is not told that this one is behind.
 */
export async function findScene(reply: FastifyReply, sceneId: string): Promise<Scene | null> {
  const { server } = reply
  const known = server.scenes.keeper?.findNow(sceneId) ?? (await lookUpAny(server, sceneId))
  const found = ofDimension(known, sceneId, dimensionOf(reply.request))
  if (isProblem(found)) return refused(reply, found)
  const isBehind = askedVersions(reply.request)?.every(({ version }) => version > found.version)
  return isBehind ? findCurrent(reply, sceneId) : found
}

/** The scene to be written to, as the store has it now, or null: the problem has been answered. */
export async function findCurrent(reply: FastifyReply, sceneId: string): Promise<Scene | null> {
  const found = await lookUpScene(reply.server, sceneId, dimensionOf(reply.request), true)
  return isProblem(found) ? refused(reply, found) : found
}

/** The dimension that the path of a request names. */
export function dimensionOf({ routeOptions }: FastifyRequest): SceneDimension {
  return routeOptions.url?.startsWith(scenesPath(3)) === true ? 3 : 2
}

/** What was found of an id, where it is a scene of the dimension; there is one space of ids for both. */
export function ofDimension(
  found: Scene | DecodeProblem,
  sceneId: string,
  dimension: SceneDimension,
): Scene | DecodeProblem {
  if (isProblem(found) || found.dimension === dimension) return found
  const other = `${scenesPath(found.dimension)}/${sceneId}`
  return problem('scene-not-found', `There is no ${dimension}D scene ${sceneId}: this id is that of ${other}.`)
}

/** The scene, or the problem that there is none. Counts as using it. `isCurrent`: as the store has it now. */
export async function lookUpScene(
  app: FastifyInstance,
  sceneId: string,
  dimension: SceneDimension,
  isCurrent = false,
): Promise<Scene | DecodeProblem> {
  return ofDimension(await lookUpAny(app, sceneId, isCurrent), sceneId, dimension)
}

/** The same of whatever dimension. */
export async function lookUpAny(
  app: FastifyInstance,
  sceneId: string,
  isCurrent = false,
): Promise<Scene | DecodeProblem> {
  const { keeper } = app.scenes
  return keeper === null ? problem('starting', STARTING) : looked(app, sceneId, keeper.find(sceneId, isCurrent))
}

/**
 * The scene to be read, at the version at least that the request wants, or null: the problem is answered then. Counts as using it.
 * Says in a header since when it is not known whether the scene is as it was written last.
 */
export async function readScene(request: FastifyRequest, reply: FastifyReply, sceneId: string): Promise<Scene | null> {
  const { server } = reply
  const { keeper } = server.scenes
  if (keeper === null) return refused(reply, problem('starting', STARTING))
  const stale = staleness(server)
  if (stale !== null) return refused(reply, stale)
  const { headers, query } = request
  const wanted = (headers['if-version-at-least'] ?? (query as { atLeast?: string } | undefined)?.atLeast) as
    | string
    | undefined
  const found =
    wanted === undefined
      ? (keeper.findNow(sceneId) ?? (await looked(server, sceneId, keeper.find(sceneId))))
      : await reachScene(request, reply, keeper, sceneId, parseName(wanted) ?? { version: 0 })
  const scene = ofDimension(found, sceneId, dimensionOf(request))
  const staleMs = keeper.status()?.staleMs ?? 0
  if (staleMs > 0) reply.header('tangent-stale', `${Math.ceil(staleMs / 1000)}`)
  return isProblem(scene) ? refused(reply, scene) : scene
}

/** The problem that what is in memory may be older than it is to be served, or null. */
export function staleness({ scenes: { keeper, maxStalenessMs } }: FastifyInstance): DecodeProblem | null {
  const staleMs = maxStalenessMs > 0 ? (keeper?.status()?.staleMs ?? 0) : 0
  if (staleMs <= maxStalenessMs) return null
  const seconds = Math.ceil(staleMs / 1000)
  return problem('store-unavailable', `For ${seconds} s it is not known what others have written to the scene.`)
}

async function reachScene(
  request: FastifyRequest,
  reply: FastifyReply,
  keeper: Keeper,
  sceneId: string,
  wanted: NamedVersion,
): Promise<Scene | DecodeProblem> {
  const { server } = reply
  const asked = askedWait(request)
  const waitMs = Math.min(asked ?? WAIT_MS, server.workers.options.deadline)
  if (asked !== null) reply.header('preference-applied', `wait=${Math.floor(waitMs / 1000)}`)
  const scene = await looked(server, sceneId, keeper.reach(sceneId, wanted.version, performance.now() + waitMs))
  if (isProblem(scene)) return scene
  const { version: actual } = scene
  if (actual > wanted.version || isNamed(scene, wanted)) return scene
  const detail =
    actual < wanted.version
      ? `The scene is at version ${actual} here, and was asked for at ${wanted.version} at least.`
      : `The scene is at ${nameOf(scene)}, of another history than the ${wanted.version}.${wanted.digest} that was asked for: it was begun anew, or its store was put back to an earlier state.`
  return { ...problem('version-not-reached', detail), actual }
}

/** Milliseconds that `Prefer: wait=…` (RFC 7240) says, or null. */
function askedWait({ headers: { prefer } }: FastifyRequest): number | null {
  const match = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[;,]|$)/i.exec([prefer ?? []].flat().join(','))
  return match === null ? null : 1000 * Number(match[1])
}

async function looked(
  { logger }: FastifyInstance,
  sceneId: string,
  looking: Promise<Found | null>,
): Promise<Scene | DecodeProblem> {
  try {
    const found = await looking
    if (found?.scene !== undefined) return found.scene
    return found === null ? absenceOf(sceneId) : damageOf(sceneId, found.damage)
  } catch (error) {
    return storeProblem(error, logger)
  }
}

export function absenceOf(sceneId: string): DecodeProblem {
  return problem('scene-not-found', `There is no scene ${sceneId}.`)
}

export function damageOf(sceneId: string, damage: string): DecodeProblem {
  return problem('scene-damaged', `Scene ${sceneId} cannot be read: ${damage}.`)
}

function problem(code: DecodeProblem['code'], detail: string): DecodeProblem {
  return problemOf(code, detail)
}

function refused(reply: FastifyReply, found: DecodeProblem): null {
  reply.geometryProblem(found)
  return null
}

const DRAINING = 'The service is shutting down.'

/** Why something could not be read. Throws what is no error of the store. */
function storeProblem(error: unknown, logger: FastifyInstance['logger']): DecodeProblem {
  if (!(error instanceof StoreError)) throw error
  if (error instanceof StoreClosed) return problemOf('draining', DRAINING)
  if (!(error instanceof StoreUnavailable)) {
    logger.error({ ...(error.code !== undefined && { code: error.code }), reason: error.message }, 'storage not read')
  }
  return problemOf('store-unavailable', `The scene could not be read. ${error.message}.`)
}

/** Answers why a write was not made durable. Throws what is no error of the store. */
export function replyToStoreError(reply: FastifyReply, error: unknown): undefined {
  if (!(error instanceof StoreError)) throw error
  if (error instanceof StoreFull) return reply.problem('storage-full', `Nothing was changed. ${error.message}.`)
  if (error instanceof StoreClosed) return reply.problem('draining', DRAINING)
  if (error instanceof StoreBusy) {
    reply.header('retry-after', `${Math.max(1, Math.ceil(error.retryAfterMs / 1000))}`)
    return reply.problem('overloaded', `Nothing was changed. ${error.message}.`)
  }
  if (error instanceof StoreUnavailable) {
    return reply.problem('store-unavailable', `Nothing was changed. ${error.message}.`)
  }
  if (error instanceof OutcomeUnknown) {
    const detail = `${error.message}. The same request may be sent again with the same Idempotency-Key: nothing is written twice.`
    return reply.problem('outcome-unknown', detail)
  }
  const { code, message } = error
  reply.server.logger.error(
    { ...(code !== undefined && { code }), reason: message, reqId: reply.request.id },
    'storage failed',
  )
  return reply.problem('storage-failed', `The write could not be made durable. ${message}.`)
}

/** Answers why something could not be read. */
export function replyToUnread(reply: FastifyReply, error: unknown): undefined {
  return reply.geometryProblem(storeProblem(error, reply.server.logger))
}
