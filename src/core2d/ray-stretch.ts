/**
 * Stretches: the pieces of a ray that lie in a composite body, by world distances from the origin.
 */
import type { Body } from './body.ts'
import { type FeatureCode, NO_FEATURE } from './feature.ts'
import { pointX, pointY } from './ray-cast.ts'
import type { RayLine } from './ray-line.ts'
import type { RaySpan } from './ray-span.ts'

/** Where a ray crosses the boundary of a part. */
export interface RayCrossing {
  distance: number
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

/** What `castLine` found of a leaf that belongs to `part`. */
export function stretchOf(line: RayLine, span: RaySpan, body: Body, part: number): RayStretch {
  const { inside, exits } = span
  const { along, maxDistance } = line
  const enter = inside ? 0 : Math.min(Math.max(along + span.enter, 0), maxDistance)
  const leave = exits ? Math.max(Math.min(along + span.leave, maxDistance), enter) : Infinity
  return {
    inside,
    enter: {
      distance: enter,
      x: pointX(line, body, enter, span.enter),
      y: pointY(line, body, enter, span.enter),
      nx: span.enterNx,
      ny: span.enterNy,
      feature: span.enterFeature,
      part,
    },
    exits,
    leave: exits
      ? {
          distance: leave,
          x: pointX(line, body, leave, span.leave),
          y: pointY(line, body, leave, span.leave),
          nx: span.leaveNx,
          ny: span.leaveNy,
          feature: span.leaveFeature,
          part,
        }
      : neverLeft(part),
  }
}

function neverLeft(part: number): RayCrossing {
  return { distance: Infinity, x: 0, y: 0, nx: 0, ny: 0, feature: NO_FEATURE, part }
}

/** A stretch from the origin on. */
export function stretchFromInside(part: number): RayStretch {
  return { inside: true, enter: { ...neverLeft(part), distance: 0 }, exits: false, leave: neverLeft(part) }
}
