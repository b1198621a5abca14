// POST /v1/2d/scenes/{sceneId}/pairs: which bodies of a scene meet each other?

import { type Static, Type } from '@sinclair/typebox'
import { word } from '../quantity.ts'
import { ContactResponse } from '../queries/contact.ts'
import { METHODS } from '../queries/pairs.ts'
import { named, reference } from '../reference.ts'
import { bodyName, selection, truncated, version } from './probe.ts'

export const ScenePairsRequest = Type.Object(
  {
    contacts: Type.Optional(Type.Boolean({ description: 'Ask for the contact of each pair; false when absent.' })),
    method: Type.Optional(
      word(
        ['auto', ...METHODS],
        'How bodies near each other are found. All methods give the same answer; auto keeps what it found for as long as it is asked again and again, and looks anew only at what has been written to since. auto when absent.',
      ),
    ),
    ...selection,
  },
  named('ScenePairsRequest', 'Which pairs are wanted: the filter holds for both bodies of a pair.', {
    all: {},
    'first-with-contacts': { contacts: true, filter: { sensors: 'exclude' }, limit: 1 },
  }),
)
export type ScenePairsRequest = Static<typeof ScenePairsRequest>

export const SceneMetPair = Type.Object(
  {
    a: bodyName('One of the two, the one whose id comes first.'),
    b: bodyName('The other.'),
    contact: Type.Optional(reference(ContactResponse, 'Present when contacts was true.')),
  },
  named('SceneMetPair', 'Two bodies of the scene that meet.'),
)
export type SceneMetPair = Static<typeof SceneMetPair>

export const ScenePairsResponse = Type.Object(
  {
    version,
    pairs: Type.Array(reference(SceneMetPair), { description: 'By the id of a, then by that of b. Touching counts.' }),
    truncated,
  },
  named('ScenePairsResponse', 'The pairs that meet.', [
    {
      version: 2,
      pairs: [
        { a: 'crate', b: 'floor' },
        { a: 'door', b: 'floor' },
        { a: 'floor', b: 'hero' },
      ],
      truncated: false,
    },
  ]),
)
export type ScenePairsResponse = Static<typeof ScenePairsResponse>
