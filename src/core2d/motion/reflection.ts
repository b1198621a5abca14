/**
 * The velocity of a body in flight, reflected off the walls that it runs into at one instant.
 *
 * Method: off one wall after another, until the velocity leads into none; in a corner of angle α that takes up to π/α reflections
 * (the mirror images of the wedge, as in billiards). Each is v − (1 + e)·((v − w)·n)/(n·n)·n, in twofold numbers and with a normal
 * of any length, so that no root is taken and the velocity is rounded once.
 * Frame: world; w is the velocity of the wall.
 */

import { spend } from '../../containers/budget.ts'
import { binaryExponent } from '../../numeric/exact-ring.ts'
import { scaleBy } from '../../numeric/safe-range.ts'
import {
  addTwofold,
  divideTwofold,
  dotTwofold,
  multiplyTwofold,
  negateTwofold,
  ofDouble,
  rootTwofold,
  roundTwofold,
  subtractTwofold,
  type Twofold,
} from '../../numeric/twofold.ts'
import { SLIDING_RATIO, STUCK_BOUNCE_COUNT, STUCK_CORNER_COUNT, STUCK_LAST_COUNT } from '../tolerances.ts'
import type { Wall } from './contact-cone.ts'
import type { Flight } from './leaf-impact.ts'

export interface Bounce {
  time: number
  /** Contact point. */
  x: number
  y: number
  /** Unit normal from the obstacle to the body. */
  nx: number
  ny: number
  obstacle: number
  beforeX: number
  beforeY: number
  afterX: number
  afterY: number
  /** Where the body's local origin is as it leaves. */
  leavesX: number
  leavesY: number
}

/** A body in flight that bounces. */
export interface Bouncer extends Flight {
  restitution: number
  maxBounces: number
  bounces: Bounce[]
  /** How many events in a row have passed no time. */
  atOnce: number
}

/** A wall, its obstacle's velocity, and its normal: of a length near 1, and as a unit vector. */
export interface Surface extends Wall {
  vx: number
  vy: number
  unitX: number
  unitY: number
}

/** The body flies on. */
export function advance(flight: Flight, time: Twofold): void {
  flight.x = addTwofold(flight.x, multiplyTwofold(time, flight.vx))
  flight.y = addTwofold(flight.y, multiplyTwofold(time, flight.vy))
  flight.time = addTwofold(flight.time, time)
}

export function surfaceOf({ nx, ny, touch }: Wall, { vx, vy }: { vx: number; vy: number }): Surface {
  const exponent = binaryExponent(Math.max(Math.abs(nx.high), Math.abs(ny.high)))
  // along an axis nothing is divided
  const isAlongAxis = nx.high === 0 || ny.high === 0
  const near1 = ({ high, low }: Twofold): Twofold =>
    isAlongAxis ? ofDouble(Math.sign(high)) : { high: scaleBy(high, -exponent), low: scaleBy(low, -exponent) }
  const x = near1(nx)
  const y = near1(ny)
  const length = rootTwofold(dotTwofold(x, y, x, y))
  const unitX = roundTwofold(divideTwofold(x, length))
  const unitY = roundTwofold(divideTwofold(y, length))
  return { nx: x, ny: y, touch, vx, vy, unitX, unitY }
}

function speedAt({ vx, vy }: Flight, surface: Surface): number {
  return Math.hypot(vx.high - surface.vx + vx.low, vy.high - surface.vy + vy.low)
}

/** Cosine between the velocity relative to a wall and its normal; negative when the body runs into it, 0 when it is at rest. */
export function leaving({ vx, vy }: Flight, surface: Surface): number {
  const x = vx.high - surface.vx + vx.low
  const y = vy.high - surface.vy + vy.low
  const speed = Math.hypot(x, y)
  return speed > 0 ? (x / speed) * surface.unitX + (y / speed) * surface.unitY : 0
}

/** Off one wall after another, until the velocity leads into none; else returns how the flight ends. */
export function reflect(flight: Bouncer, surfaces: readonly Surface[]): 'max-bounces' | 'stuck' | null {
  const origin = { x: flight.x, y: flight.y, time: flight.time }
  let time = 0
  const isCorner = surfaces.length === 2 && isOpen(surfaces[0], surfaces[1])
  const most = isCorner ? reflectionsIn(surfaces[0], surfaces[1]) : STUCK_BOUNCE_COUNT
  for (let count = 0; ; count++) {
    const surface = nextSurface(flight, surfaces)
    if (surface === null) break
    if (isCorner && flight.restitution < 1 && count === (flight.restitution === 0 ? 2 : 2 * most)) {
      comeToRest(flight, surface)
      break
    }
    if (flight.bounces.length === flight.maxBounces) {
      return flight.atOnce + (isCorner ? 0 : count) > STUCK_LAST_COUNT ? 'stuck' : 'max-bounces'
    }
    if (count === 2 * most) return 'stuck'
    spend(1)
    // each wall at its own time, which is the same but for rounding, and not before the start
    const step = timeTo(flight, surface, origin)
    if (addTwofold(flight.time, step).high >= 0) advance(flight, step)
    if (count === 0) time = roundTwofold(flight.time)
    const speed = speedAt(flight, surface)
    const { x, y, ...bounce } = bounceOff(flight, surface)
    const since = time - roundTwofold(origin.time)
    flight.bounces.push({ ...bounce, time, x: x + since * surface.vx, y: y + since * surface.vy })
    // what is left is rounding
    if (speedAt(flight, surface) <= SLIDING_RATIO * speed) comeToRest(flight, surface)
  }
  for (const surface of surfaces) if (leaving(flight, surface) < 0) change(flight, surface, ofDouble(1))
  return null
}

