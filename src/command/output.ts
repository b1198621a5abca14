// What a command comes to: a file that is named, or standard output.

import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import type { Flag } from './flags.ts'
import type { Asked } from './subcommand.ts'
import { Refused, writeTo } from './terminal.ts'

export const OUTPUT: Flag = {
  name: 'output',
  flag: 'output',
  short: 'o',
  type: 'text',
  value: 'file',
  description: 'Write to this file instead of standard output.',
}

/** A file is there whole or not at all. `end`: written after it to standard output, where lines end. */
export async function writeOutput(
  { values, ends }: Pick<Asked, 'values' | 'ends'>,
  pieces: AsyncIterable<Uint8Array>,
  end = '',
): Promise<void> {
  const path = values.get(OUTPUT.name)?.at(-1)
  if (path !== undefined) return writeWhole(path, pieces)
  for await (const piece of pieces) if (!(await writeTo(ends.out, piece))) return
  if (end !== '') await writeTo(ends.out, end)
}

export async function writeWhole(
  path: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const part = `${path}.part`
  try {
    const file = createWriteStream(part)
    // an error ends the wait for `finished`
    const done = finished(file)
    done.catch(() => undefined)
    for await (const piece of pieces) if (!(await writeTo(file, piece))) break
    file.end()
    await done
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw new Refused(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}): check the folder.`)
  }
}
