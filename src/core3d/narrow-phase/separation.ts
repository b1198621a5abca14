/** What the narrow phase finds out about a pair in order: the sign of its separation, and its nearest points. */

/** −1 overlapping, 0 touching, 1 apart. */
export type Relation = -1 | 0 | 1

export interface Separation {
  /** Whether the closed sets have a point in common: exact where the pair's exactness is promised. */
  meet: boolean
  /** Distance of the surfaces, 0 where they meet. */
  distance: number
  /** Nearest points of the surfaces, in the world; one point of both where they meet. */
  a: Float64Array
  b: Float64Array
  /** Unit vector from the first to the second; 0 0 0 where they meet. */
  normal: Float64Array
}

export function createSeparation(): Separation {
  return { meet: false, distance: 0, a: new Float64Array(3), b: new Float64Array(3), normal: new Float64Array(3) }
}
