import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linePieces } from '../../src/queries/ask/ask.ts'
import { inOrder } from '../../src/threads/batch-lines.ts'

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

async function* from<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('work in order', () => {
  it('gives results in the order of the items, and has no more under way than it may', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(4)), fc.integer({ min: 1, max: 4 }), async (times, width) => {
        let underWay = 0
        let most = 0
        const results = inOrder(from(times.map((time, k) => ({ time, k }))), width, async ({ time, k }) => {
          most = Math.max(most, ++underWay)
          await wait(time)
          underWay--
          return k
        })
        expect(await all(results)).toEqual(times.map((_, k) => k))
        expect(most).toBeLessThanOrEqual(width)
      }),
      { numRuns: 30 },
    )
  })

  it('gives a result as soon as it is there, though no further item comes', async () => {
    let send = (_item: number) => {}
    async function* source() {
      yield 1
      yield await new Promise<number>((resolve) => {
        send = resolve
      })
    }
    const results = inOrder(source(), 4, async (item) => item)
    expect(await results.next()).toEqual({ done: false, value: 1 })
    const next = results.next()
    await wait(5)
    send(2)
    expect(await next).toEqual({ done: false, value: 2 })
    expect((await results.next()).done).toBe(true)
  })

  it('ends its source where its caller stops', async () => {
    let isOver = false
    async function* source() {
      try {
        for (let k = 0; ; k++) yield k
      } finally {
        isOver = true
      }
    }
    for await (const k of inOrder(source(), 2, async (item) => item)) if (k === 3) break
    expect(isOver).toBe(true)
  })

  it('fails where the source does, after the results before that', async () => {
    async function* source() {
      yield 1
      throw new Error('gone')
    }
    const results = inOrder(source(), 2, async (item) => item)
    expect(await results.next()).toEqual({ done: false, value: 1 })
    await expect(results.next()).rejects.toThrow('gone')
  })
})

describe('pieces of lines', () => {
  it('are whole lines, however the bytes come', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\r'), maxLength: 9 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.boolean(),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 8 }),
        async (lines, ends, length, maxLine) => {
          const bytes = Buffer.from(lines.join('\n') + (ends ? '\n' : ''))
          const chunks = Array.from({ length: Math.ceil(bytes.length / length) }, (_, k) =>
            bytes.subarray(k * length, (k + 1) * length),
          )
          const pieces = await all(linePieces(from(chunks), maxLine))
          const found = pieces.flatMap((piece) =>
            piece === null ? [null] : piece.toString().replace(/\n$/, '').split('\n'),
          )
          const expected = bytes.toString().split('\n')
          if (expected[expected.length - 1] === '') expected.pop()
          expect(found).toEqual(expected.map((each) => (each.length > maxLine ? null : each)))
        },
      ),
      { numRuns: 500 },
    )
  })
})
