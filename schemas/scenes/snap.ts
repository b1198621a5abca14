// POST /v1/2d/scenes/{sceneId}/snap and /v1/3d/…: which small motions bring a body flush with what is near?

import { type Static, type TObject, type TProperties, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'
import type { Examples } from '../dimensions.ts'
import { index, length, real, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Quaternion, Vec3 } from '../vector.ts'
import { scenePlane, sceneSpace, selection, truncated, version } from './probe.ts'

/** What the two dimensions say about features and turns. */
interface Words<F extends readonly string[]> {
  features: F
  meanings: string
  defaults: string
  cellSize: string
  turn: string
}

function sceneSnap<
  V extends TSchema,
  P extends TProperties,
  F extends readonly string[],
  Feature extends TObject,
  Turned extends TProperties,
>(
  { tag, vector, movers, origin }: { tag: string; vector: V; movers: P; origin: string },
  { features, meanings, defaults, cellSize, turn }: Words<F>,
  feature: Feature,
  turned: Turned,
  examples: Examples,
) {
  const grid = Type.Object(
    {
      size: reference(vector, cellSize),
      origin: Type.Optional(reference(vector, `A corner of a cell, world frame; ${origin} when absent.`)),
    },
    named(`SnapGrid${tag}`, 'A grid of equal cells along the axes.'),
  )
  const candidate = Type.Object(
    {
      translation: reference(vector, 'How far it is moved.'),
      ...turned,
      position: reference(
        vector,
        'Where its position lies then, world frame: give this to a write, the sum may be rounded.',
      ),
      distance: length('The length of the translation.'),
      feature: reference(feature, 'Which feature of the body.'),
      id: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'The body that it is brought onto; null of the grid.',
      }),
      target: reference(feature, 'Which feature of that body, or the grid.'),
    },
    named(`SnapCandidate${tag}`, 'One motion after which a feature lies on another and the body overlaps nothing.'),
  )
  const request = Type.Object(
    {
      ...movers,
      maxDistance: length('How far it may be moved at most, a length.'),
      features: Type.Optional(
        Type.Array(word(features, meanings) as TUnsafe<F[number]>, {
          minItems: 1,
          maxItems: features.length,
          description: `Which features; ${defaults} when absent, and grid if one is given.`,
        }),
      ),
      grid: Type.Optional(reference(grid, 'The grid of the feature grid.')),
      rotate: Type.Optional(Type.Boolean({ description: turn })),
      ...selection,
    },
    named(
      `SceneSnap${tag}Request`,
      'A body, or one of the scene’s, where it was let go. Nothing is moved by asking.',
      examples.request,
    ),
  )
  const response = Type.Object(
    {
      version,
      candidates: Type.Array(reference(candidate), {
        description: 'By distance, then by the size of the turn; one for each place.',
      }),
      truncated,
    },
    named(`SceneSnap${tag}Response`, 'The motions that snap it, nearest first.', examples.response),
  )
  return { grid, candidate, request, response }
}

const FEATURE_PATH = Type.Optional(
  Type.Array(index('Index in the children of a compound.'), { description: 'As in ShapeFeature.' }),
)

export const SnapFeature = Type.Object(
  {
    kind: word(
      ['vertex', 'edge', 'surface', 'midpoint', 'center', 'corner', 'grid'],
      'vertex, edge, surface: as in ShapeFeature; midpoint: the middle of an edge; center: the middle of the box around the body; corner: a corner of that box; grid: the grid.',
    ),
    index: index(
      'As in ShapeFeature, of a midpoint that of its edge; 0 of a center and of the grid; of a corner 0 for (min, min), and on counter-clockwise.',
    ),
    path: FEATURE_PATH,
  },
  named('SnapFeature', 'A feature that was brought onto another, or what it was brought onto.'),
)
export type SnapFeature = Static<typeof SnapFeature>

export const {
  grid: SnapGrid,
  candidate: SnapCandidate,
  request: SceneSnapRequest,
  response: SceneSnapResponse,
} = sceneSnap(
  scenePlane,
  {
    features: ['vertex', 'edge', 'midpoint', 'center', 'grid'] as const,
    meanings:
      'vertex: corners onto corners, and onto sides with edge; edge: sides onto sides that face them, and curved boundaries until they touch; midpoint: middles of sides onto each other; center: the middles of the boxes around bodies onto each other; grid: those of the other features that are named onto the grid, or the corners of the box around the body where none is named, or where it has none, as a circle has no corners.',
    defaults: 'vertex, edge and midpoint',
    cellSize: 'Width and height of a cell, both greater than 0.',
    turn: 'Whether it may also be turned, about its position and by at most a quarter turn, so that a side lies on a side; false when absent.',
  },
  SnapFeature,
  { rotation: real('How far it is turned, in radians; 0 unless rotate allows more.') },
  {
    request: {
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
    },
    response: [
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
    ],
  },
)
export type SnapGrid = Static<typeof SnapGrid>
export type SnapCandidate = Static<typeof SnapCandidate>
export type SceneSnapRequest = Static<typeof SceneSnapRequest>
export type SceneSnapResponse = Static<typeof SceneSnapResponse>

