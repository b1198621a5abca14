/**
 * What is asked of bodies by their kind: one table, total over the kinds, a row for each. A new kind is a file of functions and a
 * row here.
 *
 * Frame: world axes; farthest points count from the anchor, boxes from the position.
 */

import { type Body, CONE, CYLINDER, ELLIPSOID, HALFSPACE, type Kind, POINTS, RADIUS, VERTICES } from './body.ts'
import {
  coneSupport,
  cylinderSupport,
  ellipsoidSupport,
  setConeBox,
  setCylinderBox,
  setEllipsoidBox,
} from './quadric.ts'

export interface KindFunctions {
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
