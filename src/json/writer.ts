// Writes values of a schema as JSON text. It takes two fifths of the time of `JSON.stringify`, which has to find out what it is given.
//
// Method: code is generated from the schema once, as validators are. What lies between values (names, brackets) is written four
// bytes at a time. Where a schema leaves open what comes (unions, unknown fields), and where a value is not of its schema,
// `JSON.stringify` writes it.

import type { TSchema } from '@sinclair/typebox'
import { appendNumber, NUMBER_LENGTH } from './numbers.ts'
import { appendText, type JsonOutput, reserve } from './output.ts'
import { type Fields, isClosed, isList, isNumber, type NamedSchemas, unlessNull } from './schema-kinds.ts'

/** Writes the value at `at` and returns where its text ends. */
export type JsonWriter = (out: JsonOutput, at: number, value: unknown) => number

/** The code is made when it is first needed. */
export function compileWriter(schema: TSchema, schemas: NamedSchemas): JsonWriter {
  let write: JsonWriter | null = null
  return (out, at, value) => {
    write ??= generate(schema, schemas)
    return write(out, at, value)
  }
}

/** Writes values of any kind. */
export function appendAny(out: JsonOutput, at: number, value: unknown): number {
  return appendText(out, at, JSON.stringify(value) ?? 'null')
}

function generate(schema: TSchema, schemas: NamedSchemas): JsonWriter {
  const code = new Code(schemas)
  code.write('value', schema)
  const body = code.finish()
  const make = new Function('reserve', 'appendNumber', 'appendString', 'appendAny', body)
  return make(reserve, appendNumber, appendString, appendAny)
}

class Code {
  readonly #schemas: NamedSchemas
  #lines: string[] = []
  /** Text that is still to be written. */
  #text = ''
  /** Bytes that are written without a look at how much room there is, at most. */
  #room = 0
  #variables = 0
  /** Names of the schemas around. */
  readonly #around: string[] = []

  constructor(schemas: NamedSchemas) {
    this.#schemas = schemas
  }

  finish(): string {
    this.#flush()
    return `
      const ROOM = ${this.#room}
      return function write(out, at, value) {
        reserve(out, at, ROOM)
        let view = out.view
        ${this.#lines.join('\n')}
        return at
      }`
  }

  write(value: string, schema: TSchema): void {
    const { $ref, type } = schema
    const inner = unlessNull(schema)
    if ($ref !== undefined) this.#writeNamed(value, $ref)
    else if (inner !== undefined) this.#writeUnlessNull(value, inner)
    else if (schema.oneOf !== undefined || schema.anyOf !== undefined || schema.allOf !== undefined)
      this.#writeAny(value)
    else if (isNumber(schema)) this.#writeNumber(value)
    else if (type === 'string') this.#writeString(value)
    else if (type === 'boolean') this.#writeBoolean(value)
    else if (isList(schema)) this.#writeList(value, schema.items)
    else if (isClosed(schema)) this.#writeObject(value, schema)
    else this.#writeAny(value)
  }

