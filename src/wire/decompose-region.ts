// A region: decoded, taken apart into convex pieces, and these encoded.

import { DEFAULT_PIECES, type DecomposeRequest, type DecomposeResponse } from '../../schemas/decompose.ts'
import { MAX_POLYGON_VERTICES } from '../../schemas/straight-shape.ts'
import type { Vec2 } from '../../schemas/vec2.ts'
import { spend } from '../containers/budget.ts'
import type { Slices } from '../containers/pace.ts'
import { createBody } from '../core2d/body.ts'
import { convexApproximation } from '../core2d/convex-approximation.ts'
import { fewConvexPieces, type Pieces, trianglesOf, triangulated } from '../core2d/convex-decomposition.ts'
import { createOutline, type Outline } from '../core2d/outline.ts'
import { areaScale, outlineArea, ringsArea } from '../core2d/outline-area.ts'
import type { ShapeLimits } from './decode-body.ts'
import { decodeOutline } from './decode-outline.ts'
import { type DecodeProblem, under } from './decode-problem.ts'
import { encodeVec2 } from './encode-vec2.ts'
import { finite } from './finite.ts'

/** Pieces written between two pauses. */
const PIECES_PER_SLICE = 4096

/** The answer, or the first problem, with pointers into the request. */
export function* decomposeRegion(
  { region, method = 'exact', maxPieces = DEFAULT_PIECES }: DecomposeRequest,
  limits: ShapeLimits,
): Slices<DecomposeResponse | DecodeProblem> {
  // No slot: others are answered between the slices of this.
  const outline = createOutline()
  const part = { body: createBody(), outline, path: [], firstLeaf: 0 }
  const problem = under('/region', decodeOutline(region, part, limits.maxVertices))
  if (problem !== null) return problem
  if (!outline.solid) return { pieces: [], area: 0, error: 0 }
  yield
  const unit = areaScale(outline)
  const share = outlineArea(outline, unit)
  const area = finite(share * unit * unit)
  if (method === 'triangles') {
    const pieces = trianglesOf(yield* triangulated(outline))
    return { pieces: yield* encodePieces(outline, pieces), area, error: 0 }
  }
  const pieces = yield* fewConvexPieces(outline, MAX_POLYGON_VERTICES)
  if (method === 'exact' || pieces.length <= maxPieces) {
    return { pieces: yield* encodePieces(outline, pieces), area, error: 0 }
  }
  const rings = yield* convexApproximation(outline, pieces, maxPieces)
  const error = finite(Math.max(0, ringsArea(rings, unit) - share) * unit * unit)
  return { pieces: rings.map(encodeRing), area, error }
}

function* encodePieces({ vertices }: Outline, pieces: Pieces): Slices<Vec2[][]> {
  const encoded: Vec2[][] = []
  for (const [k, piece] of pieces.entries()) {
    if (k % PIECES_PER_SLICE === 0) yield
    spend(piece.length)
    encoded.push(piece.map((i) => encodeVec2(vertices[2 * i], vertices[2 * i + 1])))
  }
  return encoded
}

function encodeRing(ring: Float64Array): Vec2[] {
  return Array.from({ length: ring.length / 2 }, (_, i) => encodeVec2(ring[2 * i], ring[2 * i + 1]))
}
