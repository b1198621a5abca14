// The content of the page: bodies, the question asked about them, and how it is looked at. A value that is never
// written to: a change is a new sketch, so undo keeps the old ones and links carry one.

import type { Shape2d } from '../../../schemas/shapes2d.ts'
import type { Shape3d } from '../../../schemas/shapes3d.ts'
import { ORIGIN, plus, type Quaternion, snapped, type Vec } from './vector.ts'

export type Dimension = '2d' | '3d'

/** As requests of the sketch's own dimension take it. */
export interface PlacedBody {
  shape: Shape2d | Shape3d
  position?: Vec
  /** In the plane. */
  rotation?: number
  /** In space. */
  orientation?: Quaternion
  velocity?: Vec
  angularVelocity?: number | Vec
}

export interface SketchBody extends PlacedBody {
  readonly id: string
  tags?: string[]
  sensor?: boolean
  data?: unknown
}

export type Option = number | string | boolean

export interface Sketch {
  dimension: Dimension
  /** The scene whose bodies these are; null for bodies that only the page has. */
  scene: string | null
  /** The question, by its name in questions/. */
  question: string
  bodies: readonly SketchBody[]
  selected: string | null
  /** The one that was selected before: questions about two bodies are about both. */
  other: string | null
  /** Tags whose bodies are neither drawn nor asked about. */
  hidden: readonly string[]
  /** Parameters of the question besides bodies. */
  options: Readonly<Record<string, Option>>
  /** Tail and tip of the ray; the tips of vectors are relative to the body that they belong to. */
  ray: { origin: Vec; direction: Vec }
  translation: Vec
  direction: Vec
}

export const EMPTY_SKETCH: Sketch = {
  dimension: '2d',
  scene: null,
  question: 'contact',
  bodies: [],
  selected: null,
  other: null,
  hidden: [],
  options: {},
  ray: { origin: { x: -6, y: 1 }, direction: { x: 12, y: -1 } },
  translation: { x: 6, y: 0 },
  direction: { x: 0, y: -1 },
}

const EMPTY_SPACE: Sketch = {
  ...EMPTY_SKETCH,
  dimension: '3d',
  ray: { origin: { x: -6, y: 1, z: 0 }, direction: { x: 12, y: -1, z: 0 } },
  translation: { x: 6, y: 0, z: 0 },
  direction: { x: 0, y: -1, z: 0 },
}

export const emptySketch = (dimension: Dimension): Sketch => (dimension === '2d' ? EMPTY_SKETCH : EMPTY_SPACE)

export const positionOf = ({ position = ORIGIN }: Pick<PlacedBody, 'position'>): Vec => position

/** With that body selected. */
export const selecting = (sketch: Sketch, id: string | null): Sketch =>
  id === sketch.selected ? sketch : { ...sketch, selected: id, other: sketch.selected ?? sketch.other }

export const bodyOf = ({ bodies }: Sketch, id: string | null): SketchBody | undefined =>
  id === null ? undefined : bodies.find((body) => body.id === id)

/** With `body` in place of the one that has its id, or at the end. */
export function withBody(sketch: Sketch, body: SketchBody): Sketch {
  const index = sketch.bodies.findIndex(({ id }) => id === body.id)
  return { ...sketch, bodies: index < 0 ? [...sketch.bodies, body] : sketch.bodies.with(index, body) }
}

export function withoutBody(sketch: Sketch, id: string): Sketch {
  const bodies = sketch.bodies.filter((body) => body.id !== id)
  return { ...sketch, bodies, selected: sketch.selected === id ? null : sketch.selected }
}

/** What a request takes besides the id of a body of a scene. */
export const poseOf = ({ position, rotation, orientation }: SketchBody) => ({
  ...(position && { position }),
  ...(rotation !== undefined && { rotation }),
  ...(orientation && { orientation }),
})

/** Moved by `by`, to a place of the grid where `step` is not 0. */
export function movedBody(body: SketchBody, by: Vec, step: number): SketchBody {
  return { ...body, position: snapped(plus(positionOf(body), by), step) }
}

/** A name that no body has: a, b, … z, then a1. */
export function freeId({ bodies }: Sketch): string {
  const taken = new Set(bodies.map(({ id }) => id))
  for (let round = 0; ; round++)
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      const id = round === 0 ? letter : `${letter}${round}`
      if (!taken.has(id)) return id
    }
}

/** As requests without a scene take it: no id, no tags. */
export function plainBody({ shape, position, rotation, orientation }: SketchBody) {
  return { shape, ...(position && { position }), ...(rotation && { rotation }), ...(orientation && { orientation }) }
}
export function plainMover(body: SketchBody) {
  const { velocity, angularVelocity } = body
  return { ...plainBody(body), ...(velocity && { velocity }), ...(angularVelocity && { angularVelocity }) }
}

// Undo and redo. A step is taken back in what there is now, so that what others did to a scene since stays.

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
