// The framework's compilers of schemas: validators of requests, each compiled when it is first needed or some time after the service
// listens, and writers of answers.

import type { TSchema } from '@sinclair/typebox'
import type { AnySchema, ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { createJsonOutput, takeText } from '../json/output.ts'
import { compileWriter } from '../json/writer.ts'
import { namedSchemas, schemasByName } from '../wire/named-schemas.ts'
import { bodyCompiler, compileNext, parameterCompiler, type Schemas, takeErrors } from '../wire/validators.ts'

const out = createJsonOutput()

/** Writes answers as JSON text; fields that a schema does not name are left out. */
export function buildSerializer(schemas: unknown) {
  return ({ schema }: { schema?: unknown }) => {
    const write = compileWriter(schema as TSchema, schemas as Record<string, TSchema>)
    return (answer: unknown): string => {
      out.length = write(out, 0, answer)
      // the framework sends buffers as well, though its types do not say so
      return takeText(out) as string
    }
  }
}

type ValidatorFactory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildValidator']
>

function compiler(given: Schemas) {
  // the framework gives copies; validators of the schemas themselves serve all that check by them
  const names = Object.keys(given)
  const isOurs = names.length === namedSchemas.length && names.every((name) => schemasByName[name] !== undefined)
  const schemas = isOurs ? schemasByName : given
  const body = bodyCompiler(schemas)
  const parameters = parameterCompiler(schemas)
  return ({ schema, httpPart }: { schema: AnySchema; httpPart?: string }) =>
    httpPart === 'body' ? takingErrors(body(schema)) : parameters(schema)
}

const ofParameters = parameterCompiler(schemasByName)

/**
 * For routes whose body is checked where it is answered: checks the parameters alone. Where there is no validator the framework takes
 * everything, though its types do not say so.
 */
export const parametersOnly = (({ schema, httpPart }) =>
  httpPart === 'body' ? undefined : ofParameters(schema)) as FastifySchemaCompiler<AnySchema>

function takingErrors(validate: ValidateFunction) {
  const check = (value: unknown): boolean => validate(value) as boolean
  // read once, right after a refusal
  return Object.defineProperty(check, 'errors', { get: () => takeErrors(validate) })
}

/** Called with the registered schemas; the declared type speaks of the framework's own compiler. */
export const buildValidator = compiler as unknown as ValidatorFactory

/** Of the time of one core. */
const SHARE = 0.1
const FIRST_PAUSE_MS = 500
const LEAST_PAUSE_MS = 20
/** Of the time since the last look: whoever has more to do than that is not held up by what may wait. */
const BUSY_SHARE = 0.5
const LOOK_AGAIN_MS = 100

/**
 * Compiles what the first requests would wait for, from when the service listens: one part of a validator at a time, with pauses
 * that are long against the time that it takes, and none of it while the service is busy.
 */
export const compileAhead = fastifyPlugin(async (app) => {
  let timer: NodeJS.Timeout | undefined
  const stepAfter = (pauseMs: number) => {
    const before = performance.eventLoopUtilization()
    const look = () => {
      const { utilization } = performance.eventLoopUtilization(before)
      if (utilization > BUSY_SHARE) stepAfter(LOOK_AGAIN_MS)
      else step()
    }
    timer = setTimeout(look, pauseMs).unref()
  }
  const step = () => {
    const begun = performance.now()
    if (!compileNext()) return
    const tookMs = performance.now() - begun
    stepAfter(Math.max(LEAST_PAUSE_MS, tookMs / SHARE - tookMs))
  }
  app.addHook('onListen', async () => stepAfter(FIRST_PAUSE_MS))
  app.addHook('onClose', async () => clearTimeout(timer))
})
