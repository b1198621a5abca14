// What is still sent of a request that has been answered, refused as too large for example, is read and dropped for a while: else
// the connection would be reset, and the answer lost with it (RFC 9112, section 9.6), or be stuck where it is kept.

import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'

/** How often a connection is looked at, in milliseconds; looks without a byte, and looks in all, after which it is closed. */
const LOOK_MS = 1000
const MOST_IDLE_LOOKS = 5
const MOST_LOOKS = 30
/** Bytes that are read for nothing, after which it is closed at the next look. */
const MOST_BYTES = 2 ** 28

interface HttpSocket extends Socket {
  /** Of `node:http`; it has the request whose body is being read. */
  parser?: { incoming?: IncomingMessage | null } | null
}

/** Must be called once for each connection: `node:http` closes it when its last answer has been written. */
export function closeWithCare(socket: HttpSocket, isDraining: () => boolean): void {
  if (!(socket instanceof Socket)) return
  socket.destroySoon = () => {
    const isComplete = socket.parser?.incoming?.complete ?? true
    if (isComplete || isDraining()) closeAtOnce(socket)
    else socket.end()
  }
}

/** As soon as what has been written is sent. */
export function closeAtOnce(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket)
}

/** Must be called when the request has been answered and is not complete. */
export function dropRest(socket: Socket, request: IncomingMessage): void {
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
    // without a listener it would stop again when those that were there are gone
    .on('data', () => undefined)
    .resume()
}
