// How much of the memory answers may take that clients have not taken yet, over all connections.
//
// Method: the bytes of every answer are counted from when it is sent until the system has them. What takes long to make and may be
// large waits for room before it is made, no more than one for each connection at a time; a large answer that does not fit when it
// is there becomes a 503. Room is made by closing connections that do not take their answers: those that take next to nothing as soon
// as others wait for room, and those that take nothing at all after half a minute in any case.

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getHeapStatistics } from 'node:v8'

/** Share of the heap that answers may have, until they are taken. */
const HEAP_SHARE = 1 / 8
/** Bytes of a connection up to which it may have more: what is less is not refused either. */
export const MOST_UNSENT = 2 ** 16
/** Bytes of an answer that is not counted: a connection has so few at a time that they are less than what it costs itself. */
const SMALL_BYTES = 2 ** 10
/** Answers that are being made in slices at a time, and bytes that each of them is taken to have. */
const MOST_INSIDE = 16
const EXPECTED_BYTES = 2 ** 22
/** Approximate number of bytes that a stream buffers. */
const STREAM_BYTES = 2 ** 17
/** How often connections are looked at; bytes that one takes in that time at least; and looks without a byte after which it is closed. */
const LOOK_MS = 1000
const LEAST_TAKEN = 2 ** 14
const MOST_IDLE_LOOKS = 30

/** The answers of one connection. */
export interface Unsent {
  bytes: number
  /** Whether the answer under way has no end: what comes behind it is never sent. */
  isEndless: boolean
}

interface Waiting {
  readonly response: Counted
  resolve(isWanted: boolean): void
}

/** State of a connection whose client has much left to read. */
interface Taker {
  /** Bytes that the system has of what was written. */
  taken: number
  /** Looks in which it took little, and nothing. */
  slowLooks: number
  idleLooks: number
}

interface Counted extends ServerResponse {
  [SOCKET]?: Socket
  [BYTES]?: number
  [INSIDE]?: boolean
}

interface QueuingSocket extends Socket {
  [UNSENT]?: Unsent
  _bytesDispatched?: number
  _handle?: { readonly writeQueueSize?: number } | null
}

/** Where a response has its socket, which its request may have lost when it is closed. */
export const SOCKET = Symbol('socket')
const BYTES = Symbol('bytes')
const INSIDE = Symbol('inside')
const UNSENT = Symbol('unsent')

export class AnswerRoom {
  readonly most: number
  #bytes = 0
  #inside = 0
  /** Whether something was refused since the last look. */
  #hasRefused = false
  #waiting: Waiting[] = []
  readonly #takers = new Map<QueuingSocket, Taker>()
  #timer: NodeJS.Timeout | null = null
  /** Told of connections that have taken what they had. */
  readonly #onLess: (socket: Socket) => void

  /** `most`: bytes of answers; less where the heap is small. */
  constructor(most: number, onLess: (socket: Socket) => void) {
    this.most = Math.floor(Math.min(most, HEAP_SHARE * getHeapStatistics().heap_size_limit))
    this.#onLess = onLess
  }

  /** Bytes that are counted. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether others wait for room, or whoever comes would. */
  get isFull(): boolean {
    return this.#waiting.length > 0 || this.#inside >= MOST_INSIDE || this.#bytes + EXPECTED_BYTES > this.most
  }

  /** Must be called of each connection before anything else. */
  open(socket: QueuingSocket): Unsent {
    const unsent: Unsent = { bytes: 0, isEndless: false }
    socket[UNSENT] = unsent
    socket.once('close', () => {
      this.#bytes -= unsent.bytes
      this.#takers.delete(socket)
      this.#pump()
    })
    return unsent
  }

  /** Waits until there is room for an answer that takes long to make; false when nobody waits for it any more. */
  enter(response: Counted): Promise<boolean> {
    if (socketOf(response)?.[UNSENT] === undefined || response[INSIDE] === true) return Promise.resolve(true)
    return new Promise((resolve) => {
      this.#waiting.push({ response, resolve })
      this.#look()
      this.#pump()
    })
  }

