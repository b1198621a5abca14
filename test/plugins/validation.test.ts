// The validator that has the first look at many queries accepts what the exact one accepts, and hands on what that one says.

import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BatchQuery } from '../../schemas/batch-query.ts'
import { reference } from '../../schemas/reference.ts'
import { bodyCompiler, quickBodyCompiler, withoutPlaces } from '../../src/plugins/validation.ts'
import { namedSchemas } from '../../src/wire/named-schemas.ts'
import { broken } from '../fuzz/broken-texts.ts'
import { QUERIES } from '../fuzz/wild-requests.ts'

const schemas = { named: [...namedSchemas] }
const exact = bodyCompiler(schemas)(reference(BatchQuery))
const quick = quickBodyCompiler(schemas)(reference(BatchQuery))

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

describe('the quick validator', () => {
  it.each(Object.entries(QUERIES))('judges %s as the exact one does', (op, requests) => {
    const queries = requests.map((request) => ({ op, ...request }))
    fc.assert(
      fc.property(fc.oneof(queries, broken(queries).map(parsed)), (value) => {
        const isValid = exact(value)
        const errors = exact.errors
        expect(quick(value)).toBe(isValid)
        expect(quick.errors ?? null).toEqual(errors ?? null)
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
    expect(codes.join('\n')).toMatch(/validate\d+\(data\d*, noPlace\)/)
    expect(codes.join('\n')).not.toMatch(/, \{instancePath[:,]/)
    expect([validate({ first: { next: {} } }), validate({ first: { next: { other: 1 } } })]).toEqual([true, false])
  })
})
