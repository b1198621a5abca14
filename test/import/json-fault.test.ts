// Where a text ceases to be JSON.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonFault } from '../../src/import/json-file.ts'
import { runs } from '../support/runs.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('a fault in JSON', () => {
  it('is told by line and column', () => {
    expect(jsonFault('{"a": [1, 2,]}')).toEqual({ line: 1, column: 13 })
    expect(jsonFault('{\n "a": 1,\n}')).toEqual({ line: 3, column: 1 })
    expect(jsonFault('{"a": 1\n "b": 2}')).toEqual({ line: 2, column: 2 })
    expect(jsonFault('{"a" 1}')).toEqual({ line: 1, column: 6 })
    expect(jsonFault('[1, 2')).toEqual({ line: 1, column: 6 })
    expect(jsonFault('[01]')).toEqual({ line: 1, column: 3 })
    expect(jsonFault('["a\nb"]')).toEqual({ line: 1, column: 4 })
    expect(jsonFault('["a\\x"]')).toEqual({ line: 1, column: 4 })
    expect(jsonFault('"open')).toEqual({ line: 1, column: 6 })
    expect(jsonFault('[1] [2]')).toEqual({ line: 1, column: 5 })
    expect(jsonFault('')).toEqual({ line: 1, column: 1 })
  })

  it('is there wherever the engine finds one, and nowhere else', () => {
    const broken = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', ']', '}', '{', '"', '\\', '0', '-', 'e', ' ', '\n', 'x', ':'),
        fc.nat(2),
      )
      .map(([text, at, put, cut]) => {
        const place = at % (text.length + 1)
        return text.slice(0, place) + put + text.slice(place + cut)
      })
    fc.assert(
      fc.property(broken, (text) => {
        expect(jsonFault(text) === null).toBe(isJson(text))
      }),
      runs(500),
    )
  })

  it('is found behind long texts and deep lists', () => {
    expect(jsonFault(`["${'x'.repeat(5e6)}",]`)).toEqual({ line: 1, column: 5e6 + 5 })
    expect(jsonFault('['.repeat(1e6))).toEqual({ line: 1, column: 1e6 + 1 })
  })
})
