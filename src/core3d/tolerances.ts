/** Every tolerance of the third dimension, in one place, as `core2d/tolerances.ts` has those of the second: ratios and counts, none a length. */

import { UNIT_ROUNDOFF } from '../numeric/roundoff.ts'

/**
 * Error bound of the determinant that tells on which side of a plane a point lies, relative to the sum of its products'
 * magnitudes: Shewchuk's o3derrboundA.
 */
export const ORIENTATION_ERROR_RATIO = (7 + 56 * UNIT_ROUNDOFF) * UNIT_ROUNDOFF

/**
 * Error bound of that determinant in numbers of two doubles (`mesh/orientation.ts`). With P the products of a 2 × 2
 * minor and z its factor, a minor is within 18 squared roundoffs of P, its lower half below 5 roundoffs of P; a term within 40
 * squared roundoffs of z · P, its lower half below 7 roundoffs of that; adding the three costs 33 more. That is 73: rounded up for the
 * permanent, which is rounded itself.
 */
export const TWOFOLD_ORIENTATION_ERROR_RATIO = 128 * UNIT_ROUNDOFF * UNIT_ROUNDOFF

/** Share of that determinant that underflow may take, for each unit of its last factors: six halves of the least double, and some. */
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

/** Share of such a height that underflow may take, for coordinates of at most 2: far below any height that a bound above it lets through. */
export const PLANE_UNDERFLOW = 2 ** -1000

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

/**
 * Bound on the rounding error of a support's height along a unit vector, relative to the pair's extent: some dozens of sums and
 * products of values no larger than the extent. Below it a sign is not trusted and exact arithmetic decides; larger would only
 * cost time.
 */
export const SEPARATION_ERROR_RATIO = 64 * UNIT_ROUNDOFF

/**
 * Bound on the rounding error of the volume of a tetrahedron, relative to the cube of the extent: above it, all four signed volumes about the origin
 * are of certain sign, and the origin lies within.
 */
export const VOLUME_ERROR_RATIO = 512 * UNIT_ROUNDOFF
/** The same of the determinant of four planes of numbers of at most 1, each within 12 roundoffs: 24 products off by 51, and their sums by as many. */
export const COVER_SIGN_ERROR = 4096 * UNIT_ROUNDOFF

/** Steps that bring the weights of a thin tetrahedron to the last digits: each adds five digits of two, or it ends. */
export const WEIGHT_STEP_COUNT = 12

/**
 * Gap between upper and lower bound of a distance, relative to the extent, at which the search ends: rounding keeps it from
 * closing much further.
 */
export const DUALITY_GAP_RATIO = 4 * UNIT_ROUNDOFF

/**
 * Gap at which the search ends for a curved body, where Newton's method takes over: it finds in two or three steps what would take dozens, from a
 * direction that is good to three digits.
 */
export const ROUGH_GAP_RATIO = 2 ** -16

/** Steps of GJK, after which what has been bounded is taken. Points need about ten, curved pairs some dozens. */
export const GJK_ITERATION_COUNT = 400

/** Steps of GJK that bring the nearest point no nearer, after which rounding has the last word. */
export const STALLED_ITERATION_COUNT = 12

/**
 * Smallest gap reported for a pair that is exactly separated although its rounded distance came out as zero, relative to the
 * extent. A power of two, so that answers scale with the input. Consequence: `distance > 0` whenever `overlap` is false.
 */
export const LEAST_GAP_RATIO = 2 ** -60

/** Heights that differ by less, relative to the largest number in them, are compared exactly: eight roundoffs for each of three products. */
export const HEIGHT_ERROR_RATIO = 64 * UNIT_ROUNDOFF

/**
 * A component of a unit direction that is nearer to a round number than this is tried as that: directions that a search ends with are
 * good to the root of what it knows of the distance, as heights of curved bodies hang on the square of that.
 */
export const SNAP_RATIO = 2 ** -16

/** Faces that are tried in exact arithmetic for a depth: rounding leaves a few that differ from the one that the polytope found. */
export const EXACT_FACE_COUNT = 32

/** Core points higher above the lowest than this part of the extent are not at the contact: far more than errors of directions lift. */
export const CONTACT_DEPTH_RATIO = 2 ** -23

/** Coordinates up to so many shortest edges leave the sides of a box, and squares of cosines with them, right well within the margin. */
export const BOX_CORNER_RATIO = 2 ** 12
export const SIDE_COSINE_MARGIN = 2 ** -28

