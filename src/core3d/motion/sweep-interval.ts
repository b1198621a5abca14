/** When a pair that moves meets, and when it parts: the answer of every sweep in space. */

export interface SweepInterval {
  /** Whether they meet at some time from 0 to the duration. */
  hit: boolean
  /** Whether they meet at the start. */
  meetsAtStart: boolean
  /** First such time. */
  enter: number
  /** When they part; Infinity where they never do. */
  leave: number
  /** Whether the normal where they first meet is known already. */
  hasNormal: boolean
  /** Unit vector from the first to the second there, if so. */
  nx: number
  ny: number
  nz: number
  /** Whether the one point where they touch then is known too, if no patches do. */
  hasPoint: boolean
  /** Midway between the surfaces, counted from the first's position. */
  px: number
  py: number
  pz: number
  /** The normal about as they came together, where the other is not known: 0 0 0 where nothing is known. */
  mx: number
  my: number
  mz: number
  /** False where steps ran out: `enter` is then a time up to which they do not meet. */
  converged: boolean
}

export function createSweepInterval(): SweepInterval {
  return {
    hit: false,
    meetsAtStart: false,
    enter: 0,
    leave: Infinity,
    hasNormal: false,
    nx: 0,
    ny: 0,
    nz: 0,
    hasPoint: false,
    px: 0,
    py: 0,
    pz: 0,
    mx: 0,
    my: 0,
    mz: 0,
    converged: true,
  }
}

export function clearInterval(out: SweepInterval): void {
  out.enter = 0
  out.leave = Infinity
  out.hasNormal = false
  out.hasPoint = false
  out.mx = 0
  out.my = 0
  out.mz = 0
  out.converged = true
}
