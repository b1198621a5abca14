/**
 * Whether core points with a skin contain a curved body.
 *
 * Method: a body within the core needs no skin. A ball is an ellipsoid, and discs across a capsule are told in closed form, exactly. Else
 * the distance from the core, a convex function, is bounded over each part that spans the body: over a piece of its surface
 * by the corners of the tangent planes about the piece from above, and by a point of it from below; pieces that this leaves open
 * are cut, the widest first. What is open after so many pieces is held: some parts in 10⁵ of it may stick out.
 * Frame: world.
 */

import { exactly, type Ring, type Sign, signOfRootSum } from '../../numeric/exact-ring.ts'
import { boundDistance, createBounds } from '../narrow-phase/gjk.ts'
import { orderPair } from '../narrow-phase/pair-frame.ts'
import { type Body, CONE, createBody, ELLIPSOID, LENGTHS, POSITION, RADIUS, ROTATION, VERTICES } from '../shape/body.ts'
import { exactOffset, exactVertex, inputRangeOf, minus } from '../shape/exact-points.ts'
import { setPose } from '../shape/pose.ts'
import { setEllipsoid } from '../shape/shapes.ts'
import { SURFACE_PIECE_COUNT } from '../tolerances.ts'
import { quadricHolds } from './in-quadric.ts'
import type { Lie, Triple } from './lie.ts'
import { createProbe, setProbe } from './probe.ts'
import { axesOf, middleOf, partCount, partOf } from './spanning-parts.ts'
import { isWithinFaces } from './within-faces.ts'

/** Exact where the guest is in line with the axes and lies in the core, in a ball, or along a capsule. */
export function roundedHolds(holder: Body, guest: Body, lie: Lie): boolean {
  if (isBall(holder)) return quadricHolds(ballOf(holder), guest, lie)
  if (isWithinFaces(holder, guest, lie)) return true
  return alongCapsule(holder, guest) ?? holdsParts(holder, guest, lie)
}

const ball = createBody()

function isBall({ count, numbers }: Body): boolean {
  return count === 1 && [0, 1, 2].every((k) => numbers[VERTICES + k] === 0)
}

function ballOf({ numbers }: Body): Body {
  setPose(ball, { position: [numbers[POSITION], numbers[POSITION + 1], numbers[POSITION + 2]] })
  setEllipsoid(ball, [numbers[RADIUS], numbers[RADIUS], numbers[RADIUS]])
  return ball
}

/** Degree of the polynomials that come up. */
const DEGREE = 12

/** Of a cylinder or cone along the axis of the world that a capsule lies along; null of others. */
function alongCapsule(holder: Body, guest: Body): boolean | null {
  if (holder.count > 2 || !guest.aligned || guest.kind === ELLIPSOID) return null
  const k = [0, 1, 2].find((row) => guest.numbers[ROTATION + 3 * row + 1] !== 0) ?? 0
  const { numbers, count } = holder
  const last = VERTICES + 3 * (count - 1)
  if ([0, 1, 2].some((row) => row !== k && numbers[VERTICES + row] !== numbers[last + row])) return null
  return exactly(inputRangeOf(holder, guest), DEGREE, (ring) =>
    [-1, 1].every((end) => endBeyond(ring, holder, guest, k, end) <= 0),
  )
}

/** Sign of (√square + radius)² + over² − skin²: of the disc at one end, or the apex. */
function endBeyond<T>(ring: Ring<T>, holder: Body, guest: Body, k: number, end: number): Sign {
  const { add, sub, mul, of, integer, sign } = ring
  const squared = (value: T): T => mul(value, value)
  const turned = integer(end * guest.numbers[ROTATION + 3 * k + 1])
  const half = mul(turned, of(guest.numbers[LENGTHS + 1]))
  // From either end of the capsule's core.
  const [from, to] = [0, holder.count - 1].map((i) =>
    minus(ring, exactOffset(ring, guest, holder), exactVertex(ring, holder, i)),
  )
  const [low, high] = [add(from[k], half), add(to[k], half)]
  const isBetween = sign(low) * sign(high) <= 0
  const over = isBetween ? integer(0) : sign(sub(squared(low), squared(high))) < 0 ? low : high
  const square = [0, 1, 2].filter((row) => row !== k).reduce((sum, row) => add(sum, squared(from[row])), integer(0))
  const isApex = guest.kind === CONE && end > 0
  const radius = isApex ? integer(0) : of(guest.numbers[LENGTHS])
  const rational = sub(add(add(square, squared(radius)), squared(over)), squared(of(holder.numbers[RADIUS])))
  return signOfRootSum(ring, rational, add(radius, radius), square)
}

