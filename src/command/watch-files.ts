// Changes of files: programs that save by putting another file in the place of the old one are heard as well.

import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Milliseconds without a change after which a file counts as saved. */
const QUIET_MS = 100

/**
 * Yields at once, and then whenever one of the files has changed, also while what came before was worked on. `pathsNow`: which they are by
 * now. Ends by the signal.
 */
export async function* watchFiles(
  pathsNow: () => readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<void, void, undefined> {
  const folders = new Map<string, { names: Set<string>; watcher: FSWatcher | null }>()
  let isChanged = true
  let wake = () => {}
  let timer: NodeJS.Timeout | undefined
  const change = () => {
    isChanged = true
    wake()
  }
  const hear = (folder: string, name: string | null) => {
    if (name !== null && folders.get(folder)?.names.has(name) !== true) return
    clearTimeout(timer)
    timer = setTimeout(change, QUIET_MS)
  }
  const ended = () => wake()
  signal?.addEventListener('abort', ended)
  try {
    for (;;) {
      for (const path of pathsNow()) {
        const folder = dirname(path)
        const known = folders.get(folder) ?? { names: new Set(), watcher: watcherOf(folder, hear) }
        folders.set(folder, known)
        known.names.add(basename(path))
      }
      if (!isChanged && signal?.aborted !== true) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (signal?.aborted === true) return
      isChanged = false
      yield
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', ended)
    for (const { watcher } of folders.values()) watcher?.close()
  }
}

/** Null where there is no such folder. */
function watcherOf(folder: string, hear: (folder: string, name: string | null) => void): FSWatcher | null {
  try {
    // a folder that goes away
    return watch(folder, (_event, name) => hear(folder, name)).on('error', () => undefined)
  } catch {
    return null
  }
}
