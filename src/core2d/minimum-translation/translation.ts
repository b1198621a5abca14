/** What a search for the shortest way out finds. */

export interface Translation {
  /** False when no translation separates the pair (half-planes). */
  found: boolean
  tx: number
  ty: number
  length: number
  /** Unit vector along the translation; where that vanishes, one that points out of A. */
  nx: number
  ny: number
  /** False where the translation is only the best bound found. */
  exact: boolean
  /** Whether ellipses take part. */
  curved: boolean
  /** Bound on the rounding error of distances of the pair. */
  error: number
}

export function createTranslation(): Translation {
  return { found: false, tx: 0, ty: 0, length: 0, nx: 0, ny: 0, exact: true, curved: false, error: 0 }
}
