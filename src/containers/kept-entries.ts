/**
 * How much room scratch may keep that outlives a request, in entries of an array: what a larger one needed is given back at its
 * end, so that one large request does not fill the process for good.
 */
export const KEPT_ENTRIES = 2 ** 16
