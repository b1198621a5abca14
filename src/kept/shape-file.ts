// The file of a kept shape: its head (`shape-blocks.ts`), its text and its prepared meshes, as they lie in memory.
//
// Layout: 8 bytes of magic, the length of the head in 4 and its checksum in 4, the head as JSON, then from multiples of 64 bytes on the text and
// each mesh. The head has their lengths and checksums (CRC-32). A file is written under another name, flushed, and renamed, so one with the
// name of a shape is whole; the checksums tell whether it was damaged since. Numbers are in the byte order of the machine, which the magic
// tells.

import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { crc32 } from 'node:zlib'
import type { KeptShape } from './kept-shape.ts'
import { blocksOf, type ShapeHead, shapeOf } from './shape-blocks.ts'

/** As numbers lie in memory. */
const MAGIC = new Uint8Array(Uint32Array.of(0x54474b53, 1).buffer)
const PREFIX_LENGTH = 16
const ALIGNMENT = 64
/** Longest head that is read, in bytes. */
const MOST_HEAD = 2 ** 22
/** Bytes that are read at a time: others have their turn in between. */
const CHUNK_LENGTH = 2 ** 21

/** Names a shape. */
type Named = Pick<KeptShape, 'id' | 'dimension'>

export function shapePath(directory: string, { id, dimension }: Named): string {
  return join(directory, `${id}.${dimension}.shape`)
}

const NAME = /^(.*)\.([23]d)\.shape$/

/** The shape that the name of a file names; null of others. */
export function shapeOfFile(name: string): Named | null {
  const found = NAME.exec(name)
  return found === null ? null : { id: found[1], dimension: found[2] as KeptShape['dimension'] }
}

/** Writes the file, durably, on the thread that calls. Throws the system's error. */
export function writeShapeFile(directory: string, shape: KeptShape, head: ShapeHead): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const text = Buffer.from(JSON.stringify(head))
  const prefix = Buffer.alloc(PREFIX_LENGTH)
  prefix.set(MAGIC)
  prefix.writeUInt32LE(text.length, 8)
  prefix.writeUInt32LE(crc32(text), 12)
  const path = shapePath(directory, shape)
  // two threads may be at it together
  const unfinished = `${path}.${threadId}.new`
  const file = openSync(unfinished, 'w', 0o600)
  try {
    let at = writeAll(file, prefix, 0)
    at = writeAll(file, text, at)
    for (const block of blocksOf(shape)) at = writeAll(file, block, aligned(at))
    fsyncSync(file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  renameSync(unfinished, path)
  const folder = openSync(directory, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Where it ends. */
function writeAll(file: number, bytes: Uint8Array, position: number): number {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, position + at)
  return position + bytes.length
}

function aligned(position: number): number {
  return Math.ceil(position / ALIGNMENT) * ALIGNMENT
}

/** The head of the file, without a look at the rest; null where the file is damaged. Rejects with the system's error. */
export async function readShapeHead(directory: string, shape: Named): Promise<ShapeHead | null> {
  const file = await open(shapePath(directory, shape))
  try {
    return (await headIn(file, shape))?.head ?? null
  } finally {
    await file.close()
  }
}

/** The shape, in memory of its own; null where the file is damaged. Rejects with the system's error. */
export async function readShapeFile(directory: string, shape: Named): Promise<KeptShape | null> {
  const file = await open(shapePath(directory, shape))
  try {
    const found = await headIn(file, shape)
    if (found === null) return null
    const { size } = await file.stat()
    const blocks: { memory: SharedArrayBuffer; checksum: number }[] = []
    let at = found.end
    for (const { length } of found.head.blocks) {
      if (aligned(at) + length > size) return null
      const block = await blockOf(file, aligned(at), length)
      if (block === null) return null
      blocks.push(block)
      at = aligned(at) + length
    }
    return shapeOf(found.head, blocks)
  } finally {
    await file.close()
  }
}

async function headIn(file: FileHandle, { id }: Named): Promise<{ head: ShapeHead; end: number } | null> {
  const prefix = Buffer.alloc(PREFIX_LENGTH)
  await file.read(prefix, 0, PREFIX_LENGTH, 0)
  const length = prefix.readUInt32LE(8)
  if (!prefix.subarray(0, MAGIC.length).equals(MAGIC) || length > MOST_HEAD) return null
  const text = Buffer.alloc(length)
  await file.read(text, 0, length, PREFIX_LENGTH)
  if (crc32(text) !== prefix.readUInt32LE(12)) return null
  const head: ShapeHead = JSON.parse(text.toString())
  return head.summary.id === id ? { head, end: PREFIX_LENGTH + length } : null
}

async function blockOf(
  file: FileHandle,
  start: number,
  length: number,
): Promise<{ memory: SharedArrayBuffer; checksum: number } | null> {
  const memory = new SharedArrayBuffer(length)
  const read = (at: number) => {
    const chunk = new Uint8Array(memory, at, Math.min(CHUNK_LENGTH, length - at))
    return file.read(chunk, 0, chunk.length, start + at)
  }
  let checksum = 0
  let reading = read(0)
  for (let at = 0; at < length; ) {
    const { bytesRead, buffer } = await reading
    if (bytesRead < buffer.length) return null
    at += bytesRead
    // the next one comes while this one is summed
    if (at < length) reading = read(at)
    checksum = crc32(buffer, checksum)
  }
  return { memory, checksum }
}
