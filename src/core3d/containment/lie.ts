/** How a guest lies to what may hold it. */

export type Triple = readonly [number, number, number]

export interface Lie {
  /** From the anchor of the holder to that of the guest, rounded once. World axes. */
  offset: Triple
  /** No two points of the pair are farther apart. */
  extent: number
  /** Bound on the rounding error of a height. */
  error: number
}
