// Queries by name: the request and response of each, and the forms they have in a batch, where `op` names the query.

import { type Static, type TLiteral, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { ProgressForm } from './progress.ts'
import { named } from './reference.ts'

/** A query's request and response. */
export interface Exchange<
  Op extends string = string,
  Request extends TObject = TObject,
  Response extends TSchema = TSchema,
  Result extends TObject = TObject,
> {
  /** The last segment of the path. */
  readonly op: Op
  readonly request: Request
  readonly response: Response
  /** The response as a result of a batch. */
  readonly result: Result
  /** What it says of how far it is, if it does: only work that may take seconds. */
  readonly progress?: ProgressForm
}

export function exchange<const Op extends string, Request extends TObject, Response extends TObject>(
  op: Op,
  request: Request,
  response: Response,
): Exchange<Op, Request, Response, Response> {
  return { op, request, response, result: response }
}

/** Types of the request and response of the query `Op` in a list. */
export type RequestOf<Each extends Exchange, Op extends string> = Static<Extract<Each, { op: Op }>['request']>
export type ResponseOf<Each extends Exchange, Op extends string> = Static<Extract<Each, { op: Op }>['response']>

type Item<Op extends string, Fields extends TProperties> = TObject<{ op: TLiteral<Op> } & Fields>

/** The queries of a batch: the fields of each request plus `op`. */
export function queriesOf<const List extends readonly Exchange[]>(list: List) {
  const queries = list.map(({ op, request }) => {
    const word = Type.Literal(op, { description: 'Which query this is: the last word of its path.' })
    const description = `The fields of ${request.$id}, and which query it is.`
    const name = String(request.$id).replace(/Request$/, 'Query')
    return Type.Object({ op: word, ...request.properties }, named(name, description))
  })
  return queries as unknown as { [K in keyof List]: Item<List[K]['op'], List[K]['request']['properties']> }
}

/** The results of a batch: the fields of each response plus `op`. */
export function resultsOf<const List extends readonly Exchange[]>(list: List) {
  const results = list.map(({ op, response, result }) => {
    const word = Type.Literal(op, { description: 'Which query this is the answer to.' })
    const description = `The fields of ${response.$id}, and which query they answer.`
    const name = String(response.$id).replace(/Response$/, 'Result')
    return Type.Object({ op: word, ...result.properties }, named(name, description))
  })
  return results as unknown as { [K in keyof List]: Item<List[K]['op'], List[K]['result']['properties']> }
}
