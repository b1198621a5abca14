/** The core's answer about one ray and one body, as a plain record; null for a miss. */

import type { RayDefinition } from '../../../schemas/queries/ray-cast.ts'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { featureIndex, featureKind } from '../../../src/core2d/feature.ts'
import { createRayHit, rayCast, type StartInside } from '../../../src/core2d/ray/ray-cast.ts'
import { pathOf } from './answers.ts'
import { prepareRay } from './ray-slots.ts'
import { prepare } from './slots.ts'

export interface RayAnswer {
  distance: number
  fraction: number
  point: Vec2
  normal: Vec2 | null
  feature: string
  /** The children of compounds that lead to the feature. */
  path: readonly number[]
  startedInside: boolean
  exit: { distance: number; point: Vec2; normal: Vec2 } | null
}

export function rayAnswer(ray: RayDefinition, target: Body2d, startInside: StartInside = 'hit'): RayAnswer | null {
  const out = createRayHit()
  const slot = prepare(target)
  if (!rayCast(prepareRay(ray), slot, startInside, out)) return null
  return {
    distance: out.distance,
    fraction: out.fraction,
    point: { x: out.x, y: out.y },
    normal: out.hasNormal ? { x: out.nx, y: out.ny } : null,
    feature: `${featureKind(out.feature)} ${featureIndex(out.feature)}`,
    path: pathOf(slot, out.part),
    startedInside: out.startedInside,
    exit: out.hasExit
      ? { distance: out.exitDistance, point: { x: out.exitX, y: out.exitY }, normal: { x: out.exitNx, y: out.exitNy } }
      : null,
  }
}
