// A long list cut out of a document: what is parsed in pieces is what is parsed as a whole.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutList } from '../../src/import/scene-json.ts'
import { runs } from '../support/runs.ts'

/** What the pieces are together; null where there is no list to cut. Throws where they are no JSON. */
function joined(text: string): unknown {
  const cut = cutList(Buffer.from(text), 'bodies')
  if (cut === null) return null
  const document = JSON.parse(cut.around.toString())
  const lists = cut.pieces.map((piece) => JSON.parse(piece.toString()) as unknown[])
  if (lists.length > 1 && lists.some(({ length }) => length === 0)) throw new SyntaxError('an item is missing')
  return { ...document, bodies: lists.flat() }
}

const big = 'x'.repeat(2 ** 15)

describe('a cut list', () => {
  it('is what it is as a whole', () => {
    const item = fc.oneof(fc.jsonValue(), fc.constant(big), fc.constant({ bodies: [big, ']}{["\\'] }))
    const space = fc.constantFrom('', ' ', '\n\t ')
    fc.assert(
      fc.property(fc.array(item, { maxLength: 12 }), fc.jsonValue(), space, (list, other, blank) => {
        const text = `${blank}{"a":${JSON.stringify(other)},"bodies"${blank}:${blank}[${list
          .map((each) => blank + JSON.stringify(each))
          .join(',')}]${blank},"z":{"bodies":[1]}}`
        expect(joined(text)).toStrictEqual(JSON.parse(text))
      }),
      runs(200),
    )
  })

  it('has pieces of some length', () => {
    const text = JSON.stringify({ bodies: Array.from({ length: 20 }, () => big) })
    expect(cutList(Buffer.from(text), 'bodies')?.pieces.length).toBeGreaterThan(4)
  })

  it.each([
    ['none', '{"a":[1]}'],
    ['two', '{"bodies":[1],"bodies":[2]}'],
    ['something else under the name', '{"bodies":{"bodies":[1]}}'],
    ['one in another object', '{"a":{"bodies":[1]}}'],
    ['one in a list', '[{"bodies":[1]}]'],
    ['one that does not end', '{"bodies":[1,2'],
    ['nothing', ''],
  ])('there is none where there is %s', (_what, text) => {
    expect(cutList(Buffer.from(text), 'bodies')).toBeNull()
  })

  it.each([
    ['a missing item', `{"bodies":["${big}","${big}","${big}",]}`],
    ['a missing item between', `{"bodies":["${big}","${big}","${big}",,1]}`],
    ['a bracket of the other kind', `{"bodies":["${big}","${big}",{"a":1],"${big}"]}`],
    ['something behind', '{"bodies":[1]}}'],
    ['something before', '{"a" "bodies":[1]}'],
  ])('is no JSON with %s', (_what, text) => {
    expect(() => joined(text)).toThrow(SyntaxError)
  })
})
