/**
 * Bounds on rounding errors of lengths in searches of scenes. They decide which bodies are tested, not the answer: larger bounds cost
 * time, and smaller ones could miss a body that is as near as the nearest.
 */

/** Ratio of the coordinates from which a distance is computed: the published bound on its error is 1e-9 of the extent of a pair. */
export const DISTANCE_SLACK_RATIO = 2 ** -29

/**
 * Ratio of the coordinates of a path, by dimension: the error of the sum of its legs, including the pushes off the bodies that it met.
 * In space a body so near to a corner leaves less room to look at that.
 */
export const PATH_SLACK_RATIO = { 2: 2 ** -30, 3: 2 ** -16 } as const

/** Relative to the time passed and to that in which a body crosses its own size: what is met so soon after a bounce may be met with it. */
export const BOUNCE_TIME_RATIO = 2 ** -40

/** Ratios of the length of a way to a free place, and of the coordinates where it begins: how much farther is looked for what may be in the way. */
export const PLACE_SLACK_RATIO = 2 ** -30
export const LAST_DIGITS_RATIO = 2 ** -50

/** Ratios of the coordinates and lengths of a motion: the depth that rounding may cause, and the gap that counts as touching. */
export const ROUNDING_RATIO = 2 ** -50
export const TOUCH_RATIO = 2 ** -44
/** Multiple of the rounding error up to which an overlap is taken for one, and pushed out. */
export const DEEPEST_ROUNDING_COUNT = 2 ** 10

/** One unit in the last place of a coordinate; and the least component of a unit vector that counts as a direction. */
export const LAST_PLACE_RATIO = 2 ** -52
export const NO_WAY_OUT_RATIO = 2 ** -20

/** Least sine of the angle between a line and the way off it: below, the way gains less than a rounding error. */
export const LEAST_RISE_RATIO = 2 ** -10

/** Ratio of the extent of the bodies in the way: how much a body is enlarged that would fit without rounding, so that it does not. */
export const GROWTH_RATIO = 2 ** -42

/** Radians: the error of the turn up to which a body counts as aligned. */
export const TURN_RATIO = 2 ** -40

/** Sine of the angle below which two sides count as parallel. */
export const PARALLEL_RATIO = 2 ** -40

/** Ratio of the coordinates and lengths of a motion: how far a body in space is kept off what has no inside. */
export const OFF_FLAT_RATIO = 2 ** -46

/** Ratio of the reach of a body: how far below it what it stands on may be. */
export const STANDING_RATIO = 2 ** -16
/** Ratio of the reach of a body: how far beside an edge its top is looked at. */
export const BESIDE_EDGE_RATIO = 2 ** -20
/** Difference of unit normals up to which two planes are one. */
export const SAME_PLANE_RATIO = 2 ** -44
/** Sines of the angles by which a way along a plane leads off it, where its normal is not known to the last digit. */
export const LIFT_RATIOS = [2 ** -40, 2 ** -30, 2 ** -20] as const
