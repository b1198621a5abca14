// Whose answers are kept, and whose connection is closed for them.

import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AnswerRoom, SOCKET } from '../../src/plugins/answer-room.ts'

class FakeSocket extends EventEmitter {
  destroyed = false
  writableLength = 0
  _bytesDispatched = 0
  readonly _handle = { writeQueueSize: 0 }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

let room: AnswerRoom
beforeEach(() => {
  vi.useFakeTimers()
  room = new AnswerRoom(2 ** 26, () => undefined)
})
afterEach(() => vi.useRealTimers())

function client() {
  const socket = new FakeSocket()
  room.open(socket as unknown as Socket)
  const respond = () => ({ [SOCKET]: socket }) as unknown as ServerResponse
  /** An answer of so many bytes; whether there was room for it. */
  const send = (bytes: number) => {
    socket._bytesDispatched += bytes
    socket._handle.writeQueueSize += bytes
    return room.admits(respond(), bytes)
  }
  const take = (bytes: number) => {
    socket._handle.writeQueueSize -= bytes
  }
  return { socket, send, take, respond }
}

const LARGE = 2 ** 24

describe('a client that takes nothing', () => {
  it('is closed after half a minute', () => {
    const { socket, send } = client()
    send(LARGE)
    vi.advanceTimersByTime(29_000)
    expect(socket.destroyed).toBe(false)
    vi.advanceTimersByTime(2000)
    expect(socket.destroyed).toBe(true)
    expect(room.bytes).toBe(0)
  })

  it('is closed at once when others need the room', () => {
    const idle = client()
    while (room.bytes + LARGE <= room.most) idle.send(LARGE)
    vi.advanceTimersByTime(2000)
    const other = client()
    expect(other.send(LARGE)).toBe(true)
    expect(idle.socket.destroyed).toBe(true)
    expect(other.socket.destroyed).toBe(false)
  })
})

it('keeps a client that takes its answer slowly, as long as nobody needs the room', () => {
  const { socket, send, take } = client()
  send(LARGE)
  for (let second = 0; second < 120; second++) {
    take(1000)
    vi.advanceTimersByTime(1000)
  }
  expect(socket.destroyed).toBe(false)
})

it('refuses what there is no room for while all take what they have', () => {
  const clients = Array.from({ length: Math.floor(room.most / LARGE) }, () => client())
  for (const { send } of clients) expect(send(LARGE)).toBe(true)
  for (let second = 0; second < 5; second++) {
    for (const { take } of clients) take(2 ** 20)
    vi.advanceTimersByTime(1000)
  }
  const late = client()
  expect(late.send(LARGE)).toBe(false)
  expect(late.send(1000)).toBe(true)
  expect(clients.some(({ socket }) => socket.destroyed)).toBe(false)
})

it('lets answers that take long be made one at a time for each connection, and some at a time for all', async () => {
  const inside: ServerResponse[] = []
  const enter = (response: ServerResponse) =>
    void room.enter(response).then((isWanted) => isWanted && inside.push(response))
  const one = client()
  const [first, second] = [one.respond(), one.respond()]
  enter(first)
  enter(second)
  await vi.advanceTimersByTimeAsync(0)
  expect(inside).toEqual([first])
  for (let n = 0; n < 100; n++) enter(client().respond())
  await vi.advanceTimersByTimeAsync(0)
  const most = inside.length
  expect(most).toBeLessThanOrEqual(16)
  room.closed(first)
  await vi.advanceTimersByTimeAsync(0)
  expect(inside.length).toBe(most + 1)
  expect(inside[most]).toBe(second)
})