/** Lean of a disc over its size beyond which its lowest point stays lower than those `RIM_ANGLE` beside it, whatever rounding does. */
export const RIM_LEAN_RATIO = 2 ** -6

/**
 * Most corners of an expanding polytope: twice what smooth pairs take to the gap below. Only where a whole circle of ways is
 * shortest are there more, and what has been bounded by then is shortened from there.
 */
export const POLYTOPE_CORNER_COUNT = 160

/** Gap between upper and lower bound of a depth, relative to the extent, at which a polytope expands no further. */
export const POLYTOPE_GAP_RATIO = 2 ** -50

/**
 * Gap at which the polytope of a curved pair expands no further; Newton's method ends the way out: a search that stopped beside the shortest way has one that
 * is longer by no more than that.
 */
export const CURVED_POLYTOPE_GAP_RATIO = 2 ** -42

/** Height over a plane, relative to the extent, that counts as none when a polytope expands: what rounding makes of a flat face. */
export const POLYTOPE_PLANE_RATIO = 16 * UNIT_ROUNDOFF

/** A lower bound so far below the upper one, relative to the extent, comes with a direction that says nothing about a contact. */
export const OPEN_GAP_RATIO = 2 ** -30

/**
 * Bodies of more core points are not tried by the segments from a contact point to all others, of which only the edges matter: what
 * those add lies within rounding of touching.
 */
export const STAR_CORNER_COUNT = 32

/** Denominators up to this are tried to make a direction one of whole numbers: more of them would fit anything. */
export const COMMON_DENOMINATOR_COUNT = 512

/** Steps by which a way out is shortened: a dozen from where the polytope ended; what they have reached by then is a way out too. */
export const SHORTENING_COUNT = 64

/** Part of its least way out that a pair is known to be deep where more would not help: a polytope of a few corners says so much. */
export const LEAST_DEPTH_SHARE = 0.5

/** How far beyond the end of a way out a body is put to find a shorter one, relative to the extent: far enough for a sure direction. */
export const SHORTENING_REACH_RATIO = 2 ** -6

/**
 * Steps that bring the direction of a contact nearer to its own: each leaves a part in some dozens of what it was off on a curved
 * surface, and one does on faces, edges and corners.
 */
export const NEAR_STEP_COUNT = 16

/** A step that turns the direction of a contact by less, in radians, has found it: a gap is off by the square of that. */
export const SAME_DIRECTION_RATIO = 2 ** -30

/** Most that rounding cuts off a side of the box of a curved body at an angle, relative to the side: a few products and a root. */
export const BOX_ERROR_RATIO = 16 * UNIT_ROUNDOFF

/** Steps of Newton's method about a contact: each doubles the digits, and a search leaves five of them at least. */
export const NEWTON_COUNT = 12

/** Sine of the angle up to which a direction may face a flat or straight part of a curved body: a search leaves it less far off. */
export const FACING_LEAN_RATIO = 2 ** -12

/** That angle where a search for the place at which a moving pair meets has ended early. */
export const MEETING_LEAN_RATIO = 2 ** -4

/** Sine of the angle by which a direction must be off the ends of those of a part for that to be the only one that faces it. */
export const CLEAR_PART_RATIO = 2 ** -20

/** How near to the edge of a triangle that a way goes through what lies beyond it is looked at, relative to the other edges. */
export const NEAR_EDGE_RATIO = 2 ** -4

/** Gains, relative to the extent, at which the search for where a curved pair meets is left to Newton's method, one after the other. */
export const CURVED_SWEEP_GAINS: readonly number[] = [2 ** -12, 2 ** -20, 2 ** -30]

/**
 * Core points that are lower than the farthest along a direction by less than this part of their body's reach may face it together;
 * tried one after the other. A search leaves directions off by less than the first, where a circle of ways is as short by less than
 * the second.
 */
export const FACING_MARGIN_RATIOS: readonly number[] = [2 ** -20, 2 ** -11]

/** Share of a triangle, on each side of a point, from which on that is well within the triangle: rounding moves it by far less. */
export const WITHIN_FACE_RATIO = 2 ** -20

/** Residual that rounding leaves in the equations of a contact, relative to the extent. */
export const CONTACT_ERROR_RATIO = 64 * UNIT_ROUNDOFF

