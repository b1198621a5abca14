/**
 * Moving a prepared body to another place without preparing it again.
 *
 * Parts of a composite stand at doubles: which ones depends on the place of the whole, so each is rounded anew there, once.
 * Frame: world; the orientation stays.
 */

import { type Body, COMPOSITE, type Composite, type Part, POSITION, type Vector } from './body.ts'
import { finishComposite } from './composite.ts'

/** A body that is moved about, and where its parts stand from its position: three numbers each. */
export interface Carried {
  readonly body: Body
  readonly offsets: Float64Array
}

/** Takes over a body that was prepared at the origin, where its parts stand as it has them. The parts are copied, as others may share them. */
export function carry(body: Body): Carried {
  if (body.kind !== COMPOSITE) return { body, offsets: new Float64Array(0) }
  const composite = body.composite as Composite
  const parts = composite.parts.slice(0, composite.partCount).map(copyPart)
  const offsets = new Float64Array(3 * parts.length)
  for (const [p, { mesh, body: part, placement }] of parts.entries()) {
    for (let k = 0; k < 3; k++) offsets[3 * p + k] = mesh === null ? part.numbers[POSITION + k] : placement.position[k]
  }
  return { body: { ...body, composite: { ...composite, parts, boxes: composite.boxes.slice() } }, offsets }
}

/** Puts the body at a position, as if it had been prepared there. Cost O(parts · log parts). */
export function carryTo({ body, offsets }: Carried, position: Vector): void {
  for (let k = 0; k < 3; k++) body.numbers[POSITION + k] = position[k]
  if (body.kind !== COMPOSITE) return
  const { parts, partCount } = body.composite as Composite
  for (let p = 0; p < partCount; p++) {
    const { mesh, body: part, placement } = parts[p]
    for (let k = 0; k < 3; k++) {
      const place = position[k] + offsets[3 * p + k]
      if (mesh === null) part.numbers[POSITION + k] = place
      else placement.position[k] = place
    }
  }
  // boxes are widened by what rounding has done to the parts
  if (offsets.some((offset) => offset !== 0)) finishComposite(body)
}

function copyPart(part: Part): Part {
  const { body, placement } = part
  return {
    ...part,
    body: { ...body, numbers: body.numbers.slice() },
    placement: { ...placement, position: placement.position.slice() },
  }
}
