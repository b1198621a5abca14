// Answers one stateless query, on whatever thread.

import { releaseSlots } from '../../wire/decode/slots.ts'
import type { Query, QueryLimits } from './query.ts'

/** The answer to a request that fits the schema, or its first problem; what large bodies have needed is given back. */
export function answerQuery(query: Query, request: object, limits: QueryLimits): object {
  try {
    return query.answer(request, limits)
  } finally {
    releaseSlots()
  }
}