/**
 * Residual that is accepted where rounding lets it come no nearer to 0: surfaces that are nearly flat move far as a direction turns by a
 * roundoff. Nearest points are off by no more, along surfaces that hardly move away from each other there.
 */
export const CONTACT_SLACK_RATIO = 2 ** -40

/** Ways out, spread evenly about an axis, that are looked at where a search has left open which is the shortest. */
export const WAYS_ROUND_COUNT = 32

/** Pivots below this leave their unknown as it is: parallel edges and faces share a stretch, and any place of it will do. */
export const FREE_PIVOT_RATIO = 2 ** -44

/** Determinant of two equations, relative to the square of their largest entry, from which on Cramer's rule loses few digits. */
export const CLEAR_TURN_RATIO = 2 ** -16

/**
 * Coordinates below this part of a body's size count as 0 where its skin is measured: those that are left differ by no less than 2^-252
 * of it, so that no product of three of them underflows. The answer changes by no more than that part.
 */
export const TRIFLE_RATIO = 2 ** -200

/** Uncertainty of products of two edges to twice the digits, relative to the edges: a few squared roundoffs. */
export const PLANE_TWOFOLD_RATIO = 2 ** -98

/** Cross product of two edges of a triangle, by its reach squared, above which plain doubles tell that it has a plane. */
export const WIDE_TRIANGLE_RATIO = 2 ** -35

/**
 * Bound on the error of places and heights of a body near a ray's line, relative to the body's reach: some dozens of sums and products
 * of values up to four times that. Larger would only leave more rays to exact arithmetic.
 */
export const RAY_ERROR_RATIO = 128 * UNIT_ROUNDOFF

/** Slope (sine of the angle between a ray and a plane or axis) up to which they count as parallel in rounded arithmetic. */
export const RAY_PARALLEL_RATIO = 2 ** -40

/**
 * Uncertainty of a point along a ray, relative to the body's reach, above which it is computed again without cancellation: well
 * within the accuracy that answers promise.
 */
export const RAY_POINT_RATIO = 2 ** -37

/** Curvature of a cone along a ray, of 1 at most, below which its roots are left to exact arithmetic: rounding would spoil them. */
export const RAY_CONE_RATIO = 2 ** -10

/** Cosine up to which a normal at a corner may lead towards the core: what rounding makes of a right angle. */
export const CORNER_NORMAL_RATIO = 2 ** -44

/** Steps in which a normal is turned away from all points of a core: a dozen where thousands of them meet in a corner. */
export const CORNER_NORMAL_COUNT = 64

/** Part of a skin that rounding may add to the distance of a point on it from its core, if the direction from there is to mean anything. */
export const SKIN_ERROR_RATIO = 2 ** -10

/** Part of a skin up to which a place on it may be open and leave its normal, turned by as much, alone. */
export const THIN_SKIN_RATIO = 2 ** -34

/** Sine up to which two edges of a contact count as parallel: what a few roundings of the ends of parallel ones make of it. */
export const PARALLEL_SINE_RATIO = 2 ** -40

/** Points spread evenly round a disc that takes part in a contact, besides those that the other body asks for. */
export const RIM_POINT_COUNT = 8

/** Radians between any two points of a rim: sides of nearer ones have rounding's direction. An arc of so much rises by parts in 10¹³. */
export const RIM_ANGLE = 2 ** -20

/** How far apart, relative to the extent, two patches may seem to be, seen along the normal, that meet in a point or line by rounding. */
export const PATCH_GAP_RATIO = 2 ** -32

/**
 * Gap, relative to the extent, above which the nearest points of two cores are found in numbers of twice the digits: what cancels
 * then leaves some twenty digits. Smaller ones are left to exact arithmetic.
 */
export const FACE_GAP_RATIO = 2 ** -32

/** Extents between this and its inverse have products of four lengths whose lower halves do not underflow. */
export const FACE_EXTENT_LIMIT = 2 ** 180

/** Products of two or four edges below this may have lost digits to underflow. */
export const SAFE_FACE_PRODUCT = 2 ** -800

/** Square of the sine of a triangle's angle below which its plane is left to exact arithmetic. */
export const FACE_SINE_SQUARE = 2 ** -20

/**
 * How far beyond the plane through the nearest point a core point may lie and still count as on it, relative to the largest number
 * that entered: what numbers of twice the digits leave open, and nothing that a rounded distance would show.
 */
