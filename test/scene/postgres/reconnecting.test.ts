// A connection that is sought again whenever it is lost: who waits for it, for how long, and what is told.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Connection } from '../../../src/scene/postgres/connection.ts'
import { ConnectionLost } from '../../../src/scene/postgres/database-error.ts'
import { PATIENCE_MS, Reconnecting } from '../../../src/scene/postgres/reconnecting.ts'
import { StoreClosed, StoreFailed, StoreUnavailable } from '../../../src/scene/store/store.ts'

class FakeConnection {
  onLost: ((error: ConnectionLost) => void) | null = null
  hasEnded = false
  cut(): void {
    this.onLost?.(new ConnectionLost('cut'))
  }
  async end(): Promise<void> {
    this.onLost = null
    this.hasEnded = true
  }
}

/** What becomes of a try. */
let server: 'there' | 'away' | 'unfit' | 'silent'
let tries = 0
const told: string[] = []
/** How long it was away, of each that was found again, in milliseconds. */
const away: number[] = []
let link: Reconnecting
/** Ends tries that hear nothing. */
let answers: (() => void)[] = []

beforeEach(() => {
  vi.useFakeTimers()
  server = 'there'
  tries = 0
  told.length = 0
  away.length = 0
  answers = []
  link = new Reconnecting({
    connect: async () => {
      tries++
      if (server === 'silent') await new Promise<void>((resolve) => answers.push(resolve))
      if (server === 'away') throw new ConnectionLost('nobody listens')
      if (server === 'unfit') throw new StoreFailed('fsync is off')
      return new FakeConnection() as unknown as Connection
    },
    onLost: (reason) => told.push(`lost: ${reason}`),
    onFound: (awayMs) => {
      told.push('found')
      away.push(awayMs)
    },
    onFailed: ({ message }) => told.push(message),
  })
})
afterEach(async () => {
  server = 'away'
  for (const answer of answers) answer()
  await link.close()
  vi.useRealTimers()
})

const current = () => link.current as unknown as FakeConnection
/** Longer than any pause between two tries. */
const PAUSE_MS = 2100

describe('a connection', () => {
  it('is the same for all until it is lost, and is sought then, though nobody asks', async () => {
    const first = await link.found()
    expect(await link.soon()).toBe(first)
    expect([tries, told]).toEqual([1, []])
    current().cut()
    expect(link.current).toBeNull()
    await vi.advanceTimersByTimeAsync(0)
    expect(link.current).not.toBeNull()
    expect(link.current).not.toBe(first)
    expect(told).toEqual(['lost: cut', 'found'])
  })

  it('is waited for a second after it was lost, and by nobody from then on', async () => {
    await link.open()
    server = 'away'
    current().cut()
    const early = link.soon()
    await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1)
    expect(link.isAway).toBe(false)
    const late = link.soon()
    await vi.advanceTimersByTimeAsync(1)
    expect([await early, await late, await link.soon()]).toEqual([null, null, null])
    expect(link.isAway).toBe(true)
    expect(link.failure).toBeInstanceOf(StoreUnavailable)
  })

  it('is handed to whoever waits as soon as it is found', async () => {
    await link.open()
    await vi.advanceTimersByTimeAsync(70)
    server = 'away'
    current().cut()
    const waiting = link.soon()
    await vi.advanceTimersByTimeAsync(PATIENCE_MS / 2)
    server = 'there'
    link.seekNow()
    expect(await waiting).toBe(link.current)
    expect(link.isAway).toBe(false)
    expect(away).toEqual([PATIENCE_MS / 2])
  })

  it('is sought at once, and waited for anew, when another has been found', async () => {
    await link.open()
    server = 'away'
    current().cut()
    await vi.advanceTimersByTimeAsync(60_000)
    const before = tries
    link.seekNow()
    expect(link.isAway).toBe(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(tries).toBe(before + 1)
  })

  it('is open again within two seconds of when the server can be reached', async () => {
    await link.open()
    server = 'away'
    current().cut()
    await vi.advanceTimersByTimeAsync(60_000)
    // not all the time either
    expect(tries).toBeLessThan(200)
    server = 'there'
    await vi.advanceTimersByTimeAsync(PAUSE_MS)
    expect(link.current).not.toBeNull()
  })

  it('does not keep anybody waiting for a try that hears nothing', async () => {
    await link.open()
    server = 'silent'
    current().cut()
    const waiting = link.soon()
    await vi.advanceTimersByTimeAsync(PATIENCE_MS)
    expect(await waiting).toBeNull()
    expect(tries).toBe(2)
  })

  it('that never was open is not told to be back', async () => {
    server = 'unfit'
    await expect(link.open()).rejects.toThrow(StoreFailed)
    await expect(link.open()).rejects.toThrow('fsync is off')
    server = 'there'
    await link.open()
    expect(told).toEqual(['fsync is off', 'fsync is off'])
  })

  it('is not sought any more once it is closed', async () => {
    await link.open()
    const last = current()
    await link.close()
    expect(last.hasEnded).toBe(true)
    expect([await link.soon(), await link.found()]).toEqual([null, null])
    expect(link.failure).toBeInstanceOf(StoreClosed)
    expect(tries).toBe(1)
  })

  it('that is closed while it is sought leaves nobody waiting', async () => {
    await link.open()
    server = 'away'
    current().cut()
    const waiting = link.soon()
    const closed = link.close()
    await vi.advanceTimersByTimeAsync(PAUSE_MS)
    await closed
    expect(await waiting).toBeNull()
  })
})
