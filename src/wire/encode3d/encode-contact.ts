// core contact record → wire answer, in space.

import type { Contact3dResponse, ContactPoint3d } from '../../../schemas/queries3d/contact.ts'
import type { Contact } from '../../core3d/pair-queries/contact.ts'
import { finite } from '../encode/finite.ts'
import { encodeVec3 } from './encode-vec3.ts'

/** Points only of bodies that are no farther apart than `maxDistance`. */
export function encodeContact(found: Contact, maxDistance: number): Contact3dResponse {
  // two half-spaces may share an unbounded set: no translation parts them
  const separable = found.separation !== Number.NEGATIVE_INFINITY
  return {
    touching: found.touching,
    separation: separable ? finite(found.separation) : null,
    normal: found.hasNormal ? encodeVec3(found.nx, found.ny, found.nz) : null,
    points: found.hasNormal && found.separation <= maxDistance ? [encodePoint(found)] : [],
    translation: separable ? encodeVec3(found.tx, found.ty, found.tz) : null,
    exact: true,
  }
}

function encodePoint({ px, py, pz, separation }: Contact): ContactPoint3d {
  return { position: encodeVec3(px, py, pz), separation: finite(separation) }
}
