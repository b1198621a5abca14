import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSyntaxFault } from '../../src/wire/unreadable.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('findSyntaxFault', () => {
  it.each([
    ['', 1, 1, 'a value', 'the end of the text'],
    ['nul', 1, 1, 'a value', '"n"'],
    ['[1, 2', 1, 6, '"," or "]"', 'the end of the text'],
    ['[1, ]', 1, 5, 'a value', '"]"'],
    ['{"a"}', 1, 5, '":"', '"}"'],
    ['{"a": 1,}', 1, 9, 'a field name in double quotes', '"}"'],
    ['{"a": 1\n\n "b": 2}', 3, 2, '"," or "}"', '"\\""'],
    ['{"a": 01}', 1, 8, '"," or "}"', '"1"'],
    ['{"a": +1}', 1, 7, 'a value', '"+"'],
    ['{"a": .5}', 1, 7, 'a value', '"."'],
    ['"abc', 1, 5, 'the rest of a string', 'the end of the text'],
    ['"a\\x"', 1, 3, 'the rest of a string', '"\\\\"'],
    ['"a\nb"', 1, 3, 'the rest of a string', '"\\n"'],
    ['1 2', 1, 3, 'the end of the text', '"2"'],
    ['[😀]', 1, 2, 'a value', '"😀"'],
    ['\ufeff{}', 1, 1, 'a value', '"\ufeff"'],
  ])('finds the fault of %j', (text, line, column, expected, found) => {
    expect(findSyntaxFault(text)).toEqual({ line, column, expected, found })
  })

  it('finds none in JSON, one in everything else', () => {
    const characters = fc.constantFrom(...'{}[]:,"\\ \n\t01e+-.truefalsn\u0001é😀')
    const texts = fc.oneof(
      fc.json(),
      fc.string({ unit: characters, maxLength: 12 }),
      fc.tuple(fc.json(), fc.nat(), characters).map(([text, at, change]) => {
        const place = at % (text.length + 1)
        return text.slice(0, place) + change + text.slice(place + 1)
      }),
    )
    fc.assert(
      fc.property(texts, (text) => {
        expect(findSyntaxFault(text) === null).toBe(isJson(text))
      }),
      { numRuns: 5000 },
    )
  })

  it('takes long and deep texts', () => {
    expect(findSyntaxFault(`["${'x'.repeat(5_000_000)}"`)).toMatchObject({ column: 5_000_004 })
    expect(findSyntaxFault('['.repeat(1_000_000))).toMatchObject({ column: 1_000_001 })
  })
})
