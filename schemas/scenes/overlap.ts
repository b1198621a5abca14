// POST /v1/2d/scenes/{sceneId}/overlap and /v1/3d/…: what does a place or a body meet?

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Examples } from '../dimensions.ts'
import { word } from '../quantity.ts'
import { Contact3dResponse, ContactResponse } from '../queries/contact.ts'
import { named, reference } from '../reference.ts'
import { bodyName, scenePlane, sceneSpace, selection, truncated, version } from './probe.ts'

function sceneOverlap<P extends TProperties, C extends TSchema>(
  { tag, probes }: { tag: string; probes: P },
  contact: C,
  examples: Examples,
) {
  const request = Type.Object(
    {
      ...probes,
      contacts: Type.Optional(
        Type.Boolean({ description: 'Ask for the contact with each body that is met; false when absent.' }),
      ),
      ...selection,
    },
    named(
      `SceneOverlap${tag}Request`,
      'A point, a box, a body, or one of the scene’s bodies: exactly one of them.',
      examples.request,
    ),
  )
  const met = Type.Object(
    {
      id: bodyName('The body that is met.'),
      relation: word(
        ['touching', 'overlapping'],
        'touching: boundaries meet, insides do not; overlapping: insides meet.',
      ),
      contact: Type.Optional(
        reference(contact, 'Present when contacts was true: the contact of what was asked about, A, with the body, B.'),
      ),
    },
    named(`SceneMetBody${tag}`, 'A body of the scene that is met.'),
  )
  const response = Type.Object(
    {
      version,
      bodies: Type.Array(reference(met), { description: 'The bodies that are met, by id. Touching counts.' }),
      truncated,
    },
    named(`SceneOverlap${tag}Response`, 'What is met.', examples.response),
  )
  return { request, met, response }
}

const MET = [
  {
    version: 2,
    bodies: [
      { id: 'crate', relation: 'touching' },
      { id: 'floor', relation: 'overlapping' },
    ],
    truncated: false,
  },
]

export const {
  request: SceneOverlapRequest,
  met: SceneMetBody,
  response: SceneOverlapResponse,
} = sceneOverlap(scenePlane, ContactResponse, {
  request: {
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
  },
  response: MET,
})
export type SceneMetBody = Static<typeof SceneMetBody>
export type SceneOverlapResponse = Static<typeof SceneOverlapResponse>

export const {
  request: SceneOverlap3dRequest,
  met: SceneMetBody3d,
  response: SceneOverlap3dResponse,
} = sceneOverlap(sceneSpace, Contact3dResponse, {
  request: {
    'body-elsewhere': { bodyId: 'hero', pose: { position: { x: 6.5, y: -0.25, z: 0 } } },
    point: { point: { x: 8, y: 1, z: 0 } },
    'contacts-of-new-body': {
      body: { shape: { type: 'sphere', radius: 1 }, position: { x: 8, y: 2.75, z: 0 } },
      contacts: true,
    },
  },
  response: MET,
})
export type SceneMetBody3d = Static<typeof SceneMetBody3d>
