// Turns the validator's error into what a person needs: a pointer to the field that is wrong, and
// one sentence that says what was expected there and what was found.

import type { ProblemCode } from '../../schemas/problem.ts'
import { batch3dQueries, batchQueries } from '../../schemas/queries/batch.ts'
import { RayDefinition } from '../../schemas/queries/ray-cast.ts'
import { sceneBatch3dQueries, sceneBatchQueries } from '../../schemas/scenes/batch.ts'
import { ID_PATTERN } from '../../schemas/scenes/body.ts'
import { EVENT_ID_PATTERN } from '../../schemas/scenes/events.ts'
import {
  IDEMPOTENCY_KEY_PATTERN,
  IF_MATCH_PATTERN,
  IF_NONE_MATCH_PATTERN,
  NAMED_VERSION_PATTERN,
} from '../../schemas/scenes/headers.ts'
import { SOLID_PATTERN } from '../../schemas/scenes/import.ts'
import { lintRules } from '../../schemas/scenes/lint.ts'
import { BODY_CURSOR_PATTERN } from '../../schemas/scenes/scene.ts'
import { sceneOperations } from '../../schemas/scenes/write.ts'
import { KEPT_ID_PATTERN, RefShape, shapes } from '../../schemas/shapes2d.ts'
import { shapes3d } from '../../schemas/shapes3d.ts'
import type { DecodeProblem } from './decode-problem.ts'
import { nearestName } from './nearest-name.ts'

/** The part of ajv's error object (with `verbose: true`) that is read here. */
export interface ValidatorError {
  keyword: string
  instancePath: string
  params: Record<string, unknown>
  message?: string
  data?: unknown
  parentSchema?: {
    properties?: Record<string, JsonSchema>
    oneOf?: { $ref?: string }[]
    discriminator?: { propertyName: string }
  }
}

interface JsonSchema {
  type?: string
  $ref?: string
  enum?: unknown[]
  minimum?: number
  exclusiveMinimum?: number
}

interface Violation {
  /** URI fragment into the body, such as `#/a/shape/radius`. */
  pointer: string
  detail: string
  /** Where a schema-violation is not what it is. */
  code?: ProblemCode
  limit?: number
  actual?: number
}

