// The query `contact`: how deep two bodies overlap or how far they are apart, where they meet, and what separates them.

import type { ShapeFeature, ShapeFeature3d } from '../../../schemas/feature.ts'
import { type Contact3dRequest, type ContactRequest, DEFAULT_CONTACT_POINTS } from '../../../schemas/queries/contact.ts'
import type { Shape3d } from '../../../schemas/shapes3d.ts'
import {
  type Contact as Contact2d,
  contact as contact2d,
  createContact as createContact2d,
} from '../../core2d/queries/contact.ts'
import type { Body as Body2d } from '../../core2d/shape/body.ts'
import {
  type Contact as Contact3d,
  contact as contact3d,
  createContact as createContact3d,
} from '../../core3d/queries/contact.ts'
import { type ContactPoint, contactPoints } from '../../core3d/queries/contact-points.ts'
import type { Body as Body3d } from '../../core3d/shape/body.ts'
import { encodeFeature, encodeVec2, encodeVec3, finite } from '../../wire/encode.ts'
import { encodeTouched } from '../../wire/touched-feature-3d.ts'
import type { QueryLimits } from '../ask/query.ts'
import { decodePair, type Geometry, type InBoth, type Kinds, PLANE, SPACE, type ToVector } from './geometry.ts'

function query<K extends Kinds, Request extends { a: K['wire']; b: K['wire'] }, Answer>(
  geometry: Geometry<K>,
  /** Names of what spans the contact, in the description. */
  points: string,
  answer: (a: K['body'], b: K['body'], request: Request) => Answer,
) {
  return {
    tag: 'pairs' as const,
    summary: 'Where do two bodies meet, how deep, and what parts them?',
    description: `Gives the signed separation, the normal from A to B, ${points}`,
    advice: `Ask about shapes with fewer ${geometry.details}.`,
    problems: geometry.problems,
    answer(request: Request, limits: QueryLimits) {
      return decodePair(geometry, request, limits) ?? answer(geometry.a, geometry.b, request)
    },
  }
}

const found2d = createContact2d()
const found3d = createContact3d()

export const contactQuery: InBoth<'contact'> = {
  '2d': query(
    PLANE,
    'up to two contact points with the features that meet, and the shortest translation of B that just separates the pair, for concave shapes as for convex ones.',
    (a, b, { maxDistance = 0 }: ContactRequest) => {
      contact2d(a, b, maxDistance, found2d)
      return encodeContact(found2d, a, b)
    },
  ),
  '3d': query(
    SPACE,
    'the points that span the contact, and the shortest translation of B that just separates the pair; for concave bodies that overlap the shortest that was found, which separates them for certain (exact: false).',
    (a, b, { a: wireA, b: wireB, maxDistance = 0, maxPoints = DEFAULT_CONTACT_POINTS }: Contact3dRequest) => {
      contact3d(a, b, found3d)
      const points = contactPoints(a, b, found3d, maxDistance, maxPoints)
      return encodeContact3d(found3d, points, a, wireA.shape, b, wireB.shape)
    },
  ),
}

/** The answer about two bodies in space. */
export function encodeContact3d(
  found: Contact3d,
  places: readonly ContactPoint[],
  a: Body3d,
  shapeA: Shape3d,
  b: Body3d,
  shapeB: Shape3d,
) {
  const points = places.map((point) => ({
    position: encodeVec3(point.x, point.y, point.z),
    separation: finite(point.separation),
    feature: {
      a: featureOf(point, 1, found, a, shapeA),
      b: featureOf(point, -1, found, b, shapeB),
    },
  }))
  return encodeSeparation(found, found.touching, points, found.exact, SPACE.vector)
}

/** A contact point always names the features that met: of A, whose surface is half the depth along the normal, or of B, half against it. */
function featureOf(
  { x, y, z, separation, featureA, featureB, leafA, leafB }: ContactPoint,
  side: 1 | -1,
  { nx, ny, nz }: Contact3d,
  body: Body3d,
  shape: Shape3d,
): ShapeFeature3d {
  const rise = (-side * separation) / 2
  const at = { x: x + rise * nx, y: y + rise * ny, z: z + rise * nz }
  const [names, leaf] = side > 0 ? [featureA, leafA] : [featureB, leafB]
  return encodeTouched({ names, leaf, ...at }, body, shape) as ShapeFeature3d
}

/** The answer about two bodies of the plane. */
export function encodeContact(found: Contact2d, a: Body2d, b: Body2d) {
  const points = []
  for (let i = 0; i < found.count; i++) {
    const point = found.points[i]
    points.push({
      position: encodeVec2(point.x, point.y),
      separation: finite(point.separation),
      // a contact point always names the features that met
      feature: {
        a: encodeFeature(point.featureA, a, point.partA) as ShapeFeature,
        b: encodeFeature(point.featureB, b, point.partB) as ShapeFeature,
      },
    })
  }
  return encodeSeparation(found, found.relation <= 0, points, found.exact, encodeVec2)
}

/** Result of the core in either dimension. */
interface Found {
  separation: number
  hasNormal: boolean
  nx: number
  ny: number
  nz?: number
  tx: number
  ty: number
  tz?: number
}

function encodeSeparation<Point, Vector>(
  found: Found,
  touching: boolean,
  points: Point[],
  exact: boolean,
  vector: ToVector<Vector>,
) {
  // two half-planes or half-spaces may share an unbounded set: no translation separates them
  const separable = found.separation !== Number.NEGATIVE_INFINITY
  return {
    touching,
    separation: separable ? finite(found.separation) : null,
    normal: found.hasNormal ? vector(found.nx, found.ny, found.nz) : null,
    points,
    translation: separable ? vector(found.tx, found.ty, found.tz) : null,
    exact,
  }
}
