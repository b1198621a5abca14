#!/usr/bin/env node
// The process: before it loads the service, it sees that it may open enough files, and that a signal ends it quietly meanwhile.

import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

/** For connections and the files of scenes. Run from its sources, the service also opens some 300 modules at a time. */
const LEAST_FREE_FILES = 448

const end = () => process.exit(0)
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, end)

if (openableFiles(LEAST_FREE_FILES) < LEAST_FREE_FILES) {
  process.stderr.write('Open files: the limit is too low; allow at least 512 (ulimit -n), better 1024 or more.\n')
  process.exit(1)
}

const { serve } = await import('./serve.ts')
await serve(() => {
  for (const signal of ['SIGTERM', 'SIGINT']) process.removeListener(signal, end)
})

/** How many files can be opened now, up to `most`. */
function openableFiles(most: number): number {
  const opened: number[] = []
  try {
    while (opened.length < most) opened.push(openSync(devNull, 'r'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EMFILE') return most
  }
  for (const file of opened) closeSync(file)
  return opened.length
}
