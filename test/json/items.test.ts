import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTooDeep, MOST_DEPTH } from '../../src/json/input.ts'
import { cutBeforeField, type ItemPiece, ItemScanner, listOf } from '../../src/json/items.ts'

function scan(text: string, pieceLength: number, chunkLength: number) {
  const bytes = Buffer.from(text)
  const scanner = new ItemScanner('queries', pieceLength)
  const pieces: ItemPiece[] = []
  for (let at = 0; at < bytes.length; at += chunkLength) {
    pieces.push(...scanner.push(bytes.subarray(at, at + chunkLength)))
  }
  return { scanner, pieces }
}

/** What the pieces come to, or null where the document is not such a list. */
function readInPieces(text: string, pieceLength: number, chunkLength: number): unknown[] | null {
  const { scanner, pieces } = scan(text, pieceLength, chunkLength)
  if (!scanner.isComplete || scanner.isStrange || scanner.isTooDeep) return null
  try {
    const items = pieces.flatMap((piece) => JSON.parse(listOf([piece]).toString()) as unknown[])
    expect(JSON.parse(listOf(pieces).toString())).toEqual(items)
    expect(items.length).toBe(scanner.count)
    return items
  } catch {
    return null
  }
}

function readAtOnce(text: string): unknown[] | null {
  try {
    const { queries, ...rest } = JSON.parse(text)
    return Array.isArray(queries) && Object.keys(rest).length === 0 ? queries : null
  } catch {
    return null
  }
}

const sizes = fc.record({ piece: fc.integer({ min: 0, max: 60 }), chunk: fc.integer({ min: 1, max: 40 }) })
const space = fc.constantFrom('', ' ', '\n', ' \t\r\n')

describe('items', () => {
  it('are the items of the document, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 })), sizes, space, fc.boolean(), (items, cut, blank, pretty) => {
        const text = blank + JSON.stringify({ queries: items }, null, pretty ? 1 : 0) + blank
        expect(readInPieces(text, cut.piece, cut.chunk)).toEqual(readAtOnce(text))
      }),
    )
  })

  it('are never those of what is not such a document', () => {
    const part = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '1', 'a', ' ', '{}', '[1]', '"queries"', '""')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), sizes, (parts, cut) => {
        const text = `{"queries":[${parts.join('')}`
        for (const whole of [text, `${text}]}`]) {
          const items = readInPieces(whole, cut.piece, cut.chunk)
          if (items !== null) expect(items).toEqual(readAtOnce(whole))
        }
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    '{"queries":[{},]}',
    '{"queries":[,{}]}',
    '{"queries":[{},,{}]}',
    '{"queries":[{}',
    '{"queries":{}}',
    '{"q":[]}',
  ])('%s is none', (text) => {
    for (const piece of [0, 1, 100]) expect(readInPieces(text, piece, 3)).toBeNull()
  })

  it('tells how many there are, and how deep they lie, without parsing them', () => {
    const { scanner } = scan(`{"queries":[${'{},'.repeat(1000)}{}]}`, 64, 1000)
    expect(scanner.count).toBe(1001)
    expect(scan(`{"queries":[${'['.repeat(MOST_DEPTH)}`, 64, 1000).scanner.isTooDeep).toBe(true)
    expect(scan(`{"queries":["${'['.repeat(MOST_DEPTH)}"]}`, 64, 1000).scanner.isTooDeep).toBe(false)
  })

  describe('cut before a field', () => {
    const cut = (text: string, pieceLength: number) => cutBeforeField(Buffer.from(text), 'queries', 'op', pieceLength)
    const parsed = (pieces: ItemPiece[]) =>
      pieces.flatMap((piece) => JSON.parse(listOf([piece]).toString()) as unknown[])
    /** Null where it is not cut, or pieces are no lists. */
    const readCut = (text: string, pieceLength: number) => {
      const pieces = cut(text, pieceLength)
      try {
        return pieces && parsed(pieces)
      } catch {
        return null
      }
    }
    const item = fc.tuple(fc.string(), fc.jsonValue({ maxDepth: 3 })).map(([op, value]) => ({ op, value }))

    it('are the items of the document', () => {
      const lengths = fc.integer({ min: 0, max: 60 })
      fc.assert(
        fc.property(fc.array(item, { minLength: 2 }), lengths, space, fc.boolean(), (items, length, blank, pretty) => {
          const text = blank + JSON.stringify({ queries: items }, null, pretty ? 1 : 0) + blank
          const read = readCut(text, length)
          if (read !== null) expect(read).toEqual(readAtOnce(text))
        }),
      )
      const items = Array.from({ length: 100 }, (_, k) => ({ op: 'a', vertices: [{ x: k }, { x: '},{"x":1' }] }))
      for (const indent of [0, 1]) {
        const text = JSON.stringify({ queries: items }, null, indent)
        expect(cut(text, 200)?.length).toBeGreaterThan(10)
        expect(readCut(text, 200)).toEqual(items)
      }
    })

    it('are never those of what is not such a document', () => {
      const part = fc.constantFrom(
        '{"op"',
        '{',
        '}',
        '},{"op"',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        ':1',
        'a',
        ' ',
        '},{',
        ']}',
      )
      fc.assert(
        fc.property(fc.array(part, { maxLength: 14 }), fc.integer({ min: 0, max: 12 }), (parts, length) => {
          const text = `{"queries":[{"op":1${parts.join('')}}]}`
          const read = readCut(text, length)
          if (read !== null) expect(read).toEqual(readAtOnce(text))
        }),
        { numRuns: 20_000 },
      )
    })

    it.each([
      '{"queries":[{"op":1,"text":"},{\\"op\\":"},{"op":"},{"}]}',
      '{"queries":[{"a":1,"op":1},{"a":1,"op":1},{"a":1,"op":1}]}',
      '{"queries":[{"op":1},{"op":1}],"queries":[{"op":1},{"op":1}]}',
      '{"queries":[{"op":1},,{"op":1}]}',
      '[{"op":1},{"op":1}]',
    ])('%s is left alone, or read as it is', (text) => {
      let whole: unknown[] | null = null
      try {
        whole = readAtOnce(text)
      } catch {}
      for (const length of [0, 3, 8, 14, 40]) {
        const read = readCut(text, length)
        if (read !== null) expect(read).toEqual(whole)
      }
    })
  })

  it('tells what is nested too deeply', () => {
    const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth))
    expect(isTooDeep(nested(MOST_DEPTH))).toBe(false)
    expect(isTooDeep(nested(MOST_DEPTH + 1))).toBe(true)
    expect(isTooDeep(Buffer.from(JSON.stringify('['.repeat(2 * MOST_DEPTH))))).toBe(false)
    expect(isTooDeep(Buffer.from(JSON.stringify(`"\\${'['.repeat(2 * MOST_DEPTH)}`)))).toBe(false)
    expect(isTooDeep(Buffer.from('[]'.repeat(MOST_DEPTH)))).toBe(false)
  })
})
