// Files as the store writes them: the same bytes whichever way they are flushed, and however they are cut into pieces.

import { constants, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DirectoryDisk } from '../../../src/scene/store/disk.ts'
import {
  decodeRecordHeader,
  encodeRecord,
  newRecordByteCount,
  RECORD_HEADER_BYTE_COUNT,
  RECORD_KINDS,
} from '../../../src/scene/store/record.ts'
import { seed } from '../../support/runs.ts'
import { seeded } from '../../support/services/kept-scenes.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tangent-disk-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe.each([
  ['flushed when that is said', false],
  ['flushed with each write', true],
])('a file that is %s', (_, isFlushed) => {
  it.each([
    ['nothing', []],
    ['a few bytes', [1, 0, 7]],
    ['many small pieces', Array.from({ length: 5000 }, (_, k) => k % 600)],
    ['pieces longer than are put together', [2 ** 18, 5, 2 ** 19 + 3, 0, 2 ** 18 - 1, 9]],
    ['more pieces than go into one write', Array.from({ length: 100 }, () => 2 ** 18 - 1)],
  ])('has what was written behind what it had: %s', async (_, lengths) => {
    const random = seeded(seed())
    const pieces = lengths.map((length) => new Uint8Array(length).fill(256 * random()))
    const file = await new DirectoryDisk(directory).create('log-1.new', isFlushed)
    await file.write([Buffer.from('before')], 0)
    await file.write(pieces, 6)
    await file.sync()
    await file.close()
    const found = readFileSync(join(directory, 'log-1.new'))
    expect(found.equals(Buffer.concat([Buffer.from('before'), ...pieces]))).toBe(true)
  })

  it('is durable when it has been flushed: by a flush, or because every write is one', async () => {
    const some = await open(join(directory, 'some'), 'w')
    const datasync = vi.spyOn(Object.getPrototypeOf(some), 'datasync')
    await some.close()
    const file = await new DirectoryDisk(directory).create('log-1.new', isFlushed)
    await file.write([Buffer.from('some')], 0)
    await file.sync()
    const flushes = datasync.mock.calls.length
    datasync.mockRestore()
    const isLinux = process.platform === 'linux'
    expect(flushes).toBe(isFlushed && isLinux ? 0 : 1)
    if (isLinux) {
      const path = join(directory, 'log-1.new')
      const leads = (fd: string) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === path
        } catch {
          // closed meanwhile
          return false
        }
      }
      const fd = readdirSync('/proc/self/fd').find(leads) as string
      const [, flags] = /flags:\s*([0-7]+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? expect.fail()
      expect((Number.parseInt(flags, 8) & constants.O_DSYNC) !== 0).toBe(isFlushed)
    }
    await file.close()
  })

  it('says that it is full where it may not grow, and can be cut off', async () => {
    const file = await new DirectoryDisk(directory).create('log-1.new', isFlushed)
    await file.write([Buffer.from('before')], 0)
    await expect(file.write([Buffer.from('far')], Number.MAX_SAFE_INTEGER - 8)).rejects.toMatchObject({
      message: expect.stringMatching(/no room|failed/),
    })
    await file.truncate(3)
    await file.close()
    expect(readFileSync(join(directory, 'log-1.new'), 'utf8')).toBe('bef')
  })
})

describe('a record', () => {
  it.each([0, 1, 7, 8, 2047, 2048, 2049, 70_000])(
    'with a payload of %d bytes is as long as is said, and found again',
    (length) => {
      const id = 'längs'
      const payload = new Uint8Array(length).map((_, k) => k * 7)
      const record = { kind: RECORD_KINDS.entry, incarnation: 5, version: 9, id, payload }
      const pieces = encodeRecord(record, 12, 40)
      const bytes = Buffer.concat(pieces)
      expect(bytes.length).toBe(newRecordByteCount(record))
      expect(bytes.length % 8).toBe(0)
      const header = decodeRecordHeader(bytes, 0)
      expect(header).toMatchObject({ sequence: 12, incarnation: 5, version: 9, commitOffset: 40, idByteCount: 6 })
      const body = bytes.subarray(RECORD_HEADER_BYTE_COUNT)
      expect(body.toString('utf8', 0, 6)).toBe(id)
      expect(body.subarray(6, 6 + length).equals(payload)).toBe(true)
      expect(body.subarray(6 + length).every((byte) => byte === 0)).toBe(true)
    },
  )
})
