// Undo and redo. A step is taken back in what there is now, so that what others did to a scene since stays.

import type { Sketch, SketchBody } from './sketch.ts'

const MOST_STEPS = 200

interface Step {
  readonly before: Sketch
  readonly after: Sketch
}

export interface History {
  readonly past: readonly Step[]
  readonly future: readonly Step[]
}

export const NO_HISTORY: History = { past: [], future: [] }

export const recorded = ({ past }: History, before: Sketch, after: Sketch): History => ({
  past: [...past.slice(1 - MOST_STEPS), { before, after }],
  future: [],
})

type Went = { sketch: Sketch; history: History } | null

/** The sketch without its last step, and what history is then; null where there is none. */
export function undone({ past, future }: History, now: Sketch): Went {
  const step = past.at(-1)
  if (step === undefined) return null
  return {
    sketch: carried(now, step.after, step.before),
    history: { past: past.slice(0, -1), future: [step, ...future] },
  }
}

export function redone({ past, future }: History, now: Sketch): Went {
  const [step, ...rest] = future
  if (step === undefined) return null
  return { sketch: carried(now, step.before, step.after), history: { past: [...past, step], future: rest } }
}

/** `now` with what lies between `from` and `to` done to it. */
function carried(now: Sketch, from: Sketch, to: Sketch): Sketch {
  if (now.bodies === from.bodies) return to
  const byId = (bodies: readonly SketchBody[]) => new Map(bodies.map((body) => [body.id, body]))
  const [old, next, present] = [byId(from.bodies), byId(to.bodies), byId(now.bodies)]
  const kept = now.bodies.flatMap((body) => {
    const changed = next.get(body.id)
    return old.get(body.id) === changed ? [body] : changed === undefined ? [] : [changed]
  })
  const back = to.bodies.filter((body) => !old.has(body.id) && !present.has(body.id))
  return { ...to, bodies: [...kept, ...back] }
}
