/**
 * Exact relation of an unrotated ellipse with points, segments, polygons (rounded or not) and other unrotated ellipses.
 *
 * Method: against straight cores the axes are scaled so that the ellipse becomes the circle of radius rx·ry. Against a
 * circle or an ellipse: W. Wang, J. Wang, M.-S. Kim, "An algebraic condition for the separation of two ellipsoids",
 * CAGD 18 (2001): they are disjoint exactly when det(λA + B) has two different positive roots, and touch from outside
 * when it has a double one; Descartes' rule and the cubic's discriminant tell. Against an edge with a skin: the line at
 * distance R has a tangent condition with two square roots (`numeric/exact-ring.ts`).
 */

import {
  createInputRange,
  exactly,
  type InputRange,
  includeInput,
  type Ring,
  type Sign,
  signOfRootSum,
  signOfTwoRootSum,
} from '../../numeric/exact-ring.ts'
import { type Body, ELLIPSE, following, NORMAL_X, NORMAL_Y, OFFSET, RADIUS, RX, RY, SIN, Y } from '../shape/body.ts'
import { exactEdge, exactX, exactY, includeBody, includePosition, positionX, positionY } from '../shape/exact-points.ts'
import type { Frame } from '../shape/position.ts'
import { ELLIPSE_ERROR_RATIO } from '../tolerances.ts'
import { type Separation, settle } from './separation.ts'

/**
 * Settles the record of a pair that involves an ellipse from its rounded value, or by `decide` where that is too close to
 * zero to tell and the ellipse's axes are the world's (a rotation has rounded the others anyway).
 */
export function settleWithEllipse(
  out: Separation,
  a: Body,
  b: Body,
  frame: Frame,
  decide: (a: Body, b: Body) => Sign,
): void {
  const open = Math.abs(out.value) <= ELLIPSE_ERROR_RATIO * frame.extent
  if (open && isAxisAligned(a) && isAxisAligned(b)) settle(out, decide(a, b), frame)
  else settle(out, out.value > 0 ? 1 : out.value < 0 ? -1 : 0, frame)
}

function isAxisAligned(body: Body): boolean {
  return body.kind !== ELLIPSE || body.numbers[SIN] === 0
}

/** Sign of the separation of the body `p`, a circle or polygon with skin, and the ellipse `e`. */
export function exactConvexEllipse(p: Body, e: Body): Sign {
  const range = createInputRange()
  includeEllipse(range, e)
  includeBody(range, p)
  const core = exactly(range, 8, (ring) => coreSign(ring, e, p))
  if (p.numbers[RADIUS] === 0) return core
  if (core <= 0) return -1
  let least: Sign = p.count > 1 ? exactly(range, 8, (ring) => edgeSkinSign(ring, e, p)) : 1
  for (let i = 0; i < p.count && least >= 0; i++) {
    const sign = exactly(range, 32, (ring) => {
      const radius = ring.of(p.numbers[RADIUS])
      return conicSign(
        ring,
        e,
        ring.sub(exactX(ring, p, i), positionX(ring, e)),
        ring.sub(exactY(ring, p, i), positionY(ring, e)),
        radius,
        radius,
      )
    })
    if (sign < least) least = sign
  }
  return least
}

/** Sign of the separation of two ellipses. */
export function exactEllipseEllipse(a: Body, b: Body): Sign {
  const range = createInputRange()
  includeEllipse(range, a)
  includeEllipse(range, b)
  return exactly(range, 32, (ring) =>
    conicSign(
      ring,
      a,
      ring.sub(positionX(ring, b), positionX(ring, a)),
      ring.sub(positionY(ring, b), positionY(ring, a)),
      ring.of(b.numbers[RX]),
      ring.of(b.numbers[RY]),
    ),
  )
}

/** Sign of the separation of the ellipse and the half-plane `h`. */
export function exactEllipseHalfplane(e: Body, h: Body): Sign {
  const range = createInputRange()
  includeEllipse(range, e)
  includePosition(range, h)
  for (const value of [h.numbers[NORMAL_X], h.numbers[NORMAL_Y], h.numbers[OFFSET]]) includeInput(range, value)
  return exactly(range, 8, (ring) => {
    const { of, add, sub, mul } = ring
    const nx = of(h.numbers[NORMAL_X])
    const ny = of(h.numbers[NORMAL_Y])
    const height = add(
      mul(nx, sub(positionX(ring, e), positionX(ring, h))),
      mul(ny, sub(positionY(ring, e), positionY(ring, h))),
    )
    const reach = add(square(ring, mul(of(e.numbers[RX]), nx)), square(ring, mul(of(e.numbers[RY]), ny)))
    const length = add(mul(nx, nx), mul(ny, ny))
    return signOfTwoRootSum(ring, height, of(-h.numbers[OFFSET]), length, ring.integer(-1), reach)
  })
}

function includeEllipse(range: InputRange, e: Body): void {
  includePosition(range, e)
  includeInput(range, e.numbers[RX])
  includeInput(range, e.numbers[RY])
}

function square<T>(ring: Ring<T>, a: T): T {
  return ring.mul(a, a)
}

