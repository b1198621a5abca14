// Undo and redo: sketches before and after the one there is.

import type { Sketch } from './sketch.ts'

const MOST_STEPS = 200

export interface History {
  readonly past: readonly Sketch[]
  readonly future: readonly Sketch[]
}

export const NO_HISTORY: History = { past: [], future: [] }

/** A step was done, from `before`. */
export const recorded = ({ past }: History, before: Sketch): History => ({
  past: [...past.slice(1 - MOST_STEPS), before],
  future: [],
})

/** The sketch before `now`, and what history is then; null where there is none. */
export function undone({ past, future }: History, now: Sketch): { sketch: Sketch; history: History } | null {
  const sketch = past.at(-1)
  return sketch === undefined ? null : { sketch, history: { past: past.slice(0, -1), future: [now, ...future] } }
}

export function redone({ past, future }: History, now: Sketch): { sketch: Sketch; history: History } | null {
  const [sketch, ...rest] = future
  return sketch === undefined ? null : { sketch, history: { past: [...past, now], future: rest } }
}
