// Checks of the bodies that a write would leave.

import type { BodyCheck } from './pending-bodies.ts'

/** Stands for a shape that has been accepted, so that only the pose is looked at. */
const ACCEPTED = { type: 'point' }

/**
 * Checks no shape more than twice in a write, as it lies and turned: whether it is accepted does not hang on the pose but for that.
 * The same body may be changed 100,000 times, and have as many vertices.
 */
export function checkingOnce(accepts: BodyCheck): BodyCheck {
  const asItLies = new WeakSet<object>()
  const turned = new WeakSet<object>()
  return (body, at, isKnownShape) => {
    const accepted = (body.rotation ?? 0) === 0 ? asItLies : turned
    if (accepted.has(body.shape)) return accepts({ ...body, shape: ACCEPTED }, at, isKnownShape)
    const fault = accepts(body, at, isKnownShape)
    if (fault === null) accepted.add(body.shape)
    return fault
  }
}
