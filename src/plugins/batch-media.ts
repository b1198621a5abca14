// The two forms that a batch may have.

export const LIST = 'application/json'
export const LINES = 'application/x-ndjson'