  #writeNamed(value: string, name: string): void {
    const schema = this.#schemas[name] as TSchema | undefined
    if (schema === undefined || this.#around.includes(name)) {
      this.#writeAny(value)
      return
    }
    this.#around.push(name)
    this.write(value, schema)
    this.#around.pop()
  }

  #writeNumber(value: string): void {
    this.#room += NUMBER_LENGTH
    this.#choose(
      `typeof ${value} === 'number'`,
      () => this.#lines.push(`at = appendNumber(out, at, ${value})`),
      () => this.#writeAny(value),
    )
  }

  #writeString(value: string): void {
    this.#choose(
      `typeof ${value} === 'string'`,
      () => this.#lines.push(`at = appendString(out, at, ${value}, ROOM)`, 'view = out.view'),
      () => this.#writeAny(value),
    )
  }

  #writeBoolean(value: string): void {
    this.#choose(
      `${value} === true`,
      () => this.#add('true'),
      () =>
        this.#choose(
          `${value} === false`,
          () => this.#add('false'),
          () => this.#writeAny(value),
        ),
    )
  }

  #writeUnlessNull(value: string, schema: TSchema): void {
    this.#choose(
      `${value} === null`,
      () => this.#add('null'),
      () => this.write(value, schema),
    )
  }

  #writeList(value: string, items: TSchema): void {
    const list = this.#variable(value)
    this.#choose(
      `Array.isArray(${list})`,
      () => {
        const k = this.#variable('0')
        this.#add('[')
        this.#flush()
        this.#lines.push(`for (; ${k} < ${list}.length; ${k}++) {`, 'reserve(out, at, ROOM)', 'view = out.view')
        this.#lines.push(`if (${k} > 0) view.setUint8(at++, 44)`)
        this.write(this.#variable(`${list}[${k}]`), items)
        this.#flush()
        this.#lines.push('}', 'reserve(out, at, ROOM)', 'view = out.view')
        this.#room++
        this.#add(']')
      },
      () => this.#writeAny(list),
    )
  }

  /** In the order of the schema. */
  #writeObject(value: string, { properties, required = [] }: Fields): void {
    const object = this.#variable(value)
    const names = Object.keys(properties)
    const isSurelyFirst = required.includes(names[0])
    this.#choose(
      `typeof ${object} === 'object' && ${object} !== null`,
      () => {
        this.#add('{')
        const begun = isSurelyFirst ? '' : this.#variable('false')
        for (const [n, name] of names.entries()) {
          const field = this.#variable(`${object}[${JSON.stringify(name)}]`)
          const writeField = () => {
            if (isSurelyFirst) this.#add(n > 0 ? ',' : '')
            else {
              this.#choose(begun, () => this.#add(','))
              this.#lines.push(`${begun} = true`)
            }
            this.#add(`${JSON.stringify(name)}:`)
            this.write(field, properties[name])
          }
          if (required.includes(name)) writeField()
          else this.#choose(`${field} !== undefined`, writeField)
        }
        this.#add('}')
      },
      () => this.#writeAny(object),
    )
  }

  #writeAny(value: string): void {
    this.#flush()
    this.#lines.push(`at = appendAny(out, at, ${value})`, 'reserve(out, at, ROOM)', 'view = out.view')
  }

  /** The fixed text before a choice is written first. */
  #choose(condition: string, then: () => void, otherwise?: () => void): void {
    this.#flush()
    this.#lines.push(`if (${condition}) {`)
    then()
    this.#flush()
    if (otherwise !== undefined) {
      this.#lines.push('} else {')
      otherwise()
      this.#flush()
    }
    this.#lines.push('}')
  }

  #variable(value: string): string {
    const name = `v${this.#variables++}`
    this.#lines.push(`let ${name} = ${value}`)
    return name
  }

  #add(text: string): void {
    this.#text += text
  }

  /** The next write overwrites the unused ones of the last four bytes. */
  #flush(): void {
    const bytes = Buffer.from(this.#text)
    if (bytes.length === 0) return
    const padded = Buffer.concat([bytes, Buffer.alloc(3)])
    for (let k = 0; k < bytes.length; k += 4) {
      this.#lines.push(`view.setUint32(at + ${k}, ${padded.readUint32LE(k)}, true)`)
    }
    this.#lines.push(`at += ${bytes.length}`)
    this.#room += bytes.length + 3
    this.#text = ''
  }
}

// Strings as JSON text.

/** Longer ones are better left to the engine. */
const SHORT = 64
const QUOTE = 34
const BACKSLASH = 92
const FIRST_PRINTED = 32
const LAST_PRINTED = 126

/** Writes a string at `at`, in quotes, and returns where it ends; then there is room for `more` bytes. */
function appendString(out: JsonOutput, at: number, value: string, more: number): number {
  const { length } = value
  reserve(out, at, length + 2 + more)
  if (length <= SHORT) {
    const { bytes } = out
    bytes[at] = QUOTE
    let k = 0
    for (; k < length; k++) {
      const code = value.charCodeAt(k)
      if (code < FIRST_PRINTED || code > LAST_PRINTED || code === QUOTE || code === BACKSLASH) break
      bytes[at + 1 + k] = code
    }
    if (k === length) {
      bytes[at + 1 + length] = QUOTE
      return at + length + 2
    }
  }
  const end = appendText(out, at, JSON.stringify(value))
  reserve(out, end, more)
  return end
}
