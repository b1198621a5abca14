/** Wire bodies to core slots, for tests that talk to the core directly. */
import type { Body2d } from '../../../schemas/shapes2d.ts'
import { type Body, createBody } from '../../../src/core2d/shape/body.ts'
import { decodeBody } from '../../../src/wire/body.ts'

/** A new slot holding the body; throws when the body is refused. */
export function prepare(wire: Body2d): Body {
  const slot = createBody()
  const problem = decodeBody(wire, slot)
  if (problem !== null) throw new Error(`${problem.code} at ${problem.places[0].pointer}: ${problem.detail}`)
  return slot
}
