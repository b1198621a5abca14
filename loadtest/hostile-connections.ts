// Connections that take a service's memory: requests in one chunk whose answers nobody reads, bodies that never end, exports that
// nobody takes.

import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** What the parser of a service is handed at once. */
const CHUNK_BYTES = 64 * 1024 - 100
const PIPELINED = 1100

function open(url: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  // That it is closed from the other side is as good an end as any.
  socket.on('error', () => {})
  socket.pause()
  return socket
}

/** As many of one request as one chunk takes, unread for a while; then the client is gone. */
export async function pipelined(url: string, path: string, milliseconds: number): Promise<void> {
  const request = `GET ${path} HTTP/1.1\r\nHost: l\r\n\r\n`
  const socket = open(url)
  socket.write(request.repeat(Math.min(PIPELINED, Math.floor(CHUNK_BYTES / request.length))))
  await pause(milliseconds)
  socket.destroy()
}

/** Bodies all but whose last bytes are sent, on many connections at once. */
export async function unfinished(url: string, path: string, count: number, bytes: number, milliseconds: number) {
  const body = Buffer.alloc(bytes, ' ')
  const sockets = Array.from({ length: count }, () => {
    const socket = open(url)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\nContent-Length: ${bytes + 1024}\r\n\r\n`,
    )
    socket.write(body)
    return socket
  })
  await pause(milliseconds)
  for (const socket of sockets) socket.destroy()
}

/** Answers that are asked for and not read. They stay until they are ended. */
export function unread(url: string, path: string, count: number): { end(): void } {
  const sockets = Array.from({ length: count }, () => {
    const socket = open(url)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: l\r\n\r\n`)
    return socket
  })
  return {
    end: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
