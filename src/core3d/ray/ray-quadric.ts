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
import { type Body, CONE, CYLINDER, ELLIPSOID, LENGTHS, REACH, ROTATION } from '../shape/body.ts'
import { dot, type Exact, exactTriple, times } from '../shape/exact-points.ts'
import { RAY_CONE_RATIO, RAY_PARALLEL_RATIO } from '../tolerances.ts'
import {
  createStretch,
  cutBelow,
  cutQuadric,
  type ExactRay,
  type ExactStretch,
  exactRay,
  isEmpty,
  setCrossing,
  settleExactly,
} from './exact-ray.ts'
import {
  createChord,
  createQuadric,
  findChord,
  HIT,
  MISS,
  type Quadric,
  type Ray,
  type RayLine,
  type RaySpan,
  type SpanEnd,
  setFeature,
  setOwnNormal,
  setPlace,
  settle,
  turnLine,
  UNSURE,
  type Verdict,
} from './ray-line.ts'

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

// Exact ray against cylinder, cone and ellipsoid.
//
// Method: in the body's own axes each is a quadratic form of the ray's parameter, with coefficients in the ring, cylinders and cones
// between the planes of their ends. Signs of discriminants and of root sums decide everything (`exact-ray.ts`). Of bodies that stand at
// an angle the matrix of their turn is taken as its doubles are, so the answer is that of a body turned by a roundoff more or less.
// Frame: own axes, from the centre. Lengths are multiplied by what a turn's numbers are counted in.

/** Degree of what is compared, for own coordinates of the first degree, as they are where axes go to axes. */
const DEGREE = 36

/** The boundary that cuts a stretch off: the quadric, and the planes of the ends. */
const SIDE = 0
const BOTTOM = 1
const TOP = 2

export function exactRayQuadric(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  const { numbers, aligned } = body
  const turn = Array.from(numbers.subarray(ROTATION, ROTATION + 9))
  turnLine(line, body, own)
  return exactRay(ray, body, aligned ? [] : [1, ...turn], aligned ? DEGREE : 2 * DEGREE, (exact) => {
    const stretch = stretchOf(exact, body)
    const { enter, leave, enterAt, leaveAt } = stretch
    if (enter === null || leave === null || isEmpty(exact, stretch)) return false
    if (!settleExactly(exact, span, enter, leave)) return false
    setCrossing(exact, span.enter, enter)
    setCrossing(exact, span.leave, leave)
    setQuadricEnd(body, own, span.enter, discOf(body, enterAt), -1)
    setQuadricEnd(body, own, span.leave, discOf(body, leaveAt), 1)
    return true
  })
}

/** The upper end of a cone is its apex. */
function discOf({ kind }: Body, at: number): Disc {
  return at === BOTTOM ? -1 : at === TOP && kind === CYLINDER ? 1 : 0
}

function stretchOf<T>(exact: ExactRay<T>, body: Body): ExactStretch<T> {
  const { ring } = exact
  const { add, sub, mul, integer } = ring
  const zero = integer(0)
  const origin = turnExactly(exact, body, exact.origin)
  const direction = turnExactly(exact, body, exact.direction)
  const unit = body.aligned ? integer(1) : ring.of(1)
  const [a, b, c] = times(ring, unit, exactTriple(ring, body, LENGTHS))
  const stretch = createStretch<T>()
  if (body.kind === ELLIPSOID) {
    const [aa, bb, cc] = [mul(a, a), mul(b, b), mul(c, c)]
    const weights: Exact<T> = [mul(bb, cc), mul(aa, cc), mul(aa, bb)]
    const form = (p: Exact<T>, q: Exact<T>): T =>
      dot(ring, weights, [mul(p[0], q[0]), mul(p[1], q[1]), mul(p[2], q[2])])
    const constant = sub(form(origin, origin), mul(aa, mul(bb, cc)))
    cutQuadric(exact, stretch, form(direction, direction), form(origin, direction), constant, false, SIDE)
    return stretch
  }
  // Below −half and above half.
  cutBelow(exact, stretch, sub(sub(zero, b), origin[1]), sub(zero, direction[1]), BOTTOM)
  cutBelow(exact, stretch, sub(origin[1], b), direction[1], TOP)
  const flat = (p: Exact<T>, q: Exact<T>): T => add(mul(p[0], q[0]), mul(p[2], q[2]))
  if (body.kind === CONE) {
    // (2·half)²·(x² + z²) ≤ radius²·(way down from the apex)².
    const wide = mul(integer(4), mul(b, b))
    const narrow = mul(a, a)
    const down = sub(b, origin[1])
    const fall = sub(zero, direction[1])
    const square = sub(mul(wide, flat(direction, direction)), mul(narrow, mul(fall, fall)))
    const linear = sub(mul(wide, flat(origin, direction)), mul(narrow, mul(down, fall)))
    const constant = sub(mul(wide, flat(origin, origin)), mul(narrow, mul(down, down)))
    cutQuadric(exact, stretch, square, linear, constant, ring.sign(fall) > 0, SIDE)
    return stretch
  }
  const square = flat(direction, direction)
  const constant = sub(flat(origin, origin), mul(a, a))
  if (ring.sign(square) === 0) {
    // Along the axis.
    if (ring.sign(constant) > 0) stretch.isEmpty = true
  } else cutQuadric(exact, stretch, square, flat(origin, direction), constant, false, SIDE)
  return stretch
}

