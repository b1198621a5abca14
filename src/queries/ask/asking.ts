// Lets many queries be asked by their `op`, with one validator and one reader for all of them.

import { type TSchema, Type } from '@sinclair/typebox'
import { reference } from '../../../schemas/reference.ts'
import { createJsonInput } from '../../json/input.ts'
import { compileReader, type JsonReader } from '../../json/reader.ts'
import { compileWriter } from '../../json/writer.ts'
import { bodyCompiler, quickLook, type Schemas, takeErrors } from '../../wire/validation/validators.ts'
import type { AskedQuery, Asker } from './ask.ts'
import { resultWriter } from './batch-result.ts'

export interface Asking<Query extends AskedQuery> {
  /** Asks in the name of a request. */
  asker(request: Omit<Asker<Query>, 'queries' | 'read' | 'check'>): Asker<Query>
  /** Reads queries, and the document that is a list of them. */
  readQueries: JsonReader
  readList: JsonReader
  /** Makes validators that take things as strictly. */
  compile: ReturnType<typeof bodyCompiler>
  /** Validates the list of a batch, but not what is in it. */
  validateList: ReturnType<ReturnType<typeof bodyCompiler>>
  /** Makes now what is made when it is first needed: that takes a tenth of a second. */
  warmUp(): void
}

const LIST = Type.Object({ queries: Type.Array(Type.Unknown()) }, { additionalProperties: false })

/** `union`: the named schema of any of the queries, with its `op`. */
export function asking<Query extends AskedQuery>(
  schemas: Schemas,
  queries: readonly Query[],
  union: TSchema,
): Asking<Query> {
  const named = schemas as Record<string, TSchema>
  const compile = bodyCompiler(schemas)
  const validate = compile(reference(union))
  const isPlainlyValid = quickLook(schemas, reference(union))
  const check = (value: unknown) => (isPlainlyValid(value) || validate(value) ? null : takeErrors(validate)[0])
  const known = new Map(
    queries.map((query) => [
      query.op,
      { query, write: resultWriter(query.op, compileWriter(reference(query.response), named)) },
    ]),
  )
  const read = compileReader(reference(union), named)
  const list = Type.Array(reference(union))
  const readQueries = compileReader(list, named)

  return {
    readQueries,
    readList: compileReader(Type.Object({ queries: list }, { additionalProperties: false }), named),
    compile,
    validateList: compile(LIST),
    warmUp: () => {
      for (const each of [isPlainlyValid, validate]) each(null)
      for (const each of [read, readQueries]) each(createJsonInput(Buffer.from('[]')), 2)
    },
    asker: (request) => ({ queries: known, read, check, ...request }),
  }
}
