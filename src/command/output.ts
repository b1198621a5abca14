// What a command comes to: a file that is named, or standard output.

import { constants, createWriteStream } from 'node:fs'
import { access, chmod, realpath, rename, rm, stat } from 'node:fs/promises'
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

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * Puts another file in the place of the old one, with its permissions; where a link leads to it, the link stays. What is no file, such as a
 * device or a pipe, is written to.
 */
export async function writeWhole(path: string, pieces: Pieces): Promise<void> {
  let part: string | null = null
  try {
    const there = await stat(path).catch(() => null)
    if (there !== null) await access(path, constants.W_OK)
    if (there !== null && !there.isFile()) return await writeAll(path, pieces)
    const target = there === null ? path : await realpath(path)
    part = `${target}.${process.pid}.part`
    await writeAll(part, pieces)
    if (there !== null) await chmod(part, there.mode)
    await rename(part, target)
  } catch (error) {
    if (part !== null) await rm(part, { force: true })
    if (error instanceof Refused) throw error
    throw new Refused(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}): check the folder.`)
  }
}

async function writeAll(path: string, pieces: Pieces): Promise<void> {
  const file = createWriteStream(path)
  // an error ends the wait for `finished`
  const done = finished(file)
  done.catch(() => undefined)
  for await (const piece of pieces) if (!(await writeTo(file, piece))) break
  file.end()
  await done
}
