/** When two moving bodies of space first touch, where, and when they part: the record of the answer. */

export interface TimeOfImpact {
  hit: boolean
  time: number
  /** From A to B. */
  hasNormal: boolean
  nx: number
  ny: number
  nz: number
  /** Points of A and of B that touch at that time, in the world; of bodies that overlap at the start those of their contact. */
  ax: number
  ay: number
  az: number
  bx: number
  by: number
  bz: number
  /** The caller's vertices of the features that touch, as `ContactPoint` has them. */
  featureA: readonly number[]
  featureB: readonly number[]
  /** The leaves that touch, of composite bodies: −1 of a convex one, and where a body lies in another without touching its surface. */
  leafA: number
  leafB: number
  /** First later instant at which the two part, within the duration. */
  hasExit: boolean
  exitTime: number
  /** They meet (touching included) at the start. */
  startedOverlapping: boolean
  /** False when steps ran out: `time` is then one before which there is no contact, or `exitTime` one before which they do not part. */
  converged: boolean
}

const NONE: readonly number[] = []

export function createTimeOfImpact(): TimeOfImpact {
  return {
    hit: false,
    time: 0,
    hasNormal: false,
    nx: 0,
    ny: 0,
    nz: 0,
    ax: 0,
    ay: 0,
    az: 0,
    bx: 0,
    by: 0,
    bz: 0,
    featureA: NONE,
    featureB: NONE,
    leafA: -1,
    leafB: -1,
    hasExit: false,
    exitTime: 0,
    startedOverlapping: false,
    converged: true,
  }
}

export function clearImpact(out: TimeOfImpact): void {
  out.hit = false
  out.time = 0
  out.hasNormal = false
  out.nx = 0
  out.ny = 0
  out.nz = 0
  out.ax = 0
  out.ay = 0
  out.az = 0
  out.bx = 0
  out.by = 0
  out.bz = 0
  out.featureA = NONE
  out.featureB = NONE
  out.leafA = -1
  out.leafB = -1
  out.hasExit = false
  out.exitTime = 0
  out.startedOverlapping = false
  out.converged = true
}
