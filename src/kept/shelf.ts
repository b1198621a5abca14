/**
 * The kept shapes of a process: which there are, which of them are in memory, and which are to go.
 *
 * A shape is known by its head. Its content is in memory, or, where there is a directory, read from its file when it is wanted. What goes
 * beyond the limits is let go of, that which was used longest ago first: from memory what has a file, and from the disk with its file. The
 * latest shape stays whatever its size. When shapes were used is kept as the time of their files, so that it outlives the process.
 */

import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import type { KeptSummary } from '../../schemas/queries/kept-shapes.ts'
import { KEPT_ID_PATTERN } from '../../schemas/shapes2d.ts'
import { ESCAPE_MARK, ID_MARK, type ShapeSource, type SourceShape } from '../wire/shape-source.ts'
import type { MadeShape } from './keep-shape.ts'
import { byteLengthOf, type KeptShape, ShapeOpener } from './kept-shape.ts'
import { idOfFile, readShapeFile, readShapeHead, shapePath } from './shape-file.ts'

interface ShelfOptions {
  /** Null: shapes are in memory alone. */
  readonly directory: string | null
  /** Bytes. */
  readonly mostMemory: number
  readonly mostDisk: number
  /** Told of files that are damaged, or not to be read. */
  readonly onFinding: (finding: { readonly shape: string; readonly reason: string }) => void
}

interface Entry {
  readonly id: string
  readonly dimension: KeptShape['dimension']
  readonly summary: KeptSummary
  readonly bytes: number
  readonly hasFile: boolean
  /** Null while only the file has it. */
  kept: KeptShape | null
  reading: Promise<KeptShape | null> | null
  /** By the clock, in milliseconds; and the time that its file has. */
  usedAt: number
  notedAt: number
}

/** Bytes of text that the main thread parses itself, once. */
const QUICK_LENGTH = 2 ** 17
/** Milliseconds of use that the time of a file may lag behind. */
const LAG_MS = 60_000
const ID_LENGTH = ID_MARK.length + 64
const ID = new RegExp(KEPT_ID_PATTERN)
const ESCAPE = /\\u00([0-9a-f]{2})/gi
const ESCAPE_LENGTH = 6

export class Shelf implements ShapeSource {
  readonly #options: ShelfOptions
  /** The longest unused first. */
  readonly #entries = new Map<string, Entry>()
  readonly #opener = new ShapeOpener()
  #memory = 0
  #disk = 0

  constructor(options: ShelfOptions) {
    this.#options = options
  }

