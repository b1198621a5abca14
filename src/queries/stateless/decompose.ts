// The query `decompose`. A region: decoded, taken apart into convex pieces, and these encoded.

import { DEFAULT_PIECES, type DecomposeRequest, type DecomposeResponse } from '../../../schemas/queries/decompose.ts'
import { MAX_POLYGON_VERTICES } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { spend } from '../../containers/budget.ts'
import { convexApproximation } from '../../core2d/outline/convex-approximation.ts'
import { delaunayMesh, fewConvexPieces, type Pieces, trianglesOf } from '../../core2d/outline/convex-decomposition.ts'
import { createOutline, type Outline } from '../../core2d/outline/outline.ts'
import { areaScale, outlineArea, ringsArea } from '../../core2d/queries/mass.ts'
import { createBody } from '../../core2d/shape/body.ts'
import { decodeOutline, type ShapeLimits } from '../../wire/body.ts'
import { type DecodeProblem, under } from '../../wire/decode-problem.ts'
import { encodeVec2, finite } from '../../wire/encode.ts'
import { REQUEST_PROBLEMS } from '../../wire/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'

export const decomposeQuery: QueryOf<'decompose'> = {
  tag: 'shapes',
  summary: 'Which convex pieces make up this region?',
  description:
    'Triangles, few pieces, or no more than a given number that cover it. Holes stay open, and rings may touch themselves and each other. Every turn is decided exactly, so the pieces of exact can be sent back as polygons as they are.',
  advice: 'Send a region with fewer vertices, or ask for another method.',
  problems: [
    ...REQUEST_PROBLEMS,
    'too-many-vertices',
    'coordinate-out-of-range',
    'region-hole-misplaced',
    'region-self-intersecting',
  ],
  answer: decomposeRegion,
}

/** The answer, or the first problem, with pointers into the request. */
export function decomposeRegion(
  { region, method = 'exact', maxPieces = DEFAULT_PIECES }: DecomposeRequest,
  limits: ShapeLimits,
): DecomposeResponse | DecodeProblem {
  const outline = createOutline()
  const part = { body: createBody(), outline, path: [], firstLeaf: 0 }
  const problem = under('/region', decodeOutline(region, part, { ...limits, asDrawn: true }))
  if (problem !== null) return problem
  if (!outline.solid) return { pieces: [], area: 0, error: 0 }
  const unit = areaScale(outline)
  const share = outlineArea(outline, unit)
  const area = finite(share * unit * unit)
  if (method === 'triangles') {
    return { pieces: encodePieces(outline, trianglesOf(delaunayMesh(outline))), area, error: 0 }
  }
  const pieces = fewConvexPieces(outline, MAX_POLYGON_VERTICES)
  if (method === 'exact' || pieces.length <= maxPieces) {
    return { pieces: encodePieces(outline, pieces), area, error: 0 }
  }
  const rings = convexApproximation(outline, pieces, maxPieces)
  const error = finite(Math.max(0, ringsArea(rings, unit) - share) * unit * unit)
  return { pieces: rings.map(encodeRing), area, error }
}

function encodePieces({ vertices }: Outline, pieces: Pieces): Vec2[][] {
  return pieces.map((piece) => {
    spend(piece.length)
    return piece.map((i) => encodeVec2(vertices[2 * i], vertices[2 * i + 1]))
  })
}

function encodeRing(ring: Float64Array): Vec2[] {
  return Array.from({ length: ring.length / 2 }, (_, i) => encodeVec2(ring[2 * i], ring[2 * i + 1]))
}
