// The query `overlap`: whether two bodies have a point in common.

import { containment as containment2d } from '../../core2d/queries/containment.ts'
import {
  createOverlap as createOverlap2d,
  overlap as overlap2d,
  relate as relate2d,
} from '../../core2d/queries/overlap.ts'
import { containment as containment3d } from '../../core3d/queries/containment.ts'
import {
  createOverlap as createOverlap3d,
  overlap as overlap3d,
  relate as relate3d,
} from '../../core3d/queries/overlap.ts'
import { finite } from '../../wire/encode.ts'
import type { QueryLimits } from '../ask/query.ts'
import { decodePair, type Geometry, type InBoth, type Kinds, PLANE, SPACE, type ToVector } from './geometry.ts'

/** Positive: separated; 0: touching; negative: overlapping. */
type Relation = -1 | 0 | 1

/** Result of the core in either dimension. In 3D separated bodies have an axis. */
interface Found {
  relation: Relation
  hasAxis?: boolean
  nx: number
  ny: number
  nz?: number
  gap: number
  px: number
  py: number
  pz?: number
}

interface Containment {
  aContainsB: boolean
  bContainsA: boolean
}

interface Core<Body, F> {
  relate(a: Body, b: Body): Relation
  overlap(a: Body, b: Body, out: F): void
  containment(a: Body, b: Body, relation: Relation): Containment
  found: F
  /** For which bodies the answer is exact. */
  exactFor: string
}

function query<K extends Kinds, F extends Found>(geometry: Geometry<K>, core: Core<K['body'], F>) {
  const { a, b, vector } = geometry
  const { relate, overlap, containment, found } = core
  return {
    tag: 'pairs' as const,
    summary: 'Do two bodies overlap?',
    description: `Touching counts as overlapping. The answer is exact for ${core.exactFor}. With explain the answer carries a certificate that the client can check by itself, and says whether one body contains the other.`,
    advice: `Ask about shapes with fewer ${geometry.details}.`,
    problems: geometry.problems,
    answer(request: { a: K['wire']; b: K['wire']; explain?: boolean }, limits: QueryLimits) {
      const problem = decodePair(geometry, request, limits)
      if (problem !== null) return problem
      if (request.explain !== true) return encodeRelation(relate(a, b))
      overlap(a, b, found)
      return encodeOverlap(found, containment(a, b, found.relation), vector)
    },
  }
}

export const overlapQuery: InBoth<'overlap'> = {
  '2d': query(PLANE, {
    relate: relate2d,
    overlap: overlap2d,
    containment: containment2d,
    found: createOverlap2d(),
    exactFor: 'unrotated shapes',
  }),
  '3d': query(SPACE, {
    relate: relate3d,
    overlap: overlap3d,
    containment: containment3d,
    found: createOverlap3d(),
    exactFor:
      'points, segments, triangles, boxes, hulls, half-spaces, spheres and capsules as they are placed, and where bent bodies are in line with the axes',
  }),
}

/** An answer without a certificate. */
export function encodeRelation(relation: Relation) {
  if (relation > 0) return { overlap: false, relation: 'separated' as const }
  return { overlap: true, relation: relation < 0 ? ('overlapping' as const) : ('touching' as const) }
}

export function encodeOverlap<Vector>(found: Found, { aContainsB, bContainsA }: Containment, vector: ToVector<Vector>) {
  const certificate = encodeCertificate(found, vector)
  const answer: Explained<Vector> = { ...encodeRelation(found.relation), aContainsB, bContainsA }
  return certificate === null ? answer : { ...answer, certificate }
}

interface Explained<Vector> extends Containment {
  overlap: boolean
  relation: 'separated' | 'touching' | 'overlapping'
  certificate?: Certificate<Vector>
}

type Certificate<Vector> =
  | { kind: 'separating-axis'; normal: Vector; gap: number }
  | { kind: 'common-point'; point: Vector }

function encodeCertificate<Vector>(found: Found, vector: ToVector<Vector>): Certificate<Vector> | null {
  const { relation, hasAxis = relation > 0, nx, ny, nz, px, py, pz } = found
  if (hasAxis) return { kind: 'separating-axis', normal: vector(nx, ny, nz), gap: finite(found.gap) }
  // concave bodies can be apart without a line between them
  return relation > 0 ? null : { kind: 'common-point', point: vector(px, py, pz) }
}
