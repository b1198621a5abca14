// Validators of bodies, and of parameters. Bodies are taken as they are: nothing is coerced, stripped or filled in, and the
// discriminator leads to the one branch that was meant. A quick look comes first, which keeps no account of where it is: most bodies
// pass it, and the validator that can say what is wrong is made for the first that does not. Path and query parameters are strings by
// nature, so those are coerced.

import {
  Ajv,
  type AnySchema,
  type KeywordDefinition,
  type Options,
  type SchemaValidateFunction,
  type ValidateFunction,
} from 'ajv'
import type { ValidatorError } from './schema-violation.ts'

const MAX_INT32 = 2 ** 31 - 1

const NESTING = 'x-max-nesting'

/**
 * Bounds how deep a schema that holds itself is entered, before the validator follows it: this many arrays of the same
 * field around each other. Without it a body of a few hundred kilobytes would exhaust the stack.
 */
const nesting: SchemaValidateFunction = (limit: number, _items, _schema, context) => {
  const path = context?.instancePath.split('/') ?? []
  const field = path[path.length - 1]
  const depth = path.filter((token) => token === field).length
  if (depth <= limit) return true
  nesting.errors = [{ keyword: NESTING, params: { limit } }]
  return false
}

const NESTING_KEYWORD: KeywordDefinition = {
  keyword: NESTING,
  type: 'array',
  schemaType: 'number',
  before: 'items',
  errors: true,
  validate: nesting,
}

const COMMON: Options = {
  allErrors: false,
  // keeps the schema and the value beside an error, for its message
  verbose: true,
  addUsedSchema: false,
  // the schemas are our own, and tests hold them against their own schema: that takes a fifth of the start
  meta: false,
  validateSchema: false,
  keywords: [NESTING_KEYWORD],
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
/** Where a value is, as validators are told that call each other: an object and a longer path for each value. */
const PLACE_TAKEN = /\(data, \{instancePath[^{}]*?\}=\{\}\)/g
const PLACE_GIVEN = /, \{instancePath[^{}]*?rootData\}\)/g
const NO_PLACE = 'const instancePath="",parentData=null,parentDataProperty="",rootData=null;'

/** Code of validators that do not tell each other where they are. */
export function withoutPlaces(code: string): string {
  return NO_PLACE + code.replace(PLACE_TAKEN, '(data)').replace(PLACE_GIVEN, ')')
}

const QUICK: Options = {
  ...BODY,
  verbose: false,
  messages: false,
  // how deep a value lies is known from its path
  keywords: [{ ...NESTING_KEYWORD, errors: false, validate: () => false }],
  code: { process: withoutPlaces },
}
const PARAMETERS: Options = { ...COMMON, discriminator: true, coerceTypes: 'array', removeAdditional: false }

export type Schemas = Record<string, AnySchema | AnySchema[]>

/** `isAhead`: `compileNext` compiles it where nobody has asked it yet. */
type Compile = (schema: AnySchema, isAhead?: boolean) => ValidateFunction

/**
 * Compilers of one kind, one for each record of schemas, and in it one validator for each schema that is referred to: what many routes and
 * lists hold is then compiled for all of them.
 */
function compilers(options: Options): (schemas: Schemas) => Compile {
  const made = new WeakMap<Schemas, Compile>()
  return (schemas) => {
    const newAjv = () => new Ajv({ ...options, schemas: Object.values(schemas).flat() })
    const found = made.get(schemas) ?? compilerOf(newAjv)
    made.set(schemas, found)
    return found
  }
}

function compilerOf(newAjv: () => Ajv): Compile {
  let made: Ajv | undefined
  const ajv = () => {
    made ??= newAjv()
    return made
  }
  const compiled = (schema: AnySchema) => ajv().compile(schema)
  const parts = new Set<string>()
  const byReference = new Map<string, ValidateFunction>()
  return (schema, isAhead = false) => {
    const { $ref, ...others } = schema as { $ref?: string }
    if ($ref === undefined || Object.keys(others).length > 0) return whenNeeded(() => compiled(schema))
    const found = byReference.get($ref)
    if (found !== undefined) return found
    const validate = whenNeeded(() => {
      uncompiled.delete(validate)
      return compiled(schema)
    })
    byReference.set($ref, validate)
    if (isAhead) uncompiled.set(validate, compilePart($ref, parts, ajv))
    return validate
  }
}

/** Quick looks at whole bodies that nobody has asked yet, and the work of compiling them, which pauses after each part. */
const uncompiled = new Map<ValidateFunction, Generator<undefined, void>>()

/**
 * Compiles a named schema, after those that it refers to and that are not among `parts` yet: as a whole the largest take as long as a
 * hundred small ones.
 */
function* compilePart(name: string, parts: Set<string>, ajv: () => Ajv): Generator<undefined, void> {
  if (parts.has(name)) return
  parts.add(name)
  for (const other of referencesIn(ajv().schemas[name]?.schema)) yield* compilePart(other, parts, ajv)
  ajv().getSchema(name)
  yield
}

function referencesIn(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return []
  const { $ref } = schema as { $ref?: unknown }
  const own = typeof $ref === 'string' ? [$ref] : []
  return [...own, ...Object.values(schema).flatMap(referencesIn)]
}

