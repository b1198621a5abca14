import { expect, it } from 'vitest'
import { digestOfSent, SentShapes } from '../../src/kept/sent-shapes.ts'

function digest(how: readonly unknown[], bytes: Uint8Array): string {
  const hashing = digestOfSent(how, bytes)
  for (;;) {
    const { done, value } = hashing.next()
    if (done) return value
  }
}

it('digests all bytes, and how they are read', () => {
  const bytes = new Uint8Array(2 ** 20 + 7).map((_, k) => k)
  const other = bytes.slice()
  other[2 ** 20 + 6] ^= 1
  const all = [digest(['3d'], bytes), digest(['2d'], bytes), digest(['3d'], other), digest(['3d'], bytes.subarray(1))]
  expect(new Set(all).size).toBe(4)
  expect(digest(['3d'], bytes.slice())).toBe(all[0])
})

it('shares work until nobody waits for it', async () => {
  const sent = new SentShapes<string>()
  const begun: { resolve: (value: string) => void; isEnded: boolean }[] = []
  const begin = () => {
    const work = { resolve: (_: string) => {}, isEnded: false }
    begun.push(work)
    const result = new Promise<string>((resolve) => {
      work.resolve = resolve
    })
    const end = () => {
      work.isEnded = true
    }
    return { result, end }
  }
  const [a, b] = [sent.join('x', begin), sent.join('x', begin)]
  expect([a.isFirst, b.isFirst, begun.length]).toEqual([true, false, 1])
  a.leave()
  expect(begun[0].isEnded).toBe(false)
  const c = sent.join('x', begin)
  b.leave()
  c.leave()
  expect([begun.length, begun[0].isEnded]).toEqual([1, true])
  // who comes now does not get what was given up
  const d = sent.join('x', begin)
  begun[0].resolve('old')
  await a.result
  expect(sent.join('x', begin).isFirst).toBe(false)
  begun[1].resolve('new')
  expect(await d.result).toBe('new')
  expect([sent.join('x', begin).isFirst, begun.length]).toEqual([true, 3])
})

it('remembers those that were sent last', () => {
  const sent = new SentShapes<string>()
  for (let k = 0; k < 5000; k++) {
    sent.remember(`d${k}`, `id${k}`)
    expect(sent.idOf('d0')).toBe('id0')
  }
  expect([sent.idOf('d1'), sent.idOf('d4999')]).toEqual([undefined, 'id4999'])
})
