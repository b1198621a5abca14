// POST …/scenes/{sceneId}/import: an editor's own file as bodies of a scene, and the progress of the import.

import { type Static, Type } from '@sinclair/typebox'
import { progressForm } from '../progress.ts'
import { flag, index, real, word } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { SceneBounds, SceneBounds3d, version } from './scene.ts'

export const IMPORT_FORMATS = ['tiled', 'world', 'ldtk', 'geojson', 'svg', 'godot', 'json'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

export const IMPORT_3D_FORMATS = ['gltf', 'obj', 'stl', 'map', 'godot', 'json'] as const
export type Import3dFormat = (typeof IMPORT_3D_FORMATS)[number]

/** Says how large point entities of a class are. */
export const SIZE_PATTERN = '^[^:]+:( *-?\\d{1,9}(\\.\\d{1,9})?){6}$'

/** Selects solid cells by layer or by property. */
export const SOLID_PATTERN = '^(layer|property):.+$'

const importSource = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description:
      'What the file is called from one import to the next: what an earlier import of the same source put into the scene and the file has no more is removed. The name of the file when absent, or import. The service’s own JSON has none unless it is given: its bodies are put under their ids as they are, and nothing is removed.',
  }),
)
const importScale = Type.Optional(real('Factor of all lengths; 1 when absent.', { exclusiveMinimum: 0 }))
const importDryRun = flag('Change nothing, and report what would be done. false when absent.')

export const SceneImportParameters = Type.Object({
  format: Type.Optional(
    word(
      IMPORT_FORMATS,
      'What the file is: a map of Tiled (TMX or TMJ) or a world of Tiled, for either of which tiled may stand, a project of LDtk, GeoJSON, a drawing in SVG, a scene of Godot, or the service’s own JSON, as scenes are exported. When absent, it is told from the content or the name of the file.',
    ),
  ),
  source: importSource,
  merge: flag('Join solid cells of one layer and value that touch along a side to regions; true when absent.'),
  solid: Type.Optional(
    Type.Array(Type.String({ pattern: SOLID_PATTERN, maxLength: 300 }), {
      maxItems: 64,
      description:
        'Which cells of a Tiled map are solid although their tiles have no collision shapes; may be repeated. `layer:<name>` names a tile layer. `property:<name>` names a custom property: cells are solid if it is set to true, or to anything but false, 0 or nothing, on their tile or on the layer. Tiles that have collision shapes keep them. Other formats ignore this.',
    }),
  ),
  tolerance: Type.Optional(
    real(
      'How far the straight lines that stand for curves may lie from them, in the file’s own units; 0.05 when absent.',
      {
        exclusiveMinimum: 0,
      },
    ),
  ),
  repair: flag(
    'Repair outlines that cross themselves or each other: take the simple regions that the fill rule makes of them, which for all formats but SVG is evenodd, and list them. Otherwise they are skipped. When absent, true for SVG, whose files say their fill rule, and false for all others.',
  ),
  yUp: flag(
    'Mirror y, so that what is up on the screen of an editor that counts downwards has the greater y. false when absent.',
  ),
  scale: importScale,
  offsetX: Type.Optional(real('Added to x after mirroring and scaling; 0 when absent.')),
  offsetY: Type.Optional(real('Added to y after mirroring and scaling; 0 when absent.')),
  dryRun: importDryRun,
})
export type SceneImportParameters = Static<typeof SceneImportParameters>

