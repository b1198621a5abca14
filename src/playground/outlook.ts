// What either page does with what it looks at: the plane by a place and a scale, space by a camera.

import type { Box } from './sketch/free-place.ts'
import type { SketchBody } from './sketch/sketch.ts'
import type { Vec } from './sketch/vector.ts'

export interface Outlook {
  /** A box around what is seen. */
  seen(): Box
  /** Shows a box; null: all bodies, and what the question is put with. */
  fit(box: Box | null): void
  /** Where new shapes go, with few digits. */
  middle(): Vec
  /** Null where a body has no end. */
  boxOf(body: SketchBody): Box | null
  /** The view as links carry it. */
  link(): object
  /** A file of an editor has been opened: it is shown as the editor shows it. */
  showAs(format: string): void
}
