// What the examples on levels share: a command that takes a project, walks over its levels, asks the service, and prints.

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { LdtkError, type Level, readLevels } from './ldtk.ts'
import { MapError } from './map-error.ts'
import { connect, type Service, ServiceError } from './service.ts'

export const ROOT = resolve(import.meta.dirname, '..')
export const OWN_LEVEL = 'examples/levels/cellar.ldtk'

/** Options with values, beside `--url` and `--walls`; a default for each. */
type Options = Record<string, string>

/** Runs `report` on every level of the project that the command line names, and prints the lines it returns. */
export function levelCommand(
  report: (level: Level, service: Service, options: Options) => Promise<string[]>,
  defaults: Options = {},
): Promise<void> {
  return runCommand(() => reportLevels(report, defaults))
}

/** Runs a command. What is wrong with the level or the service is said in a line, and the exit code tells it. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof LdtkError || error instanceof MapError || error instanceof ServiceError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

async function reportLevels(report: Parameters<typeof levelCommand>[0], defaults: Options): Promise<void> {
  const known = ['url', 'walls', ...Object.keys(defaults)]
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: Object.fromEntries(known.map((name) => [name, { type: 'string' as const }])),
  })
  const { url = process.env.TANGENT_URL ?? 'http://127.0.0.1:3000', walls, ...options } = values as Partial<Options>
  // npm runs scripts in the package's folder; INIT_CWD is where the user stood.
  const [file = OWN_LEVEL] = positionals
  const path = resolve(file === OWN_LEVEL ? ROOT : (process.env.INIT_CWD ?? '.'), file)
  const wallNames = walls?.split(',').map((name) => name.trim())
  const levels = await readLevels(path, wallNames)
  const service = connect(url.replace(/\/+$/, ''))

  const started = performance.now()
  console.log(`${file}: ${summary(levels)}`)
  for (const level of levels) {
    console.log(`\n${level.identifier}: ${summary([level]).replace(/^1 level, /, '')}`)
    const lines = await report(level, service, { ...defaults, ...(options as Options) })
    if (lines.length > 0) console.log(lines.join('\n'))
  }
  console.log(`\n${count(service.requestCount(), 'request')} in ${round(performance.now() - started)} ms`)
}

export const round = (value: number) => String(Number(value.toFixed(2)))

export const count = (number: number, one: string, many = `${one}s`) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`

/** Columns padded to their widest cell. */
export function table(rows: string[][]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)))
  return rows.map((cells) => `  ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join('  ')}`.trimEnd())
}

/** Like "2 levels, 146 wall cells (138 stone, 8 water), 12 entities". */
function summary(levels: Level[]): string {
  const cells = new Map<string, number>()
  for (const { identifier, cellCount } of levels.flatMap(({ walls }) => walls)) {
    cells.set(identifier, (cells.get(identifier) ?? 0) + cellCount)
  }
  const total = [...cells.values()].reduce((a, b) => a + b, 0)
  const kinds = [...cells].map(([identifier, cellCount]) => `${cellCount.toLocaleString('en')} ${identifier}`)
  const entities = levels.flatMap((level) => level.entities)
  return [
    count(levels.length, 'level'),
    `${count(total, 'wall cell')}${kinds.length > 1 ? ` (${kinds.join(', ')})` : ''}`,
    count(entities.length, 'entity', 'entities'),
  ].join(', ')
}
