// POST /v1/2d/decompose: a region as convex pieces; POST /v1/3d/decompose: a solid mesh as convex pieces or simple shapes.

import { type Static, Type } from '@sinclair/typebox'
import { progressForm } from '../progress.ts'
import { length, real, word } from '../quantity.ts'
import { named, reference, taggedUnion } from '../reference.ts'
import { MAX_POLYGON_VERTICES, RefShape, RegionShape } from '../shapes2d.ts'
import { Body3d, MeshShape3d } from '../shapes3d.ts'
import { Vec2, Vec3 } from '../vector.ts'
import { hullFaces } from './hull.ts'

/** Hard limit of maxPieces, and what it is when absent. */
const MAX_PIECES = 10_000
export const DEFAULT_PIECES = 16

const methods = [
  `exact: few pieces that make up the region exactly; as few as diagonals can cut it into when it has no holes, touches itself nowhere and has at most 64 vertices, close to that otherwise. Pieces take ${MAX_POLYGON_VERTICES} corners at most, so each can be sent back as a polygon.`,
  'triangles: the constrained Delaunay triangulation, with every vertex.',
  'approximate: at most maxPieces pieces that cover the region, and more than it by error; the exact ones where they are no more than that. Pieces lie in cells that straight cuts make, or are exact pieces joined, whichever has the lesser error. Where a cut crosses an edge, the corner is rounded, towards the outside of the region: the region is covered to the last bit, and pieces on two sides of a slanted cut may overlap by some units in the last place. A piece may have as many corners as the region.',
]

const at = (x: number, y: number): Vec2 => ({ x, y })
const NOTCHED = { type: 'region', outer: [at(0, 0), at(4, 0), at(4, 3), at(3, 3), at(3, 1), at(0, 1)] }

export const DecomposeRequest = Type.Object(
  {
    region: reference(RegionShape, 'The region, in its local frame; pieces are in the same.'),
    method: Type.Optional(word(['exact', 'triangles', 'approximate'], `${methods.join(' ')} exact when absent.`)),
    maxPieces: Type.Optional(
      Type.Integer({
        format: 'int32',
        minimum: 1,
        maximum: MAX_PIECES,
        description: `Most pieces of approximate; ${DEFAULT_PIECES} when absent. The other methods take no notice of it.`,
      }),
    ),
  },
  named('DecomposeRequest', 'A region to take apart.', {
    exact: { region: NOTCHED, method: 'exact' },
    approximate: { region: NOTCHED, method: 'approximate', maxPieces: 1 },
  }),
)
export type DecomposeRequest = Static<typeof DecomposeRequest>

export const DecomposeResponse = Type.Object(
  {
    pieces: Type.Array(Type.Array(reference(Vec2), { minItems: 3 }), {
      description:
        'Corners of each piece, counter-clockwise from the leftmost (the lowest of these), strictly convex. Pieces have no inside in common, and none where the region has no area. But for approximate, every corner is one of the region’s own vertices to the last bit, and together the pieces are the region, holes left open. A corner may lie along the side of another piece, but among triangles.',
    }),
    area: real('Area of the region, holes not counted.', { minimum: 0 }),
    error: real(
      'Area of all pieces less that of the region: a bound on what they have that it has not, as a square of lengths. 0 for exact and triangles.',
      { minimum: 0 },
    ),
  },
  named('DecomposeResponse', 'The pieces.', [
    {
      pieces: [
        [at(0, 0), at(4, 0), at(3, 1), at(0, 1)],
        [at(3, 1), at(4, 0), at(4, 3), at(3, 3)],
      ],
      area: 6,
      error: 0,
    },
    { pieces: [[at(0, 0), at(4, 0), at(4, 3), at(3, 3), at(0, 1)]], area: 6, error: 3 },
  ]),
)
export type DecomposeResponse = Static<typeof DecomposeResponse>

// Of space.

/** Hard limit of maxPieces in space, and what it and maxAddedVolume are when absent. */
const MAX_PIECES_3D = 256
export const DEFAULT_PIECES_3D = 64
export const DEFAULT_ADDED_VOLUME = 0.05