export const TIE_RATIO = 2 ** -90

/** Heights of the origin over a triangle, relative to the pair's extent, whose sign numbers of twice the digits tell for certain. */
export const CLOSE_HEIGHT_RATIO = 2 ** -84

/** Bound on the error of the volume of three corners in numbers of twice the digits, relative to the product of their sizes. */
export const CLEAR_VOLUME_ERROR = 2 ** -96

/** Triangles of a difference that are tried for the one that the origin lies under: one, or two or three round an edge or a corner. */
export const TRIANGLE_STEP_COUNT = 16

/** Gaps beside the skins, relative to the extent and to its share in the way between the cores, of which they tell the same. */
export const CLOSE_LENGTH_RATIO = 2 ** -88

/** Faces of a nearly flat patch that are tried in numbers of twice the digits: a box has two on a side. */
export const FACE_STEP_COUNT = 8

/** Sine up to which two edges of boxes count as parallel, so that no axis across both is tried: below it nothing changes by more. */
export const PARALLEL_EDGES_SINE = 2 ** -44

/**
 * Sine from which on the axis across two edges is good enough to be taken: rounding turns it by less than 2^-44. Between the two the
 * depth is left to others where such an axis might be the best.
 */
export const SURE_EDGES_SINE = 2 ** -6

/** Uncertainty that rounding leaves in the overlap along the axis across two edges, relative to the extent, for each unit of 1 / sine. */
export const EDGE_AXIS_ERROR_RATIO = 2 ** -46

/** Radians in all below which a bounded body does not turn: its points move by a thousandth of a roundoff of how far they are from the axis. */
export const LEAST_TURN = 2 ** -64

/** Even cuts of a turn between which the height of a curved body has at most one maximum: it has two in all, and what it travels tilts them. */
export const TURN_CUT_COUNT = 64

/** Speeds below this and above its inverse have squares and products with extents that stay in range. */
export const LARGEST_SAFE_SPEED = 2 ** 400

/** Steps of a search for the face through which a pair meets: a dozen in hulls of hundreds of corners. */
export const FACE_SWEEP_COUNT = 64

/** Sine of the angle of a way to a face, and of a triangle's corner, below which the face is left to others: rounding would turn it. */
export const FACE_SWEEP_STEEPNESS = 2 ** -10

/** Tangent of the angle by which a face's normal leans to find the face's own farthest corners: less than faces that count differ by. */
export const FACE_SWEEP_LEAN = 2 ** -20

/** Bound on the errors of normals of a Gauss map, as sines of angles, at least: far more than their rounding, far less than angles that count. */
export const ARC_SLACK = 2 ** -44

/** Of so few pairs of core points all are summed: their hull takes less than the search for those that can be corners. */
export const ALL_SUMS_COUNT = 256

/** Most pairs of core points that are summed: what two polyhedra of some thousand corners each come to. Two fans of polygons make more. */
export const SUM_CORNER_COUNT = 2 ** 17

/** How many times the error of a corner's height one face's plane may be off at another face, and both still count as one. */
export const ROUNDED_FACE_COUNT = 64

/** Steps over the pieces of a distance that is made of some: two or three, where a box has 27 and a capsule three times as many. */
export const PIECE_STEP_COUNT = 16

/** Last step to the place where a pair meets, as a part of its extent: the direction seen before it is that of the contact. */
export const LAST_STEP_RATIO = 2 ** -48

/** Part of the extent up to which rounding may leave open where a pair meets: more is left to others. */
export const FACE_SWEEP_SLACK_RATIO = 2 ** -34
/** Steps of Newton's method in time, which each doubles the digits but where bodies graze: there each halves what is left. */
export const NEWTON_TIME_COUNT = 256

/**
 * Part of its speed that a body within rounding of another may close at and still count as sliding along: whether it touches is then
 * the sign of its distance, not what would come next.
 */
export const SLIDING_RATIO = 2 ** -26

/** Leaps of a pair that turns, each half as long or less, before a step that is safe by itself. */
export const LEAP_COUNT = 4

/** Part of the length that a leap may have if all goes on as it does: things change. */
export const LEAP_SHARE = 0.9

/** Of a gap, the share by which a leap may lie in an overlap for the place of the contact to be known from that. */
export const LEAST_BACK_SHARE = 1 / 8

