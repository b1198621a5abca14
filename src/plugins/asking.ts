// Lets requests ask queries by their `op`, with one validator for all of them.

import { type TSchema, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { reference } from '../../schemas/reference.ts'
import { createJsonInput } from '../json/input.ts'
import { compileReader, type JsonReader } from '../json/reader.ts'
import { compileWriter } from '../json/writer.ts'
import type { AskedQuery, Asker } from '../queries/ask.ts'
import type { ValidatorError } from '../wire/schema-violation.ts'
import { bodyCompiler, quickLook } from './validation.ts'

export interface Asking<Query extends AskedQuery> {
  /** Asks in the name of a request. */
  asker(request: FastifyRequest, answer: Asker<Query>['answer']): Asker<Query>
  /** Reads queries, and the document that is a list of them. */
  readQueries: JsonReader
  readList: JsonReader
  /** Makes validators that take things as strictly. */
  compile: ReturnType<typeof bodyCompiler>
  /** Validates the list of a batch, but not what is in it. */
  validateList: ReturnType<ReturnType<typeof bodyCompiler>>
}

const LIST = Type.Object({ queries: Type.Array(Type.Unknown()) }, { additionalProperties: false })

/** `union`: the named schema of any of the queries, with its `op`. */
export function asking<Query extends AskedQuery>(
  app: FastifyInstance,
  queries: readonly Query[],
  union: TSchema,
): Asking<Query> {
  const schemas = app.getSchemas() as Parameters<typeof bodyCompiler>[0]
  const compile = bodyCompiler(schemas)
  const validate = compile(reference(union))
  const isPlainlyValid = quickLook(schemas, reference(union))
  const check = (value: unknown) =>
    isPlainlyValid(value) || validate(value) ? null : (validate.errors as unknown as ValidatorError[])[0]
  const known = new Map(
    queries.map((query) => [query.op, { query, write: compileWriter(reference(query.response), schemas) }]),
  )

  const read = compileReader(reference(union), schemas)
  const list = Type.Array(reference(union))
  const readQueries = compileReader(list, schemas)

  // the first look takes a tenth of a second, and the first reading some milliseconds: better now than in the first batch
  app.addHook('onListen', async () => {
    isPlainlyValid(null)
    for (const each of [read, readQueries]) each(createJsonInput(Buffer.from('[]')), 2)
  })

  return {
    readQueries,
    readList: compileReader(Type.Object({ queries: list }, { additionalProperties: false }), schemas),
    compile,
    validateList: compile(LIST),
    asker: ({ id: requestId }, answer) => {
      const onFault = (err: unknown) => app.logger.error({ err, reqId: requestId }, 'query failed')
      return { queries: known, read, answer, requestId, check, onFault }
    },
  }
}
