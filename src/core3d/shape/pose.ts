/**
 * Where a body stands, and how it is turned.
 *
 * Method: the matrix of a quaternion that need not be of unit length (K. Shoemake, "Animating rotation with quaternion curves",
 * SIGGRAPH 1985), each entry divided by the squared length once. So quarter turns come out exact even though √½ is not a double,
 * and a turn that takes axes to axes is known to do so.
 */

import { type Body, POSITION, ROTATION } from './body.ts'

export interface Pose {
  position: readonly [number, number, number]
  /** x, y, z, w of a quaternion near unit length; none for no turn. */
  orientation?: readonly [number, number, number, number] | undefined
}

export function setPose(body: Body, { position, orientation }: Pose): void {
  const { numbers } = body
  for (let k = 0; k < 3; k++) numbers[POSITION + k] = position[k]
  setTurn(body, orientation)
}

function setTurn(body: Body, orientation: Pose['orientation']): void {
  const { numbers } = body
  if (orientation === undefined) numbers.set(IDENTITY, ROTATION)
  else {
    const [x, y, z, w] = orientation
    const square = x * x + y * y + z * z + w * w
    const r = ROTATION
    numbers[r] = (w * w + x * x - (y * y + z * z)) / square
    numbers[r + 1] = (2 * (x * y - w * z)) / square
    numbers[r + 2] = (2 * (x * z + w * y)) / square
    numbers[r + 3] = (2 * (x * y + w * z)) / square
    numbers[r + 4] = (w * w + y * y - (x * x + z * z)) / square
    numbers[r + 5] = (2 * (y * z - w * x)) / square
    numbers[r + 6] = (2 * (x * z - w * y)) / square
    numbers[r + 7] = (2 * (y * z + w * x)) / square
    numbers[r + 8] = (w * w + z * z - (x * x + y * y)) / square
  }
  body.aligned = true
  for (let i = ROTATION; i < ROTATION + 9; i++) {
    const entry = Math.abs(numbers[i])
    if (entry !== 0 && entry !== 1) body.aligned = false
  }
}

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1]
