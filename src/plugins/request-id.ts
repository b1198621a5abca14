// Request ids: the client's own when it sends a fit one, else a new one. Always sent back.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const FIT = /^[\x21-\x7e]{1,128}$/

const prefix = randomBytes(6).toString('base64url')
let count = 0

/** The id that a request goes by. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && FIT.test(given) ? given : newRequestId()
}

/** Unique by the random prefix of the process, and cheap: drawing random bytes for each request is not. */
export function newRequestId(): string {
  count++
  return `${prefix}-${count.toString(36)}`
}
