// The parts of the Python package that are made from the OpenAPI document: types of requests and answers, and a method for each operation.

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
  readonly description?: string
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const HEADER = '# Made from the OpenAPI document by clients/pack.ts.'

/** A module with a TypedDict for each object, and a name for each union and list of words. */
export function pythonTypes({ components }: OpenApi): string {
  const classes: string[] = []
  const names: string[] = []
  for (const [name, schema] of Object.entries(components.schemas)) {
    if (schema.properties === undefined)
      names.push(`${name} = ${typeOf(schema, name, classes)}\n${docstring(schema, '')}`)
    else defineClass(name, schema, classes)
  }
  const imports = 'from typing import TYPE_CHECKING, Any, Literal, Sequence, TypedDict, Union'
  const later = 'if TYPE_CHECKING:\n    from typing_extensions import NotRequired'
  return `${[HEADER, '', 'from __future__ import annotations', '', imports, '', later].join('\n')}\n\n\n${[...classes, names.join('')].join('\n\n')}`
}

/** Objects within are classes of their own: annotations name them, in whatever order. */
function defineClass(name: string, schema: Schema, classes: string[]): void {
  const fields = Object.entries(schema.properties ?? {}).map(([field, value]) => {
    const type = typeOf(value, name + field[0].toUpperCase() + field.slice(1), classes)
    const annotation = schema.required?.includes(field) ? type : `NotRequired[${type}]`
    return `    ${field}: ${annotation}\n${docstring(value, '    ')}`
  })
  const head = `class ${name}(TypedDict):\n${docstring(schema, '    ')}`
  classes.push(fields.length === 0 ? `${head}    pass\n` : `${head}\n${fields.join('')}`)
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
}

/** Of a schema as an annotation; `name` is what an object in it is called. */
function typeOf(schema: Schema, name: string, classes: string[]): string {
  if (schema.$ref !== undefined) return JSON.stringify(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1))
  if (schema.oneOf !== undefined) return union(schema.oneOf.map((each) => typeOf(each, name, classes)))
  if (schema.enum !== undefined) return `Literal[${schema.enum.map((word) => JSON.stringify(word)).join(', ')}]`
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length > 1) return union(types.map((type) => typeOf({ ...schema, type }, name, classes)))
  const [type] = types
  // a list of some dicts is no list of others, but a sequence of them
  if (type === 'array') return `Sequence[${typeOf(schema.items ?? {}, name, classes)}]`
  if (type !== 'object') return PLAIN[type] ?? 'Any'
  if (schema.properties === undefined) return 'Any'
  defineClass(name, schema, classes)
  return JSON.stringify(name)
}

function union(types: readonly string[]): string {
  return types.length === 1 ? types[0] : `Union[${types.join(', ')}]`
}

function docstring({ description }: { readonly description?: string }, indent: string): string {
  if (description === undefined) return ''
  return `${indent}"""${description.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"""\n`
}

/** A module with the class Tangent: a method for each operation, but for streams. */
export function pythonClient({ paths }: OpenApi): string {
  const methods = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => methodOf(method.toUpperCase(), path, operation) ?? []),
  )
  const imports = [
    'from __future__ import annotations',
    '',
    'from typing import TYPE_CHECKING, Any, Literal, Optional, Sequence, Union',
    '',
    'from .transport import Transport, part',
    '',
    'if TYPE_CHECKING:',
    '    from .types import *',
  ]
  const about =
    '    """The operations of a service, by their names: ids of the path, the body, then the rest by name."""'
  return `${[HEADER, '', ...imports, '', '', 'class Tangent(Transport):', about].join('\n')}\n\n${methods.join('\n')}`
}

/** Undefined of an operation that only streams. */
function methodOf(method: string, path: string, operation: Operation): string | undefined {
  const answer = answerOf(operation)
  if (answer === undefined) return undefined
  const parameters = operation.parameters ?? []
  const inPath = parameters.filter((each) => each.in === 'path')
  const named = parameters.filter((each) => each.in !== 'path').sort((a, b) => Number(b.required) - Number(a.required))
  const body = bodyOf(operation)
  const signature = [
    'self',
    ...inPath.map(({ name }) => `${snake(name)}: str`),
    ...(body === undefined ? [] : [`body: ${body}`]),
    ...(named.length === 0 ? [] : ['*']),
    ...named.map(({ name, required, schema }) =>
      required ? `${snake(name)}: ${bare(schema)}` : `${snake(name)}: Optional[${bare(schema)}] = None`,
    ),
  ]
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `{part(${snake(name)})}`)
  const given = (kind: 'query' | 'header') =>
    named
      .filter((each) => each.in === kind)
      .map(({ name }) => `${JSON.stringify(name)}: ${snake(name)}`)
      .join(', ')
  const args = [
    JSON.stringify(method),
    `${filled === path ? '' : 'f'}${JSON.stringify(filled)}`,
    body === undefined ? 'None' : 'body',
    `{${given('query')}}`,
    `{${given('header')}}`,
  ]
  const called = `        return self._ask(${args.join(', ')})\n`
  return `    def ${snake(operation.operationId)}(${signature.join(', ')}) -> ${answer}:\n${docstring(operation, '        ')}${called}`
}

function bodyOf({ requestBody }: Operation): string | undefined {
  if (requestBody?.content === undefined) return undefined
  const schema = requestBody.content['application/json']?.schema
  return schema === undefined ? 'bytes' : bare(schema)
}

/** Undefined of a stream. Where a parameter says which format it has, that is any. */
function answerOf({ responses, parameters }: Operation): string | undefined {
  if (parameters?.some(({ name, required }) => name === 'format' && required)) return 'Any'
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const contents = good.map(([, { content }]) => content ?? {})
  if (contents.some((content) => 'text/event-stream' in content)) return undefined
  const types = contents.map((content) => {
    const schema = content['application/json']?.schema
    if (schema !== undefined) return bare(schema)
    return Object.keys(content).length === 0 ? 'None' : 'str'
  })
  return union([...new Set(types)])
}

/** Annotations of methods are not evaluated: names stand in them as they are. */
function bare(schema: Schema): string {
  return schema.$ref === undefined ? typeOf(schema, '', []) : typeOf(schema, '', []).slice(1, -1)
}

const KEYWORDS = ['for', 'from', 'in', 'is', 'not']

function snake(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
  return KEYWORDS.includes(words) ? `${words}_` : words
}
