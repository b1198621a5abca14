// A question: how it is put about a sketch, and how its answer is drawn and said.

import type { Handle } from './handles.ts'
import {
  type Dimension,
  type Option,
  type PlacedBody,
  plainBody,
  plainMover,
  positionOf,
  type Sketch,
  type SketchBody,
} from './sketch.ts'
import { inSpace, isZero, minus, NO_TURN, ORIGIN, plus, product, times, turnBy, type Vec } from './vector.ts'

// Marks: the drawing of an answer as plain values, in the world frame. `stage.ts` draws those of the plane, `space/` those of space.

export type Mark =
  /** `name`: what kind of point, where it is not just one of the answer. */
  | { kind: 'point'; at: Vec; name?: string; label?: string }
  /** `name`: what the arrow is, such as normal or translation. */
  | { kind: 'arrow'; name: string; from: Vec; to: Vec; label?: string }
  /** Of a direction alone: drawn as long as a thumb, whatever the zoom. */
  | { kind: 'normal'; at: Vec; along: Vec; label?: string }
  | { kind: 'line'; name: string; points: readonly Vec[]; closed?: boolean; radius?: number; label?: string }
  /** What lies at right angles to a direction, through a point: a line without ends, in space a plane. */
  | { kind: 'border'; at: Vec; normal: Vec; label?: string }
  /** A body where it is not. */
  | { kind: 'ghost'; name: string; body: PlacedBody; label?: string }
  | { kind: 'box'; min: Corner; max: Corner; label?: string }
  /** A body that is shown to be concerned. */
  | { kind: 'highlight'; id: string }

/** A side without an end is null. */
export interface Corner {
  x: number | null
  y: number | null
  z?: number | null
}

export interface Choice {
  key: string
  label: string
  /** The dimension that alone has it; both where it is absent. */
  only?: Dimension
  /** A list of words to choose from, or a number, or yes and no. */
  among?: readonly string[]
  initial: Option
}

/** An answer as it came, told apart by who asked. */
// biome-ignore lint/suspicious/noExplicitAny: answers are what the service documents; each question reads its own
export type Answer = any

export interface Asked {
  path: string
  body: unknown
}

export interface Question {
  name: string
  title: string
  /** The dimension that alone has it; both where it is absent. */
  only?: Dimension
  /** In one sentence, how to use it. */
  hint: string
  choices: readonly Choice[]
  /** Its bodies move: velocities can be dragged. */
  moves?: boolean
  /** Null where bodies are missing for it. */
  ask(sketch: Sketch): Asked | null
  /** In one line. */
  says(answer: Answer, sketch: Sketch): string
  marks(answer: Answer, sketch: Sketch): Mark[]
  handles?(sketch: Sketch): Handle[]
  /** The sketch at the end of a drag, where the choice `settle` is on; null where it stays. */
  settle?(answer: Answer, sketch: Sketch): Sketch | null
}

/** Of the page alone, not of the request. */
export const SETTLE: Choice = { key: 'settle', label: 'put it there on release', initial: true }

export function optionOf(sketch: Sketch, { key, initial }: Choice): Option {
  return sketch.options[key] ?? initial
}

/** Choices that were made, as fields of a request. */
export function chosen(sketch: Sketch, choices: readonly Choice[]): Record<string, Option> {
  return Object.fromEntries(choices.map((choice) => [choice.key, optionOf(sketch, choice)]))
}

/** The main body of the question: the selected one, else the first. */
export function subject({ bodies, selected }: Sketch): SketchBody | undefined {
  return bodies.find(({ id }) => id === selected) ?? bodies[0]
}

/** The two bodies that were selected last; where fewer were, the first ones besides, in the order in which they were made. */
export function couple({ bodies, selected, other }: Sketch): [a: SketchBody, b: SketchBody] | null {
  const named = bodies.filter(({ id }) => id === selected || id === other)
  const [a, b] = [...named, ...bodies.filter((body) => !named.includes(body))]
  if (a === undefined || b === undefined) return null
  return bodies.indexOf(a) < bodies.indexOf(b) ? [a, b] : [b, a]
}

/** All but the subject. */
export function others(sketch: Sketch): SketchBody[] {
  const first = subject(sketch)
  return sketch.bodies.filter((body) => body !== first)
}

export const idOf = (list: readonly SketchBody[], index: number): string => list[index]?.id ?? String(index)

export const rest = plainBody
export const moving = plainMover

/** The body as it is after `time`, moving at its constant speed. */
export function after(body: SketchBody, time: number): SketchBody {
  const { velocity = ORIGIN, angularVelocity = 0 } = body
  const position = plus(positionOf(body), times(velocity, time))
  const turn = typeof angularVelocity === 'number' ? angularVelocity * time : times(angularVelocity, time)
  return { ...turnedOn(body, turn), position }
}

/** Turned by an angle, in space by an axis times radians. */
export function turnedOn(body: SketchBody, turn: number | Vec): SketchBody {
  if (typeof turn === 'number') return turn === 0 ? body : { ...body, rotation: (body.rotation ?? 0) + turn }
  return { ...body, orientation: product(turnBy(inSpace(turn)), body.orientation ?? NO_TURN) }
}

/** A path of the service for the sketch's dimension. */
export const pathOf = ({ dimension }: Sketch, query: string): string => `/v1/${dimension}/${query}`

/** Handles of what a question takes besides bodies. */
export const rayHandles = ({ ray }: Sketch): Handle[] => [
  {
    name: 'ray: origin',
    kind: 'vector',
    at: ray.origin,
    drag: (now, origin) => ({ ...now, ray: { ...now.ray, origin } }),
  },
  {
    name: 'ray: direction',
    kind: 'vector',
    from: ray.origin,
    at: plus(ray.origin, ray.direction),
    drag: (now, to) => {
      const direction = minus(to, now.ray.origin)
      return isZero(direction) ? now : { ...now, ray: { ...now.ray, direction } }
    },
  },
]

/** `field`: which vector of the sketch; its tail is the subject. */
export function vectorHandles(sketch: Sketch, field: 'translation' | 'direction'): Handle[] {
  const body = subject(sketch)
  if (body === undefined) return []
  const from = positionOf(body)
  const drag = (now: Sketch, to: Vec) => {
    const tip = minus(to, positionOf(subject(now) ?? body))
    return isZero(tip) ? now : { ...now, [field]: tip }
  }
  return [{ name: field, kind: 'vector', from, at: plus(from, sketch[field]), drag }]
}
