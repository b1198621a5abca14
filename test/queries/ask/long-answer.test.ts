// Long answers are written in parts that together are what JSON.stringify would have written.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLong, jsonPieces, jsonText, textPieces } from '../../../src/queries/ask/long-answer.ts'

const field = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string(),
  fc.constant(null),
  fc.array(fc.nat(9), { maxLength: 3 }),
  fc.array(fc.array(fc.nat(9), { minLength: 2, maxLength: 2 }), { maxLength: 4 }),
  fc.record({ x: fc.nat(), y: fc.string() }),
  fc.array(fc.record({ hits: fc.array(fc.record({ id: fc.string() }), { maxLength: 3 }) }), { maxLength: 3 }),
  fc.constant(undefined),
)

describe('long answers', () => {
  it('are written as JSON.stringify would', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), field), (answer) => {
        expect([...jsonText(answer)].join('')).toBe(JSON.stringify(answer))
      }),
    )
  })

  it.each([
    ['pairs', { pairs: Array.from({ length: 10_000 }, (_, i) => [i, i + 1]), truncated: false }],
    [
      'rows',
      { values: Array.from({ length: 30 }, (_, i) => Array.from({ length: 5000 }, (_, j) => (i % 7 ? i * j : null))) },
    ],
    [
      'results',
      {
        results: Array.from({ length: 40 }, (_, i) => ({
          hits: Array.from({ length: 200 * i }, (_, j) => ({ id: `b${j}` })),
          truncated: false,
        })),
      },
    ],
    ['one result', { results: [{ hits: [] }, { hits: Array.from({ length: 9000 }, (_, j) => ({ id: `b${j}` })) }] }],
    ['numbers', { list: Array.from({ length: 4097 }, (_, i) => i / 3) }],
  ])('of %s come in parts, and in pieces', async (_name, answer) => {
    expect(isLong(answer)).toBe(true)
    const parts = [...jsonText(answer)]
    expect(parts.length).toBeGreaterThan(3)
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(200_000)
    const pieces: Buffer[] = []
    for await (const piece of jsonPieces(answer, () => true)) pieces.push(piece)
    expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify(answer))
  })

  it('are those with long lists', () => {
    expect(isLong({ a: 1, pairs: [[1, 2]], text: 'x'.repeat(10_000) })).toBe(false)
    expect(isLong({ vertices: Array.from({ length: 4096 }, () => ({ x: 0, y: 0 })) })).toBe(false)
    expect(isLong({ vertices: Array.from({ length: 4097 }, () => ({ x: 0, y: 0 })) })).toBe(true)
  })
})

it('cuts a long text into pieces, but no letter in two', async () => {
  for (const before of [0, 1, 2, 3]) {
    const text = `${'a'.repeat(before)}${'😀'.repeat(2 ** 18)}end`
    const pieces: Buffer[] = []
    for await (const piece of textPieces(text, () => true)) pieces.push(piece)
    expect(pieces.length).toBeGreaterThan(1)
    expect(Buffer.concat(pieces).toString() === text).toBe(true)
    for (const piece of pieces) expect(piece.toString().includes('\ufffd')).toBe(false)
  }
})