/** A validator that is compiled when it is first asked: all of them take half of the start. */
function whenNeeded(compiled: () => ValidateFunction): ValidateFunction {
  let made: ValidateFunction | undefined
  const validate = (value: unknown) => {
    made ??= compiled()
    return made(value)
  }
  Object.defineProperty(validate, 'errors', {
    get: () => made?.errors ?? null,
    set: (errors: ValidatorError[] | null) => {
      if (made !== undefined) Object.assign(made, { errors })
    },
  })
  return validate as ValidateFunction
}

/** Compiles a part of one that nobody has asked yet; false: there is none. */
export function compileNext(): boolean {
  const [next] = uncompiled
  if (next === undefined) return false
  const [validate, work] = next
  if (work.next().done) validate(null)
  return true
}

/** Makes validators that say what is wrong. */
export const exactCompiler = compilers(BODY)
const ofParameters = compilers(PARAMETERS)
/** Makes quick looks. */
export const quickCompiler = compilers(QUICK)

/** Makes validators of bodies, and of what is taken as strictly. */
export function bodyCompiler(schemas: Schemas): Compile {
  const [quick, exact] = [quickCompiler(schemas), exactCompiler(schemas)]
  return (schema) => {
    const look = quick(schema, true) as QuickLook
    const first: QuickLook = takesEmpty(schemas, schema) ? (value) => isEmpty(value) || look(value) : look
    return lookFirst(first, exact(schema))
  }
}

/** Whether an object without fields is valid: nobody who sends one waits for a validator to be compiled. */
function takesEmpty(schemas: Schemas, schema: AnySchema): boolean {
  const named = schemas[(schema as { $ref?: string }).$ref ?? ''] as { type?: string; required?: string[] } | undefined
  return named?.type === 'object' && named.required === undefined
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
}

/** Whether a value is certainly valid. What is not may still be. */
type QuickLook = (value: unknown) => boolean

/** Asks `exact` about what the quick look does not let pass. */
function lookFirst(isPlainlyValid: QuickLook, exact: ValidateFunction): ValidateFunction {
  const validate = (value: unknown) => isPlainlyValid(value) || exact(value)
  Object.defineProperty(validate, 'errors', {
    get: () => exact.errors,
    set: (errors: ValidatorError[] | null) => Object.assign(exact, { errors }),
  })
  return validate as ValidateFunction
}

interface Union {
  readonly $id?: string
  readonly oneOf?: readonly { readonly $ref: string }[]
}

interface Member {
  readonly properties: Readonly<Record<string, { readonly const?: unknown }>>
}

/** The validator of a named union. For the quick look each member is compiled by itself; the word in its field `tag` leads to it. */
export function unionValidator(schemas: Schemas, { $id, oneOf = [] }: Union, tag: string): ValidateFunction {
  const quick = quickCompiler(schemas)
  const byWord = new Map<unknown, QuickLook>()
  for (const { $ref } of oneOf) {
    const { properties } = schemas[$ref] as unknown as Member
    byWord.set(properties[tag].const, quick({ $ref }) as QuickLook)
  }
  const look = (value: unknown) => byWord.get((value as Record<string, unknown> | null)?.[tag])?.(value) ?? false
  return lookFirst(look, exactCompiler(schemas)({ $ref: $id }))
}

/**
 * The errors of the value that was refused just now. The validator, and those that it has called, forget them: kept errors would hold
 * parts of the value until the next ones.
 */
export function takeErrors(validate: ValidateFunction): ValidatorError[] {
  const kept = validate.errors ?? []
  const taken = kept.map((error) => ({ ...error }))
  for (const error of kept) Object.assign(error, { data: undefined, params: {} })
  validate.errors = null
  return taken as unknown as ValidatorError[]
}

/** Compiles validators of path, query string and headers, whose values are texts. */
export function parameterCompiler(schemas: Schemas): Compile {
  const compile = ofParameters(schemas)
  return (schema) => {
    const { properties = {} } = schema as { properties?: Record<string, ParameterSchema> }
    const numbers = Object.entries(properties).filter(([, { type }]) => type === 'number' || type === 'integer')
    return numbers.length === 0 ? compile(schema) : afterNumbers(numbers, compile(schema))
  }
}

interface ParameterSchema {
  readonly type?: string
}

const DECIMAL = /^[+-]?(\d+[.]?\d*|[.]\d+)([eE][+-]?\d+)?$/

/**
 * Refuses texts that are no finite decimal number where a number is to be, before anything is coerced: the validator makes a number
 * of `Infinity`, `1e999` or `0x10`, and holds what is not finite to no limit.
 */
function afterNumbers(numbers: [string, ParameterSchema][], validate: ValidateFunction): ValidateFunction {
  let refused: ValidatorError[] | null = null
  const check = (values: Record<string, unknown>): boolean => {
    refused = null
    for (const [name, { type }] of numbers) {
      const text = values[name]
      if (typeof text !== 'string' || (DECIMAL.test(text) && Number.isFinite(Number(text)))) continue
      const data = DECIMAL.test(text) ? Number(text) : text
      refused = [{ keyword: 'type', instancePath: `/${name}`, params: { type }, data }]
      return false
    }
    return validate(values) as boolean
  }
  return Object.defineProperty(check, 'errors', { get: () => refused ?? validate.errors }) as ValidateFunction
}
