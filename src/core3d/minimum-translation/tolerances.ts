/** Tolerances of the search for the shortest way out: ratios and counts, none a length. */

/** Most walls of a pair of convex bodies that are all looked for, and most pairs of edges, as its square, that are asked whether they make one. */
export const WALL_COUNT = 2 ** 11

/** What coordinates of two unit normals may differ by and both stand for one wall. */
export const SAME_WALL_RATIO = 2 ** -48

/** Square of the sine of an angle, and of the volume of three unit normals, below which walls count as parallel: where they meet is lost in rounding. */
export const PARALLEL_WALLS_RATIO = 2 ** -80

/** Places that a search for the shortest way out looks at, all in all; and those after which it wants a bound to prune by. */
export const ESCAPE_PLACE_COUNT = 2 ** 13
export const LONG_ESCAPE_COUNT = 2 ** 7

/** Places from which it goes on by exits along a few ways, because no wall that is known forbids them. */
export const HELD_PLACE_COUNT = 2 ** 6

/** Ratio of their lengths up to which ways out count as equally long. */
export const EQUAL_WAY_RATIO = 2 ** -46

/** Rounds in which a way out past curves is shortened, and the share of it that has to be gained. */
export const SHORTENED_WAY_COUNT = 32
export const SHORTENED_WAY_RATIO = 2 ** -44
