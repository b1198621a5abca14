// What to make smaller where a batch takes too long, as sentences.

export const LIST_ADVICE =
  'Send fewer queries at a time, or send them as lines (application/x-ndjson), which have a deadline each.'
export const LINE_ADVICE = 'Ask about shapes with fewer vertices or parts, or for fewer results, in one query.'
