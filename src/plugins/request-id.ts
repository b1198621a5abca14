// Request ids: the client's own when it sends a fit one, else a new one. Always sent back.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const FIT = /^[\x21-\x7e]{1,128}$/

const prefix = randomBytes(6).toString('base64url')
let count = 0

/** When a request arrived, by the clock of performance.now(). */
export const ARRIVED = Symbol('arrived')

export interface ArrivedMessage extends IncomingMessage {
  [ARRIVED]?: number
}

/** The id that a request goes by. It is asked for first of all, so the time is noted here: a hook would cost more. */
export function requestId(request: ArrivedMessage): string {
  request[ARRIVED] = performance.now()
  const given = request.headers['x-request-id']
  return typeof given === 'string' && FIT.test(given) ? given : newRequestId()
}

/** Unique by the random prefix of the process, and cheap: drawing random bytes for each request is not. */
export function newRequestId(): string {
  count++
  return `${prefix}-${count.toString(36)}`
}