/** A kept shape has taken the place of a reference when a request is answered. */
const SolidMesh3d = Type.Unsafe<MeshShape3d>(
  taggedUnion('type', [MeshShape3d, RefShape], {
    $id: 'SolidMesh3d',
    description:
      'A mesh, or a kept one, taken as solid whatever its `solid` says: closed and wound one way (problem `mesh-not-closed`).',
  }),
)

/** An L of height 2, of which one edge is reflex. */
const NOTCHED_BLOCK = {
  type: 'mesh',
  vertices: [
    [0, 0, 0, 4, 0, 0, 4, 1, 0, 1, 1, 0, 1, 3, 0, 0, 3, 0],
    [0, 0, 2, 4, 0, 2, 4, 1, 2, 1, 1, 2, 1, 3, 2, 0, 3, 2],
  ].flat(),
  triangles: [
    [0, 2, 1, 0, 3, 2, 0, 5, 3, 3, 5, 4],
    [6, 7, 8, 6, 8, 9, 6, 9, 11, 9, 10, 11],
    [0, 1, 7, 0, 7, 6, 1, 2, 8, 1, 8, 7, 2, 3, 9, 2, 9, 8],
    [3, 4, 10, 3, 10, 9, 4, 5, 11, 4, 11, 10, 5, 0, 6, 5, 6, 11],
  ].flat(),
}

const methods3d = [
  `exact: convex pieces that do not overlap and are together the mesh, cut along reflex edges, of which there may be 256 (problem \`too-many-reflex-edges\`).`,
  'approximate: as few convex pieces as add no more than maxAddedVolume, but no more than maxPieces, that cover the mesh: planes cut it, the hulls of what lies in the cells are the pieces, and those that add least together are joined.',
  'primitives: such pieces, each enclosed by the least shape of kinds.',
  'Corners where a plane cuts an edge are the true ones where doubles hold them, else they are rounded outward: every point of the mesh lies in a piece to the last bit, and pieces may overlap by some 1e-12 of its size.',
]

export const Decompose3dRequest = Type.Object(
  {
    mesh: reference(SolidMesh3d, 'The mesh, in its local frame; pieces are in the same.'),
    method: Type.Optional(
      word(['exact', 'approximate', 'primitives'], `${methods3d.join(' ')} approximate when absent.`),
    ),
    maxPieces: Type.Optional(
      Type.Integer({
        format: 'int32',
        minimum: 1,
        maximum: MAX_PIECES_3D,
        description: `Most pieces; ${DEFAULT_PIECES_3D} when absent. exact takes no notice of it.`,
      }),
    ),
    maxAddedVolume: Type.Optional(
      real(
        `Volume that hulls may add, as a share of the mesh’s: there are no more pieces than that takes; ${DEFAULT_ADDED_VOLUME} when absent. exact takes no notice of it.`,
        { minimum: 0 },
      ),
    ),
    kinds: Type.Optional(
      Type.Array(word(['box', 'sphere', 'capsule', 'cylinder', 'hull'], 'A kind of shape.'), {
        minItems: 1,
        maxItems: 5,
        description:
          'Of primitives the shapes that may stand for a piece; all but hull when absent. With hull, pieces that no other shape encloses more closely stay hulls: that is all of them, but those that are boxes.',
      }),
    ),
  },
  named('Decompose3dRequest', 'A solid mesh to take apart.', {
    exact: { mesh: NOTCHED_BLOCK, method: 'exact' },
    primitives: { mesh: NOTCHED_BLOCK, method: 'primitives', maxPieces: 2, kinds: ['box'] },
  }),
)
export type Decompose3dRequest = Static<typeof Decompose3dRequest>

