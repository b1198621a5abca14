// Digests: what they are made of, that they tell histories apart, and the ids of writes.

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  FRAME_KINDS,
  firstDigest,
  framed,
  isSameDigest,
  keyedWriteId,
  nextDigest,
  randomWriteId,
  shownDigest,
} from '../../../src/scene/store/checksum-frame.ts'

const frameOf = (version: number, text: string) =>
  framed({ kind: FRAME_KINDS.entry, version, ordinal: 0 }, Buffer.from(text))
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('digests', () => {
  it('are the first 16 bytes of SHA-256 of the one before, the id and the header of the frame', () => {
    let before = firstDigest()
    expect(hex(before)).toBe('0'.repeat(32))
    for (let version = 1; version <= 5; version++) {
      const id = keyedWriteId('s', `${version}`)
      const frame = frameOf(version, `entry ${version}`)
      const all = Buffer.concat([before, id, frame.subarray(0, 32)])
      before = nextDigest(before, id, frame)
      expect(hex(before)).toBe(createHash('sha256').update(all).digest('hex').slice(0, 32))
      // Nothing else hangs on its bytes, nor it on others'.
      expect([before.length, before.byteOffset, before.buffer.byteLength]).toEqual([16, 0, 16])
    }
    // What is kept and compared must not change from one release to the next.
    expect(hex(before)).toBe('bcb03c1093a1c0c551d1febec7f1ac13')
  })

  it('are others when anything before them is another', () => {
    const id = keyedWriteId('s', 'k')
    const digests = [
      nextDigest(firstDigest(), id, frameOf(1, 'a')),
      nextDigest(firstDigest(), keyedWriteId('s', 'l'), frameOf(1, 'a')),
      nextDigest(firstDigest(), id, frameOf(2, 'a')),
      nextDigest(firstDigest(), id, frameOf(1, 'b')),
    ]
    digests.push(...digests.map((before) => nextDigest(before, id, frameOf(3, 'c'))))
    expect(new Set(digests.map(hex)).size).toBe(8)
    for (const [k, a] of digests.entries()) {
      for (const [l, b] of digests.entries()) expect(isSameDigest(a, new Uint8Array(b))).toBe(k === l)
    }
  })

  it('are shown by their first eight digits, wherever their bytes lie', () => {
    const digest = Uint8Array.from({ length: 16 }, (_, k) => 0xa0 + k)
    const among = new Uint8Array(64)
    among.set(digest, 24)
    expect(shownDigest(digest)).toBe('a0a1a2a3')
    expect(shownDigest(among.subarray(24, 40))).toBe('a0a1a2a3')
  })

  it('of nobody can be changed by another', () => {
    firstDigest().fill(1)
    expect(hex(firstDigest())).toBe('0'.repeat(32))
  })
})

describe('ids of writes', () => {
  it('of keys are the same wherever a request arrives, and others for another key or scene', () => {
    expect(hex(keyedWriteId('s', 'k'))).toBe(hex(keyedWriteId('s', 'k')))
    expect(hex(keyedWriteId('s', 'k'))).toMatch(/^[0-9a-f]{32}$/)
    const pairs = [
      ['s', 'k'],
      ['s', 'l'],
      ['t', 'k'],
      ['ab', 'c'],
      ['a', 'bc'],
      ['1:a', 'b'],
      ['', '1:ab'],
    ]
    expect(new Set(pairs.map(([scene, key]) => hex(keyedWriteId(scene, key)))).size).toBe(pairs.length)
  })

  it('that are random stay as they are when others are drawn', () => {
    const ids = Array.from({ length: 1000 }, randomWriteId)
    const texts = ids.map(hex)
    expect(new Set(texts).size).toBe(1000)
    expect(ids.every(({ length }) => length === 16)).toBe(true)
    for (let k = 0; k < 1000; k++) randomWriteId().fill(0)
    expect(ids.map(hex)).toEqual(texts)
  })
})
