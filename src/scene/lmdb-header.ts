/**
 * Looks at the first two pages of an LMDB file before LMDB does. It trusts them: a file that is something else, or that
 * says its trees begin where there is no page, ends the process instead of raising an error.
 *
 * Layout: `MDB_page` and `MDB_meta` of LMDB's data version 2 (64-bit, little-endian), as lmdb 3 writes it.
 */

import { closeSync, existsSync, openSync, readSync, statSync, truncateSync } from 'node:fs'

const MAGIC = 0xbeefc0de
const DATA_VERSION = 2
const META_PAGE_FLAG = 8
const META_BYTE_COUNT = 0xa8
const LEAST_PAGE_BYTE_COUNT = 512
const LARGEST_PAGE_BYTE_COUNT = 65536
/** The root of an empty tree. */
const NO_PAGE = 2n ** 64n - 1n

/**
 * What is wrong with the file, or null: it is a database, or there is none yet. A file that has lost its end is made as
 * long as it says it is: it is mapped into memory, where a page beyond its end is the end of the process, while a page of
 * zeros is found to be damaged. Pages that were never used may be missing by right.
 */
export function checkHeader(path: string): string | null {
  if (!existsSync(path)) return null
  const { size } = statSync(path)
  if (size === 0) return null
  const file = openSync(path, 'r')
  try {
    const first = readMeta(file, 0)
    if (first === null) return 'the file is not a database of this store'
    const second = readMeta(file, first.pageByteCount)
    if (second === null || second.pageByteCount !== first.pageByteCount) return 'its second page is damaged'
    const meta = second.transaction > first.transaction ? second : first
    if (meta.roots.some((root) => root !== NO_PAGE && root > meta.lastPage)) return 'its header is damaged'
    const byteCount = (meta.lastPage + 1n) * BigInt(meta.pageByteCount)
    if (byteCount > BigInt(Number.MAX_SAFE_INTEGER)) return 'its header is damaged'
    if (BigInt(size) < byteCount) truncateSync(path, Number(byteCount))
    return null
  } finally {
    closeSync(file)
  }
}

function readMeta(file: number, at: number) {
  const page = Buffer.alloc(META_BYTE_COUNT)
  if (readSync(file, page, 0, META_BYTE_COUNT, at) < META_BYTE_COUNT) return null
  if ((page.readUInt16LE(0x12) & META_PAGE_FLAG) === 0 || page.readUInt32LE(0x18) !== MAGIC) return null
  if ((page.readUInt32LE(0x1c) & 0xffff) !== DATA_VERSION) return null
  const pageByteCount = page.readUInt32LE(0x30)
  if (pageByteCount < LEAST_PAGE_BYTE_COUNT || pageByteCount > LARGEST_PAGE_BYTE_COUNT) return null
  return {
    pageByteCount,
    roots: [page.readBigUInt64LE(0x58), page.readBigUInt64LE(0x88)],
    lastPage: page.readBigUInt64LE(0x90),
    transaction: page.readBigUInt64LE(0x98),
  }
}