  /** Where shapes are written to before they are added. */
  get directory(): string | null {
    return this.#options.directory
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  get figures(): { shapes: number; memory: number; disk: number } {
    return { shapes: this.#entries.size, memory: this.#memory, disk: this.#disk }
  }

  /** Finds the shapes of earlier processes; reads no more of them than their heads. */
  async open(): Promise<void> {
    const { directory, onFinding } = this.#options
    if (directory === null) return
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const found: Entry[] = []
    for (const name of await readdir(directory)) {
      const id = idOfFile(name)
      // files that were not finished
      if (name.endsWith('.new')) await rm(`${directory}/${name}`, { force: true })
      if (id === null) continue
      try {
        const head = await readShapeHead<KeptSummary>(directory, id)
        const { size, mtimeMs } = await stat(shapePath(directory, id))
        if (head === null || head.summary.id !== id) {
          onFinding({ shape: id, reason: 'the head of its file is damaged' })
          continue
        }
        const { summary, dimension } = head
        const used = { usedAt: mtimeMs, notedAt: mtimeMs }
        found.push({ id, dimension, summary, bytes: size, hasFile: true, kept: null, reading: null, ...used })
      } catch (error) {
        onFinding({ shape: id, reason: (error as Error).message })
      }
    }
    found.sort((a, b) => a.usedAt - b.usedAt)
    for (const entry of found) {
      this.#entries.set(entry.id, entry)
      this.#disk += entry.bytes
    }
    await this.#makeRoom()
  }

  /** The summary of a shape; null where it is not kept. Asking counts as using it. */
  summary(id: string, dimension: KeptShape['dimension']): KeptSummary | null {
    const entry = this.#entries.get(id)
    if (entry === undefined || entry.dimension !== dimension) return null
    this.#use(entry)
    return entry.summary
  }

  /** Up to so many shapes behind the cursor, by id. */
  page(dimension: KeptShape['dimension'], cursor: string, count: number): KeptSummary[] {
    const ids: string[] = []
    for (const { id, dimension: own } of this.#entries.values()) if (own === dimension && id > cursor) ids.push(id)
    ids.sort()
    return ids.slice(0, count).map((id) => (this.#entries.get(id) as Entry).summary)
  }

  /** Whether it is new. It is in its file already, if there is a directory. */
  async add({ kept, summary }: MadeShape): Promise<boolean> {
    const { id, dimension } = kept
    const known = this.#entries.get(id)
    if (known !== undefined) {
      if (known.kept === null) this.#put(known, kept)
      this.#use(known)
      await this.#makeRoom()
      return false
    }
    const now = Date.now()
    const hasFile = this.#options.directory !== null
    const entry: Entry = {
      id,
      dimension,
      summary,
      bytes: byteLengthOf(kept),
      hasFile,
      kept: null,
      reading: null,
      usedAt: now,
      notedAt: now,
    }
    this.#entries.set(id, entry)
    if (hasFile) this.#disk += entry.bytes
    this.#put(entry, kept)
    await this.#makeRoom()
    return true
  }

  /** Whether it was there. */
  async remove(id: string, dimension: KeptShape['dimension']): Promise<boolean> {
    const entry = this.#entries.get(id)
    if (entry === undefined || entry.dimension !== dimension) return false
    await this.#drop(entry)
    return true
  }

  /** A shape that is in memory. */
  find(id: string): SourceShape | undefined {
    const entry = this.#entries.get(id)
    if (entry === undefined || entry.kept === null) return undefined
    this.#use(entry)
    return this.#opener.open(entry.kept)
  }

  /** Whether all shapes that the bytes may refer to are in memory and quickly opened, or not kept at all. */
  isReadyFor(bytes: Uint8Array): boolean {
    for (const id of this.#idsIn(bytes)) {
      const entry = this.#entries.get(id)
      if (entry !== undefined && !(entry.kept !== null && entry.kept.text.byteLength <= QUICK_LENGTH)) return false
    }
    return true
  }

  /** The shapes that the bytes may refer to and that are kept; read from their files where they are not in memory. */
  shapesFor(bytes: Uint8Array): readonly KeptShape[] | Promise<readonly KeptShape[]> {
    const found: KeptShape[] = []
    const missing: Entry[] = []
    for (const id of this.#idsIn(bytes)) {
      const entry = this.#entries.get(id)
      if (entry === undefined) continue
      this.#use(entry)
      if (entry.kept === null) missing.push(entry)
      else found.push(entry.kept)
    }
    if (missing.length === 0) return found
    return Promise.all(missing.map((entry) => this.#read(entry))).then((read) => [
      ...found,
      ...read.filter((kept) => kept !== null),
    ])
  }

  /** The shapes that references name, held until they are put, whatever makes room meanwhile; null where they are too long to be quickly put. */
  async borrow(ids: readonly string[]): Promise<ShapeSource | null> {
    const held = new Map<string, KeptShape>()
    let length = 0
    for (const id of ids) {
      const entry = this.#entries.get(id)
      if (entry === undefined) continue
      this.#use(entry)
      const kept = held.get(id) ?? entry.kept ?? (await this.#read(entry))
      if (kept === null) continue
      held.set(id, kept)
      length += kept.text.byteLength
      if (length > QUICK_LENGTH) return null
    }
    return {
      find: (id) => {
        const kept = held.get(id)
        return kept === undefined ? undefined : this.#opener.open(kept)
      },
    }
  }

  /** Reads a shape from its file; null where that is damaged, which is then kept no more. */
  async #read(entry: Entry): Promise<KeptShape | null> {
    entry.reading ??= this.#readFile(entry)
    const kept = await entry.reading
    entry.reading = null
    return kept
  }

  async #readFile(entry: Entry): Promise<KeptShape | null> {
    const { directory, onFinding } = this.#options
    let reason = 'its file is damaged'
    try {
      const kept = await readShapeFile(directory as string, entry.id)
      if (kept !== null) {
        if (entry.kept === null && this.#entries.has(entry.id)) this.#put(entry, kept)
        await this.#makeRoom()
        return kept
      }
    } catch (error) {
      reason = (error as Error).message
    }
    onFinding({ shape: entry.id, reason })
    await this.#drop(entry)
    return null
  }

  /** None where no shape is kept: most services keep none, and this is asked of every request. */
  #idsIn(bytes: Uint8Array): Iterable<string> {
    return this.isEmpty ? NO_IDS : idsIn(bytes)
  }

  #put(entry: Entry, kept: KeptShape): void {
    entry.kept = kept
    this.#memory += byteLengthOf(kept)
  }

  #use(entry: Entry): void {
    const now = Date.now()
    if (now === entry.usedAt) return
    entry.usedAt = now
    this.#entries.delete(entry.id)
    this.#entries.set(entry.id, entry)
    if (!entry.hasFile || now - entry.notedAt < LAG_MS) return
    entry.notedAt = now
    // a file that has gone meanwhile is no fault
    utimes(shapePath(this.#options.directory as string, entry.id), now / 1000, now / 1000).catch(() => undefined)
  }

  async #makeRoom(): Promise<void> {
    const { mostMemory, mostDisk } = this.#options
    const byUse = [...this.#entries.values()].slice(0, -1)
    for (const entry of byUse) {
      if (this.#memory <= mostMemory) break
      if (entry.kept === null) continue
      if (entry.hasFile) this.#letGo(entry)
      else await this.#drop(entry)
    }
    for (const entry of byUse) {
      if (this.#disk <= mostDisk) break
      if (entry.hasFile) await this.#drop(entry)
    }
  }

  /** From memory: whoever uses it still has it. */
  #letGo(entry: Entry): void {
    if (entry.kept === null) return
    this.#memory -= byteLengthOf(entry.kept)
    entry.kept = null
  }

  async #drop(entry: Entry): Promise<void> {
    if (this.#entries.get(entry.id) !== entry) return
    this.#entries.delete(entry.id)
    this.#letGo(entry)
    if (!entry.hasFile) return
    this.#disk -= entry.bytes
    await rm(shapePath(this.#options.directory as string, entry.id), { force: true })
  }
}

const NO_IDS: readonly string[] = []

const QUOTE = 34

/** The ids that the bytes have, each once. Cost: one look at each byte, at the pace of memory. */
function idsIn(bytes: Uint8Array): Set<string> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const ids = new Set<string>()
  for (let at = text.indexOf(ID_MARK); at >= 0; at = text.indexOf(ID_MARK, at + ID_MARK.length)) {
    const id = text.toString('latin1', at, at + ID_LENGTH)
    if (ID.test(id)) ids.add(id)
  }
  // strings with escapes, each looked at once
  for (let at = text.indexOf(ESCAPE_MARK); at >= 0; at = text.indexOf(ESCAPE_MARK, at)) {
    let start = at
    while (start > 0 && at - start < ID_LENGTH && text[start - 1] !== QUOTE) start--
    const end = text.indexOf(QUOTE, at)
    if (end < 0) break
    const length = end - start
    if (length > ID_LENGTH && length <= ESCAPE_LENGTH * ID_LENGTH) {
      const id = text
        .toString('latin1', start, end)
        .replace(ESCAPE, (_, code) => String.fromCharCode(parseInt(code, 16)))
      if (ID.test(id)) ids.add(id)
    }
    at = end
  }
  return ids
}
