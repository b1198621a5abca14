import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DiskFile } from '../../../src/scene/store/disk.ts'
import {
  encodeFileHeader,
  encodeRecord,
  FILE_KINDS,
  FileWindow,
  type FoundRecord,
  RECORD_HEADER_BYTE_COUNT,
  RECORD_KINDS,
  readRecord,
  scanRecords,
} from '../../../src/scene/store/record.ts'
import { runs } from '../../support/runs.ts'

const MIB = 2 ** 20
/** No scan of these files reads more often. */
const MOST_READS = 1000

/** A file that is only read. */
function fileOf(bytes: Buffer): DiskFile {
  let reads = 0
  const read = async (into: Uint8Array, position: number) => {
    if (++reads > MOST_READS) throw new Error('it is read again and again')
    const part = bytes.subarray(position, position + into.length)
    into.set(part)
    return part.length
  }
  return { name: 'log-1', read, size: async () => bytes.length } as Partial<DiskFile> as DiskFile
}

/** What lies in a file, in its order. */
interface Piece {
  kind: 'record' | 'damaged' | 'junk'
  id: string
  length: number
}

const length = fc.oneof(
  { weight: 6, arbitrary: fc.nat(200) },
  { weight: 2, arbitrary: fc.integer({ min: MIB - 200, max: MIB + 200 }) },
  { weight: 2, arbitrary: fc.integer({ min: MIB, max: 3.5 * MIB }) },
)
const piece: fc.Arbitrary<Piece> = fc.record({
  kind: fc.constantFrom('record', 'record', 'record', 'damaged', 'junk'),
  id: fc.constantFrom('a', 'längs', 'x'.repeat(200)),
  length,
})

const payloadOf = (byteCount: number) => new Uint8Array(byteCount).map((_, k) => (k * 7) & 0xff)

/** The bytes of a file, and what a scan is to find in it. */
function written(pieces: readonly Piece[]): {
  bytes: Buffer
  records: Pick<FoundRecord, 'offset' | 'byteCount' | 'id' | 'version'>[]
  lost: [number, number][]
} {
  const all: Uint8Array[] = [encodeFileHeader({ kind: FILE_KINDS.log, number: 1, createdAt: 0, createdBy: 'a test' })]
  let at = all[0].length
  const records = []
  const lost: [number, number][] = []
  for (const [version, { kind, id, length }] of pieces.entries()) {
    if (kind === 'junk') {
      const byteCount = 8 * Math.ceil(length / 8)
      all.push(new Uint8Array(byteCount).fill(0x55))
      const before = lost.at(-1)
      if (before?.[1] === at) before[1] += byteCount
      else if (byteCount > 0) lost.push([at, at + byteCount])
      at += byteCount
      continue
    }
    const record = { kind: RECORD_KINDS.entry, incarnation: 3, version, id, payload: payloadOf(length) }
    const bytes = Buffer.concat(encodeRecord(record, 12, 0))
    // in the last byte of the body, which is part of the id where there is no payload
    if (kind === 'damaged') bytes[RECORD_HEADER_BYTE_COUNT + Buffer.byteLength(id) + length - 1] ^= 1
    records.push({ offset: at, byteCount: bytes.length, id: kind === 'damaged' ? null : id, version })
    all.push(bytes)
    at += bytes.length
  }
  return { bytes: Buffer.concat(all), records, lost }
}

describe('a scan of a file of records', () => {
  it('tells every record, with the id of those that are whole, and all else as lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const { bytes, records, lost } = written(pieces)
        const found: FoundRecord[] = []
        const missing: [number, number][] = []
        await scanRecords(fileOf(bytes), bytes.length, {
          record: (record) => found.push(record),
          lost: (from, to) => missing.push([from, to]),
        })
        expect(found.map(({ offset, byteCount, id, version }) => ({ offset, byteCount, id, version }))).toEqual(records)
        expect(missing).toEqual(lost)
      }),
      { ...runs(300), endOnFailure: true },
    )
  })

  it('takes a record that ends beyond the file for lost', async () => {
    for (const length of [100, 2 * MIB]) {
      const { bytes, records } = written([
        { kind: 'record', id: 'a', length: 10 },
        { kind: 'record', id: 'b', length },
      ])
      const missing: [number, number][] = []
      const ids: (string | null)[] = []
      const visitor = {
        record: ({ id }: FoundRecord) => ids.push(id),
        lost: (from: number, to: number) => missing.push([from, to]),
      }
      await scanRecords(fileOf(bytes.subarray(0, bytes.length - 8)), bytes.length - 8, visitor)
      expect(ids).toEqual(['a'])
      expect(missing).toEqual([[records[1].offset, bytes.length - 8]])
      // where the scan is to end before it, too
      missing.length = 0
      await scanRecords(fileOf(bytes), bytes.length, visitor, records[1].offset, bytes.length - 16)
      expect(missing).toEqual([[records[1].offset, bytes.length - 16]])
    }
  })
})

describe('one record', () => {
  it('is read where it is whole and the one that was meant, through a window of any size', async () => {
    for (const length of [0, 1, 100, 5000]) {
      for (const windowByteCount of [64, 100, 4096, 10_000]) {
        const { bytes, records } = written([
          { kind: 'record', id: 'a', length: 10 },
          { kind: 'record', id: 'längs', length },
          { kind: 'damaged', id: 'längs', length },
        ])
        const window = new FileWindow(fileOf(bytes), bytes.length, windowByteCount)
        const whole = await readRecord(window, records[1].offset, ({ version }) => version === 1)
        expect(whole?.id).toBe('längs')
        expect(whole?.payload).toEqual(payloadOf(length))
        expect(await readRecord(window, records[1].offset, ({ version }) => version === 2)).toBeNull()
        expect(await readRecord(window, records[2].offset, () => true)).toBeNull()
        expect(await readRecord(window, records[1].offset + 8, () => true)).toBeNull()
        expect(await readRecord(window, bytes.length - 8, () => true)).toBeNull()
        const short = new FileWindow(fileOf(bytes), records[2].offset - 8, windowByteCount)
        expect(await readRecord(short, records[1].offset, () => true)).toBeNull()
      }
    }
  })
})
