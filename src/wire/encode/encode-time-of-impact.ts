// core time-of-impact record → wire answer.

import type { TimeOfImpactResponse } from '../../../schemas/queries/time-of-impact.ts'
import type { SceneImpact } from '../../../schemas/scenes/time-of-impact.ts'
import type { TimeOfImpact } from '../../core2d/impact/time-of-impact.ts'
import type { ImpactPair } from '../../scene/queries/time-of-impact.ts'
import { encodeVec2, finite } from '../bodies/encode.ts'

const STATUS = { true: 'converged', false: 'iteration-limit' } as const

export function encodeTimeOfImpact(found: TimeOfImpact, duration: number): TimeOfImpactResponse {
  const { hit } = found
  return {
    hit,
    time: hit ? finite(found.time) : null,
    fraction: hit ? fractionOf(found.time, duration) : null,
    normal: hit && found.hasNormal ? encodeVec2(found.nx, found.ny) : null,
    pointA: hit ? encodeVec2(found.ax, found.ay) : null,
    pointB: hit ? encodeVec2(found.bx, found.by) : null,
    exitTime: hit && found.hasExit ? finite(found.exitTime) : null,
    startedOverlapping: found.startedOverlapping,
    status: encodeStatus(found.converged),
  }
}

/** Of two bodies of a scene that do meet. */
export function encodeSceneImpact({ idA, idB, found }: ImpactPair, duration: number): SceneImpact {
  return {
    a: idA,
    b: idB,
    time: finite(found.time),
    fraction: fractionOf(found.time, duration),
    normal: found.hasNormal ? encodeVec2(found.nx, found.ny) : null,
    pointA: encodeVec2(found.ax, found.ay),
    pointB: encodeVec2(found.bx, found.by),
    exitTime: found.hasExit ? finite(found.exitTime) : null,
    startedOverlapping: found.startedOverlapping,
    status: encodeStatus(found.converged),
  }
}

export function encodeStatus(converged: boolean): 'converged' | 'iteration-limit' {
  return STATUS[`${converged}`]
}

export function fractionOf(time: number, duration: number): number {
  return duration === 0 ? 0 : finite(time / duration)
}
