/**
 * Every tolerance of the core, in one place. Each is a ratio of the pair's own extent or a count; none is a length:
 * the service does not know the caller's unit.
 */

import { UNIT_ROUNDOFF } from '../numeric/roundoff.ts'

/**
 * Bound on the rounding error of a signed distance between straight or circular features, relative to the pair's
 * extent: a handful of sums and products of values no larger than the extent, each off by one roundoff. Below it the
 * sign is not trusted and exact arithmetic decides; larger would only cost time.
 */
export const SEPARATION_ERROR_RATIO = 64 * UNIT_ROUNDOFF

/**
 * Rounding error of a distance that involves an ellipse, relative to the extent. The nearest point comes from an iteration that
 * stops at full precision; its result is second-order accurate, so the bound is generous.
 */
export const ELLIPSE_ERROR_RATIO = 2 ** -40

/**
 * Smallest gap reported for a pair that is exactly separated although its rounded distance came out as zero, relative
 * to the extent. A power of two, so that answers scale with the input. Consequence: `distance > 0` whenever
 * `overlap` is false.
 */
export const LEAST_GAP_RATIO = 2 ** -60

/**
 * Depth at a moving contact below which a pair with an ellipse counts as touching, relative to the extent: the depth comes from an
 * iteration, and rounding hides smaller ones.
 */
export const CURVE_GAP_RATIO = 2 ** -44

/** Iterations after which GJK hands over to the exhaustive search; polygons need about ten. */
export const GJK_ITERATION_COUNT = 64

/**
 * Square of the axis ratio below which an ellipse is measured as the segment it resembles: its reciprocal would
 * overflow, and the difference is far below one roundoff of the major axis.
 */
export const SLENDER_SQUARE = 2 ** -900

/** Numbers between these bounds, and their reciprocals, may be multiplied with lengths between those. */
export const LARGEST_SAFE_RATE = 2 ** 400
export const SMALLEST_SAFE_RATE = 2 ** -400

/** Below it products of two coordinates of an orientation may lose digits to underflow: such turns are taken scaled up. */
export const SMALLEST_SAFE_TURN = 2 ** -430

/** Radians per second below which a spin turns by nothing in any time that a double can count. */
export const LEAST_SPIN = 2 ** -430

/**
 * Slope (sine of the angle between a ray and an edge) up to which an edge counts as parallel to the ray in rounded
 * arithmetic: 512 roundoffs, so that a slope above it is known to 2 %. Rays this close to an edge's own line are decided
 * exactly; larger would only cost time.
 */
export const RAY_PARALLEL_RATIO = 2 ** -44

/**
 * Uncertainty of a point along a ray, relative to the body's extent, above which it is computed again without
 * cancellation: ten times finer than the accuracy that answers promise.
 */
export const RAY_POINT_RATIO = 2 ** -34

/** Slope from which on a rounded crossing is certain to well within `RAY_POINT_RATIO`. */
export const RAY_STEEP_RATIO = 2 ** -10

/** Axis ratio below which an ellipse is measured as one this slender: the difference is far below one roundoff. */
export const LEAST_AXIS_RATIO = 2 ** -500

/**
 * How near to a circle's rim, relative to its radius, a ray counts as grazing: the chord is then evaluated from the exact
 * discriminant, because rounding the ray's offset would move its ends by more than `RAY_POINT_RATIO`.
 */
export const RAY_GRAZING_RATIO = 2 ** -28

/** Error of a cross product of a ray's direction with the offset of a point, relative to the lengths of both: see `ray/usual-ray.ts`. */
export const RAY_CROSS_RATIO = 8 * UNIT_ROUNDOFF

/** Error of a rounded place along a ray, relative to the lengths that it is summed from: eight times what rounding can do there. */
export const RAY_PLACE_RATIO = 2 ** -48

/**
 * How deep a line goes into a circle, relative to the radius, and how large that is beside the coordinates, so that the chord in
 * doubles is known to 2^-37 of the radius; and twice that error.
 */
