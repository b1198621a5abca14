// Limits what one connection may take of the service: pipelined requests begin no faster than the client takes answers, and a
// connection whose request was refused is not read for a moment.
//
// Method: the HTTP parser emits all requests in one read of a socket at once, up to 64 KiB of them. While a connection has too many
// unanswered requests, or too many bytes of answers that the client has not taken, further requests wait in its line and its socket is
// paused. The line of a closed connection is dropped. While too many requests are unanswered over all connections, each connection may
// have one; if too many wait in lines, the connection with the longest line is closed.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Stream } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ProblemCode } from '../../schemas/problem.ts'
import type { Config } from '../config.ts'
import { PROBLEM_TYPE, PROBLEMS, problemDetails } from '../wire/problems.ts'
import { AnswerRoom, MOST_UNSENT, SOCKET, type Unsent } from './answer-room.ts'
import { newRequestId } from './observation.ts'

declare module 'fastify' {
  interface FastifyInstance {
    answerRoom: AnswerRoom
  }
}

/** Most unanswered requests of one connection, and of all together before each may have only one. */
const MOST_PENDING = 32
const MOST_PENDING_IN_ALL = 4096
/** Most requests that wait in the lines of all connections: some kilobytes each. */
const MOST_IN_LINES = 2 ** 14
/** Longest pause in reading a connection after a refusal, in milliseconds. */
const PENALTY_MS = 100
/** Bytes of a refused request for each millisecond of that pause. */
const PENALTY_BYTES = 2 ** 12

interface Connection {
  readonly unsent: Unsent
  readonly begin: Begin
  /** How many answers have begun and are not closed, and which of them began behind others. */
  pending: number
  readonly behind: Set<ServerResponse>
  /** Requests that have not begun; null while there are none. */
  line: [IncomingMessage, ServerResponse][] | null
  isPaused: boolean
  isPunished: boolean
}

type Begin = (request: IncomingMessage, response: ServerResponse) => void

/** The property of a socket that has its connection: a look-up in a map would take longer than all the rest. */
const CONNECTION = Symbol('connection')

interface HttpSocket extends Socket {
  [CONNECTION]?: Connection
  /** Set by the server of `node:http`. */
  _paused?: boolean
  parser?: { resume(): void; incoming?: IncomingMessage | null } | null
}

/** Marks answers that never end by themselves, which nothing waits for. */
const ASIDE = Symbol('aside')

interface HttpResponse extends ServerResponse {
  [SOCKET]?: HttpSocket
  [ASIDE]?: boolean
}

let pendingInAll = 0
let inLines = 0
/** The sockets of connections that have a line. */
const lined = new Set<HttpSocket>()

/** How many requests of all connections are unanswered. */
export function requestsUnderWay(): number {
  return pendingInAll + inLines
}

/** Sets the limits up. Call it before the server listens. */
export function boundConnections(app: FastifyInstance, { MAX_UNREAD_BYTES }: Pick<Config, 'MAX_UNREAD_BYTES'>): void {
  const room = new AnswerRoom(MAX_UNREAD_BYTES, (socket) => advance(socket))
  app.decorate('answerRoom', room)
  const silent: Silent = new Map()
  bound(app, app.server, room, silent)
  app.addHook('preClose', async () => closeSilent(silent))
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (payload instanceof Stream) room.stream(reply.raw)
    const isFit =
      (typeof payload !== 'string' && !(payload instanceof Uint8Array)) || room.admits(reply.raw, payload.length)
    done(null, isFit ? payload : replacedByProblem(reply))
  })
  // localhost may have two addresses, and a server for each
  app.addHook('onListen', async () => {
    for (const server of otherServers(app)) bound(app, server, room, silent)
  })
}

// Browsers open connections ahead of requests. `node:http` takes one that has never sent anything for one whose request is under way, and
// would wait for it for minutes before it ends.

/** How long a connection may go on without a request while the service ends: one may be on its way. In milliseconds. */
const SILENCE_MS = 250

/** Connections without a request so far, by the peer's address: with TLS, requests come by another object than the connection. */
type Silent = Map<string, Socket>

const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

function collectSilent(server: Server, silent: Silent): void {
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket)
    silent.set(peer, socket)
    socket.once('close', () => {
      if (silent.get(peer) === socket) silent.delete(peer)
    })
  })
}

function closeSilent(silent: Silent): void {
  setTimeout(() => {
    for (const socket of silent.values()) socket.destroy()
  }, SILENCE_MS).unref()
}

/** Makes the reply the problem that there is no room for the answer and returns its body. */
function replacedByProblem(reply: FastifyReply): string {
  for (const name of OF_ANSWERS) reply.removeHeader(name)
  reply.header('retry-after', '1').code(PROBLEMS.overloaded.status).type(PROBLEM_TYPE)
  return JSON.stringify(problemDetails('overloaded', NO_ROOM, reply.request.id))
}

