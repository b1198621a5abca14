// core contact record → wire answer.

import type { ShapeFeature } from '../../../schemas/feature.ts'
import type { ContactPoint, ContactResponse } from '../../../schemas/queries/contact.ts'
import type { Contact, ContactPoint as CorePoint } from '../../core2d/pair-queries/contact.ts'
import type { Body } from '../../core2d/shape/body.ts'
import { encodeFeature, encodeVec2, finite } from '../bodies/encode.ts'

/** Of bodies `a` and `b`. */
export function encodeContact(found: Contact, a: Body, b: Body): ContactResponse {
  // two half-planes may share an unbounded set: no translation parts them
  const separable = found.separation !== Number.NEGATIVE_INFINITY
  const points: ContactPoint[] = []
  for (let i = 0; i < found.count; i++) points.push(encodePoint(found.points[i], a, b))
  return {
    touching: found.relation <= 0,
    separation: separable ? finite(found.separation) : null,
    normal: found.hasNormal ? encodeVec2(found.nx, found.ny) : null,
    points,
    translation: separable ? encodeVec2(found.tx, found.ty) : null,
    exact: found.exact,
  }
}

function encodePoint(point: CorePoint, a: Body, b: Body): ContactPoint {
  return {
    position: encodeVec2(point.x, point.y),
    separation: finite(point.separation),
    // a contact point always names the features that met
    feature: {
      a: encodeFeature(point.featureA, a, point.partA) as ShapeFeature,
      b: encodeFeature(point.featureB, b, point.partB) as ShapeFeature,
    },
  }
}
