/**
 * Constants of doubles, whatever you compute in them: their roundoff, the sizes whose products stay in their range, and how
 * many steps halving or creeping along them may take.
 */

/** Unit roundoff of IEEE doubles, 2^-53. */
export const UNIT_ROUNDOFF = 2 ** -53

/** The least double with all of its digits. */
export const LEAST_NORMAL = 2 ** -1022

/** Halvings of a bracketed root: a double holds no more than 1,074 + 53 binary places, and 128 exhaust any bracket here. */
export const BISECTION_COUNT = 128

/** Below it a 2×2 determinant of doubles may have lost an underflowed product, and is evaluated without that risk. */
export const SMALLEST_SAFE_DETERMINANT = 2 ** -900

/**
 * Extents between these have fourth powers of coordinates that neither overflow nor lose digits to underflow; other pairs are
 * scaled by a power of two first.
 */
export const SMALLEST_SAFE_EXTENT = 2 ** -240
export const LARGEST_SAFE_EXTENT = 2 ** 240

/**
 * Rounding error of a quantity that is summed without rounding its terms (two-sums and two-products), relative to the
 * coordinates that entered: a few squared roundoffs.
 */
export const COMPENSATED_ERROR_RATIO = 2 ** -100

/** Below this length, the error terms of products may underflow: an absolute floor under every error bound. */
export const UNDERFLOW_LENGTH = 1e-300

/** Squares between these bounds neither overflow nor lose digits to underflow. */
export const LARGEST_SAFE_SQUARE = 2 ** 1000
export const SMALLEST_SAFE_SQUARE = 2 ** -900

/**
 * Steps of conservative advancement or of Newton's method along a motion. Reached only by bodies that keep within rounding
 * of each other without touching; the answer then says so.
 */
export const ADVANCEMENT_COUNT = 10_000

/** Steps that one exact evaluation counts for. */
export const EXACT_STEP_COUNT = 32

/**
 * Steps of conservative advancement, and visits of leaf pairs, in one search about spinning composites: about a tenth of a
 * second. Reached only by bodies that turn many times with many leaves near each other; the answer then says so.
 */
export const SHARED_ADVANCEMENT_COUNT = 2 ** 16

/** Products of four numbers between these bounds neither overflow nor lose digits to underflow. */
export const LARGEST_SAFE_FOURTH = 2 ** 220
export const SMALLEST_SAFE_FOURTH = 2 ** -220

/** Below it an adaptive in-circle determinant of such numbers may hang on the underflowed product of two error terms. */
export const SMALLEST_SAFE_INCIRCLE = 2 ** -600
