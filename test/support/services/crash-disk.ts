// A disk in memory that can fail, and that shows at any moment what a power cut would leave of it.

import type { Disk, DiskFile } from '../../../src/scene/store/disk.ts'
import { StoreFailed } from '../../../src/scene/store/store.ts'

/** What is lost or kept of what was not flushed, in pieces of so many bytes. */
const BLOCK = 64

interface Content {
  now: Buffer
  durable: Buffer
}

export type Deed = 'list' | 'open' | 'create' | 'write' | 'sync' | 'truncate' | 'rename' | 'remove'

export class CrashDisk implements Disk {
  readonly files = new Map<string, Content>()
  /** Called in the middle of everything that changes something; may throw, as a disk that fails. */
  onDeed: (deed: Deed, name: string) => void = () => undefined

  /** The bytes of every file. */
  static of(files: Iterable<readonly [string, Uint8Array]>): CrashDisk {
    const disk = new CrashDisk()
    for (const [name, bytes] of files) disk.files.set(name, { now: Buffer.from(bytes), durable: Buffer.from(bytes) })
    return disk
  }

  contents(): [string, Buffer][] {
    return [...this.files].map(([name, { now }]) => [name, Buffer.from(now)])
  }

  /** As it would be found after the power was cut now; `random` decides about what was on its way. */
  afterPowerCut(random: () => number): CrashDisk {
    return CrashDisk.of([...this.files].map(([name, content]) => [name, remains(content, random)] as const))
  }

  async list(): Promise<string[]> {
    return [...this.files.keys()]
  }

  async open(name: string): Promise<DiskFile> {
    const content = this.files.get(name)
    if (content === undefined) throw new StoreFailed(`The storage failed: ENOENT at the opening of ${name}`, 'ENOENT')
    return this.fileOf(name, content)
  }

  async create(name: string): Promise<DiskFile> {
    this.onDeed('create', name)
    const content = { now: Buffer.alloc(0), durable: Buffer.alloc(0) }
    this.files.set(name, content)
    return this.fileOf(name.replace(/\.new$/, ''), content)
  }

  async rename(from: string, to: string): Promise<void> {
    this.onDeed('rename', to)
    this.files.set(to, this.files.get(from) as Content)
    this.files.delete(from)
    this.onDeed('rename', to)
  }

  async remove(...names: string[]): Promise<void> {
    for (const name of names) {
      this.onDeed('remove', name)
      this.files.delete(name)
    }
  }

  async isInPlace(): Promise<boolean> {
    return true
  }

  async close(): Promise<void> {}

  private fileOf(name: string, content: Content): DiskFile {
    return {
      name,
      size: async () => content.now.length,
      read: async (bytes, position) => content.now.copy(bytes, 0, Math.min(position, content.now.length)),
      write: async (pieces, position) => {
        const all = Buffer.concat(pieces)
        const half = all.subarray(0, all.length >> 1)
        content.now = written(content.now, half, position)
        this.onDeed('write', name)
        content.now = written(content.now, all, position)
      },
      sync: async () => {
        this.onDeed('sync', name)
        content.durable = Buffer.from(content.now)
      },
      truncate: async (byteCount) => {
        this.onDeed('truncate', name)
        content.now = Buffer.from(content.now.subarray(0, byteCount))
      },
      isInPlace: async () => this.files.get(name) === content,
      close: async () => undefined,
    }
  }
}

function written(before: Buffer, bytes: Buffer, position: number): Buffer {
  const after = Buffer.alloc(Math.max(before.length, position + bytes.length))
  before.copy(after)
  bytes.copy(after, position)
  return after
}

function remains({ now, durable }: Content, random: () => number): Buffer {
  const least = Math.min(now.length, durable.length)
  const length = least + Math.floor(random() * (Math.max(now.length, durable.length) - least + 1))
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at += BLOCK) {
    const from = random() < 0.5 ? now : durable
    from.copy(bytes, at, Math.min(at, from.length), Math.min(at + BLOCK, from.length))
  }
  return bytes
}