export const SceneImport3dParameters = Type.Object({
  format: Type.Optional(
    word(
      IMPORT_3D_FORMATS,
      'What the file is: glTF 2.0, binary or as JSON with its buffers; the meshes of OBJ or STL; a map of Quake or of a game that came after it; a scene of Godot; or the service’s own JSON, as scenes are exported. When absent, it is told from the content or the name of the file.',
    ),
  ),
  source: importSource,
  tolerance: Type.Optional(
    real(
      'How far the triangles that stand for a curved patch may lie from it, in the file’s own units; 0.05 when absent.',
      { exclusiveMinimum: 0 },
    ),
  ),
  sizes: Type.Optional(
    Type.Array(Type.String({ pattern: SIZE_PATTERN, maxLength: 300 }), {
      maxItems: 256,
      description:
        'How large point entities of a Quake map are; may be repeated. `<class>:<x> <y> <z> <x> <y> <z>` gives the least and the greatest corner about the origin of the entity; a class may end in a star, which stands for any more letters. It replaces the sizes of Quake’s own entities, which are those without it. Entities of no such class are points. Other formats ignore this.',
    }),
  ),
  up: Type.Optional(
    word(
      ['y', 'z'],
      'Which axis points up in the scene. Where another does in files of the format, everything is turned by a quarter about x, which rounds nothing. Axes stay as the file has them when absent.',
    ),
  ),
  solid: flag(
    'Whether meshes of glTF, OBJ and STL that are closed have an inside, which belongs to them. Those that are not closed are surfaces, and listed as repaired. false when absent: all are surfaces.',
  ),
  scale: importScale,
  offsetX: Type.Optional(real('Added to x after turning and scaling; 0 when absent.')),
  offsetY: Type.Optional(real('Added to y after turning and scaling; 0 when absent.')),
  offsetZ: Type.Optional(real('Added to z after turning and scaling; 0 when absent.')),
  dryRun: importDryRun,
})
export type SceneImport3dParameters = Static<typeof SceneImport3dParameters>

const SkippedImport = Type.Object(
  {
    where: Type.String({ description: 'Its place in the file, by the file’s own names.' }),
    what: Type.String({ description: 'What it is, in a word or two.' }),
    why: Type.String({ description: 'Why it became no body, or not all of it did.' }),
  },
  named('SkippedImport', 'Something in an imported file that the scene has nothing of.'),
)

const RepairedImport = Type.Object(
  {
    where: Type.String({ description: 'Its place in the file, by the file’s own names, or the id of its body.' }),
    what: Type.String({ description: 'What it is, in a word or two.' }),
    why: Type.String({ description: 'What was wrong with it and where, and what was taken instead.' }),
  },
  named('RepairedImport', 'Something in an imported file that became a body otherwise than it is there.'),
)

const counts = {
  version: version(
    'The number of this write; where nothing changed, or nothing was to be, the version that the scene is at.',
  ),
  bodies: index('Bodies that the file has.'),
  added: index('Those of them that were not there.'),
  updated: index('Those that were there and are otherwise now.'),
  removed: index('Bodies of an earlier import of the same source that the file has no more.'),
}
const skipped = Type.Array(reference(SkippedImport), { description: 'What became no body, or not all of it.' })
const BOX = 'The box of all bodies of the file; null where there are none.'

export const SceneImportResponse = Type.Object(
  {
    ...counts,
    cells: index('Solid cells of grids.'),
    merged: index('Bodies that the cells were joined to; 0 when they were not.'),
    skipped,
    repaired: Type.Array(reference(RepairedImport), {
      description: 'What became a body after its outlines were repaired; empty where repair is false.',
    }),
    bounds: nullable(SceneBounds, BOX),
  },
  named('SceneImportResponse', 'What an import came to.', [
    {
      version: 2,
      bodies: 2,
      added: 2,
      updated: 0,
      removed: 0,
      cells: 0,
      merged: 0,
      skipped: [],
      repaired: [],
      bounds: { min: { x: 0, y: 0 }, max: { x: 4, y: 3 } },
    },
  ]),
)
export type SceneImportResponse = Static<typeof SceneImportResponse>

export const SceneImport3dResponse = Type.Object(
  {
    ...counts,
    skipped,
    repaired: Type.Array(reference(RepairedImport), {
      description: 'What became a body, but not as it is in the file.',
    }),
    bounds: nullable(SceneBounds3d, BOX),
  },
  named('SceneImport3dResponse', 'What an import into a scene of space came to.', [
    {
      version: 2,
      bodies: 2,
      added: 2,
      updated: 0,
      removed: 0,
      skipped: [],
      repaired: [],
      bounds: { min: { x: 0, y: 0, z: 0 }, max: { x: 4, y: 3, z: 2 } },
    },
  ]),
)
export type SceneImport3dResponse = Static<typeof SceneImport3dResponse>

export const importProgress = progressForm(
  { progress: 'ImportProgress', line: 'SceneImportProgress' },
  { the: 'the import', a: 'an import' },
  {
    reading: 'what the file has',
    merging: 'its cells are joined',
    checking: 'its bodies',
    comparing: 'them with the scene',
    writing: 'what is new',
  },
  { bodies: 'Bodies found so far.', cells: 'Solid cells found so far.', checked: 'Bodies checked so far.' },
  { stage: 'checking', bodies: 2000, cells: 41000, checked: 512 },
)
