// The allocator below the engine: that of glibc keeps what was freed in every thread's own areas, the more of it the larger what
// was ever freed at once, and hands none of it back while nothing is asked. It is told to, once the process has grown; an
// allocator that is not glibc's is left as it is.

import { promisify } from 'node:util'

/** Parameters of mallopt(3). */
const TRIM_THRESHOLD = -1
const MMAP_THRESHOLD = -3

/** Bytes at the end of an area that are kept; and what is larger is mapped by itself, and unmapped when it is freed. */
const KEPT_BYTES = 2 ** 20

/** Gives back what is free within the areas as well, beside the event loop: some tens of milliseconds, for whoever then allocates too. */
export type Trim = () => Promise<unknown>

/** Tells the allocator, for the whole process: one thread calls this, once. Null where it cannot be told. */
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
