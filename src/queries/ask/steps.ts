// How many steps the work for a request may take (see containers/budget.ts).

/** On the main thread, before it goes to a worker: about two milliseconds. */
export const MAIN_STEPS = 2 ** 16
/** On the main thread while the workers are so busy that they would refuse the request. */
export const BUSY_MAIN_STEPS = 2 ** 13
/** Of a piece of a list, which workers would do as well: light queries take a tenth of it. */
export const PIECE_STEPS = 2 ** 13
/** Bytes of a request up to which the main thread tries at all. */
export const MAIN_BYTES = 2 ** 15
/** Of one query, on whatever thread: what takes more is too complex. */
export const MOST_STEPS = 2 ** 30

export const TOO_COMPLEX = `The question takes more than ${MOST_STEPS} steps. Ask about fewer or simpler shapes at a time.`

// Advice for a batch that takes too long, as sentences.

export const LIST_ADVICE =
  'Send fewer queries at a time, or send them as lines (application/x-ndjson), which have a deadline each.'
export const LINE_ADVICE = 'Ask about shapes with fewer vertices or parts, or for fewer results, in one query.'
