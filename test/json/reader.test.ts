// What readers read is what JSON.parse gives; what they do not read is left to it.
import { type TSchema, Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BatchQuery, batchQueries } from '../../schemas/queries/batch.ts'
import { reference } from '../../schemas/reference.ts'
import { SceneBatchQuery, sceneBatchQueries } from '../../schemas/scenes/batch.ts'
import { createJsonInput } from '../../src/json/input.ts'
import { compileReader, type JsonReader, parseBy } from '../../src/json/reader.ts'
import { namedSchemas, schemasByName as schemas } from '../../src/wire/named-schemas.ts'
import { broken } from '../fuzz/broken-texts.ts'
import { QUERIES } from '../fuzz/wild-requests.ts'
import { runs } from '../support/runs.ts'

function read(reader: JsonReader, text: string): unknown {
  const bytes = Buffer.from(text)
  return reader(createJsonInput(bytes), bytes.length)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Fields sorted by name, as many programs send them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  )
}

/** Values that are nested much deeper are more than can be compared. */
function depthOf(text: string): number {
  let depth = 0
  let most = 0
  for (const char of text) {
    if (char === '{' || char === '[') most = Math.max(most, ++depth)
    else if (char === '}' || char === ']') depth--
  }
  return most
}

const requests = namedSchemas
  .filter(({ $id, examples }) => $id?.endsWith('Request') && !$id.startsWith('Scene') && examples !== undefined)
  .flatMap((schema) => (schema.examples as object[]).map((value, n) => ({ name: `${schema.$id} ${n}`, schema, value })))

const wild = fc.oneof(...Object.entries(QUERIES).map(([op, request]) => request.map((fields) => ({ op, ...fields }))))
const batch = compileReader(reference(BatchQuery), schemas)