const probe = createProbe()
const bounds = createBounds()

/** By how much a point, counted from the anchor of the guest, lies beyond the skin. */
type Beyond = (x: number, y: number, z: number) => number

function holdsParts(holder: Body, guest: Body, { error }: Lie): boolean {
  const beyond: Beyond = (x, y, z) => {
    // Curved bodies have their anchor at their position.
    setProbe(probe, guest, x, y, z)
    boundDistance(orderPair(probe, holder), bounds)
    return bounds.upper - holder.numbers[RADIUS] - error
  }
  for (let i = 0; i < partCount(guest); i++) {
    const part = partOf(guest, i)
    const middle = middleOf(guest, part)
    const axes = axesOf(guest, part)
    const [a, b] = part.radii
    const isHeld =
      a === 0
        ? beyond(middle[0], middle[1], middle[2]) <= 0
        : b === 0
          ? holdsRim(middle, axes[0], axes[2], beyond)
          : holdsEllipsoid(middle, axes, beyond)
    if (!isHeld) return false
  }
  return true
}

/** A circle, in arcs about an angle. */
function holdsRim(middle: Triple, u: Triple, v: Triple, beyond: Beyond): boolean {
  const at = (angle: number, stretch: number): number => {
    const x = stretch * Math.cos(angle)
    const y = stretch * Math.sin(angle)
    return beyond(middle[0] + x * u[0] + y * v[0], middle[1] + x * u[1] + y * v[1], middle[2] + x * u[2] + y * v[2])
  }
  const arcs = Array.from({ length: 8 }, (_, i) => ({ angle: (i * Math.PI) / 4, half: Math.PI / 8 }))
  for (let next = 0; next < arcs.length; next++) {
    const { angle, half } = arcs[next]
    if (at(angle, 1) > 0) return false
    if (arcs.length >= SURFACE_PIECE_COUNT || at(angle, 1 / Math.cos(half)) <= 0) continue
    arcs.push({ angle: angle - half / 2, half: half / 2 }, { angle: angle + half / 2, half: half / 2 })
  }
  return true
}

type Corners = readonly [Triple, Triple, Triple]

/** The surface of an ellipsoid, in triangles of the unit sphere that it is the image of. */
function holdsEllipsoid(middle: Triple, axes: Corners, beyond: Beyond): boolean {
  const at = (p: Triple): number => {
    const along = (k: number): number => middle[k] + p[0] * axes[0][k] + p[1] * axes[1][k] + p[2] * axes[2][k]
    return beyond(along(0), along(1), along(2))
  }
  const triangles: Corners[] = []
  for (let octant = 0; octant < 8; octant++) {
    const sign = (bit: number): number => (octant & bit ? 1 : -1)
    triangles.push([
      [sign(1), 0, 0],
      [0, sign(2), 0],
      [0, 0, sign(4)],
    ])
  }
  for (let next = 0; next < triangles.length; next++) {
    const [p, q, r] = triangles[next]
    if ([p, q, r, unit(total(p, total(q, r)))].some((corner) => at(corner) > 0)) return false
    if (triangles.length >= SURFACE_PIECE_COUNT) continue
    if ([pole(p, q), pole(q, r), pole(r, p), summit(p, q, r)].every((corner) => at(corner) <= 0)) continue
    const [pq, qr, rp] = [unit(total(p, q)), unit(total(q, r)), unit(total(r, p))]
    triangles.push([p, pq, rp], [pq, q, qr], [rp, qr, r], [pq, qr, rp])
  }
  return true
}

function total(p: Triple, q: Triple): Triple {
  return [p[0] + q[0], p[1] + q[1], p[2] + q[2]]
}

function scaled(p: Triple, scale: number): Triple {
  return [scale * p[0], scale * p[1], scale * p[2]]
}

function unit(p: Triple): Triple {
  return scaled(p, 1 / Math.hypot(p[0], p[1], p[2]))
}

function inner(p: Triple, q: Triple): number {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

function product(p: Triple, q: Triple): Triple {
  return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

/** Where the tangents at two points of the unit sphere meet between them. */
function pole(p: Triple, q: Triple): Triple {
  return scaled(total(p, q), 1 / (1 + inner(p, q)))
}

/** Where the tangent planes at three points of it meet. */
function summit(p: Triple, q: Triple, r: Triple): Triple {
  const sum = total(product(p, q), total(product(q, r), product(r, p)))
  return scaled(sum, 1 / inner(p, product(q, r)))
}
