/**
 * Growth of a shape, whose numbers are rounded, until it holds what it encloses.
 *
 * Method: first by a roundoff of a length, then by twice as much each time; where that took several steps, the growth is halved back as
 * far as the test of containment allows.
 */

import { UNIT_ROUNDOFF } from '../numeric/roundoff.ts'

/** Steps of growth: from a roundoff to any size. */
const GROWTH_COUNT = 64
/** Growth that took more steps than these is worth to be halved back so many times. */
const QUICK_COUNT = 6
const HALVING_COUNT = 24

interface Growing<Shape> {
  holds(shape: Shape): boolean
  /** The shape, larger by a length on all sides. */
  padded(shape: Shape, pad: number): Shape
  /** The shape, larger by a length in each way that may do, the least growth first and on all sides last. */
  waysToGrow(shape: Shape, pad: number): Shape[]
}

/** The shape itself, or grown as little as it takes; `unit`: a length of which the roundoff is the first growth. */
export function grownToHold<Shape>(shape: Shape, unit: number, { holds, padded, waysToGrow }: Growing<Shape>): Shape {
  if (holds(shape)) return shape
  let pad = Math.max(unit * UNIT_ROUNDOFF, Number.MIN_VALUE)
  for (let step = 1; step <= GROWTH_COUNT; step++) {
    const found = waysToGrow(shape, pad).find(holds)
    if (found !== undefined) {
      return step <= QUICK_COUNT
        ? found
        : padded(
            shape,
            halvedBack(pad, (less) => holds(padded(shape, less))),
          )
    }
    pad *= 2
  }
  throw new Error('an enclosure holds its body when it has grown by far more than rounding')
}

/** The least pad between the half of one and itself that does, as far as halving tells. */
function halvedBack(pad: number, does: (pad: number) => boolean): number {
  let [low, high] = [pad / 2, pad]
  for (let i = 0; i < HALVING_COUNT; i++) {
    const middle = low + (high - low) / 2
    if (does(middle)) high = middle
    else low = middle
  }
  return high
}