describe('a reader', () => {
  it.each(requests)('reads the example $name', ({ schema, value }) => {
    const reader = compileReader(reference(schema as TSchema), schemas)
    for (const each of [value, sorted(value)]) {
      expect(read(reader, JSON.stringify(each))).toEqual(value)
      expect(read(reader, JSON.stringify(each, null, 2))).toEqual(value)
      expect(read(reader, `\r\n\t ${JSON.stringify(each).replaceAll(/(?<=["\d\]}])[,:]/g, '$& ')} \n`)).toEqual(value)
    }
  })

  it.each([['batch', BatchQuery, batchQueries] as const, ['scene batch', SceneBatchQuery, sceneBatchQueries] as const])(
    'reads every query of a %s',
    (_name, union, queries) => {
      const list = compileReader(Type.Array(reference(union)), schemas)
      const values = queries.flatMap(({ $id, properties }) => {
        const request = schemas[String($id).replace(/Query$/, 'Request')]
        const examples = (request.examples ?? []) as object[]
        return examples.map((fields) => ({ op: properties.op.const, ...fields }))
      })
      expect(values.length).toBeGreaterThan(queries.length)
      expect(read(list, JSON.stringify(values))).toEqual(values)
      expect(read(list, JSON.stringify(sorted(values)))).toEqual(values)
    },
  )

  it('reads what is right in form, whatever the numbers are', () => {
    fc.assert(
      fc.property(wild, (query) => {
        const text = JSON.stringify(query)
        expect(read(batch, text)).toEqual(JSON.parse(text))
      }),
      runs(1000),
    )
  })

  it('reads what JSON.parse does from broken texts, or nothing', () => {
    fc.assert(
      fc.property(broken(wild), (text) => {
        const value = read(batch, text)
        if (value !== undefined && depthOf(text) < 100) expect(value).toEqual(parsed(text))
      }),
      runs(3000),
    )
  })

  it('reads nothing, or the same, where bytes are changed', () => {
    fc.assert(
      fc.property(wild, fc.nat(), fc.nat(255), fc.nat(3), (query, place, byte, cut) => {
        const bytes = Buffer.from(JSON.stringify(query))
        bytes[place % bytes.length] = byte
        const input = createJsonInput(bytes)
        const end = bytes.length - (cut === 0 ? place % bytes.length : 0)
        const value = batch(input, end)
        if (value !== undefined) expect(value).toEqual(parsed(bytes.toString('utf8', 0, end)))
      }),
      runs(3000),
    )
  })

  it('does not look through objects in each other again and again for what tells their kinds', () => {
    const reader = compileReader(schemas.Shape2d, schemas)
    const nested = (depth: number) =>
      `${'{"children":[{"shape":'.repeat(depth)}{"type":"point"}${'}],"type":"compound"}'.repeat(depth)}`
    expect(read(reader, nested(8))).toEqual(JSON.parse(nested(8)))
    expect(read(reader, nested(1000))).toBeUndefined()
  })

  const names = Type.Object(
    {
      id: Type.String(),
      kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
      flag: Type.Optional(Type.Boolean()),
      size: Type.Optional(Type.Unsafe<number | null>({ type: ['number', 'null'] })),
      free: Type.Optional(Type.Unknown()),
      list: Type.Optional(Type.Array(Type.Integer())),
      word: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['on', 'off', 'a longer one'] })),
    },
    { additionalProperties: false },
  )
  const reader = compileReader(names, {})

  it.each([
    '{"id":""}',
    '{"id":"plain"}',
    '{"id":"é🟢 umlaut"}',
    '{"id":"a","flag":true}',
    '{"flag":false,"id":"a","size":null}',
    '{"id":"a","size":-0}',
    '{"id":"a","list":[]}',
    '{"id":"a","list":[1 , 2,3]}',
    '{"id":"a","word":"a longer one","list":[ ]}',
  ])('reads %s', (text) => {
    expect(read(reader, text)).toEqual(JSON.parse(text))
  })

  it.each([
    '{"id":"a\\n"}',
    '{"id":"a","id":"b"}',
    '{"id":"a","kind":"a"}',
    '{"id":"a","free":{}}',
    '{"id":"a","flag":null}',
    '{"id":"a","flag":truer}',
    '{"id":"a","other":1}',
    '{"id":"a","list":[1,]}',
    '{"id":"a","list":[1 2]}',
    '{"id":"a",}',
    '{"id":"a" "flag":true}',
    '{"id":"a","word":"of"}',
    '{"flag":true}',
    '{"id":"a"}}',
    '{"id":"a"',
    '{"id":"a',
    '{"id"',
    '{',
    '',
    '[]',
    'null',
    '{"id":1}',
    '{"id":"\u0001"}',
    '{"id":"a"}\u0001',
    '\u0001{"id":"a"}',
    '{"id" :"a"}',
  ])('leaves %j to JSON.parse', (text) => {
    expect(read(reader, text)).toBeUndefined()
  })

  it('reads strings that are UTF-8, and no others', () => {
    expect(read(reader, '{"id":"Größe 大 🙂"}')).toEqual({ id: 'Größe 大 🙂' })
    for (const wrong of [[0xc3], [0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff]]) {
      const bytes = Buffer.concat([Buffer.from('{"id":"a'), Buffer.from(wrong), Buffer.from('"}')])
      expect(reader(createJsonInput(bytes), bytes.length)).toBeUndefined()
      expect(() => parseBy(reader, createJsonInput(bytes))).toThrow(/byte 8 is not valid UTF-8/)
    }
  })

  it('reads up to the end that it is given', () => {
    const bytes = Buffer.from('{"id":"a"}\n{"id":"b"}\n{"id":\n"c"}')
    const input = createJsonInput(bytes)
    expect(reader(input, 10)).toEqual({ id: 'a' })
    input.at = 11
    expect(reader(input, 21)).toEqual({ id: 'b' })
    input.at = 22
    expect(reader(input, 28)).toBeUndefined()
  })
})
