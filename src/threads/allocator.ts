// The allocator below the engine: that of glibc keeps what was freed in every thread's own areas, the more of it the larger what
// was ever freed at once, and hands none of it back while nothing is asked. It is told to, once the process has grown; an
// allocator that is not glibc's is left as it is.

/** Parameters of mallopt(3). */
const TRIM_THRESHOLD = -1
const MMAP_THRESHOLD = -3

/** Bytes at the end of an area that are kept; and what is larger is mapped by itself, and unmapped when it is freed. */
const KEPT_BYTES = 2 ** 20

/** Whether the allocator does as it was told. It is process-wide: one thread calls this, once. */
export async function keepLittle(): Promise<boolean> {
  try {
    const { default: koffi } = await import('koffi')
    const mallopt = koffi.load('libc.so.6').func('int mallopt(int, int)')
    return mallopt(TRIM_THRESHOLD, KEPT_BYTES) === 1 && mallopt(MMAP_THRESHOLD, KEPT_BYTES) === 1
  } catch {
    // no such package for this platform, or no such library on it
    return false
  }
}