export const RAY_DEPTH_RATIO = 2 ** -20
export const RAY_RADIUS_RATIO = 2 ** -50
export const RAY_CHORD_RATIO = 2 ** -36

/** Lengths of directions of rays between these need no scaling. */
export const LARGEST_RAY_LENGTH = 2 ** 63
export const SMALLEST_RAY_LENGTH = 2 ** -63

/** Share of two terms from which on their sum has lost no more than two digits, and is as good as if it were exact to twice the digits. */
export const UNCANCELLED_RATIO = 2 ** -2

/**
 * Share of its terms down to which the difference of two twofold numbers, each good to 2^-98 of itself, is rounded as if it
 * were exact; what cancels further is computed from exact numbers.
 */
export const CANCELLED_RATIO = 2 ** -40

/**
 * How far from both ends of an edge a crossing must lie, as doubles see it, so that twofold numbers would say the same: their
 * products with the edge, relative to the terms these are summed from. Eight times what rounding can do there.
 */
export const FOOT_MARGIN_RATIO = 2 ** -46

/**
 * Relative error of a time found by one step of Newton's method: a sixteenth of its last place. Its terms are what that step
 * leaves in the second order, the slope's own rounding beside the terms that it is a sum of, and what the twofold excess is off
 * by beside the lengths that went into it.
 */
export const NEWTON_ERROR_RATIO = 2 ** -57
export const SLOPE_ERROR_RATIO = 2 ** -50
export const TWOFOLD_ERROR_RATIO = 2 ** -102

/**
 * Product of the distances of two cores and of their surfaces, relative to the square of the pair's extent, from which on an end
 * of an edge that rounding takes for its inside, or the other way round, changes the gap by far less than one roundoff: by the
 * square of what rounding is off, 2^-50 of the extent, over the distance of the cores.
 */
export const CLEAR_DISTANCE_RATIO = 2 ** -40

/** Binary places, counted from the size of a pair, to which a common point is rounded to find one that lies in both bodies exactly. */
export const PLACE_COUNTS: readonly number[] = [51, 48, 44, 36, 26, 16, 8]

/** Ways towards the middle of a body that are tried for the same purpose, in shares of all the way. */
export const NUDGE_RATIOS: readonly number[] = [2 ** -40, 2 ** -30, 2 ** -20, 2 ** -10]

/** Cosine from which on a neighbour is farther away for certain: far above rounding. */
export const CLEAR_COSINE_RATIO = 2 ** -36

/**
 * A motion over less than this is none: products with it could underflow. No coordinate that is not itself beyond all use
 * notices.
 */
export const LEAST_PATH_LENGTH = 1e-250

/** Error bound of a 2×2 determinant of rounded differences, relative to the sum of its products' magnitudes. */
export const TURN_ERROR_RATIO = (3 + 16 * UNIT_ROUNDOFF) * UNIT_ROUNDOFF

/**
 * Vertices up to which a support point is looked for downhill from the last one. Rounding can end such a walk early, by
 * at most one roundoff of the extent per vertex: that must stay within SEPARATION_ERROR_RATIO.
 */
export const CLIMB_COUNT = 16

/** Shares of an ellipse's axis that count as none: they move a boundary point by far less than one roundoff. */
export const NEGLIGIBLE_RATIO = 2 ** -500

/** Size of an ellipse, relative to the distance of a point, up to which it is seen from there as a point: far below one roundoff. */
export const FAR_RATIO = 2 ** -100

/** Alternating projections that settle the nearest points of two ellipses; one does unless they are very slender. */
export const PROJECTION_COUNT = 32

/**
 * Nodes of the box tree visited in search of the first of all crossings of an outline that is known to cross itself: in all,
 * or for each edge if that is more. About 20 ms for 10,000 edges. Where boxes of edges meet each other by the million it can
 * run out, and another crossing is named.
 */