export const SnapFeature3d = Type.Object(
  {
    kind: word(
      ['vertex', 'edge', 'face', 'surface', 'midpoint', 'center', 'corner', 'grid'],
      'vertex, edge, face, surface: as in ShapeFeature3d; midpoint: the middle of an edge or of a face; center: the middle of the box around the body; corner: a corner of that box; grid: the grid.',
    ),
    vertices: Type.Array(index('Index of a vertex, from 0, in the order of the shape as it was sent.'), {
      description:
        'As in ShapeFeature3d, of a midpoint those of its edge or face; of a corner one number, whose bit 0 is set at the greater x, bit 1 at the greater y, and bit 2 at the greater z; empty for the round faces of cylinders and cones, centers and the grid.',
    }),
    triangle: Type.Optional(index('Of faces of meshes and height fields: the index of the triangle.')),
    group: Type.Optional(index('The number that groups has for that triangle, of meshes that have groups.')),
    path: FEATURE_PATH,
  },
  named('SnapFeature3d', 'A feature that was brought onto another, or what it was brought onto.'),
)
export type SnapFeature3d = Static<typeof SnapFeature3d>

export const {
  grid: SnapGrid3d,
  candidate: SnapCandidate3d,
  request: SceneSnap3dRequest,
  response: SceneSnap3dResponse,
} = sceneSnap(
  sceneSpace,
  {
    features: ['vertex', 'edge', 'face', 'midpoint', 'center', 'grid'] as const,
    meanings:
      'vertex: corners onto corners, and onto edges with edge, onto faces with face; edge: edges onto edges along which they run, and onto faces with face; face: flat faces onto faces that look at them, and curved boundaries until they touch; midpoint: middles of edges onto middles of edges, those of faces onto those of faces; center: the middles of the boxes around bodies onto each other; grid: those of the other features that are named onto the grid, or the corners of the box around the body where none is named, or where it has none. The faces of a mesh are its triangles, and have no middles; edges between triangles of one plane do not count.',
    defaults: 'vertex, edge, face and midpoint',
    cellSize: 'The sides of a cell, all greater than 0.',
    turn: 'Whether it may also be turned, about its position and by at most a quarter turn, so that a face lies on a face, or an edge on an edge; false when absent.',
  },
  SnapFeature3d,
  {
    rotation: reference(
      Vec3,
      'How far it is turned: the axis times the angle in radians, world axes; 0 unless rotate allows more.',
    ),
    orientation: reference(Quaternion, 'Its orientation then: give this to a write.'),
  },
  {
    request: {
      'beside-crate': {
        bodyId: 'door',
        pose: { position: { x: 6.25, y: 1, z: 0.25 } },
        maxDistance: 0.5,
        features: ['face'],
        filter: { ids: { exclude: ['floor'] } },
      },
      'onto-floor': {
        body: {
          shape: { type: 'box', size: { x: 1, y: 1, z: 1 } },
          position: { x: 2, y: 0.75, z: 2 },
          orientation: { x: 0, y: 0, z: 0.1, w: 0.995 },
        },
        maxDistance: 0.5,
        features: ['face'],
        rotate: true,
        limit: 1,
      },
    },
    response: [
      {
        version: 2,
        candidates: [
          {
            translation: { x: 0.25, y: 0, z: 0 },
            rotation: { x: 0, y: 0, z: 0 },
            orientation: { x: 0, y: 0, z: 0, w: 1 },
            position: { x: 6.5, y: 1, z: 0.25 },
            distance: 0.25,
            feature: { kind: 'face', vertices: [1, 3, 7, 5] },
            id: 'crate',
            target: { kind: 'face', vertices: [0, 4, 6, 2] },
          },
        ],
        truncated: false,
      },
      {
        version: 2,
        candidates: [
          {
            translation: { x: 0, y: -0.25, z: 0 },
            rotation: { x: 0, y: 0, z: -0.20033232977585025 },
            orientation: { x: 0, y: 0, z: 0, w: 1 },
            position: { x: 2, y: 0.5, z: 2 },
            distance: 0.25,
            feature: { kind: 'face', vertices: [0, 1, 5, 4] },
            id: 'floor',
            target: { kind: 'face', vertices: [2, 6, 7, 3] },
          },
        ],
        truncated: true,
      },
    ],
  },
)
export type SnapGrid3d = Static<typeof SnapGrid3d>
export type SnapCandidate3d = Static<typeof SnapCandidate3d>
export type SceneSnap3dRequest = Static<typeof SceneSnap3dRequest>
export type SceneSnap3dResponse = Static<typeof SceneSnap3dResponse>
