// Two validators. Bodies are taken as they are: nothing is coerced, stripped or filled in, and the
// discriminator leads to the one branch that was meant. Path and query parameters are strings by
// nature, so those are coerced.

import { Ajv, type AnySchema, type Options } from 'ajv'
import type { FastifyServerOptions } from 'fastify'

const MAX_INT32 = 2 ** 31 - 1

const COMMON: Options = {
  allErrors: false,
  // keeps the schema and the value beside an error, for its message
  verbose: true,
  addUsedSchema: false,
  formats: {
    double: true,
    int32: { type: 'number', validate: (value: number) => value >= -MAX_INT32 - 1 && value <= MAX_INT32 },
    'uri-reference': true,
  },
}

const BODY: Options = {
  ...COMMON,
  discriminator: true,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
}
const PARAMETERS: Options = { ...COMMON, discriminator: true, coerceTypes: true, removeAdditional: false }

type ValidatorFactory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildValidator']
>

function compiler(schemas: Record<string, AnySchema | AnySchema[]>) {
  const known = Object.values(schemas).flat()
  const body = new Ajv({ ...BODY, schemas: known })
  const parameters = new Ajv({ ...PARAMETERS, schemas: known })
  return ({ schema, httpPart }: { schema: AnySchema; httpPart?: string }) =>
    (httpPart === 'body' ? body : parameters).compile(schema)
}

/** Called with the registered schemas; the declared type speaks of the framework's own compiler. */
export const buildValidator = compiler as unknown as ValidatorFactory
