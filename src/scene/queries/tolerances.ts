/**
 * How far what rounding does to computed lengths is let go, in the searches of scenes. It decides what is looked at, never what is
 * answered: more of it costs time, less of it could miss a body that is as near as the nearest.
 */

/** Of the coordinates that a length is computed from: the published bound on its error is 1e-9 of the extent of a pair. */
export const DISTANCE_SLACK_RATIO = 2 ** -29

/** Of the coordinates of a path: how far off the sum of its stretches may be, with all that pushes the body off what it met. */
export const PATH_SLACK_RATIO = 2 ** -30

/** Of coordinates and lengths of a motion: what their rounding may put a body in another one by, and how near is touching. */
export const ROUNDING_RATIO = 2 ** -50
export const TOUCH_RATIO = 2 ** -44
/** Times the roundings: how deep a body may stand in another before it is pushed out, and by how much more it is then. */
export const DEEPEST_ROUNDING_COUNT = 2 ** 10

/** One unit in the last place of a coordinate; and the least part of a unit vector along an axis that leads out along that. */
export const LAST_PLACE_RATIO = 2 ** -52
export const NO_WAY_OUT_RATIO = 2 ** -20

/** Sine of the angle at which a line is left by the way that led to it, at least: at a lesser one it is left by less than a rounding. */
export const LEAST_RISE_RATIO = 2 ** -10

/** Of the extent of what is in the way: how much larger a body is taken to be that fits but for rounding, so that it does not. */
export const GROWTH_RATIO = 2 ** -42

/** Radians: how near to the turn that was looked for a body lies as it should. */
export const TURN_RATIO = 2 ** -40

/** Sine of an angle: two sides at less of one face each other as they are. */
export const PARALLEL_RATIO = 2 ** -40