/** The vector in the body's own axes. */
function turnExactly<T>({ ring }: ExactRay<T>, { numbers, aligned }: Body, vector: Exact<T>): Exact<T> {
  const { add, mul, integer, of } = ring
  const component = (column: number): T => {
    let sum = integer(0)
    for (let row = 0; row < 3; row++) {
      const entry = numbers[ROTATION + 3 * row + column]
      if (entry !== 0) sum = add(sum, mul(aligned ? integer(entry) : of(entry), vector[row]))
    }
    return sum
  }
  return [component(0), component(1), component(2)]
}

// Outward normals of cylinders, cones and ellipsoids where a ray enters or leaves them.
// Frame: the body's own axes; the world's on the way out.

/** Whether the line crosses a disc at an end of the axis there: at the lower or upper one; 0 where it crosses the rest. */
type Disc = -1 | 0 | 1

/** Sets normal and feature of the end, which lies at `end.at`; `side` −1 where the ray enters, 1 where it leaves. */
function setQuadricEnd(body: Body, line: Quadric, end: SpanEnd, disc: Disc, side: -1 | 1): void {
  setFeature(end, -1, -1)
  if (disc !== 0) {
    setOwnNormal(body, end, 0, disc, 0)
    return
  }
  const { numbers, kind } = body
  const x = line.px + end.at * line.ux
  const y = line.py + end.at * line.uy
  const z = line.pz + end.at * line.uz
  const a = numbers[LENGTHS]
  const b = numbers[LENGTHS + 1]
  const c = numbers[LENGTHS + 2]
  if (kind === CYLINDER) {
    setAcross(body, line, end, x, 0, z, side)
    return
  }
  if (kind === CONE) {
    // The slope of the side: as much up as the radius is to the height, for the distance from the axis.
    const flat = Math.sqrt(x * x + z * z)
    setAcross(body, line, end, 2 * b * x, a * flat, 2 * b * z, side)
    return
  }
  // The largest weight is 1, so that no square leaves the range of doubles.
  const least = Math.min(a, b, c)
  setAcross(
    body,
    line,
    end,
    x * (least / a) * (least / a),
    y * (least / b) * (least / b),
    z * (least / c) * (least / c),
    side,
  )
}

/**
 * Along (x, y, z); where that is nothing, at the apex of a cone, along its axis, or what of that is not against the way out of the ray.
 * A normal out of the range of doubles is replaced by the ray's own way.
 */
function setAcross(
  body: Body,
  { ux, uy, uz }: Quadric,
  end: SpanEnd,
  x: number,
  y: number,
  z: number,
  side: -1 | 1,
): void {
  if (setOwnNormal(body, end, x, y, z)) return
  const isApex = x === 0 && y === 0 && z === 0 && body.kind === CONE
  if (!isApex) setOwnNormal(body, end, side * ux, side * uy, side * uz)
  else if (side * uy >= 0) setOwnNormal(body, end, 0, 1, 0)
  else setOwnNormal(body, end, -uy * ux, 1 - uy * uy, -uy * uz)
}