/** Chords by which a step of conservative advancement is brought nearer to where its bound ends. */
export const SAFE_STEP_COUNT = 3

/** Core points of a pair that make a look at it take as long again as one at a pair of boxes. */
export const LIGHT_POINT_COUNT = 64

/** How many times as long a look at cylinders, cones and ellipsoids takes: thousands of them would take seconds. */
export const CURVED_LOOK_WEIGHT = 12

/**
 * Relative to the extent, how deep curved bodies must be to be so for certain: slivers of a polytope make its bounds wrong by parts in
 * 10¹³. Up to there exact arithmetic decides whether a pair only touches.
 */
export const CLEAR_DEPTH_RATIO = 2 ** -36

/**
 * Relative to the extent, how deep bodies that turn must be for their depth to be taken as it is found: what is not so deep is looked
 * at more closely, which costs as much again.
 */
export const SHALLOW_DEPTH_RATIO = 2 ** -20

/** Of twice the depth, the part that a step of overlapping bodies reckons with, as depths do not change evenly. */
export const STRIDE_SHARE = 1.8

/** Of the time in which what overlaps could part at the soonest, how many times as long a step is tried at most. */
export const LONGEST_STRIDE_COUNT = 8

/** Spans of an overlap that are kept until those before them are found: each stretch that is left is halved, down to nothing. */
export const PARTING_SPAN_COUNT = 64

/**
 * Looks for spans of an overlap: three or four cover most, some dozens those of bodies that turn often, some hundreds those that turn by
 * each other's edges and lie in each other by little. Searches for them anew where what touched has sunk in: one, but for pairs that touch
 * again and again. Steps in which a body is followed out of a half-space: about four a turn, and a few to the end.
 */
export const PARTING_LOOK_COUNT = 4096
export const PARTING_SEARCH_COUNT = 16
export const HALFSPACE_STEP_COUNT = 2 ** 12

/** Points that are taken to have a ring of three go round a way: none, or one or two; beside what is curved some dozens. */
export const HOLD_RING_COUNT = 48

/** Part of a time asked for from which on it is not tried to hold an overlap any longer, by other points. */
export const HOLD_LEAST_SHARE = 2 ** -8

/** Part of a time in which an overlap is not known to last that is tried next. */
export const HOLD_SHARE = 0.7

/** Times that are tried so: the last is a millionth of the first. */
export const HOLD_SHRINK_COUNT = 40

/** Errors of a height within which bodies that turn count as touching, and beyond which as apart or as sunk in. */
export const TOUCHING_COUNT = 4

/** How far before the contact its normal is taken, as a part of the extent: far enough for a direction, near enough for the same features. */
export const NORMAL_GAP_RATIO = 2 ** -30

/** Instants, each twice as long as the one before, in which bodies that touch part, sink in, or stay. */
export const PROBE_COUNT = 1200

/** Steps in which a body that tips or swings in touch with another is followed: a few to each corner that comes down. */
export const STAY_STEP_COUNT = 256

/** Short steps of that in a row, by their share of the time passed, which close in on a corner that comes down: more lead nowhere. */
export const STAY_SHORT_COUNT = 16
export const STAY_SHORT_SHARE = 2 ** -4

/** Instants, each twice as long as the one before, after which what still touches is asked whether it stays so. */
export const STAY_PROBE_COUNT = 6

/** Part of the extent by which touching bodies may move unseen between two looks without the answer saying that it is open. */
export const LEAP_RATIO = 2 ** -10

/** Instants, of the shortest that tell, up to which the end of a touch is not looked for between them. */
export const NARROW_COUNT = 16

/** Halvings of a stretch of time, after which nothing is left of it. */
export const BISECTION_COUNT = 64

/** Contact points of which the middle is where bodies that come together touch. */
export const CONTACT_POINT_COUNT = 4

/** Skins from this part of the extent on keep the cores of bodies that touch far enough apart for a direction. */
export const THICK_SKIN_RATIO = 2 ** -12

/** Ways beyond this are cut off: no position is farther from another, and speeds stay in range as their duration is brought near one. */
export const LARGEST_WAY = 2 ** 1000

/** Extents of a pair after which, moved against each other, it has parted for good. */
export const PARTED_COUNT = 8

