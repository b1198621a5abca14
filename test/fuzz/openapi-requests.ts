// Requests made from an OpenAPI document, for every operation in it: right in form, nearly right, and wrong. They are the same
// for the same random numbers. Nothing here knows any route, so a new one is asked as soon as it is documented.

import type { OpenApiDocument, OpenApiOperation, OpenApiSchema } from '../../src/wire/openapi-document.ts'
import { TEXTS } from './small-files.ts'

/** A number between two bounds, as `seeded` gives them. */
export type Between = (low: number, high: number) => number

export interface Parameter {
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  schema: OpenApiSchema
}

export interface Operation {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** As the document has it, such as /v1/2d/scenes/{sceneId}. */
  path: string
  parameters: Parameter[]
  /** Schemas of bodies by content type; empty where there is none. */
  bodies: Record<string, OpenApiSchema>
  examples: unknown[]
  documented: OpenApiOperation
}

export interface DocumentRequest {
  kind: string
  method: Operation['method']
  /** With its query string. */
  path: string
  operation: Operation
  type?: string
  accept?: string
  headers: Record<string, string>
  text?: string
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Scenes that are asked; to be made before. */
export const SCENE_IDS = ['s0', 's1', 's2']

/** Levels of JSON below which a value becomes as short as its schema allows. */
const DEEPEST = 12

const PATH_VALUES: Record<string, readonly string[]> = {
  sceneId: [...SCENE_IDS, ...SCENE_IDS, ...SCENE_IDS, 'nobody', '...', '%00'],
  bodyId: ['a', 'b', 'c', 'nobody', '%F0%9F%8E%B2'],
  code: ['too-complex', 'nothing'],
}

/** What strings are taken from, as far as their schemas allow. `wait=0`: nobody is to be kept waiting. */
const WORDS = [
  `sha256-${'0'.repeat(64)}`,
  'a',
  'b',
  'c',
  'floor',
  '0',
  '1',
  '"1"',
  '*',
  '2.1f3a9c07',
  '0,0,10,10',
  '-5,-5,5,5',
  'layer:Walls',
  'property:solid',
  '#ff0000',
  'wait=0',
]
const JUNK: readonly Json[] = [null, true, '', '1', 'x'.repeat(300), [], {}, [[]], -1, 0.5, 1e101, { x: 1 }, [1, 2], {}]
const JUNK_TEXTS = [
  'Infinity',
  '-1e999',
  'NaN',
  '',
  '0x10',
  ' 5 ',
  '\u0000',
  '1,2,3',
  'x'.repeat(2000),
  '😀',
  '1e400,0,1,1',
]

export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]): Operation => {
      const content = documented.requestBody?.content ?? {}
      return {
        method: method.toUpperCase() as Operation['method'],
        path,
        parameters: (documented.parameters ?? []) as Parameter[],
        bodies: Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schema])),
        examples: Object.values(content).flatMap(({ examples = {} }) =>
          Object.values(examples).map((example) =>
            example.$ref === undefined
              ? example.value
              : document.components.examples![example.$ref.split('/').at(-1)!]!.value,
          ),
        ),
        documented,
      }
    }),
  )
}

export class RequestMaker {
  readonly operations: Operation[]
  readonly #schemas: Record<string, OpenApiSchema>
  readonly #between: Between

  constructor(document: OpenApiDocument, between: Between) {
    this.operations = operationsOf(document)
    this.#schemas = document.components.schemas
    this.#between = between
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#between(0, list.length))]!
  }

  /** A copy, because it may be changed afterwards. */
  #junk(): Json {
    return structuredClone(this.#pick(JUNK))
  }

