// Clients that send and do not read: pipelined requests on many connections, first without reading a byte, then reading all.
// Each request asks for another distance, so that each answer tells which request it is for.

import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { exchange } from './measuring/exchange.ts'
import { rssMiB, type Service } from './measuring/service-process.ts'

/** Requests that are written at a time. */
const CHUNK = 200
/** Nothing is read for so long. */
const UNREAD_MS = 10_000
/** All has to be answered within so much once it is read, for each 1,000 requests. */
const READ_MS_PER_THOUSAND = 500
const HEADERS_END = '\r\n\r\n'

export interface UnreadRun {
  sockets: number
  requestsOfEach: number
  /** Requests that could be written while nothing was read. */
  writtenUnread: number
  unreadRssMiB: number
  /** Whether it still answered others then, and how fast. */
  isAlive: boolean
  livezMs: number
  /** Answers that were the right ones. */
  inOrder: number
  readSeconds: number
  peakRssMiB: number
}

export async function measureUnread(service: Service, sockets: number, requests: number): Promise<UnreadRun> {
  const clients = Array.from({ length: sockets }, () => new Unreading(service.url, requests))
  let peak = 0
  const sampler = setInterval(() => {
    peak = Math.max(peak, rssMiB(service) ?? 0)
  }, 200)
  for (const client of clients) client.write()
  await pause(UNREAD_MS)
  const unreadRssMiB = peak
  const writtenUnread = clients.reduce((sum, { written }) => sum + written, 0)
  const { status, milliseconds } = await exchange(
    { method: 'GET', url: `${service.url}/livez` },
    { milliseconds: 5000 },
  )

  const start = performance.now()
  for (const client of clients) client.read()
  const limit = start + 10_000 + (READ_MS_PER_THOUSAND * sockets * requests) / 1000
  while (performance.now() < limit && !clients.every(({ isDone }) => isDone)) await pause(100)
  const readSeconds = Number(((performance.now() - start) / 1000).toFixed(1))
  clearInterval(sampler)
  for (const client of clients) client.end()
  return {
    sockets,
    requestsOfEach: requests,
    writtenUnread,
    unreadRssMiB,
    isAlive: status === 200,
    livezMs: Math.round(milliseconds),
    inOrder: clients.reduce((sum, { inOrder }) => sum + inOrder, 0),
    readSeconds,
    peakRssMiB: peak,
  }
}

function requestOf(i: number): string {
  const body = `{"a":{"shape":{"type":"point"}},"b":{"shape":{"type":"point"},"position":{"x":${i},"y":0}}}`
  const head = `POST /v1/2d/distance HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  return head + HEADERS_END + body
}

class Unreading {
  written = 0
  inOrder = 0
  isDone = false
  readonly #requests: number
  readonly #socket: Socket
  #text = ''

  constructor(url: string, requests: number) {
    const { hostname, port } = new URL(url)
    this.#requests = requests
    this.#socket = connect({ host: hostname, port: Number(port) })
    this.#socket.pause()
    this.#socket.setEncoding('latin1')
    this.#socket.on('drain', () => this.write())
    this.#socket.on('data', (text) => this.#take(String(text)))
    this.#socket.on('error', () => {
      this.isDone = true
    })
    this.#socket.on('close', () => {
      this.isDone = true
    })
  }

  /** As much as the other side takes. */
  write(): void {
    while (this.written < this.#requests) {
      let text = ''
      const end = Math.min(this.written + CHUNK, this.#requests)
      while (this.written < end) text += requestOf(this.written++)
      if (!this.#socket.write(text)) return
    }
  }

  read(): void {
    this.#socket.resume()
  }

  end(): void {
    this.#socket.destroy()
  }

  /** Counts answers as long as each is that of the next request. */
  #take(text: string): void {
    this.#text += text
    let from = 0
    for (;;) {
      const head = this.#text.indexOf(HEADERS_END, from)
      if (head < 0) break
      const length = Number(/content-length: (\d+)/i.exec(this.#text.slice(from, head))?.[1] ?? Number.NaN)
      const start = head + HEADERS_END.length
      if (!(this.#text.length >= start + length)) break
      if (!this.#text.startsWith(`{"distance":${this.inOrder},`, start)) {
        this.isDone = true
        this.end()
        return
      }
      this.inOrder++
      from = start + length
    }
    this.#text = this.#text.slice(from)
    if (this.inOrder === this.#requests) this.isDone = true
  }
}
