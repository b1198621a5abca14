// Levels in the service: a file becomes a scene, by the import that the service has for all.

import { randomUUID } from 'node:crypto'
import type { TObject } from '@sinclair/typebox'
import {
  IMPORT_3D_FORMATS,
  IMPORT_FORMATS,
  SceneImport3dParameters,
  SceneImportParameters,
} from '../../schemas/scenes/import.ts'
import { type FileKind, guessedKind } from '../import/guessed-kind.ts'
import type { SourceFile } from '../import/source-files.ts'
import { formData } from '../wire/form-data.ts'
import { type Flag, flagsOf, type GivenFlags } from './flags.ts'
import { type LevelFiles, readLevelFiles } from './level-files.ts'
import { answered, answeredInLines, ask, type Service } from './service.ts'
import { Refused } from './terminal.ts'

export type Dimension = 2 | 3

/** A scene of a service: where its routes are. */
export interface PlacedScene {
  readonly dimension: Dimension
  /** Such as `/v1/2d/scenes/cellar`. */
  readonly path: string
}

export interface Skipped {
  readonly where: string
  readonly what: string
  readonly why: string
}

export interface ImportReport {
  readonly bodies: number
  readonly added: number
  readonly updated: number
  readonly removed: number
  readonly skipped: readonly Skipped[]
  readonly repaired: readonly Skipped[]
}

const DIMENSION: Flag = {
  name: 'dimension',
  flag: 'dimension',
  type: 'text',
  value: '2|3',
  description: 'Whether the level is of the plane or of space. When absent, it is told from the file.',
}
const ROOT: Flag = {
  name: 'root',
  flag: 'root',
  type: 'text',
  value: 'folder',
  description:
    'Files that the level refers to (tilesets, levels, buffers, instanced scenes) are read from this folder and those in it, and from nowhere else; res:// stands for it. The folder of the level when absent.',
}

/** Of the frame and the reading of a level; a field that both dimensions have is one flag. */
export const LEVEL_FLAGS: readonly Flag[] = [
  DIMENSION,
  ROOT,
  ...new Map(
    [SceneImport3dParameters, SceneImportParameters]
      .flatMap((schema) => flagsOf(schema, ['dryRun', 'format', 'solid']))
      .map((flag) => [flag.flag, flag]),
  ).values(),
  {
    name: 'format',
    flag: 'from',
    type: 'text',
    value: [...new Set([...IMPORT_FORMATS, ...IMPORT_3D_FORMATS])].join('|'),
    description: 'What the file is. When absent, it is told from the content or the name of the file.',
  },
  {
    name: 'solid',
    flag: 'solid',
    type: 'text',
    description:
      'Of a Tiled map, which cells are solid although their tiles have no collision shapes: layer:<name> or property:<name>; may be repeated. In space, true: closed meshes have an inside.',
  },
]

/** The values of flags as a query string; those of no field of the schema are left out. */
export function queryString({ values }: Pick<GivenFlags, 'values'>, schema: TObject): string {
  const query = new URLSearchParams()
  for (const name of Object.keys(schema.properties))
    for (const value of values.get(name) ?? []) query.append(name, value)
  return query.size === 0 ? '' : `?${query}`
}

/** The flags of fields, for problems that name the fields. */
export function meaningsOf(flags: readonly Flag[]): ReadonlyMap<string, string> {
  return new Map(flags.map(({ name, flag }) => [name, flag]))
}

/** What a file is, as the flags or its content say. */
export function kindOf(file: SourceFile, { values }: Pick<GivenFlags, 'values'>): FileKind {
  const said = values.get('dimension')?.at(-1)
  if (said !== undefined && said !== '2' && said !== '3') {
    throw new Refused(`--dimension must be 2 or 3, got ${JSON.stringify(said)}.`)
  }
  const format = values.get('format')?.at(-1)
  const dimension = said === undefined ? undefined : said === '2' ? 2 : 3
  const kind = guessedKind(file, { dimension, format })
  if (kind !== null) return kind
  if (format !== undefined) throw new Refused(`--from ${format} is none that can be imported; see --help.`)
  throw new Refused(`What ${file.name} is cannot be told from its name or content: say it with --from; see --help.`)
}

/** Seconds after which a server forgets a level whose command has been ended before its time. */
const TTL = 3600

/** A scene without a name for people, which is there for one command. */
export async function newScene(service: Service, dimension: Dimension): Promise<PlacedScene> {
  const path = `/v1/${dimension}d/scenes/command-${randomUUID()}`
  await answered(await ask(service, 'PUT', path, { ttl: TTL }))
  return { dimension, path }
}

/** Puts the level into the scene. `onProgress`: told how far it is. */
export async function importInto(
  service: Service,
  { dimension, path }: PlacedScene,
  level: LevelFiles,
  given: Pick<GivenFlags, 'values'>,
  onProgress: (stage: string) => void = () => undefined,
): Promise<ImportReport> {
  const query = queryString(given, dimension === 2 ? SceneImportParameters : SceneImport3dParameters)
  const { type, body } = formData(level.files)
  const headers = { 'content-type': type, accept: 'application/x-ndjson' }
  const answer = await service.request('POST', `${path}/import${query}`, headers, body)
  try {
    return await answeredInLines(answer, onProgress, meaningsOf(LEVEL_FLAGS))
  } catch (error) {
    throw error instanceof Refused ? new Refused(withOutside(error.message, level)) : error
  }
}

function withOutside(problem: string, { outside }: LevelFiles): string {
  if (outside.length === 0) return problem
  return `${problem} Not read, as it lies outside of the folder of the level: ${outside.join(', ')}. Give --root, a folder with all of them in it.`
}

export interface OpenLevel {
  readonly scene: PlacedScene
  readonly level: LevelFiles
  readonly kind: FileKind
  readonly report: ImportReport
}

/** Reads the level and puts it into a scene of its own. */
export async function openLevel(
  service: Service,
  path: string,
  given: Pick<GivenFlags, 'values'>,
  onProgress?: (stage: string) => void,
): Promise<OpenLevel> {
  const level = await readLevelFiles(path, given.values.get('root')?.at(-1))
  const kind = kindOf(level.files[0], given)
  const scene = await newScene(service, kind.dimension)
  try {
    return { scene, level, kind, report: await importInto(service, scene, level, given, onProgress) }
  } catch (error) {
    await dropScene(service, scene)
    throw error
  }
}

export async function dropScene(service: Service, { path }: PlacedScene): Promise<void> {
  const { body } = await ask(service, 'DELETE', path)
  for await (const _ of body);
}
