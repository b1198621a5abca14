/**
 * Stretches: the pieces of a ray that lie in a composite body, by world distances from the origin.
 */

import { type FeatureCode, NO_FEATURE } from '../feature.ts'
import type { Body } from '../shape/body.ts'
import { createRayPlace, setPlaces } from './ray-crossing.ts'
import type { Ray, RayLine } from './ray-line.ts'
import type { RaySpan } from './ray-span.ts'

/** Where a ray crosses the boundary of a part. */
export interface RayCrossing {
  distance: number
  fraction: number
  x: number
  y: number
  nx: number
  ny: number
  feature: FeatureCode
  part: number
}

export interface RayStretch {
  /** The origin is in it, boundary included: `enter` is then at distance 0. */
  inside: boolean
  enter: RayCrossing
  /** It ends before the ray does; else `leave` is at distance Infinity. */
  exits: boolean
  leave: RayCrossing
}

const entry = createRayPlace()
const exit = createRayPlace()

/** What `castLine` found of a leaf that belongs to `part`. */
export function stretchOf(ray: Ray, line: RayLine, span: RaySpan, body: Body, part: number): RayStretch {
  const { inside, exits } = span
  if (inside) {
    entry.distance = 0
    entry.fraction = 0
    entry.x = ray.ox
    entry.y = ray.oy
  }
  setPlaces(ray, line, body, span, entry, exit)
  return {
    inside,
    enter: {
      ...entry,
      nx: span.enterNx,
      ny: span.enterNy,
      feature: span.enterFeature,
      part,
    },
    exits,
    leave: exits
      ? {
          ...exit,
          distance: Math.max(exit.distance, entry.distance),
          nx: span.leaveNx,
          ny: span.leaveNy,
          feature: span.leaveFeature,
          part,
        }
      : neverLeft(part),
  }
}

function neverLeft(part: number): RayCrossing {
  return { distance: Infinity, fraction: 0, x: 0, y: 0, nx: 0, ny: 0, feature: NO_FEATURE, part }
}

/** A stretch from the origin on. */
export function stretchFromInside(part: number): RayStretch {
  return { inside: true, enter: { ...neverLeft(part), distance: 0 }, exits: false, leave: neverLeft(part) }
}
