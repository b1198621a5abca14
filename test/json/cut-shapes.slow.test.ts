// Long shapes are left out of what is parsed, and nothing else changes.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CUT_LENGTH, findLongShapes } from '../../src/json/cut-shapes.ts'
import { parseAround, UnreadShape } from '../../src/wire/unread-shape.ts'

const parse = (bytes: Buffer): unknown => JSON.parse(bytes.toString())

/** The value, with what was left out put back. */
function readAgain(value: unknown): unknown {
  if (value instanceof UnreadShape) return parse(value.bytes)
  if (Array.isArray(value)) return value.map(readAgain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, readAgain(field)]))
}

const long = { type: 'chain', vertices: Array.from({ length: 6000 }, (_, i) => ({ x: i, y: -i / 8 })), name: 'a "{[' }
const cutFrom = (text: string, isList = false) =>
  findLongShapes(Buffer.from(text), isList).map(({ start, end }) => Buffer.from(text).toString('utf8', start, end))

describe('long shapes', () => {
  const text = JSON.stringify(long)
  const point = '{"type":"point"}'

  it.each([
    ['of a body', `{"shape":${text},"rotation":1}`, false, 1],
    ['with space around', ` { "x" : [ 1 , "}" ] , "shape" :\n ${text} } `, false, 1],
    ['of a body in a query', `{"op":"overlap","body":{"position":{"x":1,"y":2},"shape":${text}}}`, false, 1],
    ['of new fields', `{"fields":{"shape":${text}}}`, false, 1],
    ['of items', `[{"body":{"shape":${text}}}, 7 ,{"shape":${point}},{"fields":{"shape":${text}}}]`, true, 2],
    ['nowhere in short ones', `{"shape":${point},"data":"${'x'.repeat(CUT_LENGTH)}"}`, false, 0],
    ['nowhere in data', `{"shape":${point},"data":{"shape":${text}}}`, false, 0],
    ['nowhere in bodies within bodies', `{"body":{"body":{"shape":${text}}}}`, false, 0],
    ['nowhere in lists where none is expected', `[{"shape":${text}}]`, false, 0],
    ['nowhere in a list of that name', `{"shape":[${text}]}`, false, 0],
    ['nowhere in what breaks off', `{"shape":${text}`, false, 0],
    ['nowhere in what goes on', `{"shape":${text}} {}`, false, 0],
    ['nowhere in what is not closed as it was opened', `{"shape":${text.slice(0, -2)}`, false, 0],
  ])('are found: %s', (_, document, isList, count) => {
    expect(cutFrom(document, isList)).toEqual(Array(count).fill(text))
  })

  it('stand in for themselves until they are read', () => {
    const bytes = Buffer.from(`{"rotation":2,"body":{"shape":${text}}}`)
    const value = parseAround(bytes, parse) as { body: { shape: UnreadShape } }
    expect(value.body.shape).toBeInstanceOf(UnreadShape)
    expect(Object.keys(value.body.shape)).toEqual(['type'])
    expect(readAgain(value)).toEqual(parse(bytes))
  })

  it('are read where a name is there twice', () => {
    const bytes = Buffer.from(`{"shape":${text},"shape":${JSON.stringify({ ...long, name: 'b' })}}`)
    expect(parseAround(bytes, parse)).toEqual(parse(bytes))
  })

  it('leave faults to whoever parses all of the text', () => {
    const bytes = Buffer.from(`{"shape":${text},"rotation":01}`)
    const seen: number[] = []
    const strict = (each: Buffer) => {
      seen.push(each.length)
      return parse(each)
    }
    expect(() => parseAround(bytes, strict)).toThrow(SyntaxError)
    expect(seen[seen.length - 1]).toBe(bytes.length)
  })

  it('change nothing, whatever is around them', () => {
    const shape = fc.constantFrom<unknown>(long, { type: 'point' }, [long], null, 'shape', { shape: long })
    const body = fc.dictionary(fc.constantFrom('shape', 'body', 'x', '"'), fc.oneof(shape, fc.jsonValue()))
    const document = fc.dictionary(
      fc.constantFrom('shape', 'body', 'fields', 'data', 'op', 'é\\'),
      fc.oneof(shape, body, fc.jsonValue()),
    )
    fc.assert(
      fc.property(fc.array(document, { maxLength: 4 }), fc.constantFrom(undefined, 1), (list, indent) => {
        for (const [value, isList] of [[list, true] as const, [list[0] ?? {}, false] as const]) {
          const bytes = Buffer.from(JSON.stringify(value, null, indent))
          expect(readAgain(parseAround(bytes, parse, isList))).toEqual(parse(bytes))
        }
      }),
      { numRuns: 40 },
    )
  })
})
