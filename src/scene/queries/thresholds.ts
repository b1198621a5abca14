/** Sizes from which on a question about bodies of a scene is costly and may go to a worker. */

/** Steps that one question may take on this thread before a worker takes over. */
export const LIGHT_STEPS = 2 ** 16

/** Most points of a convex body about which every question is answered on this thread. */
export const LIGHT_POINTS = 64

/** Most points of a body at which a ray is cast on this thread; a ray takes a step for each point at most. */
export const LIGHT_RAY_POINTS = 2 ** 10

/** Most points of a union of bodies for which the shortest way out is found on this thread. */
export const LIGHT_UNION_POINTS = 2 ** 11

/** Items of the lists of a shape: up to the first number it is checked at once; from the second on, directly by a worker. */
export const LIGHT_SHAPE_ITEMS = 2 ** 8
export const COSTLY_SHAPE_ITEMS = 2 ** 12
