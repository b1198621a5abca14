// The flags of a command line: read, checked, and described. Most are made from schemas: a flag says what the setting or the field says.

import { parseArgs } from 'node:util'
import type { TObject } from '@sinclair/typebox'
import { misspelt } from '../wire/nearest-name.ts'

export interface Flag {
  /** Under which its values are found: the name of the setting, or of the field. */
  readonly name: string
  /** As it is written, without its hyphens. */
  readonly flag: string
  readonly type: 'boolean' | 'number' | 'text'
  /** What stands for its value in the help; by its type when absent. */
  readonly value?: string
  readonly short?: string
  readonly description: string
}

/** What a command line says. `values`: by the names of flags, in order; `operands`: what is no flag. */
export interface GivenFlags {
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly operands: readonly string[]
}

const BOOLEAN = /^(true|false)$/
const COLUMNS = 100

interface Described {
  type?: string
  enum?: readonly string[]
  description?: string
  items?: object
}

/** A flag for each field of the schema but those left out: `offsetX` is written `--offset-x`. */
export function flagsOf(schema: TObject, leftOut: readonly string[] = []): Flag[] {
  return Object.entries(schema.properties)
    .filter(([name]) => !leftOut.includes(name))
    .map(([name, field]) => {
      const { type = '', enum: words, description = '' } = field as Described
      const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      const kind = type === 'boolean' ? 'boolean' : type === 'number' || type === 'integer' ? 'number' : 'text'
      return { name, flag, type: kind, description, ...(words !== undefined && { value: words.join('|') }) }
    })
}

/** Throws an error with a message of one line where a flag is unknown or lacks its value. A flag for true or false needs none. */
export function readFlags(args: readonly string[], flags: readonly Flag[]): GivenFlags | 'help' | 'version' {
  const byFlag = new Map(flags.map((flag) => [flag.flag, flag]))
  const options = Object.fromEntries(
    flags.map(({ flag, short }) => [flag, { type: 'string' as const, ...(short !== undefined && { short }) }]),
  )
  const { tokens } = parseArgs({
    args: withValues(args, byFlag),
    options,
    strict: false,
    tokens: true,
    allowPositionals: true,
  })
  const values = new Map<string, string[]>()
  const operands: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    if (token.rawName === '--help' || token.rawName === '-h') return 'help'
    if (token.rawName === '--version' || token.rawName === '-v') return 'version'
    const flag = byFlag.get(token.name)
    if (flag === undefined) {
      const near = misspelt(token.name, [...byFlag.keys(), 'help', 'version'])
      const hint = near === undefined ? '' : `; did you mean --${near}?`
      throw new Error(`${token.rawName} is not a flag${hint}; see --help`)
    }
    if (token.value === undefined) throw new Error(`${token.rawName} needs a value; see --help`)
    if (flag.type === 'boolean' && !BOOLEAN.test(token.value)) {
      throw new Error(`${token.rawName} must be true or false, got ${JSON.stringify(token.value)}; see --help`)
    }
    values.set(flag.name, [...(values.get(flag.name) ?? []), token.value])
  }
  return { values, operands }
}

/** `--log-requests` alone means true. Another flag is no value, unless it stands after `=`; after `--` there are no flags. */
function withValues(args: readonly string[], byFlag: ReadonlyMap<string, Flag>): string[] {
  const flagAt = (i: number) =>
    args[i]?.startsWith('--')
      ? byFlag.get(args[i].slice(2))
      : [...byFlag.values()].find(({ short }) => short !== undefined && args[i] === `-${short}`)
  const end = args.indexOf('--')
  return args.map((arg, i) => {
    const flag = end >= 0 && i >= end ? undefined : flagAt(i)
    if (flag === undefined) return arg
    if (flag.type === 'boolean') return BOOLEAN.test(args[i + 1] ?? '') ? arg : `${arg}=true`
    if (args[i + 1] === '--' || flagAt(i + 1) !== undefined) throw new Error(`${arg} needs a value; see --help`)
    return arg
  })
}

/** The lines of the help that describe the flags. */
export function describeFlags(flags: readonly Flag[]): string {
  return flags
    .map(({ flag, short, type, value = type, description }) => {
      const names = short === undefined ? `--${flag}` : `-${short}, --${flag}`
      return `  ${names}${type === 'boolean' ? '' : ` <${value}>`}\n${wrapped(description, '      ')}`
    })
    .join('\n')
}

/** The text in lines that fit a terminal, each after the indent. */
export function wrapped(text: string, indent: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1]
    if (line !== '' && indent.length + line.length + word.length >= COLUMNS) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.map((line) => indent + line).join('\n')
}
