// Data of bodies as the text that was sent, whatever else is in the request.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBody, parseFields, parseOperations, sceneBodyText } from '../../src/wire/scene-body-text.ts'
import { runCount, seed } from '../support/runs.ts'

const space = fc.constantFrom('', ' ', '\n\t', '\r\n  ')
const word = fc.oneof(
  fc.constantFrom('1.0', '-0', '1e2', '-0.0e-0', '12345678901234567890', 'true', 'false', 'null', '"data"', '"{[,]}"'),
  fc.constantFrom('"\\"', '"a\\\\"', '"\\u00e9é\\ud800"', '""', '"\\\\\\""').filter((text) => isJson(text)),
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
)
/** JSON with all the ways there are to write it. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word,
    fc
      .array(fc.tuple(space, tie('json') as fc.Arbitrary<string>, space), { maxLength: 4 })
      .map((items) => `[${items.map((item) => item.join('')).join(',')}]`),
    fc
      .array(
        fc.tuple(
          space,
          fc.constantFrom('"data"', '"2"', '"1"', '"b"', '"d\\u0061ta"', '"body"'),
          space,
          tie('json') as fc.Arbitrary<string>,
          space,
        ),
        { maxLength: 4 },
      )
      .map((fields) => `{${fields.map(([a, name, b, value, c]) => `${a}${name}${b}:${a}${value}${c}`).join(',')}}`),
  ),
}))

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const options = () => ({ numRuns: runCount(500), seed: seed() })

describe('data', () => {
  it('of a body are its text', () => {
    fc.assert(
      fc.property(json, json, space, (data, other, gap) => {
        const text = `${gap}{${gap}"other":${other},"data"${gap}:${gap}${data}${gap},"last":1}${gap}`
        expect(parseBody(text)).toMatchObject({ data, last: 1 })
      }),
      options(),
    )
  })

  it('of operations are their text, each at its own body', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(json, fc.boolean()), { maxLength: 5 }), json, (all, other) => {
        const items = all.map(([data, isPatch]) =>
          isPatch ? `{"op":"patch","fields":{"data":${data}}}` : `{"body":{"id":"a","data": ${data}}, "data":${other}}`,
        )
        const parsed = parseOperations(`{"other":${other}, "operations":[${items.join(' , ')}]}`) as {
          operations: { body?: { data: unknown }; fields?: { data: unknown } }[]
        }
        const found = parsed.operations.map(({ body, fields }) => (body ?? fields)?.data)
        expect(found).toEqual(all.map(([data, isPatch]) => (isPatch && data === 'null' ? null : data)))
      }),
      options(),
    )
  })

  it('come back in the text of the body', () => {
    fc.assert(
      fc.property(json, (data) => {
        const body = parseBody(`{"id":"a","shape":{"type":"point"},"data":${data}}`)
        const text = sceneBodyText(body as never)
        expect(text).toBe(`{"id":"a","shape":{"type":"point"},"data":${data}}`)
      }),
      options(),
    )
  })

  it('are found under a name with escapes', () => {
    expect(parseBody('{"d\\u0061ta":1.0}')).toEqual({ data: '1.0' })
  })

  it('are the last ones where there are several', () => {
    expect(parseBody('{"data":1.0,"data":2.0}')).toEqual({ data: '2.0' })
    const text =
      '{"operations":[{"body":{"data":1}},{"body":{"data":[2]}}],"operations":[{"body":{"data":3.0}},{"body":{}}]}'
    expect(parseOperations(text)).toEqual({ operations: [{ body: { data: '3.0' } }, { body: {} }] })
  })

  it('are taken away by null in new fields only', () => {
    expect(parseFields('{"data": null }')).toEqual({ data: null })
    expect(parseBody('{"data": null }')).toEqual({ data: 'null' })
  })

  it.each(['[]', '1', '"data"', 'null', '{"operations":{"data":1}}', '{"operations":[null,1,{"body":[{"data":1}]}]}'])(
    'leave what is no body alone: %s',
    (text) => {
      expect(parseOperations(text)).toEqual(JSON.parse(text))
    },
  )

  it('does not take text that is no JSON', () => {
    expect(() => parseBody('{"data":}')).toThrow(SyntaxError)
  })
})

describe('minus zero', () => {
  it.each(['-0', '-0.0', '-0e5', '-0.00E-3', '-1e-400'])('is zero in a body: %s', (zero) => {
    const parsed = parseBody(`{"position":{"x":${zero},"y":-0.5}}`) as { position: object }
    expect(parsed).toEqual({ position: { x: 0, y: -0.5 } })
  })
})
