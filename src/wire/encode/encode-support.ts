// core support record → wire answer.

import type { SupportResponse } from '../../../schemas/queries/support.ts'
import type { Support } from '../../core2d/measures/support.ts'
import type { Body } from '../../core2d/shape/body.ts'
import { encodeFeature, encodeVec2 } from '../bodies/encode.ts'

export function encodeSupport({ bounded, x, y, feature, part }: Support, body: Body): SupportResponse {
  if (!bounded) return { point: null, feature: null }
  return { point: encodeVec2(x, y), feature: encodeFeature(feature, body, part) }
}
