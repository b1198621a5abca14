// The framework's compilers of schemas: validators of requests, each compiled when it is first needed or some time after the service
// listens, and writers of answers.

import type { TSchema } from '@sinclair/typebox'
import type { AnySchema, ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { createJsonOutput, takeText } from '../json/output.ts'
import { compileWriter } from '../json/writer.ts'
import { schemasByName } from '../wire/named-schemas.ts'
import { bodyCompiler, compileNext, parameterCompiler, takeErrors } from '../wire/validators.ts'

const out = createJsonOutput()

/** Writes answers as JSON text; fields that a schema does not name are left out. */
function serializerCompiler({ schema }: { schema?: unknown }) {
  const write = compileWriter(schema as TSchema, schemasByName as Record<string, TSchema>)
  return (answer: unknown): string => {
    out.length = write(out, 0, answer)
    // the framework sends buffers as well, though its types do not say so
    return takeText(out) as string
  }
}

type Controller = NonNullable<FastifyServerOptions['schemaController']>

const ofBodies = bodyCompiler(schemasByName)
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

function validatorCompiler({ schema, httpPart }: { schema: AnySchema; httpPart?: string }) {
  return httpPart === 'body' ? takingErrors(ofBodies(schema)) : ofParameters(schema)
}

/** All scopes know the same schemas, none of which is copied: validators of the schemas themselves serve all that check by them. */
export const schemaController = {
  bucket: () => ({
    add: () => undefined,
    getSchema: (name: string) => schemasByName[name],
    getSchemas: () => schemasByName,
  }),
  // the declared types speak of the framework's own compilers
  compilersFactory: { buildValidator: () => validatorCompiler, buildSerializer: () => serializerCompiler },
} as unknown as Controller

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