/** Whether all walls that the body runs into are farther away than it can be taken to them at once. */
export function comesLater(flight: Bouncer, surfaces: readonly Surface[]): boolean {
  const met = surfaces.filter((surface) => leaving(flight, surface) < -SLIDING_RATIO)
  return met.length > 0 && met.every((surface) => timeTo(flight, surface, flight).high === 0)
}

interface Place {
  time: Twofold
  x: Twofold
  y: Twofold
}

/** When the body comes to a wall that it runs into, from now on: within the tolerance of contacts. `origin`: where contacts were looked at. */
function timeTo(flight: Bouncer, { nx, ny, vx, vy, touch }: Surface, origin: Place): Twofold {
  const { offsetX, offsetY, radius } = touch.contact
  const since = subtractTwofold(flight.time, origin.time)
  const x = addTwofold(
    offsetX,
    subtractTwofold(subtractTwofold(flight.x, origin.x), multiplyTwofold(since, ofDouble(vx))),
  )
  const y = addTwofold(
    offsetY,
    subtractTwofold(subtractTwofold(flight.y, origin.y), multiplyTwofold(since, ofDouble(vy))),
  )
  const rate = dotTwofold(subtractTwofold(flight.vx, ofDouble(vx)), subtractTwofold(flight.vy, ofDouble(vy)), nx, ny)
  let height = dotTwofold(x, y, nx, ny)
  if (radius.high > 0) {
    height = subtractTwofold(height, multiplyTwofold(radius, rootTwofold(dotTwofold(nx, ny, nx, ny))))
  }
  const time = divideTwofold(negateTwofold(height), rate)
  const speed = Math.hypot(flight.vx.high - vx, flight.vy.high - vy)
  return Math.abs(time.high) * speed <= touch.tolerance ? time : ofDouble(0)
}

/** Whether two walls move alike and are not opposite: there is a way out of the corner between them. */
function isOpen(p: Surface, q: Surface): boolean {
  const cosine = p.unitX * q.unitX + p.unitY * q.unitY
  return p.vx === q.vx && p.vy === q.vy && cosine > -1 + SLIDING_RATIO
}

/** Most bounces in a corner between two walls: as many of its mirror images as fit into half a turn. */
function reflectionsIn(p: Surface, q: Surface): number {
  const opening = Math.PI - Math.acos(Math.max(-1, Math.min(1, p.unitX * q.unitX + p.unitY * q.unitY)))
  return Math.min(2 + Math.ceil(Math.PI / opening), STUCK_CORNER_COUNT)
}

/** The body stays at the wall, and its last bounce says so: what loses speed at each bounce does not get out of an acute corner. */
function comeToRest(flight: Bouncer, { vx, vy }: Surface): void {
  flight.vx = ofDouble(vx)
  flight.vy = ofDouble(vy)
  const last = flight.bounces[flight.bounces.length - 1]
  last.afterX = vx
  last.afterY = vy
}

/**
 * The wall that the body runs into the most squarely. Of two at right angles, where the order changes nothing, the one of the lower
 * obstacle; then, counter-clockwise, the first one of the corner.
 */
function nextSurface(flight: Bouncer, surfaces: readonly Surface[]): Surface | null {
  let first: Surface | null = null
  let least = -SLIDING_RATIO
  for (const surface of surfaces) {
    const rate = leaving(flight, surface)
    if (rate >= -SLIDING_RATIO) continue
    if (first === null || goesBefore(surface, rate, first, least)) {
      first = surface
      least = rate
    }
  }
  return first
}

function goesBefore(surface: Surface, rate: number, first: Surface, least: number): boolean {
  const cosine = surface.unitX * first.unitX + surface.unitY * first.unitY
  const isEqual = Math.abs(cosine) <= SLIDING_RATIO || Math.abs(rate - least) <= SLIDING_RATIO
  return isEqual ? surface.touch.obstacle < first.touch.obstacle : rate < least
}

/** Takes the part of the relative velocity that is along the normal `times` times away. */
function change(flight: Bouncer, { nx, ny, vx, vy }: Surface, times: Twofold): void {
  const along = dotTwofold(subtractTwofold(flight.vx, ofDouble(vx)), subtractTwofold(flight.vy, ofDouble(vy)), nx, ny)
  const share = divideTwofold(multiplyTwofold(along, negateTwofold(times)), dotTwofold(nx, ny, nx, ny))
  flight.vx = addTwofold(flight.vx, multiplyTwofold(share, nx))
  flight.vy = addTwofold(flight.vy, multiplyTwofold(share, ny))
}

export function bounceOff(flight: Bouncer, surface: Surface): Bounce {
  const { unitX: nx, unitY: ny, touch } = surface
  const beforeX = roundTwofold(flight.vx)
  const beforeY = roundTwofold(flight.vy)
  change(flight, surface, addTwofold(ofDouble(1), ofDouble(flight.restitution)))
  return {
    time: roundTwofold(flight.time),
    x: touch.contact.x,
    y: touch.contact.y,
    nx,
    ny,
    obstacle: touch.obstacle,
    beforeX,
    beforeY,
    afterX: roundTwofold(flight.vx),
    afterY: roundTwofold(flight.vy),
    leavesX: roundTwofold(flight.x),
    leavesY: roundTwofold(flight.y),
  }
}
