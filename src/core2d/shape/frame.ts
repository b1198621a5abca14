/** Where two bodies stand to each other. */

/**
 * Where B's anchor stands from A's, and how well distances between the two are known. A record, because a double handed
 * to a function that is not inlined is boxed on the heap.
 */
export interface Frame {
  dx: number
  dy: number
  /** Sum of the sizes and of the distance of the anchors: the scale of every tolerance. */
  extent: number
  /** Bound on the rounding error of a distance between straight or circular features. */
  error: number
}
