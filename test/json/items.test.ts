import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTooDeep, MOST_DEPTH } from '../../src/json/brackets.ts'
import { ItemScanner } from '../../src/json/items.ts'

function scan(text: string, pieceLength: number, chunkLength: number) {
  const bytes = Buffer.from(text)
  const scanner = new ItemScanner('queries', pieceLength)
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += chunkLength) {
    for (const piece of scanner.push(bytes.subarray(at, at + chunkLength))) pieces.push(piece.toString())
  }
  return { scanner, pieces }
}

/** What the pieces come to, or null where the document is not such a list. */
function readInPieces(text: string, pieceLength: number, chunkLength: number): unknown[] | null {
  const { scanner, pieces } = scan(text, pieceLength, chunkLength)
  if (!scanner.isComplete || scanner.isStrange || scanner.isTooDeep) return null
  try {
    const items = pieces.flatMap((piece) => JSON.parse(piece) as unknown[])
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

  it('tells what is nested too deeply', () => {
    const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth))
    expect(isTooDeep(nested(MOST_DEPTH))).toBe(false)
    expect(isTooDeep(nested(MOST_DEPTH + 1))).toBe(true)
    expect(isTooDeep(Buffer.from(JSON.stringify('['.repeat(2 * MOST_DEPTH))))).toBe(false)
    expect(isTooDeep(Buffer.from(JSON.stringify(`"\\${'['.repeat(2 * MOST_DEPTH)}`)))).toBe(false)
    expect(isTooDeep(Buffer.from('[]'.repeat(MOST_DEPTH)))).toBe(false)
  })
})
