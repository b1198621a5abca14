// POST /v1/2d/scenes/{sceneId}/drop and /v1/3d/…: where does a body come to rest when it falls?

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Examples } from '../dimensions.ts'
import { length, nullableReal, word } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { Quaternion } from '../vector.ts'
import { SceneMoveContact, SceneMoveContact3d } from './move.ts'
import { scenePlane, sceneSpace, selection, truncated, version } from './probe.ts'
import { SceneSeparation, SceneSeparation3d } from './separate.ts'

function sceneDrop<
  P extends TProperties,
  V extends TSchema,
  T extends TProperties,
  C extends TSchema,
  S extends TSchema,
>(
  { tag, movers, vector }: { tag: string; movers: P; vector: V },
  /** Which way is down in the frame that has a use for an example, and what counts as a side. */
  { down, sides }: { down: string; sides: string },
  { turn, contact, separation }: { turn: T; contact: C; separation: S },
  examples: Examples,
) {
  const request = Type.Object(
    {
      ...movers,
      direction: reference(vector, `Which way it falls, world frame, any length but 0: ${down}.`),
      maxDistance: Type.Optional(length('How far it falls at most, a length; any distance when absent.')),
      align: Type.Optional(
        word(
          ['face', 'normal'],
          `How it is turned to what it lands on. face: by the least turn that lays a side of its own, or of the hull around it, on that, as if it rolled over; normal: so that what looked against the direction looks along the surface’s normal. It is not turned when absent. ${sides}`,
        ),
      ),
      ...selection,
    },
    named(
      `SceneDrop${tag}Request`,
      'A body, or one of the scene’s, and which way it falls. Nothing is moved by asking.',
      examples.request,
    ),
  )
  const response = Type.Object(
    {
      version,
      status: word(
        ['landed', 'nothing-below', 'started-overlapping'],
        'landed: it rests on something; nothing-below: there is nothing within maxDistance; started-overlapping: it stood in something from the start by more than rounding and did not fall (ask place or separate first).',
      ),
      position: nullable(
        vector,
        'Where its position lies when it has landed, world frame: it touches at most there. null when it has not landed.',
      ),
      ...turn,
      distance: nullableReal('How far it fell, a length.'),
      aligned: Type.Boolean({
        description:
          'Whether it lies as align asks; false without align, and where there was no room to turn, or no such rest was found.',
      }),
      contact: nullable(
        contact,
        'What it landed on; of several things the one with the least id. What it only slides along does not hold it.',
      ),
      separation: nullable(
        separation,
        'How it was first let out of what it stood in by no more than rounding, within 4 units in the last place of its coordinates; null when it stood free, or deeper than that. The distance counts from there.',
      ),
      truncated: { ...truncated, description: 'Always false: there is one rest.' },
    },
    named(`SceneDrop${tag}Response`, 'Where it came to rest.', examples.response),
  )
  return { request, response }
}

export const { request: SceneDropRequest, response: SceneDropResponse } = sceneDrop(
  scenePlane,
  {
    down: '(0, 1) where y points down',
    sides: 'Ellipses lie on their long side; in compounds only straight parts, circles and capsules are sides.',
  },
  {
    turn: { rotation: nullableReal('Its rotation then, in radians; its own unless it was turned.') },
    contact: SceneMoveContact,
    separation: SceneSeparation,
  },
  {
    request: {
      'onto-crate': {
        body: { shape: { type: 'box', width: 1, height: 1 }, position: { x: 8, y: 6 }, rotation: 0.25 },
        direction: { x: 0, y: -1 },
        align: 'face',
      },
      'of-scene': { bodyId: 'hero', direction: { x: 0, y: 1 }, maxDistance: 10 },
    },
    response: [
      {
        version: 2,
        status: 'landed',
        position: { x: 8, y: 2.5 },
        rotation: 0,
        distance: 3.5,
        aligned: true,
        contact: { id: 'crate', point: { x: 8, y: 2 }, normal: { x: 0, y: 1 } },
        separation: null,
        truncated: false,
      },
      {
        version: 2,
        status: 'nothing-below',
        position: null,
        rotation: null,
        distance: null,
        aligned: false,
        contact: null,
        separation: null,
        truncated: false,
      },
    ],
  },
)
export type SceneDropRequest = Static<typeof SceneDropRequest>
export type SceneDropResponse = Static<typeof SceneDropResponse>

export const { request: SceneDrop3dRequest, response: SceneDrop3dResponse } = sceneDrop(
  sceneSpace,
  {
    down: '(0, -1, 0) where y points up',
    sides:
      'Cylinders, cones and capsules also lie on their round side, ellipsoids on their shortest axis. In compounds, sides are the flat ones of parts and what spans parts of one radius; where radii differ, also the planes that touch three core points with their radii, of at most 24.',
  },
  {
    turn: {
      orientation: nullable(
        Quaternion,
        'Its orientation then; its own unless it was turned. null when it has not landed.',
      ),
    },
    contact: SceneMoveContact3d,
    separation: SceneSeparation3d,
  },
  {
    request: {
      'onto-crate': {
        body: {
          shape: { type: 'box', size: { x: 1, y: 1, z: 1 } },
          position: { x: 8, y: 6, z: 0 },
          orientation: { x: 0, y: 0, z: 0.125, w: 0.992 },
        },
        direction: { x: 0, y: -1, z: 0 },
        align: 'face',
      },
      'of-scene': { bodyId: 'hero', direction: { x: 0, y: 1, z: 0 }, maxDistance: 10 },
    },
    response: [
      {
        version: 2,
        status: 'landed',
        position: { x: 8, y: 2.5, z: 0 },
        orientation: { x: 0, y: 0, z: 0, w: 1 },
        distance: 3.5,
        aligned: true,
        contact: { id: 'crate', point: { x: 8, y: 2, z: 0 }, normal: { x: 0, y: 1, z: 0 } },
        separation: null,
        truncated: false,
      },
      {
        version: 2,
        status: 'nothing-below',
        position: null,
        orientation: null,
        distance: null,
        aligned: false,
        contact: null,
        separation: null,
        truncated: false,
      },
    ],
  },
)
export type SceneDrop3dRequest = Static<typeof SceneDrop3dRequest>
export type SceneDrop3dResponse = Static<typeof SceneDrop3dResponse>
