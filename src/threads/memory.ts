// Memory of this thread: how much it uses, and garbage collection on demand, because the engine does not collect while it is idle.

import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/**
 * Milliseconds of rest after which a collection makes the young generation small again: the engine looks at what was allocated in
 * the five seconds before.
 */
export const SETTLED_MS = 6000

/** Collects all garbage, at once. Cost O(what lives). */
export const collect = runInNewContext('gc') as () => void

/** Collects all garbage twice: the engine frees the memory of collected buffers after a collection, or in the next one. */
export function collectAll(): void {
  collect()
  collect()
}

/** Bytes that live on the heap up to which `shrink` is worth its time: it collects up to seven times in a row. */
const MOST_SHRUNK = 64 * 2 ** 20

/**
 * Collects all garbage as the engine does when memory is low: the young generation becomes small as well, 32 MiB that it otherwise keeps
 * until the allocation of a busy start has sunk in its average, minutes later. Does nothing to a large heap. Cost some tens of milliseconds.
 */
export async function shrink(): Promise<void> {
  if (usedHeap() > MOST_SHRUNK) return
  // Node.js can be built without it
  const inspector = await import('node:inspector').catch(() => null)
  if (inspector === null) return
  const session = new inspector.Session()
  session.connect()
  await new Promise((resolve) => session.post('HeapProfiler.collectGarbage', resolve))
  // while it answers, the session holds a lock that its end waits for
  await setImmediate()
  session.disconnect()
}

/** Bytes on the heap, garbage included. */
export function usedHeap(): number {
  return getHeapStatistics().used_heap_size
}

/** Bytes on the heap and of buffers, garbage included. */
export function usedMemory(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

// The allocator of glibc keeps freed memory in areas of each thread, and returns none of it to the system while the process is idle. These
// functions make it do so. Other allocators are left as they are.

/** Parameters of mallopt(3). */
const TRIM_THRESHOLD = -1
const MMAP_THRESHOLD = -3

/** Bytes at the end of an area that are kept; and what is larger is mapped by itself, and unmapped when it is freed. */
const KEPT_BYTES = 2 ** 20

/** Gives back what is free within the areas as well, beside the event loop: some tens of milliseconds, for whoever then allocates too. */
export type Trim = () => Promise<unknown>

/** Configures the allocator for the whole process; call it once, on one thread. Null if it is not glibc's. */
export async function keepLittle(): Promise<Trim | null> {
  try {
    const { default: koffi } = await import('koffi')
    const library = koffi.load('libc.so.6')
    const mallopt = library.func('int mallopt(int, int)')
    if (mallopt(TRIM_THRESHOLD, KEPT_BYTES) !== 1 || mallopt(MMAP_THRESHOLD, KEPT_BYTES) !== 1) return null
    const trim = promisify(library.func('int malloc_trim(size_t)').async)
    return () => trim(0)
  } catch {
    // no such package for this platform, or no such library on it
    return null
  }
}
