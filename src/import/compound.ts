/**
 * Several shapes of one thing in a file, as one body.
 */

import type { Body2d } from '../../schemas/shapes/body.ts'

/** At least one; one alone stays what it is. */
export function compoundOf(parts: Body2d[]): Body2d {
  return parts.length === 1 ? parts[0] : { shape: { type: 'compound', children: parts } }
}
