// What writers write is what JSON.stringify does, but for the order of fields.
import { type TSchema, Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reference } from '../../schemas/reference.ts'
import { createJsonOutput, takeBytes } from '../../src/json/output.ts'
import { compileWriter } from '../../src/json/writer.ts'
import { namedSchemas, schemasByName as schemas } from '../../src/wire/named-schemas.ts'
import { runs } from '../support/runs.ts'

function written(schema: TSchema, value: unknown): string {
  const out = createJsonOutput()
  out.length = compileWriter(schema, schemas)(out, 0, value)
  return takeBytes(out).toString()
}

const examples = namedSchemas
  .filter((schema) => schema.examples !== undefined)
  .flatMap((schema) => (schema.examples as object[]).map((value, n) => ({ name: `${schema.$id} ${n}`, schema, value })))

const inner = Type.Object({ x: Type.Number(), y: Type.Number() }, { additionalProperties: false })
const schema = Type.Object(
  {
    first: Type.Optional(Type.Number()),
    second: Type.Optional(Type.String()),
    third: Type.Boolean(),
    'née "☃"': Type.Optional(Type.Integer()),
    inner,
    maybe: Type.Unsafe({ oneOf: [inner, { type: 'null' }] }),
    size: Type.Optional(Type.Unsafe({ type: ['number', 'null'] })),
    list: Type.Array(Type.Array(inner)),
    free: Type.Optional(Type.Unknown()),
    either: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    pair: Type.Optional(Type.Tuple([Type.Number(), Type.String()])),
  },
  { additionalProperties: false },
)
const double = fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => value + 0)
const point = fc.record({ x: double, y: double })
const text = fc.string({ unit: 'binary', maxLength: 100 })
const values = fc.record(
  {
    first: double,
    second: text,
    third: fc.boolean(),
    'née "☃"': fc.integer(),
    inner: point,
    maybe: fc.option(point),
    size: fc.option(double),
    list: fc.array(fc.array(point, { maxLength: 5 }), { maxLength: 40 }),
    free: fc.jsonValue(),
    either: fc.oneof(text, double),
    pair: fc.tuple(double, text),
  },
  { requiredKeys: ['third', 'inner', 'maybe', 'list'] },
)

describe('a writer', () => {
  it.each(examples)('writes the example $name', ({ schema, value }) => {
    expect(JSON.parse(written(reference(schema as TSchema), value))).toEqual(value)
  })

  it('writes any value of its schema', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(JSON.parse(written(schema, value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
      runs(1000),
    )
  })

  it('writes any value that is not of its schema, too', () => {
    const off = fc.record({
      third: fc.jsonValue(),
      inner: fc.oneof(fc.jsonValue(), fc.record({ x: fc.jsonValue(), y: fc.jsonValue() })),
      maybe: fc.string(),
      list: fc.oneof(fc.string(), fc.array(fc.oneof(fc.integer(), fc.string()))),
    })
    fc.assert(
      fc.property(off, (value) => {
        const back = JSON.parse(written(schema, value))
        const { third, maybe, list } = JSON.parse(JSON.stringify(value))
        expect({ third: back.third, maybe: back.maybe, list: back.list }).toEqual({ third, maybe, list })
      }),
      runs(1000),
    )
  })

  it('leaves out what is undefined, and what its schema does not name', () => {
    const value = { third: true, inner: { x: 1, y: 2, z: 3 }, maybe: null, list: [], second: undefined, other: 1 }
    expect(written(schema, value)).toBe('{"third":true,"inner":{"x":1,"y":2},"maybe":null,"list":[]}')
    expect(written(schema, { ...value, first: 0.5 })).toMatch(/^\{"first":0.5,"third":true,/)
  })

  it('writes null for what is no number, as JSON.stringify does', () => {
    expect(written(inner, { x: Number.NaN, y: undefined })).toBe('{"x":null,"y":null}')
  })

  it('writes behind what is there', () => {
    const out = createJsonOutput()
    const write = compileWriter(inner, {})
    out.length = write(out, 0, { x: 1, y: 2 })
    out.length = write(out, out.length, { x: 3, y: 4 })
    expect(takeBytes(out).toString()).toBe('{"x":1,"y":2}{"x":3,"y":4}')
    expect(takeBytes(out)).toHaveLength(0)
  })
})
