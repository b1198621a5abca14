// tangent mcp: tools for agents over standard input and output, by the Model Context Protocol.

import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { AskedService } from '../agents/asked-service.ts'
import { serveLines } from '../agents/lines.ts'
import { type ReadLevel, ToolFault } from '../agents/tool.ts'
import { readLevelFiles } from './level-files.ts'
import type { Service } from './service.ts'
import { type Asked, CLEAN, type Subcommand } from './subcommand.ts'
import { Refused } from './terminal.ts'

/** Bytes of the file of a level. */
const MOST_BYTES = 2 ** 28

/** Milliseconds that a question may take: nobody is there to end it. */
const DEADLINE_MS = 60_000

export const mcp: Subcommand = {
  usage: '[flags]',
  about:
    'Gives agents tools for levels: open, find, ask, place, check, change, look. It speaks the Model Context Protocol on standard input and output, a message a line, until the input ends; clients start it by themselves. Levels are kept in its memory; with --url they are those of a server.',
  example: `echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | tangent mcp --root examples/levels`,
  flags: [
    {
      name: 'root',
      flag: 'root',
      type: 'text',
      value: 'folder',
      description:
        'Files of levels are read from this folder and those in it, and from nowhere else. The current one when absent.',
    },
  ],
  settings: { QUERY_DEADLINE_MS: DEADLINE_MS },
  run: runMcp,
}

async function runMcp({ operands, values, ends, service }: Asked): Promise<number> {
  if (operands.length > 0) throw new Refused(`tangent mcp takes flags alone; ${operands.join(' ')} is too much.`)
  const root = await folder(values.get('root')?.at(-1) ?? '.')
  const around = { service: told(await service()), readLevel: (path: string) => readWithin(root, path) }
  const onFault = (error: unknown) => ends.err.write(`tangent mcp: a tool failed: ${(error as Error).stack}\n`)
  await serveLines(around, { input: ends.input, out: ends.out }, onFault)
  return CLEAN
}

async function folder(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null)
  if (real !== null && (await stat(real)).isDirectory()) return real
  throw new Refused(`There is no folder ${path}: name one with --root.`)
}

const CHECK_PATH = 'Check the path, which is taken from the folder that this server may read.'

/** The level at a path within the folder, whose links lead nowhere else. */
async function readWithin(root: string, path: string): Promise<ReadLevel> {
  const named = resolve(root, path)
  if (!isWithin(root, named)) throw outside(path)
  const real = await realpath(named).catch((error: NodeJS.ErrnoException) => {
    throw new ToolFault(`${path} cannot be read (${error.code}).`, CHECK_PATH)
  })
  if (!isWithin(root, real)) throw outside(path)
  const found = await stat(real)
  if (!found.isFile()) throw new ToolFault(`${path} is no file.`, CHECK_PATH)
  const { size } = found
  if (size > MOST_BYTES)
    throw new ToolFault(`${path} has ${size} bytes, and the most is ${MOST_BYTES}.`, 'Open a smaller file.')
  return readLevelFiles(real, root).catch((error) => {
    throw error instanceof Refused ? new ToolFault(error.message, CHECK_PATH) : error
  })
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function outside(path: string): ToolFault {
  return new ToolFault(`${path} lies outside of the folder that this server may read.`, CHECK_PATH)
}

/** The service; where nothing answers, tools say so. */
function told(service: Service): AskedService {
  return {
    request: (...asked) =>
      service.request(...asked).catch((error) => {
        throw error instanceof Refused ? new ToolFault(error.message, 'Then call the tool again.') : error
      }),
  }
}
