/**
 * Every tolerance of the core, in one place. Each is a ratio of the pair's own extent or a count; none is a length:
 * the service does not know the caller's unit.
 */

/** Unit roundoff of IEEE doubles, 2^-53. */
export const UNIT_ROUNDOFF = 2 ** -53

/**
 * Bound on the rounding error of a signed distance between straight or circular features, relative to the pair's
 * extent: a handful of sums and products of values no larger than the extent, each off by one roundoff. Below it the
 * sign is not trusted and exact arithmetic decides; larger would only cost time.
 */
export const SEPARATION_ERROR_RATIO = 32 * UNIT_ROUNDOFF

/**
 * The same for distances that involve an ellipse, where the nearest point comes from an iteration. The iteration
 * stops at full precision; its result is second-order accurate, so the bound is generous.
 */
export const ELLIPSE_ERROR_RATIO = 2 ** -40

/**
 * Smallest gap reported for a pair that is exactly separated although its rounded distance came out as zero, relative
 * to the extent. A power of two, so that answers scale with the input. Consequence: `distance > 0` whenever
 * `overlap` is false.
 */
export const LEAST_GAP_RATIO = 2 ** -60

/** Iterations after which GJK hands over to the exhaustive search; polygons need about ten. */
export const GJK_ITERATION_COUNT = 64

/** Halvings of a bracketed root: a double holds no more than 1,074 + 53 binary places, and 128 exhaust any bracket here. */
export const BISECTION_COUNT = 128

/** Below it a 2×2 determinant of doubles may have lost an underflowed product, and is evaluated without that risk. */
export const SMALLEST_SAFE_DETERMINANT = 2 ** -900

/**
 * Square of the axis ratio below which an ellipse is measured as the segment it resembles: its reciprocal would
 * overflow, and the difference is far below one roundoff of the major axis.
 */
export const SLENDER_SQUARE = 2 ** -900

/** Extents below which squares of coordinates would lose digits to underflow: such pairs are scaled up first. */
export const SMALLEST_SAFE_EXTENT = 2 ** -430
