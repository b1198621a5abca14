// What the first look at many queries accepts is valid, and hardly anything that is valid is left to the exact validator.

import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BatchQuery } from '../../../schemas/queries/batch.ts'
import { reference } from '../../../schemas/reference.ts'
import { namedSchemas } from '../../../src/wire/validation/named-schemas.ts'
import { bodyCompiler, quickLook, takeErrors, withoutPlaces } from '../../../src/wire/validation/validators.ts'
import { broken } from '../../fuzz/broken-texts.ts'
import { QUERIES } from '../../fuzz/wild-requests.ts'

const schemas = { named: [...namedSchemas] }
const exact = bodyCompiler(schemas)(reference(BatchQuery))
const accepts = quickLook(schemas, reference(BatchQuery))

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

it('the schemas are what a schema may be, which validators do not look at', () => {
  const ajv = new Ajv({ strict: false })
  for (const schema of namedSchemas) expect(ajv.validateSchema(schema), schema.$id).toBe(true)
  expect(ajv.validateSchema({ type: 'nothing' })).toBe(false)
})