export const DecomposedPiece3d = Type.Object(
  {
    vertices: Type.Optional(
      Type.Array(reference(Vec3), {
        description:
          'Of a hull: corners, in the order of x, then y, then z. They can be sent back as a hull as they are.',
      }),
    ),
    faces: Type.Optional(hullFaces),
    body: Type.Optional(reference(Body3d, 'Of primitives: the shape that encloses the piece, placed.')),
    volume: real('Volume of the piece.', { minimum: 0 }),
    error: length(
      'How far the piece sticks out of the mesh: the greatest distance from the mesh of any point of it, as found by a search to within some hundredths of it or of the size of the piece. 0 for exact.',
    ),
  },
  named('DecomposedPiece3d', 'A convex piece: a hull by its corners and faces, or a body.'),
)
export type DecomposedPiece3d = Static<typeof DecomposedPiece3d>

export const Decompose3dResponse = Type.Object(
  {
    pieces: Type.Array(reference(DecomposedPiece3d), {
      description: 'The pieces, the largest first. None where the mesh has no volume.',
    }),
    volume: real('Volume of the mesh; what its surface goes round twice counts twice.', { minimum: 0 }),
    addedVolume: real(
      'Volume of all pieces less that of the mesh: a bound on what they have that it has not. 0 for exact.',
      { minimum: 0 },
    ),
    error: length('The greatest error of a piece.'),
  },
  named('Decompose3dResponse', 'The pieces.', [
    {
      pieces: [
        {
          vertices: [
            { x: 1, y: 0, z: 0 },
            { x: 1, y: 0, z: 2 },
            { x: 1, y: 1, z: 0 },
            { x: 1, y: 1, z: 2 },
            { x: 4, y: 0, z: 0 },
            { x: 4, y: 0, z: 2 },
            { x: 4, y: 1, z: 0 },
            { x: 4, y: 1, z: 2 },
          ],
          faces: [
            [0, 1, 3, 2],
            [0, 2, 6, 4],
            [0, 4, 5, 1],
            [1, 5, 7, 3],
            [2, 3, 7, 6],
            [4, 6, 7, 5],
          ],
          volume: 6,
          error: 0,
        },
        {
          vertices: [
            { x: 0, y: 0, z: 0 },
            { x: 0, y: 0, z: 2 },
            { x: 0, y: 3, z: 0 },
            { x: 0, y: 3, z: 2 },
            { x: 1, y: 0, z: 0 },
            { x: 1, y: 0, z: 2 },
            { x: 1, y: 3, z: 0 },
            { x: 1, y: 3, z: 2 },
          ],
          faces: [
            [0, 1, 3, 2],
            [0, 2, 6, 4],
            [0, 4, 5, 1],
            [1, 5, 7, 3],
            [2, 3, 7, 6],
            [4, 6, 7, 5],
          ],
          volume: 6,
          error: 0,
        },
      ],
      volume: 12,
      addedVolume: 0,
      error: 0,
    },
    {
      pieces: [
        {
          body: { shape: { type: 'box', size: { x: 1, y: 3, z: 2 } }, position: { x: 0.5, y: 1.5, z: 1 } },
          volume: 6,
          error: 0,
        },
        {
          body: { shape: { type: 'box', size: { x: 3, y: 1, z: 2 } }, position: { x: 2.5, y: 0.5, z: 1 } },
          volume: 6,
          error: 0,
        },
      ],
      volume: 12,
      addedVolume: 0,
      error: 0,
    },
  ]),
)
export type Decompose3dResponse = Static<typeof Decompose3dResponse>

export const decompose3dProgress = progressForm(
  { progress: 'DecomposeProgress', line: 'Decompose3dProgress' },
  { the: 'the decomposition', a: 'a decomposition' },
  {
    reading: 'the request waits, is read and its mesh prepared',
    cutting: 'the mesh is cut into parts',
    joining: 'parts are joined',
    measuring: 'the pieces that they become are enclosed and measured',
  },
  {
    parts: 'Parts of the mesh; cutting makes them more, joining fewer.',
    pieces: 'Pieces that the answer has; 0 while they are not known.',
    measured: 'Pieces measured so far.',
  },
  { stage: 'measuring', parts: 12, pieces: 12, measured: 5 },
)
