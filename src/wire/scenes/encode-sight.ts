// What can be seen → wire.

import type { SceneSight } from '../../../schemas/scenes/line-of-sight.ts'
import type { Sight } from '../../scene/queries/line-of-sight.ts'
import { encodeVec2 } from '../encode/encode-vec2.ts'
import { finite } from '../encode/finite.ts'

export function encodeSight({ visible, distance, x, y, occluders, truncated }: Sight): SceneSight {
  return {
    visible,
    distance: finite(distance),
    point: encodeVec2(x, y),
    occluders: occluders.map(({ id, hit }) => {
      return { id, distance: finite(hit.distance), point: encodeVec2(hit.x, hit.y) }
    }),
    truncated,
  }
}
