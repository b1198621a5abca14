/**
 * What core points with a skin contain of core points with no larger skin, decided exactly.
 *
 * Method: a convex set with a skin of r lies in one with a skin of R ≥ r where its core lies in the other's core with a skin of R − r,
 * as every point of it does: by the bounds of GJK, and where these leave it open by the nearest point in exact arithmetic.
 * Frame: world. Cost: O(points of both), times a few for those near the boundary.
 */

import { exactly, includeInput } from '../../numeric/exact-ring.ts'
import { CORES_DEGREE, exactCores } from '../narrow-phase/exact-cores.ts'
import { boundDistance, createBounds } from '../narrow-phase/gjk.ts'
import { orderPair } from '../narrow-phase/pair-frame.ts'
import { type Body, RADIUS, VERTICES } from '../shape/body.ts'
import { inputRangeOf } from '../shape/exact-points.ts'
import { createProbe, setProbe } from './probe.ts'

const probe = createProbe()
const bounds = createBounds()

/** Whether the holder has every point of the guest, whose skin is no larger. */
export function pointsHold(holder: Body, guest: Body): boolean {
  for (let i = 0; i < guest.count; i++) {
    const at = VERTICES + 3 * i
    setProbe(probe, guest, guest.numbers[at], guest.numbers[at + 1], guest.numbers[at + 2])
    if (!isWithin(holder, guest)) return false
  }
  return true
}

/** Whether the probe is no farther from the core of the holder than its skin is thicker than the guest's. */
function isWithin(holder: Body, guest: Body): boolean {
  const frame = orderPair(probe, holder)
  const [outer, inner] = [holder.numbers[RADIUS], guest.numbers[RADIUS]]
  const skin = outer - inner
  const { first, second, error } = frame
  boundDistance(frame, bounds)
  const { lower, upper, simplex } = bounds
  if (lower - skin > error) return false
  if (simplex.holds === 2 || upper + error < skin) return true
  const range = inputRangeOf(first, second)
  includeInput(range, inner)
  return exactly(range, CORES_DEGREE, (ring) => {
    const { meet, face } = exactCores(ring, first, second, simplex)
    if (meet) return true
    const rest = ring.sub(ring.of(outer), ring.of(inner))
    return ring.sign(ring.sub(face.square.over, ring.mul(ring.mul(rest, rest), face.square.under))) <= 0
  })
}
