/**
 * Exact ray against cylinder, cone and ellipsoid.
 *
 * Method: in the body's own axes each is a quadratic form of the ray's parameter, with coefficients in the ring, cylinders and cones
 * between the planes of their ends. Signs of discriminants and of root sums decide everything (`exact-stretch.ts`). Of bodies that stand at
 * an angle the matrix of their turn is taken as its doubles are, so the answer is that of a body turned by a roundoff more or less.
 * Frame: own axes, from the centre. Lengths are multiplied by what a turn's numbers are counted in.
 */

import { type Body, CONE, CYLINDER, ELLIPSOID, LENGTHS, ROTATION } from '../shape/body.ts'
import { dot, type Exact, exactTriple, times } from '../shape/exact-points.ts'
import { createQuadric } from './chord.ts'
import { type ExactRay, exactRay, setCrossing, settleExactly } from './exact-ray.ts'
import { createStretch, cutBelow, cutQuadric, type ExactStretch, isEmpty } from './exact-stretch.ts'
import { turnLine } from './own-line.ts'
import { type Disc, setQuadricEnd } from './quadric-normal.ts'
import type { Ray, RayLine } from './ray-line.ts'
import type { RaySpan } from './ray-span.ts'

/** Degree of what is compared, for own coordinates of the first degree, as they are where axes go to axes. */
const DEGREE = 36

/** What cuts a stretch off: the quadric, and the planes of the ends. */
const SIDE = 0
const BOTTOM = 1
const TOP = 2

const own = createQuadric()

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
