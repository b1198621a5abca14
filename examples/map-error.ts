/** Thrown with one readable line when a map is not what was expected. */
export class MapError extends Error {}