  #chance(share: number): boolean {
    return this.#between(0, 1) < share
  }

  resolved(schema: OpenApiSchema): OpenApiSchema {
    let found = schema
    while (found.$ref !== undefined) found = this.#schemas[found.$ref.split('/').at(-1)!]!
    return found
  }

  request(operation: Operation = this.#pick(this.operations)): DocumentRequest {
    const { method, path, parameters, bodies, documented } = operation
    const headers: Record<string, string> = {}
    const query = new URLSearchParams()
    let filled = path
    for (const { name, in: place, required = false, schema } of parameters) {
      if (place === 'path') {
        filled = filled.replace(`{${name}}`, this.#pick(PATH_VALUES[name] ?? WORDS))
      } else if (required || this.#chance(name === 'prefer' ? 0.95 : place === 'query' ? 0.2 : 0.1)) {
        const value = place === 'query' && this.#chance(0.15) ? this.#pick(JUNK_TEXTS) : this.#text(name, schema)
        if (place === 'query') query.append(name, value)
        else headers[name] = value
      }
    }
    const request: DocumentRequest = {
      kind: `${method} ${path}`,
      method,
      path: query.size > 0 ? `${filled}?${query}` : filled,
      operation,
      headers,
    }
    const text = JSON.stringify(documented.responses['200'] ?? '')
    if (text.includes('image/svg+xml') && this.#chance(0.1)) request.accept = 'image/svg+xml'
    const types = Object.keys(bodies)
    if (types.length === 0) return request
    const type = types[0]!
    if (type === 'application/json') return { ...request, type, text: this.#body(operation, bodies[type]!) }
    const [, file] = this.#pick(TEXTS)
    return { ...request, type, text: this.#chance(0.3) ? file.slice(0, this.#between(0, file.length)) : file }
  }

  #text(name: string, schema: OpenApiSchema): string {
    if (name === 'prefer') return 'wait=0'
    const value = this.value(schema, DEEPEST)
    return Array.isArray(value) ? String(value[0] ?? 'layer:Walls') : String(value)
  }

  /** Half of them are as the schema has it, the others changed in a place or two. */
  #body({ examples }: Operation, schema: OpenApiSchema): string {
    const isExample = examples.length > 0 && this.#chance(0.4)
    let value = isExample ? (structuredClone(this.#pick(examples)) as Json) : this.value(schema)
    const changes = this.#pick([0, 0, 0, 1, 1, 2])
    for (let i = 0; i < changes; i++) value = this.#changed(value)
    const text = JSON.stringify(value)
    if (this.#chance(0.97)) return text
    return this.#chance(0.5) ? text.slice(0, this.#between(0, text.length)) : text.replace(/\d+/, '1e999')
  }

  /** Any that the schema allows, and mostly a small one. */
  value(given: OpenApiSchema, depth = 0): Json {
    const schema = this.resolved(given)
    if (schema.enum !== undefined) return this.#pick(schema.enum) as Json
    if (schema.oneOf !== undefined) {
      return this.value(depth >= DEEPEST ? schema.oneOf[0]! : this.#pick(schema.oneOf), depth)
    }
    const type = Array.isArray(schema.type) ? this.#pick(schema.type) : schema.type
    if (type === 'object') return this.#object(schema, depth)
    if (type === 'array') return this.#array(schema, depth)
    if (type === 'number' || type === 'integer') return this.#number(schema, type === 'integer')
    if (type === 'boolean') return this.#chance(0.5)
    if (type === 'null') return null
    if (type === 'string') return this.#string(schema)
    return this.#junk()
  }

  #object({ properties = {}, required = [] }: OpenApiSchema, depth: number): Json {
    const made: { [name: string]: Json } = {}
    for (const [name, schema] of Object.entries(properties)) {
      const isThere = required.includes(name) || (depth < DEEPEST && this.#chance(0.35))
      if (isThere) made[name] = this.value(schema, depth + 1)
    }
    return made
  }

  #array({ items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: OpenApiSchema, depth: number): Json {
    const least = Number(minItems)
    const most = depth >= DEEPEST ? least : Math.min(Number(maxItems), least + 4)
    const count = Math.round(this.#between(least, most))
    const isRing = Object.keys(this.resolved(items).properties ?? {}).join() === 'x,y' && this.#chance(0.6)
    if (!isRing) return Array.from({ length: count }, () => this.value(items, depth + 1))
    // Corners in their order: what outlines have to be before anything else can be wrong with them.
    const radius = this.#between(0.5, 8)
    const turn = this.#between(0, 7)
    return Array.from({ length: count }, (_, i) => {
      const angle = turn + (2 * Math.PI * i) / count
      return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
    })
  }

  #number(schema: OpenApiSchema, isInteger: boolean): number {
    const { minimum, maximum, exclusiveMinimum } = schema as Record<string, number | undefined>
    const low = minimum ?? exclusiveMinimum ?? -1e100
    const high = maximum ?? 1e100
    const step = isInteger ? 1 : 0.5
    const look = this.#between(0, 10)
    let value: number
    if (look < 6) value = Math.round(this.#between(Math.max(low, -6), Math.min(high, 6)) / step) * step
    else if (look < 9) value = this.#between(Math.max(low, -20), Math.min(high, 20))
    else value = this.#pick([low, high, 0, 1e-300, 1e9, -1e9, 1e50, 1e100, -1e100, Math.PI])
    if (isInteger) value = Math.round(value)
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) value = exclusiveMinimum + 1
    return Math.min(high, Math.max(low, value))
  }

  #string({ pattern, minLength = 0, maxLength = 1e9, format }: OpenApiSchema): string {
    if (format === 'binary') return this.#pick(TEXTS)[1]
    const regular = pattern === undefined ? null : new RegExp(String(pattern))
    const fitting = WORDS.filter(
      (word) =>
        word.length >= Number(minLength) &&
        word.length <= Number(maxLength) &&
        (regular === null || regular.test(word)),
    )
    if (fitting.length === 0) throw new Error(`none of the words is a string of ${pattern}: add one`)
    return this.#pick(fitting)
  }

  /** Something in it left out, added, renamed, doubled, or put in the place of another. */
  #changed(root: Json): Json {
    const holders: (Json[] | { [name: string]: Json })[] = []
    const collect = (value: Json) => {
      if (value === null || typeof value !== 'object') return
      holders.push(value)
      for (const each of Object.values(value)) collect(each)
    }
    collect(root)
    if (holders.length === 0 || this.#chance(0.03)) return this.#junk()
    const holder = this.#pick(holders)
    const names = Object.keys(holder)
    const name = names.length > 0 ? this.#pick(names) : 'x'
    if (Array.isArray(holder)) {
      const way = this.#between(0, 3)
      if (way < 1) holder.push(this.#junk())
      else if (way < 2) holder.push(...structuredClone(holder.slice(0, 8)))
      else holder.pop()
      return root
    }
    const way = this.#between(0, 5)
    if (way < 1) delete holder[name]
    else if (way < 2) holder[`${name}${this.#pick(['s', '_', ' '])}`] = this.#junk()
    else if (way < 3) {
      holder[name.slice(0, -1)] = holder[name] ?? 1
      delete holder[name]
    } else if (way < 4) holder[name] = this.#junk()
    else holder[name] = structuredClone(this.#pick(holders) as Json)
    return root
  }
}
