// Very many texts are ordered as their bytes are, with pauses, in the memory of their numbers.

import { describe, expect, it } from 'vitest'
import { Pace } from '../../src/containers/budget.ts'
import { type ByteTexts, orderByBytes } from '../../src/containers/byte-order.ts'
import { seededRandom } from '../support/families/box-sets.ts'

const random = seededRandom(7)

function textsOf(words: readonly string[]): ByteTexts {
  const starts = new Uint32Array(words.length + 1)
  for (const [k, word] of words.entries()) starts[k + 1] = starts[k] + word.length
  return { bytes: Buffer.from(words.join(''), 'latin1'), starts }
}

/** The words in their order, and how often it paused. */
function ordered(words: readonly string[]): { sorted: string[]; pauses: number } {
  const order = Int32Array.from(words.keys())
  let pauses = 0
  for (const _ of orderByBytes(textsOf(words), order, new Pace())) pauses++
  return { sorted: [...order].map((k) => words[k]), pauses }
}

const letters = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[Math.floor(alphabet.length * random())]).join('')

describe('ordering by bytes', () => {
  it.each([0, 1, 2, 24, 25, 300, 20_000])('%i texts', (count) => {
    for (const [alphabet, longest] of [
      ['ab', 3],
      ['aÿ\u0000-_:9Z', 12],
      ['abcdefghijklmnop', 128],
    ] as const) {
      const words = Array.from({ length: count }, () => letters(alphabet, Math.floor((longest + 1) * random())))
      const { sorted, pauses } = ordered(words)
      expect(sorted).toEqual(words.toSorted())
      if (count > 4096) expect(pauses).toBeGreaterThan(2)
    }
  })

  it('texts that are the same but for their ends', () => {
    const begin = 'x'.repeat(120)
    const words = Array.from({ length: 5000 }, (_, k) => `${begin}${(k * 7919) % 5000}`)
    expect(ordered(words).sorted).toEqual(words.toSorted())
    expect(ordered(words.map(() => begin)).sorted).toEqual(words.map(() => begin))
  })
})