/**
 * Approach speeds below this share of the speed are sliding: reflecting them would change nothing but rounding. Larger would let
 * shallow bounces pass.
 */
export const BOUNCE_SLIDING_RATIO = 2 ** -40

/** Overlap at the start of a path, relative to coordinates and sizes, up to which it is touching with rounding errors. */
export const START_DEPTH_RATIO = 2 ** -40

/** Instants nearer than this, relative to the time passed and to the time in which a body crosses its own size, are one. */
export const INSTANT_RATIO = 2 ** -42

/**
 * Rounding errors of a place, of positions and of sizes together, up to which an obstacle counts as touched at the instant of a bounce,
 * and a gap between two obstacles as none: a few for the turned corners of each, for its place, and for the way there.
 */
export const CORNER_SLACK_COUNT = 16

/** How many times as thick as what is rounding a skin is, where nothing has a size. */
export const CORNER_SKIN_COUNT = 2 ** 12

/** How many skins a body is put back to look at the corner ahead; and so many times thinner is what counts as touching the skin. */
export const CORNER_STEP_COUNT = 32

/**
 * Rounding errors of a place up to which a body counts as not having moved since the last bounce: a skin that is thicker than rounding
 * does not fit in between.
 */
export const CORNER_WAY_COUNT = 2 ** 12

/** How many skins from the corner walls are looked for: those that are met at `SHALLOW_RATE` or more squarely. */
export const CORNER_ROOM_COUNT = 2 ** 12

/** Sine of the angle below which a body meets a wall too far from the corner to look for it there. */
export const SHALLOW_RATE = 2 ** -10

/** How many times the rounding over the thickness of the skin a normal may be turned. */
export const CORNER_TILT_COUNT = 4

/** Most walls that are found on one way into a corner. */
export const CORNER_WALL_COUNT = 16

/** Bounces at one instant after which a body is stuck; a wedge of two degrees needs fewer to let a ball go. */
export const STUCK_BOUNCE_COUNT = 128

/** Fewer do when the most bounces asked for have all been spent. */
export const STUCK_LAST_COUNT = 16

/** Times that a body is pushed off an obstacle that rounding has left it in. */
export const PUSH_COUNT = 12

/** Sine up to which the normals of two half-spaces, one of them turned, count as the same: what rounding makes of a turn. */
export const PARALLEL_NORMALS_SINE = 8 * UNIT_ROUNDOFF

/** Halvings that find a multiplier to the last place, and the largest value with it. */
export const MULTIPLIER_HALVING_COUNT = 72

/** Pieces that a curved surface within a skin is cut into at most: a circle in so many leaves parts in 10⁵ of it open. */
export const SURFACE_PIECE_COUNT = 1024

/** Binary places, counted from the size of a pair, to which a common point is rounded to find one that lies in both bodies exactly. */
export const PLACE_COUNTS: readonly number[] = [48, 36, 26, 16, 8]

/** Ways towards the middle of a body that are tried for the same purpose, in shares of all the way. */
export const NUDGE_RATIOS: readonly number[] = [2 ** -10, 2 ** -25, 2 ** -45]

/** How near, relative to the extent, a corner is tried for the same purpose: about where rounding has put what is the corner. */
export const NEAR_CORNER_RATIO = 2 ** -40

/** Bodies of up to so many corners, which may be flat, have all of them tried. */
export const FLAT_CORNER_COUNT = 4

/** No common point of half-spaces of nearly opposite normals is looked for farther away: no answer leaves the range when it is scaled back. */
export const FARTHEST_COMMON_POINT = 2 ** 640

/** How much farther than it has to be a common point of half-spaces is taken, so that rounding does not leave it outside. */
export const WELL_INSIDE = 1 + 2 ** -40

/** Volume, against the cube of their greatest distance, from which on points are clearly no flat lot. */
export const CLEAR_VOLUME_RATIO = 2 ** -20

/** Most points of a hull that are kept as they are until a query needs its corners. */
export const LATE_HULL_COUNT = 32

/** Steps of a search for the triangle of support points through which a way leaves a pair's difference: a handful, of curved bodies some more. */
export const PORTAL_STEP_COUNT = 48

/** Errors of a height by which a point has to be inside a curved body to be so for certain: turned ones are measured within a few of them. */
export const CURVED_ERROR_COUNT = 4

