/**
 * Support and box of bodies by their kind: one total table, a row for each kind. A new kind is its functions and a row here.
 *
 * Frame: world axes; farthest points count from the anchor, boxes from the position.
 */

import { vectorLength, vectorLength3d } from '../../numeric/safe-range.ts'
import {
  type Body,
  COMPOSITE,
  CONE,
  CYLINDER,
  ELLIPSOID,
  HALFSPACE,
  type Kind,
  LENGTHS,
  POINTS,
  RADIUS,
  ROTATION,
  VERTICES,
} from './body.ts'

interface KindFunctions {
  /** In errors. */
  name: string
  /**
   * Writes the point farthest along the vector, without the skin; returns which of the core points it is, −1 for kinds without. Of
   * several core points the one of least index, of a line or disc the point nearest to the one that `out` holds. Cost O(points).
   */
  support(body: Body, dx: number, dy: number, dz: number, out: Float64Array): number
  /** Sets least x, y, z and greatest x, y, z relative to the position, rounded; exact if nothing was turned. */
  setBox(body: Body, box: Float64Array): void
}

const KINDS: { readonly [K in Kind]: KindFunctions } = {
  [POINTS]: { name: 'points', support: pointsSupport, setBox: setPointsBox },
  [CYLINDER]: { name: 'cylinder', support: surfaceSupport(cylinderSupport), setBox: setCylinderBox },
  [CONE]: { name: 'cone', support: surfaceSupport(coneSupport), setBox: setConeBox },
  [ELLIPSOID]: { name: 'ellipsoid', support: surfaceSupport(ellipsoidSupport), setBox: setEllipsoidBox },
  [HALFSPACE]: {
    name: 'halfspace',
    support: () => {
      throw new RangeError('a half-space has no farthest point')
    },
    setBox: (_, box) => {
      box.fill(-Infinity, 0, 3)
      box.fill(Infinity, 3, 6)
    },
  },
  [COMPOSITE]: {
    name: 'composite',
    support: () => {
      throw new RangeError('a composite body is asked part by part')
    },
    setBox: ({ composite }, box) => {
      // widened outward, which no convex body's is
      const boxes = composite?.tree.boxes
      for (let k = 0; k < 6; k++) box[k] = boxes?.[k] ?? Number.NaN
    },
  },
}

/** The row of a body. */
export function kindOf({ kind }: Body): KindFunctions {
  return KINDS[kind]
}

type Surface = (body: Body, dx: number, dy: number, dz: number, out: Float64Array) => void

function surfaceSupport(support: Surface): KindFunctions['support'] {
  return (body, dx, dy, dz, out) => {
    support(body, dx, dy, dz, out)
    return -1
  }
}

function pointsSupport(body: Body, dx: number, dy: number, dz: number, out: Float64Array): number {
  const best = topPoint(body, dx, dy, dz)
  const { numbers, local } = body
  out[0] = numbers[local + 3 * best]
  out[1] = numbers[local + 3 * best + 1]
  out[2] = numbers[local + 3 * best + 2]
  return best
}

/** Which of the core points is farthest along the vector, of several the one of least index; boxes by the signs of their edges. */
export function topPoint({ numbers, count, local, isBox }: Body, dx: number, dy: number, dz: number): number {
  if (isBox) {
    const x = numbers[local + 3] * dx + numbers[local + 4] * dy + numbers[local + 5] * dz
    const y = numbers[local + 6] * dx + numbers[local + 7] * dy + numbers[local + 8] * dz
    const z = numbers[local + 12] * dx + numbers[local + 13] * dy + numbers[local + 14] * dz
    return (x > 0 ? 1 : 0) + (y > 0 ? 2 : 0) + (z > 0 ? 4 : 0)
  }
  let best = 0
  let highest = -Infinity
  let at = local
  for (let i = 0; i < count; i++) {
    const height = numbers[at] * dx + numbers[at + 1] * dy + numbers[at + 2] * dz
    if (height > highest) {
      highest = height
      best = i
    }
    at += 3
  }
  return best
}

function setPointsBox({ numbers, count }: Body, box: Float64Array): void {
  const radius = numbers[RADIUS]
  for (let k = 0; k < 3; k++) {
    let least = Infinity
    let greatest = -Infinity
    for (let at = VERTICES + k; at < VERTICES + 3 * count; at += 3) {
      if (numbers[at] < least) least = numbers[at]
      if (numbers[at] > greatest) greatest = numbers[at]
    }
    box[k] = least - radius
    box[k + 3] = greatest + radius
  }
}

// Cylinders, cones and ellipsoids: farthest points and boxes in closed form.
//
// Method: a direction is turned into the shape's own axes, where each support is elementary (G. van den Bergen, Collision Detection
// in Interactive 3D Environments, 2003, section 4.3.4).
// Frame: world axes, origin at the body's position, which is the centre.

const own = new Float64Array(3)
const goal = new Float64Array(3)

