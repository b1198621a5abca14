// GET /v1/2d/scenes/{sceneId}/render.svg and /export, and /v1/3d/…: a scene as a picture, and its bodies as a file.

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { PictureParameters3d } from '../picture.ts'
import { flag, length, real, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { SceneBody, SceneBody3d, tagText } from './body.ts'
import { atLeast } from './headers.ts'
import { version } from './scene.ts'

const MOST_HIGHLIGHTED = 100
/** Pixels. */
const LEAST_SIZE = 16
const GREATEST_SIZE = 4096

const NUMBER = '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?'
const RENDER_BOUNDS_PATTERN = `^${NUMBER}(,${NUMBER}){3}$`
const ID = '[A-Za-z0-9._:-]{1,128}'
const HIGHLIGHT_PATTERN = `^${ID}(,${ID}){0,${MOST_HIGHLIGHTED - 1}}$`

const pixels = (description: string) =>
  Type.Optional(Type.Integer({ format: 'int32', minimum: LEAST_SIZE, maximum: GREATEST_SIZE, description }))

const bounds = (more: string) =>
  Type.Optional(
    Type.String({
      pattern: RENDER_BOUNDS_PATTERN,
      description: `What is shown, in the world: least x, least y, greatest x, greatest y, with commas between. ${more}`,
    }),
  )
const yDown = flag('Draw y downwards, as screens and most editors have it. Up when absent.')

const rendered = {
  width: pixels('Width of the picture in pixels; 800 when absent.'),
  height: pixels('Height in pixels; what the form of what is shown asks for when absent.'),
  highlight: Type.Optional(
    Type.String({
      pattern: HIGHLIGHT_PATTERN,
      description: `Ids of bodies that are drawn so that they stand out, with commas between, ${MOST_HIGHLIGHTED} at most. Those that are not there are passed over.`,
    }),
  ),
  tag: Type.Optional(Type.String({ ...tagText, description: 'Only bodies with this tag.' })),
  bodies: flag('Draw the bodies; true when absent.'),
  labels: flag('Write ids at the largest bodies, and numbers along the grid or names of the axes; true when absent.'),
  tree: flag('Draw the boxes of the tree that queries go through; false when absent.'),
  background: flag('Draw paper and grid; true when absent. Without them the picture can be laid over another.'),
}

export const SceneRenderParameters = Type.Object({
  bounds: bounds(
    'All of it is seen, and more around it where width and height have another form. The whole scene when absent.',
  ),
  ...rendered,
  yDown,
  atLeast,
})
export type SceneRenderParameters = Static<typeof SceneRenderParameters>

/** Of scenes of space. */
export const SceneRender3dParameters = Type.Object({ ...PictureParameters3d.properties, ...rendered, atLeast })
export type SceneRender3dParameters = Static<typeof SceneRender3dParameters>

const answerWidth = pixels(
  'Width of a picture in pixels, with which all that is in it grows and shrinks; 800 when absent. Its height follows from what is shown and said.',
)

/** The query string of the queries of scenes of the plane. */
export const ScenePictureParameters = Type.Object({
  bounds: bounds(
    'Of a picture: all of it is seen, and more around it where that has another form. What the question and its answer speak of when absent.',
  ),
  width: answerWidth,
  yDown,
  atLeast,
})
export type ScenePictureParameters = Static<typeof ScenePictureParameters>

/** The query string of the queries of scenes of space. */
export const ScenePicture3dParameters = Type.Object({ ...PictureParameters3d.properties, width: answerWidth, atLeast })
export type ScenePicture3dParameters = Static<typeof ScenePicture3dParameters>

const EXPORT_FORMATS = ['json', 'geojson', 'svg'] as const
const EXPORT_3D_FORMATS = ['json', 'gltf', 'obj'] as const
export type ExportFormatName = (typeof EXPORT_FORMATS)[number] | (typeof EXPORT_3D_FORMATS)[number]

export const SceneExportParameters = Type.Object({
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
  yUp: flag('The same as was said at the import, whose inverse is done: the file’s y is mirrored. false when absent.'),
  scale: Type.Optional(
    real('The same as was said at the import: lengths of the file are divided by it. 1 when absent.', {
      exclusiveMinimum: 0,
    }),
  ),
  offsetX: Type.Optional(real('The same as was said at the import: taken away from x first. 0 when absent.')),
  offsetY: Type.Optional(real('The same as was said at the import: taken away from y first. 0 when absent.')),
  atLeast,
})
export type SceneExportParameters = Static<typeof SceneExportParameters>

export const SceneExport3dParameters = Type.Object({
  format: word(
    EXPORT_3D_FORMATS,
    'What the file is: the service’s own JSON, which loses nothing; binary glTF, with the bodies in its extras; or OBJ, the triangles alone.',
  ),
  tag: Type.Optional(Type.String({ ...tagText, description: 'Only bodies with this tag.' })),
  atLeast,
})

const EXAMPLE = { id: 'floor', shape: { type: 'box', width: 4, height: 1 }, position: { x: 0, y: -1 } }
const EXAMPLE_3D = { id: 'floor', shape: { type: 'box', size: { x: 4, y: 1, z: 4 } }, position: { x: 0, y: -1, z: 0 } }

const exported = <B extends TSchema>(tag: string, body: B, meaning: string, example: object) =>
  Type.Object(
    {
      version: version('The version of the scene that the file is of.'),
      name: Type.Optional(Type.String({ description: 'What the scene is called, if it is.' })),
      margin: Type.Optional(length('Of the scene; absent where it is 0.')),
      bodies: Type.Array(reference(body), { description: 'The bodies, by id.' }),
    },
    named(`SceneExport${tag}`, meaning, [{ version: 2, bodies: [example] }]),
  )

export const SceneExport = exported('', SceneBody, 'A scene as a file, to be imported with format=json.', EXAMPLE)
export const SceneExport3d = exported('3d', SceneBody3d, 'A scene of space as a file.', EXAMPLE_3D)

export const GeoJsonFeatures = Type.Object(
  {
    type: Type.Literal('FeatureCollection'),
    features: Type.Array(Type.Object({}), { description: 'A feature for each body, by id (RFC 7946).' }),
  },
  named('GeoJsonFeatures', 'The bodies of a scene as GeoJSON, in a plane and not on a globe.'),
)
