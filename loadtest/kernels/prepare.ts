// A body of the wire as the core has it.

import type { Body2d } from '../../schemas/shapes2d.ts'
import { type Body, createBody } from '../../src/core2d/shape/body.ts'
import { decodeBody } from '../../src/wire/body.ts'

export function prepare(wire: Body2d): Body {
  const body = createBody()
  decodeBody(wire, body)
  return body
}
