// The command `tangent`: finds the subcommand that is named, reads its flags, runs it, and says what is wrong in plain words.

import { SERVICE_NAME, SERVICE_VERSION } from '../version.ts'
import { nearestName } from '../wire/nearest-name.ts'
import { describeFlags, type Flag, type GivenFlags, readFlags, wrapped } from './flags.ts'
import { type Service, serviceAt } from './service.ts'
import { CLEAN, COULD_NOT, type Subcommand } from './subcommand.ts'
import { type Ends, Refused, visible } from './terminal.ts'

interface Listed {
  readonly summary: string
  /** Absent of those that are processes of their own. */
  load?(): Promise<Subcommand>
}

const LISTED: Readonly<Record<string, Listed>> = {
  serve: { summary: 'serve HTTP: the default, whose flags may be there alone' },
  check: { summary: 'check levels against rules', load: async () => (await import('./check.ts')).check },
  ask: { summary: 'ask a query, with its request on standard input', load: async () => (await import('./ask.ts')).ask },
  import: {
    summary: 'turn a level into the JSON of a scene, or put it into a scene of a server',
    load: async () => (await import('./import.ts')).importLevel,
  },
  export: {
    summary: 'write a level, or a scene of a server, as another format',
    load: async () => (await import('./export.ts')).exportLevel,
  },
  render: { summary: 'draw a level as SVG', load: async () => (await import('./render.ts')).render },
  backup: {
    summary: 'copy a data directory, also while a service writes to it',
    load: async () => (await import('./backup.ts')).backup,
  },
  restore: {
    summary: 'put a backup into an empty data directory',
    load: async () => (await import('./backup.ts')).restore,
  },
  mcp: {
    summary: 'give agents tools for levels (Model Context Protocol)',
    load: async () => (await import('./mcp.ts')).mcp,
  },
}

export const SUBCOMMANDS: readonly string[] = Object.keys(LISTED)

export const SERVICE_FLAGS: readonly Flag[] = [
  {
    name: 'url',
    flag: 'url',
    type: 'text',
    value: 'address',
    description: 'Ask the service at this address instead of one inside the command, which needs no network.',
  },
  {
    name: 'token',
    flag: 'token',
    type: 'text',
    description:
      'Token for the service at --url; better in the variable TANGENT_TOKEN, as other users see command lines.',
  },
]

export async function subcommand(name: string): Promise<Subcommand> {
  const listed = LISTED[name]
  if (listed?.load !== undefined) return listed.load()
  const near = nearestName(name, SUBCOMMANDS)
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  throw new Refused(`${JSON.stringify(name)} is no command.${hint} See tangent --help.`)
}

/** The exit code. */
export async function runCommand(
  [name, ...args]: readonly string[],
  ends: Ends = { input: process.stdin, out: process.stdout, err: process.stderr, env: process.env },
): Promise<number> {
  let opened: Promise<Service> | undefined
  // whoever reads the output may go away
  ends.out.on('error', () => undefined)
  try {
    if (name === '--help' || name === '-h' || (name === 'help' && args.length === 0)) return say(ends, helpText())
    if (name === 'help') return say(ends, await helpOf(args[0]))
    const command = await subcommand(name)
    const given = usable(() => readFlags(args, [...command.flags, ...SERVICE_FLAGS]))
    if (given === 'help') return say(ends, await helpOf(name))
    if (given === 'version') return say(ends, `${SERVICE_NAME} ${SERVICE_VERSION}\n`)
    return await command.run({ ...given, ends, service: () => (opened ??= openService(given, ends, command)) })
  } catch (error) {
    // 1 would say that something was found
    const said =
      error instanceof Refused ? visible(error.message) : `This is a fault of the command. ${(error as Error).stack}`
    ends.err.write(`tangent${name in LISTED ? ` ${name}` : ''}: ${said}\n`)
    return COULD_NOT
  } finally {
    await (await opened?.catch(() => undefined))?.close()
  }
}

/** What is wrong with a command line is refused. */
function usable<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw new Refused((error as Error).message)
  }
}

/** That inside is loaded where it is asked: help has no use for it. */
async function openService(
  { values }: GivenFlags,
  { env }: Ends,
  { settings }: Pick<Subcommand, 'settings'>,
): Promise<Service> {
  const url = values.get('url')?.at(-1)
  if (url !== undefined) return serviceAt(url, values.get('token')?.at(-1) ?? env.TANGENT_TOKEN)
  const { insideService } = await import('./inside-service.ts')
  return insideService(env, settings)
}

function say({ out }: Ends, text: string): number {
  out.write(text)
  return CLEAN
}

function helpText(): string {
  const width = Math.max(...SUBCOMMANDS.map((name) => name.length))
  const lines = Object.entries(LISTED).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  return `${SERVICE_NAME} ${SERVICE_VERSION}: exact collision queries, over HTTP or here

Usage: tangent [command] [flags]

Commands:
${lines.join('\n')}

Example:
  tangent check examples/levels/cellar.ldtk

tangent <command> --help describes a command, and shows an example. tangent --version prints the version.

Exit codes: 0 all is well, 1 something was found, 2 it could not be done, and why is on standard error.
`
}

export async function helpOf(name: string): Promise<string> {
  if (name === 'serve') return 'See tangent serve --help.\n'
  const { usage, about, example, flags } = await subcommand(name)
  return `Usage: tangent ${name} ${usage}

${wrapped(about, '')}

Example:
  ${example}

Flags:
${describeFlags([...flags, ...SERVICE_FLAGS])}
  -h, --help
      Show this text.
`
}