const NOUNS: Record<string, string> = {
  number: 'a number',
  integer: 'a whole number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

/** Each pattern in words for people. */
const PATTERNS: Record<string, string> = {
  [KEPT_ID_PATTERN]: 'the id of a kept shape: sha256- and 64 of 0-9 a-f',
  [ID_PATTERN]: '1 to 128 of A-Z a-z 0-9 . _ : -, and neither . nor ..',
  [BODY_CURSOR_PATTERN]: 'the next of a page',
  [IF_MATCH_PATTERN]:
    'the version of a scene in double quotes, such as "12.1f3a9c07" or "12", or several with commas between, or *',
  [IF_NONE_MATCH_PATTERN]: 'tags in double quotes, separated by commas, or *',
  [NAMED_VERSION_PATTERN]: 'the version of a scene, such as 12 or "12.1f3a9c07"',
  [EVENT_ID_PATTERN]: 'the id of an event, such as 12.1f3a9c07',
  [SOLID_PATTERN]: 'layer:<name> or property:<name>',
  [IDEMPOTENCY_KEY_PATTERN]: '1 to 255 printable ASCII characters',
}

/** The value of the tag for each named union member. */
const TAGS = new Map<string, string>([
  ...[...shapes, RefShape].map((shape): [string, string] => [shape.$id as string, shape.properties.type.const]),
  ...shapes3d.map((shape): [string, string] => [shape.$id as string, shape.properties.type.const]),
  ...batch3dQueries.map((query): [string, string] => [query.$id as string, query.properties.op.const]),
  ...batchQueries.map((query): [string, string] => [query.$id as string, query.properties.op.const]),
  ...sceneBatch3dQueries.map((query): [string, string] => [query.$id as string, query.properties.op.const]),
  ...sceneBatchQueries.map((query): [string, string] => [query.$id as string, query.properties.op.const]),
  ...sceneOperations.map((each): [string, string] => [each.$id as string, each.properties.op.const]),
  ...lintRules.map((each): [string, string] => [each.$id as string, each.properties.rule.const]),
])

/** Unknown fields that are named beside a missing one, at most. */
const MOST_NAMED = 4

/** Fields of what is inside others, by the name of the field that holds it: often sent one level too high. */
const INSIDE: Readonly<Record<string, ReadonlySet<string>>> = {
  shape: new Set([...shapes, ...shapes3d].flatMap(({ properties }) => Object.keys(properties))),
  ray: new Set(Object.keys(RayDefinition.properties)),
}

/** Fields of bodies, which are often sent inside their shape. */
const BESIDE_SHAPES = ['position', 'rotation', 'orientation', 'velocity', 'angularVelocity']

/** `subject` names the whole: the body, the query string. */
export function describeViolation(error: ValidatorError, subject = 'The body'): Violation {
  const { keyword, instancePath: path, params, parentSchema } = error
  switch (keyword) {
    case 'required': {
      const name = String(params.missingProperty)
      if (name === parentSchema?.discriminator?.propertyName) return at(path, name, tagSentence(name, error))
      return at(
        path,
        name,
        `${name} is missing${expectation(parentSchema?.properties?.[name])}.${misplaced(name, error)}`,
      )
    }
    case 'additionalProperties': {
      const name = String(params.additionalProperty)
      const known = Object.keys(parentSchema?.properties ?? {})
      const beside = path.endsWith('/shape') ? nearestName(name, BESIDE_SHAPES) : undefined
      if (beside !== undefined) {
        return at(
          path,
          name,
          `${quote(name)} is not a known field. ${quote(beside)} belongs beside "shape", not inside it.`,
        )
      }
      return at(path, name, `${quote(name)} is not a known field${suggestion(name, known)}`)
    }
    case 'discriminator':
      return at(path, String(params.tag), tagSentence(String(params.tag), error))
    case 'x-max-nesting': {
      const limit = Number(params.limit)
      return {
        pointer: `#${path}`,
        detail: `Compounds may be nested ${limit} deep, not deeper.`,
        code: 'compound-too-deep',
        limit,
      }
    }
    default: {
      const violation = { pointer: `#${path}`, detail: `${label(path, subject)} ${requirement(error)}.` }
      if (keyword !== 'maxItems') return violation
      return { ...violation, limit: Number(params.limit), actual: (error.data as unknown[]).length }
    }
  }
}

/** The problem with a value that lies at the pointer `where` of a request; its own pointers are relative to the value. */
export function violationProblem(error: ValidatorError, where: string): DecodeProblem {
  const instancePath = where + error.instancePath
  const { pointer, detail, code = 'schema-violation', ...sizes } = describeViolation({ ...error, instancePath })
  return { ok: false, code, detail, places: [{ pointer: pointer.slice(1 + where.length) }], ...sizes }
}

function requirement({ keyword, params, data, message, parentSchema }: ValidatorError): string {
  const got = `got ${describeValue(data)}`
  switch (keyword) {
    case 'type':
      if (params.type === 'object' && Array.isArray(data))
        return `must be ${vectorOf(data, parentSchema) ?? 'an object'}, ${got}`
      if (typeof data === 'number' && !Number.isFinite(data)) {
        return 'must be a finite number, got one too large for a double'
      }
      return `must be ${NOUNS[String(params.type)] ?? params.type}, ${got}`
    case 'minimum':
      return `must be at least ${params.limit}, ${got}`
    case 'maximum':
      return `must be at most ${params.limit}, ${got}`
    case 'exclusiveMinimum':
      return `must be greater than ${params.limit}, ${got}`
    case 'minItems':
      return `must have at least ${params.limit} ${params.limit === 1 ? 'item' : 'items'}, got ${(data as unknown[]).length}`
    case 'maxItems':
      return `must have at most ${params.limit} items, got ${(data as unknown[]).length}`
    case 'pattern':
      return `must be ${PATTERNS[String(params.pattern)] ?? params.pattern}, ${got}`
    case 'maxLength':
      return `must have at most ${params.limit} characters, got ${(data as string).length}`
    case 'enum': {
      const allowed = params.allowedValues as unknown[]
      const near = typeof data === 'string' ? nearestName(data, allowed.map(String)) : undefined
      const hint = near === undefined ? '' : ` (did you mean ${quote(near)}?)`
      return `must be one of ${allowed.map(describeValue).join(', ')}, ${got}${hint}`
    }
    default:
      return `${message ?? 'is not valid'}, ${got}`
  }
}

function tagSentence(tag: string, { params, parentSchema }: ValidatorError): string {
  const known = (parentSchema?.oneOf ?? []).map(({ $ref }) => TAGS.get($ref as string) ?? String($ref))
  const value = params.tagValue
  if (value === undefined) return `${tag} is missing: expected one of ${known.join(', ')}.`
  const near = typeof value === 'string' ? nearestName(value, known) : undefined
  const hint = near === undefined ? '' : ` Did you mean ${quote(near)}?`
  return `${tag} must be one of ${known.join(', ')}, got ${describeValue(value)}.${hint}`
}

/**
 * The sentence about unknown fields next to a missing one: they belong inside the missing field, or the first is a misspelling of a
 * known one.
 */
function misplaced(missing: string, { data, parentSchema }: ValidatorError): string {
  const known = Object.keys(parentSchema?.properties ?? {})
  const unknown = unknownFields(data, known)
  if (unknown.length === 0) return ''
  const inside = unknown.filter((name) => INSIDE[missing]?.has(name))
  if (inside.length > 0) {
    const first = inside.includes('type') ? 'type' : inside[0]
    const sent = (data as Record<string, unknown>)[first]
    const value = typeof sent === 'object' ? '…' : describeValue(sent)
    const example = `{${quote(missing)}: {${quote(first)}: ${value}${inside.length > 1 ? ', …' : ''}}}`
    const names = inside
      .map(quote)
      .join(', ')
      .replace(/, ("[^"]*")$/, ' and $1')
    return ` ${names} belong${inside.length > 1 ? '' : 's'} inside ${quote(missing)}: ${example}.`
  }
  const near = nearestName(unknown[0], [missing]) ?? nearestName(unknown[0], known)
  const hint = near === undefined ? '' : ` Did you mean ${quote(near)}?`
  return ` ${quote(unknown[0])} is not a known field.${hint}`
}

/** The first few. */
function unknownFields(data: unknown, known: readonly string[]): string[] {
  const found: string[] = []
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return found
  for (const name in data) {
    if (!known.includes(name)) found.push(name)
    if (found.length === MOST_NAMED) break
  }
  return found
}

/** The expected vector where a list was sent, with the numbers of the list; undefined where no vector is expected. */
function vectorOf(list: readonly unknown[], schema: ValidatorError['parentSchema']): string | undefined {
  const names = Object.keys(schema?.properties ?? {})
  if (names.length === 0 || names.some((name) => name.length > 1)) return undefined
  const isMeant = list.length === names.length && list.every((value) => typeof value === 'number')
  const fields = names.map((name, i) => `${quote(name)}: ${isMeant ? list[i] : i + 1}`)
  return `an object such as {${fields.join(', ')}}`
}

function expectation(schema: JsonSchema | undefined): string {
  if (schema === undefined) return ''
  if (schema.enum !== undefined) return `: expected one of ${schema.enum.map(describeValue).join(', ')}`
  if (schema.$ref === 'Vec2') return ': expected an object with x and y'
  if (schema.$ref === 'Vec3') return ': expected an object with x, y and z'
  if (schema.type === undefined) return ': expected an object'
  const range =
    schema.minimum !== undefined
      ? ` of at least ${schema.minimum}`
      : schema.exclusiveMinimum !== undefined
        ? ` greater than ${schema.exclusiveMinimum}`
        : ''
  return `: expected ${NOUNS[schema.type] ?? schema.type}${range}`
}

function suggestion(name: string, known: readonly string[]): string {
  const near = nearestName(name, known)
  if (near !== undefined) return `. Did you mean ${quote(near)}?`
  return known.length === 0 ? '.' : `; the known fields are ${known.join(', ')}.`
}

function at(path: string, name: string, detail: string): Violation {
  const token = encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
  return { pointer: `#${path}/${token}`, detail }
}

/** The field's own name, with its index when it is an item: `vertices[3]`. */
function label(path: string, subject: string): string {
  const tokens = path.split('/').slice(1)
  if (tokens.length === 0) return subject
  let index = ''
  while (tokens.length > 1 && /^\d+$/.test(tokens[tokens.length - 1])) index = `[${tokens.pop()}]${index}`
  return tokens[tokens.length - 1] + index
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}