export const FAULT_SEARCH_COUNT = 2 ** 20
export const FAULT_SEARCH_PER_EDGE_COUNT = 64

/**
 * Steps of the search for all places at which rings meet: in all, or for each edge if that is more. About half a second up to
 * 100,000 edges. Where boxes of edges meet each other by the million it can run out, and the answer says so.
 */
export const MEETING_SEARCH_COUNT = 2 ** 26
export const MEETING_SEARCH_PER_EDGE_COUNT = 512

/**
 * Bound on the error of a crossing in twofold arithmetic, as a share of the products that it is made of: a dozen roundings of at most
 * 5 · 2^-106 each. Where it leaves the last digit open, the crossing is computed exactly.
 */
export const CROSSING_ERROR_RATIO = 2 ** -98

/**
 * Cuts that repairing rings makes in one round: more are refused as too complex, before the memory of a worker ends. Rounds that it
 * makes on doubles: the ones after the first mend what rounding of crossings has moved, and most need two. Then rounds on a grid.
 */
export const REPAIR_CUT_COUNT = 2 ** 20
export const REPAIR_FREE_ROUND_COUNT = 5
export const REPAIR_GRID_ROUND_COUNT = 64

/**
 * How far, in radians, rounding of the time may turn a spinning body before a time of impact counts as not converged: ten
 * times finer than the accuracy that answers promise. Consequence: contacts are only vouched for in the first half a
 * million radians.
 */
export const CLOCK_DOUBT_RATIO = 2 ** -34

/**
 * Sine of the angle up to which two edges count as parallel when it is asked which of their sides face outward: the error of
 * two rounded unit normals. Larger would close slots between edges that do part.
 */
export const PARALLEL_RATIO = 8 * UNIT_ROUNDOFF

/** Sides of the polygon that stands for an ellipse while the minimum translation of a concave pair is searched; then it is refined. */
export const ELLIPSE_SIDE_COUNT = 64

/**
 * Steps of a search for a minimum translation, about half a second; and paths that it keeps at a time, 200 MB with what queues
 * them. Reached only by pairs of thousands of edges that interlock, and where hundreds of curved or many-cornered leaves lie in
 * one place; the answer is then the best bound known, and says so.
 */
export const TRANSLATION_STEP_COUNT = 2 ** 24
export const TRANSLATION_PATH_COUNT = 2 ** 20

/** Directions tried for the best bound when that work is too much. */
export const DIRECTION_COUNT = 64

/** Nodes smaller than one in so many of their distance are opened without ordering them any further: a little more work, less order. */
export const NODE_SHARE_COUNT = 64

/**
 * Pairs of nodes looked at before a cell of translations is split, in eighths and in the largest cells, and paths that it may have
 * then. More make fewer cells, and more work for each.
 */
export const CELL_LOOK_COUNT = 32
export const CELL_PATH_COUNT = 16

/** Pairs of leaves that forbid the middle of a cell from which on it is split at once: its parts will be forbidden as wholes. */
export const CELL_DEEP_COUNT = 3

/**
 * Corners of convex parts up to which a long search goes by cells, because each pair of parts is looked at for many of them; and
 * parts, because what many parts forbid has seams everywhere, along which cells would be split without end.
 */
export const PLAIN_CORNER_COUNT = 8
export const PLAIN_PART_COUNT = 4

/** Size of the smallest cells, relative to all: they are not split, whatever they hold. */
export const LEAST_CELL_RATIO = 2 ** -16

/** How far a cell reaches beyond its sides, relative to its size. */
export const CELL_OVERLAP_RATIO = 2 ** -10

/**
 * Corners up to which a body is measured by closed forms that round once: those of a box. More would make every contact of polygons
 * twice as dear, for digits that nobody was promised.
 */
export const CLOSED_CORNER_COUNT = 4

/** Rounds that refine a translation against true ellipses; each squares the error, so a few suffice. */
export const REFINEMENT_COUNT = 32

