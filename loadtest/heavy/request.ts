// What a heavy request is: legal, within the default limits, and as much work as one can be. Each can also be made small, in
// the same form, which shows that it means what it is meant to.

import type { ProblemCode } from '../../schemas/problem.ts'

export interface HeavyRequest {
  name: string
  /** POST when absent. */
  method?: 'POST' | 'PUT' | 'GET'
  path: string
  /** Content type; application/json when absent. */
  type?: string
  accept?: string
  /** Whole at size 1; at less, so much of it. Absent: there is none. */
  body?: (size: number) => string
  /** What even the small one is refused with. */
  refused?: readonly ProblemCode[]
  /** How many times it is sent, one after another; once when absent. */
  times?: number
  /** The answer is a stream that may go on: only the time between its bytes is limited. */
  streams?: boolean
}

export const LINES = 'application/x-ndjson'
export const PICTURE = 'image/svg+xml'

/** So much of `count`, and not less than `least`. */
export function share(count: number, size: number, least = 3): number {
  return Math.max(least, Math.round(count * size))
}

export function query(op: string, name: string, make: (size: number) => object): HeavyRequest {
  return { name: `${op}: ${name}`, path: `/v1/2d/${op}`, body: (size) => JSON.stringify(make(size)) }
}

export function picture(op: string, name: string, make: (size: number) => object): HeavyRequest {
  return { ...query(op, name, make), name: `picture of ${op}: ${name}`, accept: PICTURE }
}
