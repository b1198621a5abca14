// The settings of a process: a flag for each variable of the configuration, which wins over the variable.

import { Config, loadConfig } from '../config.ts'
import { SERVICE_NAME, SERVICE_VERSION } from '../version.ts'
import { misspelt } from '../wire/nearest-name.ts'
import { describeFlags, type Flag, readFlags } from './flags.ts'

type Environment = Record<string, string | undefined>

const settings: readonly Flag[] = Object.entries(Config.properties).map(([name, schema]) => {
  const { type, default: usual, description } = schema as { type?: string; default?: unknown; description?: string }
  const standard = usual === '' || usual === undefined ? '' : ` Default: ${usual}.`
  return {
    name,
    flag: name.toLowerCase().replaceAll('_', '-'),
    type: type === 'boolean' ? 'boolean' : type === 'integer' ? 'number' : 'text',
    description: `${name}. ${description ?? ''}${standard}`,
  }
})
const names = settings.map(({ name }) => name)
/** Letters in which a variable that was meant as a setting may differ from it: variables of others have names as well. */
const MOST_EDITS = 2
/** Variables of OpenSSL, which many systems set, and Node reads. */
const OF_OTHERS = ['SSL_CERT_FILE', 'SSL_CERT_DIR']

/**
 * The configuration of this process. `fixed`: variables that are not for the user to set. Prints help or the version and ends the
 * process with 0 if that is asked for; prints one line and ends it with 1 if a setting is wrong, with `usageStatus` if a flag is.
 */
export function readConfig(args: readonly string[], fixed: Environment = {}, usageStatus = 2): Config {
  let status = usageStatus
  try {
    const asked = readArguments(args)
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

/** Throws an error with a message of one line where a flag is unknown or lacks its value. */
export function readArguments(args: readonly string[]): Arguments {
  const given = readFlags(args, settings)
  if (typeof given === 'string') return { is: given }
  const [operand] = given.operands
  if (operand !== undefined) throw new Error(`${JSON.stringify(operand)} is not a flag; see --help`)
  const values = Object.fromEntries([...given.values].map(([name, texts]) => [name, texts.at(-1)]))
  return { is: 'settings', values }
}

/** A line for each variable whose name is almost that of a setting: it would be ignored without a word. */
export function warnings(env: Environment): string[] {
  return Object.keys(env).flatMap((name) => {
    if (names.includes(name) || OF_OTHERS.includes(name) || !/^[A-Z][A-Z0-9_]{2,}$/.test(name)) return []
    const near = misspelt(name, names, MOST_EDITS)
    return near === undefined ? [] : [`${name} is not a setting; did you mean ${near}?`]
  })
}

function helpText(): string {
  return `${SERVICE_NAME} ${SERVICE_VERSION}: collision queries over HTTP

Usage: tangent serve [flags], npm start -- [flags], or node dist/src/server.js [flags]

Each flag has an environment variable of the same name, in capitals; the flag wins.

Example:
  tangent serve --port 4000 --scene-store memory

Flags:
  -h, --help
      Show this text.
  -v, --version
      Show the version.
${describeFlags(settings)}
`
}
