// What to make smaller where a request takes too long, too much memory, or too many steps: a sentence for each query.

const FEWER_FEATURES = 'Ask about shapes with fewer vertices or parts.'

const ADVICE: Readonly<Record<string, string>> = {
  table: 'Ask for fewer cells at a time, or for shapes with fewer vertices or parts.',
  pairs: 'Send fewer bodies, or ask for the pairs of their boxes only.',
  'ray-cast': 'Send fewer targets, or targets with fewer vertices or parts.',
  'shape-cast': 'Send fewer targets, or shapes with fewer vertices or parts.',
  trajectory: 'Ask for fewer bounces, or a shorter time, among fewer obstacles.',
  decompose: 'Send a region with fewer vertices, or ask for another method.',
  validate: 'Send a shape with fewer vertices or parts.',
  hull: 'Send fewer points.',
  batch: 'Send fewer queries at a time, or send them as lines (application/x-ndjson), which have a deadline each.',
}

/** `op`: of a query, or `batch`. */
export function adviceFor(op: string): string {
  return ADVICE[op] ?? FEWER_FEATURES
}
