import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PROBLEM_CODES, type ProblemCode } from '../../schemas/problem.ts'
import { PROBLEMS, problemDetails, problemKind } from '../../src/wire/problems.ts'

describe('the problem table', () => {
  it('has exactly the codes of the schema', () => {
    expect(Object.keys(PROBLEMS).sort()).toEqual([...PROBLEM_CODES].sort())
    expect(new Set(PROBLEM_CODES).size).toBe(PROBLEM_CODES.length)
  })

  it('has exactly the codes of the published document', () => {
    const url = new URL('../../openapi/openapi.json', import.meta.url)
    const { components } = JSON.parse(readFileSync(url, 'utf8'))
    expect(components.schemas.ProblemDetails.properties.code.enum).toEqual(PROBLEM_CODES)
  })

  it.each(Object.entries(PROBLEMS))('has an error status, a title, a cause and a fix for %s', (code, entry) => {
    expect(entry.status).toBeGreaterThanOrEqual(400)
    expect(entry.status).toBeLessThan(600)
    expect(entry.title).toMatch(/^[A-Z].*[^.]$/)
    expect(entry.cause).toMatch(/^[A-Z].*\.$/s)
    expect(problemKind(code as ProblemCode).fix).toMatch(/^[A-Z].*\.$/s)
  })
})

describe('problemDetails', () => {
  it('has the members of RFC 9457 and ours', () => {
    expect(problemDetails('body-too-large', 'Too large.', 'r1', { limit: 10, actual: 11 })).toEqual({
      type: '/problems/body-too-large',
      title: 'The body is too large',
      status: 413,
      detail: 'Too large.',
      code: 'body-too-large',
      limit: 10,
      actual: 11,
      requestId: 'r1',
    })
  })
})

describe('problemKind', () => {
  it('describes a code', () => {
    expect(problemKind('not-found')).toMatchObject({ type: '/problems/not-found', code: 'not-found', status: 404 })
  })
})
