// Lets requests ask queries by their `op`: with one validator for all of them, and the serialisers of their own paths.

import { type TSchema, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { reference } from '../../schemas/reference.ts'
import type { AskedQuery, Asker } from '../queries/ask.ts'
import type { ValidatorError } from '../wire/schema-violation.ts'
import { bodyCompiler, quickLook } from './validation.ts'

export interface Asking<Source> {
  /** Asks in the name of a request. */
  asker(request: FastifyRequest, answer: Asker<Source>['answer']): Asker<Source>
  /** Makes validators that take things as strictly. */
  compile: ReturnType<typeof bodyCompiler>
  /** Validates the list of a batch, but not what is in it. */
  validateList: ReturnType<ReturnType<typeof bodyCompiler>>
}

interface Askable {
  readonly op: string
  readonly response: TSchema
  readonly mayBeLong?: boolean
}

const LIST = Type.Object({ queries: Type.Array(Type.Unknown()) }, { additionalProperties: false })

/** `app`: a scope with a route of its own that has an answer. `union`: the named schema of any of the queries, with its `op`. */
export function asking<Source extends Askable>(
  app: FastifyInstance,
  queries: readonly Source[],
  union: TSchema,
): Asking<Source> {
  const schemas = app.getSchemas() as Parameters<typeof bodyCompiler>[0]
  const compile = bodyCompiler(schemas)
  const validate = compile(reference(union))
  const isPlainlyValid = quickLook(schemas, reference(union))
  const check = (value: unknown) =>
    isPlainlyValid(value) || validate(value) ? null : (validate.errors as unknown as ValidatorError[])[0]
  const known = new Map<string, AskedQuery<Source>>()

  // the first look takes a tenth of a second: better now than in the first batch
  app.addHook('onListen', async () => {
    isPlainlyValid(null)
  })

  // only now there is a compiler
  app.addHook('onReady', async () => {
    for (const source of queries) {
      const { op, response, mayBeLong = false } = source
      const serialize = app.serializerCompiler?.({ schema: reference(response), method: 'POST', url: op })
      if (serialize === undefined) throw new Error('batches need a scope that serialises')
      known.set(op, { source, serialize, mayBeLong })
    }
  })

  return {
    compile,
    validateList: compile(LIST),
    asker: ({ id: requestId }, answer) => {
      const onFault = (err: unknown) => app.logger.error({ err, reqId: requestId }, 'query failed')
      return { queries: known, answer, requestId, check, onFault }
    },
  }
}
