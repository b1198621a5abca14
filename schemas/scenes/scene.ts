// Scenes and lists of their bodies: /v1/2d/scenes, /v1/2d/scenes/{sceneId} and below.

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { plane, space } from '../dimensions.ts'
import { index, length, real } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { identifier, SceneBody, SceneBody3d, tagText } from './body.ts'
import { atLeast, content } from './headers.ts'

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

/** The box around bodies, and the document of a scene that has one. */
function sceneDocuments<V extends TSchema>({
  tag,
  vector,
  axes,
  halves,
  ofSpace,
}: {
  tag: string
  vector: V
  axes: string
  halves: string
  ofSpace: string
}) {
  const bounds = Type.Object(
    { min: reference(vector, `Least ${axes}.`), max: reference(vector, `Greatest ${axes}.`) },
    named(`SceneBounds${tag}`, 'The box around bodies, rounded outward.'),
  )
  const document = Type.Object(
    {
      id: identifier('The scene’s id.'),
      name: Type.Unsafe<string | null>({ ...name, description: NAME_MEANING }),
      ttl: Type.Unsafe<number | null>({ ...ttl, description: TTL_MEANING }),
      margin: length(MARGIN_MEANING),
      version: version('Number of the last write. It grows by one with each; the first made the scene.'),
      bodyCount: index('Bodies in the scene.'),
      bounds: nullable(
        bounds,
        `The box around all bodies that have bounds, which ${halves} have not; null without any.`,
      ),
      createdAt: Type.String({ format: 'date-time', description: 'When the scene was made.' }),
      updatedAt: Type.String({ format: 'date-time', description: 'When it was last written to.' }),
    },
    named(`SceneDocument${tag}`, `A scene${ofSpace}: a set of bodies that the service keeps.`),
  )
  return { bounds, document }
}

export const { bounds: SceneBounds, document: SceneDocument } = sceneDocuments(plane)
export type SceneBounds = Static<typeof SceneBounds>
export type SceneDocument = Static<typeof SceneDocument>
export const { bounds: SceneBounds3d, document: SceneDocument3d } = sceneDocuments(space)
export type SceneDocument3d = Static<typeof SceneDocument3d>

const cursorField = (what: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `Send it as cursor to get the ${what} that follow; null when there are no more.`,
  })

const pageSize = Type.Optional(
  Type.Integer({ format: 'int32', minimum: 1, maximum: 1000, description: 'Most items of a page; 100 when absent.' }),
)
export const DEFAULT_PAGE_SIZE = 100

export const SceneListParameters = Type.Object({
  limit: pageSize,
  cursor: Type.Optional(Type.String({ description: 'The next of the page before; the first page when absent.' })),
})
export type SceneListParameters = Static<typeof SceneListParameters>

const EXAMPLE = { id: 'floor', shape: { type: 'box', width: 4, height: 1 }, position: { x: 0, y: -1 } }
const EXAMPLE_3D = {
  id: 'floor',
  shape: { type: 'box', size: { x: 4, y: 1, z: 4 } },
  position: { x: 0, y: -1, z: 0 },
}

/** Answers with scenes or with their bodies. */
function sceneAnswers<D extends TSchema, B extends TSchema>(
  { tag, ofSpace }: { tag: string; ofSpace: string },
  document: D,
  body: B,
  example: object,
) {
  const list = Type.Object(
    { scenes: Type.Array(reference(document), { description: 'Scenes, by id.' }), next: cursorField('scenes') },
    named(`SceneList${tag}`, `Scenes${ofSpace}, a page at a time.`),
  )
  const response = Type.Object(
    { version: version('The version of the scene that the body is of.'), body: reference(body, 'The body.') },
    named(`SceneBody${tag}Response`, `A body of a scene${ofSpace}.`, [{ version: 2, body: example }]),
  )
  const bodies = Type.Object(
    {
      version: version('The version of the scene that the list is of.'),
      bodies: Type.Array(reference(body), {
        description:
          'Bodies, in the order in which the scene holds them: more or less that in which they came. A body that is there from the first page to the last is listed once.',
      }),
      next: cursorField('bodies'),
    },
    named(`SceneBody${tag}List`, `Bodies of a scene${ofSpace}, a page at a time.`, [
      { version: 2, bodies: [example], next: null },
    ]),
  )
  return { list, response, bodies }
}

