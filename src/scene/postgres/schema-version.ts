/** The number of the last file in `migrations/`. */
export const SCHEMA_VERSION = 2
