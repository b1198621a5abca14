// What tools are given, held against a schema. The fields of queries are left to the service, which says what is wrong with them.

import type { ValidateFunction } from 'ajv'
import { ID_PATTERN } from '../../schemas/scenes/body.ts'
import { schemasByName } from '../wire/named-schemas.ts'
import { describeViolation } from '../wire/schema-violation.ts'
import { exactCompiler, takeErrors } from '../wire/validators.ts'
import { type Arguments, ServiceProblem } from './tool.ts'

const MOST_NAME = 200
const MOST_FILE_NAME = 1024
const MOST_IDS = 100
const MOST_PAGE = 100

const id = { type: 'string', pattern: ID_PATTERN, maxLength: 128 }
const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
const limit = { type: 'integer', minimum: 1, maximum: MOST_PAGE }
const dimension = { enum: [2, 3] }
const corner = {
  type: 'object',
  properties: { x: { type: 'number' }, y: { type: 'number' }, z: { type: 'number' } },
  required: ['x', 'y'],
  additionalProperties: false,
}
const box = {
  type: 'object',
  properties: { min: corner, max: corner },
  required: ['min', 'max'],
  additionalProperties: false,
}
const boolean = { type: 'boolean' }

function fields(properties: object, required: readonly string[], additionalProperties = false): object {
  return { type: 'object', properties, required, additionalProperties }
}

const CHECKED = {
  scene: fields({ scene: id }, ['scene'], true),
  open_level: fields(
    {
      scene: id,
      dimension,
      name: text(MOST_FILE_NAME),
      content: { type: 'string' },
      path: text(MOST_FILE_NAME),
      keep: boolean,
    },
    [],
    true,
  ),
  list_scenes: fields({ dimension, limit }, []),
  find_bodies: fields(
    {
      scene: id,
      id,
      contains: text(128),
      tag: text(128),
      box,
      limit,
      cursor: { type: 'string', pattern: '^[0-9]{1,10}$' },
    },
    ['scene'],
  ),
  apply: fields({ scene: id, operations: { type: 'array', minItems: 1 }, dryRun: boolean }, ['scene', 'operations']),
  picture: fields(
    {
      scene: id,
      box,
      view: { type: 'string' },
      width: { type: 'integer', minimum: 16, maximum: 1600 },
      highlight: { type: 'array', items: id, maxItems: MOST_IDS },
      tag: text(128),
      labels: boolean,
      yDown: boolean,
      format: { enum: ['png', 'svg', 'both'] },
      query: text(MOST_NAME),
      request: { type: 'object' },
    },
    ['scene'],
  ),
} as const

const compiled = new Map<string, ValidateFunction>()

/** The arguments; throws what is wrong with them. `name`: of what they are held against. */
export function checkArguments<Value extends object>(name: keyof typeof CHECKED, args: Arguments): Arguments & Value {
  let validate = compiled.get(name)
  if (validate === undefined) {
    validate = exactCompiler(schemasByName)(CHECKED[name])
    compiled.set(name, validate)
  }
  if (validate(args)) return args as Arguments & Value
  const { pointer, detail } = describeViolation(takeErrors(validate)[0], 'The arguments')
  throw new ServiceProblem(400, { code: 'schema-violation', detail, errors: [{ pointer }] })
}
