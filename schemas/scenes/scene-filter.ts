// Which bodies of a scene a query looks at.

import { type Static, Type } from '@sinclair/typebox'
import { word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { identifier, tagText } from './scene-body.ts'

/** Most tags, or ids, of one list. */
const MAX_FILTER_TAGS = 1000
const MAX_FILTER_IDS = 100_000

const tags = (description: string) =>
  Type.Optional(Type.Array(Type.String(tagText), { maxItems: MAX_FILTER_TAGS, description }))
const ids = (description: string) =>
  Type.Optional(Type.Array(identifier('A body.'), { maxItems: MAX_FILTER_IDS, description }))

export const SceneTagFilter = Type.Object(
  {
    any: tags('Bodies with one of these tags at least.'),
    all: tags('Bodies with all of these tags.'),
    none: tags('Bodies with none of these tags.'),
  },
  named('SceneTagFilter', 'Bodies by their tags; what is absent lets every body pass.'),
)
export type SceneTagFilter = Static<typeof SceneTagFilter>

export const SceneIdFilter = Type.Object(
  {
    include: ids('These bodies and no others. Ids that no body has are no mistake.'),
    exclude: ids('All but these bodies.'),
  },
  named('SceneIdFilter', 'Bodies by their ids; what is absent lets every body pass.'),
)
export type SceneIdFilter = Static<typeof SceneIdFilter>

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
