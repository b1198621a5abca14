// GET /v1/2d/scenes/{sceneId}/export: the bodies of a scene as a file.

import { type Static, Type } from '@sinclair/typebox'
import { length, real, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { version } from '../scenes/scene.ts'
import { SceneBody, tagText } from '../scenes/scene-body.ts'
import { atLeast } from '../scenes/scene-headers.ts'
import { RENDER_BOUNDS_PATTERN } from './scene-render.ts'

export const EXPORT_FORMATS = ['json', 'geojson', 'svg'] as const
export type ExportFormatName = (typeof EXPORT_FORMATS)[number]

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const SceneExportParameters = Type.Object(
  {
    format: word(
      EXPORT_FORMATS,
      'What the file is: the service’s own JSON, which loses nothing; GeoJSON; or a drawing in SVG.',
    ),
    tag: Type.Optional(Type.String({ ...tagText, description: 'Only bodies with this tag.' })),
    bounds: Type.Optional(
      Type.String({
        pattern: RENDER_BOUNDS_PATTERN,
        description:
          'Only bodies whose axis-aligned boxes meet this one: least x, least y, greatest x, greatest y, in the world, with commas between; those without bounds meet every box. Bodies are not cut.',
      }),
    ),
    tolerance: Type.Optional(
      real(
        'How far the straight lines that stand for curves in GeoJSON may lie from them, in the file’s own units; 0.05 when absent. No curve has more than 1,024 of them for a full turn.',
        { exclusiveMinimum: 0 },
      ),
    ),
    source: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'GeoJSON is written so that an import of this source takes it back: ids without the source before them, and data as the properties.',
      }),
    ),
    yUp: flag(
      'The same as was said at the import, whose inverse is done: the file’s y is mirrored. false when absent.',
    ),
    scale: Type.Optional(
      real('The same as was said at the import: lengths of the file are divided by it. 1 when absent.', {
        exclusiveMinimum: 0,
      }),
    ),
    offsetX: Type.Optional(real('The same as was said at the import: taken away from x first. 0 when absent.')),
    offsetY: Type.Optional(real('The same as was said at the import: taken away from y first. 0 when absent.')),
    atLeast,
  },
  { additionalProperties: false },
)
export type SceneExportParameters = Static<typeof SceneExportParameters>

const EXAMPLE = { id: 'floor', shape: { type: 'box', width: 4, height: 1 }, position: { x: 0, y: -1 } }

export const SceneExport = Type.Object(
  {
    version: version('The version of the scene that the file is of.'),
    name: Type.Optional(Type.String({ description: 'What the scene is called, if it is.' })),
    margin: Type.Optional(length('Of the scene; absent where it is 0.')),
    bodies: Type.Array(reference(SceneBody), { description: 'The bodies, by id.' }),
  },
  named('SceneExport', 'A scene as a file, to be imported with format=json.', [{ version: 2, bodies: [EXAMPLE] }]),
)

export const GeoJsonFeatures = Type.Object(
  {
    type: Type.Literal('FeatureCollection'),
    features: Type.Array(Type.Object({}), { description: 'A feature for each body, by id (RFC 7946).' }),
  },
  named('GeoJsonFeatures', 'The bodies of a scene as GeoJSON, in a plane and not on a globe.'),
)