  /** The answer is made elsewhere for a while: it waits for room again when it is back. */
  leave(response: Counted): void {
    if (this.#settle(response, 0)) this.#pump()
  }

  /** Whether there is room for an answer of so many bytes, which are counted then. What has waited for room is not refused. */
  admits(response: Counted, bytes: number): boolean {
    if (bytes <= SMALL_BYTES && response[INSIDE] !== true) return true
    if (bytes > MOST_UNSENT && response[INSIDE] !== true && !this.#hasRoom(response, bytes)) return false
    if (this.#settle(response, bytes)) this.#pump()
    return true
  }

  /** Counts a stream, which holds little but for what it comes from: as much as was counted before. */
  stream(response: Counted): void {
    if (this.#settle(response, Math.max(response[BYTES] ?? 0, STREAM_BYTES))) this.#pump()
  }

  /** The answer has been taken, or given up. */
  closed(response: Counted): void {
    if (response[BYTES] !== undefined) this.#settle(response, 0)
    if (this.#waiting.length > 0) this.#pump()
  }

  #hasRoom(response: Counted, bytes: number): boolean {
    // behind an answer without an end it would lie for ever
    if (socketOf(response)?.[UNSENT]?.isEndless === true) return false
    if (this.#bytes + bytes <= this.most || this.#makeRoom(bytes)) return true
    this.#hasRefused = true
    this.#look()
    return false
  }

  /** Counts the bytes; whether the answer was inside, and is not any more. */
  #settle(response: Counted, bytes: number): boolean {
    const wasInside = response[INSIDE] === true
    if (wasInside) {
      response[INSIDE] = false
      this.#inside--
    }
    this.#count(response, bytes)
    return wasInside
  }

  #count(response: Counted, bytes: number): void {
    const socket = socketOf(response)
    const unsent = socket?.[UNSENT]
    const more = bytes - (response[BYTES] ?? 0)
    // of a connection that is closed nothing is counted any more
    if (socket === undefined || unsent === undefined || more === 0 || socket.destroyed) return
    response[BYTES] = bytes
    this.#bytes += more
    unsent.bytes += more
    if (unsent.bytes > MOST_UNSENT) {
      if (!this.#takers.has(socket)) {
        this.#takers.set(socket, { taken: takenBy(socket), slowLooks: 0, idleLooks: 0 })
        this.#look()
      }
    } else if (more < 0 && this.#takers.delete(socket)) this.#onLess(socket)
  }

  /** Lets in whom there is room for. */
  #pump(): void {
    if (this.#waiting.length === 0) return
    const stay: Waiting[] = []
    for (const each of this.#waiting) {
      const { response, resolve } = each
      const socket = socketOf(response) as QueuingSocket
      if (socket.destroyed || response.destroyed) resolve(false)
      else if (
        this.#inside < MOST_INSIDE &&
        this.#bytes + EXPECTED_BYTES <= this.most &&
        (socket[UNSENT] as Unsent).bytes <= MOST_UNSENT
      ) {
        response[INSIDE] = true
        this.#inside++
        this.#count(response, EXPECTED_BYTES)
        resolve(true)
      } else stay.push(each)
    }
    this.#waiting = stay
  }

  /** Closes connections that take little until there is room for so many bytes; false where there are too few of them. */
  #makeRoom(bytes: number): boolean {
    const slow = [...this.#takers].filter(([, { slowLooks }]) => slowLooks > 0)
    slow.sort(([, a], [, b]) => b.idleLooks - a.idleLooks || b.slowLooks - a.slowLooks)
    for (const [socket] of slow) {
      if (this.#bytes + bytes <= this.most) break
      this.#bytes -= (socket[UNSENT] as Unsent).bytes
      ;(socket[UNSENT] as Unsent).bytes = 0
      this.#takers.delete(socket)
      socket.destroy()
    }
    return this.#bytes + bytes <= this.most
  }

  /** Looks from now on, as long as there is anything to see. */
  #look(): void {
    this.#timer ??= setInterval(() => this.#lookOnce(), LOOK_MS).unref()
  }

  #lookOnce(): void {
    for (const [socket, taker] of this.#takers) {
      const taken = takenBy(socket)
      const isWaiting = queuedOf(socket) > 0 || (socket[UNSENT] as Unsent).isEndless
      taker.slowLooks = isWaiting && taken - taker.taken < LEAST_TAKEN ? taker.slowLooks + 1 : 0
      taker.idleLooks = isWaiting && taken === taker.taken ? taker.idleLooks + 1 : 0
      taker.taken = taken
      if (taker.idleLooks >= MOST_IDLE_LOOKS) socket.destroy()
    }
    if (this.#hasRefused || this.#waiting.length > 0) this.#makeRoom(EXPECTED_BYTES)
    this.#hasRefused = false
    this.#pump()
    if (this.#takers.size > 0 || this.#waiting.length > 0) return
    clearInterval(this.#timer as NodeJS.Timeout)
    this.#timer = null
  }
}

function socketOf(response: Counted): QueuingSocket | undefined {
  return response[SOCKET]
}

/** Bytes that were written to the socket and that the system does not have. */
function queuedOf({ writableLength, _handle }: QueuingSocket): number {
  return Math.max(writableLength, _handle?.writeQueueSize ?? 0)
}

/** Bytes that the system has: a write is counted in whole when it begins, and what is left of it in the queue. */
function takenBy({ _bytesDispatched, _handle }: QueuingSocket): number {
  return (_bytesDispatched ?? 0) - (_handle?.writeQueueSize ?? 0)
}
