// A body of the wire as the core has it.

import type { Body3d } from '../../schemas/shapes3d.ts'
import { type Body, createBody } from '../../src/core3d/shape/body.ts'
import { decodeBody } from '../../src/wire/body-3d.ts'

const LIMITS = { maxVertices: 4096, maxParts: 4096 }

export function fill(wire: Body3d, slot: Body): Body {
  const problem = decodeBody(wire, slot, LIMITS)
  if (problem !== null) throw new Error(JSON.stringify(problem))
  return slot
}

export function prepare(wire: Body3d): Body {
  return fill(wire, createBody())
}
