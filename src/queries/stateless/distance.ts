// The query `distance`: how far two bodies are apart, and between which points.

import { createDistance as createDistance2d, distance as distance2d } from '../../core2d/queries/distance.ts'
import { createDistance as createDistance3d, distance as distance3d } from '../../core3d/queries/distance.ts'
import { finite } from '../../wire/encode.ts'
import type { QueryLimits } from '../ask/query.ts'
import { decodePair, type Geometry, type InBoth, type Kinds, PLANE, SPACE, type ToVector } from './geometry.ts'

/** Result of the core in either dimension. */
interface Found {
  distance: number
  ax: number
  ay: number
  az?: number
  bx: number
  by: number
  bz?: number
  hasNormal: boolean
  nx: number
  ny: number
  nz?: number
}

function query<K extends Kinds, F extends Found>(
  geometry: Geometry<K>,
  distance: (a: K['body'], b: K['body'], out: F) => void,
  found: F,
) {
  const { a, b, vector } = geometry
  return {
    tag: 'pairs' as const,
    summary: 'How far apart are two bodies, and between which points?',
    description:
      'The distance is 0 when the bodies touch or overlap; the points are then one common point and the normal is null.',
    advice: `Ask about shapes with fewer ${geometry.details}.`,
    problems: geometry.problems,
    answer(request: { a: K['wire']; b: K['wire'] }, limits: QueryLimits) {
      const problem = decodePair(geometry, request, limits)
      if (problem !== null) return problem
      distance(a, b, found)
      return encodeDistance(found, vector)
    },
  }
}

export const distanceQuery: InBoth<'distance'> = {
  '2d': query(PLANE, distance2d, createDistance2d()),
  '3d': query(SPACE, distance3d, createDistance3d()),
}

export function encodeDistance<Vector>(found: Found, vector: ToVector<Vector>) {
  return {
    distance: finite(found.distance),
    pointA: vector(found.ax, found.ay, found.az),
    pointB: vector(found.bx, found.by, found.bz),
    normal: found.hasNormal ? vector(found.nx, found.ny, found.nz) : null,
  }
}
