// Fields that queries of a scene share: the place or body asked about, the bodies searched, and the number of results.

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { plane, space } from '../dimensions.ts'
import { real, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Quaternion } from '../vector.ts'
import { identifier, tagText } from './body.ts'
import { version as sceneVersion } from './scene.ts'

/** Maximum number of tags, and of ids, in one list. */
const MAX_FILTER_TAGS = 1000
const MAX_FILTER_IDS = 100_000

const tags = (description: string) =>
  Type.Optional(Type.Array(Type.String(tagText), { maxItems: MAX_FILTER_TAGS, description }))
const ids = (description: string) =>
  Type.Optional(Type.Array(identifier('A body.'), { maxItems: MAX_FILTER_IDS, description }))

const SceneTagFilter = Type.Object(
  {
    any: tags('Bodies with one of these tags at least.'),
    all: tags('Bodies with all of these tags.'),
    none: tags('Bodies with none of these tags.'),
  },
  named('SceneTagFilter', 'Bodies by their tags; what is absent lets every body pass.'),
)

const SceneIdFilter = Type.Object(
  {
    include: ids('These bodies and no others. Ids that no body has are no mistake.'),
    exclude: ids('All but these bodies.'),
  },
  named('SceneIdFilter', 'Bodies by their ids; what is absent lets every body pass.'),
)

export const SceneFilter = Type.Object(
  {
    tags: Type.Optional(reference(SceneTagFilter, 'By tags.')),
    ids: Type.Optional(reference(SceneIdFilter, 'By ids.')),
    sensors: Type.Optional(
      word(
        ['include', 'exclude', 'only'],
        'include: sensors like any body; exclude: no sensors; only: nothing but sensors. include when absent.',
      ),
    ),
  },
  named('SceneFilter', 'The bodies that a query looks at: those that pass everything that is given.'),
)
export type SceneFilter = Static<typeof SceneFilter>

/** Hard limit of results; the configured limit is at most this. */
export const MAX_RESULTS = 1_000_000

/** What queries of scenes of one dimension ask about. */
function probing<V extends TSchema, B extends TSchema, Turn extends TProperties>(
  { tag, vector, body }: { tag: string; vector: V; body: B },
  turn: Turn,
) {
  const aabb = Type.Object(
    {
      min: reference(vector, 'The corner with the lesser coordinates, world frame.'),
      max: reference(vector, 'The corner with the greater ones; not less than min in any.'),
    },
    named(`SceneAabb${tag}`, 'An axis-aligned box of the world.'),
  )
  const pose = Type.Object(
    {
      position: Type.Optional(reference(vector, 'Its position there, world frame; its own when absent.')),
      ...turn,
    },
    named(`ScenePose${tag}`, 'Where a body of the scene is taken to stand, instead of where it does.'),
  )
  /** The body asked about: one in the request or one of the scene. A request has exactly one of the first two. */
  const movers = {
    body: Type.Optional(reference(body, 'A body that is not of the scene. Give this or bodyId.')),
    bodyId: Type.Optional(identifier('A body of the scene, which does not meet itself.')),
    pose: Type.Optional(
      reference(pose, 'Only with bodyId: where that body is taken to stand; where it does when absent.'),
    ),
  }
  /** A body or a place. A request has exactly one of the four. */
  const probes = {
    point: Type.Optional(reference(vector, 'A point, world frame. Give this, aabb, body or bodyId.')),
    aabb: Type.Optional(reference(aabb, 'An axis-aligned box.')),
    ...movers,
    body: Type.Optional(reference(body, 'A body that is not of the scene.')),
  }
  return { aabb, pose, movers, probes }
}

const inPlane = probing(plane, {
  rotation: Type.Optional(real('Its rotation there, in radians; its own when absent. At most 1e100 in magnitude.')),
})
const inSpace = probing(space, {
  orientation: Type.Optional(reference(Quaternion, 'Its orientation there; its own when absent.')),
})
export type SceneAabb = Static<typeof inPlane.aabb>
export type ScenePose = Static<typeof inPlane.pose>
export type SceneAabb3d = Static<typeof inSpace.aabb>
export type ScenePose3d = Static<typeof inSpace.pose>

/** The schemas of a query of scenes are built once, from one of these. */
export const scenePlane = { ...plane, ...inPlane } as const
export const sceneSpace = { ...space, ...inSpace } as const
/** Filters the bodies and limits the number of results. */
export const selection = {
  filter: Type.Optional(reference(SceneFilter, 'The bodies of the scene that are looked at; all when absent.')),
  limit: Type.Optional(
    Type.Integer({
      format: 'int32',
      minimum: 1,
      maximum: MAX_RESULTS,
      description:
        'Most results; the answer says when it was cut short. As many as the service gives when absent, see maxResults at /v1/limits.',
    }),
  ),
}

/** The id of a body in a response. */
export const bodyName = (description: string) => Type.String({ description })

/** Part of every response. */
export const version = sceneVersion('The version of the scene that was looked at, also in the ETag.')

/** Part of every response that a limit may cut short. */
export const truncated = Type.Boolean({
  description: 'True when there is more than is given: the first ones in order are.',
})
