/**
 * Which of two points lies farther along a direction, decided exactly for any finite doubles.
 *
 * Method: the rounded scalar product with a bound on its error, then exact arithmetic (`numeric/exact-ring.ts`).
 */

import { createInputRange, exactly, includeInput, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import { ALONG_ERROR_RATIO, UNDERFLOW_SHARE } from '../tolerances.ts'

/** 1 when b lies farther along (x, y, z) than a, −1 when less far, 0 when as far. */
export function compareAlong(
  x: number,
  y: number,
  z: number,
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
): Sign {
  const alongX = x * (bx - ax)
  const alongY = y * (by - ay)
  const alongZ = z * (bz - az)
  const along = alongX + alongY + alongZ
  const bound = ALONG_ERROR_RATIO * (Math.abs(alongX) + Math.abs(alongY) + Math.abs(alongZ)) + UNDERFLOW_SHARE
  if (Math.abs(along) > bound) return along > 0 ? 1 : -1
  if (ax === bx && ay === by && az === bz) return 0
  const range = createInputRange()
  for (const value of [x, y, z, ax, ay, az, bx, by, bz]) includeInput(range, value)
  return exactly(range, 2, <T>({ of, add, sub, mul, sign }: Ring<T>) => {
    const sum = add(mul(of(x), sub(of(bx), of(ax))), mul(of(y), sub(of(by), of(ay))))
    return sign(add(sum, mul(of(z), sub(of(bz), of(az)))))
  })
}
