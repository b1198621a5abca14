// How much of the service one connection may take: requests that are sent one after another without waiting for the answers are
// read no faster than answers are taken, and whoever has been refused is not read from for a moment.
//
// Method: a socket is paused while so many of its requests are unanswered, or so many bytes of answers have not been taken. What
// has been read from it at once may be more: a chunk of 64 KiB. While many requests are unanswered over all connections, each may
// have one.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Most unanswered requests of one connection, and of all together before each may have only one. */
const MOST_PENDING = 32
const MOST_PENDING_IN_ALL = 4096
/** Most bytes of answers that a connection has not taken. */
const MOST_UNSENT = 2 ** 16
/** Longest time for which a connection is not read from after a refusal, in milliseconds. */
const PENALTY_MS = 100
/** Bytes of what was refused for each millisecond of that. */
const PENALTY_BYTES = 2 ** 12

interface Connection {
  pending: number
  /** Those of them that are counted over all connections. */
  counted: number
  isPaused: boolean
  isPunished: boolean
}

/** Where a socket has its connection: looking that up in a map would take longer than all the rest. */
const CONNECTION = Symbol('connection')

interface HttpSocket extends Socket {
  [CONNECTION]?: Connection
  /** What the server of `node:http` notes. */
  _paused?: boolean
  parser?: { resume(): void } | null
}

/** Marks answers that have no end of their own, and are not waited for. */
const ASIDE = Symbol('aside')

interface HttpResponse extends ServerResponse {
  [ASIDE]?: boolean
}

let pendingInAll = 0

/** Requests of all connections that have not been answered. */
export function requestsUnderWay(): number {
  return pendingInAll
}

/** Must be called before the server listens. */
export function boundConnections(app: FastifyInstance): void {
  const isDraining = () => app.lifecycle.phase === 'draining'
  // one function for all: closures and `once` would be made for each request
  function closed(this: HttpResponse): void {
    const { socket } = this.req
    const connection = connectionOf(socket)
    connection.pending--
    if (this[ASIDE] !== true) uncount(connection, 1)
    if (connection.pending === 0 && isDraining()) socket.end()
    if (connection.isPaused) adjust(socket, connection)
  }
  app.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = connectionOf(socket)
    connection.pending++
    connection.counted++
    pendingInAll++
    // a connection that is kept alive would keep the service from ending
    if (isDraining()) response.shouldKeepAlive = false
    response.on('close', closed)
    if (connection.pending > 1) adjust(socket, connection)
  })
}

/** The answer goes on without an end, as streams of events do: nobody is to have less because of it. */
export function setAside(response: ServerResponse): void {
  ;(response as HttpResponse)[ASIDE] = true
  uncount(connectionOf(response.req.socket), 1)
}

function uncount(connection: Connection, count: number): void {
  const less = Math.min(count, connection.counted)
  connection.counted -= less
  pendingInAll -= less
}

/** Reads nothing more from the connection for a moment: the longer the request was, of so many bytes, that was read for nothing. */
export function punish(socket: Socket, length: number): void {
  const connection = connectionOf(socket)
  if (connection.isPunished || typeof socket.pause !== 'function') return
  connection.isPunished = true
  adjust(socket, connection)
  setTimeout(
    () => {
      connection.isPunished = false
      adjust(socket, connection)
    },
    Math.min(PENALTY_MS, length / PENALTY_BYTES),
  ).unref()
}

function connectionOf(socket: HttpSocket): Connection {
  const known = socket[CONNECTION]
  if (known !== undefined) return known
  const created: Connection = { pending: 0, counted: 0, isPaused: false, isPunished: false }
  socket[CONNECTION] = created
  socket.on('drain', () => {
    if (created.isPaused) adjust(socket, created)
  })
  // answers that wait behind another never close by themselves
  socket.on('close', () => uncount(created, created.counted))
  return created
}

function adjust(socket: HttpSocket, connection: Connection): void {
  if (socket.destroyed) return
  const most = pendingInAll > MOST_PENDING_IN_ALL ? 1 : MOST_PENDING
  const isToPause = connection.isPunished || connection.pending > most || socket.writableLength > MOST_UNSENT
  if (isToPause) {
    // the server's own mark: without it, reading the body of a request would set the socket going again
    socket._paused = true
    socket.pause()
  } else if (connection.isPaused) {
    socket._paused = false
    socket.parser?.resume()
    socket.resume()
  }
  connection.isPaused = isToPause
}

/** Node swaps the two limits when headers may take longer than the request, and looks only so often for late ones. */
export function requestTimers(timeout: number): { headersTimeout?: number; connectionsCheckingInterval?: number } {
  if (timeout === 0) return {}
  return { headersTimeout: Math.min(timeout, 60_000), connectionsCheckingInterval: Math.min(timeout, 5000) }
}
