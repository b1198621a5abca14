// Reads JSON text of a schema. It takes a quarter of the time of `JSON.parse`, which has to find out what comes.
//
// Method: code is generated from the schema once, as validators are. It takes what the schema leads it to expect: fields that are
// listed, in any order but soonest in that of the schema, the field that tells kinds apart before the others, words that are
// listed, strings without escapes. From text that is otherwise it reads nothing at all, and `JSON.parse` is for the caller to ask. What is
// read is equal to what that gives, but for the order of fields; it is still to be validated.

import { isUtf8 } from 'node:buffer'
import type { TSchema } from '@sinclair/typebox'
import { assertUtf8, behindMark, isSpace, type JsonInput, parseReadable, textBetween } from './input.ts'
import { readNumber } from './numbers.ts'
import { type Fields, isClosed, isList, isNumber, type NamedSchemas, unlessNull } from './schema-kinds.ts'

/** The value that the text up to `end` is, or undefined: then `JSON.parse` decides. */
export type JsonReader = (input: JsonInput, end: number) => unknown

type ReadValue = (input: JsonInput) => unknown

/** So many fields that may be absent, or fewer: each combination of them gets a literal of its own. */
const MOST_COMBINED = 4

const ASCII = 127
const SPACE = 32
const QUOTE = 34
const COMMA = 44
const LIST = 91
const BACKSLASH = 92
const LIST_END = 93
const LETTER_N = 110
const OBJECT = 123
const OBJECT_END = 125

/** The code is made when it is first needed. */
export function compileReader(schema: TSchema, schemas: NamedSchemas): JsonReader {
  let read: ReadValue | null = null
  return (input, end) => {
    read ??= generate(schema, schemas)
    try {
      if (input.bytes[input.at] <= SPACE) skipSpace(input)
      const value = read(input)
      if (value === undefined) return undefined
      while (input.at < end && isSpace(input.bytes[input.at])) input.at++
      return input.at === end ? value : undefined
    } catch (error) {
      // the text ends too soon, or is nested too deep
      if (error instanceof RangeError) return undefined
      throw error
    }
  }
}

/**
 * Reads the text from `start` to `end` by `read`, or as any JSON; throws where it is none, is not UTF-8, or is too much to read.
 */
export function parseBy(read: JsonReader, input: JsonInput, start = 0, end = input.bytes.length): unknown {
  const { bytes } = input
  const begin = behindMark(bytes, start)
  input.at = begin
  const value = read(input, end)
  if (value !== undefined) return value
  assertUtf8(bytes, start, end)
  return parseReadable(bytes, begin, end)
}

function generate(schema: TSchema, schemas: NamedSchemas): ReadValue {
  const code = new Code(schemas)
  const name = code.reader(schema)
  const make = new Function('readNumber', 'readString', 'skipSpace', 'findField', `${code.text}\nreturn ${name}`)
  return make(readNumber, readString, skipSpace, findField)
}

function skipSpace(input: JsonInput): void {
  const { bytes } = input
  while (isSpace(bytes[input.at])) input.at++
}

/** The string at `input.at`, which is moved behind it; undefined where there is none, or one with escapes or that is not UTF-8. */
function readString(input: JsonInput): string | undefined {
  const { bytes, at: quote } = input
  if (bytes[quote] !== QUOTE) return undefined
  let at = quote + 1
  let all = 0
  for (; bytes[at] !== QUOTE; at++) {
    if (!(bytes[at] >= SPACE) || bytes[at] === BACKSLASH) return undefined
    all |= bytes[at]
  }
  // everything else that is read is ASCII
  if (all > ASCII && !isUtf8(bytes.subarray(quote, at))) return undefined
  input.at = at + 1
  return textBetween(input, quote + 1, at)
}

/** Where the value of a field of the object at `input.at` begins, −1 if it is not found. `name`: in quotes, and a colon behind it. */
function findField(input: JsonInput, name: string): number {
  const { bytes, at: start } = input
  const letter = name.charCodeAt(1)
  const end = Math.min(bytes.length, start + input.ahead)
  let depth = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte === OBJECT || byte === LIST) depth++
    else if (byte === OBJECT_END || byte === LIST_END) depth--
    else if (byte === QUOTE) {
      if (depth === 1 && bytes[at + 1] === letter && bytes.toString('latin1', at, at + name.length) === name) {
        input.ahead -= at - start
        return at + name.length
      }
      do at++
      while (bytes[at] !== QUOTE && bytes[at] !== BACKSLASH && at < bytes.length)
      if (bytes[at] === BACKSLASH) return -1
    }
    if (depth === 0) return -1
  }
  return -1
}

