// tangent import: a level as the service's own JSON, or into a scene of a server.

import { SceneImportParameters } from '../../schemas/scenes/import.ts'
import { counted } from './findings.ts'
import { flagsOf } from './flags.ts'
import { dropScene, type ImportReport, importInto, kindOf, LEVEL_FLAGS, openLevel, type PlacedScene } from './level.ts'
import { readLevelFiles } from './level-files.ts'
import { OUTPUT, writeOutput } from './output.ts'
import { accepted, answered, ask, type Service } from './service.ts'
import { type Asked, CLEAN, type Subcommand } from './subcommand.ts'
import { type Ends, ProgressBar, Refused, visible } from './terminal.ts'

export const SCENE = {
  name: 'scene',
  flag: 'scene',
  type: 'text',
  value: 'id',
} as const

export const importLevel: Subcommand = {
  usage: 'FILE [flags]',
  about:
    'Turns a level of any format that the service imports into the JSON of a scene, on standard output; files that it refers to are read beside it. With --url and --scene, puts it into that scene of the server instead, which is made where it is not there: only what has changed in the file is written. What became no body is listed on standard error.',
  example: 'tangent import examples/levels/cellar.ldtk -o cellar.json',
  flags: [
    OUTPUT,
    { ...SCENE, description: 'With --url: the scene of the server that the level is put into.' },
    ...LEVEL_FLAGS,
    ...flagsOf(SceneImportParameters).filter(({ name }) => name === 'dryRun'),
  ],
  run: runImport,
}

async function runImport(asked: Asked): Promise<number> {
  const { operands, values, ends } = asked
  const path = onlyFile(operands, 'import')
  const id = values.get('scene')?.at(-1)
  if (id !== undefined && !values.has('url')) {
    throw new Refused('--scene names a scene of a server: say which with --url, or leave --scene away.')
  }
  const service = await asked.service()
  if (id !== undefined) return importToServer(asked, service, path, id)
  const bar = new ProgressBar(ends)
  const { scene, report } = await openLevel(service, path, asked, (stage) => bar.show(0, 1, `${path}: ${stage}`))
  bar.clear()
  try {
    await writeOutput(asked, await accepted(await ask(service, 'GET', `${scene.path}/export?format=json`)), '\n')
  } finally {
    await dropScene(service, scene)
  }
  return tellReport(ends, path, report)
}

async function importToServer(asked: Asked, service: Service, path: string, id: string): Promise<number> {
  const bar = new ProgressBar(asked.ends)
  const level = await readLevelFiles(path, asked.values.get('root')?.at(-1))
  const { dimension } = kindOf(level.files[0], asked)
  const scene: PlacedScene = { dimension, path: `/v1/${dimension}d/scenes/${encodeURIComponent(id)}` }
  await answered(await ask(service, 'PUT', scene.path, {}))
  const report = await importInto(service, scene, level, asked, (stage) => bar.show(0, 1, `${path}: ${stage}`))
  bar.clear()
  asked.ends.out.write(`${JSON.stringify(report)}\n`)
  return tellReport(asked.ends, path, report)
}

/** The one file that is named. */
export function onlyFile(operands: readonly string[], command: string): string {
  const [path, ...more] = operands
  if (path === undefined) throw new Refused(`Name the file of a level; see tangent ${command} --help.`)
  if (more.length > 0) throw new Refused(`One file at a time; ${more.join(' ')} is too much.`)
  return path
}

/** Lines about what became no body. */
const MOST_LINES = 10

/** Says to people what became of the file. */
export function tellReport(
  { err }: Pick<Ends, 'err'>,
  path: string,
  { bodies, skipped, repaired }: ImportReport,
): number {
  const counts = [counted(bodies, 'body', 'bodies')]
  if (skipped.length > 0) counts.push(`${skipped.length} skipped`)
  if (repaired.length > 0) counts.push(`${repaired.length} repaired`)
  const lines = [...skipped, ...repaired].map(({ where, what, why }) => `  ${visible(`${where}: ${what}: ${why}`)}`)
  const more = lines.length > MOST_LINES ? [`  and ${lines.length - MOST_LINES} more`] : []
  err.write(`${[`${visible(path)}: ${counts.join(', ')}`, ...lines.slice(0, MOST_LINES), ...more].join('\n')}\n`)
  return CLEAN
}
