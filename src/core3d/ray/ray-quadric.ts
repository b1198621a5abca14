/**
 * Ray against cylinder, cone and ellipsoid.
 *
 * Method: in the body's own axes each is a quadric, cylinders and cones between the planes of their ends: the chord in the one and the
 * stretch between the others are intersected (E. Haines, "Essential ray tracing algorithms", in A. Glassner, An Introduction to Ray
 * Tracing, 1989), as intervals that know their errors. A line that is steeper than a cone's side has that cone's nappe on one side of
 * a root.
 * Frame: the body's own axes; the line's points are p + τ·u.
 */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { type Body, CYLINDER, LENGTHS, REACH } from '../shape/body.ts'
import { RAY_CONE_RATIO, RAY_PARALLEL_RATIO } from '../tolerances.ts'
import { createChord, createQuadric, findChord } from './chord.ts'
import { turnLine } from './own-line.ts'
import { type Disc, setQuadricEnd } from './quadric-normal.ts'
import type { RayLine } from './ray-line.ts'
import { HIT, MISS, type RaySpan, setPlace, settle, UNSURE, type Verdict } from './ray-span.ts'

const own = createQuadric()
const chord = createChord()

export function rayEllipsoid(line: RayLine, body: Body, span: RaySpan): Verdict {
  const { numbers } = body
  turnLine(line, body, own)
  own.wx = 1 / (numbers[LENGTHS] * numbers[LENGTHS])
  own.wy = 1 / (numbers[LENGTHS + 1] * numbers[LENGTHS + 1])
  own.wz = 1 / (numbers[LENGTHS + 2] * numbers[LENGTHS + 2])
  own.k = 1
  const verdict = findChord(own, chord)
  if (verdict !== HIT) return verdict
  setPlace(span.enter, chord.low, chord.slack)
  setPlace(span.leave, chord.high, chord.slack)
  setQuadricEnd(body, own, span.enter, 0, -1)
  setQuadricEnd(body, own, span.leave, 0, 1)
  return settle(line, span, numbers[REACH])
}

export function rayTurned(line: RayLine, body: Body, span: RaySpan): Verdict {
  const { numbers } = body
  const reach = numbers[REACH]
  turnLine(line, body, own)
  const round = body.kind === CYLINDER ? findSide(body) : findNappe(body)
  if (round === MISS) return MISS
  // Between the planes of the ends.
  const half = numbers[LENGTHS + 1]
  const { py, uy } = own
  const steep = Math.abs(uy)
  if (steep < RAY_PARALLEL_RATIO) {
    const margin = line.error + 4 * RAY_PARALLEL_RATIO * reach
    const beyond = Math.abs(py) - half
    if (beyond > margin) return MISS
    if (beyond > -margin || round === UNSURE) return UNSURE
    return intersect(line, body, -Infinity, Infinity, 0, span)
  }
  if (round === UNSURE) return UNSURE
  const middle = -py / uy
  return intersect(line, body, middle - half / steep, middle + half / steep, (2 * line.error) / steep, span)
}

/** Intersects the chord with the stretch from `low` to `high`, each within `slack`, between the discs. */
function intersect(line: RayLine, body: Body, low: number, high: number, slack: number, span: RaySpan): Verdict {
  const { enter, leave } = span
  const enterLow = Math.max(chord.low - chord.slack, low - slack)
  const enterHigh = Math.max(chord.low + chord.slack, low + slack)
  const leaveLow = Math.min(chord.high - chord.slack, high - slack)
  const leaveHigh = Math.min(chord.high + chord.slack, high + slack)
  if (enterLow > leaveHigh) return MISS
  if (!(enterHigh <= leaveLow)) return UNSURE
  enter.at = Math.max(chord.low, low)
  enter.low = enterLow
  enter.high = enterHigh
  leave.at = Math.min(chord.high, high)
  leave.low = leaveLow
  leave.high = leaveHigh
  const rising = own.uy > 0 ? 1 : -1
  setQuadricEnd(body, own, enter, low > chord.low ? (-rising as Disc) : 0, -1)
  setQuadricEnd(body, own, leave, high < chord.high ? rising : 0, 1)
  return settle(line, span, body.numbers[REACH])
}

/** The chord in the infinite cylinder. */
function findSide({ numbers }: Body): Verdict {
  const { px, pz, ux, uz } = own
  const radius = numbers[LENGTHS]
  const flat = ux * ux + uz * uz
  if (flat < RAY_PARALLEL_RATIO * RAY_PARALLEL_RATIO) {
    const margin = own.error + 4 * RAY_PARALLEL_RATIO * numbers[REACH]
    const beyond = Math.sqrt(px * px + pz * pz) - radius
    chord.low = -Infinity
    chord.high = Infinity
    chord.slack = 0
    return beyond > margin ? MISS : beyond > -margin ? UNSURE : HIT
  }
  own.wx = 1
  own.wy = 0
  own.wz = 1
  own.k = radius * radius
  return findChord(own, chord)
}

/** The chord in the infinite cone below the apex, which may have one end only. */
function findNappe({ numbers }: Body): Verdict {
  const { px, pz, ux, uy, uz } = own
  const radius = numbers[LENGTHS]
  const height = 2 * numbers[LENGTHS + 1]
  const side = Math.sqrt(radius * radius + height * height)
  // Squares of cosine and sine of half the angle at the apex, which everything counts from.
  const across = (height / side) * (height / side)
  const down = (radius / side) * (radius / side)
  const py = own.py - height / 2
  const a = across * (ux * ux + uz * uz) - down * uy * uy
  if (Math.abs(a) < RAY_CONE_RATIO) return UNSURE
  const middle = a > 0 ? (down * py * uy - across * (px * ux + pz * uz)) / a : 0
  const x = px + middle * ux
  const y = py + middle * uy
  const z = pz + middle * uz
  const flat = across * (x * x + z * z)
  const steep = down * y * y
  const b = across * (x * ux + z * uz) - down * y * uy
  const c = flat - steep
  const discriminant = b * b - a * c
  // Of a place, of the form where it is 0, of its derivative, and of the discriminant.
  const shift = own.error + 8 * UNIT_ROUNDOFF * (Math.abs(px) + Math.abs(py) + Math.abs(pz) + Math.abs(middle))
  const edge = 4 * (across * radius + down * height) * shift + 2 * shift * shift + 16 * UNIT_ROUNDOFF * (flat + steep)
  const slope = 2 * shift
  const bound =
    2 * Math.abs(b) * slope + slope * slope + Math.abs(a) * edge + 16 * UNIT_ROUNDOFF * (b * b + Math.abs(a * c))
  if (discriminant < -bound) return MISS
  if (!(discriminant > 4 * bound)) return UNSURE
  const root = Math.sqrt(discriminant)
  chord.slack =
    (slope + bound / root) / Math.abs(a) + 4 * UNIT_ROUNDOFF * (Math.abs(middle) + (Math.abs(b) + root) / Math.abs(a))
  const first = (-b - root) / a
  const second = (-b + root) / a
  chord.low = middle + Math.min(first, second)
  chord.high = middle + Math.max(first, second)
  if (a > 0) return HIT
  // Steeper than the side: the line comes from one nappe and goes into the other.
  if (uy < 0) {
    chord.low = chord.high
    chord.high = Infinity
  } else {
    chord.high = chord.low
    chord.low = -Infinity
  }
  return HIT
}
