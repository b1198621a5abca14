/** What the ETag of a version of a scene is like. */

import { expect } from 'vitest'

/** Matches the ETag of a version, whatever its digest. */
export function tagged(version: number): string {
  return expect.stringMatching(new RegExp(`^"${version}[.][0-9a-f]{8}"$`)) as unknown as string
}
