// POST /v1/2d/scenes/{sceneId}/snap: which small motions bring a body flush with what is near?

import { type Static, Type } from '@sinclair/typebox'
import { index, length, real, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Vec2 } from '../vector.ts'
import { movers, selection, truncated, version } from './probe.ts'

export const SnapGrid = Type.Object(
  {
    size: reference(Vec2, 'Width and height of a cell, both greater than 0.'),
    origin: Type.Optional(reference(Vec2, 'A corner of a cell, world frame; (0, 0) when absent.')),
  },
  named('SnapGrid', 'A grid of equal cells along the axes.'),
)
export type SnapGrid = Static<typeof SnapGrid>

export const SnapFeature = Type.Object(
  {
    kind: word(
      ['vertex', 'edge', 'surface', 'midpoint', 'center', 'corner', 'grid'],
      'vertex, edge, surface: as in ShapeFeature; midpoint: the middle of an edge; center: the middle of the box around the body; corner: a corner of that box; grid: the grid.',
    ),
    index: index(
      'As in ShapeFeature, of a midpoint that of its edge; 0 of a center and of the grid; of a corner 0 for (min, min), and on counter-clockwise.',
    ),
    path: Type.Optional(
      Type.Array(index('Index in the children of a compound.'), { description: 'As in ShapeFeature.' }),
    ),
  },
  named('SnapFeature', 'A feature that was brought onto another, or what it was brought onto.'),
)
export type SnapFeature = Static<typeof SnapFeature>

export const SnapCandidate = Type.Object(
  {
    translation: reference(Vec2, 'How far it is moved.'),
    rotation: real('How far it is turned, in radians; 0 unless rotate allows more.'),
    position: reference(
      Vec2,
      'Where its position lies then, world frame: give this to a write, the sum may be rounded.',
    ),
    distance: length('The length of the translation.'),
    feature: reference(SnapFeature, 'Which feature of the body.'),
    id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The body that it is brought onto; null of the grid.',
    }),
    target: reference(SnapFeature, 'Which feature of that body, or the grid.'),
  },
  named('SnapCandidate', 'One motion after which a feature lies on another and the body overlaps nothing.'),
)
export type SnapCandidate = Static<typeof SnapCandidate>

export const SceneSnapRequest = Type.Object(
  {
    ...movers,
    maxDistance: length('How far it may be moved at most, a length.'),
    features: Type.Optional(
      Type.Array(
        word(
          ['vertex', 'edge', 'midpoint', 'center', 'grid'],
          'vertex: corners onto corners, and onto sides with edge; edge: sides onto sides that face them, and curved boundaries until they touch; midpoint: middles of sides onto each other; center: the middles of the boxes around bodies onto each other; grid: those of the other features that are named onto the grid, or the corners of the box around the body where none is named, or where it has none, as a circle has no corners.',
        ),
        {
          minItems: 1,
          maxItems: 5,
          description: 'Which features; vertex, edge and midpoint when absent, and grid if one is given.',
        },
      ),
    ),
    grid: Type.Optional(reference(SnapGrid, 'The grid of the feature grid.')),
    rotate: Type.Optional(
      Type.Boolean({
        description:
          'Whether it may also be turned, about its position and by at most a quarter turn, so that a side lies on a side; false when absent.',
      }),
    ),
    ...selection,
  },
  named('SceneSnapRequest', 'A body, or one of the scene’s, where it was let go. Nothing is moved by asking.', {
    'beside-crate': {
      bodyId: 'hero',
      pose: { position: { x: 6.25, y: 0 } },
      maxDistance: 0.5,
      filter: { ids: { exclude: ['floor'] } },
      limit: 1,
    },
    'to-grid': {
      body: { shape: { type: 'box', width: 1, height: 1 }, position: { x: 0.625, y: 8.5 } },
      maxDistance: 0.25,
      features: ['vertex', 'grid'],
      grid: { size: { x: 1, y: 1 } },
      limit: 1,
    },
  }),
)
export type SceneSnapRequest = Static<typeof SceneSnapRequest>

export const SceneSnapResponse = Type.Object(
  {
    version,
    candidates: Type.Array(reference(SnapCandidate), {
      description: 'By distance, then by the size of the turn; one for each place.',
    }),
    truncated,
  },
  named('SceneSnapResponse', 'The motions that snap it, nearest first.', [
    {
      version: 2,
      candidates: [
        {
          translation: { x: 0.25, y: 0 },
          rotation: 0,
          position: { x: 6.5, y: 0 },
          distance: 0.25,
          feature: { kind: 'midpoint', index: 0 },
          id: 'crate',
          target: { kind: 'midpoint', index: 3 },
        },
      ],
      truncated: false,
    },
    {
      version: 2,
      candidates: [
        {
          translation: { x: -0.125, y: 0 },
          rotation: 0,
          position: { x: 0.5, y: 8.5 },
          distance: 0.125,
          feature: { kind: 'vertex', index: 0 },
          id: null,
          target: { kind: 'grid', index: 0 },
        },
      ],
      truncated: false,
    },
  ]),
)
export type SceneSnapResponse = Static<typeof SceneSnapResponse>
