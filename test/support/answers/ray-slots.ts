/** Wire rays to core rays, for tests that talk to the core directly. */
import type { RayDefinition } from '../../../schemas/queries/ray-cast.ts'
import { createRay, type Ray } from '../../../src/core2d/ray/ray-cast.ts'
import { decodeRay } from '../../../src/queries/stateless/ray-cast.ts'

/** Throws when the ray is refused. */
export function prepareRay(wire: RayDefinition): Ray {
  const ray = createRay()
  const problem = decodeRay(wire, ray)
  if (problem !== null) throw new Error(`${problem.code} at ${problem.places[0].pointer}: ${problem.detail}`)
  return ray
}
