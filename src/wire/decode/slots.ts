// Slots that bodies of stateless requests are decoded into, one after the other.

import { type Body, createBody } from '../../core2d/shape/body.ts'

/** Parts and leaves of a composite up to which a slot keeps its memory for the next one. */
const KEPT_PARTS = 64
const KEPT_LEAVES = 2 ** 14

const slots: Body[] = []

/** One for a module to keep; what is in it is good until the request is answered. */
export function createSlot(): Body {
  const slot = createBody()
  slots.push(slot)
  return slot
}

/** To be called once a request is answered: slots live as long as the process, and would keep the largest bodies that they ever held. */
export function releaseSlots(): void {
  for (const slot of slots) releaseLarge(slot)
}

export function releaseLarge(slot: Body): void {
  const { composite } = slot
  if (composite !== null && isLarge(composite.partCount, composite.leafCount)) slot.composite = null
}

/** Whether a composite is too large to be kept, or written over one that is kept: others may still refer to that. */
export function isLarge(partCount: number, leafCount: number): boolean {
  return partCount > KEPT_PARTS || leafCount > KEPT_LEAVES
}