const OF_ANSWERS = ['etag', 'content-disposition', 'content-security-policy', 'content-length', 'content-encoding']
const NO_ROOM = 'Clients have not taken the answers that they were sent, and there is no room for another large one.'

function otherServers(app: FastifyInstance): Server[] {
  const key = Object.getOwnPropertySymbols(app).find(({ description }) => description === 'fastify.serverBindings')
  return key === undefined ? [] : (app as unknown as Record<symbol, Server[]>)[key]
}

function bound(app: FastifyInstance, server: Server, room: AnswerRoom, silent: Silent): void {
  const isDraining = () => app.lifecycle.phase === 'draining'
  const [answer] = server.listeners('request') as Begin[]
  // one function for all requests: a closure and `once` would allocate for each
  function closed(this: HttpResponse): void {
    const socket = this[SOCKET] as HttpSocket
    const connection = socket[CONNECTION] as Connection
    connection.pending--
    if (connection.behind.size > 0) connection.behind.delete(this)
    if (this[ASIDE] !== true) pendingInAll--
    room.closed(this)
    if (connection.line !== null || connection.isPaused) advance(socket)
    if (!this.req.complete && !socket.destroyed) dropRest(socket, this.req)
    if (connection.pending === 0 && isDraining()) socket.end()
  }
  const begin: Begin = (request, response) => {
    const connection = (request.socket as HttpSocket)[CONNECTION] as Connection
    if (connection.pending++ > 0) connection.behind.add(response)
    pendingInAll++
    ;(response as HttpResponse)[SOCKET] = request.socket
    response.on('close', closed)
    answer.call(server, request, response)
  }
  collectSilent(server, silent)
  const open = (socket: HttpSocket) => {
    silent.delete(peerOf(socket))
    return openConnection(socket, room, begin, isDraining)
  }
  server.removeListener('request', answer)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = (socket as HttpSocket)[CONNECTION] ?? open(socket)
    // a keep-alive connection would keep the service from ending
    if (isDraining()) response.shouldKeepAlive = false
    if (connection.pending === 0 || mayBegin(socket, connection)) begin(request, response)
    else wait(socket, connection, request, response)
    if (connection.pending > 1) adjust(socket, connection)
  })
}

/** Marks an answer that never ends, such as a stream of events: it does not count towards the limits, and no request follows it. */
export function setAside(response: ServerResponse): void {
  const socket = (response as HttpResponse)[SOCKET]
  const connection = socket?.[CONNECTION]
  // a response that was given up is counted off when it closes
  if (socket === undefined || connection === undefined || response.destroyed) return
  ;(response as HttpResponse)[ASIDE] = true
  pendingInAll--
  connection.unsent.isEndless = true
  dropLine(socket, connection)
}

