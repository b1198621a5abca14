// What is answered when the store of scenes fails.

import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  OutcomeUnknown,
  StoreBusy,
  StoreClosed,
  StoreError,
  StoreFull,
  StoreUnavailable,
} from '../scene/store/store.ts'
import { type DecodeProblem, problemOf } from '../wire/problems/decode-problem.ts'

const DRAINING = 'The service is shutting down.'

/** Why something could not be read. Throws what is no error of the store. */
export function storeProblem(error: unknown, logger: FastifyInstance['logger']): DecodeProblem {
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
