// The settings of a process: a flag for each variable of the configuration, which wins over the variable.

import { parseArgs } from 'node:util'
import { Config, loadConfig } from './config.ts'
import { SERVICE_NAME, SERVICE_VERSION } from './version.ts'
import { misspelt } from './wire/nearest-name.ts'

type Environment = Record<string, string | undefined>

interface Setting {
  readonly name: string
  readonly flag: string
  readonly type: string | undefined
  readonly default: unknown
  readonly description: string | undefined
}

const settings: readonly Setting[] = Object.entries(Config.properties).map(([name, schema]) => {
  const { type, default: usual, description } = schema as { type?: string; default?: unknown; description?: string }
  return { name, flag: name.toLowerCase().replaceAll('_', '-'), type, default: usual, description }
})
const byFlag = new Map(settings.map((setting) => [setting.flag, setting]))
const names = settings.map(({ name }) => name)
/** Letters in which a variable that was meant as a setting may differ from it: variables of others have names as well. */
const MOST_EDITS = 2
const BOOLEAN = /^(true|false)$/

/**
 * The configuration of this process. `fixed`: variables that are not for the user to set. Prints help or the version and ends the
 * process with 0 if that is asked for; prints one line and ends it with 1 if a setting is wrong, with `usageStatus` if a flag is.
 */
export function readConfig(fixed: Environment = {}, usageStatus = 2): Config {
  let status = usageStatus
  try {
    const asked = readArguments(process.argv.slice(2))
    if (asked.is !== 'settings') {
      process.stdout.write(asked.is === 'help' ? helpText() : `${SERVICE_NAME} ${SERVICE_VERSION}\n`)
      process.exit(0)
    }
    status = 1
    for (const line of warnings(process.env)) process.stderr.write(`Configuration: ${line}\n`)
    return loadConfig({ ...process.env, ...asked.values, ...fixed })
  } catch (error) {
    process.stderr.write(`Configuration: ${(error as Error).message}\n`)
    process.exit(status)
  }
}

export type Arguments = { is: 'help' | 'version' } | { is: 'settings'; values: Environment }

/** Throws an error with a message of one line where a flag is unknown or lacks its value. A flag for true or false needs none. */
export function readArguments(args: readonly string[]): Arguments {
  const options = Object.fromEntries(settings.map(({ flag }) => [flag, { type: 'string' as const }]))
  const { tokens } = parseArgs({ args: withValues(args), options, strict: false, tokens: true })
  const values: Environment = {}
  for (const token of tokens) {
    if (token.kind === 'positional') throw new Error(`${JSON.stringify(token.value)} is not a flag; see --help`)
    if (token.kind !== 'option') continue
    if (token.rawName === '--help' || token.rawName === '-h') return { is: 'help' }
    if (token.rawName === '--version' || token.rawName === '-v') return { is: 'version' }
    const setting = byFlag.get(token.name)
    if (setting === undefined) {
      const near = misspelt(token.name, [...byFlag.keys(), 'help', 'version'])
      throw new Error(
        `${token.rawName} is not a flag${near === undefined ? '' : `; did you mean --${near}?`}; see --help`,
      )
    }
    if (token.value === undefined) throw new Error(`${token.rawName} needs a value; see --help`)
    values[setting.name] = token.value
  }
  return { is: 'settings', values }
}

/** `--log-requests` alone means true. */
function withValues(args: readonly string[]): string[] {
  return args.map((arg, i) => {
    const setting = arg.startsWith('--') ? byFlag.get(arg.slice(2)) : undefined
    return setting?.type === 'boolean' && !BOOLEAN.test(args[i + 1] ?? '') ? `${arg}=true` : arg
  })
}

/** A line for each variable whose name is almost that of a setting: it would be ignored without a word. */
export function warnings(env: Environment): string[] {
  return Object.keys(env).flatMap((name) => {
    if (names.includes(name) || !/^[A-Z][A-Z0-9_]{2,}$/.test(name)) return []
    const near = misspelt(name, names, MOST_EDITS)
    return near === undefined ? [] : [`${name} is not a setting; did you mean ${near}?`]
  })
}

function helpText(): string {
  const lines = settings.map(({ name, flag, type, default: usual, description }) => {
    const value = type === 'boolean' ? '' : type === 'integer' ? ' <number>' : ' <text>'
    const standard = usual === '' || usual === undefined ? '' : ` Default: ${usual}.`
    return `  --${flag}${value}\n      ${name}. ${description ?? ''}${standard}`
  })
  return `${SERVICE_NAME} ${SERVICE_VERSION}: collision queries over HTTP

Usage: tangent [flags], npm start -- [flags], or node dist/src/server.js [flags]

Each flag has an environment variable of the same name, in capitals; the flag wins.

  -h, --help
      Show this text.
  -v, --version
      Show the version.
${lines.join('\n')}
`
}