/**
 * Error bound of a determinant of two or three differences between corners of a placed mesh and a point, relative to the largest
 * coordinate M times the largest difference D ≤ 2·M, once or twice. A difference is off by 3 roundoffs of M, which the six
 * products of three see three times: 54; their own rounding adds 5 each of D³, and D is at most 2·M: 60. Larger would only cost time.
 */
export const PLACED_ERROR_RATIO = 256 * UNIT_ROUNDOFF

/** What underflow may take from such a determinant, for each unit of its last factors. */
export const PLACED_UNDERFLOW = 2 ** -1000
/** Sums of products of three lengths up to this may have lost digits below the range of doubles. */
export const LEAST_PERMANENT = 2 ** -600

/** Steps of deciding a pair of leaves: about a microsecond. */
export const LEAF_PAIR_STEP_COUNT = 32

/** Leaves of solids that touch after which the insides are asked about before all are found. */
export const MANY_TOUCHES_COUNT = 64

/** Squared sine below which two edges count as parallel where pieces of a triangle are looked for: an end of one lies on the other then. */
export const PARALLEL_EDGES_RATIO = 2 ** -40

/** Heights over a triangle, relative to its size, up to which exact arithmetic is asked whether another lies in its plane. */
export const SLIVER_HEIGHT_RATIO = 2 ** -20

/** Height of a triangle, relative to its mesh, below which distances from it take exact arithmetic, so that less is looked at (`decompose`). */
export const LOW_TRIANGLE_RATIO = 2 ** -32

/** What underflow may take from an edge function of a ray and a triangle, in units of the mesh's size. */
export const MESH_RAY_UNDERFLOW = 2 ** -1000

/**
 * Normals of a mesh whose cosine is nearer to 1 than that are one to a ray that hits several triangles at once, and a triangle whose normal
 * leads across the ray to within that does not face it: only how normals are blended hangs on it.
 */
export const MESH_NORMAL_RATIO = 2 ** -40

/** How steeply a ray leads up a triangle's plane, by its larger edge squared, below which two doubles do not tell the place to the last digit. */
export const CROSSING_SLOPE_RATIO = 2 ** -44

/** Steps of sweeping a pair of leaves. */
export const LEAF_SWEEP_STEP_COUNT = 64

/** What two unit normals of one contact may differ by in their product, and speeds along them by relative to the larger. */
export const SAME_NORMAL_RATIO = 2 ** -40

/** Newton's steps to where two leaves meet or part on a way: each about doubles the digits of what bends, and is exact between planes. */
export const EXIT_STEP_COUNT = 48

/** Errors of a height that a way out of a concave body is lengthened by until rounding leaves no overlap. */
export const EXIT_MARGIN_COUNT = [0, 1, 16, 256, 2 ** 16] as const

/** Sines of the turns by which the best way out of a concave body is varied. */
export const NEIGHBOUR_SINES = [0.25, 0.0625, 2 ** -6, 2 ** -8] as const

/** By which part a way that belongs to no face has to be shorter than one that does. */
export const NEIGHBOUR_GAIN_RATIO = 2 ** -20
/** How much the sizes of lower dimension count where boxes are compared: they decide between boxes without volume or area. */
export const FLAT_BOX_RATIO = 2 ** -40

/** Radians that a composite body may turn by in one slab of time, and the share of the pair's size that it may travel by. */
export const SLAB_TURN = 0.25
export const SLAB_SHARE = 0.5

/** Slabs of one motion, after which an answer says up to when it is sure. */
export const SLAB_COUNT = 2 ** 12

/** Pairs of leaves up to which a slab is looked at as it is, and how many times one with more is halved. */
export const SLAB_PAIR_COUNT = 256
export const SLAB_HALVING_COUNT = 10

/** Shares of a slab by which bodies that touch have moved on when it is asked whether they have gone into each other. */
export const MOVED_SLAB_SHARES = [2 ** -18, 2 ** -10, 2 ** -4] as const

/**
 * Error bounds of the height of position + vertex over a cutting plane, relative to the sum of the magnitudes of what it adds up. In doubles each
 * product sees the sum, the unit normal, which is off by three roundoffs, itself and three sums: less than 10. In numbers of two doubles, whose steps
 * are off by some 2^-102, as many. Larger would only cost time.
 */
export const PLANE_HEIGHT_ERROR_RATIO = 16 * UNIT_ROUNDOFF
export const TWOFOLD_HEIGHT_ERROR_RATIO = 2 ** -94

