#!/usr/bin/env node
// The process `tangent`: a service, or one of the other commands. Before it loads the service, it sees that it may open enough files, and
// that a signal ends it quietly meanwhile.

import { closeSync, openSync } from 'node:fs'
import nodeModule from 'node:module'
import { devNull } from 'node:os'

/** For connections and the files of scenes. Run from its sources, the service also opens some 300 modules at a time. */
const LEAST_FREE_FILES = 448

const end = () => process.exit(0)
const [word = 'serve', ...args] = process.argv.slice(2)
/** A service when no command is named, whose flags may be there alone. */
const isService = word === 'serve' || (word.startsWith('-') && !/^(-h|--help)$/.test(word))
if (isService) await startService(word === 'serve' ? args : [word, ...args])
else {
  // what the engine made of the code is kept for the next call, from Node 22 on
  const { enableCompileCache } = nodeModule as { enableCompileCache?(): unknown }
  enableCompileCache?.()
  const { runCommand } = await import('./command/command.ts')
  process.exitCode = await runCommand([word, ...args])
}

async function startService(flags: readonly string[]): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, end)
  if (openableFiles(LEAST_FREE_FILES) < LEAST_FREE_FILES) {
    process.stderr.write('Open files: the limit is too low; allow at least 512 (ulimit -n), better 1024 or more.\n')
    process.exit(1)
  }
  const { serve } = await import('./command/serve.ts')
  await serve(flags, () => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.removeListener(signal, end)
  })
}

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
