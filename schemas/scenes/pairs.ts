// POST /v1/2d/scenes/{sceneId}/pairs and /v1/3d/…: which bodies of a scene meet each other?

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Examples, plane, space } from '../dimensions.ts'
import { word } from '../quantity.ts'
import { Contact3dResponse, ContactResponse } from '../queries/contact.ts'
import { METHODS } from '../queries/pairs.ts'
import { named, reference } from '../reference.ts'
import { bodyName, selection, truncated, version } from './probe.ts'

function scenePairs<C extends TSchema>({ tag }: { tag: string }, contact: C, examples: Examples) {
  const request = Type.Object(
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
    named(
      `ScenePairs${tag}Request`,
      'Which pairs are wanted: the filter holds for both bodies of a pair.',
      examples.request,
    ),
  )
  const met = Type.Object(
    {
      a: bodyName('One of the two, the one whose id comes first.'),
      b: bodyName('The other.'),
      contact: Type.Optional(reference(contact, 'Present when contacts was true.')),
    },
    named(`SceneMetPair${tag}`, 'Two bodies of the scene that meet.'),
  )
  const response = Type.Object(
    {
      version,
      pairs: Type.Array(reference(met), { description: 'By the id of a, then by that of b. Touching counts.' }),
      truncated,
    },
    named(`ScenePairs${tag}Response`, 'The pairs that meet.', examples.response),
  )
  return { request, met, response }
}

const EXAMPLES: Examples = {
  request: { all: {}, 'first-with-contacts': { contacts: true, filter: { sensors: 'exclude' }, limit: 1 } },
  response: [
    {
      version: 2,
      pairs: [
        { a: 'crate', b: 'floor' },
        { a: 'door', b: 'floor' },
        { a: 'floor', b: 'hero' },
      ],
      truncated: false,
    },
  ],
}

export const {
  request: ScenePairsRequest,
  met: SceneMetPair,
  response: ScenePairsResponse,
} = scenePairs(plane, ContactResponse, EXAMPLES)
export type SceneMetPair = Static<typeof SceneMetPair>
export type ScenePairsResponse = Static<typeof ScenePairsResponse>

export const { request: ScenePairs3dRequest, response: ScenePairs3dResponse } = scenePairs(
  space,
  Contact3dResponse,
  EXAMPLES,
)