export const {
  list: SceneList,
  response: SceneBodyResponse,
  bodies: SceneBodyList,
} = sceneAnswers(plane, SceneDocument, SceneBody, EXAMPLE)
export type SceneList = Static<typeof SceneList>
export type SceneBodyResponse = Static<typeof SceneBodyResponse>
export const {
  list: SceneList3d,
  response: SceneBody3dResponse,
  bodies: SceneBody3dList,
} = sceneAnswers(space, SceneDocument3d, SceneBody3d, EXAMPLE_3D)

export const SceneBodyPutResponse = Type.Object(
  {
    version: version('The number of this write.'),
    created: Type.Boolean({ description: 'Whether the body is new; false when it took the place of another.' }),
  },
  named('SceneBodyPutResponse', 'The body is in the scene, and durable.', [{ version: 2, created: true }]),
)
export type SceneBodyPutResponse = Static<typeof SceneBodyPutResponse>

export const SceneVersionResponse = Type.Object(
  { version: version('The number of this write.') },
  named('SceneVersionResponse', 'The write is durable.', [{ version: 3 }]),
)
export type SceneVersionResponse = Static<typeof SceneVersionResponse>

const side = (description: string) => Type.Optional(real(`${description} of a box; without an end there when absent.`))

/** Format of the `next` field of a list of bodies. */
export const BODY_CURSOR_PATTERN = '^[0-9]{1,10}$'

const bodyTag = Type.Optional(Type.String({ ...tagText, description: 'Only bodies with this tag.' }))
const bodyPages = {
  limit: pageSize,
  cursor: Type.Optional(
    Type.String({
      pattern: BODY_CURSOR_PATTERN,
      description: 'The next of the page before; the first page when absent.',
    }),
  ),
  content,
  atLeast,
}
const MEETING = 'Only bodies whose axis-aligned boxes meet a given one: least x'

export const SceneBodyListParameters = Type.Object({
  tag: bodyTag,
  minX: side(MEETING),
  minY: side('Least y'),
  maxX: side('Greatest x'),
  maxY: side('Greatest y'),
  ...bodyPages,
})

export const SceneBody3dListParameters = Type.Object({
  tag: bodyTag,
  minX: side(MEETING),
  minY: side('Least y'),
  minZ: side('Least z'),
  maxX: side('Greatest x'),
  maxY: side('Greatest y'),
  maxZ: side('Greatest z'),
  ...bodyPages,
})
export type SceneBodyListParameters = Static<typeof SceneBody3dListParameters>

/** The scene of all examples in the OpenAPI document, at version 2. */
export const exampleBodies = [
  { id: 'floor', shape: { type: 'aabb', min: { x: -10, y: -1 }, max: { x: 10, y: 0 } }, tags: ['wall'] },
  { id: 'crate', shape: { type: 'box', width: 2, height: 2 }, position: { x: 8, y: 1 }, tags: ['prop'] },
  {
    id: 'hero',
    shape: { type: 'capsule', a: { x: 0, y: 0.5 }, b: { x: 0, y: 1.5 }, radius: 0.5 },
    tags: ['character'],
  },
  {
    id: 'ball',
    shape: { type: 'circle', radius: 0.5 },
    position: { x: -6, y: 4 },
    velocity: { x: 0, y: -2 },
    tags: ['prop'],
  },
  { id: 'door', shape: { type: 'box', width: 1, height: 2 }, position: { x: -9, y: 1 }, sensor: true },
] as const

/** The same in space. */
export const exampleBodies3d = [
  { id: 'floor', shape: { type: 'aabb', min: { x: -10, y: -1, z: -10 }, max: { x: 10, y: 0, z: 10 } }, tags: ['wall'] },
  { id: 'crate', shape: { type: 'box', size: { x: 2, y: 2, z: 2 } }, position: { x: 8, y: 1, z: 0 }, tags: ['prop'] },
  {
    id: 'hero',
    shape: { type: 'capsule', a: { x: 0, y: 0.5, z: 0 }, b: { x: 0, y: 1.5, z: 0 }, radius: 0.5 },
    tags: ['character'],
  },
  {
    id: 'ball',
    shape: { type: 'sphere', radius: 0.5 },
    position: { x: -6, y: 4, z: 0 },
    velocity: { x: 0, y: -2, z: 0 },
    tags: ['prop'],
  },
  { id: 'door', shape: { type: 'box', size: { x: 1, y: 2, z: 2 } }, position: { x: -9, y: 1, z: 0 }, sensor: true },
] as const