/**
 * Pairs of leaves looked at in all rounds together, some hundredths of a second. Reached where a thousand edges run along an
 * ellipse; the answer is then the best one so far, not the shortest by as much as the polygons reach beyond the ellipses.
 */
export const REFINEMENT_WORK_COUNT = 2 ** 13

/** Constraints among which every two are tried; of more, as many are picked one by one. */
export const FEW_CONSTRAINT_COUNT = 48

/** Free translations from which such a refinement starts: next to the nearest one, others may come out shorter. */
export const REFINED_START_COUNT = 16

/**
 * How many times the rounding error of a distance two leaves of a composite body may be farther apart than the pair itself and
 * still count as touching it: the pose of contact is rounded, and so is every leaf's place in it.
 */
export const TOUCH_ERROR_COUNT = 16

/** How much less than 1 the cosine between a contact's normal and the face that carries it may be: an angle of 3e-7. */
export const SAME_NORMAL_RATIO = 2 ** -44

/**
 * Approach speeds below this share of the speed are sliding: reflecting them would change nothing but rounding. Larger would
 * let shallow bounces pass.
 */
export const SLIDING_RATIO = 2 ** -40

/** Overlap at the start of a path, relative to coordinates and sizes, up to which it is touching with rounding errors. */
export const START_DEPTH_RATIO = 2 ** -40

/** Instants nearer than this, relative to the time passed and to the time in which a body crosses its own size, are one. */
export const INSTANT_RATIO = 2 ** -42

/**
 * Of the coordinates and sizes of two bodies: how near they are when a trajectory takes them for touching, and how near to a corner
 * it takes them for at it. What rounding makes of positions that are meant to coincide; a gap narrower than that is closed.
 */
export const CONTACT_RATIO = 8 * UNIT_ROUNDOFF

/** How many times that far everything is taken together where a body touches something: farther than it comes while it slips by. */
export const CONTACT_SHARE_COUNT = 4

/** Angles nearer than that are one, so that sides that rounding has turned from each other are still one wall. */
export const ANGLE_TOLERANCE_RATIO = 2 ** -40

/**
 * Cosine of a velocity and a wall's normal up to which the body slides along the wall: it then stays on that side. And how far, in
 * radians, the way back is turned from the wall to tell the sides apart. Below both, a corner is too acute to slide into.
 */
export const SLIDING_SIDE_RATIO = 2 ** -30

/** Sine of the angle up to which walls that meet are one when it is noted on which side of them a body is: far from the origin short ones are not straight. */
export const SAME_WALL_RATIO = 2 ** -16

/** Bounces at one instant after which a body is stuck; a wedge of two degrees needs fewer to let a ball go. */
export const STUCK_BOUNCE_COUNT = 128

/** Bounces after which a body is stuck in a corner whose walls do not move; it leaves a corner of a tenth of a degree before that. */
export const STUCK_CORNER_COUNT = 2048

/** Fewer do when the most bounces asked for have all been spent. */
export const STUCK_LAST_COUNT = 16

/** Times that a body is pushed off an obstacle that rounding has left it in. */
export const PUSH_COUNT = 12

/**
 * Error bound of the determinant that tells whether a point lies inside a circle, relative to the sum of its products'
 * magnitudes: Shewchuk's iccerrboundA.
 */
export const INCIRCLE_ERROR_RATIO = (10 + 96 * UNIT_ROUNDOFF) * UNIT_ROUNDOFF

/**
 * Edges turned for each triangle on the way to a Delaunay triangulation. Reached only by outlines whose first triangulation
 * is a fan of thousands of slivers; its triangles are then less well shaped than they could be, and as valid.
 */
export const FLIP_PER_TRIANGLE_COUNT = 8

/**
 * Steps in search of fewer convex pieces, in all, or for each half-edge of the triangulation if that is more: about a fifth of
 * a second for 10,000 vertices. Reached by regions of thousands of vertices; some more pieces than need be are left then.
 */
