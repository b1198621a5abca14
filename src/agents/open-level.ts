// Tools that open levels: a file becomes a scene, or is put into one that is there; and a list of the scenes.

import { randomUUID } from 'node:crypto'
import { SceneImport3dParameters, SceneImportParameters } from '../../schemas/scenes/import.ts'
import { type FileKind, guessedKind, usualDown } from '../import/guessed-kind.ts'
import { formData } from '../wire/form-data.ts'
import { checkArguments } from './arguments.ts'
import { limitField, requestFields, SCENE, type Schema, toolInput } from './input-schemas.ts'
import {
  type Arguments,
  answered,
  ask,
  briefly,
  type Dimension,
  type FoundScene,
  findScene,
  type ReadLevel,
  type SceneDocument,
  type Surroundings,
  sceneIfThere,
  scenePath,
  type Tool,
  ToolFault,
} from './tool.ts'

const DIMENSION: Schema = { enum: [2, 3], description: '2: the plane; 3: space. Told from the file when absent.' }

const IMPORT_FIELDS: Record<string, Schema> = {
  ...requestFields(SceneImportParameters, SceneImport3dParameters, { leftOut: ['dryRun', 'source'] }).properties,
  solid: {
    type: ['array', 'boolean'],
    description:
      'Of a Tiled map, a list of which cells are solid although their tiles have no collision shapes: layer:<name> or property:<name>. In space, true: closed meshes have an inside.',
  },
}

/** Seconds that a scene is kept after its last use. */
const TTL = 86_400

/** What is told of a report, and bodies whose tags are counted. */
const MOST_SKIPPED = 5
const MOST_TAGS = 20
const COUNTED = 1000

interface Report {
  readonly skipped: readonly object[]
  readonly repaired: readonly object[]
}

interface Asked {
  readonly scene?: string
  readonly dimension?: Dimension
  readonly name?: string
  readonly content?: string
  readonly path?: string
  readonly keep?: boolean
}

async function levelOf({ name = '', content, path }: Asked, { readLevel }: Surroundings): Promise<ReadLevel | null> {
  if (path !== undefined && content !== undefined)
    throw new ToolFault('There is content and a path.', 'Give one of them.')
  if (content !== undefined) return { files: [{ name, bytes: Buffer.from(content) }], outside: [] }
  if (path === undefined) return null
  if (readLevel !== undefined) return readLevel(path)
  throw new ToolFault('Files cannot be read by their path here.', 'Give the text of the file as content.')
}

function kindOf({ dimension }: Asked, { format }: Arguments, { files: [file] }: ReadLevel): FileKind {
  const kind = guessedKind(file, { dimension, format: typeof format === 'string' ? format : undefined })
  if (kind !== null) return kind
  throw new ToolFault(
    'What the file is cannot be told from its name or content.',
    'Say it with format, and give the name of the file.',
  )
}

/** A name for a scene that nobody has named. */
function newName({ name, path }: Asked): string {
  const base = (path ?? name ?? 'level').replace(/^.*[\\/]/, '').replace(/\.\w+$/, '')
  const letters = base.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60)
  return `${letters === '' ? 'level' : letters}-${randomUUID().slice(0, 8)}`
}

/** The query string of an import. */
function importQuery(args: Arguments): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each))
  }
  return query.size === 0 ? '' : `?${query}`
}

/** The scene that is named, in the dimension that is asked for, or a new one. */
async function sceneFor(
  around: Surroundings,
  { scene: id = '', keep = false }: Asked,
  dimension: Dimension | undefined,
): Promise<{ scene: FoundScene; isNew: boolean }> {
  const there = await sceneIfThere(around, id)
  if (there !== null && dimension !== undefined && there.dimension !== dimension) {
    throw new ToolFault(
      `The scene ${id} is in ${there.dimension}D, and this is in ${dimension}D.`,
      'Name another scene, or leave scene away to get a new one.',
    )
  }
  if (there !== null) return { scene: there, isNew: false }
  const path = scenePath(dimension ?? 2, id)
  const document = await answered<SceneDocument>(await ask(around, 'PUT', path, { value: keep ? {} : { ttl: TTL } }))
  return { scene: { dimension: dimension ?? 2, path, document }, isNew: true }
}

async function importLevel(
  around: Surroundings,
  { path }: FoundScene,
  level: ReadLevel,
  fields: Arguments,
): Promise<Report> {
  const { type, body } = formData(level.files)
  const { service, signal } = around
  const headers = { 'content-type': type }
  try {
    return await answered<Report>(
      await service.request('POST', `${path}/import${importQuery(fields)}`, headers, body, signal),
    )
  } catch (error) {
    if (!(error instanceof ToolFault) || level.outside.length === 0) throw error
    const outside = level.outside.slice(0, MOST_SKIPPED).join(', ')
    throw new ToolFault(`${error.message} Not read, as it lies outside of the folder: ${outside}.`, error.next)
  }
}

