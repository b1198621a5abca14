// What a text may have so that the engine is given it, and where it has too much.

import { describe, expect, it } from 'vitest'
import { assertReadable, NestedTooDeep, TooMuchToRead } from '../../src/json/input.ts'

const LENGTH = 2 ** 18

function refusal(text: string): TooMuchToRead | null {
  try {
    assertReadable(Buffer.from(text))
    return null
  } catch (error) {
    if (error instanceof TooMuchToRead) return error
    throw error
  }
}

/** As many items as have so many bytes together. */
function items(itemAt: (index: number) => string, length = LENGTH): string {
  const parts: string[] = []
  for (let size = 0; size < length; size += parts[parts.length - 1].length + 1) parts.push(itemAt(parts.length))
  return parts.join(',')
}

const fields = (count: number, first = 0) => Array.from({ length: count }, (_, k) => `"k${first + k}":0`).join(',')
const NAMES = 'abcdefghijklmnopqrstuvwxyz'.split('')
/** The same names in another order each time. */
const turned = (index: number) =>
  `{${NAMES.map((_, k) => `"${NAMES[(k * (1 + 2 * (index % 6)) + index) % 26]}${index % 97}":0`).join(',')}}`

describe('a long text is refused before it is parsed, with the place', () => {
  it.each([
    ['an object of very many fields', `{${items((k) => `"k${k}":0`)}}`, '', /1000 fields/],
    ['one name again and again', `{${items(() => '"a":0')}}`, '', /1000 fields/],
    ['fields with blanks before their colons', `{${items((k) => `"k${k}" \n:0`)}}`, '', /1000 fields/],
    ['such an object within', `{"a":[{},{"b/c":{${items((k) => `"k${k}":0`)}}}]}`, '/a/1/b~1c', /1000 fields/],
    ['empty objects', `[${items(() => '{}', 2 ** 20)}]`, '', /at most 196\d{3} objects and arrays/],
    ['empty lists in a field', `{"a":0,"b":[${items(() => '[]', 2 ** 20)}]}`, '/b', /objects and arrays/],
    ['a list of numbers', `{"a":[${items(() => '0', 2 ** 20)}]}`, '/a', /at most \d+ items/],
    ['objects that hold little', `{"a":{"b":[${items(() => '{"a":{}}', 2 ** 20)}]}}`, undefined, /objects and arrays/],
    [
      'objects of names that never come again',
      `[${items((k) => `{${fields(9, 9 * k)}}`, 2 ** 20)}]`,
      undefined,
      /sequences/,
    ],
    ['names that come in ever other orders', `[${items(turned, 2 ** 20)}]`, undefined, /sequences/],
  ])('%s', (_what, text, pointer, message) => {
    const error = refusal(text)
    expect(error?.message).toMatch(message)
    if (pointer !== undefined) expect(error?.pointer).toBe(pointer)
  })

  it('but not for what is in strings', () => {
    expect(refusal(`["${'{\\":'.repeat(LENGTH / 2)}"]`)).toBeNull()
  })

  it('as long as it cannot be much', () => {
    expect(refusal(`[${items(() => '{}', 2 ** 17 - 9)}]`)).toBeNull()
    expect(refusal(`{${items((k) => `"k${k}":0`, 2 ** 17 - 20)}}`)).toBeNull()
  })

  it('and where brackets lie too deep, without one', () => {
    expect(refusal('['.repeat(2 ** 20))).toBeInstanceOf(NestedTooDeep)
    const deep = refusal(`${'{"a":'.repeat(2 ** 16)}{${fields(2000)}}`)
    expect(deep?.message).toMatch(/1000 fields/)
    expect(deep?.pointer).toBeNull()
  })
})

describe('what requests have is read', () => {
  it.each([
    ['points', `[${items(() => '{"x":0,"y":0}', 2 ** 21)}]`],
    ['bodies', `[${items((k) => `{"shape":{"type":"circle","radius":${k}}}`, 2 ** 21)}]`],
    ['numbers', `[${items(() => '0.5', 2 ** 21)}]`],
    ['objects of a thousand fields', `[${items(() => `{${fields(1000)}}`, 2 ** 21)}]`],
    [
      'data as dense as a list of operations holds of them',
      `[${items(() => `{"data":[${items(() => '[]', 4000)}]}`, 2 ** 17)}]`,
    ],
  ])('%s', (_what, text) => {
    expect(refusal(text)).toBeNull()
  })
})
