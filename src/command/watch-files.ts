// Changes of files: programs that save by putting another file in the place of the old one are heard as well.

import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Milliseconds without a change after which a file counts as saved. */
const QUIET_MS = 100

/** Yields after one of the files has changed. `pathsNow`: which they are by now. Ends by the signal. */
export async function* watchFiles(
  pathsNow: () => readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<void, void, undefined> {
  while (signal?.aborted !== true) {
    if (!(await change(pathsNow(), signal))) return
    yield
  }
}

/** True after a change, false by the signal. */
function change(paths: readonly string[], signal: AbortSignal | undefined): Promise<boolean> {
  const folders = byFolder(paths)
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined
    const watchers: FSWatcher[] = []
    const end = (isChange: boolean) => {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
      signal?.removeEventListener('abort', ended)
      resolve(isChange)
    }
    const ended = () => end(false)
    signal?.addEventListener('abort', ended, { once: true })
    for (const [folder, names] of folders) {
      const watcher = watch(folder, (_event, name) => {
        if (name !== null && !names.has(name)) return
        clearTimeout(timer)
        timer = setTimeout(end, QUIET_MS, true)
      })
      // a folder that goes away
      watcher.on('error', () => end(true))
      watchers.push(watcher)
    }
  })
}

function byFolder(paths: readonly string[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>()
  for (const path of paths) {
    const folder = dirname(path)
    folders.set(folder, (folders.get(folder) ?? new Set()).add(basename(path)))
  }
  return folders
}
