/**
 * The kept shapes of a process: which of them are in memory, and how the others are found.
 *
 * With a store, every shape is in it, and in memory while it is used: beyond the limit the least recently used are released, and read again
 * when they are wanted. Without a store, shapes are in memory alone. The latest shape stays whatever its size.
 */

import type { KeptSummary } from '../../schemas/queries/kept-shapes.ts'
import { KEPT_ID_PATTERN } from '../../schemas/shapes2d.ts'
import { type Dimension, ESCAPE_MARK, ID_MARK, type ShapeSource, type SourceShape } from '../wire/shape-source.ts'
import type { MadeShape } from './keep-shape.ts'
import { byteLengthOf, type KeptShape, ShapeOpener } from './kept-shape.ts'
import type { ShapeStore } from './shape-store.ts'

interface ShelfLimits {
  /** Bytes in memory. */
  readonly mostMemory: number
  /** Shapes in memory, where there is no store. */
  readonly mostCount: number
}

interface Entry {
  readonly kept: KeptShape
  /** Null where it was read from the store, which says what it is. */
  readonly summary: KeptSummary | null
}

/** Bytes of text that the main thread parses itself, once. */
const QUICK_LENGTH = 2 ** 17
const ID_LENGTH = ID_MARK.length + 64
const ID = new RegExp(KEPT_ID_PATTERN)
const ESCAPE = /\\u00([0-9a-f]{2})/gi
const ESCAPE_LENGTH = 6

export class Shelf implements ShapeSource {
  readonly #limits: ShelfLimits
  #store: ShapeStore | null = null
  /** Those in memory, the longest unused first. */
  readonly #entries = new Map<string, Entry>()
  readonly #reading = new Map<string, Promise<KeptShape | null>>()
  readonly #opener = new ShapeOpener()
  #memory = 0

  constructor(limits: ShelfLimits) {
    this.#limits = limits
  }

