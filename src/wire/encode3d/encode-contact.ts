// core contact record → wire answer, in space.

import type { Contact3dRequest, Contact3dResponse, ContactPoint3d } from '../../../schemas/queries/contact.ts'
import type { Shape3d } from '../../../schemas/shapes3d.ts'
import type { Contact } from '../../core3d/pair-queries/contact.ts'
import type { ContactPoint } from '../../core3d/pair-queries/contact-points.ts'
import { encodeNames, encodeVec3, finite } from '../bodies/encode.ts'

export function encodeContact(
  found: Contact,
  points: readonly ContactPoint[],
  { a, b }: Contact3dRequest,
): Contact3dResponse {
  // two half-spaces may share an unbounded set: no translation parts them
  const separable = found.separation !== Number.NEGATIVE_INFINITY
  return {
    touching: found.touching,
    separation: separable ? finite(found.separation) : null,
    normal: found.hasNormal ? encodeVec3(found.nx, found.ny, found.nz) : null,
    points: points.map((point) => encodePoint(point, a.shape, b.shape)),
    translation: separable ? encodeVec3(found.tx, found.ty, found.tz) : null,
    exact: true,
  }
}

function encodePoint(
  { x, y, z, separation, featureA, featureB }: ContactPoint,
  a: Shape3d,
  b: Shape3d,
): ContactPoint3d {
  return {
    position: encodeVec3(x, y, z),
    separation: finite(separation),
    feature: { a: encodeNames(featureA, a), b: encodeNames(featureB, b) },
  }
}
