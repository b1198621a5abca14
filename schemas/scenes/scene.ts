// Scenes themselves: /v1/2d/scenes, /v1/2d/scenes/{sceneId}.

import { type Static, Type } from '@sinclair/typebox'
import { index, length } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { Vec2 } from '../vec2.ts'
import { identifier } from './scene-body.ts'

/** Longest ttl, in seconds: ten years. */
export const MAX_TTL = 315_360_000

const ttl = { type: ['integer', 'null'], format: 'int32' }
const name = { type: ['string', 'null'] }
const NAME_MEANING = 'For people to read; need not be unique.'
const TTL_MEANING =
  'Seconds after which the scene is deleted when nobody has written to it or asked about it; null for never.'
const MARGIN_MEANING =
  'Length by which boxes in the tree are widened, so that small moves cost less. It changes no answer.'

export const version = (description: string) => Type.Integer({ format: 'int64', minimum: 0, description })

export const SceneRequest = Type.Object(
  {
    name: Type.Optional(
      Type.Unsafe<string | null>({ ...name, maxLength: 200, description: `${NAME_MEANING} null for none.` }),
    ),
    ttl: Type.Optional(
      Type.Unsafe<number | null>({
        ...ttl,
        minimum: 1,
        maximum: MAX_TTL,
        description: `${TTL_MEANING} As the service is configured (SCENE_TTL) when absent.`,
      }),
    ),
    margin: Type.Optional(length(`${MARGIN_MEANING} 0 when absent.`)),
  },
  named('SceneRequest', 'A scene to be made, or the settings of one that is there: those that are absent stay.', {
    settings: { name: 'Cellar', margin: 0.25 },
  }),
)
export type SceneRequest = Static<typeof SceneRequest>

export const SceneBounds = Type.Object(
  { min: reference(Vec2, 'Least x and y.'), max: reference(Vec2, 'Greatest x and y.') },
  named('SceneBounds', 'The box around bodies, rounded outward.'),
)
export type SceneBounds = Static<typeof SceneBounds>

export const SceneDocument = Type.Object(
  {
    id: identifier('The scene’s id.'),
    name: Type.Unsafe<string | null>({ ...name, description: NAME_MEANING }),
    ttl: Type.Unsafe<number | null>({ ...ttl, description: TTL_MEANING }),
    margin: length(MARGIN_MEANING),
    version: version('Number of the last write. It grows by one with each; the first made the scene.'),
    bodyCount: index('Bodies in the scene.'),
    bounds: nullable(
      SceneBounds,
      'The box around all bodies that have bounds, which half-planes have not; null without any.',
    ),
    createdAt: Type.String({ format: 'date-time', description: 'When the scene was made.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'When it was last written to.' }),
  },
  named('SceneDocument', 'A scene: a set of bodies that the service keeps.'),
)
export type SceneDocument = Static<typeof SceneDocument>

export const cursorField = (what: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `Send it as cursor to get the ${what} that follow; null when there are no more.`,
  })

export const pageSize = Type.Optional(
  Type.Integer({ format: 'int32', minimum: 1, maximum: 1000, description: 'Most items of a page; 100 when absent.' }),
)
export const DEFAULT_PAGE_SIZE = 100

export const SceneListParameters = Type.Object(
  {
    limit: pageSize,
    cursor: Type.Optional(Type.String({ description: 'The next of the page before; the first page when absent.' })),
  },
  { additionalProperties: false },
)
export type SceneListParameters = Static<typeof SceneListParameters>

export const SceneList = Type.Object(
  {
    scenes: Type.Array(reference(SceneDocument), { description: 'Scenes, by id.' }),
    next: cursorField('scenes'),
  },
  named('SceneList', 'Scenes, a page at a time.'),
)
export type SceneList = Static<typeof SceneList>
