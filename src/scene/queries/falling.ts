/** How a body falls and turns in one dimension: what `drop` is made of. Places, ways and normals are vectors of as many numbers as that has. */

import type { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import type { Accepts } from '../state/filter.ts'
import type { Kinds } from '../state/geometry.ts'
import type { View } from '../state/view.ts'
import type { Describe } from './described-body.ts'
import type { Stop } from './gait.ts'
import type { Place, Placing } from './placing.ts'

/** A body at an orientation, and its description for workers. */
export interface Dropped<K extends Kinds> {
  readonly body: K['body']
  readonly describe: Describe
}

/** What stops a fall, and when, as a fraction of it. */
export interface FallStop extends Stop {
  time: number
}

/** A stop, and the length of the fall that it stops, of which its time is a fraction. */
export type FirstStop<S extends FallStop> = S & { length: number }

/** A body that falls without a turn. */
export interface Faller<K extends Kinds, S extends FallStop> extends Placing<K> {
  /** No point of the body is farther from its position; 0 where it is unbounded. */
  readonly reach: number
  /** shallow: it overlaps something, but by no more than rounding. */
  standing(): FarSlices<'free' | 'shallow' | 'deep'>
  /** What stops a fall first, and what does at most `instant` later. `isStrict`: what it would enter by no more than rounding stops it too. */
  stops(way: Place, instant: number, isStrict: boolean): FarSlices<S[]>
  /** From where it stands to where it touches the stop, or is as near as doubles get. `way`: unit vector. False: it would overlap something there. */
  land(way: Place, stop: FirstStop<S>, isStrict: boolean): FarSlices<boolean>
}

/** `T`: a turn. */
export interface Falling<K extends Kinds, S extends FallStop, T> {
  faller(view: View<K>, dropped: Dropped<K>, accepts: Accepts, pace: Pace): Faller<K, S>
  readonly noTurn: T
  /** The least turn from against a direction to a normal. */
  toNormal(way: Place, normal: Place): T
  /** The least turn that lays a side of the body on a plane with that normal; none where it has no sides, null where none is known. */
  toFace(dropped: Dropped<K>, normal: Place): FarSlices<T | null>
  /** The one turn, and then the other. */
  sum(turn: T, more: T): T
  /** What comes after a turn to make a sum. */
  rest(turn: T, sum: T): T
  /** Radians, at least 0. */
  angle(turn: T): number
}
