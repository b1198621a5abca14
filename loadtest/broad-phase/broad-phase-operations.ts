// The operations of the broad-phase bench. A pass returns a number that depends on all its results and that libraries must
// agree on: a count, or a sum of lengths.

import { type Field, PASS_COUNT, QUERY_COUNT } from './broad-phase-field.ts'

export const OPERATIONS = {
  build: 'bulk build, per box',
  query: 'box query, 10 hits',
  ray: 'closest ray',
  nearest: '8 nearest by box distance',
  pairs: 'all pairs from boxes, per box',
  densePairs: 'all pairs, each box meets 10, per box',
  move: 'move 5 % by small steps, per move',
  jump: 'move 5 % to anywhere, per move',
  movedQuery: 'box query after 5 % have moved',
  insert: 'insert one by one, per box',
  insertedQuery: 'box query after inserting one by one',
} as const

export type OperationName = keyof typeof OPERATIONS

/** `pass` counts from 0 and says which queries to ask, or how far things have moved. */
export type Operation = (pass: number) => number
export type Operations = Partial<Record<OperationName, Operation>>

/** By how many a pass is divided. */
export function unitsOf(name: OperationName, { count, movers }: Field): number {
  if (name === 'move' || name === 'jump') return movers.length
  return name === 'query' || name === 'ray' || name === 'nearest' || name.endsWith('Query') ? PASS_COUNT : count
}

/** Sums what `ask` returns for the queries of a pass. */
export function asking(ask: (query: number) => number): Operation {
  return (pass) => {
    const from = (pass * PASS_COUNT) % QUERY_COUNT
    let total = 0
    for (let k = from; k < from + PASS_COUNT; k++) total += ask(k)
    return total
  }
}
