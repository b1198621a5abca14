// POST /v1/2d/scenes/{sceneId}/overlap: what does a place or a body meet?

import { type Static, Type } from '@sinclair/typebox'
import { word } from '../quantity.ts'
import { ContactResponse } from '../queries/contact.ts'
import { named, reference } from '../reference.ts'
import { bodyName, probes, selection, truncated, version } from './probe.ts'

export const SceneOverlapRequest = Type.Object(
  {
    ...probes,
    contacts: Type.Optional(
      Type.Boolean({ description: 'Ask for the contact with each body that is met; false when absent.' }),
    ),
    ...selection,
  },
  named('SceneOverlapRequest', 'A point, a box, a body, or one of the scene’s bodies: exactly one of them.', {
    'body-elsewhere': { bodyId: 'hero', pose: { position: { x: 6.5, y: -0.25 } } },
    point: { point: { x: 8, y: 1 } },
    'box-without-walls': {
      aabb: { min: { x: -1, y: -1 }, max: { x: 9, y: 3 } },
      filter: { tags: { none: ['wall'] }, sensors: 'exclude' },
    },
    'contacts-of-new-body': {
      body: { shape: { type: 'circle', radius: 1 }, position: { x: 8, y: 2.75 } },
      contacts: true,
    },
  }),
)
export type SceneOverlapRequest = Static<typeof SceneOverlapRequest>

export const SceneMetBody = Type.Object(
  {
    id: bodyName('The body that is met.'),
    relation: word(
      ['touching', 'overlapping'],
      'touching: boundaries meet, insides do not; overlapping: insides meet.',
    ),
    contact: Type.Optional(
      reference(
        ContactResponse,
        'Present when contacts was true: the contact of what was asked about, A, with the body, B.',
      ),
    ),
  },
  named('SceneMetBody', 'A body of the scene that is met.'),
)
export type SceneMetBody = Static<typeof SceneMetBody>

export const SceneOverlapResponse = Type.Object(
  {
    version,
    bodies: Type.Array(reference(SceneMetBody), { description: 'The bodies that are met, by id. Touching counts.' }),
    truncated,
  },
  named('SceneOverlapResponse', 'What is met.', [
    {
      version: 2,
      bodies: [
        { id: 'crate', relation: 'touching' },
        { id: 'floor', relation: 'overlapping' },
      ],
      truncated: false,
    },
  ]),
)
export type SceneOverlapResponse = Static<typeof SceneOverlapResponse>
