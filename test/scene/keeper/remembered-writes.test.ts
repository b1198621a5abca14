// What a scene remembers of its writes: enough of them, no more than that, and the same after it has been kept with a snapshot.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { REMEMBERED_COUNT, RememberedWrites, shortFingerprint } from '../../../src/scene/keeper/remembered-writes.ts'
import { keyedWriteId, randomWriteId } from '../../../src/scene/store/checksum-frame.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const at = 1_700_000_000_000

const LAST = 250_000
const IDS = Array.from({ length: LAST + 1 }, randomWriteId)
/** Of a version that there is none of: an id that nobody has. */
const idOf = (version: number) => IDS[Math.max(0, version)]
const fingerprint = shortFingerprint('request')
/** Of a write of which neither was given. */
const UNSAID = { digest: null, answer: null }

/** Every seventh write has a key. */
function remember(writes: RememberedWrites, from: number, to: number) {
  for (let version = from; version <= to; version++) {
    writes.remember(idOf(version), version, at + version, version % 7 === 0 ? { fingerprint } : null)
  }
}

/** By what is packed and unpacked, as in a snapshot. */
const again = (writes: RememberedWrites) => RememberedWrites.from(JSON.parse(JSON.stringify(writes.packed())), 's')

/** Throws at the first of the writes that is not as it was remembered; quicker than to expect each. */
function assertKnown(writes: RememberedWrites, from: number, to: number) {
  for (let version = from; version <= to; version++) {
    const found = writes.find(idOf(version))
    if (found?.version !== version) throw new Error(`${version} is ${found?.version}`)
    const isKeyed = version % 7 === 0
    if ((found.fingerprint !== null) !== isKeyed) throw new Error(`${version} has ${found.fingerprint}`)
    if (isKeyed && (found.at !== at + version || Buffer.compare(found.fingerprint as Uint8Array, fingerprint) !== 0)) {
      throw new Error(`${version} was at ${found.at}`)
    }
  }
}

describe('remembered writes', () => {
  it('are at least the last hundred thousand, at every moment', () => {
    expect(REMEMBERED_COUNT).toBe(100_000)
    const writes = new RememberedWrites()
    let last = 0
    for (const next of [17, 99_999, 100_001, 200_000, 200_001, LAST]) {
      remember(writes, last + 1, next)
      last = next
      assertKnown(writes, Math.max(1, last - REMEMBERED_COUNT + 1), last)
    }
    // What is older than two generations is gone.
    expect(writes.find(idOf(100_000))).toBeNull()
    for (let k = 0; k < 1000; k++) expect(writes.find(randomWriteId())).toBeNull()
  })

  it('take little memory, however many there have been', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const writes = new RememberedWrites()
    collect()
    const before = process.memoryUsage().arrayBuffers
    for (let version = 1; version <= 4 * REMEMBERED_COUNT; version++)
      writes.remember(randomWriteId(), version, at, null)
    const taken = () => {
      collect()
      return process.memoryUsage().arrayBuffers - before
    }
    // What is collected is given back a moment later.
    await expect.poll(taken, { timeout: 30_000 }).toBeLessThan(10 * 2 ** 20)
    expect(JSON.stringify(writes.packed()).length).toBeLessThan(3.3e6)
  })

  it('come back from a snapshot, the last hundred thousand of them', () => {
    for (const count of [0, 13, 100_001, 200_003]) {
      const writes = new RememberedWrites()
      remember(writes, 1, count)
      const back = again(writes)
      assertKnown(back, Math.max(1, count - REMEMBERED_COUNT + 1), count)
      expect(back.find(idOf(count - REMEMBERED_COUNT))).toBeNull()
      expect(back.packed()).toEqual(writes.packed())
      // They go on from there.
      remember(back, count + 1, count + 20)
      assertKnown(back, Math.max(1, count + 20 - REMEMBERED_COUNT + 1), count + 20)
    }
  })

  it('of one id are told by the last, wherever the one before lies', () => {
    const writes = new RememberedWrites()
    remember(writes, 1, 30)
    writes.remember(idOf(14), 31, at + 31, { fingerprint })
    for (const each of [writes, again(writes)]) {
      expect(each.find(idOf(14))).toEqual({ version: 31, at: at + 31, fingerprint, ...UNSAID })
    }
    for (let version = 32; version <= REMEMBERED_COUNT + 10; version++) {
      writes.remember(idOf(version), version, at, null)
    }
    writes.remember(idOf(21), 200_000, at, null)
    for (const each of [writes, again(writes)]) expect(each.find(idOf(21))?.version).toBe(200_000)
  })

  it('with a key answer it for a day', () => {
    const writes = new RememberedWrites()
    remember(writes, 1, 20)
    for (const each of [writes, again(writes)]) {
      const time = at + 14
      expect(each.findKeyed(idOf(14), time)).toEqual({ version: 14, at: time, fingerprint, ...UNSAID })
      expect(each.findKeyed(idOf(14), time + DAY_MS)?.version).toBe(14)
      expect(each.findKeyed(idOf(14), time + DAY_MS + 1)).toBeNull()
      expect(each.findKeyed(idOf(15), at + 15)).toBeNull()
      expect(each.findKeyed(idOf(28), at + 28)).toBeNull()
    }
  })

  it('tell digests and answers again, also from a snapshot, the youngest answers as far as there is room', () => {
    const writes = new RememberedWrites()
    const long = 'x'.repeat(2 ** 18)
    const answer = (version: number) => (version === 5 ? `${long}x` : `${version}${long.slice(0, -2)}`)
    for (let version = 1; version <= 30; version++) {
      const digest = new Uint8Array(16).fill(version)
      writes.remember(idOf(version), version, at, { fingerprint, digest, answer: answer(version) })
    }
    for (const each of [writes, again(writes)]) {
      const said = (version: number) => each.find(idOf(version))?.answer
      expect(each.find(idOf(7))?.digest).toEqual(new Uint8Array(4).fill(7))
      expect([said(30), said(16)]).toEqual([answer(30), answer(16)])
      expect([said(1), said(5), said(13)]).toEqual([null, null, null])
    }
  })

  it('are found whose ids begin alike', () => {
    const writes = new RememberedWrites()
    const alike = (n: number) => {
      const id = new Uint8Array(16).fill(7)
      new DataView(id.buffer).setUint32(12, n)
      return id
    }
    for (let n = 1; n <= 100; n++) writes.remember(alike(n), n, at, null)
    for (let n = 1; n <= 100; n++) expect(writes.find(alike(n))?.version).toBe(n)
    expect(writes.find(alike(101))).toBeNull()
  })

  it('are what earlier releases have kept with snapshots', () => {
    const kept = [
      { key: 'k1', fingerprint: 'POST a', version: 5, at },
      { key: 'k2', fingerprint: 'POST b', version: 9, at: at + 1 },
    ]
    const writes = RememberedWrites.from(kept, 's')
    expect(writes.findKeyed(keyedWriteId('s', 'k1'), at)).toEqual({
      version: 5,
      at,
      fingerprint: shortFingerprint('POST a'),
      ...UNSAID,
    })
    expect(writes.findKeyed(keyedWriteId('s', 'k2'), at)?.version).toBe(9)
    expect(writes.findKeyed(keyedWriteId('other', 'k1'), at)).toBeNull()
    for (const nothing of [null, undefined, []]) {
      expect(RememberedWrites.from(nothing, 's').packed()).toEqual(new RememberedWrites().packed())
    }
  })
})
