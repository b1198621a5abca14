/**
 * Every tolerance of the third dimension, in one place, as `core2d/tolerances.ts` has those of the second: ratios and counts,
 * none a length.
 */

import { UNIT_ROUNDOFF } from '../numeric/roundoff.ts'

/**
 * Error bound of the determinant that tells on which side of a plane a point lies, relative to the sum of its products'
 * magnitudes: Shewchuk's o3derrboundA.
 */
export const ORIENTATION_ERROR_RATIO = (7 + 56 * UNIT_ROUNDOFF) * UNIT_ROUNDOFF

/**
 * What underflow may take from that determinant, for each unit of its last factors: six halves of the least double, and some.
 */
export const UNDERFLOW_SHARE = 2 ** -1060

/**
 * Coordinates between these bounds (or 0) have products of three whose error terms, and theirs, neither overflow nor underflow:
 * their lowest bits lie above 2^-302, and those of their products above 2^-906. An adaptive test may then be believed, also
 * when it says 0.
 */
export const SMALLEST_SAFE_COORDINATE = 2 ** -250
export const LARGEST_SAFE_COORDINATE = 2 ** 250

/**
 * Error bound of a point's height over the plane of a triangle, times twice its area, where the plane is kept as a normal and
 * an offset from a common origin: relative to the products of which the normal is made, times the half sizes of the box of all
 * points. Coordinates of the normal are within 4 roundoffs of those products, which the difference of two points doubles; each of
 * the two scalar products adds 5. Larger than these 18 would only cost time.
 */
export const PLANE_ERROR_RATIO = 32 * UNIT_ROUNDOFF

/** The same that underflow may take, for coordinates of at most 2: far below any height that a bound above it lets through. */
export const PLANE_UNDERFLOW = 2 ** -1000

/** Error bound of a scalar product of a direction with the difference of two points, relative to its products' magnitudes. */
export const ALONG_ERROR_RATIO = 8 * UNIT_ROUNDOFF

/**
 * Steps for each point, times their logarithm, after which a hull no longer takes the farthest points first but all of them in
 * random order. Spheres, balls and grids take less than 8; only what makes many faces that soon fall again comes so far.
 */
export const FARTHEST_FIRST_COUNT = 32

/** Triangles round a new vertex from which on the one over a point is found by halving, not one after the other. */
export const WIDE_FAN_COUNT = 32

/** Sweeps of rotations that make a 3×3 matrix diagonal: each about squares what is left, so six do; more are never needed. */
export const JACOBI_COUNT = 32

/**
 * How far from their mean, relative to it, the arguments of an elliptic integral may be for its series, whose rest is the sixth power
 * of that: below a roundoff. Each step before quarters it.
 */
export const CARLSON_SPREAD = 2 ** -9