/** Code that goes on behind blanks at `at`. More than one is rare. */
const SKIP_SPACE = `if (bytes[at] === ${SPACE}) at++
  if (bytes[at] <= ${SPACE}) { input.at = at; skipSpace(input); at = input.at }`

class Code {
  text = ''
  readonly #schemas: NamedSchemas
  /** The functions that read named schemas. */
  readonly #named = new Map<string, string>()
  #count = 0

  constructor(schemas: NamedSchemas) {
    this.#schemas = schemas
  }

  /**
   * The name of a function that reads a value of the schema at `input.at`, which it moves behind it. It gives undefined where it
   * reads none, or not a number for one.
   */
  reader(schema: TSchema): string {
    const { $ref, type, oneOf, discriminator } = schema
    const inner = unlessNull(schema)
    if ($ref !== undefined) return this.#namedReader($ref)
    if (inner !== undefined) return this.#function(this.#orNull(inner))
    if (isNumber(schema)) return 'readNumber'
    if (type === 'boolean') return this.#function(chooseWord({ true: true, false: false }))
    if (type === 'string') return this.#stringReader(schema)
    if (isList(schema)) return this.#function(this.#list(schema.items))
    if (isClosed(schema)) return this.#function(this.#object(schema))
    if (oneOf !== undefined && discriminator !== undefined) {
      return this.#function(this.#tagged(oneOf, discriminator.propertyName))
    }
    return this.#function('return undefined')
  }

