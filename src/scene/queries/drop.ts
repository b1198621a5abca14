/**
 * The query `drop`: a body falls along a direction until it rests on something, and turns to align with it if asked.
 *
 * Method: casts, the first as long as the body is wide, and each next one eight times as long, so that rounding errors are those of
 * the way fallen and not of the whole scene. Lengths are powers of two, so that integers stay integers. A body does not stop at what it
 * only slides along (`walker.ts`, `walker-3d.ts`). To align it, the turn is computed from where it lands, and it falls again with that
 * turn, until it lands aligned.
 * Frame: world.
 */

import { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { compareIds } from '../../containers/ranking.ts'
import type { Accepts } from '../state/filter.ts'
import type { Kinds } from '../state/geometry.ts'
import { idAt, reachOf, type View, visitUnbounded } from '../state/view.ts'
import type { Dropped, Faller, Falling, FallStop, FirstStop } from './falling.ts'
import type { Met } from './move.ts'
import type { Place } from './placing.ts'
import { type Separated, separateBy } from './separate.ts'
import { ROUNDING_RATIO, TOUCH_RATIO, TURN_RATIO } from './tolerances.ts'

export interface DropQuery<K extends Kinds, T> {
  /** Unit vector. */
  way: Place
  /** How far it falls, at most; may be infinite. */
  maxDistance: number
  /** face: a side of its own lies on what it lands on, by the least turn; normal: what looked against the fall looks along the normal. */
  align: 'face' | 'normal' | null
  accepts: Accepts
  /** The body where it starts, turned by so much more; its own to move. */
  turned(turn: T): FarSlices<Dropped<K>>
}

export interface DropAnswer<T> {
  status: 'landed' | 'nothing-below' | 'started-overlapping'
  /** Where it lies, and how far that is from where it started. */
  position: Place
  distance: number
  /** How far it was turned. */
  turn: T
  /** Whether it lies as `align` asks. */
  aligned: boolean
  /** What it landed on. */
  contact: Met | null
  /** How it left an overlap by rounding at the start; null if it was free. */
  start: Separated | null
}

/** Falls of one body, each turned to what it landed on in the one before. */
const TURN_COUNT = 8
/** Casts of one fall: from the size of a body to the limit of coordinates. */
const CAST_COUNT = 512
/** How much longer each cast is than the one before, within the bounds of the scene and beyond, where only what has no bounds is. */
const FACTOR = 2 ** 3
const FAR_FACTOR = 2 ** 20
/** Beyond the sum of any two coordinates. */
const FARTHEST = 2 ** 340

export function* queryDrop<K extends Kinds, S extends FallStop, T>(
  view: View<K>,
  falling: Falling<K, S, T>,
  query: DropQuery<K, T>,
): FarSlices<DropAnswer<T>> {
  const { way, align, turned, accepts } = query
  function* fallen(turn: T): FarSlices<DropAnswer<T>> {
    const faller = falling.faller(view, yield* turned(turn), accepts, new Pace())
    return { ...(yield* fall(faller, query)), turn }
  }
  let landed = yield* fallen(falling.noTurn)
  if (align === null) return landed
  for (let k = 0; k < TURN_COUNT && landed.contact !== null; k++) {
    const { turn, contact } = landed
    const more =
      align === 'normal'
        ? falling.rest(turn, falling.toNormal(way, contact.normal))
        : yield* falling.toFace(yield* turned(turn), contact.normal)
    if (more === null) break
    if (falling.angle(more) <= TURN_RATIO) return { ...landed, aligned: true }
    const next = yield* fallen(falling.sum(turn, more))
    // turned, it has no room, or nothing is below it
    if (next.contact === null) break
    landed = next
  }
  return landed
}

function* fall<K extends Kinds, S extends FallStop>(
  faller: Faller<K, S>,
  query: Pick<DropQuery<K, unknown>, 'way' | 'maxDistance'>,
): FarSlices<Omit<DropAnswer<never>, 'turn'>> {
  const answer = {
    status: 'nothing-below' as const,
    position: faller.position(),
    distance: 0,
    aligned: false,
    contact: null,
    start: null,
  }
  const start = yield* letOut(faller)
  if (start !== null && !start.separated) return { ...answer, status: 'started-overlapping' }
  for (const isStrict of [false, true]) {
    const landed = yield* landing(faller, query, isStrict)
    if (landed === null) return { ...answer, start }
    if (landed !== 'in something') return { ...answer, ...landed, start }
  }
  return { ...answer, status: 'started-overlapping', start }
}

/**
 * Lets the body fall. 'in something': at the stop it would overlap a body that it was judged to slide along; it is put back, and with
 * `isStrict` that body stops it.
 */
function* landing<K extends Kinds, S extends FallStop>(
  faller: Faller<K, S>,
  { way, maxDistance }: Pick<DropQuery<K, unknown>, 'way' | 'maxDistance'>,
  isStrict: boolean,
): FarSlices<Pick<DropAnswer<never>, 'status' | 'position' | 'distance' | 'contact'> | 'in something' | null> {
  const from = faller.position()
  const stop = yield* firstStop(faller, way, maxDistance, isStrict)
  if (stop === null || stop.length * stop.time > maxDistance) return null
  if (!(yield* faller.land(way, stop, isStrict))) {
    faller.put(from)
    return 'in something'
  }
  const position = faller.position()
  const { slot, point, normal } = stop
  const contact = { slot, id: idAt(faller.view, slot), point, normal }
  return { status: 'landed', position, distance: Math.hypot(...position.map((x, k) => x - from[k])), contact }
}

/** Moves the body out of overlaps by rounding; null if it overlaps nothing, and not `separated` if an overlap is deeper. */
function* letOut<K extends Kinds, S extends FallStop>(faller: Faller<K, S>): FarSlices<Separated | null> {
  const standing = yield* faller.standing()
  if (standing === 'free') return null
  const stays: Separated = { separated: false, dx: 0, dy: 0, exact: false, slots: [], ids: [] }
  if (standing === 'deep') return stays
  const from = faller.position()
  const rounding = ROUNDING_RATIO * sizeOf(faller)
  const start = yield* separateBy(faller)
  if (start === null || !start.separated) return start
  if (Math.hypot(start.dx, start.dy, start.dz ?? 0) <= 2 * rounding) return start
  faller.put(from)
  return stays
}

/** Of the coordinates of its boundary. */
function sizeOf<K extends Kinds, S extends FallStop>({ view, body, reach }: Faller<K, S>): number {
  return view.table.geometry.positionSize(body) + reach
}

function* firstStop<K extends Kinds, S extends FallStop>(
  faller: Faller<K, S>,
  way: Place,
  maxDistance: number,
  isStrict: boolean,
): FarSlices<FirstStop<S> | null> {
  const { view, reach, pace } = faller
  const bounds = 2 * (reachOf(view) + sizeOf(faller))
  let hasUnbounded = false
  visitUnbounded(view, () => {
    hasUnbounded = true
  })
  const farthest = Math.min(maxDistance, hasUnbounded ? FARTHEST : bounds)
  let length = powerAbove(Math.max(reach, bounds * 2 ** -40, Number.MIN_VALUE * 2 ** 60))
  for (let cast = 0; cast < CAST_COUNT; cast++) {
    const stop = yield* stopWithin(faller, way, length, isStrict)
    if (stop !== null) return yield* closer(faller, way, stop, isStrict)
    if (length >= farthest) return null
    length *= length < bounds ? FACTOR : FAR_FACTOR
    if (pace.isDue(1)) yield
  }
  return null
}

/** Repeats a cast that was much longer than the way to the stop, with a length that is not: rounding is smaller then. */
function* closer<K extends Kinds, S extends FallStop>(
  faller: Faller<K, S>,
  way: Place,
  stop: FirstStop<S>,
  isStrict: boolean,
): FarSlices<FirstStop<S>> {
  const length = powerAbove(stop.length * stop.time * (1 + 2 ** -20))
  if (!(length < stop.length)) return stop
  return (yield* stopWithin(faller, way, length, isStrict)) ?? stop
}

/** The first body that stops a fall of that length; of several, the one with the least id. */
function* stopWithin<K extends Kinds, S extends FallStop>(
  faller: Faller<K, S>,
  way: Place,
  length: number,
  isStrict: boolean,
): FarSlices<FirstStop<S> | null> {
  const { view, body } = faller
  const instant = (TOUCH_RATIO * (view.table.geometry.positionSize(body) + length)) / length
  const stops = yield* faller.stops(
    way.map((x) => length * x),
    instant,
    isStrict,
  )
  let first: S | null = null
  let id = ''
  let time = Infinity
  for (const stop of stops) {
    time = Math.min(time, stop.time)
    const own = idAt(view, stop.slot)
    if (first !== null && compareIds(own, id) > 0) continue
    first = stop
    id = own
  }
  return first === null ? null : { ...first, time, length }
}

/** A power of two that is no less. */
function powerAbove(value: number): number {
  const power = 2 ** Math.ceil(Math.log2(value))
  return power < value ? 2 * power : power
}
