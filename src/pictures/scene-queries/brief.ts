// Requests and answers without what a picture has no room for: lists may have a million items.

/** Items of a list that are kept, and of lists within its items. */
const MOST_ITEMS = 500
const MOST_INNER = 40
/** How often lists lie within each other; what lies deeper is left out. */
const DEPTH = 4

/** Lengths of the lists of an answer by their fields. `full`: of rays those that hit something, of sights those that are free. */
export type Tally = Readonly<Record<string, { readonly count: number; readonly full: number }>>

/** Fields of requests that may be long and are not drawn, or are told of otherwise. */
const LEFT_OUT = ['filter', 'body']

export function briefRequest(request: object): object {
  const kept = Object.entries(request).filter(([name]) => !LEFT_OUT.includes(name))
  return brief(Object.fromEntries(kept), MOST_ITEMS, DEPTH) as object
}

export function briefAnswer(answer: object): object {
  return brief(answer, MOST_ITEMS, DEPTH) as object
}

function brief(value: unknown, most: number, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    if (depth === 0) return []
    const inner = Math.min(most, MOST_INNER)
    return value.slice(0, most).map((item) => brief(item, inner, depth - 1))
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(fields.map(([name, field]) => [name, brief(field, most, depth)]))
}

export function tallyOf(answer: object): Tally {
  const lists = Object.entries(answer).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  return Object.fromEntries(lists.map(([name, list]) => [name, { count: list.length, full: fullCount(name, list) }]))
}

/** Of lists that are no longer than that of the request. */
function fullCount(name: string, list: readonly unknown[]): number {
  if (name === 'results') return count(list as readonly { hits: readonly unknown[] }[], ({ hits }) => hits.length > 0)
  return name === 'sights' ? count(list as readonly { visible: boolean }[], ({ visible }) => visible) : 0
}

function count<Item>(list: readonly Item[], holds: (item: Item) => boolean): number {
  let found = 0
  for (const item of list) if (holds(item)) found++
  return found
}
