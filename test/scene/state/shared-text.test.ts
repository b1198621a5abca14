import { describe, expect, it } from 'vitest'
import { farText, isSameText, type SharedText, textLength, textOf } from '../../../src/scene/state/shape-text.ts'

const MEGABYTE = 2 ** 20
const long = (letter: string, length = MEGABYTE) => letter.repeat(length)

describe('a text for other threads', () => {
  it('is what it is', () => {
    for (const text of ['', '{"type":"point"}', long('a'), long('é')]) {
      const told = structuredClone(farText(text))
      expect(textOf(told) === text).toBe(true)
      expect(textLength(told)).toBe(text.length < MEGABYTE ? text.length : Buffer.byteLength(text))
    }
  })

  it('is sent as it is when it is short, and shared when it is long', () => {
    expect(farText('short')).toBe('short')
    const told = farText(long('a')) as SharedText
    expect(told.bytes.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(farText(long('a'))).toBe(told)
  })

  it('is known again as itself, and never taken for another', () => {
    const [a, b] = [farText(long('a')), farText(long('b'))]
    expect(isSameText(a, structuredClone(farText(long('a'))))).toBe(true)
    expect(isSameText(a, b)).toBe(false)
    expect(isSameText(a, 'a')).toBe(false)
    expect(isSameText('a', 'a')).toBe(true)
  })

  it('is let go of when others come, and shared anew then', () => {
    const first = farText(long('f')) as SharedText
    for (let k = 0; k < 20; k++) farText(long(String.fromCharCode(65 + k)))
    const again = farText(long('f')) as SharedText
    expect(again.id).not.toBe(first.id)
    expect(textOf(again) === textOf(first)).toBe(true)
    // two that are asked about stay, whatever they weigh
    const [x, y] = [long('x', 20 * MEGABYTE), long('y', 20 * MEGABYTE)]
    const told = [farText(x), farText(y)]
    expect([farText(x), farText(y)]).toEqual(told)
    expect(farText(x)).toBe(told[0])
  })
})
