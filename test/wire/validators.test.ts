// What the first look at many queries accepts is valid, and hardly anything that is valid is left to the exact validator.

import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { BatchQuery } from '../../schemas/queries/batch.ts'
import { reference } from '../../schemas/reference.ts'
import { namedSchemas, schemasByName } from '../../src/wire/named-schemas.ts'
import {
  bodyCompiler,
  compileNext,
  exactCompiler,
  quickCompiler,
  takeErrors,
  unionValidator,
  withoutPlaces,
} from '../../src/wire/validators.ts'
import { broken } from '../fuzz/broken-texts.ts'
import { QUERIES } from '../fuzz/wild-requests.ts'

const exact = exactCompiler(schemasByName)(reference(BatchQuery))
const accepts = quickCompiler(schemasByName)(reference(BatchQuery))
const inBatch = unionValidator(schemasByName, BatchQuery, 'op')

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

describe('the first look', () => {
  it.each(Object.entries(QUERIES))('judges %s as the exact one does', (op, requests) => {
    const queries = requests.map((request) => ({ op, ...request }))
    // texts, for their values may be nested too deeply to be written
    const texts = fc.oneof(
      queries.map((query) => JSON.stringify(query)),
      broken(queries),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const value = parsed(text)
        // compounds are left to the exact one, which knows how deep they may nest
        const isLeftOver = text.includes('"compound"')
        if (isLeftOver) expect(accepts(value) && !exact(value)).toBe(false)
        else expect(accepts(value)).toBe(exact(value))
        expect(inBatch(value)).toBe(exact(value))
        expect(inBatch.errors).toEqual(exact.errors)
      }),
      { numRuns: 150 },
    )
  })

  it('calls the validators of nested values without a place', () => {
    const codes: string[] = []
    const process = (code: string) => {
      codes.push(withoutPlaces(code))
      return codes.at(-1) as string
    }
    const inner = { $id: 'Inner', type: 'object', properties: { next: { $ref: 'Inner' } }, additionalProperties: false }
    const validate = new Ajv({ schemas: [inner], code: { process } }).compile({
      type: 'object',
      properties: { first: { $ref: 'Inner' } },
    })
    expect(codes.join('\n')).toMatch(/validate\d+\(data\d*\)/)
    expect(codes.join('\n')).not.toMatch(/, \{instancePath[:,=]/)
    expect([validate({ first: { next: {} } }), validate({ first: { next: { other: 1 } } })]).toEqual([true, false])
  })
})

describe('a validator', () => {
  it('says once what is wrong, and keeps nothing of the value', () => {
    const shape = { type: 'circle', radius: 'x'.repeat(1000) }
    expect(exact({ op: 'mass', shape })).toBe(false)
    const kept = [...(exact.errors ?? [])]
    const [first] = takeErrors(exact)
    expect(first).toMatchObject({ keyword: 'type', instancePath: '/shape/radius', data: shape.radius })
    expect(exact.errors).toBe(null)
    expect(JSON.stringify(kept.map(({ data, params }) => ({ data, params })))).not.toContain('xxx')
  })
})

describe('compiling ahead', () => {
  it('takes a part at a time, in which none holds what another is to compile', () => {
    while (compileNext());
    const leaf = { $id: 'Leaf', type: 'object', properties: { of: { type: 'number' }, up: { $ref: 'Trunk' } } }
    const branch = { $id: 'Branch', type: 'array', items: { $ref: 'Leaf' } }
    const trunk = { $id: 'Trunk', type: 'object', properties: { left: { $ref: 'Branch' }, right: { $ref: 'Branch' } } }
    const compile = bodyCompiler({ Trunk: trunk, Branch: branch, Leaf: leaf })
    const [whole, part] = [compile({ $ref: 'Trunk' }), compile({ $ref: 'Leaf' })]
    let steps = 0
    while (compileNext()) steps++
    // three parts, one of which somebody asks for as well, and the two that are asked for
    expect(steps).toBe(3 + 2)
    expect(whole({ left: [{ of: 1, up: { right: [] } }] })).toBe(true)
    expect(whole({ left: [{ up: { right: [{ of: '1' }] } }] })).toBe(false)
    expect(takeErrors(whole)).toMatchObject([{ instancePath: '/left/0/up/right/0/of', keyword: 'type' }])
    expect([part({ of: 1 }), part({ of: '1' }), compileNext()]).toEqual([true, false, false])
  })

  it('leaves nothing of a body to be compiled when it is first asked', () => {
    const compile = bodyCompiler({ named: [...namedSchemas] })
    const validate = compile({ $ref: 'BatchRequest' })
    while (compileNext());
    const compiled = vi.spyOn(Ajv.prototype, 'compile')
    expect(validate({ queries: [] })).toBe(true)
    expect(compiled).not.toHaveBeenCalled()
    compiled.mockRestore()
  })
})

it('the schemas are what a schema may be, which validators do not look at', () => {
  const ajv = new Ajv({ strict: false })
  for (const schema of namedSchemas) expect(ajv.validateSchema(schema), schema.$id).toBe(true)
  expect(ajv.validateSchema({ type: 'nothing' })).toBe(false)
})
