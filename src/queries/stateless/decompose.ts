// The query `decompose`. A region or a solid mesh: decoded, taken apart into convex pieces, and these encoded.

import {
  DEFAULT_ADDED_VOLUME,
  DEFAULT_PIECES,
  DEFAULT_PIECES_3D,
  type Decompose3dRequest,
  type Decompose3dResponse,
  type DecomposedPiece3d,
  type DecomposeRequest,
  type DecomposeResponse,
} from '../../../schemas/queries/decompose.ts'
import { MAX_POLYGON_VERTICES } from '../../../schemas/shapes2d.ts'
import type { MeshShape3d } from '../../../schemas/shapes3d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { spend } from '../../containers/budget.ts'
import { convexApproximation } from '../../core2d/outline/convex-approximation.ts'
import { delaunayMesh, fewConvexPieces, type Pieces, trianglesOf } from '../../core2d/outline/convex-decomposition.ts'
import { createOutline, type Outline } from '../../core2d/outline/outline.ts'
import { areaScale, outlineArea, ringsArea } from '../../core2d/queries/mass.ts'
import { createBody } from '../../core2d/shape/body.ts'
import { type DecomposedPiece, decompose, MAX_REFLEX_EDGES } from '../../core3d/decompose/decompose.ts'
import type { Mesh } from '../../core3d/mesh/mesh.ts'
import { decodeOutline, type ShapeLimits } from '../../wire/body.ts'
import { type DecodeProblem, isProblem, problemAt, under } from '../../wire/decode-problem.ts'
import { encodeVec2, encodeVec3, finite } from '../../wire/encode.ts'
import { decodeMesh } from '../../wire/mesh-3d.ts'
import { REQUEST_PROBLEMS } from '../../wire/problem-lists.ts'
import { encodeBody3d } from './fit.ts'
import type { InBoth } from './geometry.ts'
import { facesOf } from './hull.ts'

const inThePlane: InBoth<'decompose'>['2d'] = {
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

const inSpace: InBoth<'decompose'>['3d'] = {
  tag: 'shapes',
  summary: 'Which convex pieces or simple shapes make up this mesh?',
  description:
    'Pieces that make up a solid mesh exactly, few convex ones that cover it, or boxes, spheres, capsules and cylinders that do: what physics engines and games collide with in its place. Every point of the mesh lies in a piece, to the last bit. Pieces do not hang on the order of vertices and triangles.',
  advice: 'Ask for fewer pieces, or send a mesh with fewer triangles.',
  problems: [
    ...REQUEST_PROBLEMS,
    'too-many-vertices',
    'too-many-triangles',
    'too-many-reflex-edges',
    'mesh-index-out-of-range',
    'mesh-misshapen',
    'mesh-not-closed',
    'shape-unknown',
    'coordinate-out-of-range',
    'answer-out-of-range',
  ],
  answer: decomposeMesh,
}

export const decomposeQuery: InBoth<'decompose'> = { '2d': inThePlane, '3d': inSpace }

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

/** The answer, or the first problem, with pointers into the request. */
export function decomposeMesh(request: Decompose3dRequest, limits: ShapeLimits): Decompose3dResponse | DecodeProblem {
  const { mesh: shape, method = 'approximate', kinds = PRIMITIVE_KINDS } = request
  // A kept shape may be of any type.
  if (shape.type !== 'mesh') {
    const detail =
      shape.type === 'ref' ? 'There is no mesh.' : `A mesh is taken apart, got a shape of the type ${shape.type}.`
    return problemAt('/mesh', 'schema-violation', detail)
  }
  const mesh = decodeSolid(shape, limits.maxVertices)
  if (isProblem(mesh)) return under('/mesh', mesh)
  const mostPieces = request.maxPieces ?? DEFAULT_PIECES_3D
  const mostAdded = request.maxAddedVolume ?? DEFAULT_ADDED_VOLUME
  const found = decompose(mesh, { kind: method, mostPieces, mostAdded, kinds })
  if ('reflexEdges' in found) return tooManyReflexEdges(found.reflexEdges)
  return {
    pieces: found.pieces.map(encodePiece),
    volume: finite(found.volume),
    addedVolume: finite(found.addedVolume),
    error: finite(found.error),
  }
}

const PRIMITIVE_KINDS = ['box', 'sphere', 'capsule', 'cylinder'] as const

/** A mesh that was prepared as a surface is prepared again. */
function decodeSolid(shape: MeshShape3d, maxVertices: number): Mesh | DecodeProblem {
  const mesh = decodeMesh(shape, maxVertices)
  return isProblem(mesh) || mesh.isSolid ? mesh : decodeMesh({ ...shape, solid: true }, maxVertices)
}

function tooManyReflexEdges(actual: number): DecodeProblem {
  const limit = MAX_REFLEX_EDGES
  const detail = `The exact pieces are found of meshes with at most ${limit} reflex edges, got ${actual}.`
  return problemAt('/mesh', 'too-many-reflex-edges', detail, { limit, actual })
}

function encodePiece({ points, hull, enclosure, volume, error }: DecomposedPiece): DecomposedPiece3d {
  const measures = { volume: finite(volume), error: finite(error) }
  if (enclosure !== null) return { body: encodeBody3d(enclosure), ...measures }
  spend(hull.origins.length)
  const vertices = Array.from(hull.vertices, (i) => encodeVec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]))
  return { vertices, faces: facesOf(hull), ...measures }
}
