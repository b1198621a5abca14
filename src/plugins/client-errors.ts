// Requests that node's HTTP parser gives up on never reach a route; they get their problem on the
// bare socket.

import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ProblemCode } from '../../schemas/problem.ts'
import { PROBLEM_TYPE, PROBLEMS, problemDetails } from '../wire/problems/problems.ts'
import { closeAtOnce } from './lingering.ts'
import { newRequestId } from './request-id.ts'

const CODES: Readonly<Record<string, [ProblemCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'The request line and the headers are too large.'],
}

const MALFORMED: [ProblemCode, string] = ['malformed-request', 'The request is not valid HTTP.']

/** Sockets with a request that may take as long as it likes to arrive. */
const unhurried = new WeakSet<object>()

/** Lets the request arrive for as long as something moves on its connection every `idle` milliseconds; 0 for any time. */
export function takeTime({ request, raw }: FastifyReply, idle: number): void {
  const { socket } = request.raw
  if (!(socket instanceof Socket)) return
  unhurried.add(socket)
  socket.setTimeout(idle)
  raw.once('close', () => unhurried.delete(socket))
}

export function replyToClientError(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && unhurried.has(socket)) return
  if (socket.writable) {
    const [code, detail] = CODES[error.code ?? ''] ?? MALFORMED
    const id = newRequestId()
    const body = JSON.stringify(problemDetails(code, detail, id))
    const { status, title } = PROBLEMS[code]
    const head = [
      `HTTP/1.1 ${status} ${title}`,
      `Content-Type: ${PROBLEM_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${id}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
  closeAtOnce(socket)
}
