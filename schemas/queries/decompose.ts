// POST /v1/2d/decompose: a region as convex pieces.

import { type Static, Type } from '@sinclair/typebox'
import { real, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { MAX_POLYGON_VERTICES, RegionShape } from '../shapes2d.ts'
import { Vec2 } from '../vector.ts'

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
