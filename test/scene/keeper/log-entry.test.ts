// Entries as bytes, and back: in one go and in turns, with few operations and with many.

import { expect, it } from 'vitest'
import {
  decodeEntry,
  decodeEntryInTurns,
  encodeEntry,
  isLargeEntry,
  packEntry,
} from '../../../src/scene/keeper/log-entry.ts'
import { FrameDamage } from '../../../src/scene/store/checksum-frame.ts'
import type { Entry } from '../../../src/scene/table/operation.ts'
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

it('says what is wrong with bytes that are no entry', async () => {
  const bytes = await packEntry({ version: 2, at, operations: bodies(3000) })
  bytes[bytes.length >> 1] ^= 1
  expect(() => decodeEntry(2, bytes)).toThrow(FrameDamage)
  await expect(decodeEntryInTurns(2, bytes)).rejects.toThrow(FrameDamage)
  await expect(decodeEntryInTurns(3, encodeEntry({ version: 2, at, operations: [] }))).rejects.toThrow(FrameDamage)
})