/** How many bodies have which tags, the most frequent first; of the first bodies only. */
async function tagCounts(around: Surroundings, { path }: FoundScene): Promise<Record<string, number>> {
  const page = await answered<{ bodies: { tags?: string[] }[] }>(
    await ask(around, 'GET', `${path}/bodies?limit=${COUNTED}`),
  )
  const counts = new Map<string, number>()
  for (const { tags = [] } of page.bodies) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const frequent = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_TAGS)
  return Object.fromEntries(frequent)
}

async function run(args: Arguments, around: Surroundings) {
  const { scene, dimension, name, content, path, keep, ...fields } = checkArguments<Asked>('open_level', args)
  const asked = args as Asked
  const level = await levelOf(asked, around)
  if (level === null && scene === undefined) {
    throw new ToolFault(
      'There is no level to open.',
      `Give ${around.readLevel === undefined ? '' : 'a path or '}the content of a file, or the name of a scene.`,
    )
  }
  const named = { ...asked, scene: scene ?? newName(asked) }
  const kind = level === null ? null : kindOf(asked, fields, level)
  const { scene: opened, isNew } = await sceneFor(around, named, kind?.dimension ?? dimension)
  let report: Report = { skipped: [], repaired: [] }
  try {
    if (level !== null) report = await importLevel(around, opened, level, fields)
  } catch (error) {
    if (isNew) await ask({ service: around.service }, 'DELETE', opened.path)
    throw error
  }
  const { document } = await findScene(around, named.scene)
  const { skipped, repaired, ...counts } = report
  return briefly({
    scene: named.scene,
    dimension: opened.dimension,
    version: document.version,
    bodyCount: document.bodyCount,
    bounds: document.bounds,
    ...(level !== null && { import: { ...counts, bounds: undefined, version: undefined } }),
    tags: await tagCounts(around, opened),
    ...(skipped.length > 0 && { skippedCount: skipped.length, skipped: skipped.slice(0, MOST_SKIPPED) }),
    ...(repaired.length > 0 && { repairedCount: repaired.length, repaired: repaired.slice(0, MOST_SKIPPED) }),
    ...(kind !== null && downOf(kind, fields)),
  })
}

/** Which way is down, and how to draw it so. */
function downOf(kind: FileKind, { yUp, up }: Arguments): object {
  const down = usualDown(kind, { yUp: yUp === true, up: up === 'y' || up === 'z' ? up : undefined })
  const isDownwards = (down as { y?: number } | undefined)?.y === 1
  return { down: down ?? 'not known', ...(isDownwards && { note: 'y points down: ask picture with yDown true.' }) }
}

/** `readsFiles`: whether there is a path to open. */
export function openLevel(readsFiles: boolean): Tool {
  return {
    name: 'open_level',
    title: 'Open a level',
    description: `Puts a level of Tiled, LDtk, Godot, SVG, GeoJSON, Quake, glTF, OBJ, STL or exported JSON into a scene, and says what is in it. ${readsFiles ? 'Give the path of the file, or its content. ' : 'Give the content of the file as text. '}With scene alone it describes that scene, or makes an empty one. Opening a file again into its scene changes only what has changed in it. All other tools take the name of the scene.`,
    input: toolInput({
      ...(readsFiles && {
        path: {
          type: 'string',
          description: 'The file, within the folder that this server may read; files that it refers to are read too.',
        },
      }),
      content: { type: 'string', description: 'The text of the file, instead of a path.' },
      name: { type: 'string', description: 'With content: the name of the file, such as cellar.ldtk.' },
      scene: { ...SCENE, description: 'The scene; a new one with a name made from that of the file when absent.' },
      dimension: DIMENSION,
      keep: {
        type: 'boolean',
        description: 'true: a new scene is kept until it is deleted, not for a day after its last use.',
      },
      ...IMPORT_FIELDS,
    }),
    isReading: false,
    run,
  }
}

const USUAL_SCENES = 50

export const listScenes: Tool = {
  name: 'list_scenes',
  title: 'Which scenes are there?',
  description: 'The scenes of the service, with their dimension, version and number of bodies.',
  input: toolInput({
    dimension: { enum: [2, 3], description: 'Only those of the plane or of space; both when absent.' },
    limit: limitField(USUAL_SCENES),
  }),
  isReading: true,
  async run(args, around) {
    const { dimension, limit = USUAL_SCENES } = checkArguments<{ dimension?: Dimension; limit?: number }>(
      'list_scenes',
      args,
    )
    const scenes: object[] = []
    let isCut = false
    for (const each of [2, 3] as const) {
      if (dimension !== undefined && dimension !== each) continue
      const page = await answered<{ scenes: SceneDocument[]; next: string | null }>(
        await ask(around, 'GET', `/v1/${each}d/scenes?limit=${limit}`),
      )
      isCut ||= page.next !== null || scenes.length + page.scenes.length > limit
      for (const { id, name, version, bodyCount } of page.scenes) {
        scenes.push({ scene: id, dimension: each, ...(name !== null && { name }), version, bodyCount })
      }
    }
    return briefly({ scenes: scenes.slice(0, limit), truncated: isCut })
  },
}
