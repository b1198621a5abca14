// GET /v1/2d/scenes/{sceneId}/render.svg: a scene as a picture.

import { type Static, Type } from '@sinclair/typebox'
import { tagText } from '../scenes/scene-body.ts'
import { atLeast } from '../scenes/scene-headers.ts'

const MOST_HIGHLIGHTED = 100
/** Pixels. */
const LEAST_SIZE = 16
const GREATEST_SIZE = 4096

const NUMBER = '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?'
export const RENDER_BOUNDS_PATTERN = `^${NUMBER}(,${NUMBER}){3}$`
const ID = '[A-Za-z0-9._:-]{1,128}'
export const HIGHLIGHT_PATTERN = `^${ID}(,${ID}){0,${MOST_HIGHLIGHTED - 1}}$`

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

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

export const SceneRenderParameters = Type.Object(
  {
    bounds: bounds(
      'All of it is seen, and more around it where width and height have another form. The whole scene when absent.',
    ),
    width: pixels('Width of the picture in pixels; 800 when absent.'),
    height: pixels('Height in pixels; what the form of the bounds asks for when absent.'),
    highlight: Type.Optional(
      Type.String({
        pattern: HIGHLIGHT_PATTERN,
        description: `Ids of bodies that are drawn so that they stand out, with commas between, ${MOST_HIGHLIGHTED} at most. Those that are not there are passed over.`,
      }),
    ),
    tag: Type.Optional(Type.String({ ...tagText, description: 'Only bodies with this tag.' })),
    bodies: flag('Draw the bodies; true when absent.'),
    labels: flag('Write ids at the largest bodies and numbers along the grid; true when absent.'),
    tree: flag('Draw the boxes of the tree that queries go through; false when absent.'),
    background: flag('Draw paper and grid; true when absent. Without them the picture can be laid over another.'),
    yDown,
    atLeast,
  },
  { additionalProperties: false },
)
export type SceneRenderParameters = Static<typeof SceneRenderParameters>

/** The query string of the queries of scenes. */
export const ScenePictureParameters = Type.Object(
  {
    bounds: bounds(
      'Of a picture: all of it is seen, and more around it where that has another form. What the question and its answer speak of when absent.',
    ),
    width: pixels(
      'Width of a picture in pixels, with which all that is in it grows and shrinks; 800 when absent. Its height follows from what is shown and said.',
    ),
    yDown,
    atLeast,
  },
  { additionalProperties: false },
)
export type ScenePictureParameters = Static<typeof ScenePictureParameters>
