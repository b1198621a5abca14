/**
 * The query `move` (move and slide): a character moves through a scene, stops at what blocks it, and slides along it with the rest of
 * the motion; it may step onto what is low, and keep to the ground.
 *
 * Method: a sequence of casts (collide and slide). At each stop, the ways along the touched surfaces are tried, and the one that leads
 * farthest without going into any of them is taken: along one surface, in space also along the crease of two (`gait-2d.ts`,
 * `gait-3d.ts`). If there is none, as in a corner, the motion ends. Steps and the way down to the ground are casts too (`footing.ts`).
 * The character never ends in a body: every stop is checked exactly, and overlaps due to rounding are undone.
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import type { Kinds, Plane, Space } from '../state/geometry.ts'
import { idAt, type View } from '../state/view.ts'
import { type Describe, UNDESCRIBED } from './described-body.ts'
import { type Footing, stand, standsOn, stepUp } from './footing.ts'
import { dot, type Gait, type GaitQuery, lengthOf, type Place, type Stop } from './gait.ts'
import { planeGait } from './gait-2d.ts'
import { spaceGait } from './gait-3d.ts'
import type { Separated } from './separate.ts'

export interface MoveQuery<K extends Kinds> extends Omit<GaitQuery<K>, 'describe'> {
  describe?: Describe
  /** How many surfaces it may slide along, one after another; steps count too. */
  maxSlides: number
  /** Steps and ground; null: it knows of neither. */
  footing: Footing | null
  /** Most contacts that are of use; the first one beyond is given too. */
  mostContacts: number
}

/** A body that was met. */
export interface Met extends Stop {
  id: string
}

export interface MoveAnswer {
  /** Corners of the way, start and end included. */
  path: Place[]
  contacts: Met[]
  /** The rest of the motion, which is blocked, or left after `max-slides`. */
  rest: Place
  status: 'completed' | 'blocked' | 'max-slides'
  /** How it left what it overlapped at the start; null if it was free. If not `separated`, it did not move. */
  start: Separated | null
  /** What it stands on in the end; null where nothing was asked of its footing, or it stands on nothing. */
  ground: Met | null
}

function gaitOf<K extends Kinds>(view: View<K>, query: GaitQuery<K>, pace: Pace): Gait<K> {
  const gait =
    view.table.geometry.dimension === 2
      ? planeGait(view as View<Kinds> as View<Plane>, query as GaitQuery<Kinds> as GaitQuery<Plane>, pace)
      : spaceGait(view as View<Kinds> as View<Space>, query as GaitQuery<Kinds> as GaitQuery<Space>, pace)
  return gait as Gait as Gait<K>
}

export function* queryMove<K extends Kinds>(view: View<K>, query: MoveQuery<K>): FarSlices<MoveAnswer> {
  const { describe = UNDESCRIBED, translation, footing } = query
  const gait = gaitOf(view, { ...query, describe }, new Pace())
  const path: Place[] = [gait.position()]
  const start = yield* gait.getOut()
  const answer: MoveAnswer = { path, contacts: [], rest: translation, status: 'blocked', start, ground: null }
  if (start !== null && !start.separated) return answer
  addCorner(path, gait)
  if (gait.leaves !== undefined) yield* addContacts(gait, query, answer, yield* gait.leaves(translation))
  // what is asked to go up, as in a jump, neither steps nor keeps to the ground
  const isKept = footing !== null && dot(translation, footing.up) <= 0 && (yield* standsOn(gait, footing)) !== null
  yield* slide(gait, query, answer, isKept)
  if (footing !== null && footing.snap !== null) {
    const ground = yield* stand(gait, footing, isKept ? footing.snap : 0)
    addCorner(path, gait)
    if (ground !== null) answer.ground = contactOf(view, ground)
  }
  return answer
}

function* slide<K extends Kinds>(
  gait: Gait<K>,
  query: MoveQuery<K>,
  answer: MoveAnswer,
  mayStep: boolean,
): FarSlices<void> {
  const { maxSlides, footing } = query
  const { path } = answer
  let isNew = true
  for (let slides = 0; ; slides++) {
    const { rest } = answer
    if (!(lengthOf(rest) > 0)) {
      if (slides === 0) answer.status = 'completed'
      return
    }
    const { time, passed, stops } = yield* gait.go(rest, true)
    isNew ||= passed > 0
    addCorner(path, gait)
    answer.rest = rest.map((x) => (1 - time) * x)
    if (stops.length === 0) {
      // unless rounding leaves no free position on the way
      if (passed > 0) answer.status = 'completed'
      else answer.rest = rest
      return
    }
    yield* addContacts(gait, query, answer, stops)
    if (slides === maxSlides) {
      answer.status = 'max-slides'
      return
    }
    const stepped = mayStep && footing !== null ? yield* stepUp(gait, footing, answer.rest, stops) : null
    if (stepped !== null) {
      for (const corner of stepped.corners) path.push(corner)
      addCorner(path, gait)
      yield* addContacts(gait, query, answer, [stepped.ground])
      answer.rest = answer.rest.map((x) => (1 - stepped.share) * x)
    } else answer.rest = yield* gait.turn(answer.rest, stops, isNew)
    isNew = stepped !== null
  }
}

function addCorner<K extends Kinds>(path: Place[], gait: Gait<K>): void {
  const place = gait.position()
  const last = path[path.length - 1]
  if (place.some((x, k) => x !== last[k])) path.push(place)
}

function* addContacts<K extends Kinds>(
  { view, pace }: Gait<K>,
  { mostContacts }: MoveQuery<K>,
  { contacts }: MoveAnswer,
  stops: readonly Stop[],
): Slices<void> {
  for (const stop of stops) {
    if (contacts.length > mostContacts) break
    contacts.push(contactOf(view, stop))
    if (pace.isDue(1)) yield
  }
}

function contactOf(view: View, { slot, point, normal }: Stop): Met {
  return { slot, id: idAt(view, slot), point, normal }
}