/** Pauses reading from the connection, the longer the larger the refused request of `length` bytes was. */
export function punish(socket: HttpSocket | null, length: number): void {
  const connection = socket?.[CONNECTION]
  if (!socket || connection === undefined || connection.isPunished) return
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

function openConnection(socket: HttpSocket, room: AnswerRoom, begin: Begin, isDraining: () => boolean): Connection {
  const unsent = room.open(socket)
  const created = {
    unsent,
    begin,
    pending: 0,
    behind: new Set<ServerResponse>(),
    line: null,
    isPaused: false,
    isPunished: false,
  }
  socket[CONNECTION] = created
  closeWithCare(socket, isDraining)
  socket.on('drain', () => {
    if (created.isPaused) advance(socket)
  })
  socket.on('close', () => {
    dropLine(socket, created)
    // answers that wait behind another one do not close by themselves
    for (const response of created.behind) if (response.socket === null) close(response)
  })
  return created
}

/** As the server of `node:http` closes the one that is being sent. */
function close(response: ServerResponse): void {
  response.destroyed = true
  response.emit('close')
}

/** Whether there is room for one more request. */
function mayBegin({ writableLength }: Socket, { pending, line, unsent }: Connection): boolean {
  const most = pendingInAll >= MOST_PENDING_IN_ALL ? 1 : MOST_PENDING
  return pending < most && line === null && writableLength <= MOST_UNSENT && unsent.bytes <= MOST_UNSENT
}

function wait(socket: HttpSocket, connection: Connection, request: IncomingMessage, response: ServerResponse): void {
  // what comes behind an answer without an end is never answered
  if (connection.unsent.isEndless || socket.destroyed) return
  if (connection.line === null) {
    connection.line = []
    lined.add(socket)
  }
  connection.line.push([request, response])
  if (++inLines > MOST_IN_LINES) closeLongest()
}

function closeLongest(): void {
  let longest: HttpSocket | undefined
  let most = 0
  for (const socket of lined) {
    const length = socket[CONNECTION]?.line?.length ?? 0
    if (length > most) {
      most = length
      longest = socket
    }
  }
  if (longest === undefined) return
  dropLine(longest, longest[CONNECTION] as Connection)
  longest.destroy()
}

function dropLine(socket: HttpSocket, connection: Connection): void {
  if (connection.line === null) return
  inLines -= connection.line.length
  connection.line = null
  lined.delete(socket)
}

/** Begins waiting requests as far as there is room, and resumes reading when none waits. */
function advance(socket: HttpSocket): void {
  const connection = socket[CONNECTION]
  if (connection === undefined || socket.destroyed) return
  const { line } = connection
  if (line !== null) {
    connection.line = null
    let begun = 0
    // beginning a request may call this function again, which then finds no line
    while (begun < line.length && mayBegin(socket, connection)) {
      inLines--
      connection.begin(...line[begun++])
    }
    if (begun < line.length && !socket.destroyed && !connection.unsent.isEndless) {
      line.splice(0, begun)
      connection.line = line
    } else {
      inLines -= line.length - begun
      lined.delete(socket)
    }
  }
  if (connection.isPaused || connection.line !== null) adjust(socket, connection)
}

function adjust(socket: HttpSocket, connection: Connection): void {
  if (socket.destroyed) return
  const most = pendingInAll > MOST_PENDING_IN_ALL ? 1 : MOST_PENDING
  const isToPause =
    connection.isPunished ||
    connection.line !== null ||
    connection.pending > most ||
    socket.writableLength > MOST_UNSENT
  if (isToPause) {
    // the server's own flag: without it, reading the body of a request would resume the socket
    socket._paused = true
    socket.pause()
  } else if (connection.isPaused) {
    socket._paused = false
    socket.parser?.resume()
    socket.resume()
  }
  connection.isPaused = isToPause
}

/** Node swaps the two limits if headers may take longer than the request, and checks for late requests only at intervals. */
export function requestTimers(timeout: number): { headersTimeout?: number; connectionsCheckingInterval?: number } {
  if (timeout === 0) return {}
  return { headersTimeout: Math.min(timeout, 60_000), connectionsCheckingInterval: Math.min(timeout, 5000) }
}

// Requests that node's HTTP parser rejects never reach a route; their problem is written to the socket.

const CODES: Readonly<Record<string, [ProblemCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'The request line and the headers are too large.'],
}

const MALFORMED: [ProblemCode, string] = ['malformed-request', 'The request is not valid HTTP.']

/** Sockets with a request that has no time limit for its arrival. */
const unhurried = new WeakSet<object>()

/** Lets the request arrive as long as its connection is not idle for `idle` milliseconds; 0: no limit. */
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

// After an early answer, for example to a request that is too large, the rest of the request is read and dropped for a while. Otherwise
// the connection would be reset, and the client would lose the answer (RFC 9112, section 9.6).

/** Interval between checks of such a connection, in milliseconds; checks without a byte, and checks in all, before it is closed. */
const LOOK_MS = 1000
const MOST_IDLE_LOOKS = 5
const MOST_LOOKS = 30
/** Dropped bytes after which the next check closes it. */
const MOST_BYTES = 2 ** 28

interface LingeringSocket extends Socket {
  /** The parser of `node:http`, which has the request whose body is being read. */
  parser?: { incoming?: IncomingMessage | null } | null
}

/** Changes how `node:http` closes a connection after its last answer. Call it once for each connection. */
function closeWithCare(socket: LingeringSocket, isDraining: () => boolean): void {
  if (!(socket instanceof Socket)) return
  socket.destroySoon = () => {
    const isComplete = socket.parser?.incoming?.complete ?? true
    if (isComplete || isDraining()) closeAtOnce(socket)
    else socket.end()
  }
}

/** Closes the socket as soon as everything written is sent. */
function closeAtOnce(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket)
}

/** Reads and drops the rest of a request that was answered before it was complete. */
function dropRest(socket: Socket, request: IncomingMessage): void {
  const start = socket.bytesRead
  let last = start
  let looks = 0
  let idleLooks = 0
  const timer = setInterval(() => {
    const { bytesRead } = socket
    idleLooks = bytesRead === last ? idleLooks + 1 : 0
    last = bytesRead
    if (idleLooks === MOST_IDLE_LOOKS || ++looks === MOST_LOOKS || bytesRead - start > MOST_BYTES) socket.destroy()
  }, LOOK_MS).unref()
  const stop = () => clearInterval(timer)
  socket.once('close', stop)
  request.removeAllListeners('data').removeAllListeners('readable')
  request
    .once('end', () => {
      stop()
      socket.off('close', stop)
      if (socket.writableEnded) socket.destroy()
    })
    // without a listener the stream would pause when the earlier listeners are gone
    .on('data', () => undefined)
    .resume()
}