  #namedReader(name: string): string {
    const known = this.#named.get(name)
    if (known !== undefined) return known
    const schema = this.#schemas[name] as TSchema | undefined
    if (schema === undefined) return this.#function('return undefined')
    const reader = `read${this.#count++}`
    this.#named.set(name, reader)
    const inner = this.reader(schema)
    this.text += `function ${reader}(input) { return ${inner}(input) }\n`
    return reader
  }

  #function(body: string): string {
    const name = `read${this.#count++}`
    this.text += `function ${name}(input) {\n${body}\n}\n`
    return name
  }

  #stringReader({ enum: words, const: word }: TSchema): string {
    const known: unknown[] | undefined = word === undefined ? words : [word]
    if (known === undefined) return 'readString'
    return this.#function(chooseWord(Object.fromEntries(known.map((each) => [JSON.stringify(each), each as string]))))
  }

  #orNull(schema: TSchema): string {
    return `const { bytes, view, at } = input
      if (bytes[at] === ${LETTER_N} && ${matches('null')}) { input.at = at + 4; return null }
      ${this.#readInto('value', schema)}
      return value`
  }

  #list(items: TSchema): string {
    return `const { bytes } = input
      let at = input.at
      if (bytes[at] !== ${LIST} || --input.lists < 0) return undefined
      at++
      ${SKIP_SPACE}
      const list = []
      if (bytes[at] === ${LIST_END}) { input.at = at + 1; return list }
      for (;;) {
        input.at = at
        ${this.#readInto('value', items)}
        list.push(value)
        at = input.at
        ${SKIP_SPACE}
        const next = bytes[at++]
        if (next === ${LIST_END}) { input.at = at; return list }
        if (next !== ${COMMA}) return undefined
        ${SKIP_SPACE}
      }`
  }

  /** Fields that come twice are left to `JSON.parse` as well: they are not looked for again. */
  #object({ properties, required = [] }: Fields): string {
    const fields = Object.entries(properties).map(([name, schema], n) => ({ name, schema, variable: `v${n}` }))
    const isUnread = ({ schema, variable }: (typeof fields)[number]) => isNothing(schema, variable)
    const begin = fields.map(({ schema, variable }) => `let ${variable} = ${isNumber(schema) ? 'NaN' : 'undefined'}`)
    const read = fields.map((field) => {
      const name = `${JSON.stringify(field.name)}:`
      return `if (${isUnread(field)} && ${matches(name)}) {
          at += ${Buffer.byteLength(name)}
          ${SKIP_SPACE}
          input.at = at
          ${this.#readInto('value', field.schema)}
          ${field.variable} = value
          at = input.at
        }`
    })
    const sure = fields.filter(({ name }) => required.includes(name))
    const optional = fields.filter(({ name }) => !required.includes(name))
    const literal = (present: typeof fields) =>
      `{ ${present.map(({ name, variable }) => `${JSON.stringify(name)}: ${variable}`).join(', ')} }`
    const combine = (present: typeof fields, rest: typeof fields): string => {
      const [next, ...others] = rest
      if (next === undefined) return `return ${literal(present)}`
      return `if (${isUnread(next)}) { ${combine(present, others)} } else { ${combine([...present, next], others)} }`
    }
    const add = () =>
      [
        ...optional.map(
          (field) =>
            `if (${optional.map((other) => (other === field ? `!(${isUnread(other)})` : isUnread(other))).join(' && ')}) return ${literal([...sure, field])}`,
        ),
        `const value = ${literal(sure)}`,
        ...optional.map(
          (field) => `if (!(${isUnread(field)})) value[${JSON.stringify(field.name)}] = ${field.variable}`,
        ),
        'return value',
      ].join('\n')
    return `const { bytes, view } = input
      let at = input.at
      if (bytes[at] !== ${OBJECT}) return undefined
      at++
      ${begin.join('\n')}
      ${SKIP_SPACE}
      if (bytes[at] === ${OBJECT_END}) at++
      else for (;;) {
        ${[...read, '{ return undefined }'].join(' else ')}
        ${SKIP_SPACE}
        const next = bytes[at++]
        if (next === ${OBJECT_END}) break
        if (next !== ${COMMA}) return undefined
        ${SKIP_SPACE}
      }
      input.at = at
      ${sure.map((field) => `if (${isUnread(field)}) return undefined`).join('\n')}
      ${optional.length <= MOST_COMBINED ? combine(sure, optional) : add()}`
  }

  /** An object of one of several kinds; `tag`: the field that tells which. */
  #tagged(members: readonly TSchema[], tag: string): string {
    const name = `${JSON.stringify(tag)}:`
    const choose = members.map((member) => {
      const { properties } = (member.$ref === undefined ? member : this.#schemas[member.$ref]) as Fields
      return `if (${matches(JSON.stringify(properties[tag].const))}) return ${this.reader(member)}(input)`
    })
    return `const { bytes, view, at: start } = input
      let at = start
      if (bytes[at] !== ${OBJECT}) return undefined
      at++
      ${SKIP_SPACE}
      if (${matches(name)}) at += ${Buffer.byteLength(name)}
      else {
        input.at = start
        at = findField(input, ${JSON.stringify(name)})
        if (at < 0) return undefined
      }
      ${SKIP_SPACE}
      input.at = start
      ${choose.join('\n')}
      return undefined`
  }

  #readInto(variable: string, schema: TSchema): string {
    return `const ${variable} = ${this.reader(schema)}(input)
      if (${isNothing(schema, variable)}) return undefined`
  }
}

/** Code of whether the variable holds what stands for no value of the schema. */
function isNothing(schema: TSchema, variable: string): string {
  return isNumber(schema) ? `${variable} !== ${variable}` : `${variable} === undefined`
}

/** Code that gives the value of the word at `input.at`. */
function chooseWord(values: Record<string, string | boolean>): string {
  const choose = Object.entries(values).map(
    ([word, value]) =>
      `if (${matches(word)}) { input.at = at + ${Buffer.byteLength(word)}; return ${JSON.stringify(value)} }`,
  )
  return `const { bytes, view, at } = input\n${choose.join('\n')}\nreturn undefined`
}

/** Code of whether the text is at `at`: four bytes at a time, the last of them with some that have been looked at. */
function matches(text: string): string {
  const bytes = Buffer.from(text)
  const { length } = bytes
  if (length < 4) return Array.from(bytes, (byte, k) => `bytes[at + ${k}] === ${byte}`).join(' && ')
  const places = Array.from({ length: Math.ceil(length / 4) }, (_, k) => Math.min(4 * k, length - 4))
  return places.map((k) => `view.getInt32(at + ${k}, true) === ${bytes.readInt32LE(k)}`).join(' && ')
}
