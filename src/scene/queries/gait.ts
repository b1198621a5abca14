/**
 * How a character moves in one dimension: what `move` and its steps are made of. Places, ways and normals are vectors of as many
 * numbers as the dimension has.
 */

import type { Pace, Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { type Accepts, sortById } from '../state/filter.ts'
import type { Kinds } from '../state/geometry.ts'
import type { View } from '../state/view.ts'
import type { Describe } from './described-body.ts'
import type { Place } from './placing.ts'
import type { Separated } from './separate.ts'

export type { Place }

/** A body that stopped the character. */
export interface Stop {
  slot: number
  /** Where they touch then, and the outward unit normal of the body. */
  point: Place
  normal: Place
}

/** A straight part of the way. */
export interface Leg<S extends Stop = Stop> {
  /** When it was stopped, as a share of the way that it wanted to go; 1 where nothing stopped it. */
  time: number
  /** The share that it has gone: 0 too where rounding leaves no free place on the way. */
  passed: number
  /** What stopped it, by id. */
  stops: S[]
}

/** How steep a surface may be. */
export interface Climb {
  /** Unit vector. */
  up: Place
  /** Least share of `up` in the normal of a surface that is not too steep: the cosine of the angle from level. */
  least: number
}

export interface GaitQuery<K extends Kinds> {
  /** In the plane left where it ended. */
  body: K['body']
  describe: Describe
  translation: Place
  /** How steep a surface it climbs; null: any. */
  climb: Climb | null
  accepts: Accepts
}

export interface Gait<K extends Kinds = Kinds, S extends Stop = Stop> {
  readonly view: View<K>
  readonly pace: Pace
  readonly body: K['body']
  /** No point of the body is farther from its middle. */
  readonly reach: number
  position(): number[]
  put(position: Place): void
  /** Out of what it overlaps, as `separate` has it; null where it stood free. */
  getOut(): FarSlices<Separated | null>
  /** What has no inside, lies at its start and would be left by the motion; not asked in space, where it is kept off. */
  leaves?(way: Place): FarSlices<S[]>
  /** Goes as far as it can, without a turn. `keepsSides`: it stays on its side of what it has slid along. */
  go(way: Place, keepsSides: boolean): FarSlices<Leg<S>>
  /** What would stop it first. */
  look(way: Place): FarSlices<Stop[]>
  /** The best way along what has stopped it, for the rest of a motion; a zero vector in a corner. `isNew`: it has come there with the last leg. */
  turn(rest: Place, stops: readonly S[], isNew: boolean): FarSlices<number[]>
  /** How high the body's lowest point is. */
  lowest(up: Place): number
  /** How wide the body's box is along a unit vector. */
  width(way: Place): number
}

/** From `from`, so many times along a way. */
/** What is of different bodies, by their ids. */
export function* byId<S extends { slot: number }>(view: View, pace: Pace, found: readonly S[]): Slices<S[]> {
  const of = new Map(found.map((each) => [each.slot, each]))
  const slots = [...of.keys()]
  yield* sortById(view, slots, pace)
  return slots.map((slot) => of.get(slot) as S)
}

export function step(from: Place, way: Place, times: number): number[] {
  return from.map((x, k) => x + times * way[k])
}

export function dot(a: Place, b: Place): number {
  let sum = a[0] * b[0]
  for (let k = 1; k < a.length; k++) sum += a[k] * b[k]
  return sum
}

export function lengthOf(way: Place): number {
  return Math.hypot(...way)
}

/** Whether a way leads up more than the motion asks for, and by a surface that is too steep for it. */
export function isTooSteep(
  { up, least }: Climb,
  normals: readonly Place[],
  rest: Place,
  way: Place,
  slack: number,
): boolean {
  const lifts = dot(way, up) > Math.max(dot(rest, up), 0) + slack * lengthOf(way)
  return lifts && normals.every((normal) => dot(normal, up) < least)
}
