/** Several bodies taken as one: the set that they cover together. */

import { type Body, COMPOSITE, type Composite, createBody } from './body.ts'
import { beginComposite, finishComposite } from './composite.ts'

const NO_PATH: readonly number[] = []

/**
 * One composite of all the bodies' parts, in their order; it shares them, so they must stay as they are. A single body is returned
 * as it is. Frame: world, the union's position is the origin. Cost O(leaves · log leaves).
 */
export function unionOf(bodies: readonly Body[]): Body {
  if (bodies.length === 1) return bodies[0]
  const union = createBody()
  const composite = beginComposite(union)
  for (const body of bodies) {
    if (body.kind !== COMPOSITE) {
      composite.parts.push({ body, outline: null, path: NO_PATH, firstLeaf: 0 })
      continue
    }
    const { parts, partCount } = body.composite as Composite
    for (const part of parts.slice(0, partCount)) composite.parts.push({ ...part })
  }
  composite.partCount = composite.parts.length
  finishComposite(union)
  return union
}

/** How many parts of a union a body takes. */
export function partCountOf({ kind, composite }: Body): number {
  return kind === COMPOSITE ? (composite as Composite).partCount : 1
}
