// Lets requests ask queries by their `op`: with one validator for all of them, and the serialisers of their own paths.

import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BatchQuery } from '../../schemas/batch-query.ts'
import { reference } from '../../schemas/reference.ts'
import { type Config, queryLimits } from '../config.ts'
import { queries } from '../queries/all.ts'
import type { AskedQuery, Asker } from '../queries/ask.ts'
import type { ValidatorError } from '../wire/schema-violation.ts'
import { bodyCompiler } from './validation.ts'

export interface Asking {
  /** Asks in the name of a request. */
  asker(request: FastifyRequest): Asker
  /** Validates the list of a batch, but not what is in it. */
  validateList: ReturnType<ReturnType<typeof bodyCompiler>>
}

const LIST = Type.Object({ queries: Type.Array(Type.Unknown()) }, { additionalProperties: false })

/** `app`: a scope with a route of its own that has an answer. */
export function asking(app: FastifyInstance, config: Config): Asking {
  const limits = queryLimits(config)
  const compile = bodyCompiler(app.getSchemas() as Parameters<typeof bodyCompiler>[0])
  const validate = compile(reference(BatchQuery))
  const check = (value: unknown) => (validate(value) ? null : (validate.errors as unknown as ValidatorError[])[0])
  const known = new Map<string, AskedQuery>()

  // only now there is a compiler
  app.addHook('onReady', async () => {
    for (const { op, answer, response, mayBeLong = false } of queries) {
      const serialize = app.serializerCompiler?.({ schema: reference(response), method: 'POST', url: op })
      if (serialize === undefined) throw new Error('batches need a scope that serialises')
      known.set(op, { answer, serialize, mayBeLong })
    }
  })

  return {
    validateList: compile(LIST),
    asker: ({ id: requestId }) => {
      const onFault = (err: unknown) => app.logger.error({ err, reqId: requestId }, 'query failed')
      return { queries: known, limits, requestId, check, onFault }
    },
  }
}
