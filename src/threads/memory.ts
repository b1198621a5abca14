// Memory of this thread: how much it is, and garbage collected at a time of our choosing, since the engine leaves it while nothing
// is asked.

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

/** The same, and memory of buffers that were collected is given back: the engine does that after a collection, or in the next one. */
export function collectAll(): void {
  collect()
  collect()
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