/** Rings that stand for curved outlines of cuts have at most so many points: an ellipse is within 10⁻⁶ of its size then. */
export const OUTLINE_POINT_COUNT = 4096
/** Most halvings of the gaps between these: at a corner of the outline each halves what sticks out. */
export const OUTLINE_ROUND_COUNT = 48
/** A body whose distance and size come to more than that, in units of a mesh's size, is asked about with each triangle: products of such lengths might overflow. */
export const NEAR_EXTENT = 2 ** 200
/** By how many of its steps a number may be off that is rounded to whole ones: half of one, and the rounding of that. */
export const RECORD_ERROR_STEPS = 0.5 + 2 ** -32
/**
 * Rounds in which turning composite bodies are followed until they part, and leaf pairs that lengthen the time in one of them; the first of
 * the steps on from when leaves part, relative to a slab or to that time, in which nothing happens but rounding, and how they grow.
 */
export const PARTING_ROUND_COUNT = 2 ** 12
export const LONGER_PAIR_COUNT = 16
export const PARTING_STEP_FACTOR = 4
export const PARTING_STEP_RATIO = 2 ** -42
/**
 * How far a corner of a part may lie from the true one, across the surface that was cut: after two hundred cuts of a few roundoffs
 * each, in coordinates below 2.
 */
export const CUT_RADIUS = 2 ** -42

// Decomposition: in coordinates below 2.
/** Twice the area of a triangle over the product of two of its sides, below which no part is cut along its plane. */
export const THINNEST_CUT_RATIO = 2 ** -24
/** Length of a product of two sides below which its square may underflow. */
export const SMALLEST_CUT_NORMAL = 2 ** -400
/** Of the volume of a hull: what it may have more than its part from rounding alone. */
export const LEAST_EXCESS_RATIO = 2 ** -30
/** Parts whose boxes are as near as this, of a size of 1 to 2, may be neighbours: those that are not are joined only where there are too many. */
export const NEAR_PARTS = 2 ** -20
/** Radius of a ball in a hull below which rounded corners are not moved by it, but replaced by cubes. */
export const LEAST_COVER_BALL = 2 ** -24
/** Height over a face of a hull, one of a size to be sure of, below which no exact look is needed. */
export const CLEARLY_BELOW = -(2 ** -26)
/** Twice the area of such a face, at least. */
export const CLEAR_FACE_AREA = 2 ** -26
/** Cuts are as good whose hulls are as small to within this part of the whole; the one that halves is taken. */
export const TIED_CUT_RATIO = 2 ** -10
/** Directions that are the same when rounded to this part of a unit are one family of cuts. */
export const SAME_FAMILY_SHARE = 2 ** -9
/** Planes of triangles nearer than this, in direction and height, are one plane. */
export const SAME_PLANE = 2 ** -36
/** What is nearer to a plane counts as on it where cuts are compared. */
export const CUT_SEAM = 2 ** -36
/** Times up to 2^31: by so much points are moved where cuts are compared. What lies in one plane, as most of a cut does, would have to be decided exactly, for no use. */
export const CUT_SHAKE = 2 ** -57
/** Of the way from a corner of a cell, exact or rounded, to its middle: where it is asked whether the solid fills the corner. */
export const INWARD_SHARES = [2 ** -40, 2 ** -20] as const
/** How far a rounded corner of a cell may lie from the true one: planes cut beyond by their slack may meet at a sharp angle. */
export const CORNER_REACH = 2 ** -26
/** Of a rounded point deeper in a hull than this its ball is in the hull, however thin the faces are by which that is measured. */
export const NEAR_HULL = 2 ** -30
/** Error of d·(a × b) in two doubles, relative to the largest coordinates of d and, squared, of a and b: nine products, each off by less than 2^-98. */
export const EDGE_PASS_RATIO = 2 ** -92
/** Nearer to its ends than that, relative to the way to a mesh, a ray meets triangles by exact arithmetic alone. */
export const CLEAR_OF_END_RATIO = 2 ** -40
/** Part of its half height that a point of the side of a cylinder or cone lies below its rim, at least. */
export const BELOW_RIM_RATIO = 2 ** -20
/** A side of a box of less than this share of the widest counts as this, so that boxes in a line differ in their areas. */
export const LEAST_SIDE_RATIO = 2 ** -20
