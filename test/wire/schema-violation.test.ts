// The common cases are tested where they are met, in test/routes/problems.test.ts.

import { describe, expect, it } from 'vitest'
import { describeViolation } from '../../src/wire/schema-violation.ts'

const error = { instancePath: '', params: {}, keyword: 'type' }

describe('describeViolation', () => {
  it('shortens long values', () => {
    const { detail } = describeViolation({
      ...error,
      instancePath: '/a',
      params: { type: 'number' },
      data: 'x'.repeat(100),
    })
    expect(detail).toBe(`a must be a number, got "${'x'.repeat(40)}…".`)
  })

  it('names items of items', () => {
    const { detail, pointer } = describeViolation({
      ...error,
      instancePath: '/rows/3/4',
      params: { type: 'integer' },
      data: 0.5,
    })
    expect(detail).toBe('rows[3][4] must be a whole number, got 0.5.')
    expect(pointer).toBe('#/rows/3/4')
  })

  it('falls back on the validator’s own words', () => {
    const violation = describeViolation({
      ...error,
      keyword: 'multipleOf',
      instancePath: '/n',
      message: 'must be multiple of 2',
      data: 3,
    })
    expect(violation).toEqual({ pointer: '#/n', detail: 'n must be multiple of 2, got 3.' })
  })

  it('says what is expected of a missing field', () => {
    const missing = (schema: object) =>
      describeViolation({
        ...error,
        keyword: 'required',
        params: { missingProperty: 'f' },
        parentSchema: { properties: { f: schema } },
      }).detail
    expect(missing({ type: 'number' })).toBe('f is missing: expected a number.')
    expect(missing({ type: 'number', exclusiveMinimum: 0 })).toBe('f is missing: expected a number greater than 0.')
    expect(missing({ type: 'array' })).toBe('f is missing: expected an array.')
    expect(missing({ enum: ['x', 'y'] })).toBe('f is missing: expected one of "x", "y".')
    expect(missing({ $ref: 'Body2d' })).toBe('f is missing: expected an object.')
  })
})