/** The direction in the shape's own axes. */
function turnBack(numbers: Float64Array, dx: number, dy: number, dz: number, own: Float64Array): void {
  const r = ROTATION
  own[0] = numbers[r] * dx + numbers[r + 3] * dy + numbers[r + 6] * dz
  own[1] = numbers[r + 1] * dx + numbers[r + 4] * dy + numbers[r + 7] * dz
  own[2] = numbers[r + 2] * dx + numbers[r + 5] * dy + numbers[r + 8] * dz
}

/** The point in the shape's own axes, turned into the world's. */
function turnInto(numbers: Float64Array, x: number, y: number, z: number, out: Float64Array): void {
  const r = ROTATION
  out[0] = numbers[r] * x + numbers[r + 1] * y + numbers[r + 2] * z
  out[1] = numbers[r + 3] * x + numbers[r + 4] * y + numbers[r + 5] * z
  out[2] = numbers[r + 6] * x + numbers[r + 7] * y + numbers[r + 8] * z
}

/** The farthest point along the vector, which is not 0; of a whole disc or line the one nearest to the point that `out` holds. */
function cylinderSupport({ numbers }: Body, dx: number, dy: number, dz: number, out: Float64Array): void {
  turnBack(numbers, dx, dy, dz, own)
  const radius = numbers[LENGTHS]
  const half = numbers[LENGTHS + 1]
  const flat = vectorLength(own[0], own[2])
  if (flat === 0) {
    putDisc(numbers, own[1] > 0 ? half : -half, out)
    return
  }
  let y = own[1] > 0 ? half : -half
  if (own[1] === 0) {
    turnBack(numbers, out[0], out[1], out[2], goal)
    y = Math.max(-half, Math.min(half, goal[1]))
  }
  turnInto(numbers, (radius * own[0]) / flat, y, (radius * own[2]) / flat, out)
}

/** The point at that height within the radius that is nearest to the one that `out` holds. */
function putDisc(numbers: Float64Array, y: number, out: Float64Array): void {
  turnBack(numbers, out[0], out[1], out[2], goal)
  const far = vectorLength(goal[0], goal[2])
  const scale = far > numbers[LENGTHS] ? numbers[LENGTHS] / far : 1
  turnInto(numbers, scale * goal[0], y, scale * goal[2], out)
}

/** The farthest point of a cone along the vector, as `cylinderSupport`; on a tie of apex and rim the apex. */
function coneSupport({ numbers }: Body, dx: number, dy: number, dz: number, out: Float64Array): void {
  turnBack(numbers, dx, dy, dz, own)
  const radius = numbers[LENGTHS]
  const half = numbers[LENGTHS + 1]
  const flat = vectorLength(own[0], own[2])
  if (2 * half * own[1] >= radius * flat) turnInto(numbers, 0, half, 0, out)
  else if (flat === 0) putDisc(numbers, -half, out)
  else turnInto(numbers, (radius * own[0]) / flat, -half, (radius * own[2]) / flat, out)
}

/** The farthest point of an ellipsoid along the vector. */
function ellipsoidSupport({ numbers }: Body, dx: number, dy: number, dz: number, out: Float64Array): void {
  turnBack(numbers, dx, dy, dz, own)
  const a = numbers[LENGTHS]
  const b = numbers[LENGTHS + 1]
  const c = numbers[LENGTHS + 2]
  const x = a * own[0]
  const y = b * own[1]
  const z = c * own[2]
  const length = vectorLength3d(x, y, z)
  if (length === 0) {
    // too thin along the direction for doubles: all of it is as far
    out.fill(0)
    return
  }
  turnInto(numbers, (a * x) / length, (b * y) / length, (c * z) / length, out)
}

/** Half width of the box of an ellipsoid, or of a disc of two equal half axes, along world axis k. */
function halfWidth(numbers: Float64Array, k: number, a: number, b: number, c: number): number {
  const row = ROTATION + 3 * k
  // Of an unturned shape two products are 0 and the third is the length itself.
  return vectorLength3d(a * numbers[row], b * numbers[row + 1], c * numbers[row + 2])
}

/** Sets least and greatest x, y and z, relative to the position, rounded; exact where axes of the world are the shape's own. */
function setEllipsoidBox({ numbers }: Body, box: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const half = halfWidth(numbers, k, numbers[LENGTHS], numbers[LENGTHS + 1], numbers[LENGTHS + 2])
    box[k] = -half
    box[k + 3] = half
  }
}

function setCylinderBox({ numbers }: Body, box: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const along = Math.abs(numbers[ROTATION + 3 * k + 1]) * numbers[LENGTHS + 1]
    const half = along + halfWidth(numbers, k, numbers[LENGTHS], 0, numbers[LENGTHS])
    box[k] = -half
    box[k + 3] = half
  }
}

function setConeBox({ numbers }: Body, box: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const apex = numbers[ROTATION + 3 * k + 1] * numbers[LENGTHS + 1]
    const rim = halfWidth(numbers, k, numbers[LENGTHS], 0, numbers[LENGTHS])
    box[k] = Math.min(apex, -apex - rim)
    box[k + 3] = Math.max(apex, -apex + rim)
  }
}
