// How much a shape may have.

import { MAX_COMPOUND_PARTS, MAX_OUTLINE_VERTICES } from '../../../schemas/shapes2d.ts'

/** The configured limits of shapes. */
export interface ShapeLimits {
  maxVertices: number
  maxParts: number
  /** The shape has been accepted before, and no region in it touches itself: neither is decided again, which takes long. */
  isPlain?: boolean
  /** Regions that touch themselves are left as they were drawn, see `setRegion`. */
  asDrawn?: boolean
}

/** Those of the schema. */
export const SCHEMA_LIMITS: Readonly<ShapeLimits> = { maxVertices: MAX_OUTLINE_VERTICES, maxParts: MAX_COMPOUND_PARTS }
