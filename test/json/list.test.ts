// Long lists read in pieces give what JSON.parse gives, or are left to be read as a whole.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseList } from '../../src/json/list.ts'

const ITEM_COUNT = 3000
const LONG = 2 ** 17

function readInPieces(text: string, name = 'queries', chunkLength = Number.POSITIVE_INFINITY) {
  const bytes = Buffer.from(text)
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += chunkLength) chunks.push(bytes.subarray(at, at + chunkLength))
  let pieces = 0
  const reading = parseList(chunks, name, (items) => {
    pieces++
    return JSON.parse(items.toString())
  })
  let pauses = 0
  for (;;) {
    const { done, value } = reading.next()
    if (done) return { value, pauses, pieces }
    pauses++
  }
}

const items = (item: (n: number) => unknown) => Array.from({ length: ITEM_COUNT }, (_, n) => item(n))
const plain = items((n) => ({ op: 'overlap', a: { shape: { type: 'point' }, position: { x: n, y: (n + 1) / 7 } } }))

describe('a long list', () => {
  it('is read in pieces, whatever the chunks are', () => {
    const text = JSON.stringify({ queries: plain })
    expect(text.length).toBeGreaterThan(LONG)
    for (const chunkLength of [1000, 65_536, 100_003, undefined]) {
      const { value, pauses, pieces } = readInPieces(text, 'queries', chunkLength)
      expect(value).toEqual({ queries: plain })
      expect(pauses).toBeGreaterThanOrEqual(2)
      expect(pieces).toBe(pauses + 1)
    }
  })

  it('may be indented', () => {
    const text = `\n${JSON.stringify({ queries: plain }, null, '\t')}\r\n`
    const { value, pauses } = readInPieces(text)
    expect(value).toEqual({ queries: plain })
    expect(pauses).toBeGreaterThanOrEqual(4)
  })

  it('may have any characters in it, cut anywhere', () => {
    const odd = items((n) => ({ op: 'é"},{"op":"', note: `\\"},{"op":${n}, 🟢 ]}`, list: [{ a: n }, { a: [] }] }))
    expect(readInPieces(JSON.stringify({ queries: odd }), 'queries', 4099).value).toEqual({ queries: odd })
  })

  it('is read as a whole where items begin with what is also inside of them', () => {
    const nested = items((n) => ({ x: n, points: [{ x: 1 }, { x: 2, y: { x: 3 } }, { x: 4 }] }))
    const { value, pieces } = readInPieces(JSON.stringify({ queries: nested }))
    if (value !== null) expect(value).toEqual({ queries: nested })
    expect(pieces).toBeGreaterThan(0)
  })

  it('is read as a whole where it is called otherwise, is not alone, or has no objects', () => {
    expect(readInPieces(JSON.stringify({ queries: plain }), 'operations').value).toBeNull()
    expect(readInPieces(JSON.stringify({ queries: plain, more: 1 })).value).toBeNull()
    expect(readInPieces(JSON.stringify({ more: 1, queries: plain })).value).toBeNull()
    expect(readInPieces(JSON.stringify({ queries: items((n) => n) })).value).toBeNull()
    expect(readInPieces(JSON.stringify(plain)).value).toBeNull()
    expect(readInPieces('').value).toBeNull()
  })

  it('is read as a whole where its name comes twice', () => {
    const list = JSON.stringify(plain)
    expect(readInPieces(`{"queries":${list},"queries":${list}}`).value).toBeNull()
    expect(readInPieces(`{"queries":${list},"quer\\u0069es":${list}}`).value).toBeNull()
  })

  it('is not searched for long where no item begins like the first', () => {
    const unlike = [{ first: 1 }, ...items((n) => ({ op: n, text: 'x'.repeat(1000) }))]
    const { value, pieces } = readInPieces(JSON.stringify({ queries: unlike }), 'queries', 65_536)
    expect(value).toBeNull()
    expect(pieces).toBe(0)
  })

  it('is never taken where JSON.parse would refuse it', () => {
    const text = JSON.stringify({ queries: plain })
    const junk = fc.constantFrom(
      '',
      ',',
      '[',
      ']',
      '{',
      '}',
      '"',
      '\\',
      '\v',
      '\u00a0',
      '\ufeff',
      '\0',
      '0',
      '{"op":1},',
      '},{"op"',
    )
    const mutated = fc.tuple(fc.nat(text.length), fc.nat(3), junk).map(([at, length, what]) => {
      return text.slice(0, at) + what + text.slice(at + length)
    })
    const near = fc.constantFrom(0, text.length).chain((end) =>
      fc.tuple(fc.nat(40), fc.nat(3), junk).map(([off, length, what]) => {
        const at = Math.abs(end - off)
        return text.slice(0, at) + what + text.slice(at + length)
      }),
    )
    fc.assert(
      fc.property(fc.oneof(mutated, near), (broken) => {
        const { value } = readInPieces(broken)
        if (value !== null) expect(value).toEqual(JSON.parse(broken))
      }),
      { numRuns: 300 },
    )
  })
})