/** Ellipse against the bare core, in axes where the ellipse is the circle of radius rx·ry about the origin. */
function coreSign<T>(ring: Ring<T>, e: Body, p: Body): Sign {
  const { of, add, sub, mul } = ring
  const rx = of(e.numbers[RX])
  const ry = of(e.numbers[RY])
  const radiusSquare = square(ring, mul(rx, ry))
  const xs: T[] = []
  const ys: T[] = []
  for (let i = 0; i < p.count; i++) {
    xs.push(mul(ry, sub(exactX(ring, p, i), positionX(ring, e))))
    ys.push(mul(rx, sub(exactY(ring, p, i), of(e.numbers[Y]))))
  }
  let least: Sign = 1
  let centerInside = p.count > 2
  for (let i = 0; i < p.count; i++) {
    const j = following(p, i)
    const corner = ring.sign(sub(add(square(ring, xs[i]), square(ring, ys[i])), radiusSquare))
    if (corner < least) least = corner
    if (p.count === 1) break
    const ex = sub(xs[j], xs[i])
    const ey = sub(ys[j], ys[i])
    const height = sub(mul(ex, ys[i]), mul(ey, xs[i]))
    if (ring.sign(height) > 0) centerInside = false
    const startsBefore = ring.sign(add(mul(ex, xs[i]), mul(ey, ys[i]))) < 0
    const endsBeyond = ring.sign(add(mul(ex, xs[j]), mul(ey, ys[j]))) > 0
    if (!startsBefore || !endsBeyond) continue
    const length = add(square(ring, ex), square(ring, ey))
    const edge = ring.sign(sub(square(ring, height), mul(radiusSquare, length)))
    if (edge < least) least = edge
  }
  return centerInside ? -1 : least
}

/** Ellipse against the sides of the skin, where its nearest point lies beside an edge; 1 when it does nowhere. */
function edgeSkinSign<T>(ring: Ring<T>, e: Body, p: Body): Sign {
  const { of, add, sub, mul } = ring
  const rx2 = square(ring, of(e.numbers[RX]))
  const ry2 = square(ring, of(e.numbers[RY]))
  const minus = ring.integer(-1)
  let least: Sign = 1
  for (let i = 0; i < p.count; i++) {
    const [ex, ey] = exactEdge(ring, p, i)
    const qx = sub(positionX(ring, e), exactX(ring, p, i))
    const qy = sub(of(e.numbers[Y]), exactY(ring, p, i))
    const length = add(square(ring, ex), square(ring, ey))
    // Normal (ey, −ex): the ellipse reaches √reach · 1/|e| towards the edge.
    const reach = add(mul(rx2, square(ring, ey)), mul(ry2, square(ring, ex)))
    const height = sub(mul(ey, qx), mul(ex, qy))
    const sign = signOfTwoRootSum(ring, height, of(-p.numbers[RADIUS]), length, minus, reach)
    if (sign >= least || ring.sign(height) <= 0) continue
    // Foot of the ellipse's lowest point along the edge: e·q − ex·ey·(rx² − ry²)/√reach, between 0 and |e|².
    const along = add(mul(ex, qx), mul(ey, qy))
    const shift = mul(minus, mul(mul(ex, ey), sub(rx2, ry2)))
    if (signOfRootSum(ring, shift, along, reach) <= 0) continue
    if (signOfRootSum(ring, shift, sub(along, length), reach) >= 0) continue
    least = sign
  }
  return least
}

/** Ellipse `e` against the axis-aligned ellipse with half axes c, d centred at (p, q) from e's centre. */
function conicSign<T>(ring: Ring<T>, e: Body, p: T, q: T, c: T, d: T): Sign {
  const { of, add, sub, mul } = ring
  const a2 = square(ring, of(e.numbers[RX]))
  const b2 = square(ring, of(e.numbers[RY]))
  const c2 = square(ring, c)
  const d2 = square(ring, d)
  const m13 = square(ring, mul(d2, p))
  const m23 = square(ring, mul(c2, q))
  const constant = sub(add(mul(d2, square(ring, p)), mul(c2, square(ring, q))), mul(c2, d2))
  const linear = mul(a2, b2)
  const cross = add(mul(b2, c2), mul(d2, a2))
  // −det(λA + B) = k3 λ³ + k2 λ² + k1 λ + k0 with k3, k0 > 0.
  const k3 = mul(linear, linear)
  const k2 = sub(mul(cross, linear), mul(linear, constant))
  const k1 = add(sub(mul(mul(d2, c2), linear), mul(cross, constant)), add(mul(m23, b2), mul(m13, a2)))
  const k0 = sub(add(mul(m23, d2), mul(m13, c2)), mul(mul(d2, c2), constant))
  if (ring.sign(k2) >= 0 && ring.sign(k1) >= 0) return -1
  const k1k2 = mul(k1, k2)
  const k0k3 = mul(k0, k3)
  const discriminant = sub(
    add(mul(ring.integer(18), mul(k1k2, k0k3)), square(ring, k1k2)),
    add(
      mul(ring.integer(4), add(mul(mul(k2, square(ring, k2)), k0), mul(k3, mul(k1, square(ring, k1))))),
      mul(ring.integer(27), square(ring, k0k3)),
    ),
  )
  return ring.sign(discriminant)
}