export const WINDOW_WORK_COUNT = 2 ** 23
export const WINDOW_WORK_PER_VERTEX_COUNT = 2 ** 6

/**
 * Steps away from an edge that a rounded crossing is moved, the first one unit in its own last place and each four times the
 * one before: a crossing next to zero needs many to come to the rounding error of the edge. Enough for all doubles.
 */
export const NUDGE_COUNT = 600

/**
 * Share of a hull's area up to which what it has too much is rounding: such a part counts as convex and is not cut any more.
 */
export const LEAST_CONCAVITY_RATIO = 2 ** -40

/** Share of the greatest error of a part below which no saving counts as one: then the worst part is cut, wherever that leads. */
export const NEGLIGIBLE_SAVING_RATIO = 2 ** -5

/**
 * Points times lines looked at for one approximation, a few seconds. Reached by outlines of tens of thousands of vertices that
 * are cut into hundreds of pieces; fewer than allowed are given then.
 */
export const APPROXIMATION_WORK_COUNT = 2 ** 27

/** Turns looked at in joining the pieces of an exact decomposition, about a fifth of a second; after that, cuts must do. */
export const JOINING_WORK_COUNT = 2 ** 21

/** Steps that measuring two leaves of composite bodies counts for: about half a microsecond, more than is spent on small polygons. */
export const LEAF_PAIR_STEP_COUNT = 16

/** Touching pairs of leaves (a power of two) from which on it is asked whether they tell that the insides meet, before all are known. */
export const MANY_TOUCHES_COUNT = 2 ** 10

/** Parts from which on it is looked whether a part of a compound lies within another one: a few are as soon looked at themselves. */
export const LEAST_CROWD_COUNT = 64

/**
 * Of the coordinates of a box around a motion: how much wider it is made, because the sines of its turns are good to a few roundoffs
 * of the body's size. It decides what is looked at, never what is answered.
 */
export const SWEPT_SLACK_RATIO = 2 ** -44

/** Nodes and points looked at in search of a part that holds another one. Where more would be needed, the part stays. */
export const HOLDER_SEARCH_COUNT = 64

/** Pairs of leaves looked at before a search counts as long: then it is worth finding out what it need not look at. */
export const LONG_SEARCH_COUNT = 2 ** 13

/** Pairs of leaves that two bodies may have before it is looked which of their leaves are hidden within others. */
export const FEW_LEAF_PAIRS_COUNT = 2 ** 16

/**
 * Tolerances by which a path goes farther than an obstacle truly reaches before it is asked whether there is a way out in between:
 * far less than what lengths are promised to. And how often is looked for it, each time eight times farther away: the farthest
 * look is 2^15 tolerances away, a quarter of that promise.
 */
export const GAP_SLIP_COUNT = 2 ** 10
export const GAP_LOOK_COUNT = 5
/** Places on a path that are asked about in one go. */
export const GAP_PLACE_COUNT = 64
/** Cosine from which two edges face the same way there: at a greater angle a path is soon out of a tolerance. */
export const ALIKE_COSINE_RATIO = 1 - 2 ** -17

/**
 * Sine of the angle up to which two segments that meet are parallel: far above what turning them has rounded, so that one that
 * falls flat onto another meets a line and not a sliver.
 */
export const PARALLEL_LINES_RATIO = 2 ** -46

/** Sine of the angle between a motion and a line up to which the motion runs along the line. */
export const LINE_SLOPE_RATIO = 2 ** -42

/** How long, in sizes of a point grown by rounding, a corner that it stood in must be touched so that it is not just left. */
export const LEAVING_COUNT = 2 ** 10

/** Points of smaller pairs may lose more digits below the least double, when they are scaled back, than a proof at the other scale allows for. */
export const SMALLEST_PIERCED_EXTENT = 2 ** -1020
