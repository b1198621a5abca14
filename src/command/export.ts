// tangent export: a level, or a scene of a server, as a file of another format.

import type { TObject } from '@sinclair/typebox'
import { SceneExport3dParameters, SceneExportParameters } from '../../schemas/scenes/export.ts'
import { type Flag, flagsOf } from './flags.ts'
import { onlyFile, SCENE } from './import.ts'
import {
  type Dimension,
  dropScene,
  LEVEL_FLAGS,
  meaningsOf,
  openLevel,
  type PlacedScene,
  queryString,
} from './level.ts'
import { OUTPUT, writeOutput } from './output.ts'
import { accepted, type Service } from './service.ts'
import { type Asked, CLEAN, type Subcommand } from './subcommand.ts'
import { Refused } from './terminal.ts'

const FORMATS: readonly Flag[] = [
  {
    name: 'to',
    flag: 'format',
    type: 'text',
    value: 'json|geojson|svg|gltf|obj',
    description:
      'The format to write: of the plane json, geojson or svg, of space json, gltf or obj. When absent, it is told from the name of the output, or json.',
  },
]

const EXPORT_FLAGS = flagsOf(SceneExportParameters).filter(({ name }) => name === 'tag' || name === 'bounds')

export const exportLevel: Subcommand = {
  usage: '[FILE] [flags]',
  about:
    'Writes a level as another format; or, with --url and --scene, a scene of the server. Only JSON has all of a scene.',
  example: 'tangent export examples/levels/cellar.ldtk --format geojson -o cellar.geojson',
  flags: [
    ...FORMATS,
    OUTPUT,
    {
      ...SCENE,
      description: 'With --url and without FILE: the scene of the server to write. --dimension 3 if it is of space.',
    },
    ...EXPORT_FLAGS,
    ...LEVEL_FLAGS,
  ],
  run: (asked) =>
    withScene(asked, 'export', async (service, { dimension, path }) => {
      const values = new Map(asked.values).set('format', [formatOf(asked)])
      const query = queryString(
        { values: onlyOf(values, asked) },
        dimension === 2 ? SceneExportParameters : SceneExport3dParameters,
      )
      const answer = await service.request('GET', `${path}/export${query}`, {})
      await writeOutput(asked, await accepted(answer, meaningsOf([...FORMATS, ...EXPORT_FLAGS])), '')
    }),
}

/** Frames are said of the file that is read: what is written is in the frame of the scene. */
function onlyOf(
  values: ReadonlyMap<string, readonly string[]>,
  { operands }: Asked,
): ReadonlyMap<string, readonly string[]> {
  if (operands.length === 0) return values
  return new Map([...values].filter(([name]) => ['format', 'tag', 'bounds'].includes(name)))
}

const BY_ENDING: Readonly<Record<string, string>> = {
  glb: 'gltf',
  geojson: 'geojson',
  svg: 'svg',
  obj: 'obj',
  json: 'json',
}

function formatOf({ values }: Asked): string {
  const ending = /\.(\w+)$/.exec(values.get(OUTPUT.name)?.at(-1) ?? '')?.[1].toLowerCase() ?? ''
  return values.get('to')?.at(-1) ?? BY_ENDING[ending] ?? 'json'
}

/** Does the work with the scene of the file, which goes afterwards, or with that of the server, which stays. */
export async function withScene(
  asked: Asked,
  command: string,
  work: (service: Service, scene: PlacedScene) => Promise<void>,
): Promise<number> {
  const { operands, values } = asked
  const id = values.get('scene')?.at(-1)
  if (id === undefined) {
    const path = onlyFile(operands, command)
    const service = await asked.service()
    const { scene } = await openLevel(service, path, asked)
    try {
      await work(service, scene)
    } finally {
      await dropScene(service, scene)
    }
    return CLEAN
  }
  if (!values.has('url') || operands.length > 0) {
    throw new Refused('--scene names a scene of a server: say which with --url, and no file.')
  }
  const dimension: Dimension = values.get('dimension')?.at(-1) === '3' ? 3 : 2
  await work(await asked.service(), { dimension, path: `/v1/${dimension}d/scenes/${encodeURIComponent(id)}` })
  return CLEAN
}

/** Flags of a schema of each dimension, each once. */
export function flagsOfBoth(plane: TObject, space: TObject, leftOut: readonly string[] = []): Flag[] {
  const flags = [space, plane].flatMap((schema) => flagsOf(schema, leftOut))
  return [...new Map(flags.map((flag) => [flag.flag, flag])).values()]
}
