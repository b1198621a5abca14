// Entries as bytes, and back: in one go and in turns, with few operations and with many.

import { expect, it, vi } from 'vitest'
import {
  decodeEntry,
  decodeEntryInTurns,
  encodeEntry,
  isLargeEntry,
  packEntry,
  Repacking,
} from '../../../src/scene/keeper/stored-forms.ts'
import type { Entry, Operation } from '../../../src/scene/state/operation.ts'
import { FRAME_KINDS, FrameDamage, framed, framedPieces } from '../../../src/scene/store/checksum-frame.ts'
import { circle, creation, putting } from '../../support/services/kept-scenes.ts'

const at = 1_700_000_000_000
const key = { key: 'k', fingerprint: 'f' }
const bodies = (count: number) =>
  putting(...Array.from({ length: count }, (_, n) => circle(`b${n}`, n, n, { data: 'line\nbreak "\\ ä', tags: ['x'] })))

it.each([0, 1, 1023, 1024, 1025, 5000])('holds %i operations', async (count) => {
  const entry: Entry = { version: 7, at, operations: [creation('s'), ...bodies(count)].slice(0, count), key }
  const bytes = isLargeEntry(entry) ? await packEntry(entry) : encodeEntry(entry)
  expect(decodeEntry(7, bytes)).toEqual(entry)
  expect(await decodeEntryInTurns(7, bytes)).toEqual(entry)
})

it.each([1, 5000])('holds the id of the write, wherever its bytes lie: %i operations', async (count) => {
  const among = Uint8Array.from({ length: 64 }, (_, k) => 255 - k)
  const writeId = among.subarray(13, 29)
  const entry: Entry = { version: 7, at, operations: bodies(count), key, writeId }
  const bytes = isLargeEntry(entry) ? await packEntry(entry) : encodeEntry(entry)
  for (const back of [decodeEntry(7, bytes), await decodeEntryInTurns(7, bytes)]) {
    expect(back).toEqual({ ...entry, writeId: new Uint8Array(writeId) })
  }
  // A digest is told by where an entry stands, and is none of its bytes.
  const digest = new Uint8Array(16).fill(1)
  const other = isLargeEntry(entry) ? await packEntry({ ...entry, digest }) : encodeEntry({ ...entry, digest })
  expect(Buffer.compare(other, bytes)).toBe(0)
})

it('is read as earlier releases have written it, without an id', async () => {
  const frame = { kind: FRAME_KINDS.entry, version: 3, ordinal: 0 }
  const operations = [{ op: 'remove', id: 'x' }]
  const small = framed(frame, Buffer.from(JSON.stringify({ at, operations, key })))
  const lines = `${JSON.stringify({ at, key })}\n${JSON.stringify(operations)}\n${JSON.stringify([{ op: 'clear' }])}`
  const large = await framedPieces(frame, [lines])
  const entry = { version: 3, at, key, operations }
  expect(decodeEntry(3, small)).toEqual(entry)
  expect(await decodeEntryInTurns(3, large)).toEqual({ ...entry, operations: [...operations, { op: 'clear' }] })
  expect('writeId' in decodeEntry(3, small)).toBe(false)
})

it('reads many operations without keeping others waiting for all of them', async () => {
  const bytes = await packEntry({ version: 2, at, operations: bodies(20_000) })
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await decodeEntryInTurns(2, bytes)
  isDone = true
  expect(turns).toBeGreaterThanOrEqual(19)
})

it.each([
  ['stay', (operations: Operation[]) => operations],
  ['lose their first', (operations: Operation[]) => operations.slice(1)],
  ['lose one within', (operations: Operation[]) => operations.toSpliced(1300, 1)],
  ['lose their last', (operations: Operation[]) => operations.slice(0, -1)],
  ['have one moved behind the others', (operations: Operation[]) => [...operations.toSpliced(7, 1), operations[7]]],
  ['have others put before them', (operations: Operation[]) => [...bodies(3), ...operations]],
  ['turn round', (operations: Operation[]) => operations.toReversed()],
  ['come twice', (operations: Operation[]) => [...operations, ...operations]],
  ['have all gone', () => []],
])('packs again what a write is sent as the next time: operations that %s', async (_, changed) => {
  const writeId = new Uint8Array(16).fill(7)
  const repacking = new Repacking()
  const first: Entry = { version: 2, at, operations: bodies(2100), writeId }
  const others: Entry = { version: 9, at: at + 5, operations: changed(first.operations as Operation[]), writeId, key }
  // also where the next begins before the last is done
  const asked = [first, others, { ...first, version: 12 }].map(async (entry) => ({
    entry,
    bytes: await repacking.pack(entry),
  }))
  for (const { entry, bytes } of await Promise.all(asked)) {
    expect(decodeEntry(entry.version, bytes)).toEqual(entry)
  }
  expect(decodeEntry(9, await repacking.pack(others))).toEqual(others)
})

it('packs again without encoding what it has encoded before', async () => {
  const operations = bodies(3000)
  const repacking = new Repacking()
  await repacking.pack({ version: 2, at, operations })
  const stringify = vi.spyOn(JSON, 'stringify')
  await repacking.pack({ version: 3, at, operations: operations.toSpliced(7, 1) })
  // the head, and one piece of about a thousand
  expect(stringify.mock.calls.length).toBeLessThan(3000 / 2)
  stringify.mockRestore()
})

it('says what is wrong with bytes that are no entry', async () => {
  const bytes = await packEntry({ version: 2, at, operations: bodies(3000) })
  bytes[bytes.length >> 1] ^= 1
  expect(() => decodeEntry(2, bytes)).toThrow(FrameDamage)
  await expect(decodeEntryInTurns(2, bytes)).rejects.toThrow(FrameDamage)
  await expect(decodeEntryInTurns(3, encodeEntry({ version: 2, at, operations: [] }))).rejects.toThrow(FrameDamage)
})
