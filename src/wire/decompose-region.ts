// A region: decoded, taken apart into convex pieces, and these encoded.

import { DEFAULT_PIECES, type DecomposeRequest, type DecomposeResponse } from '../../schemas/decompose.ts'
import { MAX_POLYGON_VERTICES } from '../../schemas/straight-shape.ts'
import type { Vec2 } from '../../schemas/vec2.ts'
import { spend } from '../containers/budget.ts'
import { createBody } from '../core2d/body.ts'
import { convexApproximation } from '../core2d/convex-approximation.ts'
import { delaunayMesh, fewConvexPieces, type Pieces, trianglesOf } from '../core2d/convex-decomposition.ts'
import { createOutline, type Outline } from '../core2d/outline.ts'
import { areaScale, outlineArea, ringsArea } from '../core2d/outline-area.ts'
import type { ShapeLimits } from './decode-body.ts'
import { decodeOutline } from './decode-outline.ts'
import { type DecodeProblem, under } from './decode-problem.ts'
import { encodeVec2 } from './encode-vec2.ts'
import { finite } from './finite.ts'

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