  /** From now on shapes are kept in the store. */
  open(store: ShapeStore): void {
    this.#store = store
    store.watch((id) => this.#letGo(id))
  }

  /** The directory that workers write shapes to before they are added; null where they write none. */
  get directory(): string | null {
    return this.#store?.directory ?? null
  }

  get figures(): { shapes: number; memory: number } {
    return { shapes: this.#entries.size, memory: this.#memory }
  }

  /** The summary of a shape; null where it is not kept. Asking counts as using it. */
  async summary(id: string, dimension: Dimension): Promise<KeptSummary | null> {
    if (this.#store === null) {
      const entry = this.#entries.get(id)
      if (entry === undefined || entry.kept.dimension !== dimension) return null
      this.#use(id, entry)
      return entry.summary
    }
    const found = await this.#store.summary(id)
    if (found === null) this.#letGo(id)
    if (found === null || found.dimension !== dimension) return null
    this.#noteUse(id)
    return found.summary
  }

  /** Up to so many shapes behind the cursor, by id. */
  async page(dimension: Dimension, cursor: string, count: number): Promise<KeptSummary[]> {
    if (this.#store !== null) return this.#store.page(dimension, cursor, count)
    const found: KeptSummary[] = []
    for (const { kept, summary } of this.#entries.values()) {
      if (kept.dimension === dimension && kept.id > cursor) found.push(summary as KeptSummary)
    }
    return found.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, count)
  }

  /** Returns whether the shape is new. Where there is a directory, its file is written already. */
  async add(made: MadeShape): Promise<boolean> {
    const { kept, head } = made
    const { id } = kept
    const isNew = this.#store === null ? !this.#entries.has(id) : await this.#store.add(made)
    if (!isNew) this.#noteUse(id)
    if (!this.#entries.has(id) && this.#store?.mayHave(id) !== false) this.#put({ kept, summary: head.summary })
    return isNew
  }

  /** Returns whether it was there. */
  async remove(id: string, dimension: Dimension): Promise<boolean> {
    if (this.#store === null) return this.#entries.get(id)?.kept.dimension === dimension && this.#letGo(id)
    const wasThere = await this.#store.remove(id, dimension)
    if (wasThere) this.#letGo(id)
    return wasThere
  }

  /** A shape that is in memory. Its use is noted by `isReadyFor`: once for all references in the same bytes. */
  find(id: string): SourceShape | undefined {
    const entry = this.#entries.get(id)
    return entry === undefined ? undefined : this.#opener.open(entry.kept)
  }

  /** Whether all shapes that the bytes may refer to are in memory and quickly opened, or not kept at all. Counts as using them. */
  isReadyFor(bytes: Uint8Array): boolean {
    for (const id of this.#idsIn(bytes)) {
      const entry = this.#entries.get(id)
      if (entry === undefined) {
        if (this.#store?.mayHave(id) === true) return false
        continue
      }
      if (entry.kept.text.byteLength > QUICK_LENGTH) return false
      this.#use(id, entry)
    }
    return true
  }

  /** The shapes that the bytes may refer to and that are kept; read where they are not in memory. Rejects where the store cannot be asked. */
  shapesFor(bytes: Uint8Array): readonly KeptShape[] | Promise<readonly KeptShape[]> {
    const found: KeptShape[] = []
    const missing: Promise<KeptShape | null>[] = []
    for (const id of this.#idsIn(bytes)) {
      const kept = this.take(id)
      if (kept instanceof Promise) missing.push(kept)
      else if (kept !== null) found.push(kept)
    }
    if (missing.length === 0) return found
    return Promise.all(missing).then((read) => [...found, ...read.filter((kept) => kept !== null)])
  }

  /**
   * The shapes that references name, held until they are put, whatever makes room meanwhile; null where they are too long to be quickly
   * put. Rejects where the store cannot be asked.
   */
  async borrow(ids: readonly string[]): Promise<ShapeSource | null> {
    const held = new Map<string, KeptShape>()
    let length = 0
    for (const id of ids) {
      const kept = held.get(id) ?? (await this.take(id))
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

  /** Null where it is not kept; read where it is not in memory. Rejects where the store cannot be asked. */
  take(id: string): KeptShape | null | Promise<KeptShape | null> {
    const entry = this.#entries.get(id)
    if (entry === undefined) return this.#store?.mayHave(id) === true ? this.#read(id, this.#store) : null
    this.#use(id, entry)
    return entry.kept
  }

  /** Once for all who want it at the same time. */
  #read(id: string, store: ShapeStore): Promise<KeptShape | null> {
    const under = this.#reading.get(id)
    if (under !== undefined) return under
    const reading = store
      .read(id)
      .then((kept) => {
        // one that was deleted while it was read is not taken back
        if (kept === null || this.#entries.has(id) || !store.mayHave(id)) return kept
        this.#put({ kept, summary: null })
        this.#noteUse(id)
        return kept
      })
      .finally(() => this.#reading.delete(id))
    this.#reading.set(id, reading)
    return reading
  }

  /** None where no shape is kept: most services keep none, and this is asked of every request. */
  #idsIn(bytes: Uint8Array): Iterable<string> {
    return this.#entries.size === 0 && this.#store?.mayHaveAny !== true ? NO_IDS : idsIn(bytes, this.#isId)
  }

  /** A look for one that is in memory is quicker than the pattern. */
  readonly #isId = (text: string) => this.#entries.has(text) || ID.test(text)

  #put(entry: Entry): void {
    const { kept } = entry
    this.#entries.set(kept.id, entry)
    this.#memory += byteLengthOf(kept)
    const { mostMemory, mostCount } = this.#limits
    for (const id of this.#entries.keys()) {
      const tooMany = this.#store === null && this.#entries.size > mostCount
      if ((this.#memory <= mostMemory && !tooMany) || this.#entries.size === 1) return
      this.#letGo(id)
    }
  }

  #use(id: string, entry: Entry): void {
    this.#entries.delete(id)
    this.#entries.set(id, entry)
    this.#noteUse(id)
  }

  #noteUse(id: string): void {
    // one that somebody else has deleted is forgotten
    this.#store?.use(id)?.then(
      (isThere) => {
        if (!isThere) this.#letGo(id)
      },
      () => undefined,
    )
  }

  /** From memory: whoever uses it still has it. */
  #letGo(id: string): boolean {
    const entry = this.#entries.get(id)
    if (entry === undefined) return false
    this.#memory -= byteLengthOf(entry.kept)
    return this.#entries.delete(id)
  }
}

const NO_IDS: readonly string[] = []

const QUOTE = 34
const BACKSLASH = 92

/** Whether what is in both places has the same bytes, as many as an id has. */
function isSameId(text: Uint8Array, first: number, second: number): boolean {
  for (let i = ID_MARK.length; i < ID_LENGTH; i++) if (text[first + i] !== text[second + i]) return false
  return true
}

/** The ids that the bytes have, each once. Cost: one look at each byte, at the pace of memory; one more at those of ids that repeat. */
function idsIn(bytes: Uint8Array, isId: (text: string) => boolean): Set<string> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const ids = new Set<string>()
  let known = -1
  for (let at = text.indexOf(ID_MARK); at >= 0; at = text.indexOf(ID_MARK, at + ID_MARK.length)) {
    // most batches ask about one shape
    if (known >= 0 && isSameId(text, known, at)) continue
    const id = text.toString('latin1', at, at + ID_LENGTH)
    if (!isId(id)) continue
    ids.add(id)
    known = at
  }
  if (!text.includes(BACKSLASH)) return ids
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
      if (isId(id)) ids.add(id)
    }
    at = end
  }
  return ids
}
