// Files that are JSON, of which more is refused than any map or drawing has.

import { describe, expect, it } from 'vitest'
import { parseJsonFile } from '../../src/import/json-file.ts'
import { ImportFault } from '../../src/import/source-files.ts'

function why(text: string): string {
  try {
    parseJsonFile({ name: 'f', bytes: Buffer.from(text) }, ['data'])
    return ''
  } catch (error) {
    if (error instanceof ImportFault) return error.message
    throw error
  }
}

const items = (count: number, itemAt: (index: number) => string) =>
  Array.from({ length: count }, (_, k) => itemAt(k)).join(',')

describe('a file is refused before the engine reads it', () => {
  it.each([
    ['numbers', `{"a":[${'0.5,'.repeat(2 ** 23 + 1)}1]}`, /more than 8388608 commas/],
    [
      'names that never come again',
      `{"a":[${items(500_000, (k) => `{"k${k}":0}`)}]}`,
      /more than 262144 different sequences/,
    ],
    ['empty objects', `{"a":[${'{},'.repeat(3 * 2 ** 20 + 1)}1]}`, /more than 3145728 lists and objects/],
  ])('that has very many %s', (_what, text, message) => {
    expect(why(text)).toMatch(message)
  })

  it.each([
    ['whole numbers that are set aside', `{"data":[${'1,'.repeat(2 ** 23 + 1)}1]}`],
    ['objects that are alike', `{"a":[${items(200_000, (k) => `{"k${k % 999}":0,"b":1}`)}]}`],
    ['fields of one object', `{"a":{${items(30_000, (k) => `"k${k}":0`)}}}`],
  ])('but not one that has many %s', (_what, text) => {
    expect(why(text)).toBe('')
  })
})
